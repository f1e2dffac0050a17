"""Verification of a round: it is paired again from its stored input, and the answers compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.models import Round, Seat
from tournaments.pairing import SYSTEMS, PairingError, Solution, system, violations
from tournaments.queries.events import seed_chain
from tournaments.queries.results import pairing_input
from tournaments.queries.results.pairing_input import LARGE_FIELD
from tournaments.trf import TrfError


@dataclass(frozen=True, slots=True)
class Difference:
    """Two players who meet in only one of the answers, by present TPN. The pairing bye is an opponent None."""

    first: int
    second: int | None


@dataclass(frozen=True, slots=True)
class RoundCheck:
    """The result of pairing a round again.

    Attributes:
        engine_then, engine_now: name and version of the pairing system.
        only_then: boards of the played round that the new answer lacks.
        only_now: boards of the new answer that the played round lacks. Both are empty without a
            difference, sides included.
        faults: breaches of the basic rules (C.04.1), in English; normally empty.
        failure: the reason for which no answer came now; empty with an answer.
        is_seed_committed: whether the round's set-up is the one that was committed to before the
            event.
    """

    engine_then: str
    engine_now: str
    only_then: Sequence[Difference]
    only_now: Sequence[Difference]
    faults: Sequence[str]
    failure: str
    is_seed_committed: bool

    @property
    def is_confirmed(self) -> bool:
        """Return whether the problem still has its answer, and that answer is legal."""
        return not (self.only_then or self.only_now or self.faults or self.failure)


def may_verify(round_: Round, *, is_staff: bool) -> bool:
    """Return whether the visitor may have the round paired again.

    Large fields take time: only the staff may.
    """
    return is_staff or round_.seats.count() <= LARGE_FIELD


def verify(round_: Round) -> RoundCheck:
    """Pair the round again from its stored input, by the current system."""
    event = round_.event
    now = system(event.format)
    then = _boards_then(round_)
    faults: list[str] = []
    failure = ""
    boards: list[Difference] = []
    try:
        problem = pairing_input.read_back(round_)
        solution = now.pair(problem)
    except (PairingError, TrfError) as error:
        failure = str(error)
    else:
        bars = SYSTEMS[event.format].full_bye_bars_bye
        faults = violations(problem, solution, full_bye_bars_bye=bars)
        boards = _boards_now(round_, solution)
    return RoundCheck(
        engine_then=round_.engine,
        engine_now=now.version,
        only_then=_without(then, boards),
        only_now=_without(boards, then),
        faults=faults,
        failure=failure,
        is_seed_committed=not round_.setup_seed
        or seed_chain.is_committed(event.seed_commitment, round_.number, round_.setup_seed),
    )


def _without(some: Sequence[Difference], others: Sequence[Difference]) -> list[Difference]:
    other_boards = set(others)
    return [board for board in some if board not in other_boards]


def _boards_then(round_: Round) -> list[Difference]:
    pairings = round_.pairings.order_by("board").values_list("first__tpn", "second__tpn")
    byes = round_.seats.filter(kind=Seat.Kind.PAIRING_BYE).values_list("entry__tpn", flat=True)
    return [
        *(Difference(first or 0, second) for first, second in pairings),
        *(Difference(tpn or 0, None) for tpn in byes),
    ]


def _boards_now(round_: Round, solution: Solution) -> list[Difference]:
    """Return the boards of the answer in present numbers."""
    now = round_.numbers.now
    boards = [Difference(now(board.first), now(board.second)) for board in solution.boards]
    return boards if solution.bye is None else [*boards, Difference(now(solution.bye), None)]
