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
    bracket, games = pairing.bracket, pairing.games
    mdps = frozenset(bracket.mdps)
    floaters: list[_Instance] = [(bracket.field.players[p], None) for p in pairing.floaters]
    mdp_games: list[_Instance] = [game for game in games if game[0].place in mdps]
    scopes = {
        Scope.FLOATERS: floaters,
        Scope.CLASHES: [game for game in games if is_clash(*game)],
        Scope.ABSOLUTE_CLASHES: [game for game in games if is_absolute_clash(*game)],
        Scope.RESIDENT_FLOATERS: [f for f in floaters if f[0].place not in mdps],
        Scope.MDPS: [*mdp_games, *(f for f in floaters if f[0].place in mdps)],
        Scope.MDP_PAIRS: mdp_games,
        Scope.EVERYBODY: [*games, *floaters],
    }
    if bracket.bye_falls_here and len(floaters) == 1:
        scopes[Scope.BYE] = floaters
    return scopes  # type: ignore[return-value]  # a list of pairs is a list of instances that nobody writes to
