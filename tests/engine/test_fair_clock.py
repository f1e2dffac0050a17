"""The clock on a busy machine, by invented readings, and bots that another process stops or kills."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from engine import procfs
from engine.clock import Fischer, PerMove
from engine.match import BotSpec, Ending, Fault, PlyEvent
from engine.meters import CpuMeter, FamilyMeter
from engine.process import Launch
from games.core import Outcome, Side
from tests.engine.bots import bot_that, is_gone_within, write_bot
from tests.engine.machines import Machine
from tests.engine.matches import Notebook, entries_of_ply, match

pytestmark = [pytest.mark.engine, pytest.mark.usefixtures("nim")]

ROOT = Path(__file__).resolve().parents[2]
SLOW = "time.sleep(0.3)\nsay('bestmove take_1')"


@pytest.fixture
def busy(monkeypatch):
    """A machine on which every bot waits for a processor four fifths of the time."""
    machine = Machine(0.8)
    monkeypatch.setattr(CpuMeter, "read", machine.read)
    monkeypatch.setattr(FamilyMeter, "read", machine.read)


@pytest.fixture
def idle(monkeypatch):
    machine = Machine(0.0)
    monkeypatch.setattr(CpuMeter, "read", machine.read)
    monkeypatch.setattr(FamilyMeter, "read", machine.read)
    monkeypatch.setattr(CpuMeter, "own_wait_ns", lambda meter: 0)


@pytest.fixture
def silent(monkeypatch):
    """Make the meters of the machine unavailable."""
    monkeypatch.setattr(CpuMeter, "of", lambda pid: None)
    monkeypatch.setattr(FamilyMeter, "of", lambda pid: None)


@pytest.mark.usefixtures("busy")
def test_bot_without_a_processor_is_not_flagged_by_the_wall(tmp_path, good):
    slow = write_bot(tmp_path, "slow", bot_that(SLOW))
    (game,) = match(slow, good, control=PerMove(30), setup="heap=1").games
    assert game.ending is Ending.RULES
    assert game.plies[0].wall_ms >= 150
    assert game.plies[0].span.charged_ns < 0.3 * game.plies[0].span.wall_ns


@pytest.mark.usefixtures("idle")
def test_bot_that_sleeps_is_flagged(tmp_path, good):
    slow = write_bot(tmp_path, "slow", bot_that(SLOW))
    (game,) = match(slow, good, control=PerMove(30), setup="heap=1").games
    assert (game.fault, game.loser) == (Fault.NO_ANSWER, Side.FIRST)


@pytest.mark.usefixtures("busy")
def test_bot_that_hangs_is_flagged_on_a_busy_machine_too(tmp_path, good):
    mute = write_bot(tmp_path, "mute", bot_that("time.sleep(60)"))
    (game,) = match(mute, good, control=PerMove(30), setup="heap=1").games
    assert (game.fault, game.loser) == (Fault.NO_ANSWER, Side.FIRST)


@pytest.mark.usefixtures("idle")
def test_what_is_charged_goes_off_the_clock(tmp_path, good):
    slow = write_bot(tmp_path, "slow", bot_that(SLOW))
    (game,) = match(slow, good, control=Fischer(5000), setup="heap=1").games
    span = game.plies[0].span
    assert (span.cpu_ns, span.charged_ns) == (0, span.wall_ns)
    assert game.plies[0].remaining_ms == (5_000_000_000 - span.charged_ns) // 1_000_000
    assert game.notes == ()


@pytest.mark.usefixtures("busy")
def test_match_that_waits_for_a_processor_too_long_is_void(tmp_path):
    slow = write_bot(tmp_path, "slow", bot_that(SLOW))
    (game,) = match(slow, slow, control=Fischer(5000), setup="heap=30", longest_s=1).games
    assert (game.fault, game.ending) == (Fault.STARVED, Ending.VOID)
    assert (game.outcome, game.loser) == (None, None)
    assert game.detail.startswith("starved: the bots have waited")


@pytest.mark.usefixtures("busy")
def test_match_without_a_limit_waits_as_long_as_it_must(tmp_path):
    slow = write_bot(tmp_path, "slow", bot_that(SLOW))
    (game,) = match(slow, slow, control=Fischer(5000), setup="heap=8").games
    assert game.ending is Ending.RULES


@pytest.mark.usefixtures("idle")
def test_match_of_slow_bots_is_not_starved(tmp_path):
    slow = write_bot(tmp_path, "slow", bot_that(SLOW))
    (game,) = match(slow, slow, control=Fischer(5000), setup="heap=8", longest_s=1).games
    assert game.ending is Ending.RULES


@pytest.mark.usefixtures("busy")
def test_bot_without_any_processor_voids_the_game_in_the_end(tmp_path, good, monkeypatch):
    monkeypatch.setattr("engine.question._PATIENCE_NS", 0)
    monkeypatch.setattr("engine.question._PATIENCE", 2)
    mute = write_bot(tmp_path, "mute", bot_that("time.sleep(60)"))
    (game,) = match(mute, good, control=PerMove(50)).games
    assert (game.fault, game.loser) == (Fault.STARVED, None)


LATE = {
    "greets": ("engine.bot_player.HELLO_MS", Fault.NO_GREETING, "def hello():\n    "),
    "is ready": ("engine.bot_player.READY_MS", Fault.NOT_READY, "def ready():\n    "),
}


@pytest.mark.parametrize(("limit", "fault", "begin"), LATE.values(), ids=LATE.keys())
@pytest.mark.parametrize("machine", ["busy", "idle"])
def test_deadlines_before_the_game_are_in_the_bots_own_time(
    tmp_path, good, monkeypatch, request, machine, limit, fault, begin
):
    request.getfixturevalue(machine)
    monkeypatch.setattr(limit, 300)
    answer = "ugiok" if fault is Fault.NO_GREETING else "readyok"
    late = write_bot(tmp_path, "late", f"{begin}time.sleep(0.5)\n    say('{answer}')")
    (game,) = match(late, good, control=Fischer(60_000), setup="heap=1").games
    assert game.fault is (None if machine == "busy" else fault), game.detail


@pytest.mark.usefixtures("idle")
def test_what_is_thought_before_the_first_ply_is_owed(tmp_path, good, monkeypatch):
    monkeypatch.setattr("engine.bot_player.FREE_READY_NS", 50_000_000)
    body = "calls = []\ndef ready():\n    calls.append(1)\n    time.sleep(1 if len(calls) == 1 else 0)\n    say('readyok')"
    ponders = write_bot(tmp_path, "ponders", body)
    (game,) = match(ponders, good, control=Fischer(10_000), setup="heap=1").games
    assert game.ending is Ending.RULES
    assert game.plies[0].price_ns >= 950_000_000
    # A busy machine answers late, by less than the second that the bot owes.
    assert game.plies[0].span.charged_ns < 900_000_000
    (note,) = game.notes
    owed = re.match(r"first owes (\d+) ms", note)
    assert owed is not None
    assert 950 <= int(owed[1]) < 10_000
    (go,) = [e.text for e in game.transcripts[0].entries if e.text.startswith("go")]
    assert int(go.split()[2]) <= 10_000 - 950


@pytest.mark.long
def test_who_runs_while_it_should_be_stopped_is_charged(tmp_path, good):
    # A helper, started when the referee has seen the bot's processes, wakes it again and again.
    body = (
        "import threading\n"
        "WAKE = 'import os, signal, sys, time\\nwhile True: time.sleep(0.001); os.kill(int(sys.argv[1]), signal.SIGCONT)'\n"
        "def burn():\n    while True: pass\n"
        "def new():\n"
        "    subprocess.Popen([sys.executable, '-I', '-S', '-c', WAKE, str(os.getpid())])\n"
        "    threading.Thread(target=burn, daemon=True).start()\n"
    )
    cheats = write_bot(tmp_path, "cheats", body)
    thinks = write_bot(tmp_path, "thinks", bot_that("time.sleep(0.8)\nsay('bestmove take_1')"))
    (game,) = match(cheats, thinks, control=Fischer(10_000), setup="heap=3").games
    notes = [entry.text for entry in entries_of_ply(game.transcripts[0], 2)]
    (note,) = [note for note in notes if "while it was stopped" in note]
    # The amount depends on the load of the machine. All of it is charged.
    assert game.plies[2].price_ns >= int(note.split()[1]) * 1_000_000 > 5_000_000


@pytest.mark.usefixtures("silent")
def test_without_schedstat_nothing_is_credited_and_the_game_says_so(good):
    (game,) = match(good, good, setup="heap=1").games
    assert game.plies[0].span.cpu_ns is None
    assert game.plies[0].span.charged_ns == game.plies[0].span.wall_ns
    assert game.notes == ("no schedstat here: clocks are wall clocks and nothing is credited",)


def test_bot_does_not_run_on_its_opponents_time(tmp_path):
    ticks = tmp_path / "ticks"
    ponders = write_bot(
        tmp_path,
        "ponders",
        "import threading\n"
        "def ponder():\n"
        "    while True:\n"
        "        time.sleep(0.005)\n"
        f"        with open({str(ticks)!r}, 'a') as file: file.write(f'{{time.monotonic()}}\\n')\n"
        "threading.Thread(target=ponder, daemon=True).start()\n"
        + bot_that("time.sleep(0.05)\nsay('bestmove take_1')"),
    )
    thinks = write_bot(
        tmp_path,
        "thinks",
        bot_that(
            "began = time.monotonic()\ntime.sleep(0.3)\n"
            "say(f'{began} {time.monotonic()}')\nsay('bestmove take_1')"
        ),
    )
    report = match(ponders, thinks, setup="heap=3")
    assert report.games[0].ending is Ending.RULES
    began, end = map(float, report.logs[1].lines[0].split())
    times = [float(line) for line in ticks.read_text().split()]
    assert any(tick < began for tick in times)
    # A tick that was on its way when the bot was stopped is written when it continues.
    assert not any(began + 0.02 < tick < end for tick in times)


@dataclass
class Assassin(Notebook):
    """A killer that sends `number` to the process whose id is in `pids` after a number of plies."""

    pids: Path = Path()
    number: int = signal.SIGKILL
    after: int = 2

    def ply_played(self, event: PlyEvent) -> None:
        super().ply_played(event)
        if event.number == self.after - 1:
            os.kill(int(self.pids.read_text()), self.number)


def bot_with_pid(tmp_path: Path, action: str = "say('bestmove take_1')") -> tuple[str, Path]:
    """Return the body of a bot that writes its process id to a file."""
    pids = tmp_path / "pid"
    return f"open({str(pids)!r}, 'w').write(str(os.getpid()))\n" + bot_that(action), pids


@pytest.mark.parametrize("side", Side)
def test_bot_killed_between_its_moves_loses_by_a_crash(tmp_path, good, side):
    body, pids = bot_with_pid(tmp_path)
    victim = write_bot(tmp_path, "victim", body)
    pair = (victim, good) if side is Side.FIRST else (good, victim)
    (game,) = match(*pair, observer=Assassin(pids=pids)).games
    assert (game.fault, game.loser) == (Fault.KILLED, side)
    assert game.outcome is Outcome.won_by(side.opponent)
    assert "SIGKILL" in game.detail


def test_bot_killed_while_it_thinks_loses_by_a_crash(tmp_path, good):
    body, _ = bot_with_pid(tmp_path, "os.kill(os.getpid(), signal.SIGKILL)\ntime.sleep(60)")
    (game,) = match(good, write_bot(tmp_path, "victim", body)).games
    assert (game.fault, game.loser) == (Fault.KILLED, Side.SECOND)


def test_bot_stopped_between_its_moves_is_woken_for_the_next(tmp_path, good):
    body, pids = bot_with_pid(tmp_path)
    victim = write_bot(tmp_path, "victim", body)
    assassin = Assassin(pids=pids, number=signal.SIGSTOP)
    (game,) = match(victim, good, observer=assassin).games
    assert game.ending is Ending.RULES


def test_bot_stopped_while_it_thinks_loses_on_time_and_leaves_nothing(tmp_path, good):
    body, pids = bot_with_pid(tmp_path, "os.kill(os.getpid(), signal.SIGSTOP)")
    (game,) = match(write_bot(tmp_path, "victim", body), good, control=PerMove(100)).games
    assert (game.fault, game.loser) == (Fault.NO_ANSWER, Side.FIRST)
    assert is_gone_within(int(pids.read_text()), 5)


def test_no_bot_survives_a_referee_killed_hard(tmp_path):
    pids = tmp_path / "pids"
    body = (
        f"with open({str(pids)!r}, 'a') as file: file.write(f'{{os.getpid()}}\\n')\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    ) + bot_that("print('asked', file=open('/proc/self/fd/2', 'w'))\ntime.sleep(60)")
    bots = [write_bot(tmp_path, name, body) for name in ("thinking", "stopped")]
    program = (
        "import games; from tests.engine.nim import Nim; games.load = lambda key: Nim(key)\n"
        "from engine.match import BotSpec; from tests.engine.matches import match, Notebook\n"
        "class Told(Notebook):\n"
        "    def game_started(self, game): print('started', flush=True)\n"
        f"match(*[BotSpec(name, argv) for name, argv in {[(b.name, b.argv) for b in bots]!r}],"
        " control=__import__('engine.clock').clock.PerMove(60_000), observer=Told())\n"
    )
    referee = subprocess.Popen(
        [sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert referee.stdout is not None
    with referee.stdout:
        assert referee.stdout.readline() == "started\n"
        os.kill(referee.pid, signal.SIGKILL)
        referee.wait()
    pid_list = [int(line) for line in pids.read_text().split()]
    assert len(pid_list) == 2
    assert all(is_gone_within(pid, 5) for pid in pid_list)


def in_bubblewrap(bot: BotSpec) -> Launch:
    """Return a launcher like the sandbox: the bot is a grandchild, in its own session and namespace."""
    box = ("/usr/bin/bwrap", "--unshare-pid", "--die-with-parent", "--new-session")
    return Launch((*box, "--ro-bind", "/", "/", *bot.argv))


def has_bubblewrap() -> bool:
    launch = in_bubblewrap(BotSpec("true", ("/bin/true",)))
    try:
        return subprocess.run(launch.argv, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


@dataclass
class States(Notebook):
    """Looks whether the bots' own processes are stopped after each ply."""

    are_stopped: bool = True
    # Servers that other tests have begun are children of this process too.
    others: frozenset[int] = field(default_factory=lambda: frozenset(procfs.family(os.getpid())))

    def ply_played(self, event: PlyEvent) -> None:
        super().ply_played(event)
        ours = [pid for pid in procfs.family(os.getpid()) if pid not in self.others]
        bots = [procfs.main_process(pid) for pid in ours]
        assert bots
        deadline = time.monotonic() + 5
        while any(state_of(pid) != "T" for pid in bots) and time.monotonic() < deadline:
            time.sleep(0.01)
        self.are_stopped &= all(state_of(pid) == "T" for pid in bots)


def state_of(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


@pytest.mark.skipif(not has_bubblewrap(), reason="bubblewrap is not here or may not run")
def test_bot_behind_its_box_is_measured_and_stopped(tmp_path, good):
    burns = bot_that(
        "began = time.process_time()\nsay(f'{began}')\n"
        "while time.process_time() < began + 0.1: pass\nsay('bestmove take_1')"
    )
    bot = write_bot(tmp_path, "boxed", burns)
    slow = write_bot(tmp_path, "slow", bot_that(SLOW))
    states = States()
    (game,) = match(bot, slow, setup="heap=3", launcher=in_bubblewrap, observer=states).games
    assert states.are_stopped
    assert game.ending is Ending.RULES
    assert game.plies[0].span.cpu_ns is not None
    assert game.plies[0].span.cpu_ns >= 90_000_000
    assert game.notes == ()
