"""How many of each score have to float, before anybody is named: C6 and C7 at their best, and C8 by the next bracket's."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tournaments.pairing.dutch.bits import bits, covering, exchangeable
from tournaments.pairing.dutch.completion import induced

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tournaments.pairing.dutch.bracket import Bracket
    from tournaments.pairing.dutch.field import Field


def least_floaters(field: Field, bracket: Bracket) -> Counter[int]:
    """How many float by score in a bracket, as C6 and C7 want it, whatever comes below."""
    return _scores(field, _left(field, bracket.mdps, bracket.residents, {}))


def left_in_next(
    field: Field, floaters: Sequence[int], bracket: Bracket, mates: Mapping[int, int]
) -> list[int]:
    """Whom the next bracket would leave over with these floaters, at the best of its C6 and C7.

    `mates` is a way to complete the round: it is changed as little as can be, so that what is left often fits below.
    """
    return _left(field, floaters, bracket.below[0], mates)


def is_best_for_next(
    field: Field, floaters: Sequence[int], left: Sequence[int], bracket: Bracket
) -> bool:
    """Whether no floaters of the same scores could make the next bracket do better than to leave those `left` (C8).

    True is sure. The bound lets any members float together who can float at all.
    """
    wanted = _scores(field, floaters)
    members = _possible_floaters(field, bracket)
    if len(members) == len(floaters):
        return True
    group = bracket.below[0]
    places = [*members, *group]
    neighbours = induced(field.legal, places)
    apart = (1 << len(members)) - 1
    for v in range(len(members)):
        neighbours[v] &= ~apart
    # A seat for everybody of these scores who does not float: it is always taken, so it stands first in rank.
    halves = [field.entrants[p].halves for p in members]
    seats = [h for h, n in Counter(halves).items() for _ in range(n - wanted[h])]
    sitters = [sum(1 << v for v, h in enumerate(halves) if h == seat) for seat in seats]
    graph = [mask << len(seats) for mask in (*sitters, *neighbours)]
    for v, h in enumerate(halves):
        graph[len(seats) + v] |= sum(1 << s for s, seat in enumerate(seats) if seat == h)
    ranks = [field.entrants[p].halves for p in places]
    mate = covering(graph, [ranks[0] + 1] * len(seats) + ranks)
    free = (places[v] for v, other in enumerate(mate[len(seats) :]) if other < 0)
    return _scores(field, free) == _scores(field, left)


def _possible_floaters(field: Field, bracket: Bracket) -> list[int]:
    """Who floats in any pairing of the best C6 and C7."""
    neighbours, mate = _covered(field, bracket.mdps, bracket.residents, {})
    members = bracket.members
    free: dict[int, list[int]] = {}
    for v, other in enumerate(mate):
        if other < 0:
            free.setdefault(field.entrants[members[v]].halves, []).append(v)
    found = []
    for halves, roots in free.items():
        could = bits(exchangeable(neighbours, mate, roots))
        found += [members[v] for v in could if field.entrants[members[v]].halves == halves]
    return sorted(found)


def _left(
    field: Field, mdps: Sequence[int], residents: range, mates: Mapping[int, int]
) -> list[int]:
    """Who is left over at the best of C6 and C7."""
    _, mate = _covered(field, mdps, residents, mates)
    return [place for place, other in zip((*mdps, *residents), mate, strict=True) if other < 0]


def _covered(
    field: Field, mdps: Sequence[int], residents: range, mates: Mapping[int, int]
) -> tuple[list[int], list[int]]:
    """The bracket as a graph, MDPs not meeting each other, and a matching of the best C6 and C7."""
    places = [*mdps, *residents]
    neighbours = induced(field.legal, places)
    apart = (1 << len(mdps)) - 1
    for v in range(len(mdps)):
        neighbours[v] &= ~apart
    vertex = {place: v for v, place in enumerate(places)}
    start = [vertex.get(mates.get(place, -1), -1) for place in places]
    return neighbours, covering(neighbours, [field.entrants[p].halves for p in places], start)


def _scores(field: Field, places: Iterable[int]) -> Counter[int]:
    return Counter(field.entrants[p].halves for p in places)
