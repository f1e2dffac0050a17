"""Games from their first ply to their end: the one place where a game moves and the one way it finishes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction
from django.utils import timezone

import games
from tournaments.models import Game, Offer, Player, Ply
from tournaments.services import news, ratings, wake
from tournaments.services.beginnings import (
    MAX_CLOCK_MS,
    boxed_among,
    remaining_ms,
    start_turn,
)
from tournaments.services.errors import NotAllowedError, RefusedError, StaleError

if TYPE_CHECKING:
    from datetime import datetime


AGREE = "agree"
_BATCH = 500


@dataclass(frozen=True, slots=True)
class Played:
    """A move in its stored spelling, and the position it led to."""

    move: str
    position: games.Position


def play_move(
    *, game_id: int, player: Player, ply: int, move: str, client_key: str | None = None
) -> Game:
    """Play `move` for `player` as ply number `ply` + 1; the same request with the same `client_key` is one move.

    Raises:
        NotAllowedError: `not-your-game`.
        StaleError: `not-your-turn`, `moved-on` (another ply was made), `game-over`.
        RefusedError: `illegal-move`, with the paragraph; `agree-alone`, which takes an offer and its acceptance.
    """
    try:
        with transaction.atomic():
            game = (
                Game.objects.select_for_update(of=("self",), no_key=True)
                .with_players()
                .get(pk=game_id)
            )
            if client_key and game.plies.filter(client_key=client_key).exists():
                return game
            side = _require_turn(game, player, ply)
            now = timezone.now()
            if is_out_of_time(game, now):
                lose_on_time(game)
                return game
            step = played(game, move)
            if step.move == AGREE:
                raise RefusedError("agree-alone")
            spent_ms = spent_since_turn_ms(game, now)
            add_ply(game, step, side=side, spent_ms=spent_ms, client_key=client_key)
            conclude_ply(game, step)
            return game
    except IntegrityError as error:  # the same ply or key came a second time, at the same moment
        raise StaleError("moved-on", str(error)) from error


def add_ply(
    game: Game,
    played: Played,
    *,
    side: str,
    spent_ms: int,
    wall_ms: int | None = None,
    cpu_ms: int | None = None,
    client_key: str | None = None,
) -> None:
    """Append a ply and charge the clock. In the caller's transaction, with the game as it was read there.

    `conclude_ply` must follow, once for one ply or for several added together.

    Raises:
        StaleError: `moved-on` when the game is no longer as it was read.
    """
    now = timezone.now()
    before = Game.objects.filter(
        pk=game.pk, attempt=game.attempt, ply=game.ply, result__isnull=True
    )
    left_ms = max(0, remaining_ms(game, side) - spent_ms) + game.clock_increment_ms
    left_ms = min(left_ms, MAX_CLOCK_MS)
    set_remaining_ms(game, side, left_ms)
    game.ply += 1
    game.position = played.position.text()
    game.side_to_move = played.position.side_to_move.value
    if _lapses(game, side):
        close_offers(game, Offer.Answer.LAPSED)
        game.agreement_offered_by = None
    game.reply_lease_until = None
    game.reply_attempts = 0
    if game.match_id is None and played.position.outcome() is None:
        start_turn(game, now)
    changed = before.update(
        ply=game.ply,
        position=game.position,
        side_to_move=game.side_to_move,
        first_ms=game.first_ms,
        second_ms=game.second_ms,
        turn_started_at=game.turn_started_at,
        deadline_at=game.deadline_at,
        agreement_offered_by=game.agreement_offered_by,
        reply_lease_until=None,
        reply_attempts=0,
    )
    if changed != 1:
        raise StaleError("moved-on")
    Ply.objects.create(
        game=game,
        attempt=game.attempt,
        number=game.ply,
        side=side,
        move=played.move,
        spent_ms=spent_ms,
        remaining_ms=left_ms,
        wall_ms=wall_ms,
        cpu_ms=cpu_ms,
        made_at=now,
        client_key=client_key,
    )


def conclude_ply(game: Game, played: Played) -> None:
    """Tell what the last ply has changed, and finish the game when that was the end of it. In the same transaction."""
    news.announce(news.of_game(game.pk), "ply", {"ply": game.ply, "attempt": game.attempt})
    outcome = played.position.outcome()
    if outcome is not None:
        ending = Game.Ending.AGREEMENT if played.move == AGREE else Game.Ending.RULES
        finish_game(game, result=outcome.value, ending=ending)
    elif game.match_id is None:
        _tell_next(game)


def resign(*, game_id: int, player: Player) -> Game:
    """End the game as a loss of `player`, whatever the board shows (D-M2). Raises NotAllowedError, StaleError."""
    with transaction.atomic():
        game = locked_ongoing(game_id)
        side = require_seat(game, player)
        finish_game(game, result=other_side(side), ending=Game.Ending.RESIGNATION)
        return game


def abort(*, game_id: int, player: Player) -> Game:
    """End the game as void before the first ply of `player`'s own; nobody has lost, and nothing is rated.

    Raises:
        NotAllowedError: `not-your-game`.
        StaleError: `game-over`.
        RefusedError: `abort-event` in an event, whose organiser decides; `abort-late` after a ply of one's own.
    """
    with transaction.atomic():
        game = locked_ongoing(game_id)
        side = require_seat(game, player)
        if game.pairing_id is not None:
            raise RefusedError("abort-event")
        if game.plies.filter(attempt=game.attempt, side=side).exists():
            raise RefusedError("abort-late")
        finish_game(game, result=Game.Result.VOID, ending=Game.Ending.ABORTED, detail=side)
        return game


def flag(game_id: int, now: datetime) -> bool:
    """Decide a game whose side to move has used its time at `now`; whether it was decided here."""
    with transaction.atomic():
        game = (
            Game.objects.select_for_update(of=("self",), no_key=True)
            .ongoing()
            .filter(pk=game_id)
            .first()
        )
        if game is None or not is_out_of_time(game, now):
            return False
        lose_on_time(game)
        return True


def finish_game(game: Game, *, result: str, ending: str, detail: str = "") -> None:
    """Give the game its result: the one way a game ends, whatever the cause. In the caller's transaction.

    The result is entered once; ratings, news and the event's next step follow from it in the same transaction.

    Raises:
        StaleError: `game-over` when it has a result already.
    """
    now = timezone.now()
    if game.agreement_offered_by is not None:
        close_offers(game, Offer.Answer.LAPSED)
    changed = Game.objects.filter(pk=game.pk, attempt=game.attempt, result__isnull=True).update(
        result=result,
        ending=ending,
        ending_detail=detail[:200],
        ended_at=now,
        deadline_at=None,
        turn_started_at=None,
        agreement_offered_by=None,
        reply_lease_until=None,
    )
    if changed != 1:
        raise StaleError("game-over")
    game.refresh_from_db()
    ratings.rate(game)
    news.announce(news.of_game(game.pk), "end", {"result": result, "ending": ending})
    news.announce_to((game.first, game.second), "end", {"game": game.pk})
    if game.pairing is not None:
        event_id = game.pairing.event_id
        news.announce(news.of_event(event_id), "result", {"game": game.pk})
        wake.event(event_id)


def close_offers(game: Game, answer: str) -> None:
    """Give the open offer of `game` this answer, if there is one. In the caller's transaction."""
    Offer.objects.open().filter(game=game).update(answer=answer, answered_at=timezone.now())


def _lapses(game: Game, side: str) -> bool:
    """Whether a ply of `side` ends the offer that stands: what the Throne decides was offered for this position only."""
    offered_by = game.agreement_offered_by
    if offered_by is None:
        return False
    return offered_by != side or games.load(game.ruleset).has_agreement


def locked_ongoing(game_id: int) -> Game:
    """The game, locked, with its players. Raises StaleError `game-over`."""
    game = Game.objects.select_for_update(of=("self",), no_key=True).with_players().get(pk=game_id)
    if game.result is not None:
        raise StaleError("game-over")
    return game


def require_seat(game: Game, player: Player) -> str:
    """The side of `player`. Raises NotAllowedError `not-your-game`."""
    side = game.side_of(player)
    if side is None:
        raise NotAllowedError("not-your-game")
    return side


def _require_turn(game: Game, player: Player, ply: int) -> str:
    """The side of `player`, who is to move and has seen ply `ply`."""
    side = require_seat(game, player)
    if game.result is not None:
        raise StaleError("game-over")
    if game.ply != ply:
        raise StaleError("moved-on", f"the game is at ply {game.ply}")
    if game.side_to_move != side:
        raise StaleError("not-your-turn")
    return side


def played(game: Game, move: str) -> Played:
    """`move` played in `game` as it stands. Raises RefusedError with the paragraph."""
    position = games.load(game.ruleset).parse(game.position)
    try:
        move = position.canonical(move)
        return Played(move, position.play(move))
    except games.IllegalMoveError as error:
        raise RefusedError("illegal-move", error.detail, rule=error.rule) from error


def _tell_next(game: Game) -> None:
    player = game.player_on(game.side_to_move)
    if player.is_bot:
        wake_bot(game)
    else:
        news.announce_to([player], "turn", {"game": game.pk})


def wake_bot(game: Game) -> None:
    """Wake a worker for the bot at the board, one with a sandbox if it is an author's."""
    boxed = boxed_among((game.first_id, game.second_id))
    wake.reply(game.pk, is_boxed=bool(boxed))


def set_remaining_ms(game: Game, side: str, remaining_ms: int) -> None:
    """Set the clock of `side`; the row is not saved."""
    if side == "first":
        game.first_ms = remaining_ms
    else:
        game.second_ms = remaining_ms


def spent_since_turn_ms(game: Game, now: datetime) -> int:
    """Milliseconds since the turn began, never negative, whatever the clock of this machine did."""
    if game.turn_started_at is None:
        return 0
    return max(0, round((now - game.turn_started_at).total_seconds() * 1000))


def is_out_of_time(game: Game, now: datetime) -> bool:
    """Whether the person to move has used the time."""
    return game.deadline_at is not None and game.deadline_at <= now


def lose_on_time(game: Game) -> None:
    """Let the side to move lose. In the caller's transaction."""
    finish_game(game, result=other_side(game.side_to_move), ending=Game.Ending.TIME)


def other_side(side: str) -> str:
    """The side opposite to `side`."""
    return games.Side(side).opponent.value
