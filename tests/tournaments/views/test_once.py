"""A form that is sent twice acts once."""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from tests.tournaments import pages
from tournaments import database_time
from tournaments.errors import StaleError
from tournaments.models import (
    Challenge,
    ChatLine,
    Event,
    FormKey,
    Game,
    Guest,
    Invitation,
    Player,
    Seek,
    User,
)
from tournaments.services.accounts import form_keys, players
from tournaments.services.lobby import challenges

FORM = {"ruleset": "morelli(size=5)", "clock": "600+10", "form_key": "k1"}
EVENT = {
    "name": "Open", "ruleset": "morelli(size=5)", "format": "dutch", "rounds_total": "3", "clock": "600+10",
    "admits": "people", "max_entries": "8", "pause_s": "60", "form_key": "k1",
}  # fmt: skip
_KEY = re.compile(r'name="form_key" value="([^"]+)"')


def _twice(client: Client, name: str, form: Mapping[str, str], *args: object) -> str:
    """Return the target of a form that is sent twice."""
    first, second = (client.post(reverse(name, args=args), form) for _ in range(2))
    assert first.status_code == 302
    assert (second.status_code, second["Location"]) == (302, first["Location"])
    return first["Location"]


def test_a_bot_game_is_begun_once(ana: User, bots: list[Player]) -> None:
    location = _twice(pages.member(ana), "challenge", {**FORM, "bot": bots[0].name})
    assert location == Game.objects.get().get_absolute_url()


def test_a_challenge_is_made_once(ana: User) -> None:
    _twice(pages.member(ana), "challenge", FORM)
    assert Challenge.objects.count() == 1


def test_an_invitation_is_made_once(ana: User) -> None:
    _twice(pages.member(ana), "invite", {**FORM, "seats": "mine"})
    assert Invitation.objects.count() == 1


def test_a_seek_that_was_paired_is_not_made_again(ana: User, ben: User) -> None:
    one, other = pages.member(ana), pages.member(ben)
    one.post(reverse("seek-create"), FORM)
    _twice(other, "seek-create", FORM)
    assert (Seek.objects.count(), Game.objects.count()) == (2, 1)


def test_a_name_in_the_lobbys_form_is_one_challenge(ana: User, ben: User) -> None:
    """Quick pairing hands its form on to the view of challenges, under the same key."""
    _twice(pages.member(ana), "seek-create", {**FORM, "opponent": ben.player.name})
    assert Challenge.objects.get().opponent == ben.player


def test_an_event_is_created_once(ana: User) -> None:
    _twice(pages.member(ana), "event-new", EVENT)
    assert Event.objects.count() == 1


def test_a_rematch_is_one_game(ana: User, ben: User) -> None:
    game = pages.new_game(ana.player, ben.player)
    pages.play_out(game)
    pages.member(ben).post(reverse("game-rematch", args=[game.pk]))
    _twice(pages.member(ana), "game-rematch", {"answer": "yes", "form_key": "k"}, game.pk)
    assert Game.objects.count() == 2


def test_a_line_of_chat_is_written_once(ana: User, ben: User) -> None:
    game = pages.new_game(ana.player, ben.player)
    _twice(pages.member(ana), "game-say", {"text": "Hello", "form_key": "k"}, game.pk)
    assert ChatLine.objects.count() == 1
    say = reverse("game-say", args=[game.pk])
    for _ in range(2):
        answer = pages.member(ana).post(
            say, {"text": "Again", "form_key": "j"}, headers={"Accept": "application/json"}
        )
        assert answer.status_code == 204
    assert ChatLine.objects.count() == 2


def test_another_form_under_the_same_key_is_refused(ana: User, ben: User) -> None:
    client = pages.member(ana)
    client.post(reverse("challenge"), FORM)
    other = {**FORM, "clock": "300+3", "next": reverse("lobby")}
    page = client.post(reverse("challenge"), other, follow=True)
    assert "This form was sent already, with other entries." in pages.text_of(page.content)
    assert Challenge.objects.count() == 1
    game = pages.new_game(ana.player, ben.player)
    say, headers = reverse("game-say", args=[game.pk]), {"Accept": "application/json"}
    client.post(say, {"text": "one", "form_key": "k2"}, headers=headers)
    answer = client.post(say, {"text": "two", "form_key": "k2"}, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (409, "form-sent")


@pytest.mark.long
def test_a_refused_form_can_be_sent_again(ana: User) -> None:
    client = pages.member(ana)
    bad = client.post(reverse("challenge"), {**FORM, "ruleset": "go"})
    assert bad.status_code == 422
    for _ in range(20):
        client.post(reverse("challenge"), {k: v for k, v in FORM.items() if k != "form_key"})
    client.post(reverse("challenge"), FORM)
    assert Challenge.objects.count() == 20
    assert not FormKey.objects.exists()
    last = Challenge.objects.latest("pk")
    challenges.decline(challenge_id=last.pk, player=ana.player)
    assert client.post(reverse("challenge"), FORM)["Location"] == reverse("lobby")
    assert Challenge.objects.count() == 21


def test_a_key_is_its_owners(ana: User, ben: User) -> None:
    for user in (ana, ben):
        pages.member(user).post(reverse("challenge"), FORM)
    assert Challenge.objects.count() == 2


def test_a_guest_whose_answer_was_lost_is_the_same_guest(bots: list[Player]) -> None:
    client = Client()
    page = client.get(reverse("lobby"))
    field = _KEY.search(page.content.decode())
    assert field is not None
    form = {**FORM, "form_key": field[1], "bot": bots[0].name}
    before = {name: morsel.value for name, morsel in client.cookies.items()}
    first = client.post(reverse("challenge"), form)
    again = Client()
    again.cookies.load(before)
    second = again.post(reverse("challenge"), form)
    assert second["Location"] == first["Location"]
    assert (Game.objects.count(), Guest.objects.count()) == (1, 1)
    assert "rayuela_guest" in second.cookies


@pytest.mark.parametrize("name", ["lobby", "event-new"])
def test_every_look_at_a_form_has_another_key(ana: User, name: str) -> None:
    client = pages.member(ana)
    keys = [_KEY.findall(client.get(reverse(name)).content.decode()) for _ in range(2)]
    assert keys[0]
    assert not set(keys[0]) & set(keys[1])


def test_keys_are_forgotten_after_a_day(ana: User) -> None:
    pages.member(ana).post(reverse("challenge"), FORM)
    now = database_time.now()
    form_keys.forget_old(now)
    assert FormKey.objects.count() == 1
    form_keys.forget_old(now + timedelta(hours=25))
    assert not FormKey.objects.exists()


@pytest.mark.long
@pytest.mark.engines
def test_one_form_many_times_at_one_moment_is_one_challenge(erasable: object) -> None:
    ana = players.sign_up(name="Ana", password="rayuela-1963")
    clients = [pages.member(ana) for _ in range(64 if connection.vendor == "postgresql" else 8)]
    barrier = threading.Barrier(len(clients))

    def send(client: Client) -> tuple[int, str]:
        try:
            barrier.wait()
            answer = client.post(reverse("challenge"), FORM)
            return answer.status_code, answer.get("Location", "")
        finally:
            connection.close()

    with ThreadPoolExecutor(len(clients)) as pool:
        answers = set(pool.map(send, clients))
    assert answers == {(302, reverse("lobby"))}
    assert Challenge.objects.count() == 1


@pytest.mark.engines
def test_what_fails_leaves_its_key(erasable: object) -> None:
    def fail() -> str:
        players.sign_up(name="Nobody", password="rayuela-1963")
        raise StaleError("over")

    with pytest.raises(StaleError):
        form_keys.once(owner="1", key="k", digest="d", act=fail)
    assert not FormKey.objects.exists()
    assert form_keys.once(owner="1", key="k", digest="d", act=lambda: "/x/") is None
    assert form_keys.once(owner="1", key="k", digest="d", act=fail) == "/x/"
