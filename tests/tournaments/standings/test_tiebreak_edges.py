"""Cases that neither the corpus of events nor the laws of the tie-breaks cover: rounds, rooms and names at their edges."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.tournaments.standings.tiebreak_events import field as _field
from tests.tournaments.standings.tiebreak_events import ranks as _ranks
from tests.tournaments.standings.tiebreak_events import values as _values
from tournaments.standings import System, UnknownTieBreakError, breakdown, tie_break
from tournaments.standings.field import MOST_RATING
from tournaments.standings.performance import perfect_performance
from tournaments.standings.rating_tables import CERTAIN, expected_hundredths


def test_every_term_names_its_round_and_its_opponent() -> None:
    field = _field("3w1 2w=", "-U 1b=", "1b0 -H")
    terms = breakdown(field, "BH", 2).terms
    assert [(term.round_number, term.opponent) for term in terms] == [(1, None), (2, 1)]
    terms = breakdown(field, "BH", 3).terms
    assert [(term.round_number, term.opponent) for term in terms] == [(1, 1), (2, None)]


def test_a_free_round_of_a_round_robin_moves_no_opponent_to_another_round() -> None:
    field = _field("-x 3w1 2b1", "3b= -x 1w0", "2w= 1b0 -x", system=System.ROUND_ROBIN)
    terms = breakdown(field, "BH", 1).terms
    assert [(term.round_number, term.opponent) for term in terms] == [(2, 3), (3, 2)]
    terms = breakdown(field, "BH", 2).terms
    assert [(term.round_number, term.opponent) for term in terms] == [(1, 3), (3, 1)]


def test_the_pairing_number_comes_from_no_round_and_no_opponent() -> None:
    (term,) = breakdown(_field("2w1", "1b0"), "TPN", 2).terms
    assert (term.round_number, term.opponent, term.contribution) == (None, None, Fraction(2))


def test_the_lower_pairing_number_is_the_better_one() -> None:
    field = _field("2w=", "1b=")
    assert _ranks(field, "TPN") == {1: 1, 2: 2}
    assert _values(field, "TPN") == ["1", "2"]


def test_lots_are_ordered_by_the_hash_of_seed_and_number() -> None:
    # printf seed:1 | sha256sum begins with 81e4, seed:2 with 97c3, seed:3 with 7413.
    assert _values(_field("2w=", "1b=", "-Z"), "LOT") == [None, None, None]
    field = _field("2w=", "1b=", "-Z", lots_seed="seed")
    assert _values(field, "LOT") == ["2", "3", "1"]
    assert _ranks(field, "LOT") == {1: 1, 2: 2, 3: 3}


def test_averages_of_two_meetings_are_compared_exactly() -> None:
    """Everybody has three points from three opponents, of whom some gave one and a half, some a half."""
    field = _field(
        "2w1 2b= 3w0 3b= 4w= 4b=",
        "1b0 1w= 4w= 4b= 3w1 3b=",
        "4w= 4b= 1b1 1w= 2b0 2w=",
        "3b= 3w= 2b= 2w= 1b= 1w=",
    )
    assert _ranks(field, "DE") == {1: 1, 2: 1, 3: 1, 4: 1}


def test_the_table_reaches_as_far_as_ratings_and_performances_do() -> None:
    most = MOST_RATING + CERTAIN
    assert expected_hundredths(most, [-MOST_RATING]) == [100]
    assert expected_hundredths(-most, [MOST_RATING]) == [0]
    # From three points below on, half a point is expected.
    assert perfect_performance(3, [MOST_RATING, -MOST_RATING]) == MOST_RATING - 3


def test_a_performance_of_nought_is_a_guess_like_any_other() -> None:
    assert perfect_performance(1, [0]) == -3
    assert perfect_performance(1, [2000]) == 1997


@pytest.mark.parametrize("length", [40, 41])
def test_the_longest_name_has_forty_letters(length: int) -> None:
    name = "BH".ljust(length)
    if length == 40:
        assert tie_break(name).name == "BH"
    else:
        with pytest.raises(UnknownTieBreakError, match="is no name"):
            tie_break(name)
