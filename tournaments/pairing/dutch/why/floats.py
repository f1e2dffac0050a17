"""Reasons why a player moved down from a bracket."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.pairing.dutch.rules.bracket import BracketPairing
from tournaments.pairing.dutch.search.bits import bits
from tournaments.pairing.dutch.search.completion import Completion
from tournaments.pairing.dutch.search.exact import best_pairs
from tournaments.pairing.dutch.search.quick import pairs_without
from tournaments.pairing.dutch.why.look_ahead import values_with_c8
from tournaments.pairing.solution import FloatReason

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.pairing.dutch.search.steps import Step
    from tournaments.pairing.solution import CriterionValue

# Brackets up to here are given to the exact way.
_SMALL = 40


def float_reasons(step: Step, values: Sequence[CriterionValue]) -> tuple[FloatReason, ...]:
    """Return one reason for each floater of the bracket, in ranking order.

    `values` are its criteria with bounds.
    """
    floaters = step.pairing.floaters
    plain = FloatReason(0, _common_cause(step, values))
    return tuple(
        _reason(step, values, place, plain._replace(tpn=step.field.players[place].tpn))
        for place in floaters
    )


def _common_cause(step: Step, values: Sequence[CriterionValue]) -> str:
    c6 = values[0]
    if c6.value == (len(step.bracket.members) % 2,):
        return "odd"
    return "no-matching" if c6.proof == "maximum-matching" else "completion"


def _reason(
    step: Step, values: Sequence[CriterionValue], place: int, plain: FloatReason
) -> FloatReason:
    others = _inside(step, place)
    if not step.field.legal[place] & others:
        return _alone(step, place, others)
    if place == step.bracket.residents[-1]:
        return plain._replace(choice="last")
    if len(step.pairing.floaters) == 1:
        return _instead(step, values, plain)
    if len(step.bracket.members) > _SMALL:
        return plain
    return _unless_paired(step, values, place, plain)


def _inside(step: Step, place: int) -> int:
    """Return those of the bracket whom this one could meet, as bits: MDPs do not meet each other."""
    residents = step.bracket.residents
    mask = sum(1 << p for p in residents)
    if place in residents:
        mask |= sum(1 << p for p in step.bracket.mdps)
    return mask & ~(1 << place)


def _alone(step: Step, place: int, others: int) -> FloatReason:
    """Return how many of the others this one must not meet, by the cause."""
    players = step.field.players
    me = players[place]
    met = colour = forbidden = 0
    for other in bits(others):
        if players[other].tpn in me.contestant.met:
            met += 1
        elif frozenset((me.tpn, players[other].tpn)) in step.field.problem.forbidden:
            forbidden += 1
        else:
            colour += 1
    return FloatReason(me.tpn, "no-opponent", met=met, colour=colour, forbidden=forbidden)


def _instead(step: Step, values: Sequence[CriterionValue], plain: FloatReason) -> FloatReason:
    """Return the criterion that would be worse if the last of the bracket moved down."""
    last = step.bracket.residents[-1]
    reason = plain._replace(instead=step.field.players[last].tpn)
    return _compared(reason, values, _with_floater(step, last))


def _unless_paired(
    step: Step, values: Sequence[CriterionValue], place: int, plain: FloatReason
) -> FloatReason:
    """Return the criterion that would be worse if this one were paired in its bracket, with any other floater."""
    reason = plain._replace(is_paired_otherwise=True)
    return _compared(reason, values, _with_pair_inside(step, place))


def _compared(
    reason: FloatReason,
    values: Sequence[CriterionValue],
    otherwise: tuple[CriterionValue, ...] | None,
) -> FloatReason:
    """Return the reason with the first criterion that would be worse.

    `otherwise` is None if C4 would be broken.
    """
    if otherwise is None:
        return reason._replace(choice="criterion", criterion="C4")
    others = {value.criterion: value.value for value in otherwise}
    for value in values:
        if others.get(value.criterion, value.value) != value.value:
            return reason._replace(
                choice="criterion",
                criterion=value.criterion,
                value=value.value,
                other=others[value.criterion],
            )
    return reason._replace(choice="order")


def _with_pair_inside(step: Step, place: int) -> tuple[CriterionValue, ...] | None:
    """Return the best criteria values when this one is paired in the bracket, or None when the round cannot be completed."""
    bracket = step.bracket
    members = sum(1 << p for p in bracket.members)
    outside = ~members
    legal = [
        mask if members >> p & 1 else mask & ~(1 << place)
        for p, mask in enumerate(step.field.legal)
    ]
    legal[place] &= ~outside
    return _best_values(step, legal, bye=bracket.bye - {place})


def _with_floater(step: Step, place: int) -> tuple[CriterionValue, ...] | None:
    """Return the best criteria values when this one moves down, or None when the round cannot be completed (C4)."""
    field, bracket = step.field, step.bracket
    legal = list(field.legal)
    members = sum(1 << p for p in bracket.members)
    legal[place] &= ~members
    for p in bracket.members:
        legal[p] &= ~(1 << place)
    narrowed = field.with_legal(legal)
    narrowed_bracket = bracket.within(narrowed, bracket.bye)
    completion = Completion(narrowed, bracket.bye)
    if not completion.can_be_paired(bracket):
        return None
    pairs = None
    if completion.takes_floater(bracket, place):
        pairs = pairs_without(bracket, [place])
    if pairs is None:
        pairs = best_pairs(narrowed_bracket, completion)
    return values_with_c8(BracketPairing(narrowed_bracket, pairs), completion)


def _best_values(
    step: Step, legal: Sequence[int], *, bye: frozenset[int]
) -> tuple[CriterionValue, ...] | None:
    """Return the best criteria values of the bracket in a field with these legal opponents, or None if C4 is broken."""
    field = step.field.with_legal(legal)
    bracket = step.bracket.within(field, bye)
    completion = Completion(field, bye)
    if not completion.can_be_paired(bracket):
        return None
    return values_with_c8(BracketPairing(bracket, best_pairs(bracket, completion)), completion)
