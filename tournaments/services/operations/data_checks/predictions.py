"""Predictions stored before games against the ratings of that moment."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db.models import Max, Min

from tournaments import database_time
from tournaments.models import Correction, Game, LedgerEntry, Pool, Recomputation
from tournaments.queries.ratings import ledger
from tournaments.ratings import INITIAL_CENTIELO
from tournaments.ratings.systems import (
    RatedGame,
    RatingStanding,
    RatingSystem,
    SystemName,
    month_of,
    new_system,
)
from tournaments.services.operations.data_checks.offences import Offence

# A game that ended in these seconds before or after may have counted already or not yet.
_UNCERTAIN = timedelta(seconds=10)


def predictions() -> Iterator[Offence]:
    """The stored expectation is that of the formula for the ratings at the creation of the game."""
    for pool in Pool.objects.order_by("pk"):
        if pool.system == SystemName.RUNNING:
            yield from _by_rows(pool)
            continue
        # Rows lack a part of a standing: the pool is played again, with the results before the
        # first correction and those since the last one.
        kinds = [LedgerEntry.Kind.REVERSAL, LedgerEntry.Kind.REENTRY]
        corrected = LedgerEntry.objects.filter(pool=pool, kind__in=kinds)
        span = corrected.aggregate(first=Min("entered_at"), last=Max("entered_at"))
        if span["first"] is None:
            yield from _by_replay(pool, {}, _ALWAYS)
        else:
            first = Correction.objects.filter(seq=1, game__pool=pool)
            before = dict(first.values_list("game_id", "before"))
            yield from _by_replay(pool, before, _Span(until=span["first"] - _UNCERTAIN))
            yield from _by_replay(pool, {}, _Span(since=span["last"] + _UNCERTAIN))


@dataclass(frozen=True, slots=True)
class _Span:
    """A time of which the ledger's results are known."""

    since: datetime | None = None
    until: datetime | None = None

    def has(self, moment: datetime) -> bool:
        return (self.since is None or moment > self.since) and self.is_before_end(moment)

    def is_before_end(self, moment: datetime) -> bool:
        return self.until is None or moment < self.until


_ALWAYS = _Span()


def _games(pool: Pool) -> Iterator[tuple[Game, RatedGame]]:
    games = Game.objects.filter(pool=pool, predicted_millionths__isnull=False)
    for game in (
        games.select_related("pairing__event").defer("position").order_by("created_at", "pk")
    ):
        yield game, replace(ledger.rated_game(game, pool), ended_at=game.created_at)


class _Histories:
    """The ratings of each player of a pool by time."""

    def __init__(self, pool: Pool) -> None:
        self._moments: dict[int, list[datetime]] = defaultdict(list)
        self._ratings: dict[int, list[int]] = defaultdict(lambda: [INITIAL_CENTIELO])
        rows = LedgerEntry.objects.filter(pool=pool).order_by("player", "seq")
        for player, entered_at, after in rows.values_list(
            "player_id", "entered_at", "after_centielo"
        ):
            self._moments[player].append(entered_at)
            self._ratings[player].append(after)

    def around(self, player: int, moment: datetime) -> set[int]:
        """Return the possible ratings of the player at the moment."""
        moments = self._moments[player]
        first = bisect_left(moments, moment - _UNCERTAIN)
        last = bisect_right(moments, moment + _UNCERTAIN)
        return set(self._ratings[player][first : last + 1])


def _by_rows(pool: Pool) -> Iterator[Offence]:
    histories = _Histories(pool)
    # While rows are entered again ratings stay as they were before.
    spans = [
        (each.begun_at - _UNCERTAIN, (each.finished_at or database_time.now()) + _UNCERTAIN)
        for each in Recomputation.objects.filter(pool=pool)
    ]
    for game, rated_game in _games(pool):
        if any(since < game.created_at < until for since, until in spans):
            continue
        possible = set()
        for first in histories.around(game.first_id, game.created_at):
            for second in histories.around(game.second_id, game.created_at):
                standings = {
                    game.first_id: RatingStanding(centielo=first),
                    game.second_id: RatingStanding(centielo=second),
                }
                system = new_system(SystemName(pool.system), standings)
                possible.add(system.expected_millionths(rated_game))
        if game.predicted_millionths not in possible:
            yield _offence(game)


def _by_replay(pool: Pool, results: Mapping[int, str], span: _Span) -> Iterator[Offence]:
    """Check the predictions made in `span`, with these `results` of games, else with the stored ones.

    Among games made together, those after the first are not checked if another counted meanwhile:
    the earlier ratings no longer exist then.
    """
    waiting = _entered(pool, results, span)
    system = new_system(SystemName(pool.system))
    entered_at: datetime | None = None  # the last that counted
    for game, rated_game in _games(pool):
        possible = set()
        if entered_at is not None and entered_at > game.created_at - _UNCERTAIN:
            possible.add(game.predicted_millionths or 0)
        while waiting and waiting[-1][0] < game.created_at + _UNCERTAIN:
            if waiting[-1][0] > game.created_at - _UNCERTAIN:
                possible.add(system.expected_millionths(rated_game))
            entered_at, ended_game = waiting.pop()
            _close(pool, system, ended_game.ended_at)
            system.enter(ended_game)
        _close(pool, system, game.created_at)
        possible.add(system.expected_millionths(rated_game))
        # Deviations grow by the second, and the prediction's is not stored.
        is_right = any(abs((game.predicted_millionths or 0) - each) <= 200 for each in possible)
        if span.has(game.created_at) and not is_right:
            yield _offence(game)


def _entered(
    pool: Pool, results: Mapping[int, str], span: _Span
) -> list[tuple[datetime, RatedGame]]:
    """The rated games with the moment of their first row, the last first."""
    moments: dict[int, datetime] = {}
    rows = LedgerEntry.objects.filter(pool=pool, game__isnull=False).order_by("pk")
    for game_id, entered_at in rows.values_list("game_id", "entered_at"):
        moments.setdefault(game_id, entered_at)
    games = Game.objects.filter(pool=pool, pk__in=moments).select_related("pairing__event")
    entered = []
    for game in games.defer("position"):
        game.result = results.get(game.pk, game.result)
        if game.result in ledger.SCORES and span.is_before_end(moments[game.pk]):
            entered.append((moments[game.pk], game.pk, ledger.rated_game(game, pool)))
    entered.sort(key=lambda each: each[:2], reverse=True)
    return [(moment, rated_game) for moment, _, rated_game in entered]


def _close(pool: Pool, system: RatingSystem, moment: datetime) -> None:
    """Close the months before `moment`, if there are lists."""
    if pool.closed_until is not None:
        system.close(month_of(moment.date()))


def _offence(game: Game) -> Offence:
    return Offence(
        f"game {game.pk}",
        f"predicted_millionths {game.predicted_millionths} is not what the ratings said",
    )
