"""Clubs: their members, and the acts of members and officers."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from ninja import Query
from pydantic import Field

from tournaments.api import etags, paging, routes, shapes
from tournaments.api.callers import ApiRequest
from tournaments.api.operations import Body, Operations
from tournaments.api.paging import Page, PageQuery
from tournaments.edges import access
from tournaments.models import Club
from tournaments.models.clubs import (
    CLUB_INTRODUCTION_LENGTH,
    CLUB_NAME_LENGTH,
    SHORT_NAME_LENGTH,
)
from tournaments.queries.events import clubs as queries
from tournaments.services import clubs

operations = Operations("Clubs")


class ClubRow(shapes.Shape):
    """A club."""

    slug: str
    name: str
    short_name: str
    federation: str
    place: str
    address: str
    introduction: str
    created_at: datetime
    url: str


class Member(shapes.Shape):
    """A member of a club, or for its officers also a player who asks to join."""

    player: shapes.PlayerName
    role: Annotated[str, Field(description="owner, officer, member or applicant")]
    joined_at: datetime | None


class ClubShape(ClubRow):
    """A club with its members, the owner first."""

    members: list[Member]


class ClubSearch(PageQuery):
    """A search for clubs."""

    q: Annotated[
        str, Field(max_length=CLUB_NAME_LENGTH, description="Part of the name or the place.")
    ] = ""


class NewClub(Body):
    """A new club. Its name stays."""

    name: Annotated[str, Field(min_length=1, max_length=CLUB_NAME_LENGTH)]
    short_name: Annotated[str, Field(max_length=SHORT_NAME_LENGTH)] = ""
    federation: Annotated[str, Field(max_length=3)] = ""
    place: Annotated[str, Field(max_length=80)] = ""
    address: Annotated[str, Field(max_length=200)] = ""
    introduction: Annotated[str, Field(max_length=CLUB_INTRODUCTION_LENGTH)] = ""


class ClubChange(Body):
    """The changes. Values that are left out remain."""

    short_name: Annotated[str | None, Field(max_length=SHORT_NAME_LENGTH)] = None
    federation: Annotated[str | None, Field(max_length=3)] = None
    place: Annotated[str | None, Field(max_length=80)] = None
    address: Annotated[str | None, Field(max_length=200)] = None
    introduction: Annotated[str | None, Field(max_length=CLUB_INTRODUCTION_LENGTH)] = None


class ClubAction(Body):
    """An action on a member, or on you without `player`.

    `join` asks to join, and `remove` leaves. `accept` and `remove` with a player are acts of officers. `officer`,
    `member` and `owner` give a member a role, which the owner alone does.
    """

    act: Annotated[str, shapes.one_of(clubs.ACTS)]
    player: shapes.Id | None = None


@operations.get("/clubs", "club-list", routes.OPEN, answer=Page[ClubRow])
def club_list(request: ApiRequest, query: Query[ClubSearch]) -> HttpResponseBase:
    """Return clubs by name."""
    return paging.answer(request, queries.listing(query.q), ["canonical"], query, _row)


@operations.get("/clubs/{slug:club}", "club", routes.OPEN)
def club(request: ApiRequest, club: str) -> ClubShape:
    """Return a club with its members. Its officers get the players who ask to join too."""
    row = access.get_club(club)
    return _shape(row, with_applicants=queries.led_by(request.caller.user).contains(row))


@operations.post(
    "/clubs", "club-create", routes.ACCOUNT, body='{"name": "Torre", "place": "Barcelona"}'
)
def create(request: ApiRequest, response: HttpResponse, body: NewClub) -> ClubRow:
    """Found a club. You are its owner."""
    about = clubs.About(**body.model_dump(exclude={"name"}))
    row = clubs.create(founder=request.caller.seat, name=body.name, about=about)
    response["Location"] = f"/api/v1/clubs/{row.slug}"
    return _row(row)


@operations.patch("/clubs/{slug:club}", "club-change", routes.ACCOUNT, body='{"place": "Girona"}')
def change(request: ApiRequest, club: str, body: ClubChange) -> ClubShape:
    """Change the words about a club, as an officer of it."""
    row = access.get_club(club)
    leads = queries.led_by(request.caller.user).contains(row)
    etags.require(request, _shape(row, with_applicants=leads))
    names = ("short_name", "federation", "place", "address", "introduction")
    words = {name: getattr(row, name) for name in names} | body.model_dump(exclude_none=True)
    changed = clubs.change(club_id=row.pk, player=request.caller.seat, about=clubs.About(**words))
    return _shape(changed, with_applicants=leads)


@operations.post(
    "/clubs/{slug:club}/acts", "club-act", routes.ACCOUNT, status=200, body='{"act": "join"}'
)
def act(request: ApiRequest, club: str, body: ClubAction) -> list[Member]:
    """Ask to join, leave, accept, remove or appoint. The answer has the members."""
    row = access.get_club(club)
    clubs.run(code=body.act, club_id=row.pk, player=request.caller.seat, member_id=body.player)
    return [Member.of(each) for each in queries.members_of(row)]


def _row(club: Club) -> ClubRow:
    introduction = club.visible_introduction
    return ClubRow.of(club, introduction=introduction, url=club.get_absolute_url())


def _shape(club: Club, *, with_applicants: bool) -> ClubShape:
    rows = [*queries.members_of(club), *(queries.applicants_of(club) if with_applicants else ())]
    return ClubShape(**_row(club).model_dump(), members=[Member.of(each) for each in rows])
