"""Ratings beside the names of players: of games as they began, and of challenges."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from tournaments.models import Challenge, Game, LedgerEntry, Pool, Rating, statements
from tournaments.queries.ratings import certainty, pools
from tournaments.ratings.glicko2 import Standing
from tournaments.ratings.systems import LIST_FORMULA


@dataclass(frozen=True, slots=True)
class SeatRating:
    """A rating in hundredths of a point, and whether it is a guess yet."""

    centielo: int
    is_provisional: bool


def of_games(
    games: Sequence[Game], now: datetime, entries: Sequence[LedgerEntry] | None = None
) -> Mapping[tuple[int, int], SeatRating]:
    """Return the ratings of both players by game and player, if they have any.

    A rated game that is over has the ratings with which it was entered. Any other game has the
    current ones, in the pool in which such games are rated. `entries` are those of the games that
    count (`of_game`), if the caller has read them.
    """
    if entries is None:
        entries = _entries_of([g.pk for g in games if g.is_rated and g.result is not None])
    ratings = {
        (entry.game_id or 0, entry.player_id): _before(entry)
        for entry in entries
        if not _is_first(entry)
    }
    entered_ids = {entry.game_id for entry in entries}
    others = [game for game in games if game.pk not in entered_ids]
    keys = {game.pk: pools.key_of_game(game) for game in others}
    player_ids = {pk for game in others for pk in (game.first_id, game.second_id)}
    rows = _of_now(keys.values(), player_ids, now)
    for game in others:
        for player_id in (game.first_id, game.second_id):
            if (keys[game.pk], player_id) in rows:
                ratings[game.pk, player_id] = rows[keys[game.pk], player_id]
    return ratings


def _entries_of(game_ids: Sequence[int]) -> Sequence[LedgerEntry]:
    if not game_ids:
        return []
    if len(game_ids) == 1:
        return of_game.all(game=game_ids[0])
    return list(LedgerEntry.objects.standing().filter(game__in=game_ids))


@statements.query
def of_game(game: int) -> QuerySet[LedgerEntry]:
    """Return the entries of one game that count, with their players."""
    return LedgerEntry.objects.standing().filter(game=game).select_related("player")


def of_challenges(challenges: Sequence[Challenge], now: datetime) -> Mapping[int, SeatRating]:
    """Return the current ratings of the challengers, by challenge, if they have any."""
    keys = {
        row.pk: pools.key_for(
            row.ruleset,
            row.clock_initial_ms,
            row.clock_increment_ms,
            Pool.Kind.REMOTE if row.challenger.is_remote else Pool.Kind.PEOPLE,
        )
        for row in challenges
    }
    rows = _of_now(keys.values(), {row.challenger_id for row in challenges}, now)
    pairs = {row.pk: (keys[row.pk], row.challenger_id) for row in challenges}
    return {pk: rows[pair] for pk, pair in pairs.items() if pair in rows}


def _is_first(entry: LedgerEntry) -> bool:
    """Return whether the player came to the game without a rating."""
    return int(entry.inputs.get("deviation", 0)) >= Standing().deviation_centielo


def _before(entry: LedgerEntry) -> SeatRating:
    if entry.formula == LIST_FORMULA:
        return SeatRating(100 * int(entry.inputs["own"]), is_provisional=False)
    return SeatRating(entry.before_centielo, certainty.before(entry).is_provisional)


def _of_now(
    keys: Collection[str], player_ids: Collection[int], now: datetime
) -> dict[tuple[str, int], SeatRating]:
    if not keys:
        return {}
    rows = Rating.objects.filter(pool__key__in=set(keys), player__in=player_ids, games__gt=0)
    return {
        (row.pool.key, row.player_id): SeatRating(
            row.centielo if row.listed_elo is None else 100 * row.listed_elo,
            certainty.of_rating(row, now).is_provisional,
        )
        for row in rows.select_related("pool")
    }
