"""Arenas: points and streaks, pairs, and players who wait for a better opponent."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.pairing.pools import Pool, people
from tournaments.pairing import (
    Arena,
    BadProblemError,
    Contestant,
    FormatOptions,
    Idle,
    PairingProblem,
    RoundKind,
    RoundRecord,
    arena_points,
    system,
)
from tournaments.pairing.arena import standing

_KINDS = {"w": 2, "d": 1, "l": 0}


def _games(text: str, opponent: int = 99) -> tuple[RoundRecord, ...]:
    """Return games by result, sides in turn. A digit after a letter names the opponent."""
    records: list[RoundRecord] = []
    for letter in text:
        if letter.isdigit():
            records[-1] = records[-1]._replace(opponent=int(letter))
            continue
        kind = RoundKind.SECOND if len(records) % 2 else RoundKind.FIRST
        records.append(RoundRecord(kind, opponent, _KINDS[letter]))
    return tuple(records)


@pytest.mark.parametrize(
    ("games", "sheet", "streak"),
    [
        pytest.param("", (), 0, id="none"),
        pytest.param("wdl", (2, 1, 0), 0, id="plain"),
        pytest.param("ww", (2, 2), 2, id="two wins set on fire"),
        pytest.param("wwww", (2, 2, 4, 4), 4, id="wins on fire count double"),
        pytest.param("wwdw", (2, 2, 2, 2), 1, id="a draw on fire counts double and ends it"),
        pytest.param("wwlww", (2, 2, 0, 2, 2), 2, id="a loss ends it"),
        pytest.param("wdwww", (2, 1, 2, 2, 4), 3, id="wins must be in a row"),
        pytest.param("dddd", (1, 1, 1, 1), 0, id="draws in a row stay what they are"),
    ],
)
def test_points_of_an_arena(games: str, sheet: tuple[int, ...], streak: int) -> None:
    score = arena_points(_games(games))
    assert (score.sheet, score.streak, score.points) == (sheet, streak, sum(sheet))
    assert score.is_on_fire == (streak >= 2)


def test_a_forfeit_win_is_a_win_and_a_pause_is_no_game() -> None:
    records = (
        RoundRecord(RoundKind.FORFEIT_WIN, 2, 2),
        RoundRecord(RoundKind.ZERO_BYE, None, 0),
        RoundRecord(RoundKind.FIRST, 3, 2),
        RoundRecord(RoundKind.SECOND, 4, 2),
    )
    assert arena_points(records).sheet == (2, 2, 4)


def _pool(
    waiting: dict[int, tuple[str, int]], playing: dict[int, str] | None = None, **more: object
) -> PairingProblem:
    """Return waiting players (games, seconds) and busy ones (games), by TPN.

    A smaller TPN has the higher rating.
    """

    def contestant(tpn: int, games: str, waited_s: int) -> Contestant:
        return Contestant(
            tpn, _games(games), rating_centielo=200_000 - 1_000 * tpn, waited_s=waited_s
        )

    problem = PairingProblem(
        1,
        0,
        tuple(contestant(tpn, *what) for tpn, what in waiting.items()),
        absent=tuple(contestant(tpn, games, 0) for tpn, games in (playing or {}).items()),
        is_continuous=True,
        most_meetings=0,
    )
    return problem._replace(**more)  # type: ignore[arg-type]  # any field of the problem


def _pairs(problem: PairingProblem) -> set[frozenset[int]]:
    return {frozenset((b.first, b.second)) for b in Arena().pair(problem).boards}


def test_at_the_start_neighbours_in_rating_meet() -> None:
    problem = _pool(dict.fromkeys(range(1, 7), ("", 0)))
    assert _pairs(problem) == {frozenset((1, 2)), frozenset((3, 4)), frozenset((5, 6))}


def test_later_neighbours_in_points_meet() -> None:
    problem = _pool({1: ("l", 0), 2: ("w", 0), 3: ("l", 0), 4: ("w", 0)})
    assert standing(problem) == [2, 4, 1, 3]
    assert _pairs(problem) == {frozenset((2, 4)), frozenset((1, 3))}


def test_the_same_two_do_not_meet_twice_running() -> None:
    problem = _pool({1: ("w2", 0), 2: ("l1", 0), 3: ("w4", 0), 4: ("l3", 0)})
    assert frozenset((1, 2)) not in _pairs(problem)
    assert frozenset((3, 4)) not in _pairs(problem)


def test_unless_they_are_alone() -> None:
    problem = _pool({1: ("w2", 0), 2: ("l1", 0)})
    board, evidence = Arena().pair(problem).boards[0], Arena().pair(problem).evidence[0]
    assert (board.first, board.second) == (2, 1)  # sides change
    assert (evidence.meeting, evidence.details["earlier_meetings"]) == ("pool", 1)


def test_or_have_waited_long() -> None:
    playing = dict.fromkeys(range(3, 11), "")
    just_now = _pool({1: ("w2", 0), 2: ("l1", 0)}, playing)
    assert Arena().pair(just_now).idle == (Idle(1, RoundKind.WAITS), Idle(2, RoundKind.WAITS))
    assert _pairs(_pool({1: ("w2", 60), 2: ("l1", 60)}, playing)) == {frozenset((1, 2))}


def test_far_apart_they_wait_while_most_of_the_field_plays() -> None:
    playing = dict.fromkeys(range(2, 40), "")
    assert _pairs(_pool({1: ("", 0), 40: ("", 0)}, playing)) == set()
    assert _pairs(_pool({1: ("", 60), 40: ("", 60)}, playing)) == {frozenset((1, 40))}
    assert _pairs(_pool({19: ("", 0), 20: ("", 0)}, {1: "", 2: "", 3: "", 4: ""})) != set()


def test_they_do_not_wait_for_those_who_have_left() -> None:
    problem = _pool({1: ("", 0), 40: ("", 0)}, dict.fromkeys(range(2, 40), ""))
    without_them = problem._replace(absent=tuple(c._replace(left_round=1) for c in problem.absent))
    assert _pairs(without_them) == {frozenset((1, 40))}


def test_who_waited_longest_is_served_first() -> None:
    problem = _pool({1: ("", 5), 2: ("", 5), 3: ("", 50)})
    assert any(3 in pair for pair in _pairs(problem))
    assert _pairs(_pool({1: ("", 50), 2: ("", 5), 3: ("", 5)})) == {frozenset((1, 2))}


def test_frequent_opponents_give_way_to_new_ones() -> None:
    problem = _pool({1: ("w2d2d2d2l9", 0), 2: ("l1d1d1d1w8", 0), 3: ("d9d8", 0), 4: ("d8d9", 0)})
    assert frozenset((1, 2)) not in _pairs(problem)


def test_forbidden_pairs_and_met_ones_wait() -> None:
    problem = _pool({1: ("", 90), 2: ("", 90)})
    assert _pairs(problem._replace(forbidden=frozenset({frozenset((1, 2))}))) == set()
    met = _pool({1: ("w2", 90), 2: ("l1", 90)}, most_meetings=1)
    assert _pairs(met) == set()


def test_a_problem_with_rounds_is_refused() -> None:
    with pytest.raises(BadProblemError, match="continuous"):
        Arena().pair(PairingProblem(1, 1, (Contestant(1, ()),)))
    assert system("arena").rounds(5, FormatOptions()) is None


def test_one_alone_waits() -> None:
    assert Arena().pair(_pool({1: ("", 500)})).idle == (Idle(1, RoundKind.WAITS),)


@pytest.mark.long
@settings(max_examples=40)
@given(size=st.integers(2, 40), seed=st.integers(0, 10**6), playing=st.integers(0, 30))
def test_of_those_who_waited_long_at_most_one_waits_on(size: int, seed: int, playing: int) -> None:
    rng = random.Random(seed)
    field = [
        Contestant(
            tpn,
            tuple(
                RoundRecord(
                    rng.choice((RoundKind.FIRST, RoundKind.SECOND)),
                    rng.choice([o for o in range(1, size + playing + 2) if o != tpn]),
                    rng.choice((0, 1, 2)),
                )
                for _ in range(rng.randint(0, 6))
            ),
            waited_s=rng.randint(60, 200),
        )
        for tpn in range(1, size + playing + 1)
    ]
    problem = PairingProblem(
        3, 0, tuple(field[:size]), absent=tuple(field[size:]), is_continuous=True, most_meetings=0
    )
    assert len(Arena().pair(problem).idle) == size % 2


@pytest.mark.long
@settings(max_examples=8)
@given(size=st.integers(2, 50), seed=st.integers(0, 10**6))
def test_nobody_starves_and_sides_stay_even(size: int, seed: int) -> None:
    rng = random.Random(seed)
    pool = Pool(Arena(), people(size, rng), rng)
    for _ in range(45):
        pool.step()
        assert max(c.waited_s for c in pool.people.values()) <= 120
    for contestant in pool.people.values():
        balance = Counter(contestant.colours)
        assert abs(balance[RoundKind.FIRST] - balance[RoundKind.SECOND]) <= 3


@pytest.mark.long
def test_opponents_change_and_are_near() -> None:
    rng = random.Random(4)
    pool = Pool(Arena(), people(60, rng), rng)
    for _ in range(60):
        pool.step()
    gaps: list[int] = []
    rematches = 0
    for problem, solution in pool.history:
        last = {c.tpn: c.records[-1].opponent for c in problem.contestants if c.records}
        for evidence in solution.evidence:
            gaps.append(evidence.details["gap"])
            rematches += last.get(evidence.first) == evidence.second
    assert len(gaps) > 300
    assert sorted(gaps)[len(gaps) // 2] <= 6
    assert rematches == 0


def test_large_pools_are_paired_in_windows_without_losing_anybody() -> None:
    rng = random.Random(1)
    problem = Pool(Arena(), people(201, rng), rng).problem()
    solution = Arena().pair(problem)
    assert (len(solution.boards), len(solution.idle)) == (100, 1)
    assert max(e.details["gap"] for e in solution.evidence) <= 20
