"""Claims: accounts that say which entry of a list is theirs, and the staff's answers."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from django.http.response import HttpResponseBase
from ninja import Query
from pydantic import Field

from tournaments.api import paging, routes, shapes
from tournaments.api.callers import ApiRequest
from tournaments.api.events import shared
from tournaments.api.operations import Body, Operations
from tournaments.api.paging import Page, PageQuery
from tournaments.models import EntryClaim
from tournaments.queries.events import staff
from tournaments.services.events import claims as services

operations = Operations("Claims of entries", shared.ROUTER)


class ClaimShape(shapes.Shape):
    """A claim of a person with an account that an entry is theirs."""

    id: int
    entry: int
    listed: shapes.PlayerName
    player: shapes.PlayerName
    state: Annotated[str, Field(description="open, accepted or refused")]
    made_at: datetime


class Answer(Body):
    """The answer of the staff."""

    is_accepted: bool


@operations.get("/events/{slug:event}/claims", "claims", routes.PRIVATE, answer=Page[ClaimShape])
def claims(request: ApiRequest, event: str, query: Query[PageQuery]) -> HttpResponseBase:
    """Return the open claims of an event, for those of its staff who have entries as a task."""
    row = shared.event_of(request, event)
    staff.require(row, request.caller.account, staff.Task.ENTRIES)
    rows = EntryClaim.objects.filter(entry__event=row, state=EntryClaim.State.OPEN)
    return paging.answer(request, rows.select_related("listed", "player"), ["pk"], query, _shape)


@operations.post(
    "/events/{slug:event}/entries/{int:entry_id}/claim", "entry-claim", routes.TAKING_PART
)
def claim(request: ApiRequest, event: str, entry_id: int) -> ClaimShape:
    """Say that an entry of a list is you: the staff looks whether it is."""
    row = shared.event_of(request, event)
    return _shape(services.claim(event_id=row.pk, player=request.caller.seat, entry_id=entry_id))


@operations.post(
    "/events/{slug:event}/claims/{int:claim_id}/answer",
    "claim-answer",
    routes.DESK,
    status=200,
    body='{"is_accepted": true}',
)
def answer(request: ApiRequest, event: str, claim_id: int, body: Answer) -> ClaimShape:
    """Accept or refuse a claim. Accepted, the entry and its games belong to the account's player."""
    row = shared.event_of(request, event)
    return _shape(
        services.answer(
            event_id=row.pk,
            actor=request.caller.account,
            claim_id=claim_id,
            is_accepted=body.is_accepted,
        )
    )


def _shape(row: EntryClaim) -> ClaimShape:
    return ClaimShape.of(row, entry=row.entry_id)
