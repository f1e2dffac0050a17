"""Points and tie-breaks by hand, and the laws they keep."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from tournaments.standings import Line, RoundResult, standings


def _event(results: list[list[tuple[int, int, int]]]) -> list[Line]:
    """Lines of an event: a list for each round of (first, second, first's half points); 0 as second is a bye."""
    numbers = sorted({n for games in results for a, b, _ in games for n in (a, b) if n})
    rounds: dict[int, list[RoundResult]] = {n: [] for n in numbers}
    for games in results:
        for first, second, halves in games:
            if second == 0:
                rounds[first].append(RoundResult(None, halves, is_played=False))
                continue
            rounds[first].append(RoundResult(second, halves, is_played=True, is_first=True))
            rounds[second].append(RoundResult(first, 2 - halves, is_played=True, is_first=False))
    return [Line(n, tuple(r)) for n, r in rounds.items()]


def test_a_small_event_by_hand() -> None:
    lines = _event([[(1, 3, 2), (2, 4, 2)], [(1, 2, 1), (3, 4, 2)], [(4, 1, 0), (2, 3, 2)]])
    rows = {row.number: row for row in standings(lines)}
    # 1: 2.5 points against 3 (1), 2 (2.5), 4 (0); 2: 2.5 against 4, 1, 3.
    assert rows[1].points_halves == 5
    assert rows[1].buchholz_halves == 2 + 5 + 0
    assert rows[1].sonneborn_quarters == 2 * 2 + 1 * 5 + 2 * 0
    assert (rows[1].rank, rows[2].rank, rows[3].rank, rows[4].rank) == (1, 1, 3, 4)


def test_a_bye_counts_as_a_game_against_ones_own_score() -> None:
    lines = _event([[(1, 2, 2), (3, 0, 2)]])
    row = next(row for row in standings(lines) if row.number == 3)
    assert row.buchholz_halves == 2
    assert row.sonneborn_quarters == 4


def test_a_running_game_changes_no_tie_break() -> None:
    line = Line(1, (RoundResult(2, None, is_played=True, is_first=True),))
    other = Line(2, (RoundResult(1, None, is_played=True, is_first=False),))
    assert {row.buchholz_halves for row in standings([line, other])} == {0}


@given(seed=st.integers(0, 10**6), size=st.integers(2, 12).filter(lambda n: n % 2 == 0))
def test_standings_do_not_depend_on_the_order_of_entry(seed: int, size: int) -> None:
    rng = random.Random(seed)
    rounds = []
    for _ in range(3):
        numbers = list(range(1, size + 1))
        rng.shuffle(numbers)
        rounds.append([(numbers[i], numbers[i + 1], rng.randint(0, 2)) for i in range(0, size, 2)])
    lines = _event(rounds)
    shuffled = lines[:]
    rng.shuffle(shuffled)
    assert standings(lines) == standings(shuffled)
    assert sum(row.points_halves for row in standings(lines)) == 3 * size
