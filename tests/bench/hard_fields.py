"""Fields that are hard to pair, or look so. No event would lead to them."""

from __future__ import annotations

import random
from itertools import combinations
from typing import TYPE_CHECKING

from tests.bench.pairing import middle, played
from tournaments.pairing import Contestant, PairingProblem, RoundKind, RoundRecord

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_STRANGER = 9_999  # an opponent who is not in the problem: makes no rematch and no float


def coloured(size: int, *, firsts: float, groups: int = 4, seed: int = 0) -> PairingProblem:
    """Score groups with that share bound to the first side above, to the second side below."""
    rng = random.Random(seed)
    contestants = []
    for group in range(groups):
        places = range(size * group // groups, size * (group + 1) // groups)
        share = firsts if 2 * group < groups else 1 - firsts
        bound = set(rng.sample(places, round(share * len(places))))
        for place in places:
            kind = RoundKind.SECOND if place in bound else RoundKind.FIRST
            halves = 2 * (groups - group)
            records = RoundRecord(kind, _STRANGER, halves), RoundRecord(kind, _STRANGER, 0)
            contestants.append(Contestant(place + 1, records))
    return PairingProblem(3, 9, tuple(contestants))


def one_club(size: int, *, share: float = 0.75, seed: int = 0) -> PairingProblem:
    """Return an event under way: that share of the upper half by score is one club and must not meet."""
    problem = middle(size, seed)
    ranked = sorted(problem.contestants, key=lambda c: (-c.score_halves, c.tpn))
    members = random.Random(seed).sample(
        [c.tpn for c in ranked[: size // 2]], int(share * size / 2)
    )
    return problem._replace(forbidden=_all_pairs(members))


def two_clubs(size: int, *, share: float = 0.2, seed: int = 0) -> PairingProblem:
    """Return an event under way with two clubs of that share each, whose members must not meet."""
    problem = middle(size, seed)
    tpns = [c.tpn for c in problem.contestants]
    random.Random(seed).shuffle(tpns)
    club = int(share * size)
    return problem._replace(forbidden=_all_pairs(tpns[:club]) | _all_pairs(tpns[club : 2 * club]))


def _all_pairs(members: Sequence[int]) -> frozenset[frozenset[int]]:
    return frozenset(frozenset(pair) for pair in combinations(members, 2))


def exhausted(size: int, *, left: int, seed: int = 0) -> PairingProblem:
    """Return a field in which all have met all but `left` others.

    It follows a round robin by the circle method.
    """
    rng = random.Random(seed)
    records: dict[int, list[RoundRecord]] = {tpn: [] for tpn in range(1, size + 1)}
    balance = dict.fromkeys(records, 0)
    last = dict.fromkeys(records, 0)
    for number in range(size - 1 - left):
        ring = [1, *(2 + (i + number) % (size - 1) for i in range(size - 1))]
        for one, other in zip(ring[: size // 2], reversed(ring[size // 2 :]), strict=True):
            # The side that was played less, else the one not played last.
            first, second = sorted((one, other), key=lambda t: (balance[t], last[t], rng.random()))
            halves = rng.choice((0, 1, 2))
            records[first].append(RoundRecord(RoundKind.FIRST, second, halves))
            records[second].append(RoundRecord(RoundKind.SECOND, first, 2 - halves))
            balance[first] += 1
            balance[second] -= 1
            last[first], last[second] = 1, -1
    past = size - 1 - left
    everybody = tuple(Contestant(tpn, tuple(r)) for tpn, r in records.items())
    return PairingProblem(past + 1, past + 1, everybody)


def few_opponents(size: int, *, each: int = 8, seed: int = 0) -> PairingProblem:
    """Return one score group with about that many random legal opponents each.

    One in twenty may have the bye.
    """
    rng = random.Random(seed)
    sides = (RoundKind.FIRST, RoundKind.SECOND)
    everybody = []
    for tpn in range(1, size + 1):
        records = [
            RoundRecord(RoundKind.HALF_BYE, None, 1)
            if rng.random() < 0.3
            else RoundRecord(rng.choice(sides), _STRANGER, 1)
            for _ in range(3)
        ]
        had_bye = rng.random() < 0.95
        first = RoundKind.PAIRING_BYE if had_bye else RoundKind.HALF_BYE
        everybody.append(Contestant(tpn, (RoundRecord(first, None, 1), *records)))
    tpns = [c.tpn for c in everybody]
    allowed = set()
    for _ in range(each):
        rng.shuffle(tpns)
        allowed |= {frozenset(pair) for pair in zip(tpns[::2], tpns[1::2], strict=False)}
    return PairingProblem(5, 9, tuple(everybody), forbidden=_all_pairs(tpns) - allowed)


def nobody_played(size: int, *, seed: int = 0) -> PairingProblem:
    """Five rounds of byes and forfeits alone."""
    rng = random.Random(seed)
    kinds = (
        (RoundKind.HALF_BYE, 1),
        (RoundKind.ZERO_BYE, 0),
        (RoundKind.FORFEIT_LOSS, 0),
        (RoundKind.FORFEIT_WIN, 2),
    )

    def record() -> RoundRecord:
        kind, halves = rng.choice(kinds)
        opponent = _STRANGER if halves != 1 and kind is not RoundKind.ZERO_BYE else None
        return RoundRecord(kind, opponent, halves)

    everybody = tuple(
        Contestant(tpn, tuple(record() for _ in range(5))) for tpn in range(1, size + 1)
    )
    return PairingProblem(6, 9, everybody)


def one_score(size: int, *, rounds: int = 5) -> PairingProblem:
    """After rounds in which every game was drawn."""
    problem = PairingProblem(1, 11, tuple(Contestant(tpn, ()) for tpn in range(1, size + 1)))
    rng = random.Random(0)
    for _ in range(rounds):
        following = played(problem, dict.fromkeys(range(1, size + 1), 0.0), rng, absences=0)
        problem = following._replace(contestants=tuple(_drawn(following.contestants)))
    return problem


def _drawn(contestants: Iterable[Contestant]) -> Iterable[Contestant]:
    for c in contestants:
        records = (
            r._replace(kind=r.kind if r.kind.is_played else RoundKind.ZERO_BYE, score_halves=1)
            for r in c.records
        )
        yield c._replace(records=tuple(records))


def all_scores(size: int) -> PairingProblem:
    """Return a field with a separate score group for each player."""
    kinds = (RoundKind.FIRST, RoundKind.SECOND)
    everybody = (
        Contestant(n + 1, (RoundRecord(kinds[n % 2], _STRANGER, size - n),)) for n in range(size)
    )
    return PairingProblem(2, 9, tuple(everybody))


def tiny(_size: int) -> PairingProblem:
    """Five players before their third round."""
    return middle(5, 1, 3)


HARD: dict[str, Callable[[int], PairingProblem]] = {
    "field of 5": tiny,
    "60/40 absolute colours, 2 groups": lambda n: coloured(n, firsts=0.6, groups=2),
    "60/40 absolute colours, 4 groups": lambda n: coloured(n, firsts=0.6),
    "80/20 absolute colours, 2 groups": lambda n: coloured(n, firsts=0.8, groups=2),
    "80/20 absolute colours, 4 groups": lambda n: coloured(n, firsts=0.8),
    "80/20 absolute colours, 10 groups": lambda n: coloured(n, firsts=0.8, groups=10),
    "one club in the top half, 3/4 of it": one_club,
    "one club in the top half, 1/2 of it": lambda n: one_club(n, share=0.5),
    "two clubs, a fifth each": two_clubs,
    "one opponent left": lambda n: exhausted(n, left=1),
    "two opponents left": lambda n: exhausted(n, left=2),
    "four opponents left": lambda n: exhausted(n, left=4),
    "eight opponents at random, odd": lambda n: few_opponents(n + 1),
    "byes and forfeits only": nobody_played,
    "byes and forfeits only, odd": lambda n: nobody_played(n + 1),
    "everybody on one score": one_score,
    "everybody on one score, odd": lambda n: one_score(n + 1),
    "everybody on another score": all_scores,
    "everybody on another score, odd": lambda n: all_scores(n + 1),
}
