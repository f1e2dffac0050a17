"""Leagues: divisions, seasons, moving up and down, people who come and go."""

from __future__ import annotations

import random
from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.pairing.formats import Event, first_problem
from tournaments.pairing import (
    BadProblemError,
    Contestant,
    EventDecidedError,
    FormatOptions,
    Idle,
    IdleReason,
    League,
    RoundKind,
    RoundRecord,
    league,
)
from tournaments.pairing.league import Movement, moved


def _event(size: int, seed: int = 0, **options: Any) -> Event:
    problem = first_problem(size, options=FormatOptions(**options))
    return Event(League(), problem, random.Random(seed), odd_results=False)


def _lineups(event: Event) -> list[list[list[int]]]:
    return [_members(season) for season in league.seasons(event.problem)]


def test_divisions_are_filled_by_number_and_the_upper_ones_have_one_more() -> None:
    assert _lineups(_event(11, groups=3)) == [[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11]]]


@pytest.mark.parametrize(
    ("size", "options", "rounds"),
    [
        (11, FormatOptions(groups=3), 3),
        (11, FormatOptions(groups=2), 5),
        (9, FormatOptions(groups=2), 5),
        (10, FormatOptions(groups=2), 5),
        (10, FormatOptions(groups=2, cycles=2), 10),
    ],
)
def test_a_season_is_as_long_as_its_largest_division(
    size: int, options: FormatOptions, rounds: int
) -> None:
    assert League().rounds(size, options) == rounds


@pytest.mark.parametrize(
    ("size", "options", "why"),
    [
        (5, FormatOptions(groups=3), "3 divisions"),
        (5, FormatOptions(groups=0), "0 divisions"),
        (6, FormatOptions(groups=2, movers=3), "3 movers"),
        (9, FormatOptions(groups=3, movers=2), "2 movers"),
        (9, FormatOptions(groups=3, movers=-1), "-1 movers"),
        (9, FormatOptions(groups=3, cycles=0), "0 cycles"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    size: int, options: FormatOptions, why: str
) -> None:
    with pytest.raises(BadProblemError, match=why):
        League().rounds(size, options)
    with pytest.raises(BadProblemError, match=why):
        League().pair(first_problem(size, options=options))


def test_a_single_division_needs_no_movers() -> None:
    assert League().rounds(4, FormatOptions(groups=1, movers=9)) == 3


def test_smaller_divisions_are_free_at_the_end() -> None:
    event = _event(9, groups=2)
    event.play(4)
    assert [i.kind for i in event.solutions[2].idle] == [RoundKind.FREE]
    assert [i.reason for i in event.solutions[2].idle] == [IdleReason.ODD]
    last = League().pair(event.problem).idle[-4:]
    assert last == tuple(
        Idle(tpn, RoundKind.FREE, reason=IdleReason.TABLE_OVER) for tpn in (6, 7, 8, 9)
    )


def _divisions(text: str) -> list[list[int]]:
    return [[ord(letter) for letter in word] for word in text.split()]


@pytest.mark.parametrize(
    ("ranked", "places", "movers", "after"),
    [
        pytest.param("abc def ghi", "333", 1, "abd ceg fhi", id="one up, one down"),
        pytest.param("abcd efgh ijkl", "444", 2, "abef cdij ghkl", id="two up, two down"),
        pytest.param("abc def ghi", "333", 0, "abc def ghi", id="nobody"),
        pytest.param("ab def ghi", "333", 1, "ade bgh fi", id="one left: one more goes up"),
        pytest.param("abc de ghi", "333", 1, "abd cgh ei", id="one left in the middle"),
        pytest.param("ab d ghi", "333", 1, "abd ghi", id="too few below: nobody goes down"),
        pytest.param("abc def gh", "333", 1, "abd ceg fh", id="the lowest may be smaller"),
    ],
)
def test_who_moves(ranked: str, places: str, movers: int, after: str) -> None:
    new_divisions = moved(_divisions(ranked), [int(p) for p in places], movers)
    assert [sorted(d) for d in new_divisions if d] == [sorted(d) for d in _divisions(after)]


def test_after_a_season_the_last_go_down_and_the_first_go_up() -> None:
    event = _event(8, seed=4, groups=2, movers=1)
    event.play(3)
    before, after = league.seasons(event.problem)
    assert (before.first_round, before.last_round, before.is_over) == (1, 3, True)
    assert (after.first_round, after.last_round, after.is_over) == (4, 6, False)
    upper, lower = before.divisions
    assert [r.movement for r in upper.rows] == [Movement.STAYS] * 3 + [Movement.DOWN]
    assert [r.movement for r in lower.rows] == [Movement.UP] + [Movement.STAYS] * 3
    goes_down, goes_up = upper.rows[-1].row.tpn, lower.rows[0].row.tpn
    assert goes_up in {r.row.tpn for r in after.divisions[0].rows}
    assert goes_down in {r.row.tpn for r in after.divisions[1].rows}
    met = {frozenset((b.first, b.second)) for b in event.play_round().boards}
    assert all((goes_down in p) <= (p & {5, 6, 7, 8} - {goes_up} != set()) for p in met)


def test_the_order_counts_only_the_season() -> None:
    event = _event(4, seed=1, groups=1)
    event.play(4)
    first, second = league.seasons(event.problem)
    for season, rounds in ((first, slice(0, 3)), (second, slice(3, 4))):
        rows = [r.row for r in season.divisions[0].rows]
        field = {c.tpn: c.records[rounds] for c in event.problem.contestants}
        points = {tpn: sum(r.score_halves for r in records) for tpn, records in field.items()}
        assert {row.tpn: row.points_halves for row in rows} == points
        keys = [(-row.points_halves, -row.sonneborn_quarters, -row.wins, row.tpn) for row in rows]
        assert keys == sorted(keys)


def _join(event: Event, tpn: int) -> None:
    """Enter a player before the next round."""
    number = event.problem.round_number
    records = (RoundRecord(RoundKind.ZERO_BYE, None, 0),) * (number - 1)
    late = Contestant(tpn, records, joined_round=number)
    event.problem = event.problem._replace(contestants=(*event.problem.contestants, late))


def test_a_late_entry_waits_for_the_next_season_and_enters_the_lowest_division() -> None:
    event = _event(8, groups=2)
    event.play(1)
    _join(event, 9)
    free = Idle(9, RoundKind.FREE, reason=IdleReason.NEXT_SEASON)
    assert event.play_round().idle == (free,)
    event.play(1)
    season = league.seasons(event.problem)[-1]
    assert 9 in [r.row.tpn for r in season.divisions[1].rows]
    assert season.last_round - season.first_round + 1 == 5  # five players now


def test_who_leaves_plays_on_by_forfeits_and_is_gone_after_the_season() -> None:
    event = _event(8, groups=2)
    event.play(1)
    problem = event.problem
    leavers = problem.contestants[0]._replace(left_round=2)
    event.problem = problem._replace(contestants=problem.contestants[1:], absent=(leavers,))
    assert [i.opponent for i in event.play_round().idle if i.kind is RoundKind.FORFEIT_WIN] == [1]
    now = league.seasons(event.problem)[0]
    assert {r.movement for r in now.divisions[0].rows if r.row.tpn == 1} == {Movement.LEAVES}
    event.play(1)
    season = league.seasons(event.problem)[-1]
    assert [len(d.rows) for d in season.divisions] == [4, 3]
    assert 1 not in [r.row.tpn for d in season.divisions for r in d.rows]


def test_a_player_alone_in_the_lowest_division_plays_in_the_one_above() -> None:
    event = _event(4, groups=2, movers=1)
    event.play(1)
    keep = event.problem.contestants
    leavers = keep[3]._replace(left_round=2)
    event.problem = event.problem._replace(contestants=keep[:3], absent=(leavers,))
    assert _lineups(event)[-1] == [[1, 2, 3]]
    assert len(League().pair(event.problem).boards) == 1


def test_a_league_that_everybody_has_left_is_decided() -> None:
    event = _event(4, groups=2)
    event.play(1)
    leavers = tuple(c._replace(left_round=2) for c in event.problem.contestants[1:])
    event.problem = event.problem._replace(
        contestants=event.problem.contestants[:1], absent=leavers
    )
    with pytest.raises(EventDecidedError):
        League().pair(event.problem)


@pytest.mark.long
@settings(max_examples=30)
@given(
    size=st.integers(2, 15),
    divisions=st.integers(1, 5),
    movers=st.integers(0, 3),
    cycles=st.integers(1, 2),
    seed=st.integers(0, 10**6),
    trouble=st.sampled_from([0.0, 0.02]),
)
def test_whole_leagues_are_legal_for_seasons_on_end(
    size: int, divisions: int, movers: int, cycles: int, seed: int, trouble: float
) -> None:
    options = FormatOptions(groups=divisions, movers=movers, cycles=cycles)
    try:
        length = League().rounds(size, options)
    except BadProblemError:
        return
    rng = random.Random(seed)
    event = Event(
        League(), first_problem(size, options=options), rng, withdrawals=trouble, absences=trouble
    )
    newcomer = size
    for _ in range(3 * length):
        if trouble and rng.random() < 0.2:
            newcomer += 1
            _join(event, newcomer)
        before = len(event.solutions)
        event.play(1)
        if len(event.solutions) == before:
            return
    seasons = league.seasons(event.problem)
    for earlier, later in pairwise(seasons):
        assert later.first_round == earlier.last_round + 1
        _assert_moves(earlier, later)
    for problem in event.problems:
        for then, now in zip(league.seasons(problem), seasons, strict=False):
            assert (then.first_round, then.last_round) == (now.first_round, now.last_round)
            assert _members(then) == _members(now)
    if not trouble:
        _assert_all_met(event, seasons, cycles)
        for one, two in pairwise(seasons):
            assert [len(d.rows) for d in one.divisions] == [len(d.rows) for d in two.divisions]


def _members(season: league.Season) -> list[list[int]]:
    return [sorted(r.row.tpn for r in division.rows) for division in season.divisions]


def _assert_moves(earlier: league.Season, later: league.Season) -> None:
    """Require that the players are at the places that the table announced."""
    where = {r.row.tpn: d.number for d in later.divisions for r in d.rows}
    for division in earlier.divisions:
        for row in division.rows:
            now = where.get(row.row.tpn)
            assert (now is None) == (row.movement is Movement.LEAVES)
            if now is not None:
                step = now - division.number
                assert row.movement is (
                    Movement.STAYS if not step else Movement.UP if step < 0 else Movement.DOWN
                )
                # Only who is alone in the lowest division goes further than one.
                assert abs(step) <= 1 or now == later.divisions[-1].number


def _assert_all_met(event: Event, seasons: list[league.Season], cycles: int) -> None:
    for season in seasons:
        if not season.is_over:
            continue
        rounds = event.solutions[season.first_round - 1 : season.last_round]
        met = sorted(sorted((b.first, b.second)) for s in rounds for b in s.boards)
        pairs = [
            sorted(pair)
            for division in season.divisions
            for pair in combinations([r.row.tpn for r in division.rows], 2)
        ]
        assert met == sorted(pairs * cycles)
