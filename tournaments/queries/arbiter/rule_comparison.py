"""Rounds compared with the pairing rules: those of a foreign report, and the last one if the number of rounds changes."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from tournaments.commandline.checking import CheckedRound, checked_rounds
from tournaments.models import Event, Round
from tournaments.pairing import SYSTEMS, PairingError, system
from tournaments.pairing.round_robin import scheduled, table_rounds
from tournaments.pairing.solution import Board
from tournaments.queries import formats
from tournaments.queries.arbiter.foreign_reports import ForeignEvent
from tournaments.queries.arbiter.foreign_rounds import ForeignRound
from tournaments.queries.results import pairing_input
from tournaments.trf import TrfError

# A person waits for the comparison. The hardest round of this number of players takes a second, and no
# further round is compared after the time.
MOST_PLAYERS = 300
_MOST_S = 3.0


@dataclass(frozen=True, slots=True)
class Comparison:
    """Rounds that differ from the pairing rules, and rounds that were not compared.

    Attributes:
        differing: the boards, by the number of the round, that the rules do not give. Without boards
            the whole round differs: the rules seat other players.
        not_compared: numbers of rounds, because of their number of players, the time, or since the
            rules cannot be applied.
    """

    differing: Mapping[int, Sequence[int]] = field(default_factory=dict)
    not_compared: Sequence[int] = ()

    @property
    def detail(self) -> dict[str, Any]:
        """Return its words in the log, which lack an empty part."""
        parts = {
            "differing": {str(number): list(boards) for number, boards in self.differing.items()},
            "not_compared": list(self.not_compared),
        }
        return {name: part for name, part in parts.items() if part}


def of_report(foreign: ForeignEvent) -> Comparison:
    """Return the rounds of the report that the pairing system of its event pairs otherwise."""
    if formats.FORMATS[foreign.format].is_table:
        return _of_table(foreign)
    compared = list(_compared(foreign)) if len(foreign.players) <= MOST_PLAYERS else []
    return Comparison(
        differing={
            number: _others(foreign.rounds[number - 1], checked.solution.boards)
            if checked.solution
            else []
            for number, checked in enumerate(compared, start=1)
            if not checked.is_consistent
        },
        not_compared=range(len(compared) + 1, len(foreign.rounds) + 1),
    )


def _of_table(foreign: ForeignEvent) -> Comparison:
    """Return the rounds that are not those of the Berger table, with two rounds exchanged or without."""
    tpns = sorted(foreign.teams or foreign.players)
    rounds = range(1, len(foreign.rounds) + 1)
    length = table_rounds(len(tpns), 1)
    if tpns != list(range(1, len(tpns) + 1)) or len(foreign.rounds) > 2 * length:
        return Comparison(not_compared=rounds)
    cycles = 1 + (len(foreign.rounds) > length)
    answers = [
        {
            number: boards
            for number in rounds
            if (boards := _others(foreign.rounds[number - 1], table(number).boards))
        }
        for table in (
            partial(scheduled, len(tpns), cycles, exchanges_rounds=exchanges)
            for exchanges in (True, False)
        )
    ]
    return Comparison(differing=min(answers, key=len))


def _others(round_: ForeignRound, by_rules: Sequence[Board]) -> list[int]:
    """Return the boards of the round that the rules do not give. A forfeit may lack its colours."""
    pairs = {(board.first, board.second) for board in by_rules}
    return [
        number
        for number, board in enumerate(round_.boards, start=1)
        if (board.first, board.second) not in pairs
        and (board.is_met or (board.second, board.first) not in pairs)
    ]


def _compared(foreign: ForeignEvent) -> Iterator[CheckedRound]:
    if not SYSTEMS[foreign.format].title:
        return
    end = time.thread_time() + _MOST_S
    try:
        for checked in checked_rounds(foreign.report, foreign.format):
            yield checked
            if time.thread_time() > end:
                return
    except (PairingError, TrfError):
        return


def of_last_round(event: Event, rounds_total: int) -> Comparison:
    """Return the last paired round, if it is the final one of only one of the two numbers of rounds and differs.

    Players with more than half of the points are topscorers in the final round (C.04.3 1.8).
    """
    last = event.rounds.order_by("number").last()
    is_touched = last is not None and rounds_total != event.rounds_total
    if last is None or not is_touched or last.number not in (rounds_total, event.rounds_total):
        return Comparison()
    if not formats.of(event).is_swiss:
        return Comparison()
    if last.seats.count() > MOST_PLAYERS:
        return Comparison(not_compared=[last.number])
    boards = _other_boards(last, rounds_total)
    if boards is None:
        return Comparison(not_compared=[last.number])
    return Comparison(differing={last.number: boards} if boards else {})


def _other_boards(round_: Round, rounds_total: int) -> list[int] | None:
    """Return the boards that the rules do not give in an event of that length, None without an answer."""
    try:
        problem = pairing_input.read_back(round_)._replace(rounds_total=rounds_total)
        solution = system(round_.event.format).pair(problem)
    except (PairingError, TrfError):
        return None
    now = round_.numbers.now
    by_rules = {(now(board.first), now(board.second)) for board in solution.boards}
    # Boards made by hand differ in any event. An imported round has no evidence.
    by_system = round_.evidence_by_pair
    pairs = round_.pairings.order_by("board").values_list("board", "first__tpn", "second__tpn")
    return [
        board
        for board, first, second in pairs
        if (first, second) not in by_rules and (not by_system or (first, second) in by_system)
    ]
