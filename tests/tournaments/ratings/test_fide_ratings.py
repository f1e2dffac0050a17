"""FIDE Rating Regulations (B.02): published calculations, the tables, and the edges of every rule."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.ratings.rating_vectors import vectors
from tournaments.ratings import fide
from tournaments.ratings.errors import InputError, RuleSetError
from tournaments.ratings.fide.tables import half_away

FIDE = vectors("fide-b02")
OLD = fide.rule_set_named("fide-standard-2022")
PLAIN = fide.rule_set_named("fide-standard-2024")
NOW = fide.rule_set_named("fide-standard-2025")
RAPID = fide.rule_set_named("fide-rapid-blitz-2024-12")
ELO = st.integers(1400, 2900)


def halves(score: float) -> int:
    assert 2 * score == int(2 * score)
    return int(2 * score)


def event(rating: int, *games: tuple[int, float]) -> fide.Event:
    return fide.Event(rating, tuple(fide.RatedGame(elo, halves(score)) for elo, score in games))


def single(
    rating: int, opponent: int, score: float, k: int = 20, *, rules: fide.RuleSet = NOW
) -> fide.PeriodChange:
    return fide.period_change(
        rules, rating_elo=rating, k=k, events=[event(rating, (opponent, score))]
    )


@pytest.mark.parametrize("case", FIDE["published"], ids=lambda case: case["id"])
def test_published_period_is_computed_game_by_game(case):
    events = [
        event(e["Ro"], *((opponent, score) for opponent, score, *_ in e["games"]))
        for e in case["events"]
    ]
    change = fide.period_change(
        NOW, rating_elo=case["previous"], k=case["K_before_cap"], events=events
    )
    assert change.games == case["games"]
    assert change.k_used == case["K_used"]
    assert change.change_centielo == round(100 * case["total"])
    assert change.new_elo == change.listed_elo == case["per_period"]
    for steps, case_event in zip(change.events, case["events"], strict=True):
        deltas = [round(100 * game[2]) for game in case_event["games"]]
        assert [step.delta_hundredths for step in steps.games] == deltas
        # FIDE prints the opponent's rating after the 400-point rule, and marks it.
        with_mark = [
            step for step, g in zip(steps.games, case_event["games"], strict=True) if len(g) > 3
        ]
        assert {abs(step.counted_elo) for step in with_mark} <= {400}
        assert steps.sum_hundredths == round(100 * case_event["sum"])
        assert steps.change_centielo == round(100 * case_event["K_sum"])


def test_published_lists_follow_the_period_but_for_the_one_known_exception():
    differing = {c["id"] for c in FIDE["published"] if c["published_new"] != c["per_period"]}
    assert differing == {"F-P02"}


@pytest.mark.parametrize(("own", "opponent", "score", "k", "change"), FIDE["single_games"])
def test_single_game_changes_the_rating_by_k_times_its_delta(own, opponent, score, k, change):
    assert single(own, opponent, score, k).change_centielo == round(100 * change)


@pytest.mark.parametrize(("average", "score", "games", "rating"), FIDE["initial"])
def test_first_rating_of_an_average_opponent(average, score, games, rating):
    lost_and_won = [2] * int(score) + [1] * (halves(score) % 2)
    lost_and_won += [0] * (games - len(lost_and_won))
    first = fide.first_rating(NOW, events=[[fide.RatedGame(average, h) for h in lost_and_won]])
    assert first is not None
    assert first.computed_elo == first.listed_elo == rating


def test_published_first_rating_with_its_steps():
    case = FIDE["initial_published"]
    scores = (0.5, 0.5, 1, 0, 1)
    games = [
        fide.RatedGame(elo, halves(s)) for elo, s in zip(case["opponents"], scores, strict=True)
    ]
    assert fide.first_rating(NOW, events=[games]) == fide.FirstRating(
        version="fide-standard-2025",
        games=5,
        score_halves=6,
        average_elo=Fraction(13107, 7),
        percent=57,
        difference_elo=50,
        computed_elo=1922,
        listed_elo=1922,
    )


@pytest.mark.parametrize(("rating", "opponents", "score"), FIDE["expected_score_examples"])
def test_expected_score_against_a_field(rating, opponents, score):
    assert fide.expected_score(rating, opponents) == round(100 * score)


def test_tables_are_those_of_the_handbook():
    assert [fide.rating_difference(p) for p in range(101)] == FIDE["dp"]
    for k, highest in enumerate(FIDE["pd_upper"]):
        assert fide.scoring_probability(highest) == 50 + k
        assert fide.scoring_probability(highest + 1) == 51 + k
        assert fide.scoring_probability(-highest) == 50 - k


@given(ELO, ELO)
def test_probabilities_of_both_add_up_to_a_point(one, two):
    if one != two:
        assert fide.scoring_probability(one - two) + fide.scoring_probability(two - one) == 100


@pytest.mark.parametrize(("exact", "rounded"), FIDE["rounding_half_away"])
def test_a_half_is_rounded_away_from_zero(exact, rounded):
    assert half_away(round(100 * exact)) == rounded


@pytest.mark.parametrize(
    ("rules", "own", "opponent", "counted"),
    [
        (NOW, 2649, 2200, 400),
        (NOW, 2650, 2200, 450),
        (NOW, 2200, 2700, -400),  # the own rating decides
        (PLAIN, 2650, 2200, 400),
        (RAPID, 2700, 2200, 400),
        (NOW, 2400, 2000, 400),
    ],
)
def test_400_points_are_the_most_for_players_below_2650(rules, own, opponent, counted):
    [[step]] = [e.games for e in single(own, opponent, 1, rules=rules).events]
    assert step.difference_elo == own - opponent
    assert step.counted_elo == counted
    assert step.is_capped == (own - opponent != counted)


def test_before_march_2024_one_game_an_event_was_upgraded():
    games = ((1900, 1), (1500, 1), (1890, 1), (2900, 0))
    change = fide.period_change(
        OLD, rating_elo=2400, k=20, events=[event(2400, *games), event(2400, (1700, 1))]
    )
    differences = [[step.counted_elo for step in steps.games] for steps in change.events]
    assert differences == [[500, 400, 510, -400], [400]]


@pytest.mark.parametrize(
    ("day", "time_class", "version"),
    [
        (date(2024, 2, 29), fide.TimeClass.STANDARD, "fide-standard-2022"),
        (date(2024, 3, 1), fide.TimeClass.STANDARD, "fide-standard-2024"),
        (date(2025, 9, 30), fide.TimeClass.STANDARD, "fide-standard-2024"),
        (date(2025, 10, 1), fide.TimeClass.STANDARD, "fide-standard-2025"),
        (date(2024, 11, 30), fide.TimeClass.RAPID, "fide-rapid-blitz-2024"),
        (date(2026, 1, 1), fide.TimeClass.BLITZ, "fide-rapid-blitz-2024-12"),
    ],
)
def test_the_edition_in_force_when_the_period_began_rules_it(day, time_class, version):
    rules = fide.rule_set(day=day, time_class=time_class)
    assert rules.version == version
    assert fide.rule_set_named(version) is rules
    assert single(1500, 1500, 1, rules=rules).version == version


def test_days_and_names_without_an_edition_are_refused():
    with pytest.raises(RuleSetError, match="2021-12-31"):
        fide.rule_set(day=date(2021, 12, 31))
    with pytest.raises(RuleSetError, match="rapid"):
        fide.rule_set(day=date(2024, 2, 29), time_class=fide.TimeClass.RAPID)
    with pytest.raises(RuleSetError, match="elo-1"):
        fide.rule_set_named("elo-1")


@pytest.mark.parametrize(
    ("own", "opponent", "is_rated"),
    [(2601, 2001, False), (2600, 2000, True), (2000, 2601, False), (2700, 2101, True)],
)
def test_rapid_game_with_600_points_between_is_not_rated_above_2600(own, opponent, is_rated):
    change = single(own, opponent, 0.5, rules=RAPID)
    [[step]] = [e.games for e in change.events]
    assert step.is_rated == is_rated
    assert (step.delta_hundredths == 0) == (not is_rated)
    assert change.games == is_rated


@pytest.mark.parametrize(
    ("highest", "games", "born", "k"),
    [
        (None, 0, None, 40),
        (1800, 29, 1980, 40),
        (1800, 30, 1980, 20),
        (2299, 500, 2008, 40),  # 18 in the year of the list
        (2299, 500, 2007, 20),
        (2300, 500, 2008, 20),
        (2300, 10, 2008, 40),
        (2399, 30, 1980, 20),
        (2400, 5, 2010, 10),
    ],
)
def test_the_coefficient_follows_experience_age_and_the_highest_rating(highest, games, born, k):
    k_factor = fide.k_factor(
        NOW, highest_published_elo=highest, games=games, birth_year=born, list_year=2026
    )
    assert k_factor == k


@pytest.mark.parametrize(
    ("k", "games", "used"), [(20, 35, 20), (20, 36, 19), (40, 18, 38), (10, 701, 0), (40, 0, 40)]
)
def test_k_times_the_games_of_a_period_is_at_most_700(k, games, used):
    assert fide.limited_k(NOW, k, games=games) == used


def test_rating_below_the_floor_is_not_listed():
    change = single(1405, 1400, 0, 40)
    assert (change.new_elo, change.listed_elo) == (1385, None)
    assert single(1420, 1420, 0, 40).listed_elo == 1400


def test_zero_score_in_the_first_event_is_disregarded():
    losses = [fide.RatedGame(1900, 0)] * 4
    wins = [fide.RatedGame(1700, 2)] * 5
    assert fide.first_rating(NOW, events=[losses]) is None
    assert fide.first_rating(NOW, events=[]) is None
    assert fide.first_rating(NOW, events=[losses, wins]) == fide.first_rating(NOW, events=[wins])
    after = fide.first_rating(NOW, events=[wins, losses])
    assert after is not None
    assert after.games == 9


def test_first_rating_needs_five_games_and_the_floor():
    four = fide.first_rating(NOW, events=[[fide.RatedGame(1700, 2)] * 4])
    low = fide.first_rating(NOW, events=[[fide.RatedGame(1410, 0)] * 6 + [fide.RatedGame(1410, 1)]])
    assert four is not None
    assert low is not None
    assert four.listed_elo is None
    assert low.computed_elo < 1400
    assert low.listed_elo is None


@pytest.mark.parametrize(
    ("scores", "rating"),
    [((2, 2, 2, 0, 0), 1720), ((2, 2, 1, 0, 0), 1700), ((2, 2, 0, 0, 0), 1628)],
)
def test_until_2024_a_half_point_above_the_half_gave_20_points(scores, rating):
    first = fide.first_rating(OLD, events=[[fide.RatedGame(1700, h) for h in scores]])
    assert first is not None
    # Three of five are one half point above 50 %, so 20 points. Two of five are .40, so dp = -72.
    assert first.computed_elo == rating


@pytest.mark.parametrize(
    ("opponents", "points", "tpr", "ptp"),
    [
        ([2000], 1, 2800, 2736),
        ([2000, 2100], 0, 1250, 1200),
        ([2000, 2000], 1, 2000, 1997),  # 3 points below, the table still promises the half
        ([2000, 2001], 1.5, 2194, 2190),
    ],
)
def test_performances(opponents, points, tpr, ptp):
    score = halves(points)
    assert fide.tournament_performance(opponents, score_halves=score) == tpr
    assert fide.perfect_performance(opponents, score_halves=score) == ptp


@given(st.lists(ELO, min_size=1, max_size=11), st.data())
def test_perfect_performance_is_the_lowest_rating_that_expects_the_score(opponents, data):
    score = data.draw(st.integers(1, 2 * len(opponents) - 1))
    rating = fide.perfect_performance(opponents, score_halves=score)
    assert fide.expected_score(rating, opponents) >= 50 * score
    assert fide.expected_score(rating - 1, opponents) < 50 * score


games = st.lists(st.builds(fide.RatedGame, ELO, st.integers(0, 2)), max_size=12)


@given(ELO, games, st.randoms(use_true_random=False))
def test_order_of_the_games_does_not_matter(rating, played, rng):
    other_order = list(played)
    rng.shuffle(other_order)
    changes = {
        fide.period_change(
            NOW, rating_elo=rating, k=20, events=[fide.Event(rating, tuple(order))]
        ).change_centielo
        for order in (played, other_order)
    }
    assert len(changes) == 1


@given(ELO, games)
def test_steps_add_up(rating, played):
    change = fide.period_change(
        NOW, rating_elo=rating, k=40, events=[fide.Event(rating, tuple(played))]
    )
    steps = [step for steps in change.events for step in steps.games]
    assert [step.game for step in steps] == played
    assert change.sum_hundredths == sum(step.delta_hundredths for step in steps)
    assert change.change_centielo == change.k_used * change.sum_hundredths
    assert abs(100 * change.change_elo - change.change_centielo) <= 50
    assert change.new_elo == rating + change.change_elo


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: single(1500, 1500, 1.5),
        lambda: single(-1, 1500, 1),
        lambda: single(1500, 9999, 1),
        lambda: single(1500, 1500, 1, 0),
        lambda: fide.first_rating(NOW, events=[[fide.RatedGame(1500, 3)]]),
        lambda: fide.k_factor(
            NOW, highest_published_elo=None, games=-1, birth_year=1, list_year=2026
        ),
        lambda: fide.rating_difference(101),
        lambda: fide.tournament_performance([], score_halves=0),
        lambda: fide.perfect_performance([1500], score_halves=3),
    ],
)
def test_numbers_that_make_no_sense_are_refused(wrong):
    with pytest.raises(InputError):
        wrong()


@pytest.mark.parametrize(
    ("version", "figures"),
    [
        ("fide-standard-2022", (1000, None, None)),
        ("fide-standard-2024", (1400, 2200, None)),
        ("fide-standard-2025", (1400, 2200, None)),
        ("fide-rapid-blitz-2024", (1400, 2200, None)),
        ("fide-rapid-blitz-2024-12", (1400, 2200, 600)),
    ],
)
def test_every_edition_has_its_floor_its_highest_first_rating_and_its_gap(
    version: str, figures: tuple[int, int | None, int | None]
) -> None:
    rules = fide.rule_set_named(version)
    assert (rules.floor_elo, rules.highest_first_elo, rules.unrated_gap_elo) == figures


def test_a_draw_in_many_games_is_expected_only_where_a_win_is() -> None:
    """C.07 10.3: from 620 to 735 above, 50 games bring 49.5 points and 51 games 50.49."""
    assert fide.perfect_performance([2000] * 50, score_halves=99) == 2620
    assert fide.perfect_performance([2000] * 51, score_halves=101) == 2736
