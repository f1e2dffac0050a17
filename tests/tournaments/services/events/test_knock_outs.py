"""Knock-outs: the qualified players, decisions by replays, and the draw on the pages."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import transaction
from django.test import Client

from tests.tournaments.conftest import enter, event_of
from tests.tournaments.events import assert_confirmed, decide, lower_number_wins, to_the_end
from tournaments import database_time
from tournaments.models import AuditEntry, Event, Game, Player, Round, User
from tournaments.queries.results import tables
from tournaments.services.arbiter import game_acts, results
from tournaments.services.games import game_end
from tournaments.services.rounds import lifecycle

EnterAll = Callable[..., None]


@pytest.mark.parametrize("count", [2, 5, 8])
@pytest.mark.parametrize("system", ["knockout", "double-knockout"])
@pytest.mark.part(0.4)
@pytest.mark.long
def test_the_favourite_wins_a_knock_out_in_which_favourites_win(
    eight: list[Player], ana: User, system: str, count: int
) -> None:
    event = event_of(ana, format=system)
    enter(event, *eight[:count])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    to_the_end(event, lower_number_wins)
    games = Game.objects.filter(pairing__event=event)
    losses = 1 if system == "knockout" else 2
    assert games.count() == losses * (count - 1)
    final = games.order_by("-pairing__round__number").first()
    assert final is not None
    assert final.pairing is not None
    assert {final.pairing.first.tpn, final.pairing.second.tpn} == {1, 2}
    assert_confirmed(event)


@pytest.mark.long
def test_third_place_is_played_for_in_the_last_round(
    eight: list[Player], ana: User, client: Client
) -> None:
    event = event_of(ana, format="knockout", has_third_place=True)
    enter(event, *eight[:4])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    to_the_end(event, lower_number_wins)
    assert [row.rank for row in tables.event_table(event).rows] == [1, 2, 3, 4]
    assert "Third place" in client.get(f"/events/{event.slug}/draw/").content.decode()
    page = client.get(f"/events/{event.slug}/pairings/2/boards/2/").content.decode()
    assert "play for third place" in page
    assert_confirmed(event)


@pytest.mark.long
def test_a_drawn_tie_is_played_again_twice_and_then_goes_to_the_higher_seed(
    eight: list[Player], ana: User
) -> None:
    event = event_of(ana, format="knockout")
    enter(event, *eight[:4])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    for number in (1, 2, 3):
        assert decide(event, lambda _game: "draw") == 2, number
        lifecycle.advance_event(event.pk)
    first_round = event.rounds.get(number=1)
    assert first_round.state == Round.State.CLOSED
    games = Game.objects.filter(pairing__round=first_round).order_by("pairing", "number")
    assert [game.number for game in games] == [1, 2, 3, 1, 2, 3]
    assert games[0].first_id == games[1].second_id
    second = event.rounds.get(number=2)
    assert {p.first.tpn for p in second.pairings.all()} | {
        p.second.tpn for p in second.pairings.all()
    } == {1, 2}
    assert AuditEntry.objects.filter(event=event, action="replay").count() == 2


@pytest.mark.long
def test_nobody_goes_on_by_games_that_our_faults_have_voided(bots: list[Player], ana: User) -> None:
    event = event_of(ana, format="knockout", admits="bots")
    enter(event, *bots[:2])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    for number in range(1, 6):
        game = Game.objects.ongoing().get(pairing__event=event)
        assert game.number == number
        with transaction.atomic():
            game_end.finish_game(game, result=Game.Result.VOID, ending=Game.Ending.FAULT)
        lifecycle.advance_event(event.pk)
    decide(event, lambda _game: "second")
    winner = Game.objects.get(pairing__event=event, result="second").second
    lifecycle.advance_event(event.pk)
    event.refresh_from_db()
    assert event.state == Event.State.FINISHED
    assert tables.event_table(event).rows[0].entry.player_id == winner.pk


def test_a_replay_decides_by_who_won_it_not_by_the_side(eight: list[Player], ana: User) -> None:
    event = event_of(ana, format="knockout")
    enter(event, *eight[:2])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    decide(event, lambda _game: "draw")
    lifecycle.advance_event(event.pk)
    replay = Game.objects.ongoing().get(pairing__event=event)
    decide(event, lambda _game: "second")
    lifecycle.advance_event(event.pk)
    event.refresh_from_db()
    assert event.state == Event.State.FINISHED
    winner = tables.event_table(event).rows[0].entry
    assert winner.player_id == replay.second_id


@pytest.mark.long
def test_the_pages_of_a_knock_out_show_the_draw_and_every_game_of_a_tie(
    eight: list[Player], ana: User, client: Client
) -> None:
    event = event_of(ana, format="knockout")
    url = f"/events/{event.slug}/"
    assert (
        "The bracket is made when the event starts." in client.get(f"{url}draw/").content.decode()
    )
    enter(event, *eight[:5])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    decide(event, lambda _game: "draw")
    lifecycle.advance_event(event.pk)
    page = client.get(f"{url}pairings/1/").content.decode()
    assert "game 1" in page
    assert "bye" in page
    assert page.index(Game.objects.ongoing().get().first.name) < page.index("playing</span>")
    draw_page = client.get(f"{url}draw/").content.decode()
    assert "winner of 2" in draw_page
    to_the_end(event, lower_number_wins)
    draw_page = client.get(f"{url}draw/").content.decode()
    assert draw_page.count('class="slot winner"') == 4
    assert client.get(f"{url}standings/").status_code == 200
    assert client.get(f"{url}crosstable/").status_code == 200
    assert client.get(f"{url}report.trf").status_code == 200


def test_a_double_forfeit_on_line_lets_nobody_through_without_a_decision(
    eight: list[Player], ana: User
) -> None:
    event = event_of(ana, format="knockout", is_automatic=True)
    enter(event, *eight[:4])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    tie = event.pairings.get(board=1)
    game = Game.objects.get(pairing=tie)
    game_acts.decide(game_id=game.pk, actor=ana, result="double-forfeit", reason="both away")
    decide(event, lower_number_wins)
    lifecycle.advance_event(event.pk)
    event.refresh_from_db()
    assert (event.rounds.count(), event.hold_reason) == (1, "ties-open")
    results.let_through(
        event_id=event.pk,
        actor=ana,
        round_number=1,
        board=1,
        tpn=tie.second.tpn or 0,
        reason="came first",
    )
    Event.objects.filter(pk=event.pk).update(next_step_at=database_time.now())
    lifecycle.advance_event(event.pk)
    final = event.pairings.get(round__number=2)
    assert tie.second in {final.first, final.second}
