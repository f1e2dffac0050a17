"""Games: what is played, and playing."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, Annotated, Literal

from django.http import Http404, HttpResponse
from ninja import Query
from pydantic import BaseModel, Field

from tournaments.api import idempotency, paging, shapes
from tournaments.api.idempotency import Repeats
from tournaments.api.operations import Operations
from tournaments.api.paging import Page, PageQuery
from tournaments.edges import access
from tournaments.models import ClockCharge, FuelCheck, Game, Ply, statements
from tournaments.models import Offer as GameOffer
from tournaments.services import database_time
from tournaments.services.errors import RefusedError
from tournaments.services.games import game_creation, game_end, offers, play, presence, takebacks
from tournaments.services.matches import fuel_records
from tournaments.services.records import archive, evaluations, game_records

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http.response import HttpResponseBase

    from tournaments.api.callers import ApiRequest
    from tournaments.models import Player
    from tournaments.services.records.evaluations import Thought

operations = Operations("Games")


class GameRow(BaseModel):
    """A game in a list."""

    id: int
    ruleset: str
    first: shapes.PlayerName
    second: shapes.PlayerName
    clock: shapes.Clock
    is_rated: bool
    ply: int
    result: Annotated[
        str | None,
        Field(description="first, second, draw, a forfeit or void; null while it goes on"),
    ]
    ending: Annotated[str | None, Field(description="How it ended, such as rules or time.")]
    event: str | None
    created_at: datetime
    ended_at: datetime | None


class Turn(BaseModel):
    """The clocks, in milliseconds, as they stood when the turn began; that of the side to move runs since."""

    first_ms: int
    second_ms: int
    began_at: datetime | None
    deadline_at: Annotated[datetime | None, Field(description="When the side to move has lost.")]
    is_stopped: bool


class OfferShape(BaseModel):
    """An offer that waits for its answer."""

    kind: Annotated[str, Field(description="end, draw, rematch or takeback")]
    side: str


class FuelShape(BaseModel):
    """What a module has for each ply in a game by fuel, beside the clocks, which are deadlines then.

    `check` is of the plies that remote bots have sent: null where there are none of them.
    """

    units: int
    seed: Annotated[str, Field(description="Of the game: for `setoption name Seed value ...`.")]
    meter: Annotated[str | None, Field(description="Who counts; others may count otherwise.")]
    check: Annotated[
        str | None, Field(description="open, confirmed, different or undecided; or null")
    ]
    different_plies: list[int]


class GameState(GameRow):
    """A game as it stands. `setup` and `moves` are its whole record; `position` is what they lead to."""

    setup: str
    start: Annotated[str, Field(description="The position before the first ply.")]
    position: str
    attempt: Annotated[int, Field(description="One more after each take-back.")]
    side_to_move: str
    moves: list[str]
    turn: Turn
    fuel: Annotated[FuelShape | None, Field(description="null where the clocks decide")]
    offer: OfferShape | None
    url: str
    server_time: datetime


class PlyShape(BaseModel):
    """A move of a game, in its stored spelling, and what it cost on the clock."""

    number: int
    side: str
    move: str
    spent_ms: int
    remaining_ms: int
    made_at: datetime
    evaluation: Annotated[
        shapes.EvaluationShape | None,
        Field(
            description="Of bots that told one; while the game goes on, only where both are bots of the site."
        ),
    ] = None


class Charge(BaseModel):
    """A line of the ledger of the clocks: negative `ms` were taken from the side, others given to it."""

    seq: int
    attempt: int
    ply: int
    side: str
    reason: str
    ms: int
    remaining_ms: int
    at: datetime


class GameSearch(PageQuery):
    """Which finished games are looked for."""

    family: Annotated[str, Field(max_length=20)] = ""
    size: Annotated[int | None, Field(ge=1, le=99)] = None
    player: shapes.Id | None = None
    opponent: shapes.Id | None = None
    result: Literal["", "won", "lost", "draw", "first", "second"] = ""
    since: date | None = None
    until: date | None = None
    only_rated: bool = False


class Move(BaseModel):
    """A move, and after which ply of which attempt it is played, as the game was read."""

    move: Annotated[str, Field(min_length=1, max_length=200)]
    ply: Annotated[int, Field(ge=0, le=10_000)]
    attempt: Annotated[int | None, Field(ge=1, le=10_000)] = None
    thought_ms: Annotated[
        int | None,
        Field(
            ge=0,
            le=2**31 - 1,
            description="How long you had the position before you sent the move: the rest of the turn was the way to you and back, of which up to 500 ms are given back.",
        ),
    ] = None
    info: Annotated[
        str,
        Field(
            description="Of a bot: the last `info` line of its program before the move, as the line protocol has it. Kept with the ply, and shown when the game is over. What makes no sense is left out; the move counts all the same.",
        ),
    ] = ""


class Offer(BaseModel):
    """An offer. `end` is a draw, or an end by agreement, as the game has it; time is given at once."""

    kind: Literal["end", "takeback", "time", "rematch"]
    is_answer: Annotated[
        bool, Field(description="Accept what the other side has offered, and never offer.")
    ] = False


@operations.get("/games", "games", answer=Page[GameRow], example="/games?family=morelli&limit=2")
def games(request: ApiRequest, query: Query[GameSearch]) -> HttpResponseBase:
    """Finished games, the latest begun first, with the filters of the archive."""
    if query.result in {"won", "lost"} and query.player is None:
        raise RefusedError("form-bad", "won and lost are of a player")
    search = archive.Search(
        family=query.family,
        size=query.size,
        player=_player(query.player),
        opponent=_player(query.opponent),
        result=query.result,
        since=query.since,
        until=query.until,
        only_rated=query.only_rated,
    )
    return paging.answer(request, archive.games_of(search), ["-pk"], query, row_of)


@operations.get("/games/{int:game_id}", "game", answer=GameState)
def game(request: ApiRequest, game_id: int) -> GameState:
    """A game as it stands.

    Its ETag changes with the game, and not with `server_time`. In an event whose games wait for both
    players, whoever asks for a game of his has come to the board.
    """
    game, player = _current(game_id), request.caller.player
    if player is not None and presence.is_expected(game, player):
        presence.note(game_id=game.pk, player=player)
        game = access.get_game(game_id)
    return _state(game)


@operations.get("/games/{int:game_id}/moves", "game-moves", answer=Page[PlyShape])
def moves(request: ApiRequest, game_id: int, query: Query[PageQuery]) -> HttpResponseBase:
    """The moves of a game with their times, and what bots thought of them."""
    game = access.get_game(game_id)
    plies = game.plies.filter(attempt=game.attempt)
    thoughts = evaluations.of_game(game)
    return paging.answer(
        request, plies, ["number"], query, lambda ply: _ply(ply, thoughts.get(ply.number))
    )


@operations.get("/games/{int:game_id}/record", "game-record", answer=dict)
def record(request: ApiRequest, game_id: int) -> HttpResponse:
    """The record of a game as a file: `text/plain` in the notation of its rules where that is accepted, else JSON."""
    game = access.get_game(game_id)
    if request.headers.get("Accept", "").startswith("text/plain"):
        return HttpResponse(game_records.text_of(game), content_type="text/plain; charset=utf-8")
    return HttpResponse(game_records.document_of(game).text(), content_type="application/json")


@operations.get("/games/{int:game_id}/clock", "game-clock", answer=Page[Charge])
def clock(request: ApiRequest, game_id: int, query: Query[PageQuery]) -> HttpResponseBase:
    """The ledger of a game's clocks: every charge, and why."""
    return paging.answer(request, access.get_game(game_id).charges.all(), ["seq"], query, _charge)


@operations.post(
    "/games/{int:game_id}/moves",
    "game-move",
    answer=GameState,
    body='{"move": "a1", "ply": 0}',
    repeats=Repeats.BY_SERVICE,
)
def play_move(request: ApiRequest, response: HttpResponse, game_id: int, body: Move) -> GameState:
    """Play a move.

    `ply` is that of the game as you read it: when another move has been made since, the answer is
    409. The same `Idempotency-Key` is one move, also when the first answer was lost.
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
    response["Location"] = f"/api/v1/games/{game_id}"
    if confirmation.is_repeated:
        response[idempotency.REPLAYED] = "true"
        return _state(_current(game_id))
    return _state(confirmation.game)


@operations.post(
    "/games/{int:game_id}/resign",
    "game-resign",
    answer=GameState,
    status=200,
)
def resign(request: ApiRequest, game_id: int) -> GameState:
    """Resign a game."""
    play.resign(game_id=access.get_game(game_id).pk, player=request.caller.seat)
    return _state(_current(game_id))


@operations.post(
    "/games/{int:game_id}/abort",
    "game-abort",
    answer=GameState,
    status=200,
)
def abort(request: ApiRequest, game_id: int) -> GameState:
    """Abort a game before your first move, which nobody has lost then."""
    play.abort(game_id=access.get_game(game_id).pk, player=request.caller.seat)
    return _state(_current(game_id))


@operations.post(
    "/games/{int:game_id}/offers",
    "game-offer",
    answer=GameState,
    body='{"kind": "time"}',
)
def offer(request: ApiRequest, game_id: int, body: Offer) -> GameState:
    """Offer something to the other side, or accept what it has offered.

    The game that an accepted rematch begins is answered in place of the old one.
    """
    pk, seat = access.get_game(game_id).pk, request.caller.seat
    return _state(_current(_offered(pk, seat, body)))


@operations.post(
    "/games/{int:game_id}/offers/decline",
    "game-decline",
    answer=GameState,
    status=200,
)
def decline(request: ApiRequest, game_id: int) -> GameState:
    """Decline the other side's offer, or withdraw your own."""
    offers.decline(game_id=access.get_game(game_id).pk, player=request.caller.seat)
    return _state(_current(game_id))


def state_of(game_id: int) -> GameState:
    """The game as it stands now. Raises Http404."""
    return _state(_current(game_id))


def _offered(game_id: int, player: Player, body: Offer) -> int:
    """Make or accept an offer; the game that goes on, or the rematch that has begun."""
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


def _current(game_id: int) -> Game:
    """The game, whose flag may have fallen with nobody looking."""
    game = access.get_game(game_id)
    return access.get_game(game_id) if game_end.decide_flag(game, database_time.now()) else game


def _player(pk: int | None) -> Player | None:
    return None if pk is None else access.get_player(pk)


def row_of(game: Game) -> GameRow:
    """The game as it is in lists."""
    return GameRow(
        id=game.pk,
        ruleset=game.ruleset,
        first=shapes.player_name(game.first),
        second=shapes.player_name(game.second),
        clock=shapes.clock(game),
        is_rated=game.is_rated,
        ply=game.ply,
        result=game.result,
        ending=game.ending,
        event=game.pairing.event.slug if game.pairing else None,
        created_at=game.created_at,
        ended_at=game.ended_at,
    )


def _state(game: Game) -> GameState:
    moves = _moves.all(game=game.pk, attempt=game.attempt, ply=game.ply)
    offer = _open_offer.one(game=game.pk)
    turn = Turn(
        first_ms=game.first_ms,
        second_ms=game.second_ms,
        began_at=game.turn_started_at,
        deadline_at=game.deadline_at,
        is_stopped=game.stopped_at is not None or game.paused_at is not None,
    )
    return GameState(
        **row_of(game).model_dump(),
        setup=game.setup,
        start=game_creation.start_position(game.ruleset, game.setup).text(),
        position=game.position,
        attempt=game.attempt,
        side_to_move=game.side_to_move,
        moves=[move for (move,) in moves],
        turn=turn,
        fuel=_fuel(game),
        offer=OfferShape(kind=offer.kind, side=offer.side) if offer else None,
        url=game.get_absolute_url(),
        server_time=database_time.now(),
    )


@statements.query
def _moves(game: int, attempt: int, ply: int) -> QuerySet[Ply, tuple[str]]:
    """The moves up to a ply: by then there may be another."""
    plies = Ply.objects.filter(game=game, attempt=attempt, number__lte=ply)
    return plies.order_by("number").values_list("move")


@statements.query
def _open_offer(game: int) -> QuerySet[GameOffer]:
    return GameOffer.objects.open().filter(game=game).order_by()


def _ply(ply: Ply, thought: Thought | None) -> PlyShape:
    shape = PlyShape.model_validate(ply, from_attributes=True)
    if thought is not None:
        shape.evaluation = shapes.EvaluationShape.model_validate(thought, from_attributes=True)
    return shape


def _fuel(game: Game) -> FuelShape | None:
    if game.fuel is None:
        return None
    check = FuelCheck.objects.filter(game=game).first()
    return FuelShape(
        units=game.fuel,
        seed=str(fuel_records.seed_of(game)),
        meter=game.fuel_meter,
        check=check.verdict if check else None,
        different_plies=check.different_plies if check else [],
    )


def _charge(charge: ClockCharge) -> Charge:
    return Charge.model_validate(charge, from_attributes=True)
