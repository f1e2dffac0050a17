"""Deadlines of rounds: shown, announced a day before, and applied once by the rule of the event."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from tests.tournaments import pages
from tests.tournaments.conftest import enter, event_of
from tests.tournaments.frozen_clock import FrozenClock, freeze
from tournaments.errors import RefusedError, StaleError
from tournaments.models import Event, Game, NewsItem, Player, Round, User
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.services.arbiter import game_acts, results, undo
from tournaments.services.games import play
from tournaments.services.rounds import deadlines, interruptions, lifecycle, publication, rounds
from tournaments.services.tick import tick

DAY_MS = 24 * 3600 * 1000
CLOCK = Clock(5 * DAY_MS, DAY_MS)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> FrozenClock:
    return freeze(monkeypatch)


@pytest.fixture
def played_event(clock: FrozenClock, people: list[Player], ana: User) -> Callable[..., Event]:
    """Return an event with three days for a round, whose first round is played, by a rule."""

    def make(rule: str = "arbiter", **changes: object) -> Event:
        settings = {"round_days": 3, "clock": CLOCK, "at_deadline": rule, **changes}
        event = event_of(ana, is_automatic=False, admits=Event.Admits.PEOPLE, **settings)
        enter(event, *people)
        lifecycle.start_event(event_id=event.pk, actor=ana)
        rounds.draft_round(event_id=event.pk, actor=ana)
        publication.publish_round(event_id=event.pk, actor=ana)
        return event

    return make


def _results(event: Event) -> list[str | None]:
    games = Game.objects.filter(pairing__event=event).order_by("pk")
    return list(games.values_list("result", flat=True))


def _notices(kind: str) -> int:
    return NewsItem.objects.filter(kind=kind).count()


def test_the_deadline_comes_some_days_after_the_start_of_the_games(
    played_event: Callable[..., Event], clock: FrozenClock, ana: User
) -> None:
    event = played_event(start_mode=Event.Start.BUTTON)
    assert event.rounds.get().deadline_at is None
    clock.wait(days=1)
    publication.start_round(event_id=event.pk, actor=ana)
    assert event.rounds.get().deadline_at == clock.now.replace(day=clock.now.day + 3)
    publication.take_back(event_id=event.pk, actor=ana, reason="Mistake")
    assert event.rounds.get().deadline_at is None


@pytest.mark.long
@pytest.mark.parametrize(
    ("rule", "results"),
    [
        ("arbiter", [None, None]),
        ("side-to-move", ["second", "second"]),
        ("draw", ["draw", "draw"]),
    ],
)
def test_the_rule_decides_games_that_are_not_over(
    played_event: Callable[..., Event], clock: FrozenClock, rule: str, results: list[str | None]
) -> None:
    event = played_event(rule)
    tick(clock.wait(days=3, seconds=-1))
    assert _results(event) == [None, None]
    for _ in range(3):
        tick(clock.wait(seconds=1))
    assert _results(event) == results
    assert event.audit.filter(action="deadline").count() == 1
    assert _notices("deadline-passed") == (1 if rule == "arbiter" else 0)
    assert _notices("deadline-decided") == (0 if rule == "arbiter" else 4)
    assert not Game.objects.exclude(result=None).filter(is_rated=True).exists()


def test_a_game_that_the_arbiter_stopped_waits_for_the_arbiter(
    played_event: Callable[..., Event], clock: FrozenClock, ana: User
) -> None:
    event = played_event("draw")
    game = Game.objects.filter(pairing__event=event).earliest("pk")
    game_acts.stop_clocks(game_id=game.pk, actor=ana, reason="Illness")
    deadlines.end_due(clock.wait(days=3))
    assert _results(event) == [None, "draw"]
    assert _notices("deadline-passed") == 1


def test_a_game_that_is_stopped_while_the_rule_is_applied_waits_for_the_arbiter(
    played_event: Callable[..., Event],
    clock: FrozenClock,
    ana: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    event = played_event("draw")
    lock = play.lock_ongoing

    def stop_and_lock(game_id: int) -> Game:
        game_acts.stop_clocks(game_id=game_id, actor=ana, reason="Illness")
        return lock(game_id)

    monkeypatch.setattr(play, "lock_ongoing", stop_and_lock)
    deadlines.end_due(clock.wait(days=3))
    assert _results(event) == [None, None]


def test_a_postponed_game_has_no_deadline(
    played_event: Callable[..., Event], clock: FrozenClock, ana: User
) -> None:
    event = played_event("draw")
    results.postpone(event_id=event.pk, actor=ana, round_number=1, board=1)
    deadlines.remind_due(clock.wait(days=2, hours=1))
    assert _notices("deadline") == 2
    deadlines.end_due(clock.wait(days=1))
    assert _results(event) == [None, "draw"]
    assert _notices("deadline-passed") == 0


@pytest.mark.long
def test_a_replay_after_the_deadline_has_none(
    played_event: Callable[..., Event], clock: FrozenClock, ana: User
) -> None:
    event = played_event("draw")
    for game in Game.objects.filter(pairing__event=event):
        play.resign(game_id=game.pk, player=game.second)
    lifecycle.advance_event(event.pk)
    clock.wait(days=4)
    game = Game.objects.filter(pairing__event=event).earliest("pk")
    game_acts.replay(game_id=game.pk, actor=ana, reason="Wrong position")
    deadlines.end_due(clock.wait(seconds=10))
    assert Game.objects.ongoing().filter(pairing__event=event).count() == 1


def test_the_organiser_moves_a_deadline_that_then_applies_once(
    played_event: Callable[..., Event], clock: FrozenClock, ana: User
) -> None:
    event = played_event("draw")
    deadlines.remind_due(clock.wait(days=2, hours=1))
    later = clock.now + timedelta(days=2)
    deadlines.move_deadline(event_id=event.pk, actor=ana, deadline_at=later, reason="Holidays")
    assert event.rounds.get().deadline_at == later
    assert _notices("deadline-moved") == 1 + 4  # the event's page, and the players
    deadlines.end_due(clock.wait(days=1))
    assert _results(event) == [None, None]
    deadlines.remind_due(clock.now)
    assert _notices("deadline") == 2 * 4
    tick(clock.wait(days=1))
    assert _results(event) == ["draw", "draw"]
    assert event.audit.filter(action="deadline").count() == 1


@pytest.mark.long
def test_a_deadline_that_has_passed_applies_again_to_games_that_wait_for_the_arbiter(
    played_event: Callable[..., Event], clock: FrozenClock, ana: User
) -> None:
    event = played_event("arbiter")
    tick(clock.wait(days=3))
    later = clock.now + timedelta(days=1)
    deadlines.move_deadline(event_id=event.pk, actor=ana, deadline_at=later, reason="Holidays")
    tick(clock.wait(days=1))
    assert _notices("deadline-passed") == 2


def test_a_deadline_that_moves_while_the_rule_is_applied_leaves_the_games(
    played_event: Callable[..., Event],
    clock: FrozenClock,
    ana: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    event = played_event("draw")
    lock = play.lock_ongoing

    def move_and_lock(game_id: int) -> Game:
        later = clock.now + timedelta(days=1)
        deadlines.move_deadline(event_id=event.pk, actor=ana, deadline_at=later, reason="Illness")
        return lock(game_id)

    monkeypatch.setattr(play, "lock_ongoing", move_and_lock)
    deadlines.end_due(clock.wait(days=3))
    assert _results(event) == [None, None]
    assert event.rounds.get().deadline_passed_at is None


def test_a_moved_deadline_is_undone_until_the_former_one_is_over(
    played_event: Callable[..., Event], clock: FrozenClock, ana: User
) -> None:
    event = played_event()
    before = event.rounds.get().deadline_at
    entries = []
    for days in (5, 6):
        later = clock.now + timedelta(days=days)
        deadlines.move_deadline(event_id=event.pk, actor=ana, deadline_at=later, reason="Holidays")
        entries.append(event.audit.filter(action="move-deadline").latest("pk").pk)
    with pytest.raises(StaleError, match="undo-late"):
        undo.undo(event_id=event.pk, actor=ana, entry_id=entries[0], reason="Mistake")
    undo.undo(event_id=event.pk, actor=ana, entry_id=entries[1], reason="Mistake")
    assert event.rounds.get().deadline_at == clock.now + timedelta(days=5)
    assert before is not None
    clock.wait(days=6)
    deadlines.move_deadline(
        event_id=event.pk, actor=ana, deadline_at=clock.now + timedelta(days=1), reason="Again"
    )
    last = event.audit.filter(action="move-deadline").latest("pk").pk
    with pytest.raises(StaleError, match="undo-late"):
        undo.undo(event_id=event.pk, actor=ana, entry_id=last, reason="Mistake")


@pytest.mark.parametrize(
    ("changes", "days", "refusal"),
    [
        ({}, 0, "time-past"),
        ({}, 367, "time-past"),
        ({"start_mode": Event.Start.BUTTON}, 2, "round-not-started"),
        ({"clock": Clock(600_000, 0), "round_days": None}, 2, "round-days-clock"),
    ],
)
def test_a_deadline_that_makes_no_sense_is_refused(
    played_event: Callable[..., Event],
    clock: FrozenClock,
    ana: User,
    changes: dict[str, object],
    days: int,
    refusal: str,
) -> None:
    event = played_event(**changes)
    moment = clock.now + timedelta(days=days)
    with pytest.raises((RefusedError, StaleError), match=refusal):
        deadlines.move_deadline(event_id=event.pk, actor=ana, deadline_at=moment, reason="x")


def test_a_deadline_that_was_cut_off_goes_on_with_the_other_games(
    played_event: Callable[..., Event], clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = played_event("draw")
    with monkeypatch.context() as patch:
        patch.setattr(deadlines, "_mark", lambda *_: (_ for _ in ()).throw(OSError))
        with pytest.raises(OSError):  # noqa: PT011 - the process ends here
            deadlines.end_due(clock.wait(days=3))
    assert not event.audit.filter(action="deadline").exists()
    deadlines.end_due(clock.now)
    assert event.audit.filter(action="deadline").count() == 1
    assert _results(event) == ["draw", "draw"]


def test_a_paused_event_waits_with_its_deadline(
    played_event: Callable[..., Event], clock: FrozenClock, ana: User
) -> None:
    event = played_event("draw")
    interruptions.pause(event_id=event.pk, actor=ana, reason="Fire")
    deadlines.end_due(clock.wait(days=4))
    assert _results(event) == [None, None]
    interruptions.go_on(event_id=event.pk, actor=ana)
    deadlines.end_due(clock.now)
    assert _results(event) == ["draw", "draw"]


def test_players_are_reminded_once_a_day_before(
    played_event: Callable[..., Event], clock: FrozenClock
) -> None:
    played_event()
    deadlines.remind_due(clock.wait(days=2, seconds=-1))
    assert _notices("deadline") == 0
    for _ in range(3):
        deadlines.remind_due(clock.wait(hours=1))
    assert _notices("deadline") == 4


def test_a_round_of_one_day_has_no_reminder(
    played_event: Callable[..., Event], clock: FrozenClock
) -> None:
    played_event(round_days=1)
    deadlines.remind_due(clock.wait(seconds=1))
    assert _notices("deadline") == 0


def test_only_days_on_the_clock_have_deadlines(ana: User) -> None:
    with pytest.raises(RefusedError, match="round-days-clock"):
        event_of(ana, round_days=3, clock=Clock.read("5+3"))
    with pytest.raises(RefusedError, match="round-days-bad"):
        event_of(ana, round_days=367, clock=CLOCK)


def test_pages_of_the_event_and_of_the_game_have_the_deadline(
    played_event: Callable[..., Event], ben: User
) -> None:
    event = played_event()
    game = Game.objects.filter(pairing__event=event).earliest("pk")
    for path in (event.get_absolute_url(), game.get_absolute_url()):
        assert "Deadline of the round:" in pages.text_of(pages.member(ben).get(path).content)
    assert Round.objects.get().deadline_at is not None
