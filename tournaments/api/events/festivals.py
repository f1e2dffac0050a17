"""Festivals: their sections with the obstacles to an entry, and the changes by the organiser."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from ninja import Query
from pydantic import Field

from tournaments.api import etags, paging, routes, shapes
from tournaments.api.callers import ApiRequest
from tournaments.api.events import shared
from tournaments.api.operations import Body, Operations
from tournaments.api.paging import Page, PageQuery
from tournaments.edges import access
from tournaments.models import Festival
from tournaments.models.festivals import MAX_DESCRIPTION, NAME_LENGTH
from tournaments.queries.events import festivals as queries
from tournaments.services.festivals import changes
from tournaments.services.festivals.changes import ACTS, About
from tournaments.text.house import event_name

operations = Operations("Festivals", shared.ROUTER)


class FestivalRow(shapes.Shape):
    """A festival: several events, which are its sections, under one name."""

    slug: str
    name: str
    description: str
    organiser: shapes.PlayerName | None
    has_continuous_boards: Annotated[
        bool, Field(description="The boards of a section are numbered after those before it.")
    ]
    prizes_by: Annotated[
        str, Field(description="The order of players of all sections for its prizes.")
    ]
    created_at: datetime
    url: str


class FestivalSection(shapes.Shape):
    """A section, which is the event of this slug. Enter it as any event."""

    slug: str
    name: str
    state: str
    players: int
    entry: Annotated[int | None, Field(description="Your entry in it.")]
    obstacle: Annotated[
        str | None, Field(description="The code of the reason that you cannot enter it.")
    ]


class FestivalShape(FestivalRow):
    """A festival with the sections that you may see."""

    sections: list[FestivalSection]


class FestivalChange(Body):
    """The name and the settings of a festival. Members that are left out remain."""

    name: Annotated[str | None, Field(min_length=1, max_length=NAME_LENGTH)] = None
    description: Annotated[str | None, Field(max_length=MAX_DESCRIPTION)] = None
    has_continuous_boards: bool | None = None
    prizes_by: Literal["percent", "points"] | None = None

    def about(self, now: About) -> About:
        """Return the values after the change."""
        given = self.model_dump(exclude_none=True)
        if self.prizes_by is not None:
            given["prizes_by"] = Festival.PrizesBy(self.prizes_by)
        return About(**{name: given.get(name, getattr(now, name)) for name in About.__slots__})


class NewFestival(FestivalChange):
    """A festival: its name, and its settings."""

    name: Annotated[str, Field(min_length=1, max_length=NAME_LENGTH)]


class FestivalAct(Body):
    """An action on a festival. `add`, `remove` and `earlier` take an event, `deputy` the name of an account."""

    act: Annotated[str, shapes.one_of([code for code in ACTS if code != "delete"])]
    event: Annotated[str, Field(max_length=80)] = ""
    name: Annotated[str, Field(max_length=80)] = ""


@operations.get("/festivals", "festivals", routes.OPEN, answer=Page[FestivalRow])
def festivals(request: ApiRequest, query: Query[PageQuery]) -> HttpResponseBase:
    """Return all festivals, the latest first."""
    return paging.answer(request, queries.visible(request.caller.user), ["-pk"], query, _row)


@operations.get("/festivals/{slug:festival}", "festival", routes.OPEN)
def festival(request: ApiRequest, festival: str) -> FestivalShape:
    """Return a festival with its sections. Enter one by `POST /events/{event}/enter`."""
    return _shape(request, access.get_festival_for(request.caller.user, festival))


@operations.post("/festivals", "festival-create", routes.NEW_EVENT, body='{"name": "Weekend Open"}')
def create(request: ApiRequest, response: HttpResponse, body: NewFestival) -> FestivalRow:
    """Create a festival without sections. You are its organiser."""
    row = changes.create(organiser=request.caller.account, about=body.about(About("")))
    response["Location"] = f"/api/v1/festivals/{row.slug}"
    return _row(row)


@operations.patch(
    "/festivals/{slug:festival}",
    "festival-change",
    routes.DESK,
    body='{"has_continuous_boards": false}',
)
def change(request: ApiRequest, festival: str, body: FestivalChange) -> FestivalRow:
    """Change the name and the settings of a festival."""
    row = access.get_festival_for(request.caller.user, festival)
    etags.require(request, _row(row))
    about = body.about(
        About(
            row.name,
            row.description,
            row.has_continuous_boards,
            Festival.PrizesBy(row.prizes_by),
        )
    )
    return _row(changes.change(festival_id=row.pk, actor=request.caller.account, about=about))


@operations.post(
    "/festivals/{slug:festival}/acts",
    "festival-act",
    routes.DESK,
    status=200,
    body='{"act": "add", "event": "$EVENT"}',
)
def act(request: ApiRequest, festival: str, body: FestivalAct) -> FestivalShape:
    """Add an event of yours, remove or move a section, or appoint a deputy in all sections."""
    row = access.get_festival_for(request.caller.user, festival)
    changes.run(
        code=body.act,
        festival_id=row.pk,
        actor=request.caller.account,
        subject=body.event or body.name,
    )
    return _shape(request, row)


@operations.delete("/festivals/{slug:festival}", "festival-delete", routes.DESK)
def delete(request: ApiRequest, festival: str) -> None:
    """Delete a festival of yours. Its events stay."""
    row = access.get_festival_for(request.caller.user, festival)
    changes.run(code="delete", festival_id=row.pk, actor=request.caller.account)


def _row(row: Festival) -> FestivalRow:
    organiser = shapes.player_of(row.organiser)
    return FestivalRow.of(row, organiser=organiser, url=row.get_absolute_url())


def _shape(request: ApiRequest, row: Festival) -> FestivalShape:
    choices = queries.choices(row, request.caller.user, request.caller.player)
    return FestivalShape(
        **_row(row).model_dump(),
        sections=[
            FestivalSection.of(
                each.event,
                name=event_name(each.event),
                players=each.playing,
                entry=each.own.pk if each.own else None,
                obstacle=each.obstacle.code if each.obstacle else None,
            )
            for each in choices
        ],
    )
