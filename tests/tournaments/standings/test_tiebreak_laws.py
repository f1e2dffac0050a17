"""Values opened into their terms, and the laws that tie-breaks keep over random events."""

from __future__ import annotations

import random
import re
import textwrap
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.tournaments.standings.tiebreak_events import POINTS
from tests.tournaments.standings.tiebreak_events import field as _field
from tests.tournaments.standings.tiebreak_events import ranks as _ranks
from tournaments.round_kinds import Kind
from tournaments.standings import (
    CATALOGUE,
    Cut,
    Edition,
    Field,
    Game,
    Participant,
    RatingFrom,
    Reason,
    System,
    breakdown,
    column,
    decimal_text,
    encounter_breakdown,
    ranking,
)
from tournaments.standings.cuts import cuts
from tournaments.standings.field import Row

# Opening a value


def test_a_value_is_opened_with_the_reason_of_every_term() -> None:
    # 2 withdrew after round 1. 1 took a half-point bye in round 2 and lost round 3 by absence.
    field = _field("2w1 -H 3b-", "1b0 -Z -Z", "4w1 4b1 1w+", "3b0 3w0 -U")
    opened = breakdown(field, "BH/C1", 1)
    values = [
        (t.round_number, t.opponent, decimal_text(t.contribution), t.reason, t.cut)
        for t in opened.terms
    ]
    assert values == [
        (1, 2, "1", Reason.OPPONENT_ADJUSTED, None),
        (2, None, "1.5", Reason.DUMMY, Cut.VOLUNTARY),
        (3, 3, "1.5", Reason.DUMMY, None),
    ]
    assert opened.value == opened.total == Fraction(5, 2)
    assert Reason.OPPONENT_ADJUSTED.article == "16.3"
    assert Cut.VOLUNTARY.article == "16.5"
    forfeits = breakdown(field, "SB/P", 3).terms[2]
    assert (forfeits.reason, forfeits.strength, forfeits.score) == (
        Reason.FORFEIT_BY_MODIFIER,
        Fraction(3, 2),
        Fraction(1),
    )


def test_a_forfeit_that_counts_says_why() -> None:
    games = ("2w+ 2b1", "1b- 1w0")
    robin = _field(*games, system=System.ROUND_ROBIN)
    assert breakdown(robin, "KS/L-4", 1).terms[0].reason is Reason.FORFEIT_AS_GAME
    assert breakdown(_field(*games), "BH/P", 1).terms[0].reason is Reason.FORFEIT_BY_MODIFIER
    last = _field("2b1 2w+", "1w0 1b-")
    assert breakdown(last, "FB", 1).terms[1].reason is Reason.FINAL_ROUND_DRAWN


def test_a_dummy_has_no_more_than_the_scheduled_opponent() -> None:
    field = _field("2w+ 2b1", "1b- 1w0")
    term = breakdown(field, "BH", 1).terms[0]
    assert (decimal_text(term.contribution), term.reason) == ("0", Reason.DUMMY_UP_TO_OPPONENT)
    assert term.reason is not None
    assert term.reason.article == "16.4.1"


def test_a_performance_is_opened_into_ratings_and_a_bonus() -> None:
    field = _field("2w1 3b1", "1b0 3w=", "1w0 2b=", ratings=(2000, 1900, 1801))
    opened = breakdown(field, "TPR", 1)
    assert [int(t.contribution) for t in opened.terms] == [1900, 1801]
    assert (opened.bonus, opened.value, opened.total) == (
        800,
        Fraction(2651),
        Fraction(2651),
    )  # 1850.5 is 1851


@st.composite
def _fields(draw: st.DrawFn) -> list[Participant]:
    """Random events: consistent pairings with every kind of round."""
    seed = draw(st.integers(0, 10**9))
    rng = random.Random(seed)
    size, rounds = draw(st.integers(2, 9)), draw(st.integers(1, 6))
    games: list[list[Game]] = [[] for _ in range(size)]
    for _ in range(rounds):
        order = list(range(size))
        rng.shuffle(order)
        while len(order) > 1 and rng.random() < 0.85:
            a, b = order.pop(), order.pop()
            one, two = rng.choice(_RESULTS)
            games[a].append(Game(one, POINTS.of(one), b + 1, is_first=True))
            games[b].append(Game(two, POINTS.of(two), a + 1, is_first=False))
        for n in order:
            kind = rng.choice(_BYES)
            games[n].append(Game(kind, POINTS.of(kind)))
    return [
        Participant(n + 1, tuple(g), rng.randrange(1400, 2600), _later_ratings(rng))
        for n, g in enumerate(games)
    ]


def _later_ratings(rng: random.Random) -> tuple[RatingFrom, ...]:
    """Ratings from some later rounds on, in any order."""
    numbers = rng.sample(range(2, 8), rng.choice((0, 0, 1, 2)))
    return tuple(RatingFrom(number, rng.randrange(1400, 2600)) for number in numbers)


_RESULTS = (
    (Kind.WIN, Kind.LOSS),
    (Kind.LOSS, Kind.WIN),
    (Kind.DRAW, Kind.DRAW),
    (Kind.FORFEIT_WIN, Kind.FORFEIT_LOSS),
    (Kind.FORFEIT_LOSS, Kind.FORFEIT_LOSS),
)
_BYES = (Kind.PAIRING_BYE, Kind.HALF_BYE, Kind.ZERO_BYE, Kind.FULL_BYE)
_ALL = (
    *(name for name in CATALOGUE if name not in ("PTS", "TPN")),
    *("BH/C1", "BH/M2", "BH/P/C2", "FB/C1", "SB/C1", "SB/C2", "SB/M1", "SB/P/C1", "PS/C2"),
    *("AOB/F", "AOB/C1", "ARO/C1", "ARO/M1", "KS/L+1", "DE/P"),
)


@settings(max_examples=150)
@given(
    participants=_fields(),
    system=st.sampled_from(System),
    edition=st.sampled_from(Edition),
)
@pytest.mark.long
def test_the_terms_that_count_make_the_value(
    participants: list[Participant], system: System, edition: Edition
) -> None:
    field = Field(participants, system=system, edition=edition)
    for name in _ALL:
        if name.startswith("DE"):
            continue
        for participant, value in zip(field.ids, column(field, name).values(), strict=True):
            opened = breakdown(field, name, participant)
            assert opened.value == opened.total == value
    result = ranking(field, ["DE", "DE/P"])
    for place in result.places:
        for name in ("DE", "DE/P"):
            opened = encounter_breakdown(result, name, place.id)
            assert opened.value == opened.total == place.values[name]


@pytest.mark.long
@settings(max_examples=150)
@given(
    participants=_fields(),
    names=st.lists(st.sampled_from(_ALL), unique=True, max_size=4),
    system=st.sampled_from(System),
    seed=st.integers(0, 10**6),
)
def test_places_do_not_depend_on_the_order_of_entry(
    participants: list[Participant], names: list[str], system: System, seed: int
) -> None:
    shuffled = participants[:]
    random.Random(seed).shuffle(shuffled)
    one = ranking(Field(participants, system=system), names)
    two = ranking(Field(shuffled, system=system), names)
    assert one == two
    assert [p.rank for p in one.places] == sorted(p.rank for p in one.places)


@settings(max_examples=100)
@given(participants=_fields(), seed=st.integers(0, 10**6))
def test_places_do_not_depend_on_the_numbers_of_the_participants(
    participants: list[Participant], seed: int
) -> None:
    numbers = [10 * p.id for p in participants]
    random.Random(seed).shuffle(numbers)
    new = dict(zip((p.id for p in participants), numbers, strict=True))
    renamed = [
        Participant(
            new[p.id],
            tuple(
                Game(g.kind, g.score_halves, g.opponent and new[g.opponent], g.is_first)
                for g in p.games
            ),
            p.rating,
            p.later_ratings,
        )
        for p in participants
    ]
    names = ["DE", "BH/C1", "SB/C1", "AOB", "PTP"]
    before = _ranks(Field(participants), *names)
    assert {new[i]: rank for i, rank in before.items()} == _ranks(Field(renamed), *names)


@settings(max_examples=100)
@given(participants=_fields())
def test_cutting_nothing_unplayed_never_raises_a_sum(participants: list[Participant]) -> None:
    field = Field(participants)
    for whole, cut in (("BH", "BH/C1"), ("BH/C1", "BH/C2"), ("SB", "SB/C1"), ("PS", "PS/C1")):
        pairs = zip(column(field, whole).units, column(field, cut).units, strict=True)
        assert all(b is not None and a is not None and b <= a for a, b in pairs)


# The documents


def _python_of(document: str) -> list[str]:
    text = (Path(__file__).resolve().parents[3] / "docs" / document).read_text()
    blocks = re.findall(r"^ *```python\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE)
    return [textwrap.dedent(block) for block in blocks]


def test_the_example_of_the_document_is_right() -> None:
    names: dict[str, Any] = {}
    exec(_python_of("reference/standings.md")[0], names)  # noqa: S102  # our own text
    top, second = names["top"], names["second"]
    assert (top.rank, second.rank, second.separated_by) == (1, 2, "PTS")
    opened = names["opened"]
    assert [(t.round_number, t.contribution, t.cut) for t in opened.terms] == [
        (1, 1, None),
        (2, 1, Cut.VOLUNTARY),
    ]
    assert opened.value == 1


def test_of_two_equal_rounds_not_played_by_choice_the_least_significant_is_cut_first() -> None:
    """A finding of two independent programs (14.1 before 16.5): 33 goes with the dummy of the last round."""
    row = Row((0, 1, 2), (-1, -1, -1), worth=(33, 0, 0), strength=(11, 15, 11), voluntary=(1, 2))
    assert set(cuts(row, low=2, high=0)) == {0, 2}


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3), st.booleans()), max_size=7),
    st.integers(0, 3),
    st.integers(0, 2),
    st.randoms(use_true_random=False),
)
def test_the_order_of_the_rounds_decides_nothing(
    rounds: list[tuple[int, int, bool]], low: int, high: int, rng: random.Random
) -> None:
    """The rest of a row is equal whichever round came first, if at least that number of values remains."""

    def left(several: list[tuple[int, int, bool]]) -> int:
        numbers = range(len(several))
        row = Row(
            tuple(numbers),
            (-1,) * len(several),
            worth=tuple(worth for worth, _, _ in several),
            strength=tuple(strength for _, strength, _ in several),
            voluntary=tuple(n for n in numbers if several[n][2]),
        )
        return sum(row.worth) - sum(row.worth[n] for n in cuts(row, low=low, high=high))

    assume(low + high <= len(rounds))
    assert left(rounds) == left(rng.sample(rounds, len(rounds)))
