"""Claims of a game against an opponent who has left the table."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from django.db import transaction

from tournaments import database_time
from tournaments.errors import RefusedError, StaleError
from tournaments.models import Game, Player
from tournaments.queries.games import attendance
from tournaments.services.clocks import outages
from tournaments.services.games import game_end, offers, play


class ClaimedResult(StrEnum):
    """A result that the player who waits may claim."""

    WIN = "win"
    DRAW = "draw"


def claim(*, game_id: int, player: Player, result: ClaimedResult) -> Game:
    """End the game, whose opponent has left, as a win of `player` or as a draw.

    If the opponent's clock has run down, the game ends on time, whatever was claimed.

    Raises:
        NotAllowedError: `not-your-game`.
        StaleError: `game-over`, or `opponent-here` if the opponent is at the table.
        RefusedError: `claim-event` in an event, whose arbiter decides, `claim-never` in a game without claims,
            `claim-own-turn`, `claim-first-moves` before both have moved, `claim-early`.
    """
    outages.notice(database_time.now())
    with transaction.atomic():
        game = play.lock_ongoing(game_id)
        side = play.require_seat(game, player)
        _require_claims(game, side)
        if offers.has_flagged(game):
            return game
        absent = game_end.other_side(side)
        now = database_time.now()
        _require_absence(game, absent, now)
        is_win = result is ClaimedResult.WIN
        game_end.finish_game(
            game,
            result=Game.Result(side) if is_win else Game.Result.DRAW,
            ending=Game.Ending.ABSENCE,
            detail=absent,
            now=now,
        )
        return game


def _require_claims(game: Game, side: str) -> None:
    if game.pairing_id is not None:
        raise RefusedError("claim-event")
    if not attendance.has_claims(game) or game.player_on(game_end.other_side(side)).is_bot:
        raise RefusedError("claim-never")
    if game.side_to_move == side:
        raise RefusedError("claim-own-turn")


def _require_absence(game: Game, absent: str, now: datetime) -> None:
    table = attendance.table(game, now)
    if table.seats.get(absent) is None:
        raise StaleError("opponent-here")
    if table.claim_at is None:
        raise RefusedError("claim-first-moves")
    if now < table.claim_at:
        raise RefusedError("claim-early", f"at {table.claim_at.isoformat()}")
