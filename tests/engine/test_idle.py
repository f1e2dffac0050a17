"""Bots that wait for their next match."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine import referee
from engine.clock import Fuel, PerMove, TimeControl
from engine.idle import IdleBots, IdleLimits
from engine.launch import Launch
from engine.match import BotSpec, Ending, MatchReport, MatchSpec
from engine.protocol import SetOption
from tests.engine.bots import bot_that, is_gone_within, is_running, write_bot

pytestmark = [pytest.mark.engine, pytest.mark.usefixtures("nim")]

SAYS_ITS_PID = "say(f'pid {os.getpid()}')\nsay('bestmove take_1')"


@pytest.fixture
def idle() -> Iterator[IdleBots]:
    bots = IdleBots()
    yield bots
    bots.close()


@pytest.fixture
def tells(tmp_path: Path) -> BotSpec:
    """Return an upload that says its process id with each move."""
    return replace(write_bot(tmp_path, "tells", bot_that(SAYS_ITS_PID)), tree=str(tmp_path))


def in_sandbox(bot: BotSpec) -> Launch:
    return Launch(bot.argv)


def play(
    one: BotSpec, other: BotSpec, idle: IdleBots, *, control: TimeControl | None = None
) -> MatchReport:
    spec = MatchSpec("nim()", "heap=2", (one, other), control or PerMove(2000))
    return referee.play_match(spec, launcher=in_sandbox, idle=idle)


def pids(report: MatchReport) -> set[int]:
    """Return the processes that the first bot of the match says it was."""
    assert all(game.ending is Ending.RULES for game in report.games)
    return {int(line.split()[1]) for line in report.logs[0].lines if line.startswith("pid")}


@pytest.mark.long
def test_a_bot_plays_its_next_match_in_the_same_process(tells, good, idle):
    first, second = play(tells, good, idle), play(tells, good, idle)
    assert len(pids(first)) == 1
    assert pids(first) == pids(second)
    greetings = [
        [entry.text for entry in report.games[0].transcripts[0].entries].count("ugiok")
        for report in (first, second)
    ]
    assert greetings == [1, 0]


def test_a_bot_that_waits_is_stopped(tells, good, idle):
    (pid,) = pids(play(tells, good, idle))
    assert Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"


def test_the_same_program_may_wait_twice(tells, idle):
    first, second = play(tells, tells, idle), play(tells, tells, idle)
    assert [len(first.logs[k].lines) > 0 for k in (0, 1)] == [True, True]
    seen = {line for log in (*first.logs, *second.logs) for line in log.lines}
    assert len(seen) == 2


def test_bots_of_ours_do_not_wait(tells, good, idle):
    report = play(replace(tells, tree=None), good, idle)
    (pid,) = pids(report)
    assert is_gone_within(pid, 5)


@pytest.mark.long
def test_a_bot_that_ended_meanwhile_is_started_again(tells, good, idle):
    (pid,) = pids(play(tells, good, idle))
    os.kill(pid, signal.SIGKILL)
    assert is_gone_within(pid, 5)
    (other,) = pids(play(tells, good, idle))
    assert other != pid


@pytest.mark.long
def test_a_bot_that_failed_does_not_wait(tmp_path, good, idle):
    body = "sys.exit(3)"
    bad = replace(write_bot(tmp_path, "bad", bot_that(body)), tree=str(tmp_path))
    report = play(bad, good, idle)
    assert [game.ending for game in report.games] == [Ending.CRASH] * 2
    assert idle.take(bad) is None


@pytest.mark.long
@pytest.mark.parametrize(
    ("limits", "matches"),
    [(IdleLimits(bots=0), 1), (IdleLimits(resident_bytes=1), 1), (IdleLimits(matches=2), 2)],
    ids=["none", "large", "old"],
)
def test_what_is_not_fit_for_another_match_ends(tells, good, limits, matches):
    idle = IdleBots(limits)
    seen = [pids(play(tells, good, idle)) for _ in range(2 * matches)]
    assert seen[0] == seen[matches - 1] != seen[matches]
    idle.close()


@pytest.mark.long
def test_who_waits_too_long_is_ended(tells, good):
    idle = IdleBots(IdleLimits(seconds=0.1))
    (pid,) = pids(play(tells, good, idle))
    assert is_gone_within(pid, 5)
    assert idle.take(tells) is None


@pytest.mark.long
def test_the_one_that_has_waited_longest_makes_room(tmp_path, tells, good):
    idle = IdleBots(IdleLimits(bots=1))
    (pid,) = pids(play(tells, good, idle))
    other = replace(write_bot(tmp_path, "other", bot_that(SAYS_ITS_PID)), tree=str(tmp_path))
    (late,) = pids(play(other, good, idle))
    assert is_gone_within(pid, 5)
    assert is_running(late)
    idle.close()
    assert is_gone_within(late, 5)


@pytest.mark.long
def test_under_fuel_every_game_has_a_process_of_its_own(tells, good, idle):
    seen = [pids(play(tells, good, idle, control=Fuel(10**6))) for _ in range(2)]
    assert seen[0].isdisjoint(seen[1])


@pytest.mark.long
def test_what_was_written_in_one_match_is_not_told_in_the_next(tmp_path, good, idle):
    body = (
        "sys.stderr.write(f'secret {os.getpid()}\\n'); sys.stderr.flush()\nsay('bestmove take_1')"
    )
    writes = replace(write_bot(tmp_path, "writes", bot_that(body)), tree=str(tmp_path))
    first = play(writes, good, idle)
    second = play(writes, good, idle)
    count = len(first.logs[0].stderr.splitlines())
    assert count > 0
    assert len(second.logs[0].stderr.splitlines()) == count


@pytest.mark.long
def test_another_thread_has_bots_of_its_own(tells, good, idle):
    (pid,) = pids(play(tells, good, idle))
    others: list[int] = []
    thread = threading.Thread(target=lambda: others.extend(pids(play(tells, good, idle))))
    thread.start()
    thread.join()
    assert pid not in others
    # It dies with its thread, and is not handed to another one.
    assert is_gone_within(others[0], 5)
    time.sleep(0.01)
    assert pids(play(tells, good, idle)) == {pid}


@pytest.mark.long
def test_a_process_with_values_of_options_plays_only_with_equal_ones(tells, good, idle):
    def tuned(value):
        return replace(tells, options=(SetOption("Depth", value),))

    plain, first, second = (play(bot, good, idle) for bot in (tells, tuned("3"), tuned("4")))
    again = play(tuned("3"), good, idle)
    assert len(pids(plain) | pids(first) | pids(second)) == 3
    assert pids(again) == pids(first)
    lines = [[e.text for e in game.transcripts[0].entries] for game in again.games[:1]]
    [words] = lines
    at = words.index("setoption name Depth value 3")
    assert words.index("uginewgame") > at, "before the game begins"
