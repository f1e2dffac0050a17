from __future__ import annotations

import random

import pytest

import games
from engine import protocol, referee
from engine.clock import Span
from engine.match import BotPly, Ending, GameReport
from engine.records import record_of
from games.core import Outcome, Side
from games.record import ENDINGS, parse_record


@pytest.mark.parametrize("ending", Ending)
def test_every_ending_has_its_word_in_a_record(ending):
    outcome = None if ending is Ending.VOID else Outcome.SECOND
    plies = [BotPly(Side.FIRST, "c3", Span(5_000_000), price_ns=5_000_000, remaining_ms=95)]
    report = GameReport(0, "morlox(size=5,swap=on)", "", "a", "b", plies, outcome, ending)
    record = record_of(report)
    assert record.ending in {*ENDINGS, None}
    assert (record.ending is None) == (outcome is None)
    assert parse_record(record.text()) == record


@pytest.mark.parametrize(
    "key",
    [
        "morelli(size=13)",
        "morelli(edition=original,size=9)",
        "morelli(size=7,setup=placement)",
        "morlox(size=9)",
        "perfect(limit=100)",
    ],
)
def test_a_whole_game_fits_into_a_position_line_and_reads_back(key):
    ruleset = games.load(key)
    start = position = ruleset.initial(seed=1)
    rng, moves = random.Random(1), []
    while position.outcome() is None:
        moves.append(position.random_move(rng))
        position = position.play(moves[-1])
    line = referee.position_line(ruleset, start, moves)
    assert len(line) < protocol.MAX_COMMAND_BYTES
    command = protocol.parse_command(line)
    assert isinstance(command, protocol.SetPosition)
    assert command.moves == tuple(moves)
    assert (start if command.fen is None else ruleset.parse(command.fen)) == start
    assert (command.fen is None) == (ruleset.setup_text(start) == "")


def test_a_server_needs_no_set_up_for_startpos():
    # `startpos` is said exactly where `start("")` works.
    for key in ("morlox(size=5)", "perfect()", "morelli(edition=original)"):
        ruleset = games.load(key)
        assert ruleset.setup_text(ruleset.start("")) == ""
