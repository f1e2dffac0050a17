"""The laws of giving prizes, over random funds and standings."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from tournaments.standings.prizes import (
    Award,
    Candidate,
    Category,
    Fund,
    Kind,
    Prize,
    Rules,
    Sharing,
    awards,
)
from tournaments.standings.prizes.pools import shares

OVERALL = Category()
UNDER_1600 = Category(Kind.RATING, rating_below=1600)
WOMEN = Category(Kind.LABEL, text="W")

_CATEGORIES = (
    OVERALL,
    UNDER_1600,
    WOMEN,
    Category(Kind.RATING, rating_from=1600),
    Category(Kind.CLUB, text="Norte"),
    Category(Kind.UNRATED),
)


@st.composite
def _candidates(draw: st.DrawFn) -> list[Candidate]:
    """Return standings by points with some shared places."""
    scores = sorted(draw(st.lists(st.integers(0, 5), max_size=12)), reverse=True)
    players: list[Candidate] = []
    for number, score in enumerate(scores, start=1):
        last = players[-1] if players else None
        is_level = last is not None and last.score == score and draw(st.booleans())
        players.append(
            Candidate(
                id=number,
                rank=last.rank if last is not None and is_level else number,
                score=score,
                points_halves=score,
                games=draw(st.integers(0, 5)),
                rating=draw(st.sampled_from([None, 1400, 1599, 1600, 2000])),
                club=draw(st.sampled_from(["", "Norte"])),
                labels=draw(st.sampled_from(["", "W"])),
                is_out=draw(st.sampled_from([False, False, False, True])),
            )
        )
    return players


@st.composite
def _funds(draw: st.DrawFn, *, things: bool = True) -> Fund:
    rounding = draw(st.sampled_from([1, 5, 100]))
    prizes = []
    for category in draw(st.lists(st.sampled_from(_CATEGORIES), unique=True, max_size=4)):
        units = sorted(draw(st.lists(st.integers(0, 40), max_size=5)), reverse=True)
        for number in units:
            has_words = things and draw(st.booleans())
            if number or has_words:
                prizes.append(Prize(category, number * rounding, "a cup" if has_words else ""))
    rules = Rules(
        sharing=draw(st.sampled_from(Sharing)),
        rounding=rounding,
        is_cumulative=draw(st.booleans()),
        least_points_halves=draw(st.integers(0, 2)),
        least_games=draw(st.integers(0, 2)),
    )
    return Fund(tuple(prizes), rules)


@given(_funds(), _candidates())
def test_what_is_paid_and_what_remains_is_the_fund(fund: Fund, players: list[Candidate]) -> None:
    outcome = awards(fund, players)
    left = [prize for _, _, prize in outcome.remaining]
    assert outcome.total + sum(prize.amount for prize in left) == fund.total
    things = sum(len(award.words) for award in outcome.awards)
    assert things + sum(bool(prize.words) for prize in left) == sum(
        bool(prize.words) for prize in fund.prizes
    )


@given(_funds(), _candidates(), st.randoms(use_true_random=False))
def test_the_order_of_input_changes_nothing(
    fund: Fund, players: list[Candidate], rng: random.Random
) -> None:
    shuffled = list(players)
    rng.shuffle(shuffled)
    assert awards(fund, shuffled) == awards(fund, players)


@given(_funds(), _candidates())
def test_nobody_wins_twice_without_accumulation_nor_twice_in_a_category(
    fund: Fund, players: list[Candidate]
) -> None:
    outcome = awards(fund, players).awards
    once = {(a.id, a.category) if fund.rules.is_cumulative else a.id for a in outcome}
    assert len(once) == len(outcome)


@given(_funds(), _candidates())
def test_equals_in_a_pool_get_equal_sums_up_to_the_rounding(
    fund: Fund, players: list[Candidate]
) -> None:
    score = {each.id: each.score for each in players}
    for award in awards(fund, players).awards:
        assert abs(award.exact - award.amount) <= fund.rules.rounding
        assert award.exact == award.by_order + award.by_points
        assert award.amount % fund.rules.rounding == 0
        assert len({score[other] for other in award.sharers}) == 1
        if fund.rules.sharing is Sharing.EQUAL:
            part = Fraction(sum(prize.amount for prize in award.pool), len(award.sharers))
            assert award.exact == part


def _least(players: list[Candidate], rules: Rules) -> list[Candidate]:
    return [
        each
        for each in players
        if not each.is_out
        and each.games >= rules.least_games
        and each.points_halves >= rules.least_points_halves
    ]


@given(_funds(things=False), _candidates())
def test_the_better_placed_has_in_all_what_the_worse_gets_of_the_overall_prizes(
    fund: Fund, players: list[Candidate]
) -> None:
    outcome = awards(fund, players).awards
    total: dict[int, int] = {}
    overall: dict[int, int] = {}
    for award in outcome:
        total[award.id] = total.get(award.id, 0) + award.amount
        if award.category == OVERALL:
            overall[award.id] = award.amount
    level = "rank" if fund.rules.sharing is Sharing.NONE else "score"
    entitled = _least(players, fund.rules)
    for number, better in enumerate(entitled):
        for worse in entitled[number + 1 :]:
            is_equal = getattr(better, level) == getattr(worse, level)
            # One of several equal players may have chosen another category. In one category the
            # order counts.
            if is_equal and (better.id not in overall or not fund.rules.is_cumulative):
                continue
            slack = fund.rules.rounding
            assert total.get(better.id, 0) + slack > overall.get(worse.id, 0)
    if fund.rules.is_cumulative:
        sums = [overall.get(each.id, 0) for each in entitled]
        assert sums == sorted(sums, reverse=True)


@given(_funds(), _candidates())
def test_a_prize_remains_only_when_nobody_entitled_to_it_has_less(
    fund: Fund, players: list[Candidate]
) -> None:
    outcome = awards(fund, players)
    most = {award.id: award.amount for award in outcome.awards}
    for category, _, prize in outcome.remaining:
        for each in _least(players, fund.rules):
            if category.has(each):
                assert each.id in most
                if not fund.rules.is_cumulative:
                    assert most[each.id] + fund.rules.rounding > prize.amount


@given(_funds(things=False), _candidates())
def test_nobody_gains_by_joining_another_category(fund: Fund, players: list[Candidate]) -> None:
    """Independent of the way the choices were made: one more in the pool of the equals there."""
    rules = fund.rules
    if rules.is_cumulative:
        return
    outcome = awards(fund, players)
    own = {award.id: award for award in outcome.awards}
    level = "rank" if rules.sharing is Sharing.NONE else "score"
    entitled = _least(players, rules)
    for each in entitled:
        mine = own[each.id].exact if each.id in own else Fraction(0)
        for category, prizes in fund.by_category().items():
            if not category.has(each) or (each.id in own and own[each.id].category == category):
                continue
            winners = [c for c in entitled if c.id in own and own[c.id].category == category]
            before = [c for c in winners if getattr(c, level) != getattr(each, level)]
            taken = sum(1 for c in before if c.rank < each.rank)
            equals = [c for c in winners if c not in before]
            members = sorted([*equals, each], key=lambda c: (c.rank, c.id))
            places = prizes[taken : taken + len(members)]
            part = shares([c.rank for c in members], places, rules)[members.index(each)]
            # Shares that are rounded to 0 are no awards, and not seen here.
            assert part.exact <= mine + rules.rounding


@given(_funds(), _candidates())
def test_the_players_named_as_elsewhere_have_won_another_prize(
    fund: Fund, players: list[Candidate]
) -> None:
    outcome = awards(fund, players).awards
    won: dict[int, Award] = {award.id: award for award in outcome}
    for award in outcome:
        for other in award.elsewhere:
            assert won[other].category != award.category


@st.composite
def _festivals(draw: st.DrawFn) -> tuple[Fund, list[Candidate], dict[int, Fund]]:
    """Return a fund over two sections, the players of both, and the funds of the sections."""
    places = [replace(each, section=draw(st.integers(0, 1))) for each in draw(_candidates())]
    fund, *funds = draw(st.tuples(_funds(), _funds(), _funds()))
    fund = replace(fund, rules=replace(fund.rules, is_cumulative=False))
    funds = [replace(each, rules=replace(each.rules, is_cumulative=False)) for each in funds]
    return fund, places, dict(enumerate(funds))


def _of_section(
    fund: Fund, players: list[Candidate], section: int, won: set[int]
) -> dict[int, Award]:
    """Return the awards of a section, in which those who have won elsewhere win none."""
    own = [replace(p, is_out=p.is_out or p.id in won) for p in players if p.section == section]
    return {award.id: award for award in awards(fund, own).awards}


@given(_festivals())
def test_nobody_wins_in_the_festival_and_in_a_section(
    festival: tuple[Fund, list[Candidate], dict[int, Fund]],
) -> None:
    fund, players, funds = festival
    outcome = awards(fund, players, funds)
    won = [award.id for award in outcome.awards]
    won += [p for number in funds for p in _of_section(funds[number], players, number, set(won))]
    assert len(set(won)) == len(won)


@given(_festivals())
def test_the_prizes_of_a_festival_are_paid_or_remain(
    festival: tuple[Fund, list[Candidate], dict[int, Fund]],
) -> None:
    fund, players, funds = festival
    outcome = awards(fund, players, funds)
    assert outcome.total + sum(prize.amount for _, _, prize in outcome.remaining) == fund.total
    everybody = Fund(
        tuple(replace(prize, category=OVERALL) for prize in fund.prizes if prize.amount),
        Rules(),
    )
    amounts = sorted((prize.amount for prize in everybody.prizes), reverse=True)
    everybody = replace(everybody, prizes=tuple(Prize(OVERALL, amount) for amount in amounts))
    enough = len(everybody.prizes) + sum(len(each.prizes) for each in funds.values())
    if sum(not each.is_out for each in players) >= enough:
        assert awards(everybody, players, funds).total == everybody.total


@given(_festivals())
def test_a_winner_in_the_festival_would_win_no_larger_prize_in_the_section(
    festival: tuple[Fund, list[Candidate], dict[int, Fund]],
) -> None:
    fund, players, funds = festival
    fund = replace(fund, rules=replace(fund.rules, sharing=Sharing.NONE))
    plain = {
        number: replace(each, rules=replace(each.rules, sharing=Sharing.NONE))
        for number, each in funds.items()
    }
    outcome = awards(fund, players, plain)
    won = {award.id for award in outcome.awards}
    section = {each.id: each.section for each in players}
    ranks = [each.rank for each in players]
    for award in outcome.awards:
        number = section[award.id]
        if len(set(ranks)) < len(ranks):
            continue  # players who share a place choose together
        there = _of_section(plain[number], players, number, won - {award.id}).get(award.id)
        assert there is None or there.exact <= award.exact
