"""Knowledge of forecasts about players and games: ratings with their errors, draws, and the advantage of the first side."""

from __future__ import annotations

import math
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

# Glickman's deviation of an unknown player (1995).
_UNKNOWN_ELO = 350.0
# The error of a rating that the organiser gives: about that of a list after some thirty games.
_LISTED_ELO = 65.0
# The weight of prior knowledge of a game, in games of the pool.
_GAMES_BEFOREHAND = 100
# For a game without a finished game here.
_USUAL_PLIES = 60


def priors(event: Event, entries: Iterable[Entry]) -> list[Prior]:
    """Return the prior knowledge of the entries at the start of the event, in the order of their TPNs."""
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


def active_members(event: Event) -> dict[int, list[Entry]]:
    """Return the active members of each team, by the id of the team, in the order of its list."""
    by_team: dict[int, list[Entry]] = {}
    rows = Entry.objects.active().filter(team__event=event).order_by("board_order", "pk")
    for member in rows:
        by_team.setdefault(member.team_id or 0, []).append(member)
    return by_team


def team_priors(event: Event, teams: Iterable[Entry]) -> list[Prior]:
    """Return the prior knowledge of the teams: their average ratings, with the errors of these averages."""
    rows = Rating.objects.filter(player__entries__event=event, pool__key=pools.key_of(event))
    by_player = {row.player_id: row for row in rows.select_related("pool")}
    members, now = active_members(event), database_time.now()

    def deviation(team: Entry) -> float:
        own = members.get(team.pk, [])[: event.boards]
        errors = [_deviation_elo(each, by_player.get(each.player_id), now) for each in own]
        return round(math.hypot(*errors) / len(errors)) if errors else _UNKNOWN_ELO

    return [
        Prior(team.tpn or 0, (team.seed_centielo or 0) / 100, deviation(team))
        for team in sorted(teams, key=lambda each: each.tpn or 0)
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
    """Return the model of results by this rule set, with the draws of the pools and of prior knowledge.

    The share of draws is rounded to a whole per cent, so that a single game does not change the
    forecast.
    """
    sums = PairTally.objects.filter(pool__key__in=list(pool_keys)).aggregate(
        wins=Sum("wins", default=0), draws=Sum("draws", default=0), losses=Sum("losses", default=0)
    )
    known = games.family_of(ruleset).presentation.draw_thousandths / 1000
    count = sum(sums.values()) + _GAMES_BEFOREHAND
    share = (sums["draws"] + _GAMES_BEFOREHAND * known) / count
    return ResultModel(round(share, 2), advantage_centielo(ruleset) / 100)


def typical_plies(ruleset: str) -> int:
    """Return the mean number of plies of games by this rule set here; 60 before the first game."""
    finished = Game.objects.filter(ruleset=ruleset, result__in=list(ledger.SCORES), ply__gt=0)
    average = finished.aggregate(plies=Avg("ply"))["plies"]
    return round(average) if average else _USUAL_PLIES
