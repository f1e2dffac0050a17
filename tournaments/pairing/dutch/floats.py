"""Why somebody moved down from a bracket."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tournaments.pairing.dutch.bits import bits
from tournaments.pairing.dutch.evidence import criteria_values
from tournaments.pairing.dutch.exact import best_pairs
from tournaments.pairing.dutch.look_ahead import c8_value, next_left, with_c8
from tournaments.pairing.dutch.quick import pairs_without
from tournaments.pairing.solution import FloatReason

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.pairing.dutch.system import Step
    from tournaments.pairing.problem import PairingProblem
    from tournaments.pairing.solution import CriterionValue

# Brackets up to here are given to the exact way.
_SMALL = 40


def float_reasons(
    problem: PairingProblem, step: Step, values: Sequence[CriterionValue]
) -> tuple[FloatReason, ...]:
    """One reason for each floater of the bracket, in ranking order; `values` are its criteria with bounds."""
    paired = {place for pair in step.pairs for place in pair}
    floaters = [place for place in step.bracket.members if place not in paired]
    cause = _common_cause(step, values)
    return tuple(_reason(problem, step, values, place, cause, floaters) for place in floaters)


def _common_cause(step: Step, values: Sequence[CriterionValue]) -> str:
    c6 = values[0]
    if c6.value == (len(step.bracket.members) % 2,):
        return "odd"
    return "no-matching" if c6.proof == "maximum-matching" else "completion"


def _reason(
    problem: PairingProblem,
    step: Step,
    values: Sequence[CriterionValue],
    place: int,
    cause: str,
    floaters: Sequence[int],
) -> FloatReason:
    entrant = step.field.entrants[place]
    others = _inside(step, place)
    if not step.field.legal[place] & others:
        return _alone(problem, step, place, others)
    plain = FloatReason(entrant.tpn, cause)
    if place == step.bracket.residents[-1]:
        return replace(plain, choice="last")
    if len(floaters) > 1:
        return plain
    return _instead(problem, step, values, plain)


def _inside(step: Step, place: int) -> int:
    """Those of the bracket whom this one is there to meet, as bits: MDPs do not meet each other."""
    residents = step.bracket.residents
    mask = sum(1 << p for p in residents)
    if place in residents:
        mask |= sum(1 << p for p in step.bracket.mdps)
    return mask & ~(1 << place)


def _alone(problem: PairingProblem, step: Step, place: int, others: int) -> FloatReason:
    entrants = step.field.entrants
    me = entrants[place]
    met = colour = forbidden = 0
    for other in bits(others):
        if entrants[other].tpn in me.contestant.met:
            met += 1
        elif frozenset((me.tpn, entrants[other].tpn)) in problem.forbidden:
            forbidden += 1
        else:
            colour += 1
    return FloatReason(me.tpn, "no-opponent", met=met, colour=colour, forbidden=forbidden)


def _instead(
    problem: PairingProblem, step: Step, values: Sequence[CriterionValue], plain: FloatReason
) -> FloatReason:
    """What would be worse if the last of the bracket moved down."""
    last = step.bracket.residents[-1]
    told = replace(plain, instead=step.field.entrants[last].tpn)
    others = _with_floater(problem, step, last)
    if others is None:
        return replace(told, choice="criterion", criterion="C4")
    wished = {value.criterion: value.value for value in others}
    for value in values:
        if wished.get(value.criterion, value.value) != value.value:
            return replace(
                told,
                choice="criterion",
                criterion=value.criterion,
                value=value.value,
                other=wished[value.criterion],
            )
    return replace(told, choice="order")


def _with_floater(
    problem: PairingProblem, step: Step, place: int
) -> tuple[CriterionValue, ...] | None:
    """The best criteria values when this one moves down, or None when the round cannot be completed (C4)."""
    field, bracket = step.field, step.bracket
    legal = list(field.legal)
    members = sum(1 << p for p in bracket.members)
    legal[place] &= ~members
    for p in bracket.members:
        legal[p] &= ~(1 << place)
    narrowed = replace(field, legal=tuple(legal))
    completion = type(step.completion)(narrowed, bracket.bye)
    if not completion.can_be_paired(bracket):
        return None
    pairs = None
    if completion.takes_floater(bracket, place):
        pairs = pairs_without(problem, field, bracket, place)
    if pairs is None:
        pairs = best_pairs(problem, narrowed, bracket, completion)
    values = criteria_values(problem, field, bracket, pairs)
    if not bracket.below:
        return values
    paired = {p for pair in pairs for p in pair}
    floaters = [p for p in bracket.members if p not in paired]
    return with_c8(
        values, c8_value(field, next_left(problem, narrowed, bracket, completion, floaters))
    )
