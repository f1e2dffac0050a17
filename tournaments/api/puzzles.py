"""Puzzles: the puzzle of the day, the next one for a player, moves at them, and the player's tries."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from django.http import Http404
from django.http.response import HttpResponseBase
from ninja import Query
from pydantic import BaseModel, Field

import games
from tournaments import database_time
from tournaments.api import paging, routes, shapes
from tournaments.api.callers import ApiRequest
from tournaments.api.operations import Body, Operations
from tournaments.api.paging import Page, PageQuery
from tournaments.edges import access
from tournaments.models import Player, Puzzle, PuzzleTry
from tournaments.queries import puzzles as queries
from tournaments.services.puzzles import tries

operations = Operations("Puzzles")

# The line of a puzzle is shorter.
_MOST_MOVES = 20

GameName = Annotated[str, shapes.one_of(family.name for family in games.available())]


class TryShape(shapes.Shape):
    """A player's first try at a puzzle, which alone is rated."""

    puzzle: int
    game: str
    is_solved: bool
    tried_at: datetime
    rating_before: Annotated[int | None, Field(description="null if the try was not rated.")]
    rating_after: int | None


class PuzzleShape(shapes.Shape):
    """A position with one best move.

    `solution`, `themes` and `source` are null before your first try, and without a token.
    """

    id: int
    game: str
    ruleset: str
    position: str
    side_to_move: str
    rating: int
    tries: int
    is_withdrawn: bool
    first_try: TryShape | None
    solution: Annotated[list[str] | None, Field(description="Your moves and the replies.")]
    themes: list[str] | None
    source: Annotated[int | None, Field(description="The game that it is from; null in the stock.")]
    url: str


class AnswerShape(shapes.Shape):
    """The answer to a move.

    `moves` is the line so far, after a right move with the reply. Send it with your next move.
    """

    is_right: bool
    is_done: bool
    moves: list[str]
    first_try: TryShape | None


class GameQuery(BaseModel):
    """The game of the puzzle."""

    game: GameName = games.available()[0].name


class NextQuery(GameQuery):
    """The puzzle to find."""

    theme: Annotated[str, Field(max_length=60, description="In English, as on the page.")] = ""


class Attempt(Body):
    """A move, or with `give_up` the wish to see the solution."""

    moves: Annotated[
        list[Annotated[str, Field(max_length=100)]],
        Field(max_length=_MOST_MOVES, description="The line so far: empty at first."),
    ] = []
    move: Annotated[str, Field(max_length=200)] = ""
    give_up: bool = False


@operations.get("/puzzles/daily", "puzzle-daily", routes.OPEN)
def daily(request: ApiRequest, query: Query[GameQuery]) -> PuzzleShape:
    """Return the puzzle of the day (UTC) of a game, 404 if the game has no puzzles."""
    return _shape_of(_or_404(queries.of_the_day(query.game, database_time.now())), request)


@operations.get("/puzzles/next", "puzzle-next", routes.PRIVATE)
def following(request: ApiRequest, query: Query[NextQuery]) -> PuzzleShape:
    """Return a puzzle that you have not tried, near your rating. 404 if there is none left."""
    seat = request.caller.seat
    return _shape_of(_or_404(queries.next_for(query.game, seat, theme=query.theme)), request)


@operations.get("/puzzles/{int:puzzle_id}", "puzzle", routes.OPEN)
def puzzle(request: ApiRequest, puzzle_id: int) -> PuzzleShape:
    """Return a puzzle, with its solution after your first try."""
    return _shape_of(access.get_puzzle(puzzle_id), request)


@operations.post(
    "/puzzles/{int:puzzle_id}/tries",
    "puzzle-try",
    routes.PUZZLE,
    status=200,
    body='{"give_up": true}',
)
def attempt(request: ApiRequest, puzzle_id: int, body: Attempt) -> AnswerShape:
    """Make a move at a puzzle. A wrong move, or the last right one, is your first try, which is rated."""
    row, seat = access.get_puzzle(puzzle_id), request.caller.seat
    if body.give_up:
        answer = tries.give_up(seat, row)
    else:
        answer = tries.play(seat, row, body.moves, body.move)
    return AnswerShape.of(answer, first_try=_try_of(answer.first) if answer.first else None)


@operations.get("/me/puzzles", "me-puzzles", routes.PRIVATE, answer=Page[TryShape])
def own_tries(request: ApiRequest, query: Query[PageQuery]) -> HttpResponseBase:
    """Return your first tries, the latest first."""
    rows = PuzzleTry.objects.filter(player=request.caller.seat).select_related("puzzle")
    return paging.answer(request, rows, ["-pk"], query, _try_of)


def _or_404(row: Puzzle | None) -> Puzzle:
    if row is None:
        raise Http404
    return row


def _shape_of(row: Puzzle, request: ApiRequest) -> PuzzleShape:
    first = _first_try(row, request.caller.player)
    return PuzzleShape.of(
        row,
        game=row.family,
        side_to_move=queries.drill_of(row).position.side_to_move.value,
        rating=row.elo,
        is_withdrawn=row.withdrawn_at is not None,
        first_try=_try_of(first) if first else None,
        solution=row.line if first else None,
        themes=list(queries.themes_of(row)) if first else None,
        source=source.pk if first and (source := access.source_of(row)) else None,
        url=row.get_absolute_url(),
    )


def _first_try(row: Puzzle, player: Player | None) -> PuzzleTry | None:
    tried = PuzzleTry.objects.filter(player=player, puzzle=row).select_related("puzzle")
    return tried.first() if player is not None else None


def _try_of(row: PuzzleTry) -> TryShape:
    is_rated = row.after_centielo is not None
    return TryShape.of(
        row,
        puzzle=row.puzzle_id,
        game=row.puzzle.family,
        rating_before=row.elo_before if is_rated else None,
        rating_after=row.elo_after if is_rated else None,
    )
