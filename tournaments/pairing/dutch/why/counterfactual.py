"""Reasons why two did not meet, or one did not get the bye: the round paired again under that constraint, and compared.

The brackets above are not changed. The first bracket in which the pairing breaks the constraint is
paired again, exactly, under the constraint. The first criterion that is worse then is the reason.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tournaments.pairing.dutch.rules.bye import bye_choices
from tournaments.pairing.dutch.rules.criteria import BY_CODE
from tournaments.pairing.dutch.search.completion import Completion
from tournaments.pairing.dutch.why.constrained import (
    CounterfactualConstraint,
    constrained_bracket,
    constrained_pairs,
    constrained_values,
)
from tournaments.pairing.dutch.why.look_ahead import values_with_c8
from tournaments.pairing.dutch.why.rebuild_steps import rebuild_steps
from tournaments.pairing.problem import BadProblemError
from tournaments.pairing.refusals import (
    Reason,
    Refusal,
    Step4,
    first_difference,
    is_granted,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.pairing.dutch.rules.bracket import Bracket, BracketPairing
    from tournaments.pairing.dutch.rules.player import DutchPlayer
    from tournaments.pairing.dutch.search.steps import Step
    from tournaments.pairing.problem import PairingProblem
    from tournaments.pairing.solution import Solution


_ARTICLES = {
    Step4.MDP_SET: "4.4",
    Step4.MDP_OPPONENT: "4.2",
    Step4.EXCHANGE: "4.3",
    Step4.TRANSPOSITION: "4.2",
    Step4.UNKNOWN: "3.8",
}


def why_not(
    problem: PairingProblem,
    solution: Solution,
    tpn: int,
    opponent: int | None,
    *,
    steps: Sequence[Step] | None = None,
) -> Refusal:
    """Return why `tpn` does not meet `wanted` in `solution`.

    With None: why it does not have the bye.

    `steps` are the brackets of the solution if the caller has them already (`rebuild_steps`).

    Raises:
        BadProblemError: when the two are one, or unknown, or the solution is not one of the
            problem.
    """
    known = {c.tpn for c in (*problem.contestants, *problem.absent)}
    if tpn == opponent or tpn not in known or (opponent is not None and opponent not in known):
        raise BadProblemError(f"no question about TPN {tpn} and {opponent}")
    if is_granted(solution, tpn, opponent):
        return Refusal(tpn, opponent, Reason.GRANTED)
    playing = {c.tpn for c in problem.contestants}
    for one in (tpn, opponent):
        if one is not None and one not in playing:
            return Refusal(tpn, opponent, Reason.ABSENT, absent=one)
    steps = rebuild_steps(problem, solution) if steps is None else steps
    question = _Question(problem, solution, steps, tpn, opponent)
    return question.forbidden() or question.compared()


class _Question:
    """One question about one round."""

    def __init__(
        self,
        problem: PairingProblem,
        solution: Solution,
        steps: Sequence[Step],
        tpn: int,
        opponent: int | None,
    ) -> None:
        self.problem = problem
        self.steps = steps
        self.field = steps[0].field
        players = {p.tpn: p for p in self.field.players}
        self.one: DutchPlayer = players[tpn]
        self.other: DutchPlayer | None = None if opponent is None else players[opponent]
        bye = solution.bye if solution.bye in (tpn, opponent) else None
        self.plain = Refusal(tpn, opponent, Reason.ORDER, bye=bye)
        places = sorted(p.place for p in (self.one, self.other) if p is not None)
        self.constraint = CounterfactualConstraint(
            places[0], places[1] if len(places) > 1 else None
        )

    def forbidden(self) -> Refusal | None:
        """Return the fact that no pairing may have (C1-C3), or None."""
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
            article = BY_CODE["C1"].article
            return replace(
                self.plain,
                reason=Reason.MET,
                round_number=games[-1],
                criterion="C1",
                article=article,
            )
        if frozenset((self.one.tpn, self.other.tpn)) in self.problem.forbidden:
            return replace(self.plain, reason=Reason.FORBIDDEN)
        return self._barred(Reason.COLOUR, "C3")

    def _no_bye(self) -> Refusal | None:
        bye = self.steps[0].bracket.bye
        if not bye:
            return replace(self.plain, reason=Reason.EVEN)
        if not self.field.may_have_bye(self.one.place):
            return self._barred(Reason.BYE_HAD, "C2")
        if self.one.place in bye:
            return None
        lowest = self.field.players[min(bye)].score_halves
        if self.one.score_halves > lowest:
            return self._worse("C5", (lowest,), (self.one.score_halves,))
        # Lower than the lowest that can be left out: without this one the rest cannot be paired.
        return self._barred(Reason.COMPLETION, "C4")

    def _barred(self, reason: Reason, criterion: str) -> Refusal:
        article = BY_CODE[criterion].article
        return replace(self.plain, reason=reason, criterion=criterion, article=article)

    def _worse(self, criterion: str, value: tuple[int, ...], other: tuple[int, ...]) -> Refusal:
        return replace(self._barred(Reason.CRITERION, criterion), value=value, other=other)

    def compared(self) -> Refusal:
        """Return the first criterion that is worse under the constraint, in the first bracket whose pairing breaks it."""
        breach = self._breach()
        bracket = breach.bracket
        other = self.constraint.other
        is_below = other is not None and other not in bracket.members
        self.plain = replace(
            self.plain,
            halves=bracket.resident_score,
            moves_down=self.field.players[self.constraint.one].tpn if is_below else None,
        )
        values = constrained_values(bracket, self.constraint)
        if values is None:
            return self._incomplete()
        actual = values_with_c8(breach.pairing, breach.completion)
        difference = first_difference(actual, values)
        if difference is not None:
            return self._worse(difference[0].criterion, difference[0].value, difference[1].value)
        step = self._step(breach.pairing)
        return replace(self.plain, article=_ARTICLES[step], step=step)

    def _breach(self) -> Step:
        """Return the first bracket with both in it, or with one who is paired there without the other."""
        for step in self.steps:
            members = step.bracket.members
            if self.constraint.one not in members:
                continue
            if self.constraint.other in members or self.constraint.one in step.pairing.paired:
                return step
        raise BadProblemError("the pairing is as the constraint asks")

    def _incomplete(self) -> Refusal:
        """Return C5 if the bye would have to go to a higher score, else C4."""
        top = self.steps[0].bracket
        if self.constraint.other is not None and top.bye:
            lowest = self.field.players[min(top.bye)].score_halves
            choices = (choice for choice in bye_choices(self.field) if self._completes(top, choice))
            choice = next(choices, None)
            score = lowest if choice is None else self.field.players[choice[0]].score_halves
            if score > lowest:
                return self._worse("C5", (lowest,), (score,))
        return self._barred(Reason.COMPLETION, "C4")

    def _completes(self, bracket: Bracket, bye: Sequence[int]) -> bool:
        if not self.constraint.bye(frozenset(bye)):
            return False
        bracket = constrained_bracket(
            bracket.within(bracket.field, frozenset(bye)), self.constraint
        )
        return Completion(bracket.field, bracket.bye).can_be_paired(bracket)

    def _step(self, pairing: BracketPairing) -> Step4:
        later = constrained_pairs(pairing.bracket, self.constraint)
        return Step4.UNKNOWN if later is None else generation_step(pairing, later)


def generation_step(pairing: BracketPairing, later: Sequence[tuple[int, int]]) -> Step4:
    """Return the step of the generation in which the pairing comes before `later`, both as good in all criteria."""
    mdps = frozenset(pairing.bracket.mdps)
    mine = dict(sorted(pair for pair in pairing.pairs if pair[0] in mdps))
    theirs = dict(sorted(pair for pair in later if pair[0] in mdps))
    if mine.keys() != theirs.keys():
        return Step4.MDP_SET
    if mine != theirs:
        return Step4.MDP_OPPONENT
    # In the first exchange that makes a pairing S1 is the higher player of each pair.
    if {pair[0] for pair in pairing.pairs} != {pair[0] for pair in later}:
        return Step4.EXCHANGE
    return Step4.TRANSPOSITION
