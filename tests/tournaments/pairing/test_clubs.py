"""Keizer and McMahon: the values, the scores, the pairs, and the effects of house rules."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.pairing.club_oracle import CLUBS
from tests.tournaments.pairing.formats import Event, first_problem
from tests.tournaments.pairing.random_rounds import answers, random_round
from tournaments.pairing import (
    BadProblemError,
    Contestant,
    FormatOptions,
    NoPairingError,
    PairingProblem,
    PointSystem,
    RoundKind,
    RoundRecord,
    system,
    violations,
)
from tournaments.pairing.club_field import club_field
from tournaments.pairing.explained import AnsweringSystem
from tournaments.pairing.refusals import Reason
from tournaments.standings import Field, Game, HouseRules, Kind, Participant, breakdown, ranking
from tournaments.standings.club_systems import keizer_values

_RATINGS = st.lists(st.integers(0, 2600), min_size=2, max_size=12)


def _problem(size: int, rules: HouseRules | None = None, **ratings: int) -> PairingProblem:
    problem = first_problem(size, options=FormatOptions(house_rules=rules or HouseRules()))
    contestants = tuple(
        c._replace(rating_centielo=100 * ratings.get(f"t{c.tpn}", 0)) for c in problem.contestants
    )
    return problem._replace(rounds_total=20, contestants=contestants)


def _boards(problem: PairingProblem, name: str = "keizer") -> list[set[int]]:
    return [{b.first, b.second} for b in system(name).pair(problem).boards]


def test_the_first_of_keizer_is_worth_three_times_the_last() -> None:
    field = club_field(_problem(10, t3=2000))
    values = keizer_values(field)
    assert (values[2], max(values), min(values)) == (15, 15, 6)
    assert sorted(values, reverse=True) == list(range(15, 5, -1))


def test_neighbours_meet_in_the_first_round_of_keizer() -> None:
    assert _boards(_problem(6, t6=2000, t5=1900)) == [{6, 5}, {1, 2}, {3, 4}]


def test_the_places_of_a_board_are_those_among_all_with_the_absent() -> None:
    problem = _problem(6, t6=2000, t5=1900)
    absent, here = problem.contestants[0], problem.contestants[1:5]
    leader = problem.contestants[5]
    solution = system("keizer").pair(problem._replace(contestants=here, absent=(absent, leader)))
    reasons = [each.details for each in solution.evidence]
    assert reasons == [{"place": 2, "next_place": 4}, {"place": 5, "next_place": 6}]


def test_the_bye_of_keizer_goes_to_the_lowest_who_had_the_fewest() -> None:
    event = Event(system("keizer"), _problem(5), random.Random(3), odd_results=False)
    event.play(10)
    byes = [solution.bye for solution in event.solutions]
    assert byes[0] == 5
    assert {byes.count(tpn) for tpn in range(1, 6)} == {2}


@given(size=st.integers(2, 9), seed=st.integers(0, 10**6), gap=st.integers(0, 5))
def test_keizer_pairs_everybody_in_every_round(size: int, seed: int, gap: int) -> None:
    problem = _problem(size, HouseRules(rematch_gap=gap))
    event = Event(system("keizer"), problem, random.Random(seed), withdrawals=0.02, absences=0.1)
    event.play(12)
    assert len(event.solutions) == 12


def _lost(problem: PairingProblem, *rounds: dict[int, int]) -> PairingProblem:
    """Return the problem after rounds in which both lost, or everybody was away: the order stays that of the ratings."""
    contestants = []
    for one in problem.contestants:
        opponents = [pairs.get(one.tpn) for pairs in rounds]
        kinds = [RoundKind.FIRST if opponent else RoundKind.ZERO_BYE for opponent in opponents]
        records = [RoundRecord(k, o, 0) for k, o in zip(kinds, opponents, strict=True)]
        contestants.append(one._replace(records=tuple(records)))
    return problem._replace(round_number=len(rounds) + 1, contestants=tuple(contestants))


_1_2, _1_3, _1_4 = {1: 2, 2: 1, 3: 4, 4: 3}, {1: 3, 3: 1, 2: 4, 4: 2}, {1: 4, 4: 1, 2: 3, 3: 2}


@pytest.mark.parametrize(
    ("gap", "rounds", "boards"),
    [
        pytest.param(0, [_1_2], [{1, 2}, {3, 4}], id="no gap"),
        pytest.param(1, [_1_2], [{1, 3}, {2, 4}], id="one round, last round"),
        pytest.param(1, [_1_2, {}], [{1, 2}, {3, 4}], id="one round, round before"),
        pytest.param(2, [_1_2, {}], [{1, 3}, {2, 4}], id="two rounds, round before"),
        pytest.param(3, [_1_2], [{1, 3}, {2, 4}], id="more rounds than were played"),
        pytest.param(3, [_1_4, _1_2, _1_3], [{1, 4}, {2, 3}], id="reduced by one"),
        pytest.param(2, [_1_4, _1_2, _1_3], [{1, 4}, {2, 3}], id="the third is free"),
        pytest.param(1, [_1_4, _1_2, _1_3], [{1, 2}, {3, 4}], id="the nearest of two"),
    ],
)
def test_two_meet_again_only_after_the_gap(
    gap: int, rounds: list[dict[int, int]], boards: list[set[int]]
) -> None:
    problem = _problem(4, HouseRules(rematch_gap=gap), t1=2000, t2=1900, t3=1800, t4=1700)
    assert _boards(_lost(problem, *rounds)) == boards


def test_those_who_are_not_paired_again_are_the_nearest_left_with_a_bye_in_the_middle() -> None:
    """5 and 4 have had the bye. It goes to 3, and 2 meets 4."""
    problem = _problem(5, t1=2000, t2=1900, t3=1800, t4=1700, t5=1600)
    bye = RoundRecord(RoundKind.PAIRING_BYE, None, 0)
    contestants = [
        c._replace(records=(bye,) if c.tpn > 3 else (RoundRecord(RoundKind.ZERO_BYE, None, 0),))
        for c in problem.contestants
    ]
    contestants[3:] = [c._replace(rating_centielo=0) for c in contestants[3:]]
    rules = HouseRules(bye_percent=0)
    problem = problem._replace(
        round_number=2,
        contestants=tuple(contestants),
        options=FormatOptions(house_rules=rules),
    )
    assert system("keizer").pair(problem).bye == 3
    assert _boards(problem) == [{1, 2}, {4, 5}]


def test_keizer_has_no_pairing_when_two_of_four_may_meet_nobody() -> None:
    forbidden = frozenset(map(frozenset, ((1, 3), (1, 4), (2, 3), (2, 4), (3, 4))))
    with pytest.raises(NoPairingError, match="4 contestants cannot all be paired"):
        system("keizer").pair(_problem(4)._replace(forbidden=forbidden))


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(CLUBS))
def test_the_search_is_the_enumeration(name: str) -> None:
    """In the last of these rounds two mild preferences are weighed against a strong one."""
    for seed in (*range(200), 5320):
        search, enumeration = answers(name, random_round(seed, is_played=True))
        assert search == enumeration, seed


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(CLUBS))
def test_a_refusal_is_that_of_the_enumeration(name: str) -> None:
    rng, pairing_system = random.Random(7), system(name)
    assert isinstance(pairing_system, AnsweringSystem)
    reasons = set()
    for seed in range(400):
        problem = random_round(seed, is_played=True)
        try:
            solution = pairing_system.pair(problem)
        except NoPairingError:
            continue
        boards = frozenset((b.first, b.second) for b in solution.boards)
        boards |= frozenset() if solution.bye is None else {(solution.bye, 0)}
        tpn, other = rng.sample([0, *(c.tpn for c in problem.contestants)], 2)
        tpn, other = max(tpn, other), min(tpn, other)
        refusal = pairing_system.why_not(problem, solution, tpn, other or None)
        expected = CLUBS[name](problem).refusal(tpn, other, boards)
        assert (refusal.reason, refusal.criterion, refusal.value, refusal.other) == expected, seed
        reasons.add((str(refusal.reason), refusal.criterion))
    assert len(reasons) > 6


def test_a_pair_beyond_the_neighbours_was_not_compared() -> None:
    """The other half of a group of 101 begins 50 ranks below. Each player is offered 24."""
    problem, swiss = _problem(101), system("swiss")
    assert isinstance(swiss, AnsweringSystem)
    refusal = swiss.why_not(problem, swiss.pair(problem), 1, 51)
    assert (refusal.reason, refusal.criterion) == (Reason.ORDER, "neighbours")
    assert not refusal.is_objection


@pytest.mark.parametrize("name", sorted(CLUBS))
def test_a_round_that_another_code_paired_is_not_explained(name: str) -> None:
    problem, player = _problem(6), system(name)
    assert isinstance(player, AnsweringSystem)
    other = player.pair(problem)._replace(boards=player.pair(problem).boards[:2])
    with pytest.raises(BadProblemError, match="round"):
        player.why_not(problem, other, 1, 6)


@pytest.mark.parametrize("name", sorted(CLUBS))
def test_a_question_has_two_players_of_the_event(name: str) -> None:
    problem, pairing_system = _problem(4), system(name)
    assert isinstance(pairing_system, AnsweringSystem)
    solution = pairing_system.pair(problem)
    for other in (1, 5):
        with pytest.raises(BadProblemError, match="no question"):
            pairing_system.why_not(problem, solution, 1, other)
    away = problem._replace(contestants=problem.contestants[:2], absent=problem.contestants[2:])
    assert pairing_system.why_not(away, pairing_system.pair(away), 1, 4).absent == 4


@pytest.mark.parametrize("name", ["keizer", "mcmahon"])
def test_a_pool_is_refused(name: str) -> None:
    with pytest.raises(BadProblemError, match="continuous"):
        system(name).pair(_problem(4)._replace(is_continuous=True))


@pytest.mark.parametrize(
    ("record", "kind"),
    [
        (RoundRecord(RoundKind.FIRST, 2, 6), Kind.WIN),
        (RoundRecord(RoundKind.SECOND, 2, 5), Kind.DRAW),
        (RoundRecord(RoundKind.FIRST, 2, 2), Kind.DRAW),
        (RoundRecord(RoundKind.FIRST, 2, 1), Kind.LOSS),
        (RoundRecord(RoundKind.FORFEIT_WIN, 2, 6), Kind.FORFEIT_WIN),
        (RoundRecord(RoundKind.HALF_BYE, None, 6), Kind.HALF_BYE),
    ],
)
def test_a_game_is_won_drawn_or_lost_by_its_points(record: RoundRecord, kind: Kind) -> None:
    problem = _lost(_problem(2, t1=1100), {})
    one, two = problem.contestants
    field = club_field(
        problem._replace(
            contestants=(one._replace(records=(record,)), two),
            points=PointSystem(win=6, draw=2, loss=1),
        )
    )
    assert field.games[0][0].kind is kind
    assert field.ratings == [1100, None]


def test_keizer_has_no_pairing_when_all_pairs_are_forbidden() -> None:
    forbidden = frozenset({frozenset((1, 2))})
    with pytest.raises(NoPairingError, match="forbidden pair"):
        system("keizer").pair(_problem(2)._replace(forbidden=forbidden))


def _field(*games: list[Game], rules: HouseRules | None = None, ratings: list[int]) -> Field:
    return Field(
        [
            Participant(n, tuple(own), rating or None)
            for n, (own, rating) in enumerate(zip(games, ratings, strict=True), start=1)
        ],
        house_rules=rules or HouseRules(),
        rounds_total=5,
    )


def test_keizer_points_are_the_values_of_those_beaten() -> None:
    """Three players: 5, 4 and 3 (T = 9 / 2, rounded up)."""
    field = _field(
        [Game(Kind.WIN, 2, 2), Game(Kind.DRAW, 1, 3)],
        [Game(Kind.LOSS, 0, 1), Game(Kind.HALF_BYE, 1)],
        [Game(Kind.PAIRING_BYE, 2), Game(Kind.DRAW, 1, 1)],
        rules=HouseRules(absence_percent=25),
        ratings=[2000, 1800, 1600],
    )
    # 1 beats 2 and draws with 3. In the end 1 is first, 3 second, 2 third.
    assert keizer_values(field) == [5, 3, 4]
    places = {p.id: p.values["KEIZER"] for p in ranking(field, ["KEIZER", "PTS"]).places}
    assert places == {1: 3 + 2, 2: Fraction(3, 4), 3: 2 + Fraction(5, 2)}
    terms = breakdown(field, "KEIZER", 1).terms
    assert [t.opponent for t in terms] == [2, 3]
    assert [[t.strength, t.score, t.contribution] for t in terms] == [[3, 1, 3], [4, 0.5, 2]]


@given(ratings=_RATINGS, seed=st.integers(0, 10**6))
def test_values_of_keizer_fall_with_the_table(ratings: list[int], seed: int) -> None:
    problem = _problem(len(ratings), None, **{f"t{n}": r for n, r in enumerate(ratings, start=1)})
    event = Event(system("keizer"), problem, random.Random(seed))
    event.play(4)
    field = club_field(event.problem)
    values = keizer_values(field)
    assert sorted(values, reverse=True) == list(range(max(values), max(values) - len(values), -1))
    assert keizer_values(club_field(event.problem)) == values


@pytest.mark.parametrize(
    ("rating", "start"), [(None, 0), (900, 0), (1099, 0), (1100, 1), (1999, 9), (2600, 10)]
)
def test_a_player_of_mcmahon_begins_by_rating(rating: int | None, start: int) -> None:
    assert HouseRules().start(rating) == start


def test_mcmahon_pairs_equal_scores() -> None:
    problem = _problem(4, HouseRules(bar_elo=1500), t1=2000, t2=1100, t3=1600, t4=1150)
    solution = system("mcmahon").pair(problem)
    assert [{b.first, b.second} for b in solution.boards] == [{1, 3}, {2, 4}]
    assert dict(solution.evidence[0].details) == {
        "first_score_halves": 10,
        "second_score_halves": 10,
    }
    assert violations(problem, solution) == []


def test_mcmahon_ranks_by_score_then_by_those_of_the_opponents() -> None:
    field = _field(
        [Game(Kind.WIN, 2, 2), Game(Kind.LOSS, 0, 3)],
        [Game(Kind.LOSS, 0, 1), Game(Kind.ZERO_BYE)],
        [Game(Kind.PAIRING_BYE, 2), Game(Kind.WIN, 2, 1)],
        ratings=[1250, 1100, 0],
    )
    table = ranking(field, ["MMS", "SOS", "SOSOS", "PTS"])
    values = {p.id: [p.values[n] for n in ("MMS", "SOS", "SOSOS")] for p in table.places}
    # 1: 2 + 1, met 2 (1) and 3 (2). 2: 1, met 1 (3), then its own start. 3: 0 + 2.
    assert values == {1: [3, 3, 4 + 3], 2: [1, 4, 3 + 2], 3: [2, 3, 3]}
    assert breakdown(field, "MMS", 1).terms[0].round_number is None


@pytest.mark.parametrize("rules", [HouseRules(), HouseRules(rematch_gap=0, step_elo=50)])
def test_house_rules_are_read_as_they_were_written(rules: HouseRules) -> None:
    assert HouseRules.of_words(rules.words().split()) == rules


@pytest.mark.parametrize("words", ["gap=3", "bar_elo", "bar_elo=x", "step_elo=0", "bar_elo=123456"])
def test_other_words_are_no_house_rules(words: str) -> None:
    with pytest.raises(ValueError, match=words):
        HouseRules.of_words([words])


def test_a_problem_keeps_its_house_rules_when_it_is_stored() -> None:
    problem = _problem(2, HouseRules(bye_percent=66))
    assert PairingProblem.from_json(problem.to_json()) == problem
    assert Contestant(1, ()) == problem.contestants[0]._replace(rating_centielo=0)
