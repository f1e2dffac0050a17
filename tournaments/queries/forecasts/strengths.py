"""What forecasts know of players and games: ratings with their errors, draws, and the advantage of the first side."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db.models import Avg, Sum

import games
from tournaments import database_time
from tournaments.forecasts import Prior, ResultModel
from tournaments.models import Entry, Event, Game, PairTally, Pool, Rating
from tournaments.queries.ratings import estimates, ledger, pools
from tournaments.ratings.advantages import advantage_centielo
from tournaments.ratings.systems import read

# Glickman's deviation of somebody of whom nothing is known (1995).
_UNKNOWN_ELO = 350.0
# Of a rating that the organiser has given: about what a list of some thirty games has.
_LISTED_ELO = 65.0
# What is known of a game beforehand counts as much as so many games of the pool.
_GAMES_BEFOREHAND = 100
# Of a game that nobody has finished here yet.
_USUAL_PLIES = 60


def priors(event: Event, entries: Iterable[Entry]) -> list[Prior]:
    """What was known of the entries when the event began, in the order of their TPNs."""
    rows = Rating.objects.filter(player__entries__event=event, pool__key=pools.key_of(event))
    by_player = {row.player_id: row for row in rows.select_related("pool")}
    now = database_time.now()
    return [
        Prior(
            entry.tpn or 0,
            (entry.seed_centielo or 0) / 100,
            _deviation_elo(entry, by_player.get(entry.player_id), now),
        )
        for entry in sorted(entries, key=lambda e: e.tpn or 0)
    ]


def _deviation_elo(entry: Entry, row: Rating | None, now: datetime) -> float:
    """The standard error of the rating an entry began with, in Elo points rounded to a whole one."""
    if entry.listed_centielo is not None:
        return _LISTED_ELO
    if row is None:
        return _UNKNOWN_ELO
    if row.pool.system == Pool.System.GLICKO2:
        centielo = read(ledger.standing(row), now).deviation_centielo
    else:
        centielo = estimates.deviation_centielo(row.games)
    # Whole points: an hour of idleness does not make another forecast.
    return min(_UNKNOWN_ELO, float(round(centielo / 100)))


def model_of(ruleset: str, pool_keys: Iterable[str]) -> ResultModel:
    """How games by this rule set end: its draws are those of the pools and of what is known beforehand.

    The share of draws is rounded to a whole per cent, so that not every game makes another forecast.
    """
    sums = PairTally.objects.filter(pool__key__in=list(pool_keys)).aggregate(
        wins=Sum("wins", default=0), draws=Sum("draws", default=0), losses=Sum("losses", default=0)
    )
    known = games.family_of(ruleset).presentation.draw_thousandths / 1000
    count = sum(sums.values()) + _GAMES_BEFOREHAND
    share = (sums["draws"] + _GAMES_BEFOREHAND * known) / count
    return ResultModel(round(share, 2), advantage_centielo(ruleset) / 100)


def typical_plies(ruleset: str) -> int:
    """How many plies games by this rule set take here on average; 60 before there are any."""
    finished = Game.objects.filter(ruleset=ruleset, result__in=list(ledger.SCORES), ply__gt=0)
    average = finished.aggregate(plies=Avg("ply"))["plies"]
    return round(average) if average else _USUAL_PLIES
