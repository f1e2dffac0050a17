"""A worker of a volunteer that cheats: `python -m tests.tournaments.cheating_worker URL TOKEN NAME CACHE HONEST`.

It plays as `rayuela-worker` does. After HONEST matches it replaces the end of each game by random
moves, which the rules allow.
"""

from __future__ import annotations

import random
import sys
import threading
from dataclasses import replace
from pathlib import Path

import games
from engine import sandbox
from engine.programs import fuel_game
from engine.volunteer import worker
from engine.volunteer.site import Assignment, Report, Site


def forged(transcript: str, rng: random.Random) -> str:
    """Return the transcript with another second half."""
    game = fuel_game.parse_fuel_game(transcript)
    moves = list(game.record.moves[: len(game.record.moves) // 2])
    position = games.starting_position(games.load(game.record.ruleset), game.record.setup)
    for move in moves:
        position = position.play(move)
    while position.outcome() is None:
        moves.append(rng.choice(list(position.legal_moves())))
        position = position.play(moves[-1])
    outcome = position.outcome()
    record = replace(game.record, moves=tuple(moves), outcome=outcome, ending="rules")
    return replace(game, record=record).text()


def main() -> int:
    """Play until the site stops the worker."""
    url, token, name, cache, honest = sys.argv[1:]
    site = Site(url, token, threading.Event())
    launcher = sandbox.choose().launcher(slot=890)
    number = site.enrol(name, worker.machine(), 1)
    rng = random.Random(1)
    count = 0

    def play(assignment: Assignment) -> Report:
        nonlocal count
        report = worker.play(assignment, Path(cache), launcher, site)
        count += 1
        if count <= int(honest):
            return report
        return replace(report, transcripts=[forged(each, rng) for each in report.transcripts])

    worker.work(site, number, threading.Event(), play=play, tell=lambda text: None)
    return 0


if __name__ == "__main__":
    sys.exit(main())
