"""The table of a series: points, the best results, ties, and people over several events."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tournaments.standings.series import (
    BadRulesError,
    Event,
    Fate,
    Method,
    Result,
    Row,
    Rules,
    Separator,
    Shared,
    Signature,
    persons,
    table,
)

PLACES = Rules(place_points=(10, 6, 4, 3))


def _event(text: str, *, is_final: bool = True, possible: int = 5) -> Event:
    """Return an event from words such as `Ana1/5`: name, rank and score."""
    results = []
    for word in text.split():
        name, _, score = word.partition("/")
        results.append(Result(name[:-1], int(name[-1]), Fraction(score or 0)))
    return Event(results, Fraction(possible), is_final)


def _row(rows: list[Row], person: str) -> Row:
    (row,) = [each for each in rows if each.person == person]
    return row


@pytest.mark.parametrize(
    ("rules", "points"),
    [
        pytest.param(PLACES, [10, 5, 5, 3], id="the mean of shared places"),
        pytest.param(
            Rules(place_points=(10, 6, 4, 3), shared=Shared.HIGHER),
            [10, 6, 6, 3],
            id="the higher place",
        ),
        pytest.param(
            Rules(place_points=(10, 7)), [10, 3.5, 3.5, 0], id="a list that ends in a share"
        ),
        pytest.param(Rules(Method.POINTS), [4, 3, 3, 1], id="points scored"),
        pytest.param(Rules(Method.PERCENT), [80, 60, 60, 20], id="percent of the possible points"),
    ],
)
def test_an_event_gives_points_by_the_rules(rules: Rules, points: list[float]) -> None:
    rows = table([_event("Ana1/4 Ben2/3 Cai2/3 Dag4/1")], rules)
    assert [row.total for row in rows] == points


def test_percent_of_nothing_is_zero() -> None:
    assert table([_event("Ana1/4", possible=0)], Rules(Method.PERCENT))[0].total == 0


def test_the_worst_results_are_dropped() -> None:
    events = [_event("Ana3"), _event("Ana1"), _event("Ana2")]
    (row,) = table(events, Rules(place_points=(10, 6, 4), best=2))
    assert row.total == 16
    assert [term.fate for term in row.terms] == [Fate.DROPPED, Fate.COUNTS, Fate.COUNTS]


def test_of_equal_results_the_earlier_counts() -> None:
    (row,) = table([_event("Ana2"), _event("Ana2")], Rules(place_points=(10, 6), best=1))
    assert [term.fate for term in row.terms] == [Fate.COUNTS, Fate.DROPPED]


def test_a_running_event_is_provisional_and_counts_for_nothing() -> None:
    events = [_event("Ana1 Ben2"), _event("Ben1 Ana2", is_final=False)]
    ana, ben = table(events, PLACES)
    assert [ana.person, ana.total, ben.total] == ["Ana", 10, 6]
    assert [ben.wins, ben.best, ben.last] == [0, 6, 6]
    assert [term.fate for term in ben.terms] == [Fate.COUNTS, Fate.PROVISIONAL]


@pytest.mark.parametrize(
    ("texts", "points", "separator"),
    [
        pytest.param(["A1 B2", "B1", "A2"], (10, 6), None, id="equal in everything but the order"),
        pytest.param(["A1 B2", "B2"], (12, 6), Separator.WINS, id="events won"),
        pytest.param(["A2 B3", "A4 B3"], (9, 8, 5, 2), Separator.BEST, id="the best result"),
        pytest.param(["B2 A3", "A2 B3"], (9, 8, 5), Separator.LAST, id="the last event"),
        pytest.param(["B2", "A2"], (9, 8), Separator.LAST, id="absence from the last event"),
        pytest.param(["A1 B2", "A1 B2"], (9, 8), Separator.TOTAL, id="the total"),
    ],
)
def test_ties_are_broken_in_order(
    texts: list[str], points: tuple[int, ...], separator: Separator | None
) -> None:
    rows = table([_event(text) for text in texts], Rules(place_points=points))
    if separator is None:
        assert [row.person for row in rows] == ["A", "B"]
    else:
        assert [(row.person, row.rank) for row in rows] == [("A", 1), ("B", 2)]
        assert rows[1].separated_by is separator


def test_rows_that_nothing_separates_share_the_rank() -> None:
    rows = table([_event("A1 B1 C3")], PLACES)
    assert [(row.person, row.rank, row.separated_by) for row in rows] == [
        ("A", 1, None),
        ("B", 1, None),
        ("C", 3, Separator.TOTAL),
    ]


@pytest.mark.parametrize(
    "rules",
    [
        pytest.param(Rules(), id="no points by place"),
        pytest.param(Rules(place_points=(0, 0)), id="zeros alone"),
        pytest.param(Rules(place_points=(5, 6)), id="points that increase"),
        pytest.param(Rules(place_points=(5, -1)), id="a negative number"),
        pytest.param(Rules(place_points=(10_001,)), id="too many points"),
        pytest.param(Rules(place_points=(1,) * 201), id="too many places"),
        pytest.param(Rules(Method.POINTS, best=-1), id="a negative number of results"),
        pytest.param(Rules(Method.POINTS, best=201), id="too many results"),
    ],
)
def test_rules_that_give_no_table_are_refused(rules: Rules) -> None:
    with pytest.raises(BadRulesError):
        rules.check()


@pytest.mark.parametrize(
    "rules",
    [
        pytest.param(Rules(Method.POINTS), id="points without a list"),
        pytest.param(Rules(place_points=(10_000,) + (7,) * 198 + (0,), best=200), id="the limits"),
    ],
)
def test_rules_within_the_limits_are_accepted(rules: Rules) -> None:
    rules.check()


def test_an_absent_player_is_behind_one_without_points_in_the_last_event() -> None:
    rows = table([_event("A1 B1"), _event("B5")], Rules(place_points=(10,), shared=Shared.HIGHER))
    assert [(row.person, row.last) for row in rows] == [("B", 0), ("A", None)]
    assert rows[1].separated_by is Separator.LAST


ENTRIES = [Signature("entry:1", "name:jo|"), Signature("entry:2", "fide:7")]


@pytest.mark.parametrize(
    ("same_as", "right"),
    [
        pytest.param({}, ["name:jo|", "fide:7"], id="by the data of the entry"),
        pytest.param({"name:jo|": "fide:9"}, ["fide:9", "fide:7"], id="joined"),
        pytest.param({"entry:1": "entry:1"}, ["entry:1", "fide:7"], id="separate"),
        pytest.param({"name:jo|": "fide:7"}, ["entry:1", "entry:2"], id="two in one event"),
        pytest.param({"entry:1": "fide:7"}, ["fide:7", "entry:2"], id="the joined entry first"),
        pytest.param(
            {"fide:7": "fide:8", "fide:8": "fide:9"}, ["name:jo|", "fide:9"], id="joined twice"
        ),
        pytest.param(
            {"fide:7": "fide:8", "fide:8": "fide:7"}, ["name:jo|", "fide:7"], id="in a circle"
        ),
    ],
)
def test_an_entry_belongs_to_a_person(same_as: dict[str, str], right: list[str]) -> None:
    assert list(persons(ENTRIES, same_as).values()) == right


def test_two_entries_with_one_name_in_one_event_are_two_people() -> None:
    namesakes = [Signature("entry:1", "name:jo|"), Signature("entry:2", "name:jo|")]
    assert persons(namesakes, {}) == {"entry:1": "entry:1", "entry:2": "entry:2"}
    # One of them is the Jo of the other events, by the organiser's decision.
    joined = persons(namesakes, {"entry:2": "name:jo|"})
    assert joined == {"entry:1": "entry:1", "entry:2": "name:jo|"}
