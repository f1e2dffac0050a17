"""Prizes: published examples, categories, rounding, and the laws of giving."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest

from tournaments.standings.prizes import (
    Awards,
    BadFundError,
    Candidate,
    Category,
    Fund,
    Kind,
    Prize,
    Rules,
    Sharing,
    awards,
    money,
    split,
)

OVERALL = Category()
UNDER_1600 = Category(Kind.RATING, rating_below=1600)
WOMEN = Category(Kind.LABEL, text="W")


def _players(*scores: int, **more: object) -> list[Candidate]:
    """Players 1, 2, … with these half points and a place each."""
    return [
        Candidate(n, n, score, score, 5, **more)  # type: ignore[arg-type]  # by keyword
        for n, score in enumerate(scores, start=1)
    ]


def _fund(*amounts: int, **rules: object) -> Fund:
    return Fund(
        tuple(Prize(OVERALL, amount) for amount in amounts),
        Rules(**rules),  # type: ignore[arg-type]  # by keyword
    )


def _sums(outcome: Awards) -> dict[int, int]:
    return {award.id: award.amount for award in outcome.awards}


def test_without_sharing_the_order_of_the_standings_decides() -> None:
    outcome = awards(_fund(300, 200, 100), _players(9, 8, 8, 8))
    assert _sums(outcome) == {1: 300, 2: 200, 3: 100}
    assert not outcome.remaining
    assert outcome.awards[1].sharers == (2,)


def test_those_whom_nothing_separates_share_even_without_sharing() -> None:
    players = [Candidate(1, 1, 9, 9, 5), Candidate(2, 2, 8, 8, 5), Candidate(3, 2, 8, 8, 5)]
    assert _sums(awards(_fund(300, 200, 100), players)) == {1: 300, 2: 150, 3: 150}


def test_equal_points_share_what_they_would_get_together() -> None:
    outcome = awards(_fund(300, 200, 100, sharing=Sharing.EQUAL), _players(9, 8, 8, 8, 7))
    assert _sums(outcome) == {1: 300, 2: 100, 3: 100, 4: 100}
    second = outcome.awards[1]
    assert (second.sharers, second.first_place, len(second.pool)) == ((2, 3, 4), 2, 2)


def test_hort_gives_half_by_place_and_half_by_points() -> None:
    # The example of the German Wikipedia, in whole euros: 875, 625, 350, 175, 150, 125.
    amounts = [100_000, 50_000, 35_000, 20_000, 15_000, 10_000]
    fund = _fund(*amounts, sharing=Sharing.HORT, rounding=100)
    outcome = awards(fund, _players(16, 16, 15, 14, 14, 14))
    assert list(_sums(outcome).values()) == [87_500, 62_500, 35_000, 17_500, 15_000, 12_500]
    first = outcome.awards[0]
    assert (first.by_order, first.by_points) == (Fraction(50_000), Fraction(37_500))
    # Its other prize pays 109 of 105. Here the remaining units are given to the higher placed.
    other = awards(_fund(4000, 2000, 1000, sharing=Sharing.HORT, rounding=100), _players(9, 9, 9))
    assert list(_sums(other).values()) == [3200, 2200, 1600]
    assert other.awards[0].is_rounded
    assert other.awards[2].exact == 500 + Fraction(7000, 6)


def test_those_behind_the_last_prize_share_the_half_by_points() -> None:
    outcome = awards(_fund(100, sharing=Sharing.HORT), _players(9, 9))
    assert _sums(outcome) == {1: 75, 2: 25}
    assert outcome.awards[1].place == 2


def test_things_go_by_place_and_are_not_shared() -> None:
    prizes = (Prize(OVERALL, 100, "gold"), Prize(OVERALL, 50), Prize(OVERALL, 0, "a book"))
    equal = awards(Fund(prizes, Rules(Sharing.EQUAL)), _players(9, 9, 9))
    assert [(a.amount, a.words) for a in equal.awards] == [
        (50, ("gold",)),
        (50, ("a book",)),
        (50, ()),
    ]
    by_place = awards(Fund(prizes), _players(9, 9, 9))
    assert [(a.amount, a.words) for a in by_place.awards] == [
        (100, ("gold",)),
        (50, ()),
        (0, ("a book",)),
    ]


def test_each_gets_the_most_valuable_prize_there_is() -> None:
    prizes = (Prize(OVERALL, 100), Prize(OVERALL, 20), Prize(UNDER_1600, 50))
    players = [
        Candidate(1, 1, 9, 9, 5, rating=2000),
        Candidate(2, 2, 8, 8, 5, rating=1500),
        Candidate(3, 3, 7, 7, 5, rating=1599),
        Candidate(4, 4, 6, 6, 5, rating=1900),
    ]
    one_each = awards(Fund(prizes), players)
    assert _sums(one_each) == {1: 100, 2: 50, 3: 20}
    third = one_each.awards[2]
    assert (third.category, third.place, third.elsewhere) == (OVERALL, 2, (2,))
    every = awards(Fund(prizes, Rules(is_cumulative=True)), players)
    assert [(a.id, a.amount) for a in every.awards] == [(1, 100), (2, 20), (2, 50)]


def test_who_would_get_more_elsewhere_has_no_part_in_a_pool() -> None:
    # 2 would get 25 of the overall prizes by Hort, and 60 among those under 1600.
    prizes = (Prize(OVERALL, 100), Prize(UNDER_1600, 60))
    players = [Candidate(1, 1, 9, 9, 5, rating=2000), Candidate(2, 2, 9, 9, 5, rating=1500)]
    outcome = awards(Fund(prizes, Rules(Sharing.HORT)), players)
    assert _sums(outcome) == {1: 100, 2: 60}


def test_nobody_is_kept_from_a_prize_that_is_left() -> None:
    # Together 2 to 5 would share 100. Players under 1600 have 90 among themselves.
    players = [
        Candidate(1, 1, 10, 10, 5, rating=2000),
        *(Candidate(n, n, 8, 8, 5, rating=1500 if n > 3 else 2000) for n in range(2, 6)),
    ]
    prizes = (
        Prize(OVERALL, 200),
        Prize(OVERALL, 100),
        Prize(UNDER_1600, 60),
        Prize(UNDER_1600, 30),
    )
    outcome = awards(Fund(prizes, Rules(Sharing.EQUAL)), players)
    assert _sums(outcome) == {1: 200, 2: 50, 3: 50, 4: 45, 5: 45}
    assert not outcome.remaining


def test_of_equals_the_better_placed_has_the_better_category() -> None:
    # Two share the larger of 60 and 57. The other has the smaller one alone.
    players = [Candidate(n, n, 8, 8, 5, labels="W") for n in (1, 2, 3)]
    prizes = (Prize(OVERALL, 60), Prize(WOMEN, 57))
    outcome = awards(Fund(prizes, Rules(Sharing.EQUAL)), players)
    assert _sums(outcome) == {1: 57, 2: 30, 3: 30}


def test_equally_valuable_categories_go_in_the_order_of_the_fund() -> None:
    player = Candidate(1, 1, 9, 9, 5, rating=1500, labels="W")
    other = Candidate(2, 2, 8, 8, 5, rating=1500)
    prizes = (Prize(WOMEN, 50), Prize(UNDER_1600, 50))
    assert [a.category for a in awards(Fund(prizes), [player, other]).awards] == [
        WOMEN,
        UNDER_1600,
    ]
    outcome = awards(Fund(prizes[::-1]), [player, other])
    assert [a.category for a in outcome.awards] == [UNDER_1600]
    assert outcome.remaining == ((WOMEN, 1, prizes[0]),)


@pytest.mark.parametrize(
    ("category", "ids"),
    [
        (OVERALL, {1, 2, 3, 4}),
        (UNDER_1600, {2}),
        (Category(Kind.RATING, rating_from=1600), {1, 3}),
        (Category(Kind.RATING, rating_from=1599, rating_below=1601), {2, 3}),
        (Category(Kind.UNRATED), {4}),
        (Category(Kind.PEOPLE), {1, 2, 3}),
        (Category(Kind.BOTS), {4}),
        (Category(Kind.CLUB, text="norte "), {1, 2}),
        (Category(Kind.FEDERATION, text="ESP"), {3}),
        (Category(Kind.LABEL, text="w"), {1, 2}),
        (Category(Kind.LABEL, text="U18"), {2}),
        (Category(Kind.LABEL, text="best hat"), {3}),
        (Category(Kind.SEX, text="W"), {2}),
        (Category(Kind.AGE, text="u18"), {1, 2}),
        (Category(Kind.AGE, text="S50"), {3}),
    ],
    ids=lambda value: value.kind if isinstance(value, Category) else "",
)
def test_who_belongs_to_a_category(category: Category, ids: set[int]) -> None:
    players = [
        Candidate(1, 1, 9, 9, 5, rating=1700, club="Norte", labels="W", age=18),
        Candidate(2, 2, 8, 8, 5, rating=1599, club=" NORTE", labels="U18, w", sex="w", age=17),
        Candidate(
            3, 3, 7, 7, 5, rating=1600, club="Sur", federation="esp", labels="Best  Hat", age=50
        ),
        Candidate(4, 4, 6, 6, 5, is_bot=True),
    ]
    fund = Fund(tuple(Prize(category, 10) for _ in players))
    assert {award.id for award in awards(fund, players).awards} == ids


def test_who_has_left_or_has_too_little_wins_nothing() -> None:
    players = [
        Candidate(1, 1, 9, 9, 5, is_out=True),
        Candidate(2, 2, 8, 8, 3),
        Candidate(3, 3, 7, 7, 4),
        Candidate(4, 4, 2, 2, 5),
    ]
    fund = _fund(100, 50, least_games=4, least_points_halves=3)
    outcome = awards(fund, players)
    assert _sums(outcome) == {3: 100}
    assert outcome.remaining == ((OVERALL, 2, Prize(OVERALL, 50)),)
    assert _sums(awards(_fund(100, 50, least_games=3, least_points_halves=2), players)) == {
        2: 100,
        3: 50,
    }


@pytest.mark.parametrize(
    ("fund", "code"),
    [
        (_fund(100, 200), "prize-order"),
        (_fund(0), "prize-empty"),
        (_fund(-100), "prize-empty"),
        (_fund(150, rounding=100), "prize-rounding"),
        (_fund(100, rounding=0), "prize-rules"),
        (_fund(100, least_games=-1), "prize-rules"),
        (Fund((Prize(Category(Kind.RATING), 1),)), "prize-category"),
        (Fund((Prize(Category(Kind.RATING, 1600, 1600), 1),)), "prize-category"),
        (Fund((Prize(Category(Kind.CLUB), 1),)), "prize-category"),
        (Fund((Prize(Category(Kind.AGE, text="18"), 1),)), "prize-category"),
        (Fund((Prize(Category(Kind.SEX, text="x"), 1),)), "prize-category"),
        (Fund((Prize(Category(text="W"), 1),)), "prize-category"),
        (Fund((Prize(Category(Kind.OVERALL, rating_below=1), 1),)), "prize-category"),
    ],
)
def test_a_fund_that_cannot_be_given_out_is_refused(fund: Fund, code: str) -> None:
    with pytest.raises(BadFundError) as refusal:
        awards(fund, _players(1))
    assert refusal.value.code == code


def test_a_total_is_split_by_per_cents() -> None:
    assert split(100_000, [60, 30, 10]) == [60_000, 30_000, 10_000]
    assert split(9_900, [60, 30, 10], rounding=100) == [6_100, 2_900, 900]
    for percents in ([30, 60, 10], [60, 30], [100, 0]):
        with pytest.raises(BadFundError, match="prize-percents"):
            split(100, percents)
    for total in (150, 0):
        with pytest.raises(BadFundError, match="prize-rounding"):
            split(total, [100], rounding=100)


# Money


@pytest.mark.parametrize(
    ("currency", "amount", "minor"),
    [("EUR", "60.5", 6050), ("JPY", "60", 60), ("KWD", "0.005", 5), ("XXX", "1", 100)],
)
def test_sums_are_whole_minor_units_of_their_currency(
    currency: str, amount: str, minor: int
) -> None:
    assert money.minor_units(Decimal(amount), currency) == minor
    assert money.decimal(minor, currency) == Decimal(amount)


def test_what_is_less_than_a_minor_unit_is_no_sum() -> None:
    assert money.minor_units(Decimal("0.001"), "EUR") is None
    assert money.converted(150, "EUR", "JPY") is None
    assert money.converted(12_000, "EUR", "JPY") == 120
    assert str(money.decimal(6000, "EUR")) == "60.00"
