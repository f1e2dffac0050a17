"""Answers of a module to all positions of a random game."""

from __future__ import annotations

import random

import games
from engine import referee
from tests.engine.wasm.modules import run_host

_OPENING = 3  # plies


def illegal_answers(module: bytes, key: str) -> list[str]:
    """Return the answers that are no legal moves, with their numbers. Half of the moves that can take, take.

    Each position is sent from the start of the game, and then from its third ply, as in a match from an opening.
    """
    ruleset = games.load(key)
    rng = random.Random(5)
    positions = [ruleset.initial(seed=5)]
    moves: list[str] = []
    while positions[-1].outcome() is None:
        takes = [move for move in positions[-1].legal_moves() if "x" in move]
        takes_one = bool(takes) and rng.random() < 0.5
        moves.append(rng.choice(takes) if takes_one else positions[-1].random_move(rng))
        positions.append(positions[-1].play(moves[-1]))
    questions = [(start, ply) for start in (0, _OPENING) for ply in range(start, len(moves))]
    lines = [f"setoption name Game value {ruleset.key}"]
    for start, ply in questions:
        lines += [
            referee.position_line(ruleset, positions[start], moves[start:ply]),
            "go movetime 10",
        ]
    legal = [positions[ply].legal_moves() for _start, ply in questions]
    run = run_host(module, *lines)
    answers = [
        line.removeprefix("bestmove ")
        for line in run.output.splitlines()
        if line.startswith("bestmove ")
    ]
    assert len(answers) == len(legal), run.errors
    return [
        f"{k}: {answer}"
        for k, (answer, known) in enumerate(zip(answers, legal, strict=True))
        if answer.replace("_", " ") not in known
    ]
