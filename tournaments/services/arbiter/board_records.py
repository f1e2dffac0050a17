"""Records of games that were played over the board, added after their results."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

import games
from games.json_record import MAX_JSON
from tournaments import database_time
from tournaments.errors import NotAllowedError, RefusedError
from tournaments.models import Event, Game, Ply, User
from tournaments.queries.events import staff
from tournaments.queries.events.staff import Task
from tournaments.queries.records import game_records
from tournaments.services import audit
from tournaments.services.notifications import news
from tournaments.services.reasons import checked_reason

_NUMBERED = re.compile(r"[0-9]+\. ")
# A move is far shorter than 100 characters.
_MAX_LINE = 200


@dataclass(frozen=True, slots=True)
class _Line:
    """The moves of a record in canonical form, and the position after them."""

    moves: Sequence[str]
    sides: Sequence[str]
    last: games.Position


def may_add(game: Game, actor: User) -> bool:
    """Return whether `actor` may add the record of the game now, or replace it.

    The two players and the staff may add a record to a game that was played over the board. The
    staff alone may replace it.
    """
    if not _has_room(game):
        return False
    return _is_staff(game, actor) or (game.ply == 0 and _is_player(game, actor))


def add(
    *, game_id: int, actor: User, text: str, reason: str = "", may_be_staff: bool = True
) -> Game:
    """Add a record to a game that was played over the board.

    `text` is a record, as text or JSON, or its moves alone, a line each. The staff replaces an
    existing record with a reason. The old plies are kept as an earlier attempt. Without
    `may_be_staff` the actor is a player.

    Raises:
        NotAllowedError: `record-not-yours`, or `record-there` for a player if there is a record.
        RefusedError: `record-no-board` for a game that was not played over the board, `bad-record`,
            `record-rules` or `record-setup` of another game, `record-contradicts` if it has another
            result, `reason-bad` for a replacement without a reason.
    """
    with transaction.atomic():
        game = _lock(game_id)
        if not _has_room(game):
            raise RefusedError("record-no-board")
        is_staff = may_be_staff and _is_staff(game, actor)
        if not is_staff and not _is_player(game, actor):
            raise NotAllowedError("record-not-yours")
        if game.ply and not is_staff:
            raise NotAllowedError("record-there")
        is_replacement = game.ply > 0
        reason = checked_reason(reason) if is_replacement else ""
        _store(game, _read(game, text))
        assert game.pairing is not None, "played over the board in an event"
        audit.note(
            "record-replace" if is_replacement else "record",
            event=game.pairing.event,
            actor=actor,
            reason=reason,
            game=game.pk,
            is_own_game=is_staff and staff.plays_in(actor, (game.first, game.second)),
        )
        news.announce(news.of_game(game.pk), "restart", {"attempt": game.attempt})
        return game


def _lock(game_id: int) -> Game:
    event_id = Game.objects.values_list("pairing__event", flat=True).get(pk=game_id)
    if event_id is None:
        raise RefusedError("record-no-board")
    Event.locked(event_id)
    return Game.objects.select_for_update(of=("self",), no_key=True).with_players().get(pk=game_id)


def _has_room(game: Game) -> bool:
    is_played = game.result not in (*Game.UNPLAYED, *Game.SHORT)
    return game.pairing is not None and game.ending == Game.Ending.OVER_BOARD and is_played


def _is_staff(game: Game, actor: User) -> bool:
    return game.pairing is not None and Task.RESULTS in staff.tasks_of(game.pairing.event, actor)


def _is_player(game: Game, actor: User) -> bool:
    return actor.pk in {game.first.user_id, game.second.user_id}


def _read(game: Game, text: str) -> _Line:
    """The moves of the text, which are those of `game`. Raises RefusedError."""
    try:
        record = _record(game, text)
        if record.ruleset != game.ruleset:
            raise RefusedError("record-rules", record.ruleset)
        if record.setup != game.setup:
            raise RefusedError("record-setup", record.setup)
        line = _played(record)
    except games.BadRecordError as error:
        raise RefusedError(error.code, str(error)) from error
    outcomes = {each for each in (record.outcome, line.last.outcome()) if each is not None}
    outcome = game_records.outcome_of(game)
    if outcome is not None and outcomes - {outcome}:
        raise RefusedError("record-contradicts", f"{sorted(outcomes)} for {game.result}")
    return line


def _record(game: Game, text: str) -> games.Record:
    """Return the record of `text`. Moves alone take the rules and the set-up of `game`."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").strip()
    if len(text) > MAX_JSON:
        raise games.BadRecordError(f"longer than {MAX_JSON} characters")
    if text.startswith("{"):
        return games.parse_json(text)
    if text.startswith("["):
        return games.parse_record(f"{text}\n")
    moves = [_unnumbered(line.strip()) for line in text.split("\n") if line.strip()]
    return games.Record(game.ruleset, game.setup, tuple(moves))


def _unnumbered(line: str) -> str:
    """The line without the number of its move. Raises BadRecordError for one longer than any move."""
    if len(line) > _MAX_LINE:
        raise games.BadRecordError(f"a line is longer than {_MAX_LINE} characters")
    # At the start of the line alone: to look for a number everywhere costs the square of a run of digits.
    number = _NUMBERED.match(line)
    return line[number.end() :] if number else line


def _played(record: games.Record) -> _Line:
    """The moves played one after the other, lenient in their spelling. Raises BadRecordError."""
    if not record.moves:
        raise games.BadRecordError("no moves")
    position = games.load(record.ruleset).start(record.setup)
    moves: list[str] = []
    sides: list[str] = []
    for number, written in enumerate(record.moves, start=1):
        try:
            move = position.canonical(written.removesuffix("//"))
            sides.append(position.side_to_move.value)
            position = position.play(move)
        except games.IllegalMoveError as error:
            raise games.BadRecordError(f"move {number}: {error}") from error
        moves.append(move)
    return _Line(moves, sides, position)


def _store(game: Game, line: _Line) -> None:
    if game.ply:
        game.attempt += 1
    now = database_time.now()
    Ply.objects.bulk_create(
        Ply(
            game=game,
            attempt=game.attempt,
            number=number,
            side=side,
            move=move,
            spent_ms=0,
            remaining_ms=game.clock_initial_ms,
            made_at=now,
        )
        for number, (move, side) in enumerate(zip(line.moves, line.sides, strict=True), start=1)
    )
    game.ply = len(line.moves)
    game.position = line.last.text()
    game.side_to_move = line.last.side_to_move.value
    game.save(update_fields=Game.POSITION_COLUMNS)
