"""Attendance in a web process: many streams of a player are few writes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from pytest import MonkeyPatch  # noqa: PT013 - its type

from config import attendance as process_attendance
from config.attendance import Attendants
from tournaments import database_time
from tournaments.services.games import attendance
from tournaments.services.games.attendance import Process, Seat

_SEAT = Seat(7, "first")
_GRACE_S = 0.05


@pytest.fixture
def writes(monkeypatch: MonkeyPatch) -> list[str]:
    """Return the names of the functions that were called, in place of rows."""
    names: list[str] = []

    def arrive(_seat: Seat, _process: Process) -> None:
        names.append("arrive")

    def leave(_seat: Seat, _process: Process, *, for_s: float) -> None:
        assert for_s >= _GRACE_S
        names.append("leave")

    monkeypatch.setattr(database_time, "now", lambda: datetime(2026, 3, 10, tzinfo=UTC))
    monkeypatch.setattr(attendance, "arrive", arrive)
    monkeypatch.setattr(attendance, "leave", leave)
    monkeypatch.setattr(attendance, "end", lambda _process: names.append("end"))
    monkeypatch.setattr(attendance, "note_dead_processes", lambda: None)
    return names


async def _run(function: Callable[..., Any], *arguments: object) -> Any:
    return function(*arguments)


def _attendants() -> Attendants:
    return Attendants(_run, grace_s=_GRACE_S, beat_s=0.01)


async def _until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not condition():
            await asyncio.sleep(0.001)


def test_streams_of_one_player_are_one_arrival_and_one_departure(writes: list[str]) -> None:
    async def visit() -> None:
        attendants = _attendants()
        with attendants.at(_SEAT):
            with attendants.at(_SEAT):
                await _until(lambda: bool(writes))
            await asyncio.sleep(2 * _GRACE_S)
            assert writes == ["arrive"]
        await _until(lambda: len(writes) > 1)

    asyncio.run(visit())
    assert writes == ["arrive", "leave"]


def test_a_reload_writes_nothing(writes: list[str]) -> None:
    async def visit() -> None:
        attendants = _attendants()
        for _ in range(3):
            with attendants.at(_SEAT):
                await _until(lambda: bool(writes))
            await asyncio.sleep(_GRACE_S / 10)
        with attendants.at(_SEAT):
            await asyncio.sleep(2 * _GRACE_S)
            assert writes == ["arrive"]

    asyncio.run(visit())


def test_a_return_after_the_grace_is_another_arrival(writes: list[str]) -> None:
    async def visit() -> None:
        attendants = _attendants()
        for number in (1, 2):
            with attendants.at(_SEAT):
                await _until(lambda: writes.count("arrive") == number)  # noqa: B023
            await _until(lambda: writes.count("leave") == number)  # noqa: B023

    asyncio.run(visit())
    assert writes == ["arrive", "leave"] * 2


def test_a_stream_without_a_seat_writes_nothing(writes: list[str]) -> None:
    async def visit() -> None:
        with _attendants().at(None):
            await asyncio.sleep(0)

    asyncio.run(visit())
    assert writes == []


def test_a_failed_write_is_repeated(writes: list[str], monkeypatch: MonkeyPatch) -> None:
    failures = iter([ConnectionError("no database")])

    def arrive(_seat: Seat, _process: Process) -> None:
        for failure in failures:
            raise failure
        writes.append("arrive")

    monkeypatch.setattr(process_attendance, "_RETRY_S", 0.001)
    monkeypatch.setattr(attendance, "arrive", arrive)

    async def visit() -> None:
        with _attendants().at(_SEAT):
            await _until(lambda: writes == ["arrive"])

    asyncio.run(visit())


def test_players_of_a_process_that_was_taken_for_dead_are_written_again(
    writes: list[str], monkeypatch: MonkeyPatch
) -> None:
    answers: list[bool] = []
    monkeypatch.setattr(attendance, "renew", lambda _process: answers.pop() if answers else True)

    async def visit() -> None:
        attendants = _attendants()
        attendants.start()
        with attendants.at(_SEAT):
            await _until(lambda: writes == ["arrive"])
            answers.append(False)
            await _until(lambda: writes == ["arrive", "arrive"])
        await attendants.stop()

    asyncio.run(visit())
    assert writes == ["arrive", "arrive", "end"]


def test_a_thread_that_has_not_begun_to_write_does_not_write_after_the_lease_was_given_up(
    writes: list[str],
) -> None:
    async def stop_early() -> None:
        waiting: list[Callable[[], Any]] = []

        async def run(function: Callable[..., Any], *_: object) -> Any:
            if attendants.has_stopped:
                return function()
            waiting.append(function)
            await asyncio.sleep(60)
            return None

        attendants = Attendants(run, grace_s=_GRACE_S)
        with attendants.at(_SEAT):
            await _until(lambda: bool(waiting))
            await attendants.stop()
            [arrive] = waiting
            with pytest.raises(asyncio.CancelledError):
                arrive()

    asyncio.run(stop_early())
    assert writes == ["end"]
