"""A computation about a large event: claimed by one process, its value stored with a mark, its failure reported."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from tests.tournaments import large_events
from tournaments import database_time
from tournaments.models import AuditEntry, Computation, Event, User
from tournaments.services import enqueue, retention
from tournaments.services.arbiter import board_evidence, undo
from tournaments.services.events import entries
from tournaments.services.notifications import news
from tournaments.services.results import builds, computations, stored_table
from tournaments.services.results.computations import ComputingError, computable

pytestmark = pytest.mark.django_db

_calls: list[tuple[int, str]] = []


@computable()
def _file(_event: Event, number: int, word: str) -> bytes:
    _calls.append((number, word))
    if word == "bad":
        raise ValueError(word)
    return f"{number} {word}".encode()


@computable(may_lag=True)
def _list(_event: Event) -> list[int]:
    _calls.append((0, ""))
    return [len(_calls)]


@pytest.fixture
def event(monkeypatch: pytest.MonkeyPatch) -> Event:
    monkeypatch.setattr(computations, "LARGE", 3)
    _calls.clear()
    return large_events.published(4, "Large")


@pytest.fixture(autouse=True)
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The rows for which a worker was sent."""
    pks: list[int] = []
    monkeypatch.setattr(enqueue, "computation", pks.append)
    return pks


def _at(monkeypatch: pytest.MonkeyPatch, moment: datetime) -> None:
    monkeypatch.setattr(database_time, "now", lambda: moment)


def _ask(event: Event) -> bytes | None:
    try:
        return _file.of(event, 1, "word")
    except ComputingError:
        return None


def test_a_small_event_is_computed_by_the_request(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computations, "LARGE", 4)
    assert _ask(event) == b"1 word"
    assert not Computation.objects.exists()


def test_a_value_is_stored_once_for_each_list_of_arguments(event: Event, sent: list[int]) -> None:
    for word in ("a", "b", "a"):
        with pytest.raises(ComputingError):
            _file.of(event, 7, word)
    assert len(sent) == 2
    for pk in [*sent, *sent]:  # messages may come twice
        computations.work(pk)
    assert [_file.of(event, 7, word) for word in ("a", "b")] == [b"7 a", b"7 b"]
    assert _calls == [(7, "a"), (7, "b")]


def test_while_one_process_computes_no_other_does(
    event: Event, sent: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _ask(event) is None
    began = database_time.now()
    Computation.objects.update(begun_at=began)
    computations.work(*sent)
    for seconds in (16, 119):  # a worker was sent for, and has begun
        _at(monkeypatch, began + timedelta(seconds=seconds))
        assert _ask(event) is None
    assert _calls == []
    _at(monkeypatch, began + timedelta(seconds=121))
    assert _ask(event) == b"1 word"


def test_the_visitor_is_told_the_error_of_a_failed_computation(
    event: Event, sent: list[int]
) -> None:
    with pytest.raises(ComputingError):
        _file.of(event, 1, "bad")
    with pytest.raises(ValueError, match="bad"):
        computations.work(*sent)
    with pytest.raises(ValueError, match="bad"):
        _file.of(event, 1, "bad")
    assert len(sent) == 1


def test_a_value_that_may_lag_is_shown_with_its_age_until_the_next(
    event: Event, sent: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ComputingError):
        _list.of(event)
    computations.work(sent.pop())
    computed_at = Computation.objects.get().computed_at
    assert computed_at is not None
    news.announce(news.of_event(event.pk), "result", {})
    _at(monkeypatch, computed_at + timedelta(seconds=7))
    answer = _list.answer(event)
    assert (answer.value, answer.lag_s, len(sent)) == ([1], 7, 1)
    assert _list.current(event) == [2]
    computations.work(sent.pop())
    assert (_list.of(event), _list.answer(event).lag_s, sent) == ([3], 0, [])


def test_a_table_that_lags_leaves_out_an_entry_that_was_removed(
    event: Event, sent: list[int], ben: User
) -> None:
    Event.objects.update(max_entries=5)
    late = entries.enter(event_id=event.pk, player=ben.player, actor=ben)
    with pytest.raises(ComputingError):
        stored_table.of(event)
    computations.work(sent.pop())
    assert len(list(stored_table.of(event).rows)) == 5
    entry = AuditEntry.objects.get(action="entry")
    undo.undo(event_id=event.pk, actor=event.organiser, entry_id=entry.pk, reason="mistake")
    assert late.pk not in {row.entry.pk for row in stored_table.of(event).rows}


def test_a_dear_value_is_not_computed_again_at_once(
    event: Event, sent: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """For a tenth of the time at most, and a minute after the last computation at the latest."""
    with pytest.raises(ComputingError):
        _list.of(event)
    computations.work(sent.pop())
    news.announce(news.of_event(event.pk), "result", {})
    began = database_time.now()
    for cost_s, seconds, sent_for in ((2, 18, 0), (2, 22, 1), (30, 50, 0), (30, 62, 1)):
        Computation.objects.update(computed_at=began, begun_at=began, asked_at=began, cost_s=cost_s)
        _at(monkeypatch, began + timedelta(seconds=seconds))
        assert _list.of(event) == [1]
        assert len(sent) == sent_for, (cost_s, seconds)
        sent.clear()


def test_a_stored_value_is_removed_after_an_hour(
    event: Event, sent: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    _ask(event)
    computations.work(sent.pop())
    now = database_time.now()
    retention.prune(now + timedelta(minutes=59))
    assert _ask(event) == b"1 word"
    _at(monkeypatch, now + timedelta(minutes=61))
    assert _ask(event) is None
    retention.prune(now + timedelta(minutes=61))
    assert not Computation.objects.exists()


def test_a_worker_of_another_build_leaves_the_row(
    event: Event, sent: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    _ask(event)
    monkeypatch.setattr(builds, "BUILD", "another")
    computations.work(*sent)
    assert _calls == []


def test_a_computation_about_a_missing_row_is_left(event: Event, sent: list[int]) -> None:
    """A draft may be discarded before the worker comes."""
    with pytest.raises(ComputingError):
        board_evidence.of_board.of(event, 1, 99)
    computations.work(*sent)
    assert not Computation.objects.get().value


def test_a_process_keeps_a_value_of_a_small_event_while_its_state_lasts(
    event: Event, sent: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computations, "LARGE", 4)
    state = computations.state_of(event)
    assert _list.answer(event, state=state) == _list.answer(event, state=state)
    assert len(_calls) == 1
    event.name = "Renamed"
    assert _list.answer(event, state=computations.state_of(event)).value == [2]
    assert _list.of(event) == [3], "a caller without a state gets a new value"
    assert not sent


def test_arguments_have_values_of_their_own(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computations, "LARGE", 4)
    state = computations.state_of(event)
    assert _file.answer(event, 1, "word", state=state).value == b"1 word"
    assert _file.answer(event, 2, "word", state=state).value == b"2 word"
