"""Replies of bots in games against people.

A worker claims the game by lease and starts the bot in a separate process.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q

import games
from engine import referee
from engine.clock import Fischer, GameClock
from engine.errors import EngineError, MatchAbortedError
from engine.launch import unconfined
from engine.match import BotReply, Ending
from engine.programs import fuel_plies
from tournaments import database_time
from tournaments.errors import StaleError
from tournaments.models import Evaluation, Game, Player
from tournaments.models.games import GameQuerySet
from tournaments.queries.clocks import game_clocks
from tournaments.queries.matches import fuel_records
from tournaments.queries.records import evaluations
from tournaments.services.bots import programs, sandbox_status, suspension
from tournaments.services.games import game_end, offers, play
from tournaments.services.matches.matches import bot_spec

log = logging.getLogger(__name__)

LEASE = timedelta(seconds=20)
# The longest time for one reply that a bot sees and gets, with any clock. It limits the time of
# the worker. A bot that thinks longer loses on time before the worker's own limit makes the game
# void.
MAX_THINKING_MS = 60_000
MAX_INCREMENT_MS = 20_000
# A worker may be lost occasionally. With a bot that cannot be started a person waits two minutes at
# most.
MAX_ATTEMPTS = 5
# The time by which an available worker has taken a game up.
_MACHINE_WITHIN = timedelta(seconds=10)


def due(now: datetime) -> GameQuerySet:
    """Games in which a bot is to reply to a person, and no worker is at it."""
    bot_to_move = Q(side_to_move="first", first__kind=Player.Kind.BOT) | Q(
        side_to_move="second", second__kind=Player.Kind.BOT
    )
    is_free = Q(reply_lease_until__isnull=True) | Q(reply_lease_until__lt=now)
    open_games = Game.objects.ongoing().filter(match__isnull=True, stopped_at__isnull=True)
    return open_games.filter(bot_to_move, is_free)


def waits_for_machine(game: Game, now: datetime) -> bool:
    """Return whether no worker has taken the game up, 10 s or more after the bot's turn began."""
    return due(now).filter(pk=game.pk, turn_started_at__lte=now - _MACHINE_WITHIN).exists()


def with_open_offer() -> GameQuerySet:
    """Games in which a person waits for a bot's answer to an offer to end."""
    to_bot = Q(agreement_offered_by="first", second__kind=Player.Kind.BOT) | Q(
        agreement_offered_by="second", first__kind=Player.Kind.BOT
    )
    return Game.objects.ongoing().filter(to_bot)


def reply(game_id: int) -> bool:
    """Answer an offer and make the bot's ply, if either is due, and return whether a ply was made here.

    The ply is guarded like any other, so two simultaneous workers make one ply.
    """
    _answer_offer(game_id)
    is_sandboxed = _is_sandboxed(game_id)
    if is_sandboxed and sandbox_status.isolator() is None:
        log.warning("reply.no-sandbox game=%s", game_id)
        return False
    now = database_time.now()
    updated_rows = (
        due(now)
        .filter(pk=game_id)
        .update(reply_lease_until=now + LEASE, reply_attempts=F("reply_attempts") + 1)
    )
    if updated_rows != 1:
        return False
    game = Game.objects.with_players().get(pk=game_id)
    if game.reply_attempts > MAX_ATTEMPTS:
        _give_up(game)
        return False
    moves = game.plies.filter(attempt=game.attempt).values_list("move", flat=True)
    try:
        answer = _ask(game, list(moves.order_by("number")), is_sandboxed=is_sandboxed)
    except MatchAbortedError:
        return False
    except (EngineError, OSError):
        # Our fault: the lease ends and the tick asks again.
        log.exception("reply.fault game=%s", game_id)
        return False
    return _record(game, answer)


def _ask(game: Game, moves: Sequence[str], *, is_sandboxed: bool) -> BotReply:
    """Return the bot's reply. Under fuel it depends only on its module and the game."""
    bot = game.player_on(game.side_to_move)
    launcher = sandbox_status.launcher() if is_sandboxed else unconfined
    if game.fuel is not None:
        return fuel_plies.choose(
            programs.local(fuel_records.module_of(bot).digest),
            fuel_records.turn_of(game, moves),
            launcher=launcher,
            on_wait=lambda: _renew(game),
        )
    return referee.choose_move(
        games.load(game.ruleset),
        setup=game.setup,
        moves=moves,
        bot=bot_spec(bot, seed=game.pk * 1_000 + game.ply),
        clock=_clock(game),
        launcher=launcher,
        on_wait=lambda: _renew(game),
    )


def _clock(game: Game) -> GameClock:
    """Return the clock that the bot sees.

    A delay counts as part of its time. The time is at most the wait of a worker, and with unlimited
    time that wait for each ply.
    """
    if game.is_unlimited:
        return GameClock.at(
            Fischer(MAX_THINKING_MS), first_ms=MAX_THINKING_MS, second_ms=MAX_THINKING_MS
        )
    control = game_clocks.clock_of(game)
    first_ms, second_ms = (
        min(max(1, ms) + control.delay_ms, MAX_THINKING_MS)
        for ms in (game.first_ms, game.second_ms)
    )
    fischer = Fischer(control.initial_ms, min(control.added_ms, MAX_INCREMENT_MS))
    return GameClock.at(fischer, first_ms=first_ms, second_ms=second_ms)


def _is_sandboxed(game_id: int) -> bool:
    is_at_board = Q(games_as_first=game_id) | Q(games_as_second=game_id)
    return Player.objects.sandboxed().filter(is_at_board).exists()


def _give_up(game: Game) -> None:
    """End a game as void in which no worker got a ply from the bot.

    This is a fault of the service, and the person should not wait longer.
    """
    log.error("reply.given-up game=%s", game.pk)
    with contextlib.suppress(StaleError), transaction.atomic():
        game_end.finish_game(game, result=Game.Result.VOID, ending=Game.Ending.FAULT)


def _renew(game: Game) -> None:
    if Game.objects.at_ply_of(game).update(reply_lease_until=database_time.now() + LEASE) != 1:
        raise MatchAbortedError("the game has moved on")


def _record(snapshot: Game, answer: BotReply) -> bool:
    """Play the bot's ply, or end the game by its fault.

    The call has no effect if the game has moved on meanwhile.
    """
    try:
        with transaction.atomic():
            game = (
                Game.objects.select_for_update(of=("self",), no_key=True)
                .with_players()
                .get(pk=snapshot.pk)
            )
            has_moved_on = (game.attempt, game.ply) != (snapshot.attempt, snapshot.ply)
            if has_moved_on or game.result is not None or game.stopped_at is not None:
                return False
            if answer.ply is not None:
                step = play.step_of(game, answer.ply.move)
                play.add_ply(
                    game,
                    step,
                    side=game.side_to_move,
                    turn=game_clocks.Turn(answer.ply.charged_ms if game.fuel is None else 0),
                    wall_ms=answer.ply.wall_ms,
                    cpu_ms=answer.ply.cpu_ms,
                )
                thought = evaluations.of_last_ply(game, answer.ply.info)
                Evaluation.objects.bulk_create([thought] if thought else [])
                play.conclude_ply(game, step)
                return True
            if answer.ending is None or answer.ending is Ending.VOID:
                # A fault of the site: the lease runs out and the tick asks again.
                log.error("reply.void game=%s detail=%s", game.pk, answer.detail)
                return False
            winner = games.Side(game.side_to_move).opponent.value
            game_end.finish_game(
                game, result=winner, ending=answer.ending.value, detail=answer.detail
            )
            suspension.suspend_if_unreliable(game)
            return False
    except StaleError:
        return False


def _answer_offer(game_id: int) -> None:
    """Answer an offer of an end or of a draw.

    The bot accepts if it wins by it, or if it draws and is not better.
    """
    game = Game.objects.ongoing().with_players().filter(pk=game_id).first()
    if game is None or game.agreement_offered_by is None:
        return
    side = games.Side(game.agreement_offered_by).opponent
    bot = game.player_on(side)
    if not bot.is_bot:
        return
    ruleset = games.load(game.ruleset)
    position = ruleset.parse(game.position)
    outcome = games.Outcome.DRAW
    if ruleset.has_agreement:
        outcome = position.play(games.AGREE).outcome() or outcome
    hope = position.evaluation() * (1 if position.side_to_move is side else -1)
    accepts = outcome == side.value or (outcome == games.Outcome.DRAW and hope <= 0)
    try:
        if accepts:
            offers.offer_end(game_id=game_id, player=bot, is_answer=True)
        else:
            offers.decline(game_id=game_id, player=bot)
    except StaleError:
        return
