"""What a bracket reached, counted criterion by criterion from its pairs and from nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.pairing.colours import Strength, allocate
from tournaments.pairing.dutch.field import Entrant, Float
from tournaments.pairing.solution import BracketEvidence, CriterionValue

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tournaments.pairing.dutch.bracket import Bracket
    from tournaments.pairing.dutch.field import Field
    from tournaments.pairing.problem import PairingProblem

_Pair = tuple[Entrant, Entrant]


def bracket_evidence(
    problem: PairingProblem, field: Field, bracket: Bracket, pairs: Sequence[tuple[int, int]]
) -> BracketEvidence:
    """The evidence of a bracket paired so. C8 is what the next bracket shows in its C6 and C7."""
    entrants = field.entrants
    paired = {place for pair in pairs for place in pair}
    floaters = [p for p in (*bracket.mdps, *bracket.residents) if p not in paired]
    return BracketEvidence(
        halves=entrants[bracket.residents[0]].halves,
        mdps=tuple(entrants[p].tpn for p in bracket.mdps),
        residents=tuple(entrants[p].tpn for p in bracket.residents),
        pairs=tuple((entrants[a].tpn, entrants[b].tpn) for a, b in pairs),
        floaters=tuple(entrants[p].tpn for p in floaters),
        criteria=criteria_values(problem, field, bracket, pairs),
    )


def criteria_values(
    problem: PairingProblem, field: Field, bracket: Bracket, pairs: Sequence[tuple[int, int]]
) -> tuple[CriterionValue, ...]:
    """C6, C7 and C9 to C21 of these pairs, each to be as small as possible."""
    entrants = field.entrants
    paired = {place for pair in pairs for place in pair}
    floaters = [entrants[p] for p in (*bracket.mdps, *bracket.residents) if p not in paired]
    games = [(entrants[a], entrants[b]) for a, b in pairs]
    moved = frozenset(bracket.mdps)
    values = [
        CriterionValue("C6", "2.4.1", (len(floaters),)),
        CriterionValue("C7", "2.4.2", _descending(e.halves for e in floaters)),
    ]
    if bracket.bye_falls_here and len(floaters) == 1:
        values.append(CriterionValue("C9", "2.4.4", (floaters[0].unplayed,)))
    values += _colours(problem, games)
    resident_floaters = [e for e in floaters if e.place not in moved]
    mdp_games = [(one, two) for one, two in games if one.place in moved]
    limbo = [e for e in floaters if e.place in moved]
    home = entrants[bracket.residents[0]].halves
    for ago, floats, opponents in ((0, "2.4.9", "2.4.10"), (1, "2.4.11", "2.4.12")):
        down = sum(e.floats[ago] is Float.DOWN for e in resident_floaters)
        up = sum(two.floats[ago] is Float.UP for _, two in mdp_games)
        values.append(CriterionValue(f"C{14 + 2 * ago}", floats, (down,)))
        values.append(CriterionValue(f"C{15 + 2 * ago}", opponents, (up,)))
    for ago, mdps, opponents in ((0, "2.4.13", "2.4.14"), (1, "2.4.15", "2.4.16")):
        # An MDP that floats again counts one more than the largest difference inside the bracket could.
        down_differences = [
            one.halves - home for one, _ in mdp_games if one.floats[ago] is Float.DOWN
        ]
        down_differences += [e.halves - home + 1 for e in limbo if e.floats[ago] is Float.DOWN]
        up_differences = [
            one.halves - home for one, two in mdp_games if two.floats[ago] is Float.UP
        ]
        values.append(CriterionValue(f"C{18 + 2 * ago}", mdps, _descending(down_differences)))
        values.append(CriterionValue(f"C{19 + 2 * ago}", opponents, _descending(up_differences)))
    return tuple(values)


def _descending(numbers: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(numbers, reverse=True))


def _colours(problem: PairingProblem, games: Sequence[_Pair]) -> list[CriterionValue]:
    clashes = [
        (one, two)
        for one, two in games
        if one.preference.side is not None and one.preference.side is two.preference.side
    ]
    strong = [g for g in clashes if min(e.preference.strength for e in g) >= Strength.STRONG]
    absolute = [g for g in strong if min(e.preference.strength for e in g) is Strength.ABSOLUTE]
    losers = [_loser(problem, one, two) for one, two in absolute]
    wide = sum(abs(e.preference.difference) > 1 for e in losers)
    thrice = sum(
        all(c is not e.preference.side for c in e.colours[-2:]) and len(e.colours) > 1
        for e in losers
    )
    return [
        CriterionValue("C10", "2.4.5", (wide,)),
        CriterionValue("C11", "2.4.6", (thrice,)),
        CriterionValue("C12", "2.4.7", (len(clashes),)),
        CriterionValue("C13", "2.4.8", (len(strong),)),
    ]


def _loser(problem: PairingProblem, one: Entrant, two: Entrant) -> Entrant:
    """Who does not get the side that both are due."""
    first = allocate(problem, one.contestant, two.contestant).first
    winner_is_first = one.preference.side == "first"
    return two if (first == one.tpn) is winner_is_first else one
