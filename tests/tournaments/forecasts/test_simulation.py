"""The laws of forecasts: chances add up, favourites win, seeds decide, and small events are foreseen exactly."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.forecasts import (
    Absence,
    BadCourseError,
    Course,
    EventForecast,
    OpenRound,
    Plan,
    PlanForecast,
    Prior,
    Prohibition,
    ResultModel,
    Timing,
    course_of,
    events_for,
)
from tournaments.forecasts.play import play
from tournaments.forecasts.ranks import final_groups
from tournaments.forecasts.simulation import event_forecast, kendall_tau, plan_forecast
from tournaments.forecasts.strengths import Encounter, strengths
from tournaments.house_rules import HouseRules
from tournaments.pairing import (
    BadProblemError,
    Board,
    FormatOptions,
    PointSystem,
    RoundKind,
    RoundRecord,
    violations,
)
from tournaments.pairing import system as pairing_system
from tournaments.standings import DEFAULTS, System

FORMATS = [
    *("dutch", "swiss", "double-swiss", "keizer", "mcmahon"),
    *("round-robin", "knockout", "double-knockout", "groups-knockout"),
]
_TIE_BREAKS = {
    "keizer": ("KEIZER", "PTS"),
    "mcmahon": ("MMS", "SOS", "SOSOS", "PTS"),
    "round-robin": DEFAULTS[System.ROUND_ROBIN],
}
# A bye is a win and a draw (C.04.5 1.4).
_OF_MATCHES = PointSystem(second_bye=1)
CLOCK = Timing(initial_ms=600_000, increment_ms=5_000, plies=60, pause_s=60)


def _plan(system: str = "dutch", players: int = 8, rounds: int = 3, **more: object) -> Plan:
    plan = Plan(
        system,
        players,
        rounds,
        spread_elo=200,
        deviation_elo=80,
        model=ResultModel(0.1, 20),
        options=FormatOptions(groups=2),
        timing=CLOCK,
        tie_breaks=_TIE_BREAKS.get(system, DEFAULTS[System.SWISS]),
        game_points=_OF_MATCHES if system == "double-swiss" else None,
    )
    return replace(plan, **more)  # type: ignore[arg-type]  # by keyword


def _course(ratings: Sequence[float], system: str = "dutch", **more: object) -> Course:
    """An event of players of exactly these strengths, before its first round."""
    plan = _plan(system, len(ratings), deviation_elo=0, model=ResultModel())
    priors = tuple(Prior(tpn, elo, 0) for tpn, elo in enumerate(ratings, start=1))
    return replace(course_of(plan), priors=priors, **more)  # type: ignore[arg-type]  # by keyword


def _wins(forecast: EventForecast) -> dict[int, float]:
    return {chance.tpn: chance.win.value for chance in forecast.chances}


@pytest.mark.parametrize("system", FORMATS)
@pytest.mark.parametrize("players", [5, 8])
def test_chances_to_win_add_up_to_one_and_to_be_among_the_first_three_to_three(
    system: str, players: int
) -> None:
    forecast = event_forecast(course_of(_plan(system, players)), seed=1, events=15)
    assert len(forecast.chances) == players
    assert sum(c.win.value for c in forecast.chances) == pytest.approx(1, abs=0.002)
    assert sum(c.first_three.value for c in forecast.chances) == pytest.approx(3, abs=0.002)
    for chance in forecast.chances:
        assert 0 <= chance.win.low <= chance.win.value <= chance.win.high <= 1
        assert chance.win.value <= chance.first_three.value


@pytest.mark.parametrize("system", FORMATS)
def test_every_simulated_round_is_legal_by_the_independent_checker(
    system: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    course = course_of(_plan(system, 9, rounds=4))

    class Checked:
        def __init__(self, name: str) -> None:
            self._system = pairing_system(name)

        def pair(self, problem):
            solution = self._system.pair(problem)
            assert violations(problem, solution) == []
            return solution

    monkeypatch.setattr("tournaments.forecasts.play.system", Checked)
    drawn = {prior.tpn: prior.rating_elo for prior in course.priors}
    played = play(course, drawn, random.Random(3))
    assert played.boards
    groups = final_groups(course, played.problem)
    assert sorted(tpn for group in groups for tpn in group) == list(range(1, 10))


@pytest.mark.long
@pytest.mark.parametrize("system", ["dutch", "knockout"])
def test_the_same_seed_gives_the_same_answer_and_another_one_another(system: str) -> None:
    course, plan = course_of(_plan(system)), _plan(system)
    assert event_forecast(course, seed=5, events=20) == event_forecast(course, seed=5, events=20)
    assert event_forecast(course, seed=5, events=20) != event_forecast(course, seed=6, events=20)
    assert plan_forecast(plan, seed=5, events=20) == plan_forecast(plan, seed=5, events=20)
    assert plan_forecast(plan, seed=5, events=20) != plan_forecast(plan, seed=6, events=20)


@pytest.mark.parametrize("system", FORMATS)
def test_a_clear_favourite_wins_more_often_than_an_equal_and_the_weakest_less(system: str) -> None:
    wins = _wins(
        event_forecast(_course([1900, 1500, 1500, 1500, 1500, 1100], system), seed=2, events=40)
    )
    assert wins[1] > 0.5
    assert wins[6] < 0.1


@pytest.mark.parametrize("tpn", [1, 4])
def test_an_event_that_is_decided_gives_its_winner_certainty(tpn: int) -> None:
    """All rounds of a knock-out of four have been played: the result is certain."""
    course = _course([1500] * 4, "knockout")
    strong = {1: 1500.0, 2: 1500.0, 3: 1500.0, 4: 1500.0, tpn: 9000.0}
    over = replace(course, problem=play(course, strong, random.Random(1)).problem)
    forecast = event_forecast(over, seed=1, events=10)
    assert forecast.chances[0].tpn == tpn
    assert forecast.chances[0].win.value == 1


@pytest.mark.long
def test_the_interval_covers_the_exact_chances_of_a_knock_out_of_four() -> None:
    """1 meets 4 and 2 meets 3. The four strengths are known, no game is drawn, no side is better."""
    ratings = [1700.0, 1600.0, 1500.0, 1400.0]

    def beats(one: int, other: int) -> float:
        return 1 / (1 + 10 ** ((ratings[other] - ratings[one]) / 400))

    def wins(one: int, first: int, others: tuple[int, int]) -> float:
        a, b = others
        final = beats(a, b) * beats(one, a) + beats(b, a) * beats(one, b)
        return beats(one, first) * final

    exact = [
        wins(0, 3, (1, 2)),
        wins(1, 2, (0, 3)),
        wins(2, 1, (0, 3)),
        wins(3, 0, (1, 2)),
    ]
    assert sum(exact) == pytest.approx(1)
    forecast = event_forecast(_course(ratings, "knockout"), seed=1, events=2000)
    for chance in forecast.chances:
        assert chance.win.low <= exact[chance.tpn - 1] <= chance.win.high, chance


@pytest.mark.long
def test_of_four_equals_in_a_round_robin_each_wins_every_fourth_event() -> None:
    forecast = event_forecast(_course([1500] * 4, "round-robin"), seed=4, events=400)
    for chance in forecast.chances:
        assert chance.win.low <= 0.25 <= chance.win.high


def test_the_pairings_of_a_published_round_are_those_that_are_played() -> None:
    course = _course([2500, 2500, 500, 500])
    boards = (Board(1, 2), Board(3, 4))
    published = replace(
        course,
        problem=course.problem._replace(rounds_total=1),
        open_round=OpenRound(boards, ()),
    )
    wins = _wins(event_forecast(published, seed=3, events=50))
    # 1 and 2 meet, and so do 3 and 4: one of the weak wins its only game each time, and ties for the first place.
    assert wins[3] + wins[4] > 0.3
    paired = replace(published, open_round=None)
    assert _wins(event_forecast(paired, seed=3, events=50))[3] < 0.05


def test_the_two_games_of_a_match_have_the_sides_exchanged() -> None:
    """The first side wins every game: each match is drawn, and each second game is won by the other side."""
    always_first = ResultModel(advantage_elo=20_000)
    course = _course([1500] * 4, "double-swiss", model=always_first)
    played = play(course, dict.fromkeys(range(1, 5), 1500.0), random.Random(1))
    assert played.games == [2, 2, 2]
    for contestant in played.problem.contestants:
        for record in contestant.records:
            first, second = course.games_of(record)
            assert (first.kind, second.kind) in permutations((RoundKind.FIRST, RoundKind.SECOND))
            halves = {game.kind: game.score_halves for game in (first, second)}
            assert halves == {RoundKind.FIRST: 2, RoundKind.SECOND: 0}
    assert final_groups(course, played.problem) == [[1, 2, 3, 4]]


def test_no_colour_is_due_in_matches_of_two_games() -> None:
    """Both players of a match have both sides: no player has an unwanted colour, or one three times in a row."""
    ahead = plan_forecast(_plan("double-swiss", 12, rounds=7), seed=1, events=10)
    assert (ahead.absolute.value, ahead.third.value) == (0, 0)
    assert ahead.rematches.value == 0


@pytest.mark.parametrize(
    ("record", "games"),
    [
        (
            RoundRecord(RoundKind.PAIRING_BYE, None, 3, second_halves=1),
            [("pairing-bye", 2), ("pairing-bye", 1)],
        ),
        (RoundRecord(RoundKind.SPLIT, 2, 2), [("forfeit-win", 2), ("forfeit-loss", 0)]),
        (
            RoundRecord(RoundKind.SPLIT, 2, 2, second_halves=2),
            [("forfeit-loss", 0), ("forfeit-win", 2)],
        ),
        (RoundRecord(RoundKind.SECOND, 2, 3, second_halves=1), [("second", 2), ("first", 1)]),
    ],
    ids=["bye", "first forfeited", "second forfeited", "played"],
)
def test_a_match_is_read_as_two_games(record: RoundRecord, games: list[tuple[str, int]]) -> None:
    course = course_of(_plan("double-swiss"))
    assert [(game.kind, game.score_halves) for game in course.games_of(record)] == games


@pytest.mark.long
def test_results_of_both_games_of_a_match_move_the_strengths() -> None:
    """Each of four players meets all others, so that the later points show the strength alone."""
    course = course_of(_plan("double-swiss", 4, spread_elo=0, deviation_elo=300))

    def later_points(first: int, second: int) -> float:
        halves = {1: (first, second), 2: (2 - first, 2 - second), 3: (1, 1), 4: (1, 1)}
        records = {
            tpn: RoundRecord(
                RoundKind.FIRST if tpn % 2 else RoundKind.SECOND,
                tpn + 1 if tpn % 2 else tpn - 1,
                sum(both),
                second_halves=both[1],
            )
            for tpn, both in halves.items()
        }
        after = replace(course, problem=course.following(course.problem, records))
        chances = event_forecast(after, seed=1, events=200).chances
        mine = next(chance for chance in chances if chance.tpn == 1)
        return mine.points.value - (first + second) / 2

    assert later_points(2, 2) > later_points(2, 1) > later_points(2, 0) > later_points(0, 0)


def test_who_has_left_does_not_come_back_and_who_asked_for_a_bye_does() -> None:
    course = _course([1500] * 6)
    contestants = course.problem.contestants
    problem = course.problem._replace(contestants=contestants[:4], absent=contestants[4:])
    course = replace(course, problem=problem, absences=(Absence(5, 1, RoundKind.HALF_BYE),))
    played = play(course, dict.fromkeys(range(1, 7), 1500.0), random.Random(1))
    records = {c.tpn: c.records for c in (*played.problem.contestants, *played.problem.absent)}
    assert records[5][0].kind is RoundKind.HALF_BYE
    assert records[5][0].score_halves == 1
    assert any(r.kind.is_played or r.kind is RoundKind.PAIRING_BYE for r in records[5][1:])
    assert {r.kind for r in records[6]} == {RoundKind.ZERO_BYE}


def test_those_who_must_not_meet_do_not_in_the_rounds_it_says() -> None:
    course = _course([1500] * 8)
    kept_apart = replace(course, prohibitions=(Prohibition(1, 3, (1, 2, 3, 4)),))
    kept_apart = replace(
        kept_apart, problem=course.problem._replace(forbidden=kept_apart.forbidden(1))
    )
    for seed in range(5):
        strong = dict.fromkeys(range(1, 9), 1500.0)
        played = play(kept_apart, strong, random.Random(seed))
        everybody = (*played.problem.contestants, *played.problem.absent)
        assert all(c.met.isdisjoint({1, 2, 3, 4}) for c in everybody if c.tpn <= 4)


def test_a_field_too_small_for_its_rounds_gets_stuck_and_the_plan_says_so() -> None:
    ahead = plan_forecast(_plan("dutch", 4, rounds=5), seed=1, events=10)
    assert ahead.stuck.value == 1
    assert ahead.rounds.high <= 3
    assert plan_forecast(_plan("dutch", 8, rounds=3), seed=1, events=10).stuck.value == 0


@pytest.mark.long
def test_more_rounds_make_the_order_surer_and_the_evening_longer() -> None:
    short, long = (plan_forecast(_plan("dutch", 16, rounds=n), seed=3, events=40) for n in (2, 6))
    assert short.order.high < long.order.low
    assert short.minutes is not None
    assert long.minutes is not None
    assert short.minutes.high < long.minutes.low
    # Two clocks of ten minutes and at most 45 increments each, five pauses of a minute.
    assert long.minutes.high <= 6 * (2 * (600 + 45 * 5)) / 60 + 5


def test_games_without_a_clock_have_no_length() -> None:
    assert plan_forecast(_plan(timing=None), seed=1, events=5).minutes is None


def test_an_odd_field_has_a_bye_in_every_round_and_no_rematch() -> None:
    ahead = plan_forecast(_plan("dutch", 9, rounds=4), seed=1, events=10)
    assert (ahead.idle.value, ahead.rematches.value) == (4, 0)


def test_plans_that_no_format_allows_are_refused() -> None:
    with pytest.raises(BadProblemError):
        course_of(_plan("round-robin", 1))


def test_an_armageddon_game_leaves_no_tie_of_draws_to_the_higher_seed() -> None:
    all_drawn = ResultModel(draw_share=1.0)
    course = _course([1500, 1500], "knockout", model=all_drawn, most_replays=0, has_armageddon=True)
    played = play(course, {1: 1500.0, 2: 1500.0}, random.Random(1))
    assert played.games == [2]
    # The first side of the tie has the second side in its armageddon game.
    scores = {c.records[0].kind: c.records[0].score_halves for c in played.problem.contestants}
    assert scores == {RoundKind.FIRST: 2, RoundKind.SECOND: 0}


@pytest.mark.parametrize("system", FORMATS)
def test_what_is_stored_is_read_back(system: str) -> None:
    plan = _plan(system, 9)
    course = replace(
        course_of(plan),
        absences=(Absence(2, 1, RoundKind.HALF_BYE),),
        prohibitions=(Prohibition(1, None, (1, 2)),),
        open_round=OpenRound((Board(1, 2),), (), ties=(1,)),
        tie_games=3,
        has_extra_pairs=True,
        has_armageddon=True,
    )
    assert Course.from_json(course.to_json()) == course
    assert Plan.from_json(plan.to_json()) == plan
    forecast = event_forecast(course_of(plan), seed=1, events=3)
    assert EventForecast.from_json(forecast.to_json()) == forecast
    ahead = plan_forecast(plan, seed=1, events=3)
    assert PlanForecast.from_json(ahead.to_json()) == ahead


@pytest.mark.parametrize("broken", [{}, {"problem": 1}, {"problem": {}, "priors": []}])
def test_a_course_that_cannot_be_read_is_refused_by_name(broken: dict) -> None:
    with pytest.raises(BadCourseError, match="not a stored course"):
        Course.from_json(broken)
    with pytest.raises(BadCourseError, match="not a stored plan"):
        Plan.from_json(broken)


def test_everybody_has_one_prior() -> None:
    course = _course([1500] * 4)
    with pytest.raises(BadCourseError, match="priors"):
        replace(course, priors=course.priors[:3])


@pytest.mark.parametrize(
    ("system", "players", "rounds", "events"),
    [
        ("dutch", 24, 5, 400),
        ("dutch", 200, 9, 194),
        ("swiss", 100, 7, 100),
        ("knockout", 2, 1, 400),
    ],
)
def test_large_fields_are_simulated_less_often(
    system: str, players: int, rounds: int, events: int
) -> None:
    assert events_for(system, players=players, rounds=rounds) == events


# --- the model of results ----------------------------------------------------------------------


@given(
    difference=st.floats(-2000, 2000),
    draws=st.floats(0, 1),
    advantage=st.floats(-200, 200),
)
def test_chances_are_chances_and_keep_elos_expectation(
    difference: float, draws: float, advantage: float
) -> None:
    chances = ResultModel(draws, advantage).chances(1500 + difference, 1500)
    assert min(chances.first, chances.draw, chances.second) >= -1e-12
    assert chances.first + chances.draw + chances.second == pytest.approx(1)
    assert chances.expected == pytest.approx(1 / (1 + 10 ** (-(difference + advantage) / 400)))


@given(difference=st.floats(0, 800), draws=st.floats(0, 0.5))
def test_draws_become_fewer_as_the_difference_grows_and_sides_are_symmetric(
    difference: float, draws: float
) -> None:
    model = ResultModel(draws)
    level, apart = model.chances(1500, 1500), model.chances(1500 + difference, 1500)
    assert apart.draw <= level.draw + 1e-12
    assert level.draw == pytest.approx(draws)
    turned = model.chances(1500, 1500 + difference)
    assert (turned.first, turned.second) == pytest.approx((apart.second, apart.first))


def test_drawn_results_come_as_often_as_the_chances_say() -> None:
    model, rng = ResultModel(0.3, 30), random.Random(7)
    counts = [0, 0, 0]
    for _ in range(4000):
        counts[model.first_halves(1600, 1500, rng)] += 1
    chances = model.chances(1600, 1500)
    expected = (chances.second, chances.draw, chances.first)
    for count, share in zip(counts, expected, strict=True):
        assert count / 4000 == pytest.approx(share, abs=0.03)


# --- strengths ---------------------------------------------------------------------------------


def test_without_games_strengths_are_the_ratings() -> None:
    known = strengths([Prior(1, 1600, 50), Prior(2, 1500, 0)], [], advantage_elo=0)
    assert (known.mean, known.deviations) == ([1600, 1500], [50, 0])
    rng = random.Random(1)
    drawn = [known.draw(rng) for _ in range(500)]
    assert {second for _, second in drawn} == {1500}
    assert sum(first for first, _ in drawn) / 500 == pytest.approx(1600, abs=8)


def test_results_move_the_strengths_of_the_unknown_and_make_them_surer() -> None:
    priors = [Prior(1, 1500, 350), Prior(2, 1500, 50), Prior(3, 1500, 350)]
    games = [Encounter(0, 1, 1.0), Encounter(0, 1, 1.0), Encounter(2, 0, 0.0)]
    after = strengths(priors, games, advantage_elo=0)
    assert after.mean[0] > 1600 > 1500 > after.mean[1] > 1480
    assert after.mean[2] < 1450
    assert after.deviations[0] < 350
    assert after.deviations[1] < 50


def test_the_likeliest_strength_against_a_known_one_solves_its_equation() -> None:
    """A prior of 1500 with an error of 200 and one win against 1500 for certain: the slope is 0 there."""
    after = strengths(
        [Prior(1, 1500, 200), Prior(2, 1500, 1e-4)], [Encounter(0, 1, 1.0)], advantage_elo=0
    )
    mean = after.mean[0]
    expected = 1 / (1 + 10 ** ((1500 - mean) / 400))
    assert (mean - 1500) / 200**2 == pytest.approx((1 - expected) * 2.302585 / 400, rel=1e-4)


def test_a_draw_says_nothing_of_equals_but_that_the_second_side_had_the_harder_one() -> None:
    priors = [Prior(1, 1500, 100), Prior(2, 1500, 100)]
    assert strengths(priors, [Encounter(0, 1, 0.5)], advantage_elo=0).mean == pytest.approx(
        [1500] * 2
    )
    tilted = strengths(priors, [Encounter(0, 1, 0.5)], advantage_elo=80)
    assert tilted.mean[0] < 1500 < tilted.mean[1]


# --- figures -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("groups", "tau"),
    [
        ([[1], [2], [3]], 1.0),
        ([[3], [2], [1]], -1.0),
        ([[1, 2, 3]], 0.0),
        ([[2], [1], [3]], 1 / 3),
        ([[1], [2, 3]], 2 / 3),
        ([[1]], 1.0),
    ],
)
def test_kendalls_tau(groups: list[list[int]], tau: float) -> None:
    assert kendall_tau(groups, {1: 3.0, 2: 2.0, 3: 1.0}) == pytest.approx(tau)


@pytest.mark.parametrize(("bar_elo", "winner"), [(2000, 1), (1000, 2)])
def test_the_ranks_of_a_club_follow_its_house_rules(bar_elo: int, winner: int) -> None:
    """Player 1 begins with ten points more, or with none. Player 2 wins the only game."""
    course = _course([2000, 1000], "mcmahon")
    rules = HouseRules(bar_elo=bar_elo)
    options = course.problem.options._replace(house_rules=rules)
    course = replace(course, problem=course.problem._replace(options=options))
    lost, won = RoundRecord(RoundKind.FIRST, 2, 0), RoundRecord(RoundKind.SECOND, 1, 2)
    stored = Course.from_json(json.loads(json.dumps(course.to_json())))
    assert stored == course
    after = stored.following(stored.problem, {1: lost, 2: won})
    assert final_groups(stored, after) == [[winner], [3 - winner]]


def test_members_of_a_club_of_keizer_meet_again_in_a_plan() -> None:
    """Four players have three opponents each, and a gap of two rounds."""
    ahead = plan_forecast(_plan("keizer", 4, rounds=6), seed=1, events=5)
    assert (ahead.rounds.median, ahead.stuck.value) == (6, 0)
    assert ahead.rematches.value > 0
