"""The certainty of a rating for all pages: half of its interval, and whether it is provisional."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from tournaments.models import Entry, Event, LedgerEntry, Player, Pool, Rating
from tournaments.queries.ratings import ledger, pools
from tournaments.queries.ratings.estimates import deviation_centielo
from tournaments.ratings.glicko2 import LICHESS, Standing
from tournaments.ratings.systems import read

_PEOPLE = (Player.Kind.PERSON, Player.Kind.GUEST)


@dataclass(frozen=True, slots=True)
class Certainty:
    """The certainty of a rating.

    Attributes:
        error_centielo: half of the 95 % interval; None if the system gives none.
        is_provisional: whether the rating is provisional.
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
    """Return the certainty of a player's rating at `now`.

    A rating by lists is provisional until the first list. The ledger of bots knows only the number
    of games. The interval of a fitted strength is that of the fit.
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


# The number up to which players are asked for by their ids.
_FEW = 500


def newcomers(event: Event, entries: Iterable[Entry], now: datetime) -> frozenset[int]:
    """Return the people among those entries whose rating in the event's pool is provisional, by the player's id.

    A missing rating is provisional. A rating of the organiser's list is not.
    """
    people_ids = {
        entry.player_id
        for entry in entries
        if entry.player.kind in _PEOPLE and entry.listed_centielo is None
    }
    if not people_ids:
        return frozenset()
    # A query by the event instead of thousands of ids.
    of_event = Rating.objects.filter(player__entries__event=event, pool__key=pools.key_of(event))
    if len(people_ids) <= _FEW:
        of_event = of_event.filter(player__in=people_ids)
    certain_ids = {
        row.player_id
        for row in of_event.select_related("pool")
        if not of_rating(row, now).is_provisional
    }
    return frozenset(people_ids - certain_ids)
