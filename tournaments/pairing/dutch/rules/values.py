"""The values of a bracket's pairing in every criterion, counted from its pairs alone (C.04.3 2.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.pairing.colours import Strength
from tournaments.pairing.dutch.rules.criterion import QualityCriterion, Scope, Unit
from tournaments.pairing.solution import CriterionValue

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.pairing.dutch.rules.bracket import BracketPairing
    from tournaments.pairing.dutch.rules.player import DutchPlayer

_Instance = tuple["DutchPlayer", "DutchPlayer | None"]
_OF_ANY_BRACKET = [scope for scope in Scope if scope not in (Scope.NEXT_BRACKET, Scope.BYE)]


def is_clash(one: DutchPlayer, two: DutchPlayer) -> bool:
    """Return whether both are due one side, so that one will not get it (C12)."""
    return one.preference.side is not None and one.preference.side is two.preference.side


def is_absolute_clash(one: DutchPlayer, two: DutchPlayer) -> bool:
    """Return whether both are due one side absolutely, which C3 leaves to topscorers."""
    weaker = min(one.preference.strength, two.preference.strength)
    return is_clash(one, two) and weaker is Strength.ABSOLUTE


def criteria_values(pairing: BracketPairing) -> tuple[CriterionValue, ...]:
    """C6, C7 and C9 to C21 of the pairing, each to be as small as possible. C8 needs the next bracket."""
    scopes = _scopes(pairing)
    return tuple(
        CriterionValue(c.code, c.article, _value(c, pairing, scopes[c.scope]))
        for c in pairing.bracket.field.criteria
        if isinstance(c, QualityCriterion) and c.scope in scopes
    )


def _value(
    criterion: QualityCriterion, pairing: BracketPairing, instances: Sequence[_Instance]
) -> tuple[int, ...]:
    amounts = [criterion.amount(pairing.bracket, one, other) for one, other in instances]
    counted = [amount for amount in amounts if amount is not None]
    if criterion.unit is Unit.POINTS:
        return tuple(sorted(counted, reverse=True))
    return (sum(counted),)


def _scopes(pairing: BracketPairing) -> dict[Scope, list[_Instance]]:
    """Return all players whom a criterion of that scope counts, with the opponent if it is about pairs."""
    bracket = pairing.bracket
    floaters: list[_Instance] = [(bracket.field.players[p], None) for p in pairing.floaters]
    scopes: dict[Scope, list[_Instance]] = {scope: [] for scope in _OF_ANY_BRACKET}
    for one, two in (*pairing.games, *floaters):
        for scope in scopes_of(one, two, is_mdp=one.place in bracket.mdps):
            scopes[scope].append((one, two))
    if bracket.bye_falls_here and len(floaters) == 1:
        scopes[Scope.BYE] = floaters
    return scopes


def scopes_of(one: DutchPlayer, two: DutchPlayer | None, *, is_mdp: bool) -> list[Scope]:
    """Return the scopes that count a pair, or a floater (`two` is None), except for the bye's.

    `is_mdp` is about the first.
    """
    if two is None:
        return [Scope.FLOATERS, Scope.MDPS if is_mdp else Scope.RESIDENT_FLOATERS, Scope.EVERYBODY]
    scopes = [Scope.EVERYBODY]
    if is_clash(one, two):
        scopes.append(Scope.CLASHES)
        if is_absolute_clash(one, two):
            scopes.append(Scope.ABSOLUTE_CLASHES)
    if is_mdp:
        scopes += [Scope.MDPS, Scope.MDP_PAIRS]
    return scopes
