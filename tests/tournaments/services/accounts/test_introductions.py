"""Lines of people about themselves, on pages, in the API, and under the eyes of moderators."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from tests.tournaments import pages
from tests.tournaments.api.conftest import Program
from tests.tournaments.frozen_clock import FrozenClock
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import Introduction, User
from tournaments.services.accounts import guests, introductions, tokens
from tournaments.services.games import player_reports


def _page(user: User, reader: User | None = None) -> str:
    client = pages.member(reader) if reader else Client()
    return client.get(user.player.get_absolute_url()).content.decode()


def test_everyone_reads_the_line_as_plain_text_and_its_writer_changes_it(ana: User) -> None:
    form = {"text": " Plays\n<b>slowly</b> ", "federation": "esp"}
    pages.member(ana).post(reverse("introduction"), form)
    assert "Plays &lt;b&gt;slowly&lt;/b&gt;" in _page(ana)
    assert ">ESP</span>" in _page(ana)
    pages.member(ana).post(reverse("introduction"), {"text": "", "federation": ""})
    assert not Introduction.objects.exists()
    assert "slowly" not in _page(ana)


@pytest.mark.parametrize(
    ("text", "federation", "code"),
    [("x" * 201, "", "introduction-long"), ("", "SPAIN", "introduction-federation"), ("", "E1P", "introduction-federation")],
)  # fmt: skip
def test_long_lines_and_other_federations_are_refused(
    ana: User, text: str, federation: str, code: str
) -> None:
    with pytest.raises(RefusedError, match=code):
        introductions.write(player=ana.player, text=text, federation=federation)
    answer = pages.member(ana).post(
        reverse("introduction"), {"text": text, "federation": federation}
    )
    assert answer.status_code == 422
    assert not Introduction.objects.exists()


@pytest.mark.long
def test_a_moderator_hides_a_reported_line_which_its_writer_replaces_after_a_week(
    ana: User, ben: User, staff: User, clock: FrozenClock
) -> None:
    introductions.write(player=ben.player, text="Ana cheats", federation="ESP")
    player_reports.report(player=ana.player, reported=ben.player, text="Slander")
    moderator = pages.member(staff)
    address = reverse("introduction-hide", args=[ben.player.pk])
    for page in (reverse("moderation-chat"), ben.player.get_absolute_url()):
        content = moderator.get(page).content.decode()
        assert "Ana cheats" in content
        assert address in content
    assert address not in _page(ben, ana)
    moderator.post(address)
    assert "Ana cheats" not in _page(ben, ana)
    assert "ESP" in _page(ben, ana)
    assert "A moderator has hidden your line." in _page(ben, ben)
    introductions.write(player=ben.player, text="Ana cheats", federation="FRA")
    assert "Ana cheats" not in _page(ben, ana)
    clock.wait(days=6)
    with pytest.raises(RefusedError, match="introduction-hidden"):
        introductions.write(player=ben.player, text="Ana cheats.", federation="")
    clock.wait(days=1)
    introductions.write(player=ben.player, text="I play slowly.", federation="")
    assert "I play slowly." in _page(ben, ana)


def test_moderators_alone_hide_a_line_that_is_there(ana: User, ben: User, staff: User) -> None:
    introductions.write(player=ben.player, text="", federation="ESP")
    with pytest.raises(StaleError, match="introduction-gone"):
        introductions.hide(player=ben.player, actor=staff)
    with pytest.raises(NotAllowedError, match="not-moderator"):
        introductions.hide(player=ben.player, actor=ana)


def test_a_guest_writes_no_line(db: None) -> None:
    guest = guests.enter(browser="x", address="")
    with pytest.raises(NotAllowedError, match="account-needed"):
        introductions.write(player=guest, text="Hello", federation="")


@pytest.mark.parametrize(
    "columns",
    [{}, {"text": "x", "federation": "ES"}, {"federation": "ESP", "hidden_at": "2026-03-10T12:00Z"}],
    ids=["empty", "short-code", "hidden-without-text"],
)  # fmt: skip
def test_the_database_refuses_what_is_no_introduction(ana: User, columns: dict[str, str]) -> None:
    written_at = ana.player.created_at
    with pytest.raises(IntegrityError), transaction.atomic():
        Introduction.objects.create(player=ana.player, written_at=written_at, **columns)


def test_programs_read_all_lines_and_write_their_own(ana: User, staff: User) -> None:
    scopes = ["read", "account:write"]
    token = tokens.create(user=ana, password="rayuela-1963", name="Phone", scopes=scopes, days=30)
    program = Program(token.secret, ana)
    answer = program("PATCH", "/me", {"about": "I play slowly."}, If_Match="*")
    assert answer.json()["about"] == "I play slowly."
    assert (
        program("PATCH", "/me", {"federation": "esp"}, If_Match="*").json()["federation"] == "ESP"
    )
    profile = Program()("GET", f"/players/{ana.player.pk}").json()
    assert (profile["about"], profile["federation"]) == ("I play slowly.", "ESP")
    assert Program()("GET", "/players?q=ana").json()["items"] == [profile]
    introductions.hide(player=ana.player, actor=staff)
    assert Program()("GET", f"/players/{ana.player.pk}").json()["about"] == ""
    assert program("GET", "/me").json()["about"] == "I play slowly."
    refused = program("PATCH", "/me", {"about": "x" * 201}, If_Match="*")
    assert (refused.status_code, refused.json()["code"]) == (422, "introduction-long")
