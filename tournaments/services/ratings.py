"""Ratings change in one place: a finished, rated game adds one ledger entry a side."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tournaments.models import Game, LedgerEntry, Pool, Rating
from tournaments.ratings import INITIAL_CENTIELO
from tournaments.ratings.replay import Book, RatedGame, Standing
from tournaments.services import ledger
from tournaments.services.pools import pool_of

if TYPE_CHECKING:
    from tournaments.models import Player


def rate(game: Game) -> None:
    """Enter a finished rated game in the ledger, both sides, in the caller's transaction.

    The database refuses a second entry for a game and side, so a game is rated at most once (law 2).
    """
    if not game.is_rated or game.result not in ledger.SCORES:
        return
    pool = pool_of(game.ruleset)
    book = Book(_locked_standings(pool, game.first, game.second))
    halves = ledger.SCORES[Game.Result(game.result)]
    for line in book.enter(RatedGame(game.pk, game.first_id, game.second_id, halves)):
        rows = LedgerEntry.objects.filter(pool=pool, player=line.player)
        ledger.append(line, pool.pk, rows.order_by("seq").last())
    for player_id, standing in sorted(book.standings.items()):
        ledger.write_rating(pool.pk, player_id, standing)


def _locked_standings(pool: Pool, *players: Player) -> dict[int, Standing]:
    # By ascending id: two first games of the same two may end at once, with the seats exchanged.
    for player in sorted(players, key=lambda p: p.pk):
        Rating.objects.get_or_create(
            pool=pool,
            player=player,
            defaults={"centielo": INITIAL_CENTIELO, "peak_centielo": INITIAL_CENTIELO},
        )
    rows = Rating.objects.select_for_update().filter(pool=pool, player__in=players)
    return {
        row.player_id: Standing(row.centielo, row.peak_centielo, row.games, row.wins, row.draws)
        for row in rows.order_by("player_id")
    }


def deviation_centielo(games: int) -> int:
    """The standard error of a rating from so many games, in hundredths of a point.

    One game between equals tells p(1-p) = 1/4 about the difference in units of 400/ln 10 points: after n games its
    standard error is 2 x 400/ln 10 / sqrt(n).
    """
    return round(200 * 400 / math.log(10) / math.sqrt(max(1, games)))


def centielo_of(player: Player, pool: Pool) -> int:
    """The player's rating in hundredths of an Elo point, the initial one where there is none."""
    rating = Rating.objects.filter(player=player, pool=pool).first()
    return rating.centielo if rating else INITIAL_CENTIELO
