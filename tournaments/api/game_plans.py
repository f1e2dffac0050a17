"""Private parts of a player's game: the note, and conditional moves."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from tournaments.api import callers, routes
from tournaments.api.callers import ApiRequest
from tournaments.api.operations import Body, Operations
from tournaments.errors import NotAllowedError
from tournaments.models import Game
from tournaments.models.correspondence import NOTE_LENGTH
from tournaments.services.games import conditional_moves, notes

operations = Operations("Notes and conditional moves")

_Line = Annotated[list[Annotated[str, Field(max_length=200)]], Field(max_length=600)]


class NoteShape(BaseModel):
    """Your note about a game, empty without one."""

    text: str


class NewNote(Body):
    """The text of a note. An empty text deletes the note."""

    text: Annotated[str, Field(max_length=NOTE_LENGTH)]


class ConditionalMoves(BaseModel):
    """Your replies in advance."""

    lines: Annotated[
        list[list[str]],
        Field(description="Each from the current position: the opponent's move, your reply, ..."),
    ]


class NewConditionalMoves(Body):
    """Replies in advance. Earlier ones are replaced."""

    lines: Annotated[list[_Line], Field(min_length=1, max_length=conditional_moves.MAX_REPLIES)]


@operations.get("/games/{int:game_id}/note", "game-note", routes.PRIVATE)
def note(request: ApiRequest, game_id: int) -> NoteShape:
    """Return your private note about a game of yours."""
    return NoteShape(text=notes.of_player(_own_game(request, game_id), request.caller.seat))


@operations.put(
    "/games/{int:game_id}/note",
    "game-note-write",
    routes.LINE,
    body='{"text": "The corner at b2 is weak."}',
)
def write_note(request: ApiRequest, game_id: int, body: NewNote) -> NoteShape:
    """Store your private note about a game of yours."""
    game, seat = callers.game_of(request, game_id), request.caller.seat
    notes.keep(game=game, player=seat, text=body.text)
    return NoteShape(text=notes.of_player(game, seat))


@operations.get("/games/{int:game_id}/conditionals", "conditionals", routes.PRIVATE)
def conditionals(request: ApiRequest, game_id: int) -> ConditionalMoves:
    """Return your conditional moves in a game of yours."""
    return _lines(request, _own_game(request, game_id))


@operations.put(
    "/games/{int:game_id}/conditionals",
    "conditionals-write",
    routes.LINE,
    body='{"lines": [["b2", "c3"]]}',
)
def write_conditionals(
    request: ApiRequest, game_id: int, body: NewConditionalMoves
) -> ConditionalMoves:
    """Store replies to the opponent's next moves, which are played immediately when they apply."""
    game = callers.game_of(request, game_id)
    conditional_moves.keep_lines(game_id=game.pk, player=request.caller.seat, lines=body.lines)
    return _lines(request, callers.game_of(request, game_id))


@operations.delete("/games/{int:game_id}/conditionals", "conditionals-drop", routes.LINE)
def drop_conditionals(request: ApiRequest, game_id: int) -> None:
    """Delete your conditional moves. Without them this has no effect."""
    game = callers.game_of(request, game_id)
    conditional_moves.drop(game_id=game.pk, player=request.caller.seat)


def _own_game(request: ApiRequest, game_id: int) -> Game:
    game = callers.game_of(request, game_id)
    if game.side_of(request.caller.seat) is None:
        raise NotAllowedError("not-your-game")
    return game


def _lines(request: ApiRequest, game: Game) -> ConditionalMoves:
    row = conditional_moves.of_player(game, request.caller.seat)
    lines = conditional_moves.lines(row) if row else []
    return ConditionalMoves(lines=[list(line) for line in lines])
