"""Matches under fuel, whose only clock is for the machine."""

from __future__ import annotations

import pytest

from engine import clock
from engine.clock import Fuel
from engine.match import Ending, Fault
from tests.engine.bots import bot_that, write_bot
from tests.engine.matches import Notebook, match

pytestmark = [pytest.mark.engine, pytest.mark.usefixtures("nim")]


def test_each_ply_is_asked_for_with_its_fuel(tmp_path, good):
    telling = write_bot(tmp_path, "telling", bot_that("say('bestmove take_1')"))
    (game,) = match(telling, good, setup="heap=3", control=Fuel(2_000)).games
    go_lines = [entry.text for entry in game.transcripts[0].entries if entry.text.startswith("go")]
    assert go_lines[:2] == ["go fuel 2000"] * 2


@pytest.mark.parametrize(
    ("fault", "action"),
    [
        (Fault.OUT_OF_FUEL, "say('outoffuel')"),
        (Fault.ILLEGAL_MOVE, "say('bestmove take_9')"),
        (Fault.EXITED, "sys.exit(3)"),
    ],
)
def test_what_a_bot_does_wrong_loses(tmp_path, good, fault, action):
    bad = write_bot(tmp_path, "bad", bot_that(action))
    (game,) = match(bad, good, control=Fuel(1000)).games
    assert (game.fault, game.loser) == (fault, "first")


def test_what_only_the_wall_clock_finds_is_nobodys_loss(tmp_path, good, monkeypatch):
    monkeypatch.setattr(clock, "SAFETY_MS", 100)
    slow = write_bot(tmp_path, "slow", bot_that("time.sleep(60)"))
    (game,) = match(slow, good, control=Fuel(1000)).games
    assert (game.ending, game.fault, game.outcome, game.loser) == (
        Ending.VOID,
        Fault.STARVED,
        None,
        None,
    )
    assert "no-answer" in game.detail


def test_the_last_ply_by_the_rules_is_known_when_it_is_played(good):
    notebook = Notebook()
    match(good, good, setup="heap=3", observer=notebook)
    assert [event.is_last for event in notebook.plies] == [False, False, True]
