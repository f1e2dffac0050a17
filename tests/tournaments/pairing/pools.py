"""Runs of continuous formats: people wait, play games of random length and come back.

The checker sees every draw.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from tournaments.pairing import (
    Contestant,
    PairingProblem,
    PairingSystem,
    RoundKind,
    RoundRecord,
    Solution,
    violations,
)

TICK_S = 5


@dataclass
class Pool:
    """A continuous event: `people` by TPN, and the games that are on with their last tick."""

    system: PairingSystem
    people: dict[int, Contestant]
    rng: random.Random
    longest_game: int = 6
    forbidden: frozenset[frozenset[int]] = frozenset()
    most_meetings: int = 0
    tick: int = 0
    games: dict[tuple[int, int], int] = field(default_factory=dict)
    history: list[tuple[PairingProblem, Solution]] = field(default_factory=list)

    def problem(self) -> PairingProblem:
        """Return the current pairing problem."""
        playing = {tpn for game in self.games for tpn in game}
        away = {c.tpn for c in self.people.values() if c.left_round} | playing
        return PairingProblem(
            self.tick + 1,
            0,
            tuple(c for c in self.people.values() if c.tpn not in away),
            absent=tuple(c for c in self.people.values() if c.tpn in away),
            forbidden=self.forbidden,
            most_meetings=self.most_meetings,
            is_continuous=True,
            seed=7,
        )

    def step(self) -> Solution:
        """One tick: pair, then let time pass and games end."""
        problem = self.problem()
        solution = self.system.pair(problem)
        assert violations(problem, solution) == []
        self.history.append((problem, solution))
        for idle in solution.idle:
            waiting = self.people[idle.tpn]
            self.people[idle.tpn] = waiting._replace(waited_s=waiting.waited_s + TICK_S)
        for board in solution.boards:
            ends = self.tick + self.rng.randint(1, self.longest_game)
            self.games[board.first, board.second] = ends
        self.tick += 1
        for game in [game for game, ends in self.games.items() if ends <= self.tick]:
            del self.games[game]
            self._finish(*game)
        return solution

    def _finish(self, first: int, second: int) -> None:
        halves = self.rng.choice((0, 1, 2))
        for tpn, record in (
            (first, RoundRecord(RoundKind.FIRST, second, halves)),
            (second, RoundRecord(RoundKind.SECOND, first, 2 - halves)),
        ):
            old = self.people[tpn]
            self.people[tpn] = old._replace(records=(*old.records, record), waited_s=0)


def people(size: int, rng: random.Random) -> dict[int, Contestant]:
    """Return this number of players with random ratings and uncertainties, without games."""
    return {
        tpn: Contestant(
            tpn,
            (),
            rating_centielo=rng.randint(100_000, 220_000),
            deviation_centielo=rng.randint(2_000, 35_000),
        )
        for tpn in range(1, size + 1)
    }
