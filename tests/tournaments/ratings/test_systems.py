"""Ratings of a pool from its games: lists by months against FIDE's arithmetic, Glicko-2 and running Elo against their formulas."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.ratings import elo, fide, glicko2
from tournaments.ratings.systems import (
    Line,
    RatedGame,
    RatingStanding,
    RatingSystem,
    SystemName,
    new_system,
    next_month,
    read,
    recompute,
)

_BEGIN = datetime(2026, 10, 20, 12, tzinfo=UTC)


def _game(
    number: int,
    first: int,
    second: int,
    halves: int,
    *,
    day: int = 0,
    event: int = 1,
    began: date | None = None,
) -> RatedGame:
    at = _BEGIN + timedelta(days=day, minutes=number)
    return RatedGame(number, first, second, halves, at, event, began or at.date())


def _recompute(
    name: SystemName, games: Sequence[RatedGame], until: date = date.min
) -> tuple[list[Line], RatingSystem]:
    system = new_system(name)
    return list(recompute(games, system, closed_until=until)), system


def test_a_month_of_games_is_what_fide_makes_of_it() -> None:
    halves = [2, 1, 0, 2, 2]
    games = [_game(n, 1, 10 + n, half) for n, half in enumerate(halves)]
    lines, system = _recompute(SystemName.LISTS, games, date(2026, 11, 5))
    mine = [line for line in lines if line.player == 1]
    fide_games = [fide.RatedGame(1500, half) for half in halves]
    right = fide.period_change(
        fide.rule_set(day=date(2026, 10, 1)),
        rating_elo=1500,
        k=40,
        events=[fide.Event(1500, tuple(fide_games))],
    )
    steps = right.events[0].games
    assert [line.delta_centielo for line in mine[:-1]] == [40 * s.delta_hundredths for s in steps]
    closing = mine[-1]
    assert (closing.game, closing.period) == (None, date(2026, 10, 1))
    assert (closing.opponent_centielo, closing.expected_millionths, closing.score_halves) == (
        0,
        0,
        0,
    )
    assert closing.after_centielo == 100 * right.new_elo
    assert closing.inputs["rules"] == "fide-standard-2025"
    assert system.standings[1].listed_elo == right.new_elo


def test_the_list_of_the_day_an_event_began_counts() -> None:
    """An event of 31 October to 2 November uses the October list, as in the published calculations."""
    halloween = date(2026, 10, 31)
    games = [
        _game(1, 1, 2, 2, day=1),  # October
        _game(2, 1, 2, 2, day=11, event=2, began=halloween),  # ends on 31 October
        _game(3, 1, 3, 2, day=13, event=2, began=halloween),  # ends in November
        _game(4, 1, 3, 2, day=14, event=3, began=date(2026, 11, 3)),
    ]
    lines, _ = _recompute(SystemName.LISTS, games)
    own = {line.game: line for line in lines if line.player == 1}
    assert [own[n].inputs["own"] for n in (1, 2, 3)] == [1500, 1500, 1500]
    list_elo = 1500 + 40  # two wins of .50 each
    assert own[None].after_centielo == 100 * list_elo
    assert own[4].inputs["own"] == list_elo
    assert own[4].before_centielo == own[3].after_centielo


def test_k_is_limited_by_the_games_of_the_month() -> None:
    games = [_game(n, 1, 100 + n, 2) for n in range(25)]
    lines, _ = _recompute(SystemName.LISTS, games, date(2026, 11, 1))
    closing = next(line for line in lines if line.player == 1 and line.game is None)
    assert (closing.inputs["k"], closing.k_factor) == (40, 28)  # 700 / 25
    assert closing.after_centielo == 1500_00 + 28 * 25 * 50


def test_k_falls_after_thirty_games_with_the_next_list() -> None:
    games = [_game(n, 1, 100 + n, 1) for n in range(30)]
    games += [_game(40, 1, 200, 1, day=1), _game(41, 1, 201, 1, day=20)]
    lines, _ = _recompute(SystemName.LISTS, games)
    own = {line.game: line.k_factor for line in lines if line.player == 1}
    assert (own[40], own[41]) == (40, 20)


def test_nobody_falls_off_the_list() -> None:
    games = [_game(100 * m + n, 1, 2, 0, day=31 * m + n // 4) for m in range(60) for n in range(16)]
    lines, system = _recompute(SystemName.LISTS, games, date(2040, 1, 1))
    assert min(line.after_centielo for line in lines if line.game is None) >= 100_00
    assert system.standings[1].centielo < 1000_00 < system.standings[2].centielo


def test_a_casual_game_is_one_update_of_glicko_2() -> None:
    games = [_game(1, 1, 2, 2), _game(2, 2, 1, 2, day=30)]
    lines, system = _recompute(SystemName.GLICKO2, games)
    first = glicko2.rate_game(
        glicko2.Standing(), glicko2.Standing(), score_halves=2, first_idle_s=0, second_idle_s=0
    )
    idle = 30 * 86_400 + 60
    again = glicko2.rate_game(
        first.second.after, first.first.after, score_halves=2, first_idle_s=idle, second_idle_s=idle
    )
    assert [line.after_centielo for line in lines] == [
        first.first.after.rating_centielo,
        first.second.after.rating_centielo,
        again.first.after.rating_centielo,
        again.second.after.rating_centielo,
    ]
    assert system.standings[2].deviation_centielo == again.first.after.deviation_centielo
    later = read(system.standings[2], games[1].ended_at + timedelta(days=365))
    assert later.deviation_centielo > again.first.after.deviation_centielo


def test_a_running_rating_is_elo_after_each_game() -> None:
    lines, system = _recompute(SystemName.RUNNING, [_game(1, 1, 2, 2), _game(2, 1, 2, 1)])
    assert [line.delta_centielo for line in lines[:2]] == [20_00, -20_00]
    expected = elo.edition_on(date(2026, 1, 1)).expected_millionths(1520_00, 1480_00)
    assert lines[2].expected_millionths == expected
    assert system.standings[1].games == 2


@st.composite
def _histories(draw: st.DrawFn) -> list[RatedGame]:
    days = sorted(draw(st.lists(st.integers(0, 100), min_size=1, max_size=25)))
    games = []
    for number, day in enumerate(days, start=1):
        pair = draw(st.permutations(range(1, 5)))
        games.append(
            _game(
                number,
                pair[0],
                pair[1],
                draw(st.integers(0, 2)),
                day=day,
                event=draw(st.integers(1, 3)),
            )
        )
    return games


@settings(max_examples=60)
@given(_histories(), st.sampled_from(list(SystemName)))
def test_a_system_that_is_restored_goes_on_as_if_it_had_never_stopped(
    games: list[RatedGame], name: SystemName
) -> None:
    """The service does this: for every game a new book from the stored values, against one book for all."""
    whole, _ = _recompute(name, games)
    rows: dict[int, list[Line]] = {}
    standings: dict[int, RatingStanding] = {}
    lines: list[Line] = []
    for game in games:
        earlier = {p: standings[p] for p in (game.first, game.second) if p in standings}
        system = new_system(name, earlier)
        for player in (game.first, game.second):
            system.restore(player, rows.get(player, []))
        for line in system.enter(game):
            rows.setdefault(line.player, []).append(line)
            lines.append(line)
        standings.update(system.standings)
    assert lines == whole


@settings(max_examples=60)
@given(_histories(), st.sampled_from(list(SystemName)))
def test_each_line_begins_where_the_one_before_ended(
    games: list[RatedGame], name: SystemName
) -> None:
    lines, system = _recompute(name, games, date(2027, 6, 1))
    at: dict[int, int] = {}
    for line in lines:
        assert line.before_centielo == at.get(line.player, 1500_00)
        at[line.player] = line.after_centielo
    assert at == {player: s.centielo for player, s in system.standings.items()}
    if name is SystemName.LISTS:
        assert all(centielo % 100 == 0 for centielo in at.values())


@pytest.mark.parametrize(
    ("month", "following"),
    [(date(2026, 12, 1), date(2027, 1, 1)), (date(2026, 1, 31), date(2026, 2, 1))],
)
def test_a_month_is_followed_by_the_next(month: date, following: date) -> None:
    assert next_month(month) == following
