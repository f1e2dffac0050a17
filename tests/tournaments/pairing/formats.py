"""Plays events of any format with random results, withdrawals and absences, and asks the checker about every round."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from tournaments.pairing import (
    Contestant,
    EventDecidedError,
    FormatOptions,
    PairingProblem,
    PairingSystem,
    RoundKind,
    RoundRecord,
    Solution,
    violations,
)

_IDLE_HALVES = {RoundKind.FORFEIT_WIN: 2, RoundKind.THROUGH: 2}


@dataclass
class Event:
    """An event while it is played: `problem` is the next round, `solutions` are those before it."""

    system: PairingSystem
    problem: PairingProblem
    rng: random.Random
    withdrawals: float = 0.0
    absences: float = 0.0
    odd_results: bool = True
    solutions: list[Solution] = field(default_factory=list)
    problems: list[PairingProblem] = field(default_factory=list)

    def play(self, rounds: int) -> None:
        """Play until the event is decided, or for this number of rounds."""
        for _ in range(rounds):
            try:
                self.play_round()
            except EventDecidedError:
                return

    def play_round(self) -> Solution:
        """Pair the round, check it, give it random results and prepare the next problem."""
        solution = self.system.pair(self.problem)
        assert violations(self.problem, solution) == []
        assert len(solution.evidence) == len(solution.boards)
        self.problems.append(self.problem)
        self.solutions.append(solution)
        records = _results(self.problem, solution, self.rng, odd=self.odd_results)
        self.problem = self._next(records)
        return solution

    def _next(self, records: dict[int, RoundRecord]) -> PairingProblem:
        number = self.problem.round_number + 1
        here: list[Contestant] = []
        away: list[Contestant] = []
        for old in (*self.problem.contestants, *self.problem.absent):
            one = old._replace(records=(*old.records, records[old.tpn]))
            if not one.left_round and self.rng.random() < self.withdrawals:
                one = one._replace(left_round=number)
            is_away = bool(one.left_round) or self.rng.random() < self.absences
            (away if is_away else here).append(one)
        return self.problem._replace(
            round_number=number, contestants=tuple(here), absent=tuple(away)
        )


def first_problem(
    size: int, *, options: FormatOptions | None = None, most_meetings: int = 0, odd: bool = True
) -> PairingProblem:
    """Return round 1 of this number of players."""
    return PairingProblem(
        1,
        1,
        tuple(Contestant(tpn, ()) for tpn in range(1, size + 1)),
        odd_tpn_is_first=odd,
        options=options or FormatOptions(),
        most_meetings=most_meetings,
    )


def _results(
    problem: PairingProblem, solution: Solution, rng: random.Random, *, odd: bool
) -> dict[int, RoundRecord]:
    records: dict[int, RoundRecord] = {
        c.tpn: RoundRecord(RoundKind.ZERO_BYE, None, 0) for c in problem.absent
    }
    if solution.bye is not None:
        records[solution.bye] = RoundRecord(RoundKind.PAIRING_BYE, None, 2)
    for idle in solution.idle:
        records[idle.tpn] = RoundRecord(idle.kind, idle.opponent, _IDLE_HALVES.get(idle.kind, 0))
        if idle.opponent is not None:
            records[idle.opponent] = RoundRecord(RoundKind.FORFEIT_LOSS, idle.tpn, 0)
    for board in solution.boards:
        chance = rng.random() if odd else 1.0
        if chance < 0.04:
            records[board.first] = RoundRecord(RoundKind.FORFEIT_LOSS, board.second, 0)
            records[board.second] = RoundRecord(RoundKind.FORFEIT_LOSS, board.first, 0)
        elif chance < 0.08:
            records[board.first] = RoundRecord(RoundKind.FORFEIT_WIN, board.second, 2)
            records[board.second] = RoundRecord(RoundKind.FORFEIT_LOSS, board.first, 0)
        else:
            halves = rng.choice((0, 1, 2)) if odd else rng.choice((0, 2))
            records[board.first] = RoundRecord(RoundKind.FIRST, board.second, halves)
            records[board.second] = RoundRecord(RoundKind.SECOND, board.first, 2 - halves)
    return records


def shuffled(problem: PairingProblem, rng: random.Random) -> PairingProblem:
    """Return `problem` with its people in another order."""
    here, away = list(problem.contestants), list(problem.absent)
    rng.shuffle(here)
    rng.shuffle(away)
    return problem._replace(contestants=tuple(here), absent=tuple(away))
