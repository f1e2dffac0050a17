"""Teams of events: their members, their captains and their line-ups."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from tournaments.api import routes, shapes
from tournaments.api.callers import ApiRequest
from tournaments.api.events import overview, shared
from tournaments.api.events.overview import EntryRow
from tournaments.api.operations import Body, Operations
from tournaments.models.events import MAX_BOARDS
from tournaments.models.players import NAME_LENGTH
from tournaments.services.events.teams import MAX_MEMBERS, TEAM_ACTS, TeamArguments
from tournaments.services.rounds import line_ups

operations = Operations("Teams", shared.ROUTER)


class TeamAct(Body):
    """An action on a team, or on a member of one.

    `team-create` takes `name`. `team-of-club` takes a `club` of which you are an officer, `players` of it in board order,
    and the name of the club without `name`. `team-join` takes the team and a player: you, if it is left out, or a bot
    of yours. `team-accept` and `team-remove` take the member. `team-order` takes the team and its members
    in their new order, `team-captain` the team and an account. `team-bye` takes the team, a round and
    `half` or `zero`, `team-withdraw` the team.
    """

    act: Annotated[str, shapes.one_of(TEAM_ACTS.by_code), Field(description=TEAM_ACTS.warnings())]
    entry: Annotated[
        shapes.Id | None, Field(description="The entry of the team or the member.")
    ] = None
    name: Annotated[str, Field(max_length=NAME_LENGTH)] = ""
    username: Annotated[str, Field(max_length=150)] = ""
    player: shapes.Id | None = None
    members: Annotated[list[shapes.Id], Field(max_length=MAX_MEMBERS)] = []
    club: Annotated[str, Field(max_length=80)] = ""
    players: Annotated[list[shapes.Id], Field(max_length=MAX_MEMBERS)] = []
    round: shared.RoundNumber | None = None
    kind: Literal["half", "zero"] = "half"


class NewLineUp(Body):
    """The members of the team, board by board; null for an empty board."""

    members: Annotated[list[shapes.Id | None], Field(max_length=MAX_BOARDS)]


class MatchBoard(BaseModel):
    """A board of a match: the entries of the members, null for an empty side. `first` has the first ply."""

    number: int
    first: int | None
    second: int | None


@operations.post(
    "/events/{slug:event}/teams",
    "team-act",
    routes.TAKING_PART,
    status=200,
    body='{"act": "team-create", "name": "Torre"}',
)
def act(request: ApiRequest, event: str, body: TeamAct) -> list[EntryRow]:
    """Act on a team. The answer has all teams with their members."""
    row = shared.event_of(request, event)
    arguments = TeamArguments(
        entry_id=body.entry or 0,
        name=body.name,
        username=body.username,
        player_id=body.player,
        member_ids=body.members,
        club=body.club,
        player_ids=body.players,
        round_number=body.round or 0,
        kind=body.kind,
    )
    TEAM_ACTS.run(body.act, row.pk, request.caller.account, arguments)
    entries = row.entries.select_related("player").prefetch_related("bye_requests")
    return [overview.entry_row(each) for each in entries.order_by("team", "board_order", "pk")]


@operations.put(
    "/events/{slug:event}/rounds/{int:number}/line-ups/{int:entry}",
    "line-up",
    routes.TAKING_PART,
    body='{"members": [null, null]}',
)
def set_line_up(
    request: ApiRequest, event: str, number: int, entry: int, body: NewLineUp
) -> list[MatchBoard]:
    """Set the line-up of a team in the open round. The answer has the boards of its match."""
    row = shared.event_of(request, event)
    pairing = line_ups.set_line_up(
        event_id=row.pk,
        actor=request.caller.account,
        round_number=number,
        entry_id=entry,
        member_ids=body.members,
    )
    return [
        MatchBoard(number=each.number, first=each.first_id, second=each.second_id)
        for each in pairing.boards.order_by("number")
    ]
