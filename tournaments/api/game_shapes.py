"""Games as the API shows them: rows of lists, the state of one, its plies and the charges of its clocks."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from django.db.models import QuerySet
from pydantic import BaseModel, Field

from tournaments import database_time
from tournaments.api import shapes
from tournaments.models import FuelCheck, Game, Ply, statements
from tournaments.models import Offer as GameOffer
from tournaments.models.games import Side
from tournaments.queries.games import attendance
from tournaments.queries.matches import fuel_records
from tournaments.queries.records.evaluations import Thought
from tournaments.services.games import game_creation


class GameRow(shapes.Shape):
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
        Field(description="first, second, draw, a forfeit or void; null while it is in progress"),
    ]
    ending: Annotated[str | None, Field(description="Ending, such as rules or time.")]
    event: str | None
    created_at: datetime
    ended_at: datetime | None


class Turn(BaseModel):
    """The clocks at the start of the turn, in milliseconds.

    The clock of the side to move runs since then.
    """

    first_ms: int
    second_ms: int
    began_at: datetime | None
    deadline_at: Annotated[datetime | None, Field(description="When the side to move has lost.")]
    is_stopped: bool
    round_deadline_at: Annotated[
        datetime | None, Field(description="When the round ends, with days on the clock.")
    ]


class OfferShape(shapes.Shape):
    """An offer that waits for its answer."""

    kind: Annotated[str, Field(description="end, draw, rematch or takeback")]
    side: str


class SeatPresence(BaseModel):
    """A player of a live game, at the table or away."""

    is_present: bool
    left_at: Annotated[
        datetime | None, Field(description="When the player left, or null at the table.")
    ]


class PresenceShape(BaseModel):
    """The people at the table of a live game.

    A side is null for a bot, and for a person whose streams were never open. A loss of the connection for 10 s is no
    departure.
    """

    first: SeatPresence | None
    second: SeatPresence | None
    claim_at: Annotated[
        datetime | None,
        Field(
            description="From when the side that waits may claim the game; null without a claim."
        ),
    ]


class FuelShape(BaseModel):
    """The fuel of a module for each ply in a game by fuel, beside the clocks, which are deadlines then.

    `check` concerns the plies that remote bots have sent. It is null without such plies.
    """

    units: int
    seed: Annotated[
        str, Field(description="Seed of the game: for `setoption name Seed value ...`.")
    ]
    meter: Annotated[
        str | None, Field(description="Program that counts; others may count otherwise.")
    ]
    check: Annotated[
        str | None, Field(description="open, confirmed, different or undecided; or null")
    ]
    different_plies: list[int]


class GameState(GameRow):
    """The current state of a game.

    `setup` and `moves` are its whole record. `position` is the position after them.
    """

    setup: str
    start: Annotated[str, Field(description="The position before the first ply.")]
    position: str
    attempt: Annotated[int, Field(description="One more after each take-back.")]
    side_to_move: str
    moves: list[str]
    turn: Turn
    fuel: Annotated[FuelShape | None, Field(description="null where the clocks decide")]
    armageddon_percent: Annotated[
        int | None,
        Field(
            description="Second side's time in percent of the first's, in the armageddon game of a tie, which it wins with a draw"
        ),
    ]
    offer: OfferShape | None
    presence: Annotated[
        PresenceShape | None,
        Field(
            description="null after the game, without a clock, with days on it, and with bots of the site"
        ),
    ]
    url: str
    server_time: datetime


class PlyShape(shapes.Shape):
    """A move of a game, in its stored spelling, and its cost on the clock."""

    number: int
    side: str
    move: str
    spent_ms: int
    remaining_ms: int
    made_at: datetime
    evaluation: Annotated[
        shapes.EvaluationShape | None,
        Field(
            description="For bots that sent one. During the game only if both are bots of the site."
        ),
    ] = None


class Charge(shapes.Shape):
    """A line of the ledger of the clocks: negative `ms` were taken from the side, others given to it."""

    seq: int
    attempt: int
    ply: int
    side: str
    reason: str
    ms: int
    remaining_ms: int
    at: datetime


def row_of(game: Game) -> GameRow:
    """The game as it is in lists."""
    event = game.pairing.event.slug if game.pairing else None
    return GameRow.of(game, clock=shapes.clock(game), event=event)


def state(game: Game) -> GameState:
    """Return the game's state in this row."""
    moves = _moves.all(game=game.pk, attempt=game.attempt, ply=game.ply)
    turn = Turn(
        first_ms=game.first_ms,
        second_ms=game.second_ms,
        began_at=game.turn_started_at,
        deadline_at=game.deadline_at,
        is_stopped=game.stopped_at is not None or game.paused_at is not None,
        round_deadline_at=game.pairing.round.deadline_at if game.pairing else None,
    )
    return GameState.of(
        game,
        **row_of(game).model_dump(),
        start=game_creation.start_position(game.ruleset, game.setup).text(),
        moves=[move for (move,) in moves],
        turn=turn,
        fuel=_fuel(game),
        offer=_open_offer.one(game=game.pk),
        presence=_presence(game),
        url=game.get_absolute_url(),
        server_time=database_time.now(),
    )


@statements.query
def _moves(game: int, attempt: int, ply: int) -> QuerySet[Ply, tuple[str]]:
    """Return the moves up to a ply: the game may have another by then."""
    plies = Ply.objects.filter(game=game, attempt=attempt, number__lte=ply)
    return plies.order_by("number").values_list("move")


@statements.query
def _open_offer(game: int) -> QuerySet[GameOffer]:
    return GameOffer.objects.open().filter(game=game).order_by()


def ply_shape(ply: Ply, thought: Thought | None) -> PlyShape:
    """Return a ply, with the bot's evaluation if the caller may see it."""
    return PlyShape.of(ply, evaluation=thought)


def _presence(game: Game) -> PresenceShape | None:
    if not attendance.is_watched(game):
        return None
    table = attendance.table(game, database_time.now())
    seats = {
        side: SeatPresence(
            is_present=absence is None, left_at=None if absence is None else absence.left_at
        )
        for side, absence in table.seats.items()
    }
    return PresenceShape(
        first=seats.get(Side.FIRST), second=seats.get(Side.SECOND), claim_at=table.claim_at
    )


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
