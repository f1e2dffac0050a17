"""Presence at the boards of games of events: clocks that wait for both players, and no-shows."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Q

from tournaments import database_time
from tournaments.errors import StaleError
from tournaments.models import Game, Player
from tournaments.models.games import Side
from tournaments.services.games import game_end, play
from tournaments.services.notifications import news

log = logging.getLogger(__name__)

_AT_MOST = 50


def prepare(
    new_games: Sequence[Game], now: datetime, *, waits: bool, no_show_at: datetime | None
) -> None:
    """Prepare unsaved games of people to wait for both players, or to forfeit the absent.

    Bots are always present.
    """
    for game in new_games:
        game.first_present_at = now if game.first.is_boxed else None
        game.second_present_at = now if game.second.is_boxed else None
        game.no_show_at = no_show_at
        game.waits_for_both = waits
        if waits:
            game.stop_turn()
            game.stopped_at = now


def is_expected(game: Game, player: Player | None) -> bool:
    """Return whether it is still unknown that `player`, who has a seat, has come to the board."""
    if game.result is not None or game.pairing_id is None or game.match_id is not None:
        return False
    side = game.side_of(player)
    return side is not None and _present_at(game, side) is None


def note(*, game_id: int, player: Player) -> None:
    """Note the presence of a player at the board. The clocks begin if they waited for it.

    The call has no effect in a game that is over, or for a player without a seat.
    """
    with transaction.atomic():
        game = (
            Game.objects.select_for_update(of=("self",), no_key=True).with_players().get(pk=game_id)
        )
        if not is_expected(game, player):
            return
        now = database_time.now()
        setattr(game, f"{game.side_of(player)}_present_at", now)
        if game.waits_for_both and _absent(game) == []:
            begin(game, now)
        game.save(update_fields=[*Game.PRESENCE_COLUMNS, *Game.TURN_COLUMNS, *Game.CREDIT_COLUMNS])
        news.announce(news.of_game(game.pk), "clock", {})


def begin(game: Game, now: datetime) -> None:
    """Start the clocks of a game that waited for its players. The row is not saved."""
    game.waits_for_both = False
    game.stopped_at = game.resumes_at = None
    play.pass_turn(game, now)
    if game.player_on(game.side_to_move).is_boxed:
        play.wake_bot(game)


def forfeit_absent(now: datetime) -> None:
    """Decide the games to whose boards a player has not come within the grace time.

    FIDE Laws 6.7: a player who arrives later loses, and if neither has come both lose.
    """
    is_somebody_absent = Q(first_present_at=None) | Q(second_present_at=None)
    due = Game.objects.ongoing().filter(is_somebody_absent, no_show_at__lte=now)
    for game_id in due.order_by("no_show_at").values_list("pk", flat=True)[:_AT_MOST]:
        try:
            _forfeit(game_id, now)
        except StaleError as error:
            log.info("presence.forfeit game=%s %s", game_id, error)


def _forfeit(game_id: int, now: datetime) -> None:
    with transaction.atomic():
        game = play.lock_ongoing(game_id)
        absent = _absent(game)
        # If the arbiter has stopped the clocks, no player is late.
        is_stopped = game.stopped_at is not None and not game.waits_for_both
        if not absent or is_stopped or game.no_show_at is None or game.no_show_at > now:
            return
        result = Game.Result.DOUBLE_FORFEIT
        if len(absent) == 1:
            result = Game.FORFEITS[Side(game_end.other_side(absent[0]))]
        game_end.finish_game(game, result=result, ending=Game.Ending.NO_SHOW, now=now)


def _absent(game: Game) -> list[str]:
    return [side.value for side in Side if _present_at(game, side) is None]


def _present_at(game: Game, side: str) -> datetime | None:
    return game.first_present_at if side == Side.FIRST else game.second_present_at
