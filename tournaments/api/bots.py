"""Bots: the public list, and an author's lines."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from django.db.models import Q
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from ninja import Query
from pydantic import Field

from tournaments import database_time
from tournaments.api import bot_shapes, bot_versions, paging, routes, shapes
from tournaments.api.bot_shapes import BotLineShape, VersionShape
from tournaments.api.bot_versions import UploadQuery
from tournaments.api.callers import ApiRequest
from tournaments.api.operations import Operations
from tournaments.api.paging import Page, PageQuery
from tournaments.edges import access
from tournaments.models import Bot
from tournaments.queries.bots import bot_catalogue, sandboxes
from tournaments.services.bots import versions

operations = Operations("Bots")


class BotShape(shapes.Shape):
    """A public bot. `line` and `version` are null for built-in bots."""

    id: int
    player: shapes.PlayerName
    kind: Annotated[str, Field(description="built-in, python, wasm or remote")]
    author: shapes.PlayerName | None
    line: int | None
    version: int | None
    families: Annotated[list[str], Field(description="Games that it plays; every game when empty.")]
    state: str
    is_active: bool
    description: str
    ratings: list[bot_shapes.BotRating]


class BoxShape(shapes.Shape):
    """A sandbox in which uploaded bots play, as a program in it has found it.

    `numpy` is empty if it cannot be imported, and `compiler` if no compiler is installed there.
    """

    isolator: Annotated[str, Field(description="bwrap or landlock")]
    python: str
    numpy: str
    compiler: str
    checked_at: datetime


class BotsQuery(PageQuery):
    """A search for bots."""

    family: Annotated[str, Field(max_length=20)] = ""
    author: Annotated[shapes.Id | None, Field(description="The author's player.")] = None
    only_active: bool = False


class LineQuery(UploadQuery):
    """A new bot and its first version."""

    name: Annotated[str, Field(max_length=60, description="Versions are called after it.")] = ""
    description: Annotated[str, Field(max_length=300)] = ""


@operations.get("/bots", "bots", routes.OPEN, answer=Page[BotShape], example="/bots?family=morlox")
def bots(request: ApiRequest, query: Query[BotsQuery]) -> HttpResponseBase:
    """Return bots that play or have played."""
    rows = bot_catalogue.public_bots()
    if query.family:
        rows = rows.filter(Q(families=[]) | Q(families__icontains=f'"{query.family}"'))
    if query.author is not None:
        rows = rows.filter(owner__player=query.author)
    if query.only_active:
        rows = rows.filter(is_active=True)
    return paging.answer(request, rows, ["pk"], query, _bot)


@operations.get("/bots/boxes", "bot-boxes", routes.OPEN, answer=Page[BoxShape])
def boxes(request: ApiRequest, query: Query[PageQuery]) -> HttpResponseBase:
    """Return the Python and numpy versions for uploaded bots, as the workers' machines read them last."""
    rows = sandboxes.boxes(database_time.now())
    return paging.answer_all(request, [BoxShape.of(row) for row in rows], query)


@operations.get("/bots/lines", "bot-lines", routes.PRIVATE, answer=Page[BotLineShape])
def lines(request: ApiRequest, query: Query[PageQuery]) -> HttpResponseBase:
    """Return your own bots by name, with their versions."""
    cards = bot_catalogue.lines_of(request.caller.account)
    return paging.answer_all(request, [bot_shapes.line(card) for card in cards], query)


@operations.get("/bots/lines/{int:line_id}", "bot-line", routes.PRIVATE)
def line(request: ApiRequest, line_id: int) -> BotLineShape:
    """Return a bot of your own with its versions."""
    return bot_shapes.line(
        bot_catalogue.line_card(access.get_line_for(request.caller.account, line_id))
    )


@operations.post(
    "/bots/lines",
    "bot-line-create",
    routes.UPLOAD,
    example="/bots/lines?name=Vega&filename=main.py&families=morlox",
    body="@main.py",
    takes_file=True,
)
def create(request: ApiRequest, response: HttpResponse, query: Query[LineQuery]) -> VersionShape:
    """Upload a new bot. The answer is its first version, which waits for its check.

    The file is the body, or the part `file` of a form, which may contain the other fields too.
    """
    fields = bot_versions.fields_of(request, query)
    bot = versions.create_line(
        owner=request.caller.account,
        name=fields.name,
        description=fields.description,
        upload=bot_versions.upload_of(request, fields, ()),
    )
    return bot_versions.uploaded(response, bot)


@operations.post(
    "/bots/lines/{int:line_id}/versions",
    "bot-upload",
    routes.UPLOAD,
    example="/bots/lines/$LINE/versions?filename=main.py&note=Thinks+longer",
    body="@main.py",
    takes_file=True,
)
def upload(
    request: ApiRequest, response: HttpResponse, line_id: int, query: Query[UploadQuery]
) -> VersionShape:
    """Upload the next version of a bot, which waits for its check.

    Without `families` it plays the games of the previous version. `url` of the answer is its page.
    `GET` its address until `state` is no longer `checking`.
    """
    account = request.caller.account
    row = access.get_line_for(account, line_id)
    latest = row.versions.order_by("-version").first()
    fields = bot_versions.fields_of(request, query)
    bot = versions.add_version(
        line_id=row.pk,
        actor=account,
        upload=bot_versions.upload_of(request, fields, latest.families if latest else ()),
    )
    return bot_versions.uploaded(response, bot)


def _bot(bot: Bot) -> BotShape:
    return BotShape.of(
        bot,
        id=bot.pk,
        kind=bot.program.kind if bot.program else "remote" if bot.line_id else "built-in",
        author=shapes.player_of(bot.owner),
        line=bot.line_id,
        ratings=[bot_shapes.rating(row) for row in bot.player.ratings.all()],
    )
