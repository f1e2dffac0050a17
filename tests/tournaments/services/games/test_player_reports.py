"""Reports about players: from a profile to the moderators, and nowhere else."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments import pages
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import Player, PlayerReport, User
from tournaments.services.accounts import guests
from tournaments.services.games import player_reports


def test_a_report_goes_from_the_profile_to_the_moderators_alone(
    ana: User, ben: User, staff: User
) -> None:
    of_ana, of_staff = pages.member(ana), pages.member(staff)
    address = ben.player.get_absolute_url()
    assert reverse("player-report", args=[ben.player.pk]) in of_ana.get(address).content.decode()
    form = {"text": "Plays by <b>two</b> accounts", "next": address}
    answer = of_ana.post(reverse("player-report", args=[ben.player.pk]), form, follow=True)
    assert "A moderator will look at it." in answer.content.decode()
    assert "two" not in pages.text_of(pages.member(ben).get(address).content)
    waiting = '>Reports</span> <span class="chip">1</span></a>'
    assert waiting in of_staff.get("/").content.decode()
    assert "Reports" not in of_ana.get("/").content.decode()
    page = of_staff.get(reverse("moderation-chat")).content.decode()
    assert "Plays by &lt;b&gt;two&lt;/b&gt; accounts" in page
    row = PlayerReport.objects.get()
    of_staff.post(reverse("player-report-resolve", args=[row.pk]))
    row.refresh_from_db()
    assert row.resolver == staff
    assert ">Reports</span></a>" in of_staff.get("/").content.decode()
    page = of_staff.get(reverse("moderation-chat")).content.decode()
    assert "No reported players." in page


def test_a_report_is_made_once_and_dealt_with_once(ana: User, ben: User, staff: User) -> None:
    row = player_reports.report(player=ana.player, reported=ben.player, text="Rude")
    with pytest.raises(RefusedError, match="reported-already"):
        player_reports.report(player=ana.player, reported=ben.player, text="Rude again")
    with pytest.raises(NotAllowedError, match="not-moderator"):
        player_reports.resolve(report_id=row.pk, actor=ben)
    player_reports.resolve(report_id=row.pk, actor=staff)
    with pytest.raises(StaleError, match="resolved-already"):
        player_reports.resolve(report_id=row.pk, actor=staff)
    player_reports.report(player=ana.player, reported=ben.player, text="Rude again")


def test_what_is_no_report_is_refused(
    ana: User, ben: User, bots: list[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(player_reports, "_MAX_OPEN", 0)
    for reported, text, code in (
        (ana.player, "Me", "not-yourself-report"),
        (bots[0], "It cheats", "report-bot"),
        (ben.player, " \u200b", "chat-empty"),
        (ben.player, "x" * 501, "report-long"),
        (ben.player, "x" * 500, "reports-many"),
    ):
        with pytest.raises(RefusedError, match=code):
            player_reports.report(player=ana.player, reported=reported, text=text)


def test_a_guest_reports_nobody_and_a_visitor_is_told_to_sign_in(client: Client, ben: User) -> None:
    guest = guests.enter(browser="x", address="")
    with pytest.raises(NotAllowedError, match="account-needed"):
        player_reports.report(player=guest, reported=ben.player, text="Rude")
    page = client.get(ben.player.get_absolute_url()).content
    assert "Sign in to challenge, mute or report this player." in pages.text_of(page)
    assert b"report-text" not in page
