"""A round robin in which all players meet, by Berger's tables (FIDE Handbook C.05 annex 1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tournaments.pairing.problem import BadProblemError, EventDecidedError, RoundKind
from tournaments.pairing.solution import Board, IdleReason
from tournaments.pairing.solution_builder import SolutionBuilder, refuse_pool, starters

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tournaments.pairing.problem import FormatOptions, PairingProblem
    from tournaments.pairing.solution import Solution

_MOST_CYCLES = 2


@dataclass(frozen=True, slots=True)
class TableRound:
    """One round of a table, in the table's numbers from 1: its boards, and the free player of an odd field."""

    boards: tuple[Board, ...]
    free: int | None


def table_rounds(players: int, cycles: int) -> int:
    """Return how many rounds a table for this number takes: an odd field has a dummy, and fewer than two take no round."""
    return cycles * (players + players % 2 - 1) if players > 1 else 0


def berger(players: int, table_round: int) -> TableRound:
    """Return round `table_round` (from 1) of the Berger table for this number of players, boards in the table's order.

    With n players (or n - 1 and a dummy numbered n), numbers modulo n - 1 that meet in round r add
    up to r + 1. The one that would meet itself, the pivot, meets n. From the pivot upwards each has
    the first side against the one at an equal distance below. n has the second side in odd rounds
    and the first in even ones. This writes all of C.05 annex 1 and continues it.
    """
    even = players + players % 2
    ring = even - 1
    # Twice the pivot is r + 1 modulo the ring. even / 2 is the inverse of 2 there.
    pivot = ((table_round + 1) * (even // 2) - 1) % ring + 1
    boards = [
        Board((pivot + apart - 1) % ring + 1, (pivot - apart - 1) % ring + 1)
        for apart in range(1, even // 2)
    ]
    if players % 2:
        return TableRound(tuple(boards), pivot)
    top = Board(pivot, even) if table_round % 2 else Board(even, pivot)
    return TableRound((top, *boards), None)


def scheduled(
    players: int, cycles: int, round_number: int, *, exchanges_rounds: bool = True
) -> TableRound:
    """Return round `round_number` (from 1) of one cycle, or of two with sides exchanged in the second.

    C.05 annex 1: in a double round robin the last two rounds of the first cycle change places, so
    that no player has one side three times in a row. Not `exchanges_rounds` they do not.
    """
    length = table_rounds(players, 1)
    cycle, place = divmod(round_number - 1, length)
    is_first_of_two = exchanges_rounds and cycles == _MOST_CYCLES and cycle == 0
    if is_first_of_two and length > 1 and place >= length - 2:
        place = 2 * length - 3 - place
    table = berger(players, place + 1)
    if cycle == 0:
        return table
    return TableRound(tuple(Board(b.second, b.first) for b in table.boards), table.free)


def check_cycles(options: FormatOptions) -> None:
    """Raises BadProblemError unless there are one or two cycles."""
    if not 1 <= options.cycles <= _MOST_CYCLES:
        raise BadProblemError(f"{options.cycles} cycles: a round robin has one or two")


def seat_table(
    builder: SolutionBuilder,
    tpns: Sequence[int],
    *,
    options: FormatOptions,
    round_number: int,
    details: Mapping[str, int],
) -> None:
    """Seat round `round_number` of the table in which `tpns` have the numbers 1, 2, ...

    After its end all are free.
    """
    if round_number > table_rounds(len(tpns), options.cycles):
        for tpn in tpns:
            builder.idle(tpn, RoundKind.FREE, reason=IdleReason.TABLE_OVER)
        return
    table = scheduled(
        len(tpns), options.cycles, round_number, exchanges_rounds=options.exchanges_rounds
    )
    for board in table.boards:
        builder.meet(
            first=tpns[board.first - 1],
            second=tpns[board.second - 1],
            colour_rule="C.05 annex 1",
            meeting="berger",
            details={**details, "table_round": round_number},
        )
    if table.free is not None:
        builder.idle(tpns[table.free - 1], RoundKind.FREE, reason=IdleReason.ODD)


class RoundRobin:
    """A round robin of one or two cycles on TPNs.

    Absent players lose by forfeit, for the table never changes.
    """

    name = "round-robin"
    version = "round-robin-1"

    def rounds(self, players: int, options: FormatOptions) -> int:
        """Rounds of the whole table. Raises BadProblemError for fewer than two players, or other cycles than 1 and 2."""
        check_cycles(options)
        if players < 2:
            raise BadProblemError(f"{players} players: a round robin needs two")
        return table_rounds(players, options.cycles)

    def pair(self, problem: PairingProblem) -> Solution:
        """Return the round of the table.

        Raises:
            BadProblemError: also when a player joined after round 1, for whom the table has no
                number.
            EventDecidedError: after the last round of the table.
            NoPairingError: when the table lets two meet who must not.
        """
        refuse_pool(problem, self.name)
        tpns = starters(problem)
        if len(tpns) < len(problem.contestants) + len(problem.absent):
            raise BadProblemError("a round robin takes nobody in after round 1")
        if problem.round_number > self.rounds(len(tpns), problem.options):
            raise EventDecidedError(
                f"the table for {len(tpns)} has no round {problem.round_number}"
            )
        builder = SolutionBuilder(problem)
        cycle = (problem.round_number - 1) // table_rounds(len(tpns), 1) + 1
        seat_table(
            builder,
            tpns,
            options=problem.options,
            round_number=problem.round_number,
            details={"cycle": cycle},
        )
        return builder.solution(others=RoundKind.FREE)
