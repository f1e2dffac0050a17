"""One bracket: its best pairing by the criteria, and of the best the one generated first (C.04.3 3 and 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.pairing.dutch.completion import BYE
from tournaments.pairing.dutch.criteria import Criteria
from tournaments.pairing.dutch.matching import heaviest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tournaments.pairing.dutch.bracket import Bracket
    from tournaments.pairing.dutch.completion import Completion
    from tournaments.pairing.dutch.field import Field
    from tournaments.pairing.problem import PairingProblem


class _Graph:
    """Edges of a bracket with what is below it; order digits are added to weights already multiplied by `room`."""

    def __init__(
        self, problem: PairingProblem, field: Field, bracket: Bracket, *, whole: bool
    ) -> None:
        self.field = field
        self.bracket = bracket
        self.whole = whole
        following = bracket.below[0] if bracket.below else ()
        self.criteria = Criteria(problem, field, bracket.mdps, bracket.residents, following)
        self.inside: dict[tuple[int, int], int] = {}
        self.outside: dict[tuple[int, int], int] = {}
        self._add_inside()
        self._add_outside(following)
        if whole:
            self._add_rest()

    def _add_inside(self) -> None:
        members = (*self.bracket.mdps, *self.bracket.residents)
        moved = set(self.bracket.mdps)
        for n, one in enumerate(members):
            for two in members[n + 1 :]:
                if two not in moved and self.field.may_meet(one, two):
                    self.inside[one, two] = self.criteria.pair(one, two)

    def _add_outside(self, following: Sequence[int]) -> None:
        members = (*self.bracket.mdps, *self.bracket.residents)
        for one in members:
            for two in following:
                if self.field.may_meet(one, two):
                    self.outside[one, two] = self.criteria.pair_below(one, two)
        for n, one in enumerate(following):
            for two in following[n + 1 :]:
                if self.field.may_meet(one, two):
                    self.outside[one, two] = self.criteria.pair_below(one, two)

    def _add_rest(self) -> None:
        members = [*self.bracket.mdps, *self.bracket.residents]
        groups = self.bracket.below
        rest = [p for group in groups[1:] for p in group]
        near = [*members, *(groups[0] if groups else ())]
        everybody = near + rest
        for n, one in enumerate(everybody):
            for two in everybody[max(n + 1, len(near)) :]:
                if self.field.may_meet(one, two):
                    self.outside[one, two] = 0
        self.outside.update(((one, BYE), 0) for one in everybody if one in self.bracket.bye)


def exact_pairs(
    problem: PairingProblem, field: Field, bracket: Bracket, completion: Completion
) -> list[tuple[int, int]]:
    """The pairs of the bracket, higher place first."""
    for whole in (False, True):
        if not whole and (bracket.bye_falls_here or not bracket.below):
            continue
        graph = _Graph(problem, field, bracket, whole=whole)
        pairs, partners = _first_best(graph)
        near = (*bracket.members, *bracket.below[0]) if bracket.below else ()
        if whole or completion.takes_left([p for p in near if p not in partners], bracket):
            return pairs
    raise AssertionError("the whole graph has a perfect matching: it was looked for before")


def _first_best(graph: _Graph) -> tuple[list[tuple[int, int]], dict[int, int]]:
    bracket = graph.bracket
    partners = _solve(graph, None)
    members = (*bracket.mdps, *bracket.residents)
    inside = set(members)
    floaters = [p for p in members if partners.get(p) not in inside]
    if bracket.bye_falls_here and len(floaters) == 1:
        # C9
        for place in members:
            if place in bracket.bye:
                graph.outside[place, BYE] -= (
                    graph.criteria.c9 * graph.field.entrants[place].unplayed
                )
        partners = _solve(graph, None)
    mdp_pairs: list[tuple[int, int]] = []
    if bracket.mdps:
        partners = _solve(graph, _mdp_digits(graph))
        mdp_pairs = [(m, partners[m]) for m in bracket.mdps if partners.get(m) in inside]
        taken = {p for pair in mdp_pairs for p in pair}
        graph.inside = {
            (a, b): w
            for (a, b), w in graph.inside.items()
            if (a, b) in mdp_pairs or not ({a, b} & taken or {a, b} & set(bracket.mdps))
        }
    taken = {p for pair in mdp_pairs for p in pair}
    remainder = [p for p in bracket.residents if p not in taken]
    pairs = sum(partners.get(p) in remainder for p in remainder) // 2
    if not pairs:
        return mdp_pairs, partners
    first, second = remainder[:pairs], remainder[pairs:]
    partners = _solve(graph, _exchange_digits(first, second))
    heads = sorted(p for p in remainder if p < partners.get(p, -1) and partners[p] in remainder)
    lowers = [p for p in remainder if p not in heads]
    graph.inside = {
        (a, b): w
        for (a, b), w in graph.inside.items()
        if (a, b) in mdp_pairs or (a in heads and b in lowers)
    }
    partners = _solve(graph, _partner_digits(heads, lowers))
    return mdp_pairs + [(p, partners[p]) for p in heads], partners


Order = tuple["Callable[[int, int], int]", int]


def _solve(graph: _Graph, order: Order | None) -> dict[int, int]:
    bonus, room = order or ((lambda _a, _b: 0), 1)
    edges = {edge: w * room for edge, w in graph.outside.items()}
    edges |= {(a, b): w * room + bonus(a, b) for (a, b), w in graph.inside.items()}
    return heaviest(edges, most_pairs=graph.whole)


def _mdp_digits(graph: _Graph) -> Order:
    """4.4 the set of MDPs, the smallest differing BSN first; then 4.2 their opponents."""
    bracket = graph.bracket
    base = 2 * len(bracket.residents) + 3
    rank = {p: n for n, p in enumerate(bracket.residents)}
    bonus: dict[int, tuple[int, int]] = {}
    unit = 1
    for mdp in reversed(bracket.mdps):
        bonus[mdp] = (0, unit)
        unit *= base
    for mdp in reversed(bracket.mdps):
        bonus[mdp] = (unit, bonus[mdp][1])
        unit *= 3

    def worth(a: int, b: int) -> int:
        if a not in bonus:
            return 0
        set_unit, partner_unit = bonus[a]
        return set_unit + partner_unit * (len(rank) - rank[b])

    return worth, unit


def _exchange_digits(first: Sequence[int], second: Sequence[int]) -> Order:
    """4.3: fewer exchanges, the smaller difference, who leaves S1 from its end, who leaves S2 from its start."""
    bsn = {p: n for n, p in enumerate((*first, *second), start=1)}
    unit = 1
    enter: dict[int, int] = {}
    for p in reversed(second):
        enter[p] = unit
        unit *= 3
    leave: dict[int, int] = {}
    for p in first:
        leave[p] = unit
        unit *= 3
    difference = unit
    unit *= 2 * len(bsn) ** 2 + 1
    exchange = unit
    unit *= 2 * len(bsn) + 1

    def worth(a: int, b: int) -> int:
        if a not in bsn:
            return 0
        total = -difference * bsn[a]
        if a in leave:
            return total - leave[a]
        return total - exchange + enter[a]

    return worth, unit


def _partner_digits(heads: Sequence[int], lowers: Sequence[int]) -> Order:
    """4.2: transpositions in lexicographic order."""
    rank = {p: n for n, p in enumerate(lowers)}
    unit = 1
    units: dict[int, int] = {}
    for p in reversed(heads):
        units[p] = unit
        unit *= 2 * len(rank) + 1
    return (lambda a, b: units[a] * (len(rank) - rank[b]) if a in units else 0), unit
