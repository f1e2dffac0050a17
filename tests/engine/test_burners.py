"""Two matches side by side on one machine: bots of one burn every processor, and those of the other are honest."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator, Sequence
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from engine import bot_player
from engine.clock import Fischer, PerMove
from engine.match import BotSpec, Ending
from tests.engine.bots import bot_that, write_bot
from tests.engine.matches import match

pytestmark = [pytest.mark.engine, pytest.mark.slow, pytest.mark.usefixtures("nim")]

_THREADS = 28
# Native threads: hashing lets go of the interpreter's lock.
_BURNS = f"""
import hashlib, threading
def burn(until):
    while time.monotonic() < until: hashlib.pbkdf2_hmac("sha256", b"", b"", 20_000)
def go(position):
    until = time.monotonic() + 1.5
    threads = [threading.Thread(target=burn, args=(until,)) for _ in range({_THREADS})]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    say("bestmove take_1")
"""
# Computes for a given processor time, and takes a while to start and to get ready.
_THINKS = (
    "def work(seconds):\n    end = time.process_time() + seconds\n    while time.process_time() < end: pass\n"
    "work(0.35)\n"
    "def ready():\n    work(0.003)\n    say('readyok')\n"
    + bot_that("work(0.05)\nsay('bestmove take_1')")
)


def _burn(burner: BotSpec) -> None:
    while True:
        match(burner, burner, control=PerMove(60_000), setup="heap=20")


@pytest.fixture
def burners(tmp_path: Path) -> Iterator[Sequence[BaseProcess]]:
    """Yield matches of burners, one more than there are processors. They are killed at the end."""
    burner = write_bot(tmp_path, "burner", _BURNS)
    context = multiprocessing.get_context("fork")
    several = [
        context.Process(target=_burn, args=(burner,), daemon=True)
        for _ in range((os.cpu_count() or 1) + 1)
    ]
    for process in several:
        process.start()
    yield several
    for process in several:
        process.kill()
        process.join()


def test_honest_bots_lose_nothing_to_those_who_burn_beside_them(tmp_path, burners, monkeypatch):
    # Less than a start takes on this machine now. All these limits are in the bot's own time.
    monkeypatch.setattr(bot_player, "HELLO_MS", 1000)
    monkeypatch.setattr(bot_player, "READY_MS", 1000)
    thinker = write_bot(tmp_path, "thinker", _THINKS)
    for _ in range(3):
        report = match(thinker, thinker, count=2, control=Fischer(500, 20), setup="heap=9")
        for game in report.games:
            assert (game.ending, game.detail) == (Ending.RULES, "")
            # Five plies of 50 ms each of the side that has more.
            assert all(30 < ply.charged_ms < 120 for ply in game.plies)
    assert all(process.is_alive() for process in burners)
