"""Plies, resignations and aborted games.

A game moves by `Plies` only, and ends by `game_end.finish_game` only.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

import games
from tournaments import database_time
from tournaments.clocks import written
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import Evaluation, Game, Offer, Player, Ply, statements
from tournaments.queries.clocks import game_clocks, vacation_days
from tournaments.queries.games import ply_surroundings
from tournaments.queries.games.ply_surroundings import Surroundings
from tournaments.queries.records import evaluations
from tournaments.services import enqueue
from tournaments.services.clocks import outages
from tournaments.services.games import conditional_moves, game_end
from tournaments.services.games.game_creation import sandboxed_among
from tournaments.services.notifications import news

# Rows of one statement: databases have limits of its values.
_MOST_ROWS = 500


@dataclass(frozen=True, slots=True)
class Step:
    """A move in its stored spelling, and the position it led to."""

    move: str
    position: games.Position


@dataclass(frozen=True, slots=True)
class Confirmation:
    """The confirmation of a move: the game after it, and whether the request was a repetition."""

    game: Game
    is_repeated: bool = False


def play_move(
    *,
    game_id: int,
    player: Player,
    ply: int,
    move: str,
    attempt: int | None = None,
    thought_ms: int | None = None,
    client_key: str | None = None,
    info: str = "",
) -> Confirmation:
    """Play `move` for `player` as ply number `ply` + 1.

    A repeated request with one `client_key` is one move.

    `attempt` tells which of the plies of that number the player saw, if some were taken back.
    `thought_ms` is the page's measurement from drawing the position to sending the move. `clocks`
    accepts the harmless part of it. `info` is the last `info` line of a bot's program, kept with
    the ply if it is readable. No `info` is kept for people.

    Raises:
        NotAllowedError: `not-your-game`.
        StaleError: `not-your-turn`, `moved-on` (another ply was made, or taken back), `game-over`,
            or `time-up`, which has ended the game.
        RefusedError: `key-used`, for another move, `illegal-move`, with the paragraph, or
            `agree-alone`, which needs an offer and its acceptance.
    """
    outages.notice(database_time.now())
    try:
        with transaction.atomic():
            game = _locked.one(pk=game_id)
            if game is None:
                raise Game.DoesNotExist(game_id)
            around = ply_surroundings.of(game, client_key)
            if around.has_key:
                _require_same(game.plies.get(client_key=client_key), player, ply, move)
                return Confirmation(game, is_repeated=True)
            side = _require_turn(game, player, ply, attempt)
            now = database_time.now()
            turn = game_clocks.running_turn(game, now, thought_ms=thought_ms)
            if game_clocks.is_out_of_time(game, now, lag_ms=turn.lag_ms):
                game_end.lose_on_time(game, now)
                is_in_time = False
            else:
                step = step_of(game, move)
                if step.move == games.AGREE:
                    raise RefusedError("agree-alone")
                add_ply(game, step, side=side, turn=turn, around=around, client_key=client_key)
                if info and player.is_bot:
                    thought = evaluations.of_last_ply(game, evaluations.read(info))
                    Evaluation.objects.bulk_create([thought] if thought else [])
                conclude_ply(game, step, around)
                is_in_time = True
    except IntegrityError as error:  # the same ply or key came a second time, at the same moment
        raise StaleError("moved-on", str(error)) from error
    if not is_in_time:  # which stays so: it was written
        raise StaleError("time-up")
    return Confirmation(game)


@statements.query
def _locked(pk: int) -> QuerySet[Game]:
    rows = Game.objects.select_for_update(of=("self",), no_key=True)
    return rows.select_related("first", "second").filter(pk=pk).order_by()


@statements.query
def _at_ply(pk: int, attempt: int, ply: int) -> QuerySet[Game]:
    """Return the row of a game if it is in progress and at this ply."""
    rows = Game.objects.ongoing().filter(pk=pk, attempt=attempt, ply=ply)
    return rows.filter(stopped_at__isnull=True)


def _require_same(sent: Ply, player: Player, ply: int, move: str) -> None:
    """Refuse a key that comes a second time with something else."""
    game = sent.game
    if (game.side_of(player), sent.number) != (sent.side, ply + 1):
        raise RefusedError("key-used")
    if move == sent.move:
        return
    before = game.plies.filter(attempt=sent.attempt, number__lt=sent.number).order_by("number")
    position = games.load(game.ruleset).start(game.setup)
    for earlier in before.values_list("move", flat=True):
        position = position.play(earlier)
    try:
        is_same = position.canonical(move) == sent.move
    except games.IllegalMoveError:
        is_same = False
    if not is_same:
        raise RefusedError("key-used")


def add_ply(
    game: Game,
    step: Step,
    *,
    side: str,
    turn: game_clocks.Turn,
    around: Surroundings | None = None,
    wall_ms: int | None = None,
    cpu_ms: int | None = None,
    client_key: str | None = None,
) -> None:
    """Append a ply and charge the clock for the turn.

    In the caller's transaction, with the game as it was read there, and with its surroundings
    `around`, if they were read since the last ply.

    `conclude_ply` must follow, once for one ply or for several added together.

    Raises:
        StaleError: `moved-on` if the game has changed since it was read.
    """
    plies = Plies(game, around)
    plies.add(step, side=side, turn=turn, wall_ms=wall_ms, cpu_ms=cpu_ms, client_key=client_key)
    plies.write()


class Plies:
    """Plies of one game that are written together, as `add_ply` writes one."""

    def __init__(self, game: Game, around: Surroundings | None = None) -> None:
        self._game = game
        self._around = around or ply_surroundings.of(game)
        self._as_read = {"pk": game.pk, "attempt": game.attempt, "ply": game.ply}
        self._rows: list[Ply] = []

    def add(
        self,
        step: Step,
        *,
        side: str,
        turn: game_clocks.Turn,
        wall_ms: int | None = None,
        cpu_ms: int | None = None,
        client_key: str | None = None,
    ) -> None:
        """Append a ply to the game in memory, and charge the clock for the turn."""
        game, now = self._game, database_time.now()
        charges = game_clocks.charge_ply(game, side, turn)
        _move_on(game, step, side, now)
        row = Ply(
            game=game,
            attempt=game.attempt,
            number=game.ply,
            side=side,
            move=step.move,
            spent_ms=game_clocks.spent_ms(charges),
            remaining_ms=game_clocks.remaining_ms(game, side),
            wall_ms=wall_ms,
            cpu_ms=cpu_ms,
            made_at=now,
            # The plies of bots among themselves have their referee's figures.
            charges=written(charges) if game.match_id is None else None,
            client_key=client_key,
        )
        self._rows.append(row)

    def write(self) -> None:
        """Write the state of the game and all plies.

        Raises:
            StaleError: `moved-on` if the game has changed since it was read.
        """
        if not self._rows:
            return
        if self._around.has_takeback:
            _lapse_takeback(self._game)
        state = {name: getattr(self._game, name) for name in Game.STATE_COLUMNS}
        if _at_ply.update(state, **self._as_read) != 1:
            raise StaleError("moved-on")
        for first in range(0, len(self._rows), _MOST_ROWS):
            statements.insert(self._rows[first : first + _MOST_ROWS])


def _move_on(game: Game, step: Step, side: str, now: datetime) -> None:
    """Set the state of `game` after `step`, played by `side`.

    Offers that it answers are closed. The game is not saved.
    """
    game.ply += 1
    game.position = step.position.text()
    game.side_to_move = step.position.side_to_move.value
    if _lapses(game, side):
        game_end.close_offers(game, Offer.Answer.LAPSED)
        game.agreement_offered_by = None
    game.reply_lease_until = None
    game.reply_attempts = 0
    if game.match_id is None:
        pass_turn(game, now, is_over=step.position.outcome() is not None)


def conclude_ply(game: Game, step: Step, around: Surroundings | None = None) -> None:
    """Announce the effects of the last ply, and finish the game if the ply ended it.

    In that transaction, with the surroundings `around` of the ply, if they were read.
    """
    ply: news.Announcement = (
        news.of_game(game.pk),
        "ply",
        {"ply": game.ply, "attempt": game.attempt},
    )
    outcome = step.position.outcome()
    if outcome is not None:
        news.announce_in_order([ply])
        ending = Game.Ending.AGREEMENT if step.move == games.AGREE else Game.Ending.RULES
        game_end.finish_game(game, result=outcome.value, ending=ending)
        return
    if game.match_id is not None:
        news.announce_in_order([ply])
        return
    has_replies = around is None or around.has_replies
    reply = conditional_moves.reply_to(game, step.move) if has_replies else None
    if reply is None:
        tell_next(game, ply)
    else:
        news.announce_in_order([ply])
        _play_in_advance(game, reply)


def _play_in_advance(game: Game, move: str) -> None:
    """Play the conditional move of the side to move, which costs no time.

    Run in the caller's transaction.
    """
    step = step_of(game, move)
    add_ply(game, step, side=game.side_to_move, turn=game_clocks.Turn(0))
    conclude_ply(game, step)


def resign(*, game_id: int, player: Player) -> Game:
    """End the game as a loss of `player`, in any position (D-M2).

    Raises NotAllowedError, StaleError.
    """
    with transaction.atomic():
        game = lock_ongoing(game_id)
        side = require_seat(game, player)
        game_end.finish_game(game, result=game_end.other_side(side), ending=Game.Ending.RESIGNATION)
        return game


def abort(*, game_id: int, player: Player) -> Game:
    """End the game as void before the first ply of `player`.

    Neither side loses, and the game is not rated.

    Raises:
        NotAllowedError: `not-your-game`.
        StaleError: `game-over`.
        RefusedError: `abort-event` in an event, whose organiser decides, or `abort-late` after
            one's own first ply.
    """
    with transaction.atomic():
        game = lock_ongoing(game_id)
        side = require_seat(game, player)
        if game.pairing_id is not None:
            raise RefusedError("abort-event")
        if plies_of(game, side).exists():
            raise RefusedError("abort-late")
        game_end.finish_game(game, result=Game.Result.VOID, ending=Game.Ending.ABORTED, detail=side)
        return game


def plies_of(game: Game, side: str) -> QuerySet[Ply]:
    """Return the plies of `side` that were not taken back, without the opening."""
    played = game.plies.filter(attempt=game.attempt, number__gt=game.opening_plies)
    return played.filter(side=side)


def pass_turn(game: Game, now: datetime, *, is_over: bool = False) -> None:
    """Start the clock of the side to move, or stop the clocks. The row is not saved."""
    if is_over:
        game.stop_turn()
        return
    mover = game.player_on(game.side_to_move)
    is_away = game.allows_vacation and bool(vacation_days.away_among([mover.pk]))
    game_clocks.start_turn(game, now, is_away=is_away)


def _lapse_takeback(game: Game) -> None:
    """Close a request for a takeback of a ply that is no longer the last."""
    takebacks = Offer.objects.open().filter(game=game, kind=Offer.Kind.TAKEBACK)
    takebacks.update(answer=Offer.Answer.LAPSED, answered_at=database_time.now())


def _lapses(game: Game, side: str) -> bool:
    """Return whether a ply of `side` ends the open offer.

    An agreement, which the Throne decides, is offered for one position only.
    """
    offered_by = game.agreement_offered_by
    if offered_by is None:
        return False
    return offered_by != side or games.load(game.ruleset).has_agreement


def lock_ongoing(game_id: int) -> Game:
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


def _require_turn(game: Game, player: Player, ply: int, attempt: int | None) -> str:
    """The side of `player`, who is to move and has seen ply `ply` of `attempt`."""
    side = require_seat(game, player)
    if game.result is not None:
        raise StaleError("game-over")
    if game.ply != ply or attempt not in (None, game.attempt):
        raise StaleError("moved-on", f"the game is at ply {game.ply}")
    if game.stopped_at is not None:
        raise StaleError("clocks-stopped")
    if game.side_to_move != side:
        raise StaleError("not-your-turn")
    return side


def step_of(game: Game, move: str) -> Step:
    """Return `move` as a step in the present position of `game`.

    Raises RefusedError with the paragraph.
    """
    position = games.load(game.ruleset).parse(game.position)
    try:
        move = position.canonical(move)
        return Step(move, position.play(move))
    except games.IllegalMoveError as error:
        raise RefusedError.of_move(error) from error


def tell_next(game: Game, *before: news.Announcement) -> None:
    """Tell the side to move that it is, after the news `before` it, of the game. In the caller's transaction."""
    player = game.player_on(game.side_to_move)
    turn = news.to_players([player], "turn", {"game": game.pk})
    news.announce_in_order([*before, *turn])
    if player.is_boxed:
        wake_bot(game)


def wake_bot(game: Game) -> None:
    """Wake a worker for the bot at the board, one with a sandbox if it is an author's."""
    sandboxed_ids = sandboxed_among((game.first_id, game.second_id))
    enqueue.reply(game.pk, is_sandboxed=bool(sandboxed_ids))
