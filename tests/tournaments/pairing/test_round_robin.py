"""Round robins: Berger's tables as printed by FIDE, and laws for any field."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.pairing.formats import Event, first_problem
from tournaments.pairing import (
    BadProblemError,
    Contestant,
    EventDecidedError,
    FormatOptions,
    Idle,
    IdleReason,
    NoPairingError,
    PairingProblem,
    RoundKind,
    RoundRecord,
    RoundRobin,
)
from tournaments.pairing.round_robin import berger, scheduled, seat_table, table_rounds
from tournaments.pairing.solution_builder import SolutionBuilder

_AWAY = RoundRecord(RoundKind.ZERO_BYE, None, 0)
# FIDE Handbook C.05 annex 1: each line a round, the first side before the second.
_PUBLISHED = {
    4: "1-4 2-3 / 4-3 1-2 / 2-4 3-1",
    6: "1-6 2-5 3-4 / 6-4 5-3 1-2 / 2-6 3-1 4-5 / 6-5 1-4 2-3 / 3-6 4-2 5-1",
    8: (
        "1-8 2-7 3-6 4-5 / 8-5 6-4 7-3 1-2 / 2-8 3-1 4-7 5-6 / 8-6 7-5 1-4 2-3 /"
        " 3-8 4-2 5-1 6-7 / 8-7 1-6 2-5 3-4 / 4-8 5-3 6-2 7-1"
    ),
    10: (
        "1-10 2-9 3-8 4-7 5-6 / 10-6 7-5 8-4 9-3 1-2 / 2-10 3-1 4-9 5-8 6-7 /"
        " 10-7 8-6 9-5 1-4 2-3 / 3-10 4-2 5-1 6-9 7-8 / 10-8 9-7 1-6 2-5 3-4 /"
        " 4-10 5-3 6-2 7-1 8-9 / 10-9 1-8 2-7 3-6 4-5 / 5-10 6-4 7-3 8-2 9-1"
    ),
}


def _text(players: int) -> str:
    rounds = (berger(players, r) for r in range(1, table_rounds(players, 1) + 1))
    return " / ".join(" ".join(f"{b.first}-{b.second}" for b in r.boards) for r in rounds)


@pytest.mark.parametrize("players", _PUBLISHED)
def test_the_table_is_the_published_one(players: int) -> None:
    assert _text(players) == _PUBLISHED[players]


@pytest.mark.parametrize("players", _PUBLISHED)
def test_an_odd_field_plays_the_even_table_without_its_last_number(players: int) -> None:
    for number in range(1, players):
        even, odd = berger(players, number), berger(players - 1, number)
        assert set(even.boards[1:]) == set(odd.boards)
        assert odd.free in (even.boards[0].first, even.boards[0].second)


@pytest.mark.parametrize(
    ("players", "first", "last"),
    [
        pytest.param(12, "1-12 2-11 3-10 4-9 5-8 6-7", "6-12 7-5 8-4 9-3 10-2 11-1", id="12"),
        pytest.param(
            14, "1-14 2-13 3-12 4-11 5-10 6-9 7-8", "7-14 8-6 9-5 10-4 11-3 12-2 13-1", id="14"
        ),
        pytest.param(
            16,
            "1-16 2-15 3-14 4-13 5-12 6-11 7-10 8-9",
            "8-16 9-7 10-6 11-5 12-4 13-3 14-2 15-1",
            id="16",
        ),
    ],
)
def test_larger_tables_begin_and_end_as_published(players: int, first: str, last: str) -> None:
    rounds = _text(players).split(" / ")
    assert (rounds[0], rounds[-1]) == (first, last)


def _rotated(players: int) -> list[set[frozenset[int]]]:
    """Return the pairs, by turning a circle round its fixed last number: another construction of these rounds."""
    ring = list(range(1, players))
    met_pairs = []
    for _ in range(players - 1):
        pairs = {frozenset((ring[0], players))}
        pairs |= {frozenset((ring[i], ring[-i])) for i in range(1, players // 2)}
        met_pairs.append(pairs)
        half = players // 2
        ring = ring[half:] + ring[:half]
    return met_pairs


@pytest.mark.parametrize("players", range(2, 41, 2))
def test_the_table_is_a_turned_circle(players: int) -> None:
    mine = [
        {frozenset((b.first, b.second)) for b in berger(players, r).boards}
        for r in range(1, players)
    ]
    assert mine == _rotated(players)


@pytest.mark.parametrize("cycles", [1, 2])
@pytest.mark.parametrize("players", range(2, 41))
def test_everybody_meets_everybody_with_balanced_sides(players: int, cycles: int) -> None:
    meetings: Counter[tuple[int, int]] = Counter()
    balance: Counter[int] = Counter()
    for number in range(1, table_rounds(players, cycles) + 1):
        table = scheduled(players, cycles, number)
        seats = [tpn for b in table.boards for tpn in (b.first, b.second)]
        assert sorted([*seats, *filter(None, [table.free])]) == list(range(1, players + 1))
        for board in table.boards:
            meetings[board.first, board.second] += 1
            balance[board.first] += 1
            balance[board.second] -= 1
    for one, two in combinations(range(1, players + 1), 2):
        assert meetings[one, two] + meetings[two, one] == cycles
        assert abs(meetings[one, two] - meetings[two, one]) == cycles % 2
    assert max(map(abs, balance.values())) <= (cycles % 2) * (1 - players % 2)


@pytest.mark.parametrize("players", range(4, 41, 2))
def test_nobody_has_a_side_three_times_running_in_two_cycles(players: int) -> None:
    sides: dict[int, str] = dict.fromkeys(range(1, players + 1), "")
    for number in range(1, table_rounds(players, 2) + 1):
        for board in scheduled(players, 2, number).boards:
            sides[board.first] += "1"
            sides[board.second] += "2"
    assert not [s for s in sides.values() if "111" in s or "222" in s]


def test_without_the_exchange_of_rounds_somebody_would() -> None:
    tables = [scheduled(6, 2, number, exchanges_rounds=False) for number in range(1, 11)]
    assert tables[:5] == [berger(6, number) for number in range(1, 6)]
    side_of_1 = "".join(
        "1" if b.first == 1 else "2" for table in tables for b in table.boards if 1 in b
    )
    assert "222" in side_of_1


@settings(max_examples=25)
@given(
    size=st.integers(2, 12), cycles=st.integers(1, 2), seed=st.integers(0, 10**6), odd=st.booleans()
)
def test_whole_events_are_legal_and_end(size: int, cycles: int, seed: int, odd: bool) -> None:
    options = FormatOptions(cycles=cycles)
    problem = first_problem(size, options=options, most_meetings=cycles, odd=odd)
    event = Event(RoundRobin(), problem, random.Random(seed), withdrawals=0.03, absences=0.05)
    event.play(100)
    assert len(event.solutions) == RoundRobin().rounds(size, options)
    rounds = len(event.solutions) // cycles
    for number, solution in enumerate(event.solutions):
        for evidence in solution.evidence:
            assert evidence.details == {"cycle": number // rounds + 1, "table_round": number + 1}
    for solution in event.solutions:
        assert sum(idle.kind is RoundKind.FREE for idle in solution.idle) <= size % 2
    with pytest.raises(EventDecidedError):
        RoundRobin().pair(event.problem)


def test_the_opponent_of_an_absent_player_wins_by_forfeit() -> None:
    everybody = [Contestant(tpn, ()) for tpn in range(1, 6)]
    problem = PairingProblem(1, 5, tuple(everybody[:4]), absent=(everybody[4],))
    solution = RoundRobin().pair(problem)
    free = Idle(1, RoundKind.FREE, reason=IdleReason.ODD)
    assert solution.idle == (free, Idle(2, RoundKind.FORFEIT_WIN, 5))
    assert [(b.first, b.second) for b in solution.boards] == [(3, 4)]


def test_numbers_with_gaps_take_the_places_of_the_table_in_order() -> None:
    problem = PairingProblem(1, 3, tuple(Contestant(tpn, ()) for tpn in (20, 3, 8, 11)))
    assert [(b.first, b.second) for b in RoundRobin().pair(problem).boards] == [(3, 20), (8, 11)]


def test_a_forbidden_pair_stops_the_table() -> None:
    field = tuple(Contestant(tpn, ()) for tpn in range(1, 5))
    with pytest.raises(NoPairingError, match="TPN 2 and 3"):
        RoundRobin().pair(PairingProblem(1, 3, field, forbidden=frozenset({frozenset((2, 3))})))


@pytest.mark.parametrize(("players", "rounds"), [(0, 0), (1, 0), (2, 2), (3, 6), (4, 6)])
def test_a_field_of_two_or_more_takes_rounds(players: int, rounds: int) -> None:
    assert table_rounds(players, 2) == rounds


def test_after_the_table_everybody_is_free() -> None:
    field = tuple(Contestant(tpn, (_AWAY,) * 3) for tpn in (1, 2, 3))
    problem = PairingProblem(4, 5, field)
    builder = SolutionBuilder(problem)
    seat_table(builder, (1, 2, 3), options=FormatOptions(), round_number=4, details={})
    solution = builder.solution(others=RoundKind.WAITS)
    assert [(i.tpn, i.kind, i.reason) for i in solution.idle] == [
        (tpn, RoundKind.FREE, IdleReason.TABLE_OVER) for tpn in (1, 2, 3)
    ]


def test_options_that_make_no_sense_are_refused() -> None:
    for cycles in (0, 3):
        with pytest.raises(BadProblemError, match=f"{cycles} cycles"):
            RoundRobin().rounds(4, FormatOptions(cycles=cycles))
    with pytest.raises(BadProblemError, match="1 players"):
        RoundRobin().rounds(1, FormatOptions())
    late = PairingProblem(1, 3, (Contestant(1, ()), Contestant(2, (), joined_round=2)))
    for problem in (
        late,
        late._replace(contestants=late.contestants[1:], absent=late.contestants[:1]),
    ):
        with pytest.raises(BadProblemError, match="after round 1"):
            RoundRobin().pair(problem)
    with pytest.raises(BadProblemError, match="continuous"):
        RoundRobin().pair(PairingProblem(1, 3, late.contestants, is_continuous=True))
