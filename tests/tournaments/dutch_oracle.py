"""The Dutch system by brute force: every pairing of a bracket judged, ties broken by writing out the order of generation.

Slow and obvious, for fields of ten. It shares definitions (the field) and the counting of criteria with the engine, and
nothing of its search: no weights, no matching, no bounds.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any

from tournaments.pairing import NoPairingError
from tournaments.pairing.dutch.bracket import Bracket
from tournaments.pairing.dutch.evidence import criteria_values
from tournaments.pairing.dutch.field import Field, field_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tournaments.pairing import PairingProblem

Pairs = tuple[tuple[int, int], ...]


def oracle_pairs(problem: PairingProblem) -> set[frozenset[int]]:
    """Boards as sets of TPNs, the bye as a set of one. Raises NoPairingError."""
    field = field_of(problem)
    bye = _bye(field)
    left: tuple[int, ...] = ()
    boards: list[frozenset[int]] = []
    for number, group in enumerate(field.groups):
        below = field.groups[number + 1 :]
        falls = bool(bye) and max(bye) <= group[-1]
        bracket = Bracket(left, group, below, bye, falls)
        pairs = min(
            _candidates(field, bracket), key=lambda found: _judged(problem, field, bracket, found)
        )
        boards += [frozenset(field.entrants[p].tpn for p in pair) for pair in pairs]
        left = _left(bracket, pairs)
    return {*boards, *(frozenset((field.entrants[p].tpn,)) for p in left)}


def _bye(field: Field) -> frozenset[int]:
    everybody = tuple(range(len(field.entrants)))
    if len(everybody) % 2 == 0:
        if not _pairable(field, everybody, frozenset(), frozenset()):
            raise NoPairingError("even")
        return frozenset()
    eligible = [e for e in field.entrants if e.may_have_bye]
    for halves in sorted({e.halves for e in eligible}):  # C5
        bye = frozenset(e.place for e in eligible if e.halves == halves)
        if _pairable(field, everybody, frozenset(), bye):
            return bye
    raise NoPairingError("odd")


@lru_cache(maxsize=100_000)
def _pairable(
    field: Field, places: tuple[int, ...], apart: frozenset[int], bye: frozenset[int]
) -> bool:
    """Whether all can be paired, those `apart` not with each other, one of an odd number with the bye."""
    if not places:
        return True
    first, rest = places[0], places[1:]
    if len(places) % 2 and first in bye and _pairable(field, rest, apart, frozenset()):
        return True
    return any(
        field.may_meet(first, other)
        and not (first in apart and other in apart)
        and _pairable(field, tuple(p for p in rest if p != other), apart, bye)
        for other in rest
    )


def _matchings(field: Field, players: tuple[int, ...], moved: frozenset[int]) -> Iterator[Pairs]:
    if not players:
        yield ()
        return
    first, rest = players[0], players[1:]
    yield from _matchings(field, rest, moved)
    for other in rest:
        if field.may_meet(first, other) and not (first in moved and other in moved):
            for found in _matchings(field, tuple(p for p in rest if p != other), moved):
                yield ((first, other), *found)


def _left(bracket: Bracket, pairs: Pairs) -> tuple[int, ...]:
    paired = {p for pair in pairs for p in pair}
    return tuple(p for p in bracket.members if p not in paired)


def _candidates(field: Field, bracket: Bracket) -> Iterator[Pairs]:
    """Every pairing of the bracket after which the round can be completed (C4, C5)."""
    rest = tuple(p for group in bracket.below for p in group)
    for pairs in _matchings(field, bracket.members, frozenset(bracket.mdps)):
        left = _left(bracket, pairs)
        if _pairable(field, (*left, *rest), frozenset(left), bracket.bye):
            yield pairs


def _judged(problem: PairingProblem, field: Field, bracket: Bracket, pairs: Pairs) -> Any:
    values = criteria_values(problem, field, bracket, pairs)
    first = [v.value for v in values if v.criterion in ("C6", "C7")]
    others = [v.value for v in values if v.criterion not in ("C6", "C7")]
    return first, _next(field, bracket, _left(bracket, pairs)), others, _generation(bracket, pairs)


def _next(field: Field, bracket: Bracket, left: tuple[int, ...]) -> object:
    """C8: what the next bracket can do at best in C6 and C7."""
    if not bracket.below:
        return ()
    following = Bracket(left, bracket.below[0], bracket.below[1:], bracket.bye, False)
    return min(
        (
            len(floaters := _left(following, pairs)),
            sorted((field.entrants[p].halves for p in floaters), reverse=True),
        )
        for pairs in _candidates(field, following)
    )


def _generation(bracket: Bracket, pairs: Pairs) -> object:
    """When 3.6-3.7 generate this candidate: the smaller, the earlier."""
    moved = set(bracket.mdps)
    opponents = dict(pair for pair in pairs if pair[0] in moved)
    mdp_set = [bracket.mdps.index(p) for p in sorted(opponents)]  # 4.4
    order = [opponents[p] for p in sorted(opponents)]  # 4.2
    remainder = [p for p in bracket.residents if p not in order]
    return mdp_set, order, _exchange(remainder, [p for p in pairs if p[0] not in moved])


def _exchange(remainder: Sequence[int], pairs: list[tuple[int, int]]) -> object:
    """The first exchange (4.3) after which each pair has one player of S1, and its transposition (4.2)."""
    first, second = remainder[: len(pairs)], remainder[len(pairs) :]
    partner = dict(pairs) | {b: a for a, b in pairs}
    bsn = {p: n for n, p in enumerate(remainder, start=1)}
    for size in range(len(first) + 1):
        swaps = [(x, y) for x in combinations(first, size) for y in combinations(second, size)]

        def key(swap: tuple[tuple[int, ...], tuple[int, ...]]) -> object:
            leaving, entering = swap
            difference = sum(bsn[p] for p in entering) - sum(bsn[p] for p in leaving)
            return difference, [-bsn[p] for p in sorted(leaving, reverse=True)], list(entering)

        for swap in sorted(swaps, key=key):  # type: ignore[arg-type]  # tuples of ints and lists
            s1 = sorted({*first, *swap[1]} - {*swap[0]})
            if all((a in s1) is not (b in s1) for a, b in pairs):
                return size, key(swap), [bsn[partner[p]] for p in s1]
    raise AssertionError("every set of pairs has a choice of one of each")
