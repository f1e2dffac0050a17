"""Random tournaments for laws: rounds paired at random among those who have not met, so that every oddity occurs."""

from __future__ import annotations

import random

from tournaments.pairing import Contestant, PairingProblem, RoundKind, RoundRecord

_ALONE = (
    (RoundKind.HALF_BYE, 1),
    (RoundKind.ZERO_BYE, 0),
    (RoundKind.ZERO_BYE, 0),
    (RoundKind.FULL_BYE, 2),
    (RoundKind.PAIRING_BYE, 2),
)


def random_problem(
    *, size: int, rounds: int, seed: int, is_last: bool = False, absences: float = 0.1
) -> PairingProblem:
    """The problem of the round after `rounds` random ones."""
    rng = random.Random(seed)
    records: dict[int, list[RoundRecord]] = {tpn: [] for tpn in range(1, size + 1)}
    for _ in range(rounds):
        _play(records, rng, absences)
    everybody = [Contestant(tpn, tuple(r)) for tpn, r in records.items()]
    away = {c.tpn for c in everybody if rng.random() < absences}
    if len(away) > size - 2:
        away = set()
    return PairingProblem(
        rounds + 1,
        rounds + 1 if is_last else rounds + 3,
        tuple(c for c in everybody if c.tpn not in away),
        odd_tpn_is_first=rng.random() < 0.5,
        absent=tuple(c for c in everybody if c.tpn in away),
    )


def _play(records: dict[int, list[RoundRecord]], rng: random.Random, absences: float) -> None:
    met = {tpn: {r.opponent for r in past if r.kind.is_played} for tpn, past in records.items()}
    waiting = list(records)
    rng.shuffle(waiting)
    if rng.random() < 0.7:  # equal scores meet more often than not, as in an event
        waiting.sort(key=lambda tpn: -sum(r.score_halves for r in records[tpn]))
    while waiting:
        one = waiting.pop()
        others = [tpn for tpn in waiting if tpn not in met[one]]
        if not others or rng.random() < absences:
            records[one].append(_alone(records[one], rng))
            continue
        other = others[-1] if rng.random() < 0.8 else rng.choice(others)
        waiting.remove(other)
        for tpn, record in zip((one, other), _game(one, other, records, rng), strict=True):
            records[tpn].append(record)


def _alone(past: list[RoundRecord], rng: random.Random) -> RoundRecord:
    kind, halves = rng.choice(_ALONE)
    had = any(r.kind is RoundKind.PAIRING_BYE for r in past)
    if kind is RoundKind.PAIRING_BYE and had:
        kind, halves = RoundKind.ZERO_BYE, 0
    return RoundRecord(kind, None, halves)


def _game(
    one: int, other: int, records: dict[int, list[RoundRecord]], rng: random.Random
) -> tuple[RoundRecord, RoundRecord]:
    if rng.random() < 0.05:
        return (
            RoundRecord(RoundKind.FORFEIT_WIN, other, 2),
            RoundRecord(RoundKind.FORFEIT_LOSS, one, 0),
        )
    halves = rng.choice((0, 1, 1, 2))
    balance = sum(_side(r.kind) for r in records[one]) - sum(_side(r.kind) for r in records[other])
    one_is_first = balance < 0 or (balance == 0 and rng.random() < 0.5)
    kinds = (RoundKind.FIRST, RoundKind.SECOND)
    mine, theirs = kinds if one_is_first else kinds[::-1]
    return RoundRecord(mine, other, halves), RoundRecord(theirs, one, 2 - halves)


def _side(kind: RoundKind) -> int:
    return {RoundKind.FIRST: 1, RoundKind.SECOND: -1}.get(kind, 0)


def lopsided_problem(
    *, size: int, seed: int, groups: int, bias: float, club: int, is_last: bool = False
) -> PairingProblem:
    """Return a round with few score groups, most players bound to one side absolutely by `bias`, and clubs whose members must not meet.

    The earlier opponents are drawn, not played: records of two need not agree.
    """
    rng = random.Random(seed)
    tpns = range(1, size + 1)
    met = {tpn: set(rng.sample(tpns, min(size, 2))) - {tpn} for tpn in tpns}
    contestants = tuple(
        Contestant(tpn, _lopsided(sorted(met[tpn] or {size + 1}), rng, groups, bias))
        for tpn in tpns
    )
    past = 3
    members = rng.sample(tpns, min(club, size))
    return PairingProblem(
        past + 1,
        past + 1 if is_last else past + 3,
        contestants,
        forbidden=frozenset(frozenset((a, b)) for a in members for b in members if a < b),
    )


def _lopsided(
    met: list[int], rng: random.Random, groups: int, bias: float
) -> tuple[RoundRecord, ...]:
    often, seldom = RoundKind.FIRST, RoundKind.SECOND
    if rng.random() > bias:
        often, seldom = seldom, often
    kinds = [often if rng.random() < 0.8 else seldom for _ in range(3)]
    if rng.random() < 0.2:
        kinds[rng.randrange(3)] = RoundKind.HALF_BYE
    halves = [2 * rng.randrange(groups), 0, 0]
    return tuple(
        RoundRecord(kind, rng.choice(met) if kind.is_played else None, worth)
        for kind, worth in zip(kinds, halves, strict=True)
    )
