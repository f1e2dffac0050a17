"""Why two did not meet, or one did not get the bye: the round paired again with the wish come true, and compared.

What was settled in the brackets above stays as it is. The first bracket in which the wish and the pairing part is paired
again, exactly, with the wish in it; the first criterion that is worse then is the reason.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from tournaments.pairing.dutch.completion import Completion
from tournaments.pairing.dutch.forced import (
    Wish,
    forced_pairs,
    forced_values,
    restricted,
    wished_bye,
)
from tournaments.pairing.dutch.look_ahead import judged
from tournaments.pairing.dutch.retrace import retraced
from tournaments.pairing.problem import BadProblemError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.pairing.dutch.bracket import Bracket
    from tournaments.pairing.dutch.field import Entrant, Field
    from tournaments.pairing.dutch.system import Step
    from tournaments.pairing.problem import PairingProblem
    from tournaments.pairing.solution import CriterionValue, Solution


class Reason(StrEnum):
    """Why something is not in the pairing."""

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
    """Where the order of generation (C.04.3 4) puts the pairing before the wish."""

    MDP_SET = "mdp-set"  # 4.4
    MDP_OPPONENT = "mdp-opponent"  # 4.2
    EXCHANGE = "exchange"  # 4.3
    TRANSPOSITION = "transposition"  # 4.2
    UNKNOWN = ""


_ARTICLES = {
    Step4.MDP_SET: "4.4",
    Step4.MDP_OPPONENT: "4.2",
    Step4.EXCHANGE: "4.3",
    Step4.TRANSPOSITION: "4.2",
    Step4.UNKNOWN: "3.8",
}


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why `tpn` did not meet `wanted`, or did not have the bye when that is None.

    Attributes:
        tpn, wanted: who asks, and for whom.
        reason: in one word.
        absent: with ABSENT: the one who is not paired.
        round_number: with MET: of their game.
        criterion, article: with COMPLETION and CRITERION: the criterion; with ORDER the article alone.
        value, other: of that criterion, in half points where it is about scores: as it is, and with the wish.
        step: with ORDER: which step of the generation.
        halves: the pairing score of the bracket's residents where the two ways part; None where no bracket decides.
        moves_down: who would have had to move down from that bracket for the two to meet; None when both were in it.
        bye: the one of the two who has the bye instead of a game.
    """

    tpn: int
    wanted: int | None
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


def why_not(
    problem: PairingProblem,
    solution: Solution,
    tpn: int,
    wanted: int | None,
    *,
    steps: Sequence[Step] | None = None,
) -> Refusal:
    """Why `tpn` does not meet `wanted` in `solution`; with None: why it does not have the bye.

    `steps` are the brackets of the solution if the caller has them already (`retraced`).

    Raises:
        BadProblemError: when the two are one, or unknown, or the solution is not one of the problem.
    """
    known = {c.tpn for c in (*problem.contestants, *problem.absent)}
    if tpn == wanted or tpn not in known or (wanted is not None and wanted not in known):
        raise BadProblemError(f"no question about TPN {tpn} and {wanted}")
    if _is_granted(solution, tpn, wanted):
        return Refusal(tpn, wanted, Reason.GRANTED)
    playing = {c.tpn for c in problem.contestants}
    for one in (tpn, wanted):
        if one is not None and one not in playing:
            return Refusal(tpn, wanted, Reason.ABSENT, absent=one)
    steps = retraced(problem, solution) if steps is None else steps
    asked = _Asked(problem, solution, steps, tpn, wanted)
    return asked.forbidden() or asked.compared()


def _is_granted(solution: Solution, tpn: int, wanted: int | None) -> bool:
    if wanted is None:
        return solution.bye == tpn
    return any({b.first, b.second} == {tpn, wanted} for b in solution.boards)


class _Asked:
    """One question about one round."""

    def __init__(
        self,
        problem: PairingProblem,
        solution: Solution,
        steps: Sequence[Step],
        tpn: int,
        wanted: int | None,
    ) -> None:
        self.problem = problem
        self.steps = steps
        self.field: Field = steps[0].field
        entrants = {e.tpn: e for e in self.field.entrants}
        self.one: Entrant = entrants[tpn]
        self.other: Entrant | None = None if wanted is None else entrants[wanted]
        bye = solution.bye if solution.bye in (tpn, wanted) else None
        self.plain = Refusal(tpn, wanted, Reason.ORDER, bye=bye)
        places = sorted(e.place for e in (self.one, self.other) if e is not None)
        self.wish = Wish(places[0], places[1] if len(places) > 1 else None)

    def forbidden(self) -> Refusal | None:
        """What no pairing may have (C1-C3), or None."""
        if self.other is None:
            return self._no_bye()
        if self.field.may_meet(self.one.place, self.other.place):
            return None
        games = [
            number
            for number, record in enumerate(self.one.contestant.records, start=1)
            if record.kind.is_played and record.opponent == self.other.tpn
        ]
        if games:
            return replace(self.plain, reason=Reason.MET, round_number=games[-1], criterion="C1")
        if frozenset((self.one.tpn, self.other.tpn)) in self.problem.forbidden:
            return replace(self.plain, reason=Reason.FORBIDDEN)
        return replace(self.plain, reason=Reason.COLOUR, criterion="C3", article="2.1.3")

    def _no_bye(self) -> Refusal | None:
        bye = self.steps[0].bracket.bye
        if not bye:
            return replace(self.plain, reason=Reason.EVEN)
        if not self.one.may_have_bye:
            return replace(self.plain, reason=Reason.BYE_HAD, criterion="C2", article="2.1.2")
        if self.one.place in bye:
            return None
        lowest = self.field.entrants[min(bye)].halves
        if self.one.halves > lowest:
            return self._worse("C5", "2.3.1", (lowest,), (self.one.halves,))
        # Lower than the lowest that can be left out: without this one the rest cannot be paired.
        return replace(self.plain, reason=Reason.COMPLETION, criterion="C4", article="2.2.1")

    def _worse(
        self, criterion: str, article: str, value: tuple[int, ...], other: tuple[int, ...]
    ) -> Refusal:
        return replace(
            self.plain,
            reason=Reason.CRITERION,
            criterion=criterion,
            article=article,
            value=value,
            other=other,
        )

    def compared(self) -> Refusal:
        """The first criterion that the wish makes worse in the bracket where it parts from the pairing."""
        parting = self._parting()
        bracket = parting.bracket
        is_below = self.wish.other is not None and self.wish.other not in bracket.members
        self.plain = replace(
            self.plain,
            halves=self.field.entrants[bracket.residents[0]].halves,
            moves_down=self.field.entrants[self.wish.one].tpn if is_below else None,
        )
        values = forced_values(self.problem, self.field, bracket, self.wish)
        if values is None:
            return self._incomplete(bracket)
        now = judged(self.problem, self.field, bracket, parting.completion, parting.pairs)
        difference = _first_difference(now, values)
        if difference is not None:
            return self._worse(
                difference.now.criterion,
                difference.now.article,
                difference.now.value,
                difference.wished.value,
            )
        step = self._step(bracket, parting.pairs)
        return replace(self.plain, article=_ARTICLES[step], step=step)

    def _parting(self) -> Step:
        """The first bracket with both in it, or with one who is paired there without the other."""
        for step in self.steps:
            members = step.bracket.members
            if self.wish.one not in members:
                continue
            if self.wish.other in members:
                return step
            if any(self.wish.one in pair for pair in step.pairs):
                return step
        raise BadProblemError("the wish is in the pairing")

    def _incomplete(self, bracket: Bracket) -> Refusal:
        """C5 where the bye would have to go to a higher score or to nobody, else C4."""
        if self.wish.other is not None and bracket.bye:
            anybody = frozenset(e.place for e in self.field.entrants if e.may_have_bye)
            halves = self.field.entrants[min(bracket.bye)].halves
            higher = {self.field.entrants[p].halves for p in anybody if p >= bracket.members[0]}
            for candidate in sorted(h for h in higher if h > halves):
                bye = frozenset(p for p in anybody if self.field.entrants[p].halves == candidate)
                if self._completes(bracket, bye):
                    return self._worse("C5", "2.3.1", (halves,), (candidate,))
        return replace(self.plain, reason=Reason.COMPLETION, criterion="C4", article="2.2.1")

    def _completes(self, bracket: Bracket, bye: frozenset[int]) -> bool:
        if not wished_bye(self.wish, bye):
            return False
        field, told = restricted(self.field, replace(bracket, bye=bye), self.wish)
        return Completion(field, told.bye).can_be_paired(told)

    def _step(self, bracket: Bracket, pairs: Sequence[tuple[int, int]]) -> Step4:
        wished = forced_pairs(self.problem, self.field, bracket, self.wish)
        return Step4.UNKNOWN if wished is None else generation_step(bracket, pairs, wished)


class _Difference(NamedTuple):
    now: CriterionValue
    wished: CriterionValue


def _first_difference(
    now: Sequence[CriterionValue], wished: Sequence[CriterionValue]
) -> _Difference | None:
    others = {value.criterion: value for value in wished}
    for value in now:
        other = others.get(value.criterion)
        if other is not None and other.value != value.value:
            return _Difference(value, other)
    return None


def generation_step(
    bracket: Bracket, pairs: Sequence[tuple[int, int]], later: Sequence[tuple[int, int]]
) -> Step4:
    """The step of the generation in which `pairs` come before `later`, both as good in all criteria."""
    moved = frozenset(bracket.mdps)
    mine = dict(sorted(pair for pair in pairs if pair[0] in moved))
    theirs = dict(sorted(pair for pair in later if pair[0] in moved))
    if mine.keys() != theirs.keys():
        return Step4.MDP_SET
    if mine != theirs:
        return Step4.MDP_OPPONENT
    # In the first exchange that makes a pairing S1 is the higher player of each pair.
    if {pair[0] for pair in pairs} != {pair[0] for pair in later}:
        return Step4.EXCHANGE
    return Step4.TRANSPOSITION
