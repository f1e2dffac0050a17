"""Ladders: information, placement, random draws that can be repeated, and the largest possible number of pairs."""

from __future__ import annotations

import random
import statistics
from collections import Counter
from itertools import combinations

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.pairing.pools import Pool, people
from tournaments.pairing import (
    BadProblemError,
    Contestant,
    FormatOptions,
    Idle,
    Ladder,
    PairingProblem,
    RoundKind,
    RoundRecord,
    system,
)
from tournaments.pairing.ladder import expected_milli, information


def _bot(tpn: int, rating: int = 1500, deviation: int = 50, games: int = 30) -> Contestant:
    kinds = (RoundKind.FIRST, RoundKind.SECOND)
    records = tuple(RoundRecord(kinds[n % 2], 1_000 + n, 1) for n in range(games))
    return Contestant(
        tpn, records, rating_centielo=rating * 100, deviation_centielo=deviation * 100
    )


def _problem(*bots: Contestant, seed: int = 1, **more: object) -> PairingProblem:
    problem = PairingProblem(1, 0, bots, is_continuous=True, most_meetings=0, seed=seed)
    return problem._replace(**more)  # type: ignore[arg-type]  # any field of the problem


# p = 1 / (1 + 10 ** (-d / 400)), by hand: 10 to the power of 1 and 3, and the tabulated 64 % and 76
# % of 100 and 200.
@pytest.mark.parametrize(
    ("apart", "milli"),
    [(0, 500), (100, 640), (200, 760), (400, 909), (1_200, 999), (-400, 91), (-9_000, 0)],
)
def test_the_expected_score_is_that_of_elo(apart: int, milli: int) -> None:
    one, two = _bot(1, 1500 + apart), _bot(2, 1500)
    assert expected_milli(one, two) == milli
    assert expected_milli(two, one) == 1_000 - milli


def test_a_game_tells_more_between_equals_between_uncertain_ones_and_between_strangers() -> None:
    one = _bot(1)
    assert information(one, _bot(2), 0) > information(one, _bot(2, 1700), 0)
    assert information(one, _bot(2, deviation=90), 0) > information(one, _bot(2), 0)
    assert information(one, _bot(2), 0) > information(one, _bot(2), 1)
    assert information(_bot(1, deviation=0), _bot(2, 9000, deviation=0), 99) == 1


def test_the_evidence_says_what_was_expected() -> None:
    solution = Ladder().pair(_problem(_bot(1, 1600), _bot(2, 1500)))
    evidence = solution.evidence[0]
    assert evidence.meeting == "ladder"
    expected = 640 if evidence.first == 1 else 360
    assert evidence.details == {
        "rank_gap": 1,
        "expected_milli": expected,
        "earlier_meetings": 0,
    }


def test_of_three_the_most_uncertain_times_waiting_plays() -> None:
    calm, wild = _bot(1, deviation=20), _bot(2, deviation=90)
    for seed in range(20):
        boards = Ladder().pair(_problem(calm, _bot(3, deviation=20), wild, seed=seed)).boards
        assert 2 in (boards[0].first, boards[0].second)
        patient = calm._replace(waited_s=600)
        boards = Ladder().pair(_problem(patient, _bot(3, deviation=20), wild, seed=seed)).boards
        assert 1 in (boards[0].first, boards[0].second)


def test_bots_in_placement_come_before_all() -> None:
    newcomer = _bot(9, deviation=1, games=23)
    for seed in range(20):
        boards = (
            Ladder().pair(_problem(_bot(1, deviation=300), newcomer, _bot(2), seed=seed)).boards
        )
        assert 9 in (boards[0].first, boards[0].second)


def _opponents_of(tpn: int, bots: list[Contestant], draws: int) -> Counter[int]:
    opponents: Counter[int] = Counter()
    for seed in range(draws):
        for board in Ladder().pair(_problem(*bots, seed=seed)).boards:
            if tpn in (board.first, board.second):
                opponents[board.first + board.second - tpn] += 1
    return opponents


@pytest.mark.long
def test_established_bots_play_in_their_window_and_newcomers_everywhere() -> None:
    bots = [_bot(tpn, 1000 + 10 * tpn) for tpn in range(1, 60)]
    settled = bots[29]._replace(waited_s=10**6)
    near = _opponents_of(30, [*bots[:29], settled, *bots[30:]], 60)
    assert max(abs(tpn - 30) for tpn in near) <= 4 + 50 // 25
    assert len(near) > 8
    newcomer = _bot(30, 1300, games=0)
    far = _opponents_of(30, [*bots[:29], newcomer, *bots[30:]], 60)
    assert max(far) > 50
    assert min(far) < 10


def test_a_bot_that_may_meet_nobody_near_plays_somebody_farther_off() -> None:
    bots = [_bot(tpn, 1000 + 10 * tpn) for tpn in range(1, 60)]
    bots[29] = bots[29]._replace(waited_s=10**6)
    for barred in (range(15, 46), range(2, 60)):  # wider than its window; all but one
        forbidden = frozenset(frozenset((30, tpn)) for tpn in barred if tpn != 30)
        for seed in range(5):
            boards = Ladder().pair(_problem(*bots, seed=seed, forbidden=forbidden)).boards
            assert any(30 in (b.first, b.second) for b in boards)


def test_more_informative_opponents_are_drawn_more_often() -> None:
    # All within one window: an equal one, and one 500 points stronger.
    bots = [_bot(1, deviation=200), _bot(2), _bot(3, 2000), _bot(4, 2010)]
    opponents = _opponents_of(1, bots, 300)
    assert opponents[2] > 2 * opponents[3]
    assert opponents[3] + opponents[4] > 10


def test_nobody_plays_the_same_one_over_and_over_while_there_are_others() -> None:
    games = tuple(RoundRecord(RoundKind.FIRST, 2 if n % 4 == 0 else 90 + n, 1) for n in range(24))
    often = _bot(1, deviation=300)._replace(records=games)
    assert 2 not in _opponents_of(1, [often, _bot(2), _bot(3), _bot(4)], 60)
    assert set(_opponents_of(1, [often, _bot(2)], 5)) == {2}


def test_the_same_seed_draws_the_same_and_another_one_something_else() -> None:
    bots = [_bot(tpn, 1500 + tpn) for tpn in range(1, 21)]
    assert Ladder().pair(_problem(*bots)) == Ladder().pair(_problem(*bots))
    draws = {Ladder().pair(_problem(*bots, seed=seed)).boards for seed in range(10)}
    assert len(draws) > 5
    later = _problem(*bots)._replace(round_number=2)
    assert Ladder().pair(later).boards != Ladder().pair(_problem(*bots)).boards


def test_a_problem_with_rounds_is_refused() -> None:
    with pytest.raises(BadProblemError, match="continuous"):
        Ladder().pair(PairingProblem(1, 1, (Contestant(1, ()),)))
    assert system("ladder").rounds(5, FormatOptions()) is None


def test_bots_of_one_owner_wait_when_there_is_nobody_else() -> None:
    problem = _problem(_bot(1), _bot(2), forbidden=frozenset({frozenset((1, 2))}))
    assert Ladder().pair(problem).idle == (Idle(1, RoundKind.WAITS), Idle(2, RoundKind.WAITS))


@settings(max_examples=80)
@given(
    size=st.integers(1, 14),
    seed=st.integers(0, 10**6),
    density=st.sampled_from([0.1, 0.5, 0.8, 0.95]),
)
def test_there_are_as_many_pairs_as_there_can_be(size: int, seed: int, density: float) -> None:
    rng = random.Random(seed)
    pairs = list(combinations(range(1, size + 1), 2))
    forbidden = frozenset(frozenset(p) for p in pairs if rng.random() < density)
    bots = people(size, rng).values()
    solution = Ladder().pair(_problem(*bots, seed=seed, forbidden=forbidden))
    graph: networkx.Graph[int] = networkx.Graph([p for p in pairs if frozenset(p) not in forbidden])
    possible = len(networkx.max_weight_matching(graph, maxcardinality=True))
    assert len(solution.boards) == possible
    for most in range(1, possible + 1):
        limited = Ladder().pair(_problem(*bots, seed=seed, forbidden=forbidden, most_boards=most))
        assert len(limited.boards) <= most


@pytest.mark.parametrize("seed", range(6))
def test_a_limit_that_all_fit_in_leaves_nobody_over(seed: int) -> None:
    """Each may meet its neighbours only, so pairs of 2 with 3 and 4 with 5 leave 1 and 6 without an opponent."""
    chain = {frozenset((tpn, tpn + 1)) for tpn in range(1, 6)}
    forbidden = {frozenset(pair) for pair in combinations(range(1, 7), 2)} - chain
    bots = [_bot(tpn, deviation=400 if tpn in {2, 5} else 50) for tpn in range(1, 7)]
    problem = _problem(*bots, seed=seed, forbidden=frozenset(forbidden), most_boards=3)
    assert len(Ladder().pair(problem).boards) == 3


@pytest.mark.parametrize(("own", "others", "most"), [(60, 40, 40), (150, 40, 40), (80, 81, 80)])
def test_an_owner_of_most_bots_does_not_leave_the_others_without_a_game(
    own: int, others: int, most: int
) -> None:
    forbidden = frozenset(frozenset(p) for p in combinations(range(1, own + 1), 2))
    bots = people(own + others, random.Random(3)).values()
    assert len(Ladder().pair(_problem(*bots, forbidden=forbidden)).boards) == most


def _after_sixty_steps(size: int, seed: int) -> Pool:
    rng = random.Random(seed)
    pool = Pool(Ladder(), people(size, rng), rng)
    for _ in range(60):
        assert len(pool.step().idle) <= 1
    return pool


@settings(max_examples=3)
@given(size=st.integers(2, 30), seed=st.integers(0, 10**6))
def test_running_ladders_keep_sides_even(size: int, seed: int) -> None:
    _have_even_sides(_after_sixty_steps(size, seed))


@pytest.mark.slow
@settings(max_examples=50)
@given(size=st.integers(2, 30), seed=st.integers(0, 10**6))
def test_many_running_ladders_keep_sides_even(size: int, seed: int) -> None:
    _have_even_sides(_after_sixty_steps(size, seed))


def _have_even_sides(pool: Pool) -> None:
    for bot in pool.people.values():
        sides = Counter(bot.colours)
        assert abs(sides[RoundKind.FIRST] - sides[RoundKind.SECOND]) <= 3


@pytest.mark.parametrize(
    ("size", "seed"),
    [
        # Here one bot of fourteen has met four others: it is the ladder that mixes, not every bot for every seed.
        (14, 89),
        (30, 1),
        *(pytest.param(size, 2, marks=pytest.mark.slow) for size in range(11, 31)),
    ],
)
def test_running_ladders_mix_opponents(size: int, seed: int) -> None:
    busy = [bot for bot in _after_sixty_steps(size, seed).people.values() if len(bot.records) >= 12]
    assert statistics.mean(len(bot.met) for bot in busy) >= 5
