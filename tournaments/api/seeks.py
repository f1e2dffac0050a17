"""Seeks: players who wait for quick pairing."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from ninja import Query
from pydantic import Field

from tournaments import database_time
from tournaments.api import paging, routes, shapes
from tournaments.api.callers import ApiRequest
from tournaments.api.operations import Body, Operations
from tournaments.api.paging import Page, PageQuery
from tournaments.models import Seek
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.queries.lobby import open_seeks
from tournaments.services.lobby import seeks as services

operations = Operations("Quick pairing")


class SeekGroupShape(shapes.Shape):
    """Players who wait for equal games. A seek for such a game can be paired with theirs."""

    ruleset: str
    clock: shapes.Clock
    is_rated: bool
    waiting: Annotated[int, Field(description="Number of players.")]
    is_own: Annotated[bool, Field(description="True when you are one of them.")]


class SeekShape(shapes.Shape):
    """A seek. `game` is set once the seek is paired."""

    ruleset: str
    clock: shapes.Clock
    is_rated: bool
    state: Annotated[str, Field(description="waiting, paired or left")]
    game: int | None
    window_elo: Annotated[
        int | None,
        Field(description="Largest difference of ratings to an opponent now. null for any."),
    ]
    made_at: datetime


class NewSeek(Body):
    """The game to wait for."""

    ruleset: Annotated[str, Field(max_length=120)]
    clock: Annotated[str, Field(max_length=60, description="Seconds and seconds a move: `300+5`.")]
    is_rated: bool = True


@operations.get("/seeks", "seeks", routes.OPEN, answer=Page[SeekGroupShape])
def groups(request: ApiRequest, query: Query[PageQuery]) -> HttpResponseBase:
    """Return the games that players wait for, the most wanted first."""
    rows = open_seeks.seek_groups(database_time.now(), request.caller.player)
    return paging.answer_all(request, [_group(row) for row in rows], query)


@operations.post(
    "/me/seek",
    "seek-create",
    routes.NEW_GAME,
    body='{"ruleset": "morlox(size=5)", "clock": "300+5"}',
)
def create(request: ApiRequest, response: HttpResponse, body: NewSeek) -> SeekShape:
    """Wait for an opponent, or begin a game immediately with a player who waits.

    Your earlier seek ends. Read the seek every few seconds, or it ends after 20 seconds.
    """
    seek = services.create(
        player=request.caller.seat,
        ruleset=body.ruleset,
        clock=Clock.read(body.clock),
        is_rated=body.is_rated,
    )
    response["Location"] = "/api/v1/me/seek"
    return _shape(seek)


@operations.get("/me/seek", "seek", routes.SEEK_RENEWAL)
def renew(request: ApiRequest) -> SeekShape:
    """Return your last seek, and wait on if it waits.

    The stream of the account announces the game too (`game`).
    """
    seat = request.caller.seat
    seek = services.heartbeat(seat) or open_seeks.last(seat)
    if seek is None:
        raise Http404
    return _shape(seek)


@operations.delete("/me/seek", "seek-cancel", routes.NEW_GAME)
def cancel(request: ApiRequest) -> None:
    """Wait no longer. Without a seek this has no effect."""
    services.cancel(request.caller.seat)


def _group(row: open_seeks.SeekGroup) -> SeekGroupShape:
    clock = shapes.clock(row.seek)
    return SeekGroupShape.of(row.seek, clock=clock, waiting=row.waiting, is_own=row.is_own)


def _shape(seek: Seek) -> SeekShape:
    window_elo = open_seeks.window_elo(seek, database_time.now())
    return SeekShape.of(seek, clock=shapes.clock(seek), game=seek.game_id, window_elo=window_elo)
