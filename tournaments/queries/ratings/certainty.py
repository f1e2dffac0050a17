"""How certain a rating is, wherever one is shown: half of its interval, and whether it is a guess."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from tournaments.models import Entry, Event, LedgerEntry, Pool, Rating
from tournaments.queries.ratings import ledger, pools
from tournaments.queries.ratings.estimates import deviation_centielo
from tournaments.ratings.glicko2 import LICHESS, Standing
from tournaments.ratings.systems import read


@dataclass(frozen=True, slots=True)
class Certainty:
    """What can be said of a rating beside its figure.

    Attributes:
        error_centielo: half of the 95 % interval; None where the system gives none.
        is_provisional: whether the rating is a guess yet.
    """

    error_centielo: int | None = None
    is_provisional: bool = False


def of_error(error_centielo: int) -> Certainty:
    """The certainty of a rating with this half of its 95 % interval, by the one rule for a guess: from ±220 on."""
    standing = Standing(deviation_centielo=max(1, error_centielo // 2))
    return Certainty(error_centielo, standing.is_provisional(LICHESS))


def of_games(games: int) -> Certainty:
    """The certainty of a rating of which only the number of its games is known."""
    return of_error(2 * deviation_centielo(games))


def of_rating(rating: Rating, now: datetime) -> Certainty:
    """The certainty of a player's rating at `now`.

    By lists it is a guess until the first list has it. The ledger of bots knows the number of games
    alone; the interval of a fitted strength is that of the fit.
    """
    match Pool.System(rating.pool.system):
        case Pool.System.GLICKO2:
            return of_error(2 * read(ledger.standing(rating), now).deviation_centielo)
        case Pool.System.LISTS if rating.listed_elo is None:
            return Certainty(of_games(rating.games).error_centielo, is_provisional=True)
        case Pool.System.LISTS:
            return Certainty()
        case Pool.System.RUNNING:
            return Certainty(is_provisional=of_games(rating.games).is_provisional)


def before(entry: LedgerEntry) -> Certainty:
    """The certainty with which a game was entered."""
    return _of_deviation(entry, "deviation")


def after(entry: LedgerEntry) -> Certainty:
    """The certainty that a game left behind."""
    return _of_deviation(entry, "deviation_after")


def _of_deviation(entry: LedgerEntry, name: str) -> Certainty:
    if name not in entry.inputs:
        return Certainty()
    return of_error(2 * int(entry.inputs[name]))


# So many are asked for by their ids.
_FEW = 500


def newcomers(event: Event, entries: Iterable[Entry], now: datetime) -> frozenset[int]:
    """The people among those entries whose rating in the event's pool is a guess, by the player's id.

    A rating that does not exist is one. A rating that the organiser's list gives is none.
    """
    people_ids = {
        entry.player_id
        for entry in entries
        if not entry.player.is_bot and not entry.player.is_listed and entry.listed_centielo is None
    }
    if not people_ids:
        return frozenset()
    # By the event, not by thousands of ids.
    of_event = Rating.objects.filter(player__entries__event=event, pool__key=pools.key_of(event))
    if len(people_ids) <= _FEW:
        of_event = of_event.filter(player__in=people_ids)
    certain_ids = {
        row.player_id
        for row in of_event.select_related("pool")
        if not of_rating(row, now).is_provisional
    }
    return frozenset(people_ids - certain_ids)
