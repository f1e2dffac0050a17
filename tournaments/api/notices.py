"""Notices of the account."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from django.http.response import HttpResponseBase
from ninja import Query
from pydantic import BaseModel, Field

from tournaments.api import paging, routes, shapes
from tournaments.api.callers import ApiRequest
from tournaments.api.operations import Body, Operations
from tournaments.api.paging import Page, PageQuery
from tournaments.services.notifications import inbox as services

operations = Operations("Notices")


class NoticeShape(BaseModel):
    """A notice: a piece of news of the account's stream, as a sentence."""

    seq: Annotated[int, Field(description="Its number in the stream of the account.")]
    kind: str
    text: Annotated[str, Field(description="In the language of `Accept-Language`.")]
    url: Annotated[str, Field(description="The page that it leads to.")]
    game: int | None
    event: str | None
    challenge: int | None
    is_unread: bool
    is_stale: Annotated[
        bool,
        Field(description="True when it needs no answer any more, such as a turn that is over."),
    ]
    happened_at: datetime


class NoticeQuery(PageQuery):
    """A filter of the notices."""

    unread: Annotated[bool, Field(description="Unread notices alone.")] = False


class ReadNotices(Body):
    """The last notice that you have read."""

    seq: Annotated[
        shapes.Id | None, Field(description="Notices up to this number. All without it.")
    ] = None


class UnreadNotices(BaseModel):
    """The number of unread notices that remain."""

    unread: int


@operations.get("/me/notices", "notices", routes.PRIVATE, answer=Page[NoticeShape])
def notices(request: ApiRequest, query: Query[NoticeQuery]) -> HttpResponseBase:
    """Return the latest 50 notices, the latest first. They do not count as read."""
    rows = services.notices(request.caller.account)
    items = [_shape(row) for row in rows if row.is_unread or not query.unread]
    return paging.answer_all(request, items, query)


@operations.post("/me/notices/read", "notices-read", routes.ACCOUNT, status=200, body="{}")
def mark_read(request: ApiRequest, body: ReadNotices) -> UnreadNotices:
    """Note that you have read the notices up to `seq`, or all of them."""
    user = request.caller.account
    services.mark_read(user, until=body.seq)
    return UnreadNotices(unread=services.unread(user))


def _shape(notice: services.Notice) -> NoticeShape:
    return NoticeShape(
        seq=notice.item.seq,
        kind=notice.item.kind,
        text=notice.sentence,
        url=notice.get_absolute_url(),
        game=notice.game.pk if notice.game else None,
        event=notice.event.slug if notice.event else None,
        challenge=notice.challenge.pk if notice.challenge else None,
        is_unread=notice.is_unread,
        is_stale=notice.is_stale,
        happened_at=notice.item.happened_at,
    )
