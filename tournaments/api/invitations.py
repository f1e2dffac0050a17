"""Invitations: games for two players who have the link."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from pydantic import Field

from tournaments import database_time
from tournaments.api import routes, shapes
from tournaments.api.callers import ApiRequest
from tournaments.api.operations import Body, Operations
from tournaments.models import Invitation, Study
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.services.lobby import invitations as services

operations = Operations("Invitations")


class InvitationShape(shapes.Shape):
    """An invitation. `game` is set once two players have joined."""

    token: Annotated[str, Field(description="A secret. Players who have it can join.")]
    url: Annotated[str, Field(description="The page to pass on.")]
    host: shapes.PlayerName
    player: Annotated[
        shapes.PlayerName | None, Field(description="The player who has joined first, or the host.")
    ]
    ruleset: str
    clock: shapes.Clock
    is_rated: bool
    side: str
    study: str | None
    is_open: Annotated[bool, Field(description="True while a player can join.")]
    game: int | None
    made_at: datetime


class NewInvitation(Body):
    """A game for two players.

    With a `study` the game begins from its position with its rules, and is not rated.
    """

    ruleset: Annotated[str, Field(max_length=120)] = ""
    clock: Annotated[str, Field(max_length=60, description="Seconds and seconds a move: `300+5`.")]
    is_rated: bool = False
    side: Annotated[str, Field(max_length=6)] = ""
    is_player: Annotated[bool, Field(description="False for a game of two others.")] = True
    study: Annotated[str | None, Field(max_length=40)] = None


@operations.get("/invitations/{slug:invitation}", "invitation", routes.OPEN)
def invitation(request: ApiRequest, invitation: str) -> InvitationShape:
    """Return an invitation, with its game if it has begun."""
    return _shape(_invitation(invitation))


@operations.post(
    "/invitations",
    "invite",
    routes.NEW_GAME,
    body='{"ruleset": "morlox(size=5)", "clock": "300+5"}',
)
def invite(request: ApiRequest, response: HttpResponse, body: NewInvitation) -> InvitationShape:
    """Make an invitation. It is open for a day, or for 30 days with a clock of days."""
    study = None if body.study is None else get_object_or_404(Study, key=body.study)
    row = services.invite(
        host=request.caller.seat,
        ruleset=body.ruleset,
        clock=Clock.read(body.clock),
        is_rated=body.is_rated,
        side=body.side,
        is_player=body.is_player,
        study=study,
    )
    response["Location"] = f"/api/v1/invitations/{row.token}"
    return _shape(row)


@operations.post(
    "/invitations/{slug:invitation}/join", "invitation-join", routes.NEW_GAME, status=200
)
def join(request: ApiRequest, invitation: str) -> InvitationShape:
    """Join an invitation. The game begins with the second player."""
    row = _invitation(invitation)
    services.join(token=row.token, player=request.caller.seat)
    return _shape(_invitation(invitation))


@operations.delete("/invitations/{slug:invitation}", "invitation-withdraw", routes.NEW_GAME)
def withdraw(request: ApiRequest, invitation: str) -> None:
    """Withdraw your invitation."""
    services.withdraw(token=_invitation(invitation).token, player=request.caller.seat)


def _invitation(token: str) -> Invitation:
    rows = Invitation.objects.select_related("host", "player")
    row = None if "\x00" in token else rows.filter(token=token).first()
    if row is None:
        raise Http404
    return row


def _shape(row: Invitation) -> InvitationShape:
    return InvitationShape.of(
        row,
        url=row.get_absolute_url(),
        clock=shapes.clock(row),
        study=row.study_id,
        is_open=services.stands(row, database_time.now()),
        game=row.game_id,
    )
