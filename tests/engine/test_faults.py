from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from engine.clock import PerMove
from engine.match import BotSpec, Ending, Fault
from engine.process import BotProcess, Launch, OutputLine, unconfined
from engine.sandbox.refusals import IsolationReason, UnavailableError
from games.core import Outcome, Side
from tests.engine import bots
from tests.engine.bots import bot_that, write_bot
from tests.engine.matches import match
from tests.engine.nim import Heap

pytestmark = [pytest.mark.engine, pytest.mark.usefixtures("nim")]


FAULTS = {
    "crash": (Fault.EXITED, "sys.exit(3)"),
    "killed": (Fault.KILLED, "os.kill(os.getpid(), signal.SIGKILL)"),
    "closed output": (Fault.CLOSED_OUTPUT, "os.close(1)\ntime.sleep(60)"),
    "hang": (Fault.NO_ANSWER, "time.sleep(60)"),
    "endless loop": (Fault.NO_ANSWER, "while True: pass"),
    "deaf to signals": (Fault.NO_ANSWER, "signal.signal(15, signal.SIG_IGN)\ntime.sleep(60)"),
    "stops itself": (Fault.NO_ANSWER, "os.kill(os.getpid(), signal.SIGSTOP)"),
    "talks without an answer": (
        Fault.NO_ANSWER,
        "while True:\n    say('info depth 1')\n    time.sleep(0.02)",
    ),
    "no fuel left": (Fault.OUT_OF_FUEL, "say('outoffuel')"),
    "illegal move": (Fault.ILLEGAL_MOVE, "say('bestmove take_9')"),
    "no move at all": (Fault.ILLEGAL_MOVE, "say('bestmove (none)')"),
    "agreement with nobody": (Fault.ILLEGAL_MOVE, "say('bestmove agree')"),
    "flood of lines": (Fault.FLOOD, "while True: say('x' * 100)"),
    "flood without newline": (Fault.FLOOD, "while True: sys.stdout.write('x' * 100)"),
    "flood of errors": (Fault.FLOOD, "while True: sys.stderr.write('x' * 4000)"),
    "flood then answer": (Fault.FLOOD, "say('x' * 5000)\nsay('bestmove take_1')"),
    "a line of 10 MB": (Fault.FLOOD, "say('x' * 10_000_000)"),
    "not UTF-8": (Fault.GARBAGE, "os.write(1, b'bestmove \\xff\\n')"),
    "NUL": (Fault.GARBAGE, "os.write(1, b'\\0\\n')"),
    "bestmove of nothing": (Fault.MALFORMED, "say('bestmove')"),
    "two answers": (Fault.SECOND_ANSWER, "say('bestmove take_1\\nbestmove take_1')"),
    "move from right to left": (Fault.ILLEGAL_MOVE, "say('bestmove \\u202etake_1')"),
    "move of wide letters": (Fault.ILLEGAL_MOVE, "say('bestmove \\uff54ake_1')"),
    "errors of every kind": (
        Fault.FLOOD,
        "while True: os.write(2, b'\\x1b[2J\\0\\xff\\xfe' + '\\u202e'.encode() * 500)",
    ),
    "resign": (Fault.RESIGNED, "say('bestmove resign')"),
}


@pytest.mark.parametrize(("fault", "action"), FAULTS.values(), ids=FAULTS.keys())
@pytest.mark.parametrize("side", Side)
@pytest.mark.part(0.3)
def test_fault_loses_the_game_for_its_bot(tmp_path, good, side, fault, action):
    bad = write_bot(tmp_path, "bad", bot_that(action))
    pair = (bad, good) if side is Side.FIRST else (good, bad)
    control = PerMove(300 if fault.ending is Ending.TIME else 5000)
    (game,) = match(*pair, control=control).games
    assert (game.fault, game.loser) == (fault, side), game.detail
    assert game.ending is fault.ending
    assert game.outcome is Outcome.won_by(side.opponent)
    assert len(game.plies) == (0 if side is Side.FIRST else 1)
    assert game.detail


JUNK = "ugiok\\nreadyok\\ngameover 1-0 reason rules\\nid name other\\nposition startpos\\nquit\\n"


@pytest.mark.parametrize("side", Side)
def test_words_out_of_place_and_wide_spaces_change_nothing(tmp_path, good, side):
    talks = write_bot(tmp_path, "talks", bot_that(f"say('{JUNK}bestmove\\u3000take_1\\nreadyok')"))
    pair = (talks, good) if side is Side.FIRST else (good, talks)
    (game,) = match(*pair, setup="heap=7").games
    assert (game.ending, len(game.plies), game.outcome) == (Ending.RULES, 7, Outcome.FIRST)


def test_20_000_thoughts_a_ply_cost_the_referee_little_and_no_game(tmp_path, good):
    talks = bot_that("say('info depth 1 pv take_1\\n' * 20_000 + 'bestmove take_1')")
    before_s = time.process_time()
    (game,) = match(write_bot(tmp_path, "talks", talks), good, setup="heap=2").games
    assert (game.ending, len(game.plies)) == (Ending.RULES, 2)
    assert time.process_time() - before_s < 0.5


STARTS = {
    "dies at once": (Fault.EXITED, "sys.exit(1)"),
    "greets with nonsense": (Fault.GARBAGE, "def hello():\n    os.write(1, b'\\xff\\n')"),
    "answers before it is asked": (
        Fault.UNASKED_ANSWER,
        "def ready():\n    say('readyok\\nbestmove take_1')",
    ),
    "answers when it wakes up": (
        Fault.UNASKED_ANSWER,
        "calls = []\ndef ready():\n    calls.append(1)\n"
        "    say('readyok' if len(calls) == 1 else 'readyok\\nbestmove take_1')",
    ),
    "answers instead of being ready": (
        Fault.UNASKED_ANSWER,
        "def ready():\n    say('bestmove take_1')",
    ),
    "takes memory": (
        Fault.MEMORY,
        "def go(position):\n    hoard = bytearray(1 << 26)\n    time.sleep(60)",
    ),
    "closes its input": (
        Fault.DEAF,
        "def ready():\n    os.close(0)\n    say('readyok')\n    time.sleep(60)",
    ),
}


@pytest.mark.parametrize(("fault", "body"), STARTS.values(), ids=STARTS.keys())
def test_fault_around_the_questions_is_named(tmp_path, good, fault, body):
    bad = write_bot(tmp_path, "bad", body)
    (game,) = match(good, bad, launcher=small).games
    assert (game.fault, game.loser) == (fault, Side.SECOND), game.detail


def small(bot: BotSpec) -> Launch:
    """Return a launch with room for Python and little more."""
    return replace(unconfined(bot), memory_bytes=1 << 26)


def test_late_answer_loses_even_when_it_is_legal(tmp_path, good, monkeypatch):
    # The referee itself must be slow to see it, else it has given up before.
    monkeypatch.setattr(BotProcess, "receive", sleepy(BotProcess.receive))
    slow = write_bot(tmp_path, "slow", bot_that("time.sleep(0.2)\nsay('bestmove take_1')"))
    (game,) = match(slow, good, control=PerMove(50)).games
    assert (game.fault, game.ending) == (Fault.LATE_ANSWER, Ending.TIME)
    assert "of 100 ms" in game.detail


def sleepy(receive: Callable[..., OutputLine]) -> Callable[..., OutputLine]:
    """Return a `receive` that waits for the line however long it takes."""

    def patient(self: BotProcess, *, deadline_ns: int, on_wait: Callable[[], None]) -> OutputLine:
        return receive(self, deadline_ns=deadline_ns + 10**10, on_wait=on_wait)

    return patient


def test_answer_that_comes_after_the_next_question_is_not_taken_for_it(tmp_path, good):
    # The second `bestmove` is written when the bot is woken, before it can know the position.
    stale = bot_that("say('bestmove take_1')\ntime.sleep(0.3)\nsay('bestmove take_1')")
    bad = write_bot(tmp_path, "bad", stale)
    waits = write_bot(tmp_path, "waits", bot_that("time.sleep(0.5)\nsay('bestmove take_1')"))
    (game,) = match(bad, waits, setup="heap=7").games
    assert (game.fault, game.loser) == (Fault.UNASKED_ANSWER, Side.FIRST)
    assert len(game.plies) == 2


def test_time_spent_before_the_question_is_charged_beyond_the_waking(tmp_path, good):
    body = "def ready():\n    time.sleep(0.1)\n    say('readyok')"
    (game,) = match(write_bot(tmp_path, "ponders", body), good, setup="heap=1").games
    assert game.plies[0].wall_ms >= 100


def test_bot_that_never_greets_breaks_the_protocol(tmp_path, good, monkeypatch):
    monkeypatch.setattr("engine.bot_player.HELLO_MS", 200)
    mute = write_bot(tmp_path, "mute", "def hello():\n    pass")
    (game,) = match(mute, good).games
    assert (game.fault, game.loser) == (Fault.NO_GREETING, Side.FIRST)
    assert "ugiok" in game.detail


def test_bot_that_does_not_read_its_input_is_no_danger(tmp_path, good, monkeypatch):
    monkeypatch.setattr("engine.process._WRITE_MS", 100)
    monkeypatch.setattr(Heap, "text", lambda self: "7 " + "x" * 200_000)
    deaf = write_bot(tmp_path, "deaf", _DEAF)
    (game,) = match(deaf, good).games
    assert (game.fault, game.loser) == (Fault.DEAF, Side.FIRST)


def test_bot_that_cannot_be_started_voids_the_game(good):
    (game,) = match(good, BotSpec("missing", ("/nonexistent/bot",))).games
    assert (game.ending, game.outcome, game.loser) == (Ending.VOID, None, None)
    assert game.fault is Fault.LAUNCH
    assert game.detail.startswith("launch: ")
    assert "/nonexistent/bot" in game.detail


def test_box_that_cannot_be_made_voids_the_game(good):
    def launcher(bot: BotSpec) -> Launch:
        argv = ("/bin/sh", "-c", "echo no namespaces >&2; exit 77")
        return bots.incomplete_box(argv) if bot.name == "boxed" else unconfined(bot)

    (game,) = match(good, BotSpec("boxed", ()), launcher=launcher).games
    assert (game.fault, game.outcome, game.loser) == (Fault.ISOLATION, None, None)
    assert game.detail == "isolation: the box could not be made: no namespaces"


def test_machine_that_cannot_make_boxes_voids_the_game(good):
    """As when the disk has no room for the copies that bots read."""

    def launcher(bot: BotSpec) -> Launch:
        if bot.name == "boxed":
            raise UnavailableError(IsolationReason.NO_PLACE, "no space left")
        return unconfined(bot)

    (game,) = match(good, BotSpec("boxed", ()), launcher=launcher).games
    assert (game.fault, game.outcome, game.loser) == (Fault.ISOLATION, None, None)
    assert game.detail.startswith("isolator-unavailable: ")


def test_box_that_ends_by_a_signal_before_it_is_complete_voids_the_game(good):
    def launcher(bot: BotSpec) -> Launch:
        argv = ("/bin/sh", "-c", "kill -9 $$")
        return bots.incomplete_box(argv) if bot.name == "boxed" else unconfined(bot)

    (game,) = match(good, BotSpec("boxed", ()), launcher=launcher).games
    assert (game.fault, game.outcome, game.loser) == (Fault.ISOLATION, None, None)


# Answers everything before its first move, and reads no further.
_DEAF = """
def ready():
    global asked
    asked = globals().get("asked", 0) + 1
    say("readyok")
    if asked == 2:
        time.sleep(60)
"""
