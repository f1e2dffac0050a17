"""Answers of a module to all positions of a random game."""

from __future__ import annotations

import random

import games
from engine import referee
from tests.engine.wasm.modules import run_host


def illegal_answers(module: bytes, key: str) -> list[str]:
    """Return the answers that are no legal moves, with their plies. Half of the moves that can take, take."""
    ruleset = games.load(key)
    rng = random.Random(5)
    start = position = ruleset.initial(seed=5)
    lines = [f"setoption name Game value {ruleset.key}"]
    moves: list[str] = []
    legal: list[list[str]] = []
    while position.outcome() is None:
        lines += [referee.position_line(ruleset, start, moves), "go movetime 1000"]
        legal.append(position.legal_moves())
        takes = [move for move in legal[-1] if "x" in move]
        takes_one = bool(takes) and rng.random() < 0.5
        moves.append(rng.choice(takes) if takes_one else position.random_move(rng))
        position = position.play(moves[-1])
    run = run_host(module, *lines)
    answers = [line.removeprefix("bestmove ") for line in run.output.splitlines()]
    assert len(answers) == len(legal), run.errors
    return [
        f"{k}: {answer}"
        for k, (answer, known) in enumerate(zip(answers, legal, strict=True))
        if answer.replace("_", " ") not in known
    ]
