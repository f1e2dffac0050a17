"""Tie-breaks by hand for cases outside the corpus, and their laws."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.standings.tiebreak_events import field as _field
from tests.tournaments.standings.tiebreak_events import ranks as _ranks
from tests.tournaments.standings.tiebreak_events import values as _values
from tournaments.round_kinds import Kind
from tournaments.standings import (
    CATALOGUE,
    DEFAULTS,
    BadFieldError,
    Combination,
    Cut,
    Edition,
    Field,
    Game,
    Participant,
    RatingFrom,
    Reason,
    System,
    UnknownTieBreakError,
    breakdown,
    column,
    decimal_text,
    edition_at,
    encounter_breakdown,
    misfits,
    ranking,
    tie_break,
    tie_breaks,
)
from tournaments.standings.performance import perfect_performance
from tournaments.standings.rating_tables import expected_hundredths, rating_difference

# Articles 7 to 10 by hand


def test_a_small_event_by_hand() -> None:
    field = _field("3w1 2w= 4b1", "4w1 1b= 3w1", "1b0 4w1 2b0", "2b0 3b0 1w0")
    assert _values(field, "PTS") == ["2.5", "2.5", "1", "0"]
    assert _values(field, "BH") == ["3.5", "3.5", "5", "6"]
    assert _values(field, "BH/C1") == ["3.5", "3.5", "5", "5"]
    assert _values(field, "SB") == ["2.25", "2.25", "0", "0"]
    assert _values(field, "PS") == ["5", "5", "2", "0"]
    assert _ranks(field, "DE", "BH", "SB") == {1: 1, 2: 1, 3: 3, 4: 4}


def test_progressive_cuts_leave_out_the_first_rounds_even_unplayed_ones() -> None:
    field = _field("-H 2w1 2b1", "-U 1b0 1w0")
    assert _values(field, "PS") == ["4.5", "3"]
    assert _values(field, "PS/C1") == ["4", "2"]  # 14.1.1
    assert [t.cut for t in breakdown(field, "PS/C1", 1).terms] == [Cut.FIRST_ROUND, None, None]


def test_a_double_forfeit_is_half_a_standard_point_for_each() -> None:
    field = _field("2w- 2w1", "1b- 1b0")
    assert _values(field, "STD") == ["1.5", "0.5"]  # 7.7, read literally


def test_a_forfeit_is_no_game_won_over_the_board_in_a_round_robin_either() -> None:
    field = _field("2w+ 3b1", "1b- 3w0", "1w0 2b1", system=System.ROUND_ROBIN)
    assert _values(field, "WON") == ["1", "0", "1"]
    assert _values(field, "WIN") == ["2", "0", "1"]
    assert _values(field, "SB") == ["1", "0", "0"]  # 15.2: the forfeit counts as a game


def test_a_free_round_of_a_round_robin_counts_for_nothing() -> None:
    field = _field("-x 3w1 2b1", "3b= -x 1w0", "2w= 1b0 -x", system=System.ROUND_ROBIN)
    assert _values(field, "REP") == ["2", "2", "2"]
    assert _values(field, "STD") == ["2", "0.5", "0.5"]
    assert _values(field, "SB") == ["1", "0.25", "0.25"]
    # 9.2: half of the points from two games is one point.
    assert _values(field, "KS") == ["0", "0", "0"]
    assert _values(field, "KS/L-1") == ["2", "0.5", "0.5"]


def test_koya_counts_those_with_exactly_half() -> None:
    field = _field("2w1 3b=", "1b0 3w1", "1w= 2b0", system=System.ROUND_ROBIN)
    assert _values(field, "KS") == ["1", "0", "0.5"]
    assert _values(field, "KS/L+1") == ["0", "0", "0.5"]


def test_a_running_game_counts_for_nothing_yet() -> None:
    field = _field("2w1 3b?", "1b0 4w1", "4b1 1w?", "3w0 2b0")
    assert _values(field, "PTS") == ["1", "1", "1", "0"]
    assert _values(field, "BH") == ["1", "1", "0", "2"]
    assert _values(field, "STD") == ["1", "1", "1", "0"]
    assert _values(field, "PS") == ["1", "1", "1", "0"]
    assert _values(field, "PTP") == ["2738", "2001", "2740", "1202"]


def test_rounds_missing_at_the_end_are_zero_point_byes() -> None:
    field = _field("2w1 -Z", "1b0", "-U -U")
    assert _values(field, "ABH") == ["1.5", "0.5", "2"]  # 16.2.5, 16.3
    assert _values(field, "REP") == ["1", "1", "2"]


def test_fore_buchholz_is_buchholz_before_the_final_round() -> None:
    games = ("2w1 3b1", "1b0 4w1", "4b1 1w0", "3w0 2b0")
    assert _values(_field(*games, rounds_total=3), "FB") == _values(
        _field(*games, rounds_total=3), "BH"
    )
    assert _values(_field(*games), "FB") == ["2", "2", "2", "2"]
    assert _values(_field(*games), "BH/F") == _values(_field(*games), "FB")


def test_the_limit_of_a_bye_is_a_draw_in_every_round_of_the_event() -> None:
    games = ("-H 2w1 2b1 2w1", "-U 1b0 1w0 1b0")
    # 16.4.2: 3.5 points of one's own, but no more than draws in all rounds.
    for edition, rounds_total, first in (
        (Edition.MARCH_2026, None, "2"),
        (Edition.MARCH_2026, 6, "3"),
        (Edition.AUGUST_2024, None, "3.5"),
    ):
        field = _field(*games, edition=edition, rounds_total=rounds_total)
        assert decimal_text(breakdown(field, "BH", 1).terms[0].contribution) == first


# Ratings


def test_rating_tie_breaks_are_undefined_when_somebody_is_unrated() -> None:
    games = ("2w1 3b1", "1b0 -U", "-H 1w0")
    field = _field(*games, ratings=(2000, None, 1800))
    for name, entry in CATALOGUE.items():
        if entry.needs_ratings:
            assert _values(field, name) == [None] * 3, name
    assert _values(field, "ARO/U1400") == ["1600", "2000", "2000"]
    assert _values(field, "RTNG/U1400") == ["2000", "1400", "1800"]
    # A tie-break without values separates no players.
    assert _ranks(field, "ARO", "TPN") == _ranks(field, "TPN")


def test_ratings_of_opponents_are_those_of_the_round_of_the_game() -> None:
    rows = ("2w1 2b= 2w1", "1b0 1w= 1b0")
    first = _field(*rows, ratings=(2000, 1800)).games
    later = (RatingFrom(3, 1900), RatingFrom(2, 1850))
    field = Field(
        [Participant(1, tuple(first[0]), 2000), Participant(2, tuple(first[1]), 1800, later)]
    )
    assert _values(field, "ARO") == ["1850", "2000"]
    assert _values(field, "TPR") == ["2123", "1727"]  # dp of 0.83 is 273
    assert _values(field, "RTNG") == ["2000", "1800"]
    assert [int(t.contribution) for t in breakdown(field, "ARO", 1).terms] == [1800, 1850, 1900]
    assert breakdown(field, "ARO", 1).terms[0].reason is None
    assert breakdown(field, "PTP", 1).terms[1].reason is Reason.LATER_RATING


def test_own_rating_and_pairing_number_separate_both_ways() -> None:
    field = _field("-U", "-U", "-U", ratings=(2000, 2100, 1900))
    assert _ranks(field, "RTNG") == {2: 1, 1: 2, 3: 3}
    assert _ranks(field, "RTNG/R") == {3: 1, 1: 2, 2: 3}
    assert _ranks(field, "TPN") == {1: 1, 2: 2, 3: 3}
    assert _ranks(field, "TPN/R") == {3: 1, 2: 2, 1: 3}


def test_the_tables_of_the_rating_regulations_have_their_corners() -> None:
    assert [rating_difference(p) for p in (0, 1, 49, 50, 51, 99, 100)] == [
        *(-800, -677, -7, 0, 7, 677, 800)
    ]
    # B.02 8.1.2: the row edges 3/4, 344/345 and 735/736.
    edges = (0, 3, 4, 344, 345, 735, 736, 9999)
    assert expected_hundredths(0, [-d for d in edges]) == [50, 50, 51, 88, 89, 99, 100, 100]
    assert expected_hundredths(0, edges) == [50, 50, 49, 12, 11, 1, 0, 0]


@pytest.mark.long
@settings(max_examples=300)
@given(
    ratings=st.lists(st.integers(0, 3000), min_size=1, max_size=12),
    data=st.data(),
)
def test_perfect_performance_is_the_lowest_rating_expected_to_score_as_much(
    ratings: list[int], data: st.DataObject
) -> None:
    halves = data.draw(st.integers(0, 2 * len(ratings)))
    result = perfect_performance(halves, ratings)
    assert result is not None
    if halves == 0:
        assert result == min(ratings) - 800
        return
    assert sum(expected_hundredths(result, ratings)) >= 50 * halves
    assert sum(expected_hundredths(result - 1, ratings)) < 50 * halves


# Direct encounter


def test_direct_encounter_is_applied_again_to_every_smaller_tie() -> None:
    # All met. Among them 1 and 2 have 2 points, 3 and 4 one. 2 beat 1, 3 and 4 drew.
    field = _field("2w0 3b1 4w1 -Z", "1b1 4w= 3b= -Z", "4w= 1w0 2w= -U", "3b= 2b= 1b0 -U")
    places = ranking(field, ["DE"]).places
    assert [(p.id, p.rank) for p in places] == [(2, 1), (1, 2), (3, 3), (4, 3)]
    assert [decimal_text(p.values["DE"] or 0) for p in places] == ["2", "2", "1", "1"]


def test_a_circle_is_not_separated_by_direct_encounter() -> None:
    field = _field("2w0 3b1 -H", "1b1 -H 3w0", "-H 1w0 2b1")
    assert _ranks(field, "DE") == {1: 1, 2: 1, 3: 1}


def test_direct_encounter_of_two_who_met_three_times_counts_the_average() -> None:
    rounds = ("2w1 2b= 2w0 3b1", "1b0 1w= 1b1 -U", "-U -U -Z 1w0")
    result = ranking(_field(*rounds, system=System.ROUND_ROBIN), ["DE"])
    opened = encounter_breakdown(result, "DE", 1)
    assert result.encounters["DE"][1].tied == (1, 2)
    assert opened.value == Fraction(1, 2)
    assert [t.contribution for t in opened.terms] == [Fraction(1, 3), Fraction(1, 6), 0]
    assert _ranks(_field(*rounds, system=System.ROUND_ROBIN), "DE") == {1: 1, 2: 1, 3: 3}


def test_who_cannot_be_reached_by_missing_games_is_placed_first() -> None:
    # 1 beat 2 and 3, who did not meet: no other player reaches its two points.
    field = _field("2w1 3b1 -Z", "1b0 -U -U", "-U 1w0 -U")
    assert _ranks(field, "DE") == {1: 1, 2: 2, 3: 2}
    # Among the remaining players only one has missed the other: no place is certain.
    result = ranking(field, ["DE"])
    assert result.encounters["DE"][2].missing == 1


def _decided(scores: dict[tuple[int, int], int]) -> list[Participant]:
    """Return participants equal on points who met one pair a round.

    `scores` are half points of the first of each pair.
    """
    numbers = sorted({n for pair in scores for n in pair})
    games: dict[int, list[Game]] = {n: [] for n in numbers}
    kinds = {2: Kind.WIN, 1: Kind.DRAW, 0: Kind.LOSS}
    for (a, b), halves in scores.items():
        for n in numbers:
            if n not in (a, b):
                games[n].append(Game(Kind.ZERO_BYE))
        games[a].append(Game(kinds[halves], halves, b, is_first=True))
        games[b].append(Game(kinds[2 - halves], 2 - halves, a, is_first=False))
    total = max(sum(g.score_halves for g in row) for row in games.values())
    return [
        Participant(n, (*row, Game(Kind.FULL_BYE, total - sum(g.score_halves for g in row))), 2000)
        for n, row in games.items()
    ]


def test_all_may_be_placed_although_two_have_not_met() -> None:
    # All beat the players after them. 2 and 4, 4 and 6 drew. 1 and 7 did not meet, and 7 lost every
    # game.
    scores = {(a, b): 2 for a in range(1, 8) for b in range(a + 1, 8) if (a, b) != (1, 7)}
    scores |= {(2, 4): 1, (4, 6): 1}
    result = ranking(Field(_decided(scores)), ["DE"])
    assert [(p.id, p.rank) for p in result.places] == [(n, n) for n in range(1, 8)]
    # With one draw less 6 has a point, which 7 could still have: the two met, and are compared again without the rest.
    del scores[4, 6]
    result = ranking(Field(_decided(scores | {(4, 6): 2})), ["DE"])
    assert [(p.id, p.rank) for p in result.places] == [(n, n) for n in range(1, 8)]


def test_a_forfeit_decides_a_direct_encounter_only_by_the_modifier() -> None:
    field = _field("2w+ -Z", "1b- -U")
    assert _ranks(field, "DE") == {1: 1, 2: 1}
    assert _ranks(field, "DE/P") == {1: 1, 2: 2}
    robin = _field("2w+ -Z", "1b- -U", system=System.ROUND_ROBIN)
    assert _ranks(robin, "DE") == {1: 1, 2: 2}


def test_nobody_has_a_direct_encounter_without_a_tie() -> None:
    result = ranking(_field("2w1", "1b0"), ["DE"])
    assert [p.values["DE"] for p in result.places] == [None, None]
    assert encounter_breakdown(result, "DE", 1).total is None


# Order and reasons


def test_every_row_says_what_put_it_behind_the_one_above() -> None:
    field = _field("2w1 3b1", "1b0 -H", "4w= 1w0", "3b= -Z")
    places = ranking(field, ["BH", "TPN"]).places
    assert _values(field, "BH") == ["1", "2.5", "3", "1"]
    assert [(p.id, p.rank, p.separated_by) for p in places] == [
        (1, 1, None),
        (3, 2, "PTS"),
        (2, 3, "BH"),
        (4, 4, "BH"),
    ]


def test_the_points_come_first_unless_the_list_places_them() -> None:
    field = _field("2w1 -Z", "1b0 -Z", "-H -H", "-H -U")
    assert _ranks(field, "WON")[4] == 1
    assert _ranks(field, "WON", "PTS") == {1: 1, 4: 2, 3: 3, 2: 4}


def test_an_empty_field_has_no_places() -> None:
    assert ranking(Field([]), DEFAULTS[System.SWISS]).places == ()


def test_before_the_first_round_everybody_shares_the_first_place() -> None:
    field = Field([Participant(n, ()) for n in (3, 1, 2)], rounds_total=5)
    names = [n for n in CATALOGUE if n not in ("TPN", "PTS")]
    assert [(p.id, p.rank) for p in ranking(field, names).places] == [(1, 1), (2, 1), (3, 1)]


# Names


@pytest.mark.parametrize(
    "name",
    [
        *("", "/", "XX", "BH/", "BH/C", "BH/C0", "BH/C1/C2", "BH/C1/M1", "BH//C1", "BH/L1"),
        *("BH:GP", "EMMSB", "BC", "KS/C1", "PS/M1", "ARO/U", "ARO/U12345", "DE/C1", "WIN/C1"),
        *("KS/L", "KS/L+", "KS/L+100", "BH C1", "B" * 100_000, "\u0412\u041d", "BH/C٣", "MPvGP"),
    ],
)
def test_a_name_that_is_none_is_refused_and_named(name: str) -> None:
    with pytest.raises(UnknownTieBreakError) as caught:
        tie_break(name)
    assert len(str(caught.value)) < 300


def test_names_are_read_without_regard_to_case_or_blanks() -> None:
    assert tie_break(" bh/c1 ").name == "BH/C1"
    assert tie_break("bh/m2").modifiers.high == 2
    assert [t.name for t in tie_breaks(["DE", "PTS"])] == ["DE", "PTS"]
    assert [t.name for t in tie_breaks(["DE"])] == ["PTS", "DE"]
    with pytest.raises(UnknownTieBreakError, match="twice"):
        tie_breaks(["BH", "bh"])


def test_a_tie_break_out_of_place_is_told() -> None:
    robin = _field("2w1", "1b0", system=System.ROUND_ROBIN, edition=Edition.AUGUST_2024)
    assert misfits(tie_breaks(["BH/C1", "STD", "SB"]), robin) == ["BH/C1", "STD"]
    assert misfits(tie_breaks(["KS"]), _field("2w1", "1b0")) == ["KS"]
    for system, names in DEFAULTS.items():
        assert misfits(tie_breaks(names), _field("2w1", "1b0", system=system)) == []


def test_an_event_keeps_the_edition_of_the_day_it_began() -> None:
    assert edition_at(date(2026, 2, 28)) is Edition.AUGUST_2024
    assert edition_at(date(2026, 3, 1)) is Edition.MARCH_2026


@pytest.mark.parametrize("code", CATALOGUE)
def test_every_tie_break_of_the_catalogue_has_a_value_for_somebody(code: str) -> None:
    field = _field("2w1 3b1 4w1", "1b0 4w= 3b1", "4b1 1w0 2w0", "3w0 2b= 1b0")
    field.lots_seed = "seed"
    values = column(field, code).values()
    if CATALOGUE[code].combination is Combination.ENCOUNTER:
        assert values == [None] * 4
    else:
        assert any(values), code


@pytest.mark.parametrize(
    "participants",
    [
        [Participant(1, ()), Participant(1, ())],
        [Participant(1, (Game(Kind.WIN, 2, 9, is_first=True),))],
        [Participant(1, (Game(Kind.WIN, 2, 1, is_first=True),))],
        [Participant(1, (), 10_000)],
    ],
    ids=["id-twice", "opponent-unknown", "own-opponent", "rating"],
)
def test_a_field_that_contradicts_itself_is_refused(participants: list[Participant]) -> None:
    with pytest.raises(BadFieldError):
        Field(participants)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(43, 2), "21.5"),
        (Fraction(6), "6"),
        (Fraction(-1, 4), "-0.25"),
        (Fraction(1, 3), "0.333"),
        (Fraction(1337, 100), "13.37"),
        (Fraction(0), "0"),
    ],
)
def test_values_are_shown_as_short_as_they_are_exact(value: Fraction, text: str) -> None:
    assert decimal_text(value) == text
