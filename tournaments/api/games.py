"""Games: their data, and actions of players."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from ninja import Query
from pydantic import Field

from tournaments import database_time
from tournaments.api import callers, game_shapes, idempotency, paging, routes, shapes
from tournaments.api.callers import ApiRequest
from tournaments.api.game_shapes import Charge, GameRow, GameState, PlyShape
from tournaments.api.idempotency import Repeats
from tournaments.api.operations import Body, Operations
from tournaments.api.paging import Page, PageQuery
from tournaments.edges import access
from tournaments.errors import NotAllowedError, RefusedError
from tournaments.models import Game, Player
from tournaments.queries.clocks import ledger
from tournaments.queries.events import conditions
from tournaments.queries.records import archive, evaluations, game_records
from tournaments.services.games import (
    absence_claims,
    game_end,
    offers,
    play,
    presence,
    takebacks,
)

operations = Operations("Games")


class GameSearch(PageQuery):
    """A search for finished games."""

    family: Annotated[str, Field(max_length=20)] = ""
    size: Annotated[int | None, Field(ge=1, le=99)] = None
    player: shapes.Id | None = None
    opponent: shapes.Id | None = None
    result: Literal["", "won", "lost", "draw", "first", "second"] = ""
    since: date | None = None
    until: date | None = None
    only_rated: bool = False


class Move(Body):
    """A move, and after which ply of which attempt it is played, as the game was read."""

    move: Annotated[str, Field(min_length=1, max_length=200)]
    ply: Annotated[int, Field(ge=0, le=10_000)]
    attempt: Annotated[int | None, Field(ge=1, le=10_000)] = None
    thought_ms: Annotated[
        int | None,
        Field(
            ge=0,
            le=2**31 - 1,
            description="Time for which you had the position before you sent the move. The rest of the turn was the way to you and back, of which up to 500 ms are given back.",
        ),
    ] = None
    info: Annotated[
        str,
        Field(
            description="For bots: the last `info` line of the program before the move, as in the line protocol. It is stored with the ply, and shown when the game is over. A line that makes no sense is left out, and the move counts.",
        ),
    ] = ""


class Offer(Body):
    """An offer.

    `end` is a draw, or an end by agreement, depending on the game. Time is given immediately.
    """

    kind: Literal["end", "takeback", "time", "rematch"]
    is_answer: Annotated[
        bool, Field(description="Accept what the other side has offered, and never offer.")
    ] = False


class AbsenceClaim(Body):
    """The claimed result of a game whose opponent has left."""

    result: Annotated[str, shapes.one_of(absence_claims.ClaimedResult)]


@operations.get(
    "/games", "games", routes.OPEN, answer=Page[GameRow], example="/games?family=morelli&limit=2"
)
def games(request: ApiRequest, query: Query[GameSearch]) -> HttpResponseBase:
    """Return finished games, the latest begun first, with the filters of the archive."""
    if query.result in {"won", "lost"} and query.player is None:
        raise RefusedError("form-bad", "won and lost are of a player")
    search = archive.Search(
        **query.model_dump(exclude={"limit", "cursor", "player", "opponent"}),
        player=_player(query.player),
        opponent=_player(query.opponent),
    )
    rows = conditions.visible_games(archive.games_of(search), request.caller.user)
    return paging.answer(request, rows, ["-pk"], query, game_shapes.row_of)


@operations.get("/games/{int:game_id}", "game", routes.OPEN)
def game(request: ApiRequest, game_id: int) -> GameState:
    """Return the current state of a game.

    Its ETag changes with the game, and not with `server_time`. In an event whose games wait for
    both players, a player who reads their own game has come to the board.
    """
    game, player = _current(request, game_id), request.caller.player
    if player is not None and presence.is_expected(game, player):
        presence.note(game_id=game.pk, player=player)
        game = callers.game_of(request, game_id)
    return game_shapes.state(game)


@operations.get("/games/{int:game_id}/moves", "game-moves", routes.OPEN, answer=Page[PlyShape])
def moves(request: ApiRequest, game_id: int, query: Query[PageQuery]) -> HttpResponseBase:
    """Return the moves of a game with their times, and the bots' evaluations."""
    game = callers.game_of(request, game_id)
    plies = game.plies.filter(attempt=game.attempt)
    thoughts = evaluations.of_game(game)
    return paging.answer(
        request,
        plies,
        ["number"],
        query,
        lambda ply: game_shapes.ply_shape(ply, thoughts.get(ply.number)),
    )


@operations.get("/games/{int:game_id}/record", "game-record", routes.OPEN, answer=dict)
def record(request: ApiRequest, game_id: int) -> HttpResponse:
    """Return the record of a game as a file.

    The answer is `text/plain` in the notation of its rules if that is accepted, else JSON.
    """
    game = callers.game_of(request, game_id)
    if request.headers.get("Accept", "").startswith("text/plain"):
        return HttpResponse(game_records.text_of(game), content_type="text/plain; charset=utf-8")
    return HttpResponse(game_records.document_of(game).text(), content_type="application/json")


@operations.get("/games/{int:game_id}/clock", "game-clock", routes.OPEN, answer=Page[Charge])
def clock(request: ApiRequest, game_id: int, query: Query[PageQuery]) -> HttpResponseBase:
    """Return the ledger of a game's clocks: every charge, and its reason."""
    lines = ledger.of_game(callers.game_of(request, game_id))
    return paging.answer_all(request, [*map(Charge.of, lines)], query)


@operations.post(
    "/games/{int:game_id}/moves",
    "game-move",
    routes.MOVE,
    body='{"move": "a1", "ply": 0}',
    repeats=Repeats.BY_SERVICE,
)
def play_move(request: ApiRequest, response: HttpResponse, game_id: int, body: Move) -> GameState:
    """Play a move.

    `ply` is that of the game as you read it: when another move has been made since, the answer is
    409. Requests with one `Idempotency-Key` make one move, also when the first answer was lost.
    """
    try:
        confirmation = play.play_move(
            game_id=game_id,
            player=request.caller.seat,
            ply=body.ply,
            move=body.move,
            attempt=body.attempt,
            thought_ms=body.thought_ms,
            client_key=idempotency.key_of(request) or None,
            info=body.info,
        )
    except Game.DoesNotExist as missing:  # asked for once, as by the page
        raise Http404 from missing
    except NotAllowedError:
        callers.game_of(request, game_id)  # for who may not look there is no game
        raise
    response["Location"] = f"/api/v1/games/{game_id}"
    if confirmation.is_repeated:
        response[idempotency.REPLAYED] = "true"
        return game_shapes.state(_current(request, game_id))
    return game_shapes.state(confirmation.game)


@operations.post("/games/{int:game_id}/resign", "game-resign", routes.MOVE, status=200)
def resign(request: ApiRequest, game_id: int) -> GameState:
    """Resign a game."""
    play.resign(game_id=callers.game_of(request, game_id).pk, player=request.caller.seat)
    return game_shapes.state(_current(request, game_id))


@operations.post("/games/{int:game_id}/abort", "game-abort", routes.MOVE, status=200)
def abort(request: ApiRequest, game_id: int) -> GameState:
    """Abort a game before your first move. Neither player loses it."""
    play.abort(game_id=callers.game_of(request, game_id).pk, player=request.caller.seat)
    return game_shapes.state(_current(request, game_id))


@operations.post(
    "/games/{int:game_id}/claim", "game-claim", routes.OFFER, body='{"result": "win"}', status=200
)
def claim(request: ApiRequest, game_id: int, body: AbsenceClaim) -> GameState:
    """Claim a live game whose opponent, a person, has left the table.

    `presence.claim_at` of the game is the moment from which the server accepts it. An opponent who is back has the
    answer 409 `opponent-here`. Games of events have no claims.
    """
    absence_claims.claim(
        game_id=callers.game_of(request, game_id).pk,
        player=request.caller.seat,
        result=absence_claims.ClaimedResult(body.result),
    )
    return game_shapes.state(_current(request, game_id))


@operations.post("/games/{int:game_id}/offers", "game-offer", routes.OFFER, body='{"kind": "time"}')
def offer(request: ApiRequest, game_id: int, body: Offer) -> GameState:
    """Make an offer to the other side, or accept its offer.

    The answer to an accepted rematch is the new game.
    """
    pk, seat = callers.game_of(request, game_id).pk, request.caller.seat
    return game_shapes.state(_current(request, _offered(pk, seat, body)))


@operations.post("/games/{int:game_id}/offers/decline", "game-decline", routes.OFFER, status=200)
def decline(request: ApiRequest, game_id: int) -> GameState:
    """Decline the other side's offer, or withdraw your own."""
    offers.decline(game_id=callers.game_of(request, game_id).pk, player=request.caller.seat)
    return game_shapes.state(_current(request, game_id))


def state_of(request: ApiRequest, game_id: int) -> GameState:
    """Return the current state of the game. Raises Http404."""
    return game_shapes.state(_current(request, game_id))


def _offered(game_id: int, player: Player, body: Offer) -> int:
    """Make or accept an offer. Return the number of this game, or of the rematch that has begun."""
    match body.kind:
        case "end":
            offers.offer_end(game_id=game_id, player=player, is_answer=body.is_answer)
        case "takeback":
            takebacks.offer_takeback(game_id=game_id, player=player, is_answer=body.is_answer)
        case "time":
            offers.give_time(game_id=game_id, player=player)
        case "rematch":
            rematch = offers.offer_rematch(game_id=game_id, player=player, is_answer=body.is_answer)
            return rematch.pk if rematch else game_id
    return game_id


def _current(request: ApiRequest, game_id: int) -> Game:
    """Return the game, whose flag may have fallen without a viewer."""
    game = callers.game_of(request, game_id)
    return (
        callers.game_of(request, game_id)
        if game_end.decide_flag(game, database_time.now())
        else game
    )


def _player(pk: int | None) -> Player | None:
    return None if pk is None else access.get_player(pk)
