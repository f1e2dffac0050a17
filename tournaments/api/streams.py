"""Streams of changes: of an account, of a remote bot, and of a game.

An operation here checks the caller, writes the first line, and names the next position of the
stream in a header. `config.api_streams` takes the answer over and keeps it open, without a thread.
Without `config.api_streams` in front, the answer is the first line.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Annotated, Literal

from django.http import HttpResponse
from ninja import Query
from pydantic import BaseModel, Field

from tournaments import database_time
from tournaments.api import callers, challenges, game_shapes, games, routes, shapes
from tournaments.api.callers import ApiRequest
from tournaments.api.operations import Operations
from tournaments.api.problems import ProblemError
from tournaments.edges.streams import HEADER
from tournaments.models import Challenge, Game, Player
from tournaments.queries.games import attendance
from tournaments.services.games import presence
from tournaments.services.games.attendance import Seat
from tournaments.services.notifications import news, stream_lines

operations = Operations("Streams")

_MOST_DIGITS = 17
# A state is read again while news come in between, so that it is that of its number.
_TRIES = 10


class StreamQuery(BaseModel):
    """The position at which a stream continues."""

    after: Annotated[
        str, Field(description="The `seq` of the last line you have. Without it: from the state.")
    ] = ""


class PlayersState(BaseModel):
    """The first line of the stream of an account: games in progress, and requests without an answer."""

    seq: Annotated[int, Field(description="Numbers the lines of this stream without a gap.")]
    kind: Literal["state"]
    player: shapes.PlayerName | None
    games: list[game_shapes.GameRow]
    challenges: Annotated[
        list[challenges.ChallengeShape], Field(description="Open ones that are meant for you.")
    ]
    server_time: datetime


class GamesState(BaseModel):
    """The first line of the stream of a game: the current state of the game."""

    seq: int
    kind: Literal["state"]
    game: game_shapes.GameState


@operations.get("/stream", "stream", routes.OWN, answer=PlayersState)
def account_stream(request: ApiRequest, query: Query[StreamQuery]) -> HttpResponse:
    """Stream your events: challenges, games that begin, your turns, rounds, and all other notices.

    NDJSON, or with `Accept: text/event-stream` server-sent events. The stream stays open. The first
    line is the state, each other one a change: `challenge`, `game`, `turn`, `end`, `round` and so
    on. An empty line every 8 s shows that the stream is alive. After a cut, `?after=` or
    `Last-Event-ID` with the last `seq` continues without loss or doubling, and without another
    state. With a token of a remote bot it is the bot's stream, which also marks the bot as present.
    """
    caller = request.caller
    player = caller.player
    is_bots = player is not None and player.is_remote
    topic = news.of_bot(caller.seat.pk) if is_bots else news.of_user(caller.account.pk)

    def state() -> Mapping[str, object]:
        return {
            "player": shapes.player_name(player).model_dump() if player else None,
            "games": [row.model_dump(mode="json") for row in _games_of(player)],
            "challenges": [row.model_dump(mode="json") for row in _challenges_to(player)],
            "server_time": database_time.now().isoformat(),
        }

    return _answer(request, topic, query.after, state)


@operations.get("/games/{int:game_id}/stream", "game-stream", routes.OWN, answer=GamesState)
def game_stream(request: ApiRequest, game_id: int, query: Query[StreamQuery]) -> HttpResponse:
    """Stream a game as it is played: its state, then its changes, as `/stream` has them.

    A `ply` contains the move and its cost. `end`, `restart` (a take-back), `offer` and `clock` mean
    that the game must be read again. The stream continues after the end of the game, for offers of
    a rematch. Its own end is not the end of the game. A caller with a seat has come to the board.
    `presence` says that a player has come to the table of a live game, or has left it. People are
    at the table while their program has this stream open, or their browser the page of the game.
    """
    game, player = callers.game_of(request, game_id), request.caller.player
    if player is not None and presence.is_expected(game, player):
        presence.note(game_id=game.pk, player=player)

    def state() -> Mapping[str, object]:
        return {"game": games.state_of(request, game_id).model_dump(mode="json")}

    side = game.side_of(player) if attendance.is_watched(game) else None
    is_person = player is not None and not player.is_bot
    seat = Seat(game.pk, side) if side and is_person else None
    return _answer(request, news.of_game(game.pk), query.after, state, seat)


def _answer(
    request: ApiRequest,
    topic: str,
    after: str,
    state: Callable[[], Mapping[str, object]],
    seat: Seat | None = None,
) -> HttpResponse:
    """Return the first line, or an empty answer if the stream continues.

    `seat` is that of a person who is at the table while the stream is open.

    Raises ProblemError `cursor-bad`.
    """
    wants_events = stream_lines.EVENTS in request.headers.get("Accept", "").lower()
    media_type = stream_lines.EVENTS if wants_events else stream_lines.LINES
    cursor = request.headers.get("Last-Event-ID", "") or after
    body = ""
    if cursor:
        seq = _read(cursor, topic)
    else:
        seq, data = _state(topic, state)
        body = stream_lines.encode(stream_lines.STATE, seq, data, media_type=media_type)
    response = HttpResponse(body, content_type=f"{media_type}; charset=utf-8")
    token = request.caller.token
    assert token is not None, "streams have a scope"
    response[HEADER] = json.dumps(
        {
            "topic": topic,
            "seq": seq,
            "media_type": media_type,
            "token_id": token.pk,
            "user_id": token.user_id,
            "line_id": token.line_id,
            "game_id": seat.game_id if seat else None,
            "side": seat.side if seat else None,
        }
    )
    return response


def _read(cursor: str, topic: str) -> int:
    """The number in a cursor. Raises ProblemError `cursor-bad`, also where news since then are forgotten."""
    if not cursor.isascii() or not cursor.isdigit() or len(cursor) > _MOST_DIGITS:
        raise ProblemError("cursor-bad")
    seq = int(cursor)
    if not stream_lines.can_resume(topic, seq):
        raise ProblemError("cursor-bad")
    return seq


def _state(
    topic: str, state: Callable[[], Mapping[str, object]]
) -> tuple[int, Mapping[str, object]]:
    """The state, and the number of the last news that is in it."""
    seq = news.last_seq(topic)
    data = state()
    for _ in range(_TRIES):
        last = news.last_seq(topic)
        if last == seq:
            break
        seq, data = last, state()
    return seq, data


def _games_of(player: Player | None) -> list[game_shapes.GameRow]:
    if player is None:
        return []
    return [game_shapes.row_of(game) for game in Game.objects.ongoing().of(player).with_players()]


def _challenges_to(player: Player | None) -> list[challenges.ChallengeShape]:
    if player is None:
        return []
    rows = Challenge.objects.open().filter(opponent=player)
    return [challenges.shape_of(row) for row in rows.select_related("challenger", "opponent")]
