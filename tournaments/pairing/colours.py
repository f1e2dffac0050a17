"""Allocation of sides: colour preferences and their allocation (C.04.3 1.6, 1.7 and 5)."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

from tournaments.pairing.problem import RoundKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.pairing.problem import Contestant, PairingProblem

_OTHER = {RoundKind.FIRST: RoundKind.SECOND, RoundKind.SECOND: RoundKind.FIRST}


class Strength(IntEnum):
    """Strength of a colour preference (C.04.3 1.7)."""

    NONE = 0
    MILD = 1
    STRONG = 2
    ABSOLUTE = 3


class Preference(NamedTuple):
    """The side that is due, or None, how strongly, and the colour difference behind it (firsts minus seconds)."""

    side: RoundKind | None
    strength: Strength
    difference: int


NO_PREFERENCE = Preference(None, Strength.NONE, 0)


def preference(contestant: Contestant) -> Preference:
    """Return the side due to `contestant` by the games it has played (C.04.3 1.7.1-1.7.4)."""
    return _preference(contestant.colours, NO_PREFERENCE)


def _preference(colours: tuple[RoundKind, ...], unplayed: Preference) -> Preference:
    """Return the preference after games with these sides, oldest first, or `unplayed` without any."""
    if not colours:
        return unplayed
    difference = colour_difference(colours)
    if abs(difference) > 1 or colours[-1:] * 2 == colours[-2:]:
        # 1.7.1: by the difference, else by the last two games.
        too_often = (
            colours[-1]
            if abs(difference) <= 1
            else (RoundKind.FIRST if difference > 0 else RoundKind.SECOND)
        )
        return Preference(_OTHER[too_often], Strength.ABSOLUTE, difference)
    if difference:
        side = RoundKind.SECOND if difference > 0 else RoundKind.FIRST
        return Preference(side, Strength.STRONG, difference)
    return Preference(_OTHER[colours[-1]], Strength.MILD, difference)


class Allocation(NamedTuple):
    """The TPNs with the first and second side, and the article that decided."""

    first: int
    second: int
    rule: str


def allocate(
    problem: PairingProblem,
    higher: Contestant,
    lower: Contestant,
    *,
    unplayed: Preference = NO_PREFERENCE,
) -> Allocation:
    """Return the sides of a pair, `higher` ranked above `lower` (C.04.3 5.2.1-5.2.5: the first rule that decides).

    `unplayed` is the preference of a player without a game, when the other has played one.
    """
    side, rule = _side_of_higher(problem, higher, lower, unplayed)
    if side is RoundKind.FIRST:
        return Allocation(higher.tpn, lower.tpn, rule)
    return Allocation(lower.tpn, higher.tpn, rule)


def _side_of_higher(
    problem: PairingProblem, higher: Contestant, lower: Contestant, unplayed: Preference
) -> tuple[RoundKind, str]:
    my_colours, their_colours = higher.colours, lower.colours
    if not my_colours and not their_colours:
        return problem.initial_side(higher.tpn), "5.2.5"
    mine, theirs = _preference(my_colours, unplayed), _preference(their_colours, unplayed)
    if mine.side is None or theirs.side is None or mine.side is not theirs.side:
        return mine.side or _OTHER[theirs.side or RoundKind.FIRST], "5.2.1"
    if mine.strength != theirs.strength:
        return (mine.side if mine.strength > theirs.strength else _OTHER[mine.side]), "5.2.2"
    if mine.strength is Strength.ABSOLUTE and abs(mine.difference) != abs(theirs.difference):
        wins = abs(mine.difference) > abs(theirs.difference)
        return (mine.side if wins else _OTHER[mine.side]), "5.2.2"
    if turned := latest_difference(my_colours, their_colours):
        return turned, "5.2.3"
    return mine.side, "5.2.4"


def alternate(problem: PairingProblem, higher: Contestant, lower: Contestant) -> Allocation:
    """Return the sides of a pair in formats without score groups, `higher` seeded above `lower`.

    `balance`: who had the first side less often, against the second, has it now (C.04.1 8).
    `alternation`: else the sides of the latest round in which they differed are reversed, or the
    higher seed changes sides. `initial`: before any game the higher seed has the drawn side if its
    TPN is odd, the other one if it is even.
    """
    side, rule = _alternated_side(problem, higher, lower)
    if side is RoundKind.FIRST:
        return Allocation(higher.tpn, lower.tpn, rule)
    return Allocation(lower.tpn, higher.tpn, rule)


def _alternated_side(
    problem: PairingProblem, higher: Contestant, lower: Contestant
) -> tuple[RoundKind, str]:
    mine, theirs = higher.colours, lower.colours
    apart = colour_difference(mine) - colour_difference(theirs)
    if apart:
        return (RoundKind.SECOND if apart > 0 else RoundKind.FIRST), "balance"
    if turned := latest_difference(mine, theirs):
        return turned, "alternation"
    if mine:
        return _OTHER[mine[-1]], "alternation"
    if theirs:
        return theirs[-1], "alternation"
    odd = higher.tpn % 2 == 1
    return (RoundKind.FIRST if odd == problem.odd_tpn_is_first else RoundKind.SECOND), "initial"


def other(side: RoundKind) -> RoundKind:
    """Return the other side of a board."""
    return _OTHER[side]


def latest_difference(mine: Sequence[RoundKind], theirs: Sequence[RoundKind]) -> RoundKind | None:
    """Return the side that alternates mine of the latest game in which the two differed, or None (C.04.2 3.4)."""
    for my_colour, their_colour in zip(reversed(mine), reversed(theirs), strict=False):
        if my_colour is not their_colour:
            return _OTHER[my_colour]
    return None


def colour_difference(colours: Sequence[RoundKind]) -> int:
    """First sides minus second sides."""
    return colours.count(RoundKind.FIRST) - colours.count(RoundKind.SECOND)
