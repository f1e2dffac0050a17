"""Events continue after lost wake-ups, absent people, void games, a second click, and reached limits."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import OperationalError, transaction
from psycopg.errors import LockNotAvailable

from tests.tournaments.conftest import enter, event_of
from tournaments import database_time, tasks, trf
from tournaments.errors import RefusedError, StaleError
from tournaments.models import ByeRequest, Entry, Event, Game, Match, Pairing, Player, User
from tournaments.queries.events import seed_chain
from tournaments.queries.formats import group_tables
from tournaments.queries.results import pairing_input, reports, tables
from tournaments.services import enqueue, tick
from tournaments.services.accounts import players
from tournaments.services.events import entries
from tournaments.services.games import game_end
from tournaments.services.matches import leases
from tournaments.services.rounds import interruptions, lifecycle, publication, rounds

EnterAll = Callable[..., None]


@pytest.fixture
def woken(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The events that would have been woken."""
    event_ids: list[int] = []
    monkeypatch.setattr(enqueue, "event", event_ids.append)
    return event_ids


def _tick(woken: list[int]) -> set[int]:
    """Return the events that a full tick wakes after all earlier wake-ups were lost."""
    woken.clear()
    now, every_s = database_time.now(), tick.REPEAT_EVENT.seconds
    tick.tick(now + timedelta(seconds=-now.second % every_s))
    return set(woken)


def _end(game: Game, result: str, ending: str = Game.Ending.RESIGNATION) -> None:
    with transaction.atomic():
        game_end.finish_game(game, result=result, ending=ending)


def _ongoing(event: Event) -> list[Game]:
    return list(Game.objects.ongoing().filter(pairing__event=event).with_players().order_by("pk"))


@pytest.mark.long
def test_who_stays_away_from_a_replay_is_withdrawn_and_not_the_opponent(
    people: list[Player], ana: User
) -> None:
    event = event_of(ana, format="knockout")
    enter(event, *people)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    for game in _ongoing(event):
        _end(game, Game.Result.DRAW)
    lifecycle.advance_event(event.pk)
    replay, other = _ongoing(event)
    away = replay.first
    _end(replay, Game.Result.SECOND_FORFEIT, Game.Ending.NO_SHOW)
    _end(other, Game.Result.FIRST)
    lifecycle.advance_event(event.pk)
    withdrawn = event.entries.filter(state=Entry.State.WITHDRAWN)
    assert [entry.player for entry in withdrawn] == [away]


def test_who_never_comes_to_the_board_of_an_arena_is_withdrawn(
    people: list[Player], ana: User
) -> None:
    event = event_of(ana, format="arena", duration_s=3600)
    enter(event, *people[:2])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    (game,) = _ongoing(event)
    _end(game, Game.Result.SECOND_FORFEIT, Game.Ending.NO_SHOW)
    lifecycle.advance_event(event.pk)
    assert [entry.player for entry in event.entries.active()] == [game.second]


@pytest.mark.long
@pytest.mark.parametrize("duration_s", [0, 3600])
def test_pairing_stops_though_nobody_plays_and_the_wake_up_is_lost(
    bots: list[Player], ana: User, woken: list[int], duration_s: int
) -> None:
    event = event_of(ana, format="ladder", admits="bots", duration_s=duration_s)
    enter(event, *bots[:2])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    entries.withdraw(event_id=event.pk, player=bots[0], actor=ana)
    for game in _ongoing(event):
        _end(game, Game.Result.DRAW)
    lifecycle.advance_event(event.pk)
    assert _tick(woken) == set()
    lifecycle.finish_early(event_id=event.pk, actor=ana)
    assert _tick(woken) == {event.pk}
    lifecycle.advance_event(event.pk)
    event.refresh_from_db()
    assert event.state == Event.State.FINISHED


def test_a_round_that_has_ended_is_found_though_the_wake_up_is_lost(
    bots: list[Player], ana: User, woken: list[int]
) -> None:
    event = event_of(ana, is_automatic=False, rounds_total=3)
    enter(event, *bots[:4])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    rounds.draft_round(event_id=event.pk, actor=ana)
    publication.publish_round(event_id=event.pk, actor=ana)
    first, second = _ongoing(event)
    _end(first, Game.Result.DRAW)
    assert _tick(woken) == set()
    _end(second, Game.Result.DRAW)
    assert _tick(woken) == {event.pk}


@pytest.mark.long
def test_who_enters_a_pool_that_had_too_few_is_found_though_the_wake_up_is_lost(
    bots: list[Player], ana: User, woken: list[int]
) -> None:
    event = event_of(ana, format="ladder", admits="bots")
    enter(event, *bots[:2])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    entries.withdraw(event_id=event.pk, player=bots[0], actor=ana)
    for game in _ongoing(event):
        _end(game, Game.Result.DRAW)
    lifecycle.advance_event(event.pk)
    entries.enter(event_id=event.pk, player=bots[2], actor=ana)
    assert _tick(woken) == {event.pk}
    lifecycle.advance_event(event.pk)
    assert len(_ongoing(event)) == 2


@pytest.mark.long
def test_a_ladder_goes_on_though_its_matches_are_not_marked_as_done_yet(ana: User) -> None:
    event = event_of(ana, format="ladder", admits="bots")
    enter(event, *[players.add_bot(name=f"Bot {n}", engine="random") for n in range(1, 9)])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    assert Match.objects.count() == 4
    for game in _ongoing(event):
        _end(game, Game.Result.DRAW)
    lifecycle.advance_event(event.pk)
    assert Match.objects.count() == 8


def test_two_whose_game_was_void_may_be_paired_again_while_others_play(
    people: list[Player], ana: User
) -> None:
    event = event_of(ana, format="arena", duration_s=3600)
    enter(event, *people)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    void, _other = _ongoing(event)
    _end(void, Game.Result.VOID, Game.Ending.FAULT)
    long_ago = database_time.now() - timedelta(minutes=2)
    Event.objects.filter(pk=event.pk).update(started_at=long_ago)
    event.entries.update(entered_at=long_ago)
    lifecycle.advance_event(event.pk)
    again = Pairing.objects.get(event=event, round__number=2)
    assert {again.first.player, again.second.player} == {void.first, void.second}


@pytest.mark.long
def test_two_whose_replay_was_void_have_met_and_drawn(bots: list[Player], ana: User) -> None:
    """Counted as no meeting, the second one would have had the number of the first."""
    event = event_of(ana, format="double-knockout")
    enter(event, *bots[:2])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    for result in (Game.Result.DRAW, Game.Result.VOID, Game.Result.VOID):
        (game,) = _ongoing(event)
        _end(game, result)
        lifecycle.advance_event(event.pk)
    points = [row.points_halves for row in tables.event_table(event).rows]
    assert points == [1, 1]
    lifecycle.advance_event(event.pk)
    assert list(event.pairings.values_list("encounter", flat=True)) == [1, 2]


def test_a_bot_that_is_switched_off_waits_for_nobody(bots: list[Player], ana: User) -> None:
    event = event_of(ana, format="ladder", admits="bots")
    enter(event, *bots[:3])
    bots[0].bot.is_active = False
    bots[0].bot.save()
    lifecycle.start_event(event_id=event.pk, actor=ana)
    assert {p for g in _ongoing(event) for p in (g.first, g.second)} == {bots[1], bots[2]}


def test_a_pool_ends_when_its_chain_of_lots_does(
    bots: list[Player], ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = event_of(ana, format="ladder", admits="bots")
    monkeypatch.setattr(seed_chain, "CONTINUOUS_LENGTH", 1)
    enter(event, *bots[:2])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    for game in _ongoing(event):
        _end(game, Game.Result.DRAW)
    lifecycle.advance_event(event.pk)
    event.refresh_from_db()
    assert event.state == Event.State.FINISHED
    assert event.rounds.count() == 1


def test_a_second_click_for_the_draft_of_a_large_field_is_refused(
    bots: list[Player], ana: User, monkeypatch: pytest.MonkeyPatch, woken: list[int]
) -> None:
    monkeypatch.setattr(pairing_input, "LARGE_FIELD", 2)
    event = event_of(ana, is_automatic=False)
    enter(event, *bots)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    lifecycle.draft_next(event_id=event.pk, actor=ana)
    lifecycle.advance_event(event.pk)
    with pytest.raises(StaleError, match="round-open"):
        lifecycle.draft_next(event_id=event.pk, actor=ana)
    assert _tick(woken) == set()


def test_an_event_that_ends_wants_no_draft_any_more(
    bots: list[Player], ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pairing_input, "LARGE_FIELD", 2)
    event = event_of(ana, is_automatic=False)
    enter(event, *bots)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    lifecycle.draft_next(event_id=event.pk, actor=ana)
    lifecycle.finish_early(event_id=event.pk, actor=ana)
    event.refresh_from_db()
    assert not event.is_draft_requested


@pytest.mark.long
def test_an_event_is_not_woken_while_a_worker_pairs_it_but_when_that_one_is_lost(
    bots: list[Player], ana: User, woken: list[int]
) -> None:
    event = event_of(ana)
    enter(event, *bots)
    now = database_time.now()
    mine = Event.objects.filter(pk=event.pk)
    mine.update(state=Event.State.RUNNING, started_at=now, next_step_at=now)
    assert _tick(woken) == {event.pk}
    mine.update(pairing_until=now + timedelta(seconds=60))
    assert _tick(woken) == set()
    mine.update(pairing_until=now - timedelta(seconds=1))
    assert _tick(woken) == {event.pk}


@pytest.mark.long
def test_an_event_that_waits_for_people_is_woken_when_they_have_come(
    bots: list[Player], ana: User, woken: list[int]
) -> None:
    event = event_of(ana, min_guests=1, rounds_total=5)
    enter(event, *bots)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    for game in _ongoing(event):
        _end(game, Game.Result.FIRST)
    lifecycle.advance_event(event.pk)
    assert _tick(woken) == set()
    entries.enter(event_id=event.pk, player=ana.player, actor=ana)
    assert _tick(woken) == {event.pk}


def test_no_bye_is_asked_of_an_event_that_is_over(ana: User) -> None:
    event = event_of(ana)
    enter(event, ana.player)
    interruptions.cancel(event_id=event.pk, actor=ana, reason="rain")
    with pytest.raises(RefusedError, match="event-closed"):
        entries.request_bye(
            event_id=event.pk, player=ana.player, actor=ana, round_number=1, kind="half"
        )
    assert not ByeRequest.objects.exists()


def test_a_table_that_would_take_too_long_is_refused_by_a_word_of_its_own(
    bots: list[Player], ana: User
) -> None:
    event = event_of(ana, format="league", groups=1, seasons=100)
    enter(event, *bots)
    with pytest.raises(RefusedError, match="rounds-many"):
        lifecycle.start_event(event_id=event.pk, actor=ana)


@pytest.mark.long
def test_a_league_that_grows_begins_no_season_it_could_not_end(
    bots: list[Player], ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = event_of(ana, format="league", groups=1, seasons=3)
    enter(event, *bots[:2])
    event = lifecycle.start_event(event_id=event.pk, actor=ana)
    assert event.rounds_total == 3
    monkeypatch.setattr(group_tables, "MAX_ROUNDS_OF_TABLES", 4)
    enter(event, bots[2])
    for _ in range(8):
        for game in _ongoing(event):
            _end(game, Game.Result.FIRST)
        lifecycle.advance_event(event.pk)
    event.refresh_from_db()
    # One round of two, then a season of three rounds. Another season would end with round 7.
    assert event.state == Event.State.FINISHED
    assert event.rounds.count() == event.rounds_total == 4


def test_a_line_break_in_the_name_of_an_event_is_no_record_of_its_file(
    bots: list[Player], ana: User
) -> None:
    event = event_of(ana, name="Open\n260   1   9    1    2\u2028\r260   1   9    1    3")
    enter(event, *bots[:4])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    report = trf.read(reports.trf_of(event))
    assert not report.forbidden
    assert len(report.players) == 4


@pytest.mark.django_db
def test_an_event_that_somebody_else_is_at_is_left_to_the_tick(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def busy(_event_id: int) -> None:
        raise OperationalError from LockNotAvailable()

    def broken(_event_id: int) -> None:
        raise OperationalError("no such table")

    monkeypatch.setattr(lifecycle, "advance_event", busy)
    tasks.advance_event(1)
    monkeypatch.setattr(lifecycle, "advance_event", broken)
    with pytest.raises(OperationalError, match="no such table"):
        tasks.advance_event(1)


@pytest.mark.engine
def test_a_void_game_scores_for_nobody_and_the_event_goes_on(bots: list[Player], ana: User) -> None:
    event = event_of(ana)
    enter(event, *bots[:2])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    game = Game.objects.get()
    assert game.match_id is not None
    Match.objects.filter(pk=game.match_id).update(
        attempt=3, losses=2, state="leased", lease_until=database_time.now() - timedelta(seconds=1)
    )
    assert leases.claim(game.match_id) is None
    game.refresh_from_db()
    assert game.result == Game.Result.VOID
    lifecycle.advance_event(event.pk)
    assert {r.points_halves for r in tables.event_table(event).rows} == {0}
    assert event.rounds.count() == 2  # they have not met, so they are paired again
