"""The event's report file: read back and paired again, it gives the rounds that were played."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.tournaments.conftest import enter, event_of
from tournaments import trf
from tournaments.models import Event, Game, Match, Player, User
from tournaments.pairing import system
from tournaments.queries.results import reports
from tournaments.services.events import entries
from tournaments.services.games import play
from tournaments.services.matches import matches
from tournaments.services.rounds import lifecycle, publication, rounds


def _play_out(event: Event) -> None:
    for _ in range(20):
        for match in Match.objects.filter(state=Match.State.QUEUED):
            matches.play_match(match.pk)
        lifecycle.advance_event(event.pk)
        event.refresh_from_db()
        if event.state == Event.State.FINISHED:
            return
    pytest.fail("the event did not finish")


@pytest.mark.engine
@pytest.mark.long
def test_every_round_is_paired_again_from_the_report(bots: list[Player], ana: User) -> None:
    event = event_of(ana, rounds_total=3)
    enter(event, *bots[:5])
    entries.request_bye(event_id=event.pk, player=bots[0], actor=ana, round_number=2, kind="half")
    lifecycle.start_event(event_id=event.pk, actor=ana)
    _play_out(event)
    report = trf.read(reports.trf_of(event))
    for round_ in event.rounds.all():
        problem = trf.pairing_problem(report, round_.number)
        answer = system("dutch").pair(problem)
        boards = round_.pairings.order_by("board").values_list("first__tpn", "second__tpn")
        assert [(b.first, b.second) for b in answer.boards] == list(boards), round_
        assert answer.bye == round_.evidence["bye"]


@pytest.mark.long
def test_a_running_round_and_its_games_are_not_in_the_report(ana: User, ben: User) -> None:
    event = event_of(ana, is_automatic=False)
    enter(event, ana.player, ben.player)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    rounds.draft_round(event_id=event.pk)
    publication.publish_automatically(event_id=event.pk)
    assert trf.rounds_played(trf.read(reports.trf_of(event))) == 0
    play.resign(game_id=Game.objects.get().pk, player=ana.player)
    lifecycle.advance_event(event.pk)
    assert trf.rounds_played(trf.read(reports.trf_of(event))) == 1


def test_the_report_is_a_download(client: Client, ana: User) -> None:
    event = event_of(ana, name="Copa Ñandú")
    enter(event, ana.player)
    answer = client.get(f"/events/{event.slug}/report.trf")
    assert answer.status_code == 200
    assert "012 Copa Ñandú" in answer.content.decode()
    assert answer["Content-Disposition"] == 'attachment; filename="copa-nandu.trf"'
