"""The laws of the table of a series, over random events and rules."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from tournaments.standings.series import (
    Event,
    Fate,
    Method,
    Result,
    Row,
    Rules,
    Shared,
    place_points,
    table,
)

PEOPLE = "abcdef"


@st.composite
def _events(draw: st.DrawFn) -> Event:
    """Return an event of some of the people, with places that follow from points."""
    people = draw(st.lists(st.sampled_from(PEOPLE), unique=True))
    scores = sorted((draw(st.integers(0, 10)) for _ in people), reverse=True)
    results = [
        Result(person, scores.index(score) + 1, Fraction(score, 2))
        for person, score in zip(people, scores, strict=True)
    ]
    return Event(
        results, Fraction(draw(st.integers(5, 9))), draw(st.sampled_from([True, True, False]))
    )


EVENTS = st.lists(_events(), max_size=6)
RULES = st.builds(
    Rules,
    method=st.sampled_from(Method),
    place_points=st.lists(st.integers(0, 25), max_size=8).map(
        lambda points: tuple(sorted(points, reverse=True))
    ),
    shared=st.sampled_from(Shared),
    best=st.integers(0, 4),
)


def _by_person(rows: list[Row]) -> dict[str, Row]:
    return {row.person: row for row in rows}


@given(EVENTS, RULES, st.randoms(use_true_random=False))
def test_the_order_of_the_entries_has_no_effect(
    events: list[Event], rules: Rules, chance: random.Random
) -> None:
    mixed = [
        replace(each, results=chance.sample(each.results, len(each.results))) for each in events
    ]
    assert table(mixed, rules) == table(events, rules)


@given(EVENTS, RULES)
def test_the_total_is_the_most_that_so_many_results_can_give(
    events: list[Event], rules: Rules
) -> None:
    for row in table(events, rules):
        points = [term.points for term in row.terms if term.fate is not Fate.PROVISIONAL]
        size = min(rules.best or len(points), len(points))
        assert row.total == max(sum(chosen) for chosen in itertools.combinations(points, size))
        assert sum(term.fate is Fate.COUNTS for term in row.terms) == size


@given(EVENTS, RULES)
def test_without_a_dropped_result_the_total_is_the_same(events: list[Event], rules: Rules) -> None:
    # By points, since a missing player changes the shared places of others.
    rules = replace(rules, method=Method.POINTS)
    for row in table(events, rules):
        dropped = {term.event for term in row.terms if term.fate is Fate.DROPPED}
        without = [
            replace(each, results=[r for r in each.results if r.person != row.person])
            if number in dropped
            else each
            for number, each in enumerate(events)
        ]
        assert _by_person(table(without, rules))[row.person].total == row.total


@given(EVENTS, _events(), RULES)
def test_a_further_result_never_lowers_a_total(
    events: list[Event], further: Event, rules: Rules
) -> None:
    before, after = (_by_person(table(each, rules)) for each in (events, [*events, further]))
    assert all(after[person].total >= row.total for person, row in before.items())


@given(EVENTS, RULES)
def test_ranks_follow_totals_and_count_the_rows_above(events: list[Event], rules: Rules) -> None:
    rows = table(events, rules)
    assert [row.total for row in rows] == sorted((row.total for row in rows), reverse=True)
    for number, row in enumerate(rows, start=1):
        assert row.rank <= number
        assert rows[row.rank - 1].rank == row.rank
        assert (row.separated_by is None) == (row.rank < number or number == 1)


@given(RULES, st.integers(1, 12), st.integers(1, 6))
def test_shared_places_give_away_the_points_of_their_places(
    rules: Rules, rank: int, sharers: int
) -> None:
    each = place_points(replace(rules, shared=Shared.SHARE), rank, sharers)
    alone = [place_points(rules, rank + n, 1) for n in range(sharers)]
    assert sharers * each == sum(alone)
    assert place_points(replace(rules, shared=Shared.HIGHER), rank, sharers) == alone[0] >= each


@given(EVENTS, RULES)
def test_a_person_has_one_term_for_each_event(events: list[Event], rules: Rules) -> None:
    for row in table(events, rules):
        counts = Counter(term.event for term in row.terms)
        assert set(counts.values()) == {1}
        assert counts.keys() == {
            n for n, each in enumerate(events) if row.person in {r.person for r in each.results}
        }
