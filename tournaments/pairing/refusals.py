"""Reasons against a pair or a bye."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from tournaments.pairing.problem import BadProblemError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.pairing.problem import Contestant, PairingProblem
    from tournaments.pairing.solution import CriterionValue, Solution


class Reason(StrEnum):
    """The reason for which a pair or a bye is not in the pairing."""

    GRANTED = "granted"  # it is: they meet, or this one has the bye
    ABSENT = "absent"  # one of the two is not paired in this round
    MET = "met"  # C1
    FORBIDDEN = "forbidden"
    COLOUR = "colour"  # C3
    EVEN = "even"  # nobody has a bye
    BYE_HAD = "bye-had"  # C2
    COMPLETION = "completion"  # C4: the others could not all be paired
    CRITERION = "criterion"  # a criterion would be worse
    ORDER = "order"  # as good, but generated later (C.04.3 3.8 and 4)


class Step4(StrEnum):
    """The step of the order of generation (C.04.3 4) that puts the pairing before the other one."""

    MDP_SET = "mdp-set"  # 4.4
    MDP_OPPONENT = "mdp-opponent"  # 4.2
    EXCHANGE = "exchange"  # 4.3
    TRANSPOSITION = "transposition"  # 4.2
    UNKNOWN = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason why `tpn` did not meet `opponent`, or did not have the bye when that is None.

    Attributes:
        tpn, opponent: the asking and the requested player.
        reason: in one word.
        absent: with ABSENT: the one who is not paired.
        round_number: with MET: of their game.
        criterion, article: with COMPLETION and CRITERION: the criterion. With ORDER the article
            alone. Systems without a regulation have words in place of codes, also with MET and ORDER.
        value, other: of that criterion, in half points if it is about scores: as it is, and under
            the constraint.
        step: with ORDER: which step of the generation.
        halves: the pairing score of the residents of the first bracket that differs, or None if no
            bracket decides.
        moves_down: the player who would have had to move down from that bracket for the two to
            meet, or None when both were in it.
        bye: the one of the two who has the bye instead of a game.
    """

    tpn: int
    opponent: int | None
    reason: Reason
    absent: int | None = None
    round_number: int = 0
    criterion: str = ""
    article: str = ""
    value: tuple[int, ...] = ()
    other: tuple[int, ...] = ()
    step: Step4 = Step4.UNKNOWN
    halves: int | None = None
    moves_down: int | None = None
    bye: int | None = None

    @property
    def is_objection(self) -> bool:
        """Return whether the rules prefer another pairing, and not this one or one that is as good."""
        is_equal = self.reason is Reason.ORDER and not (self.article or self.value)
        return self.reason is not Reason.GRANTED and not is_equal


def refused_outright(
    problem: PairingProblem, solution: Solution, tpn: int, opponent: int | None
) -> Refusal:
    """Return the reason that needs no comparison, in systems without criteria. The reason is ORDER if there is none.

    Raises BadProblemError when the two are one, or unknown.
    """
    known = {c.tpn for c in (*problem.contestants, *problem.absent)}
    if tpn == opponent or not {tpn, tpn if opponent is None else opponent} <= known:
        raise BadProblemError(f"no question about TPN {tpn} and {opponent}")
    present = {c.tpn for c in problem.contestants}
    had = solution.bye if solution.bye in (tpn, opponent) else None
    plain = Refusal(tpn, opponent, Reason.ORDER, bye=had)
    if is_granted(solution, tpn, opponent):
        return Refusal(tpn, opponent, Reason.GRANTED)
    for one in (tpn, opponent):
        if one is not None and one not in present:
            return Refusal(tpn, opponent, Reason.ABSENT, absent=one)
    if opponent is None and len(present) % 2 == 0:
        return replace(plain, reason=Reason.EVEN)
    if opponent is not None and frozenset((tpn, opponent)) in problem.forbidden:
        return replace(plain, reason=Reason.FORBIDDEN)
    return plain


def last_meeting(contestant: Contestant, opponent: int) -> int:
    """Return the last round in which the two met, or 0."""
    return max(
        (
            number
            for number, record in enumerate(contestant.records, start=1)
            if record.kind.is_meeting and record.opponent == opponent
        ),
        default=0,
    )


def is_granted(solution: Solution, tpn: int, opponent: int | None) -> bool:
    """Return whether the two meet, or this one has the bye when `opponent` is None."""
    if opponent is None:
        return solution.bye == tpn
    return any({b.first, b.second} == {tpn, opponent} for b in solution.boards)


def first_difference(
    actual: Sequence[CriterionValue], constrained: Sequence[CriterionValue]
) -> tuple[CriterionValue, CriterionValue] | None:
    """Return the first criterion that both have with different values, as it is and under the constraint."""
    others = {value.criterion: value for value in constrained}
    for value in actual:
        other = others.get(value.criterion)
        if other is not None and other.value != value.value:
            return value, other
    return None
