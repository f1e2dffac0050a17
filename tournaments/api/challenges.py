"""Challenges: games that a player proposes to another player or to all players."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from ninja import Query
from pydantic import Field

from tournaments.api import dry_runs, paging, routes, shapes
from tournaments.api.callers import ApiRequest
from tournaments.api.dry_runs import DryRunQuery
from tournaments.api.operations import Body, Operations
from tournaments.api.paging import Page, PageQuery
from tournaments.edges import access
from tournaments.errors import NotAllowedError
from tournaments.models import Challenge
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.services.lobby import challenges as services

operations = Operations("Challenges")


class ChallengeShape(shapes.Shape):
    """A challenge.

    `opponent` is null if any player may accept. `game` is set once the game has begun.
    """

    id: int
    challenger: shapes.PlayerName
    opponent: shapes.PlayerName | None
    ruleset: str
    clock: shapes.Clock
    is_rated: bool
    side: Annotated[str, Field(description="That the challenger wants; empty when chance decides.")]
    state: Annotated[str, Field(description="open, accepted, declined or withdrawn")]
    game: int | None
    created_at: datetime


class NewChallenge(Body):
    """A challenge to one player, or to all players. A bot accepts immediately."""

    ruleset: Annotated[str, Field(max_length=120)]
    clock: Annotated[str, Field(max_length=60, description="Seconds and seconds a move: `300+5`.")]
    opponent: shapes.Id | None = None
    is_rated: bool = False
    side: Annotated[str, Field(max_length=6)] = ""
    vote: Annotated[str, Field(max_length=60, description="A sealed vote on the set-up.")] = ""


class Vote(Body):
    """Your own vote, if votes decide the set-up."""

    vote: Annotated[str, Field(max_length=60)] = ""


@operations.get("/challenges", "challenges", routes.CHALLENGES, answer=Page[ChallengeShape])
def challenges(request: ApiRequest, query: Query[PageQuery]) -> HttpResponseBase:
    """Return open challenges by you, to you, and to all players, the latest first."""
    seat = request.caller.seat
    rows = Challenge.objects.open().visible_to(seat).select_related("challenger", "opponent")
    return paging.answer(request, rows, ["-pk"], query, shape_of)


@operations.get("/challenges/{int:challenge_id}", "challenge", routes.CHALLENGES)
def challenge(request: ApiRequest, challenge_id: int) -> ChallengeShape:
    """Return a challenge, with its game if it has begun."""
    return shape_of(access.get_challenge_for(request.caller.seat, challenge_id))


@operations.post(
    "/challenges",
    "challenge-create",
    routes.CHALLENGE,
    body='{"ruleset": "morlox(size=5)", "clock": "300+5"}',
)
def create(
    request: ApiRequest, response: HttpResponse, query: Query[DryRunQuery], body: NewChallenge
) -> ChallengeShape:
    """Challenge one player, or all players. With a bot the game begins immediately."""
    opponent = None if body.opponent is None else access.get_player(body.opponent)

    def act() -> ChallengeShape:
        row = services.challenge(
            challenger=request.caller.seat,
            opponent=opponent,
            ruleset=body.ruleset,
            clock=Clock.read(body.clock),
            is_rated=body.is_rated,
            side=body.side,
            vote=body.vote,
        )
        return shape_of(row)

    shape = dry_runs.run(act, is_dry=query.dry_run)
    if not query.dry_run:
        response["Location"] = f"/api/v1/challenges/{shape.id}"
    return shape


@operations.post(
    "/challenges/{int:challenge_id}/accept",
    "challenge-accept",
    routes.CHALLENGE,
    status=200,
    body="{}",
)
def accept(request: ApiRequest, challenge_id: int, body: Vote) -> ChallengeShape:
    """Accept a challenge: `game` is the game that has begun."""
    seat = request.caller.seat
    row = access.get_challenge_for(seat, challenge_id)
    services.accept(challenge_id=row.pk, player=seat, vote=body.vote)
    return shape_of(access.get_challenge_for(seat, challenge_id))


@operations.post(
    "/challenges/{int:challenge_id}/decline", "challenge-decline", routes.CHALLENGE, status=200
)
def decline(request: ApiRequest, challenge_id: int) -> ChallengeShape:
    """Decline a challenge to you."""
    seat = request.caller.seat
    row = access.get_challenge_for(seat, challenge_id)
    services.decline(challenge_id=row.pk, player=seat)
    return shape_of(access.get_challenge_for(seat, challenge_id))


@operations.delete("/challenges/{int:challenge_id}", "challenge-withdraw", routes.CHALLENGE)
def withdraw(request: ApiRequest, challenge_id: int) -> None:
    """Withdraw your own challenge."""
    seat = request.caller.seat
    row = access.get_challenge_for(seat, challenge_id)
    if row.challenger_id != seat.pk:
        raise NotAllowedError("not-your-challenge")
    services.decline(challenge_id=row.pk, player=seat)


def shape_of(row: Challenge) -> ChallengeShape:
    """Return the challenge as the caller, who takes part in it, sees it."""
    return ChallengeShape.of(row, clock=shapes.clock(row), game=row.game_id)
