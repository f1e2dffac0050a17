"""The end of a game, always by `finish_game`, and flags, which only the server calls."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

import games
from tournaments import database_time
from tournaments.errors import StaleError
from tournaments.models import Game, Offer
from tournaments.models.games import Side
from tournaments.queries.clocks import game_clocks
from tournaments.queries.games import repetitions
from tournaments.services import enqueue
from tournaments.services.clocks import outages
from tournaments.services.notifications import news
from tournaments.services.ratings import rating

# Endings that neither of the two players brings about.
_DECIDED = {
    Game.Ending.NO_SHOW,
    Game.Ending.FORFEIT,
    Game.Ending.ADJUDICATION,
    Game.Ending.ABORTED,
    Game.Ending.FAULT,
}


def flag(game_id: int, now: datetime) -> bool:
    """Decide a game whose side to move has used its time at `now`, and return whether it was decided here.

    `outages.notice` comes before it.
    """
    with transaction.atomic():
        game = (
            Game.objects.select_for_update(of=("self",), no_key=True)
            .ongoing()
            .with_players()
            .filter(pk=game_id)
            .first()
        )
        if game is None or not game_clocks.is_out_of_time(game, now):
            return False
        lose_on_time(game, now)
        return True


def decide_flag(game: Game, now: datetime) -> bool:
    """Decide a game whose flag has fallen, before the tick does.

    Returns whether it was decided here.
    """
    sent_by = now - game_clocks.GRACE
    if not game_clocks.is_out_of_time(game, sent_by):
        return False
    outages.notice(now)
    return flag(game.pk, sent_by)


def lose_on_time(game: Game, now: datetime) -> None:
    """End the game as a loss of the side to move, whose clock had run out by `now`.

    In the caller's transaction.

    A player who has not made a move in a game of an event did not show up: the game was not played
    (FIDE Laws 6.7, C.04.2 3.4).
    """
    loser = game.side_to_move
    winner = other_side(loser)
    result, ending = Game.Result(winner), Game.Ending.TIME
    if game.pairing_id is not None and not game.plies.filter(side=loser).exists():
        result, ending = Game.FORFEITS[Side(winner)], Game.Ending.NO_SHOW
    finish_game(game, result=result, ending=ending, now=now)


def finish_game(
    game: Game, *, result: str, ending: str, detail: str = "", now: datetime | None = None
) -> None:
    """Give the game its result: the one way a game ends, for any cause.

    In the caller's transaction.

    The result is entered once. The last charges of the clock, ratings, news and the event's next
    step follow from it in that transaction. A decision in a game in which one of the two made
    no move is not rated, nor is any later correction of it (FIDE B.02: both must have moved). A
    repetition is not rated either: a game that two bots played before in this pool, move by
    move.

    Raises:
        StaleError: `game-over` if it has a result already.
    """
    now = now or database_time.now()
    if game.match_id is None:
        close_offers(game, Offer.Answer.LAPSED)
    as_read = Game.objects.ongoing().filter(attempt=game.attempt)
    clock_columns = _stop_clock(game, ending, now)
    game.result, game.ending, game.ending_detail = result, ending, detail[:200]
    game.ended_at = now
    if ending in _DECIDED and not _have_both_moved(game):
        game.is_rated = False
    game.moves_digest = repetitions.digest_of(game)
    if game.is_rated and repetitions.is_one_in_its_pool(game):
        game.is_rated = False
    game.stop_turn()
    game.agreement_offered_by = None
    game.reply_lease_until = None
    columns = (
        *Game.RESULT_COLUMNS,
        "is_rated",
        "agreement_offered_by",
        "reply_lease_until",
        *Game.TURN_COLUMNS,
        *clock_columns,
    )
    if game.save_state(as_read, columns) != 1:
        raise StaleError("game-over")
    rating.rate(game)
    news.announce(news.of_game(game.pk), "end", {"result": result, "ending": ending})
    news.announce_to((game.first, game.second), "end", news.about(game))
    if game.pairing is not None:
        event_id = game.pairing.event_id
        news.announce(news.of_event(event_id), "result", {"game": game.pk})
        enqueue.event(event_id)


def _have_both_moved(game: Game) -> bool:
    plies = game.plies.filter(attempt=game.attempt)
    return len(set(plies.order_by().values_list("side", flat=True))) == len(Side)


def _stop_clock(game: Game, ending: str, now: datetime) -> Sequence[str]:
    """Charge the turn in which the game ends.

    Returns the column of the clock that was charged, if any.

    A bot pays only for its plies and for its flag. The row is not saved.
    """
    side = game.side_to_move
    is_flag = ending in {Game.Ending.TIME, Game.Ending.NO_SHOW}
    if game.match_id is not None or (game.player_on(side).is_boxed and not is_flag):
        return ()
    before_ms = game_clocks.remaining_ms(game, side)
    charges = game_clocks.charge_stop(
        game, now, because=game_clocks.Reason.FLAG if is_flag else None
    )
    game_clocks.write_down(game, side, charges, now, before_ms=before_ms, ply=game.ply + 1)
    return (f"{side}_ms",)


def close_offers(game: Game, answer: str) -> None:
    """Give the open offer of `game` this answer, if there is one. In the caller's transaction."""
    Offer.objects.open().filter(game=game).update(answer=answer, answered_at=database_time.now())


def other_side(side: str) -> str:
    """The side opposite to `side`."""
    return games.Side(side).opponent.value
