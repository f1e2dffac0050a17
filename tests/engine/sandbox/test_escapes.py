"""Every attempt to leave the sandbox, under every isolator, by a worker of root and another."""

from __future__ import annotations

import json
import platform
import signal
import time
from pathlib import Path

import pytest

from tests.engine.sandbox import children
from tests.engine.sandbox.campaign.matches import HOSTILE, MARKUP
from tests.engine.sandbox.campaign.table import EVERYTHING, ONLY_X86

pytestmark = pytest.mark.engine


def _workers():
    """Return each isolator and each kind of user once. Under `--all` every isolator with both."""
    everybody = children.workers()
    brief = everybody[1:3] if len(everybody) == 4 else everybody
    return [
        pytest.param(worker, id=str(worker), marks=[] if worker in brief else pytest.mark.slow)
        for worker in everybody
    ]


@pytest.fixture(params=_workers(), scope="module")
def worker(request):
    if reason := children.missing(request.param.isolator):
        pytest.skip(f"no such box on this machine: {reason}")
    return request.param


@pytest.fixture
def outcome(worker):
    return children.campaign(worker)


@pytest.mark.parametrize("attack", EVERYTHING)
def test_attack_is_stopped_with_its_verdict(worker, outcome, attack):
    if attack in ONLY_X86 and platform.machine() != "x86_64":
        pytest.skip("not a door of this machine")
    expected = EVERYTHING[attack].of(worker.isolator)
    # A bot that was killed may have written more to its standard error.
    assert outcome["outputs"][attack].startswith(expected)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_bot_loses_by_the_name_of_what_it_did(worker, outcome, name):
    fault = outcome["matches"][name]
    assert (fault["ending"], fault["loser"]) == (HOSTILE[name].ending_in(worker.isolator), "first")
    assert HOSTILE[name].detail in fault["detail"]


def test_markup_in_a_thought_is_text(outcome):
    assert outcome["matches"]["speaks markup"]["texts"][0] == MARKUP


def test_a_line_that_comes_in_packets_of_a_byte_is_one_line(outcome):
    game = outcome["matches"]["writes packets"]
    assert (game["ending"], game["texts"]) == ("resignation", ["packets"])


def test_bot_cannot_think_on_its_opponents_time(outcome):
    # The time of the second that the other one took.
    assert float(outcome["matches"]["thinks on"]["texts"][0]) < 0.5


def test_bot_pays_for_the_processor_time_of_all_its_threads(outcome):
    game = outcome["matches"]["hurries itself"]
    cpu_ms = float(game["texts"][0]) * 1000
    # The part of it that fits into the elapsed time. A little of it is before `go` and after the
    # answer.
    assert game["charged_ms"][0] >= min(cpu_ms, game["wall_ms"][0]) - 50


def test_bot_is_never_root_and_always_its_own_user(worker, outcome):
    assert outcome["bot_uids"] == [children.host_user(worker)]
    assert 0 not in outcome["bot_uids"]


def test_no_bot_writes_a_file_anywhere(outcome):
    assert outcome["written"] == []


def test_no_bot_changes_a_file_of_the_workers(outcome):
    assert outcome["is_database_unchanged"]


def test_no_bot_changes_the_kernels_switches(outcome):
    assert outcome["is_switch_unchanged"]


def test_no_bot_reaches_a_server_of_the_machine(outcome):
    assert outcome["connections"] == 0


def test_no_bot_kills_or_wakes_its_neighbour(outcome):
    assert outcome["is_sibling_alive"]


def test_no_process_of_a_bot_is_left(outcome):
    assert outcome["survivors"] == []


@pytest.mark.long
def test_no_bot_outlives_a_worker_killed_hard(worker):
    with children.start(worker, "hold") as holding:
        assert holding.stdout is not None
        directory, *bots = json.loads(holding.stdout.readline())
        assert bots
        holding.send_signal(signal.SIGKILL)
        holding.wait()
    children.remove(directory)
    deadline = time.monotonic() + 10
    while any(_is_running(pid) for pid in bots) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert [pid for pid in bots if _is_running(pid)] == []


def _is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
