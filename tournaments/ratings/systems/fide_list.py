"""Rating lists as FIDE makes them (B.02).

The games of a month are rated together, each against the ratings of a list.

The arithmetic is FIDE's to the digit (`tournaments.ratings.fide`). Our additions are for a young
game: all players are on the list from the beginning, at 1500, no player falls off it (100 is the
lowest), and ages are not asked for. `FORMULA` names these choices.

A game's line has K times its own share, which is exact in hundredths of a point. The line that
closes the month brings their sum to the next list: K limited by the number of games (8.3.3), and
rounded once (8.3.4).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import groupby
from typing import TYPE_CHECKING

from tournaments.ratings import fide
from tournaments.ratings.elo import INITIAL_CENTIELO
from tournaments.ratings.systems.core import Line, RatingStanding, both_sides

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tournaments.ratings.systems.core import RatedGame

FORMULA = "lists-1"
_INITIAL_ELO = INITIAL_CENTIELO // 100
_LOWEST_ELO = 100


@dataclass(frozen=True, slots=True)
class ListEntry:
    """A player's entry on the lists from `since`, the first of a month, on."""

    since: date = date.min
    elo: int = _INITIAL_ELO
    highest_elo: int = _INITIAL_ELO
    games: int = 0


@dataclass(frozen=True, slots=True)
class _OpenGame:
    """A game of the open period as its player's line has it."""

    event: int
    own_elo: int
    game: fide.RatedGame
    rules: str


@dataclass(slots=True)
class _Player:
    lists: list[ListEntry] = field(default_factory=lambda: [ListEntry()])
    period: date | None = None
    open: list[_OpenGame] = field(default_factory=list)

    def entry_on(self, day: date) -> ListEntry:
        """Return the player as on the list in force on `day`."""
        return next(one for one in reversed(self.lists) if one.since <= day)


class FideListSystem:
    """FIDE rating lists, one a month."""

    def __init__(self, standings: dict[int, RatingStanding]) -> None:
        self.standings = standings
        self._players: dict[int, _Player] = {}

    def order(self, game: RatedGame) -> int:
        """Return the month of the end of the game, in which it counts whenever it was entered."""
        return month_of(game.ended_at.date()).toordinal()

    def enter(self, game: RatedGame) -> Sequence[Line]:
        month = month_of(game.ended_at.date())
        lines = [
            closing
            for player in (game.first, game.second)
            for closing in self._close_player(player, month)
        ]
        for side, player, opponent, halves in both_sides(game):
            lines.append(self._line(game, month, side, player, opponent, halves))
        for line in lines[-2:]:
            self.standings[line.player].count(line, at=game.ended_at)
        return lines

    def close(self, until: date) -> Sequence[Line]:
        month = month_of(until)
        return [
            line for player in sorted(self._players) for line in self._close_player(player, month)
        ]

    def restore(self, player: int, lines: Sequence[Line]) -> None:
        state = self._player(player)
        for line in lines:
            if line.game is None:
                state.lists.append(_list_entry(line))
                state.period, state.open = None, []
            else:
                state.period = line.period
                state.open.append(_open_game(line))

    def expected_millionths(self, game: RatedGame) -> int:
        """Return the expected score by the ratings of the list that will count."""
        day = _list_day(game)
        own, opponent = (
            self._player(player).entry_on(day).elo for player in (game.first, game.second)
        )
        step = _step(_rules(month_of(game.ended_at.date()), game), own, opponent, 1)
        return step.probability_hundredths * 10_000

    def formula_of(self, _game: RatedGame) -> str:
        return FORMULA

    def _player(self, player: int) -> _Player:
        return self._players.setdefault(player, _Player())

    def _line(
        self, game: RatedGame, month: date, side: str, player: int, opponent: int, halves: int
    ) -> Line:
        state = self._player(player)
        standing = self.standings.setdefault(player, RatingStanding())
        day = _list_day(game)
        own_elo = state.entry_on(day).elo
        opponent_elo = self._player(opponent).entry_on(day).elo
        rules = _rules(month, game)
        step = _step(rules, own_elo, opponent_elo, halves)
        k = _k(rules, state.entry_on(month), month)
        line = Line(
            player=player,
            game=game.game,
            side=side,
            before_centielo=standing.centielo,
            delta_centielo=k * step.delta_hundredths,
            opponent_centielo=opponent_elo * 100,
            k_factor=k,
            expected_millionths=step.probability_hundredths * 10_000,
            score_halves=halves,
            formula=FORMULA,
            period=month,
            inputs={
                "own": own_elo,
                "list": f"{day:%Y-%m}",
                "difference": step.difference_elo,
                "counted": step.counted_elo,
                "event": game.event or 0,
                "rules": rules.version,
            },
        )
        state.period = month
        state.open.append(_open_game(line))
        return line

    def _close_player(self, player: int, month: date) -> Iterator[Line]:
        """Yield the line that ends the player's open period, when that was before `month`."""
        state = self._player(player)
        if state.period is None or state.period >= month:
            return
        period, entry = state.period, state.entry_on(state.period)
        rules = fide.rule_set_named(state.open[0].rules)
        change = fide.period_change(
            rules, rating_elo=entry.elo, k=_k(rules, entry, period), events=_events(state.open)
        )
        standing = self.standings.setdefault(player, RatingStanding())
        elo = max(_LOWEST_ELO, change.new_elo)
        after = ListEntry(
            next_month(period),
            elo,
            max(entry.highest_elo, elo),
            entry.games + change.games,
        )
        line = Line(
            player=player,
            game=None,
            side="",
            before_centielo=standing.centielo,
            delta_centielo=100 * elo - standing.centielo,
            opponent_centielo=0,
            k_factor=change.k_used,
            expected_millionths=0,
            score_halves=0,
            formula=FORMULA,
            period=period,
            inputs={
                "list": f"{after.since:%Y-%m}",
                "listed": entry.elo,
                "k": change.k,
                "games": change.games,
                "sum": change.sum_hundredths,
                "total_games": after.games,
                "highest": after.highest_elo,
                "rules": change.version,
            },
        )
        state.lists.append(after)
        state.period, state.open = None, []
        standing.centielo = line.after_centielo
        standing.peak_centielo = max(standing.peak_centielo, standing.centielo)
        standing.listed_elo = elo
        yield line


def recomputed(
    *, rules: str, own_elo: int, opponent_elo: int, score_halves: int, k: int
) -> tuple[int, int]:
    """Return the change in hundredths of a point and the expected score in millionths, from a line's inputs.

    Raises RuleSetError for rules that we do not know.
    """
    step = _step(fide.rule_set_named(rules), own_elo, opponent_elo, score_halves)
    return k * step.delta_hundredths, step.probability_hundredths * 10_000


def month_of(day: date) -> date:
    """Return the first day of its month."""
    return day.replace(day=1)


def next_month(month: date) -> date:
    """Return the first day of the month after."""
    return month_of(month.replace(day=1) + timedelta(days=32))


def _list_day(game: RatedGame) -> date:
    """Return the first of the month whose list counts.

    It is the month in which the event began, as in published FIDE calculations.
    """
    return month_of(game.event_began or game.ended_at.date())


def _rules(month: date, game: RatedGame) -> fide.RuleSet:
    return fide.rule_set(day=month, time_class=game.time_class)


def _k(rules: fide.RuleSet, entry: ListEntry, month: date) -> int:
    return fide.k_factor(
        rules,
        highest_published_elo=entry.highest_elo,
        games=entry.games,
        birth_year=None,
        list_year=next_month(month).year,
    )


def _step(rules: fide.RuleSet, own_elo: int, opponent_elo: int, halves: int) -> fide.GameStep:
    event = fide.Event(own_elo, (fide.RatedGame(opponent_elo, halves),))
    change = fide.period_change(rules, rating_elo=own_elo, k=1, events=[event])
    return change.events[0].games[0]


def _events(open_games: Sequence[_OpenGame]) -> list[fide.Event]:
    """Return the games of a period by event, in the order of the events' first games."""
    order = {event: n for n, event in enumerate(dict.fromkeys(one.event for one in open_games))}
    by_event = groupby(
        sorted(open_games, key=lambda one: order[one.event]),
        key=lambda one: (one.event, one.own_elo),
    )
    return [
        fide.Event(own_elo, tuple(one.game for one in games), str(event))
        for (event, own_elo), games in by_event
    ]


def _open_game(line: Line) -> _OpenGame:
    return _OpenGame(
        int(line.inputs["event"]),
        int(line.inputs["own"]),
        fide.RatedGame(line.opponent_centielo // 100, line.score_halves, str(line.game)),
        str(line.inputs["rules"]),
    )


def _list_entry(line: Line) -> ListEntry:
    assert line.period is not None, "a line without a game closes a period"
    return ListEntry(
        next_month(line.period),
        line.after_centielo // 100,
        int(line.inputs["highest"]),
        int(line.inputs["total_games"]),
    )
