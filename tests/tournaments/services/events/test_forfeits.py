"""Forfeits of absent players: a game that was not played, as FIDE's C.04 and C.07 count it."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments import pages
from tests.tournaments.conftest import enter, event_of
from tournaments import trf
from tournaments.errors import RefusedError
from tournaments.models import Entry, Event, Game, LedgerEntry, Player, User
from tournaments.pairing.problem import RoundKind
from tournaments.queries.results import histories, reports
from tournaments.services.arbiter import corrections
from tournaments.services.games import game_end, play
from tournaments.services.rounds import lifecycle, publication, rounds


@pytest.fixture
def event(people: list[Player], ana: User) -> Event:
    """The first round of four people is being played."""
    event = event_of(ana, is_automatic=False, admits=Event.Admits.PEOPLE)
    enter(event, *people)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    rounds.draft_round(event_id=event.pk, actor=ana)
    publication.publish_round(event_id=event.pk, actor=ana)
    return event


def _games(event: Event) -> list[Game]:
    return list(Game.objects.filter(pairing__event=event).with_players().order_by("pairing__board"))


def _run_out(game: Game) -> None:
    game.refresh_from_db()
    assert game.deadline_at is not None
    assert game_end.flag(game.pk, game.deadline_at)
    game.refresh_from_db()


@pytest.fixture
def closed(event: Event) -> Event:
    """Return the closed event: the first player of board 1 was absent, and board 2 was resigned after a ply each."""
    absent, played = _games(event)
    _run_out(absent)
    pages.move(played)
    pages.move(played)
    play.resign(game_id=played.pk, player=played.first)
    lifecycle.advance_event(event.pk)
    return event


def test_who_makes_no_move_forfeits_and_is_withdrawn(closed: Event) -> None:
    absent, _played = _games(closed)
    assert (absent.result, absent.ending) == ("second-forfeit", "no-show")
    assert not Entry.objects.active().filter(player=absent.first, event=closed).exists()


def test_the_second_side_may_be_the_one_who_does_not_come(event: Event) -> None:
    game = _games(event)[0]
    pages.move(game)
    _run_out(game)
    assert (game.result, game.ending) == ("first-forfeit", "no-show")


def test_a_flag_after_a_move_is_no_forfeit_and_neither_is_one_outside_of_events(
    event: Event, ana: User, ben: User
) -> None:
    late = _games(event)[0]
    pages.move(late)
    pages.move(late)
    _run_out(late)
    assert (late.result, late.ending) == ("second", "time")
    casual = pages.new_game(ana.player, ben.player)
    _run_out(casual)
    assert (casual.result, casual.ending) == ("second", "time")


def test_a_forfeit_is_not_rated(closed: Event) -> None:
    absent, played = _games(closed)
    assert not LedgerEntry.objects.filter(game=absent).exists()
    assert LedgerEntry.objects.filter(game=played).count() == 2


def test_a_forfeit_is_a_point_and_no_game(closed: Event) -> None:
    absent, _played = _games(closed)
    assert absent.pairing is not None
    assert not absent.pairing.is_met
    rounds_by_entry = histories.of_event(closed)
    records = {
        entry.player_id: histories.pairing_records(rounds_by_entry[entry.pk], 1)[0]
        for entry in closed.entries.all()
    }
    won, lost = records[absent.second_id], records[absent.first_id]
    assert (won.kind, won.score_halves) == (RoundKind.FORFEIT_WIN, 2)
    assert (lost.kind, lost.score_halves) == (RoundKind.FORFEIT_LOSS, 0)


def _codes(event: Event) -> dict[int, str]:
    """Return the code of every player's first round in the report, by the number there."""
    report = trf.read(reports.trf_of(event))
    return {
        player.id: result.code.value for player in report.players if (result := player.results[0])
    }


@pytest.mark.long
def test_the_report_has_plus_and_minus_and_the_tables_show_them(
    closed: Event, client: Client
) -> None:
    absent, _played = _games(closed)
    assert absent.pairing is not None
    first, second = absent.pairing.first, absent.pairing.second
    codes = _codes(closed)
    assert (codes[first.tpn or 0], codes[second.tpn or 0]) == ("-", "+")
    address = reverse("event-crosstable", args=[closed.slug])
    page = pages.text_of(client.get(address).content)
    assert "w+" in page or "b+" in page
    assert "−" in page
    page = client.get(absent.get_absolute_url()).content.decode()
    assert f"{absent.second.name} won by forfeit" in page
    assert f"{absent.first.name} made no move in time." in page


@pytest.mark.long
def test_the_organiser_corrects_to_a_forfeit_and_back(closed: Event, ana: User) -> None:
    _absent, played = _games(closed)
    assert played.pairing is not None

    def correct(result: str) -> None:
        corrections.correct(game_id=played.pk, actor=ana, result=result, reason="nobody came")
        played.refresh_from_db()

    correct("second-forfeit")
    assert _codes(closed)[played.pairing.first.tpn or 0] == "-"
    assert not LedgerEntry.objects.standing().filter(game=played).exists()
    assert not closed.pairings.get(games=played).is_met
    correct("second")
    assert _codes(closed)[played.pairing.first.tpn or 0] == "0"
    assert LedgerEntry.objects.standing().filter(game=played).count() == 2
    assert closed.pairings.get(games=played).is_met


def test_the_organiser_is_offered_forfeits_by_name(closed: Event, ana: User) -> None:
    _absent, played = _games(closed)
    page = pages.member(ana).get(played.get_absolute_url()).content.decode()
    assert f"{played.first.name} won by forfeit" in page


def test_outside_of_events_there_are_no_forfeits(ana: User, ben: User, administrator: User) -> None:
    game = pages.new_game(ana.player, ben.player)
    play.resign(game_id=game.pk, player=ben.player)
    with pytest.raises(RefusedError, match="result-bad"):
        corrections.correct(
            game_id=game.pk, actor=administrator, result="second-forfeit", reason="why not"
        )
    assert "by forfeit" not in pages.member(ana).get(game.get_absolute_url()).content.decode()
