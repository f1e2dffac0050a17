"""Every round of a report file paired again, and the differences from the file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tournaments import trf
from tournaments.pairing import SYSTEMS, report_system
from tournaments.pairing.problem import NoPairingError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tournaments.pairing.problem import PairingProblem
    from tournaments.pairing.solution import Solution
    from tournaments.trf import Report

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class CheckedRound:
    """A round of the file beside the pairing by the rules: `white, black` by TPN, the bye as opponent 0.

    Attributes:
        problem: the round before it was paired.
        solution: the pairing by the rules, or None if no pairing exists, and `refusal` says why.
        missing: boards that the rules give and the file has not, in board order.
        surplus: boards that the file has and the rules do not give.
    """

    problem: PairingProblem
    solution: Solution | None
    refusal: str
    missing: tuple[Pair, ...]
    surplus: tuple[Pair, ...]

    @property
    def is_consistent(self) -> bool:
        """Return whether the file has the boards that the rules give."""
        return self.solution is not None and not self.missing and not self.surplus

    @property
    def text(self) -> str:
        """Return the round as `-c` prints it: its number, and a table if it differs."""
        lines = [f"Round #{self.problem.round_number}"]
        if self.solution is None:
            lines.append(f"  no pairing exists: {self.refusal}")
        elif self.missing or self.surplus:
            lines.append("  Checker pairings     Tournament pairings")
            for n in range(max(len(self.missing), len(self.surplus))):
                left, right = _cell(self.missing, n), _cell(self.surplus, n)
                lines.append(f"  {left:20} {right}".rstrip())
        return "".join(f"{line}\n" for line in lines)


def _cell(pairs: tuple[Pair, ...], n: int) -> str:
    return "{:>6} - {:<6}".format(*pairs[n]) if n < len(pairs) else ""


def checked_rounds(report: Report, name: str = "dutch") -> Iterator[CheckedRound]:
    """Yield each round of the file, paired again by the system of that name from its state at the time.

    Raises:
        UnpairableReportError: when the file does not say enough to pair its rounds.
    """
    if conflict := trf.points_conflict(report):
        raise trf.UnpairableReportError(conflict)
    if report.rounds_total is None:  # a finished event need not say how many rounds it had
        report = report._replace(rounds_total=trf.rounds_played(report))
    system = report_system(name)
    for number in range(1, trf.rounds_played(report) + 1):
        problem = trf.pairing_problem(report, number, systems=SYSTEMS[name].report_codes)
        try:
            solution = system.pair(problem)
        except NoPairingError as error:
            yield CheckedRound(problem, None, str(error), (), ())
            continue
        stored = _stored_pairs(report, number)
        ours = [(b.first, b.second) for b in solution.boards]
        ours += [(solution.bye, 0)] if solution.bye is not None else []
        yield CheckedRound(
            problem,
            solution,
            "",
            tuple(pair for pair in ours if pair not in stored),
            tuple(sorted(p for p in stored - set(ours) if not _is_mirror(p, stored, ours))),
        )


def _is_mirror(pair: Pair, theirs: set[Pair], ours: list[Pair]) -> bool:
    """Return whether the file has the board both ways round, a forfeit without colours, and ours is the other way."""
    return pair[::-1] in theirs and pair[::-1] in ours


def _stored_pairs(report: Report, number: int) -> set[Pair]:
    """Return the boards of a round as the file has them.

    Forfeits may lack colours, and are then listed both ways round.
    """
    if trf.is_of_matches(report):
        return trf.match_boards(report, number)
    boards: set[Pair] = set()
    for player in report.players:
        result = player.results[number - 1] if number <= len(player.results) else None
        if result and result.code is trf.Code.PAIRING_BYE:
            boards.add((player.id, 0))
        elif result and result.opponent is not None and result.is_white is not False:
            boards.add((player.id, result.opponent))
    return boards
