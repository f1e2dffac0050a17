"""The change of a player's rating by each result of a game, before the game is over."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from tournaments.models import Game, Player, Rating
from tournaments.queries.ratings import certainty, ledger


@dataclass(frozen=True, slots=True)
class Stakes:
    """The changes of a rating by a win, a draw and a loss now, in hundredths of a point."""

    win: int
    draw: int
    loss: int


def of_game(game: Game, player: Player, now: datetime) -> Stakes | None:
    """Return the stakes of `player` in a game; None if it is not rated or over, or if the rating is provisional."""
    pool = game.pool
    if pool is None or not game.is_rated or game.result is not None:
        return None
    players = [game.first_id, game.second_id]
    rows = {row.player_id: row for row in Rating.objects.filter(pool=pool, player__in=players)}
    own = rows.get(player.pk)
    if own is None or certainty.of_rating(own, now).is_provisional:
        return None
    own_is_first = player.pk == game.first_id
    rated_game = replace(ledger.rated_game(game, pool), ended_at=now)

    def change(halves: int) -> int:
        # A system counts the game in the standings that it is given.
        standings = {pk: ledger.standing(row) for pk, row in rows.items()}
        system = ledger.open_system(pool, standings)
        first_halves = halves if own_is_first else 2 - halves
        lines = system.enter(replace(rated_game, first_halves=first_halves))
        return next(line.delta_centielo for line in lines if line.player == player.pk and line.game)

    return Stakes(change(2), change(1), change(0))
