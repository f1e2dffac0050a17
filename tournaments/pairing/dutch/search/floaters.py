"""The number of floaters of each score, before any player is named: C6 and C7 at their best, and C8 by the next bracket's."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tournaments.pairing.dutch.search.bits import bits, covering, exchangeable
from tournaments.pairing.dutch.search.completion import induced

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tournaments.pairing.dutch.rules.bracket import Bracket
    from tournaments.pairing.dutch.rules.field import DutchField


def least_floaters(bracket: Bracket) -> Counter[int]:
    """Return how many float by score in a bracket, as C6 and C7 want it, with any groups below."""
    return _scores(bracket.field, _left(bracket, {}))


def left_in_next(next_bracket: Bracket, mates: Mapping[int, int]) -> list[int]:
    """Return the players whom the next bracket would leave over, at the best of its C6 and C7.

    `mates` is a way to complete the round. It is changed as little as possible, so that the rest
    often fits below.
    """
    return _left(next_bracket, mates)


def is_best_for_next(bracket: Bracket, floaters: Sequence[int], left: Sequence[int]) -> bool:
    """Return whether no floaters of these scores could make the next bracket do better than to leave those `left` (C8).

    True is sure. The bound lets any members float together who can float at all.
    """
    field = bracket.field
    floating = _scores(field, floaters)
    members = possible_floaters(bracket)
    if len(members) == len(floaters):
        return True
    group = bracket.below[0]
    places = [*members, *group]
    neighbours = induced(field.legal, places)
    apart = (1 << len(members)) - 1
    for v in range(len(members)):
        neighbours[v] &= ~apart
    # A seat for each player of these scores who does not float. It is always taken, so it comes
    # first in rank.
    scores = [field.players[p].score_halves for p in members]
    seats = [h for h, n in Counter(scores).items() for _ in range(n - floating[h])]
    sitters = [sum(1 << v for v, h in enumerate(scores) if h == seat) for seat in seats]
    graph = [mask << len(seats) for mask in (*sitters, *neighbours)]
    for v, h in enumerate(scores):
        graph[len(seats) + v] |= sum(1 << s for s, seat in enumerate(seats) if seat == h)
    ranks = [field.players[p].score_halves for p in places]
    mate = covering(graph, [ranks[0] + 1] * len(seats) + ranks)
    free = (places[v] for v, other in enumerate(mate[len(seats) :]) if other < 0)
    return _scores(field, free) == _scores(field, left)


def possible_floaters(bracket: Bracket) -> list[int]:
    """Return the players who float in some pairing of the best C6 and C7."""
    neighbours, mate = _covered(bracket, {})
    members, players = bracket.members, bracket.field.players
    free: dict[int, list[int]] = {}
    for v, other in enumerate(mate):
        if other < 0:
            free.setdefault(players[members[v]].score_halves, []).append(v)
    floaters = []
    for score, roots in free.items():
        could = bits(exchangeable(neighbours, mate, roots))
        floaters += [members[v] for v in could if players[members[v]].score_halves == score]
    return sorted(floaters)


def _left(bracket: Bracket, mates: Mapping[int, int]) -> list[int]:
    """Return the players who are left over at the best of C6 and C7."""
    _, mate = _covered(bracket, mates)
    return [place for place, other in zip(bracket.members, mate, strict=True) if other < 0]


def _covered(bracket: Bracket, mates: Mapping[int, int]) -> tuple[list[int], list[int]]:
    """Return the bracket as a graph, MDPs not meeting each other, and a matching of the best C6 and C7."""
    field, places = bracket.field, bracket.members
    neighbours = induced(field.legal, places)
    apart = (1 << len(bracket.mdps)) - 1
    for v in range(len(bracket.mdps)):
        neighbours[v] &= ~apart
    vertex = {place: v for v, place in enumerate(places)}
    start = [vertex.get(mates.get(place, -1), -1) for place in places]
    return neighbours, covering(neighbours, [field.players[p].score_halves for p in places], start)


def _scores(field: DutchField, places: Iterable[int]) -> Counter[int]:
    return Counter(field.players[p].score_halves for p in places)
