"""Random rounds of Swiss Team and Double-Swiss, and the command that holds the search against the enumeration on them:

.venv/bin/python -m tests.tournaments.pairing.match_rounds team 100000 [SEED]
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from typing import TYPE_CHECKING

from tests.tournaments.pairing.match_oracle import Oracle
from tournaments.pairing import (
    Contestant,
    FormatOptions,
    NoPairingError,
    PairingProblem,
    RoundKind,
    RoundRecord,
    system,
)
from tournaments.pairing.baku import baku_halves

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST = 10


def problems(name: str, seed: int) -> Iterator[PairingProblem]:
    """Yield the rounds of a random event, paired by the system. Every axis is drawn."""
    rng = random.Random(seed)
    size, rounds = rng.randint(2, _MOST), rng.randint(1, 9)
    is_team = name == "team"
    is_by_match_points = rng.random() < 0.7
    is_baku = is_team and is_by_match_points and rng.random() < 0.2
    win = 4 if is_team else 2
    virtual = {
        tpn: tuple(
            baku_halves(rank=tpn, players=size, round_number=r, rounds_total=rounds, win_halves=win)
            for r in range(1, rounds + 1)
        )
        if is_baku
        else ()
        for tpn in range(1, size + 1)
    }
    everybody = [Contestant(tpn, (), virtual[tpn]) for tpn in range(1, size + 1)]
    absent, forfeits = rng.choice((0, 0.1, 0.3)), rng.choice((0, 0.1, 0.3))
    options = FormatOptions(
        colour_type=rng.choice(("", "A", "B")), has_second_score=rng.random() < 0.7
    )
    odd = rng.random() < 0.5
    for number in range(1, rounds + 1):
        away = {c.tpn for c in everybody if rng.random() < absent}
        some = [frozenset(rng.sample(range(1, size + 1), 2)) for _ in range(rng.choice((0, 0, 2)))]
        problem = PairingProblem(
            number,
            rounds,
            tuple(c for c in everybody if c.tpn not in away),
            odd_tpn_is_first=odd,
            forbidden=frozenset(some),
            absent=tuple(c for c in everybody if c.tpn in away),
            options=options,
        )
        yield problem
        try:
            solution = system(name).pair(problem)
        except NoPairingError:
            return
        results = {tpn: _idle(rng, is_team) for tpn in away}
        if solution.bye:
            results[solution.bye] = (
                RoundRecord(RoundKind.PAIRING_BYE, None, 2, second_halves=2)
                if is_team
                else RoundRecord(RoundKind.PAIRING_BYE, None, 3)
            )
        for board in solution.boards:
            pair = board.first, board.second
            records = _match(rng, pair, forfeits, is_team, is_by_match_points)
            results |= dict(zip(pair, records, strict=True))
        everybody = [c._replace(records=(*c.records, results[c.tpn])) for c in everybody]


def _idle(rng: random.Random, is_team: bool) -> RoundRecord:
    kind = rng.choice(
        (RoundKind.ZERO_BYE, RoundKind.ZERO_BYE, RoundKind.HALF_BYE, RoundKind.FULL_BYE)
    )
    halves = {RoundKind.HALF_BYE: 2, RoundKind.FULL_BYE: 4}.get(kind, 0)
    return RoundRecord(kind, None, halves, second_halves=halves if is_team else 0)


def _match(
    rng: random.Random,
    pair: tuple[int, int],
    forfeits: float,
    is_team: bool,
    is_by_match_points: bool,
) -> list[RoundRecord]:
    games = 4 if is_team else 2
    first = sum(rng.choice((0, 1, 2)) for _ in range(games))
    scores = [first, 2 * games - first]
    kinds = [RoundKind.FIRST, RoundKind.SECOND]
    if rng.random() < forfeits:
        kind = rng.choice(("one", "both", "split"))
        kinds = [RoundKind.FORFEIT_LOSS, RoundKind.FORFEIT_LOSS]
        scores = [0, 0]
        if kind == "one":
            winner = rng.randrange(2)
            kinds[winner], scores[winner] = RoundKind.FORFEIT_WIN, 2 * games
        elif kind == "split" and not is_team:
            kinds, scores = [RoundKind.SPLIT] * 2, [2, 2]
    wins = [4 if a > b else 2 if a == b and a else 0 for a, b in (scores, scores[::-1])]
    primary, second = (wins, scores) if is_by_match_points else (scores, wins)
    if not is_team:
        primary, second = scores, [0, 0]
    return [
        RoundRecord(kinds[n], pair[1 - n], primary[n], second_halves=second[n]) for n in range(2)
    ]


def difference(name: str, problem: PairingProblem) -> str:
    """Return the difference between the search and the enumeration, or an empty text when they agree."""
    expected = Oracle(problem, is_team=name == "team").boards()
    try:
        solution = system(name).pair(problem)
        boards = [(b.first, b.second) for b in solution.boards]
        boards += [(solution.bye, 0)] if solution.bye else []
    except NoPairingError:
        return "" if expected is None else f"none instead of {expected}"
    return "" if boards == expected else f"{boards} instead of {expected}"


def main(name: str, rounds: int, seed: int = 1) -> int:
    """Compare this number of rounds. Return the number that differ."""
    seen: Counter[str] = Counter()
    while seen["rounds"] < rounds:
        for problem in problems(name, seed):
            seen["rounds"] += 1
            seen[f"of {len(problem.contestants)}"] += 1
            if problem.contestants and (text := difference(name, problem)):
                seen["different"] += 1
                sys.stdout.write(f"seed {seed}, round {problem.round_number}: {text}\n")
        seed += 1
    sys.stdout.write(f"{name}: {seen['rounds']} rounds, {seen['different']} different\n")
    sys.stdout.write(f"{dict(sorted(seen.items()))}\n")
    return seen["different"]


if __name__ == "__main__":
    sys.exit(bool(main(sys.argv[1], *map(int, sys.argv[2:]))))
