"""Actions of the arbiter in a running round: decisions, time, stopped clocks, adjournments and replays."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.tournaments import pages
from tests.tournaments.frozen_clock import freeze
from tournaments import database_time
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import (
    AuditEntry,
    ClockCharge,
    Event,
    Game,
    LedgerEntry,
    NewsItem,
    Player,
    Round,
    User,
)
from tournaments.queries.clocks import game_clocks
from tournaments.queries.results import histories, standings
from tournaments.round_kinds import Kind
from tournaments.services.arbiter import game_acts
from tournaments.services.events import staff_members
from tournaments.services.games import play
from tournaments.services.matches import replies
from tournaments.services.notifications import news
from tournaments.services.rounds import lifecycle, publication, rounds


def _games(event: Event) -> list[Game]:
    return list(Game.objects.filter(pairing__event=event).with_players().order_by("pairing__board"))


def _kinds(player: Player) -> list[str]:
    assert player.user_id is not None
    topic = news.of_user(player.user_id)
    return list(NewsItem.objects.filter(topic__name=topic).values_list("kind", flat=True))


@pytest.mark.parametrize(
    ("result", "ending"),
    [
        ("first", "adjudication"),
        ("draw", "adjudication"),
        ("void", "adjudication"),
        ("second-forfeit", "forfeit"),
        ("double-forfeit", "forfeit"),
    ],
)
def test_a_decision_ends_the_game_tells_the_players_and_is_logged(
    running: Event, ana: User, result: str, ending: str
) -> None:
    game = _games(running)[0]
    pages.move(game)
    game.refresh_from_db()
    pages.move(game)
    game_acts.decide(game_id=game.pk, actor=ana, result=result, reason="power cut")
    game.refresh_from_db()
    assert (game.result, game.ending) == (result, ending)
    assert "arbiter" in _kinds(game.first)
    entry = AuditEntry.objects.get(action="decide")
    assert (entry.event, entry.reason) == (running, "power cut")
    is_played = result in {"first", "draw"}
    assert LedgerEntry.objects.filter(game=game).exists() == is_played


def test_a_double_forfeit_is_a_lost_point_for_both_and_no_meeting(
    running: Event, ana: User
) -> None:
    game, other = _games(running)
    game_acts.decide(game_id=game.pk, actor=ana, result="double-forfeit", reason="both away")
    pages.move(other)
    play.resign(game_id=other.pk, player=other.second)
    lifecycle.advance_event(running.pk)
    outcomes = [
        history[1].outcome
        for pk, history in histories.of_event(running).items()
        if history[1].game is not None and history[1].game.pk == game.pk
    ]
    assert outcomes == [Kind.FORFEIT_LOSS] * 2
    pairing = running.pairings.get(pk=game.pairing_id or 0)
    assert not pairing.is_met


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"result": "first", "reason": " "}, "reason-bad"),
        ({"result": "win", "reason": "x"}, "result-bad"),
    ],
)
def test_a_decision_wants_a_result_and_a_reason(
    running: Event, ana: User, arguments: dict[str, str], code: str
) -> None:
    with pytest.raises(RefusedError, match=code):
        game_acts.decide(game_id=_games(running)[0].pk, actor=ana, **arguments)


def test_only_who_has_the_results_as_a_task_decides(running: Event, ana: User, ben: User) -> None:
    game = _games(running)[0]
    staff_members.add(event_id=running.pk, actor=ana, player=ben.player, role="check-in")
    with pytest.raises(NotAllowedError, match="not-organiser"):
        game_acts.decide(game_id=game.pk, actor=ben, result="draw", reason="x")
    staff_members.remove(event_id=running.pk, actor=ana, member_id=running.staff.get().pk)
    staff_members.add(event_id=running.pk, actor=ana, player=ben.player, role="results")
    game_acts.decide(game_id=game.pk, actor=ben, result="draw", reason="x")


def test_added_time_moves_the_deadline_and_stands_in_the_clock_log(
    running: Event, ana: User
) -> None:
    game = _games(running)[0]
    before, deadline = game.first_ms, game.deadline_at
    assert deadline is not None
    game_acts.add_time(game_id=game.pk, actor=ana, side="first", added_s=120, reason="noise")
    game.refresh_from_db()
    assert game.first_ms == before + 120_000
    assert game.deadline_at == deadline + timedelta(seconds=120)
    charge = ClockCharge.objects.get(game=game)
    assert (charge.reason, charge.ms) == ("arbiter", 120_000)
    with pytest.raises(RefusedError, match="time-bad"):
        game_acts.add_time(game_id=game.pk, actor=ana, side="first", added_s=0, reason="x")


def test_a_stopped_clock_takes_no_move_and_loses_no_time(
    running: Event, ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = _games(running)[0]
    clock = freeze(monkeypatch)
    assert game.turn_started_at is not None
    clock.now = game.turn_started_at + timedelta(seconds=30)
    game_acts.stop_clocks(game_id=game.pk, actor=ana, reason="fire alarm")
    game.refresh_from_db()
    assert game.deadline_at is None
    assert game.first_ms == 570_000
    with pytest.raises(StaleError, match="clocks-stopped"):
        pages.move(game)
    clock.wait(hours=3)
    game_acts.resume_clocks(game_id=game.pk, actor=ana)
    game.refresh_from_db()
    assert game.deadline_at == clock.now + timedelta(seconds=570)
    pages.move(game)
    with pytest.raises(StaleError, match="clocks-running"):
        game_acts.resume_clocks(game_id=game.pk, actor=ana)


def test_a_flag_that_has_fallen_cannot_be_stopped_away(
    running: Event, ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = _games(running)[0]
    clock = freeze(monkeypatch)
    assert game.deadline_at is not None
    clock.now = game.deadline_at + timedelta(seconds=1)
    game_acts.stop_clocks(game_id=game.pk, actor=ana, reason="late")
    game.refresh_from_db()
    assert game.result == "second-forfeit"


def test_an_adjourned_game_goes_on_by_itself(
    running: Event, ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = _games(running)[0]
    clock = freeze(monkeypatch)
    assert game.turn_started_at is not None
    clock.now = game.turn_started_at
    until = clock.now + timedelta(days=1)
    with pytest.raises(RefusedError, match="time-past"):
        game_acts.stop_clocks(game_id=game.pk, actor=ana, reason="night", resumes_at=clock.now)
    game_acts.stop_clocks(game_id=game.pk, actor=ana, reason="night", resumes_at=until)
    game_acts.resume_due(until - timedelta(seconds=1))
    game.refresh_from_db()
    assert game.stopped_at is not None
    clock.now = until
    game_acts.resume_due(until)
    game.refresh_from_db()
    game = Game.objects.get(pk=game.pk)
    assert [game.stopped_at, game.resumes_at] == [None, None]
    assert game.deadline_at == until + timedelta(milliseconds=game.first_ms)


def test_no_bot_replies_while_the_clocks_are_stopped(
    running: Event, ana: User, bots: list[Player]
) -> None:
    game = _games(running)[0]
    Game.objects.filter(pk=game.pk).update(first=bots[0])
    assert replies.due(database_time.now()).filter(pk=game.pk).exists()
    game_acts.stop_clocks(game_id=game.pk, actor=ana, reason="x")
    assert not replies.due(database_time.now()).filter(pk=game.pk).exists()


@pytest.mark.long
def test_a_replay_voids_the_game_reopens_the_round_and_keeps_the_sides(
    running: Event, ana: User
) -> None:
    for game in _games(running):
        pages.move(game)
        play.resign(game_id=game.pk, player=game.second)
    lifecycle.advance_event(running.pk)
    assert running.rounds.get().state == Round.State.CLOSED
    game = _games(running)[0]
    assert game.pool is not None
    again = game_acts.replay(game_id=game.pk, actor=ana, reason="wrong set-up")
    game.refresh_from_db()
    assert game.result == "void"
    assert (again.first, again.second, again.setup) == (game.first, game.second, game.setup)
    assert running.rounds.get().state == Round.State.PUBLISHED
    assert LedgerEntry.objects.standing().filter(game=game).count() == 0
    pages.move(again)
    play.resign(game_id=again.pk, player=again.first)
    lifecycle.advance_event(running.pk)
    points = {row.entry.player_id: row.points_halves for row in standings.event_table(running).rows}
    assert points[again.second_id] == 2


def test_no_game_is_replayed_once_a_later_round_is_published(running: Event, ana: User) -> None:
    games = _games(running)
    for game in games:
        pages.move(game)
        play.resign(game_id=game.pk, player=game.second)
    lifecycle.advance_event(running.pk)
    rounds.draft_round(event_id=running.pk, actor=ana)
    publication.publish_round(event_id=running.pk, actor=ana)
    with pytest.raises(StaleError, match="replay-late"):
        game_acts.replay(game_id=games[0].pk, actor=ana, reason="x")


def test_a_game_of_no_event_has_no_arbiter(ana: User, ben: User) -> None:
    game = pages.new_game(ana.player, ben.player)
    with pytest.raises(RefusedError, match="act-no-event"):
        game_acts.decide(game_id=game.pk, actor=ana, result="draw", reason="x")


def test_clock_reasons_of_rows_and_of_charges_are_the_same() -> None:
    assert {str(reason) for reason in game_clocks.Reason} == set(ClockCharge.Reason.values)
