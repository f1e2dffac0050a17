"""Remote bots: one's own, made, and which games they play."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from ninja import Query
from pydantic import Field

from tournaments import database_time
from tournaments.api import dry_runs, etags, paging, routes, shapes
from tournaments.api.callers import ApiRequest
from tournaments.api.deprecation import Deprecated
from tournaments.api.dry_runs import DryRunQuery
from tournaments.api.operations import Body, Operations
from tournaments.api.paging import Page, PageQuery
from tournaments.api.problems import ProblemError
from tournaments.edges import access
from tournaments.models import Bot
from tournaments.services.accounts import remote_presence
from tournaments.services.bots import programs
from tournaments.services.bots import remote_bots as services

operations = Operations("Remote bots")

_Families = Annotated[
    list[Annotated[str, Field(max_length=20)]], Field(min_length=1, max_length=50)
]


class NewBot(Body):
    """A new remote bot. Its consent to games and events with others can be changed afterwards."""

    name: Annotated[str, Field(min_length=2, max_length=34)]
    description: Annotated[str, Field(max_length=300)] = ""
    families: _Families


class FamiliesChange(Body):
    """The games that it will play."""

    families: _Families


class RemoteBotShape(shapes.Shape):
    """A remote bot as its author sees it. A token that plays as it is made on the page of tokens."""

    id: int
    player: shapes.PlayerName
    state: Annotated[str, Field(description="ready, retired, suspended or annulled")]
    line: Annotated[int, Field(description="By which its consent is read and changed.")]
    families: list[str]
    is_present: Annotated[bool, Field(description="A program plays for it at this time.")]
    seen_at: datetime | None
    module: Annotated[
        str | None, Field(description="SHA-256 of what it plays by in events by fuel, or null")
    ]


@operations.get("/remote-bots", "remote-bots", routes.PRIVATE, answer=Page[RemoteBotShape])
def bots(request: ApiRequest, query: Query[PageQuery]) -> HttpResponseBase:
    """Return your remote bots, from the first."""
    rows = Bot.objects.filter(owner=request.caller.account, remote__isnull=False)
    return paging.answer(
        request, rows.select_related("player", "remote__module"), ["pk"], query, _shape
    )


@operations.get("/remote-bots/{int:bot_id}", "remote-bot", routes.PRIVATE)
def bot(request: ApiRequest, bot_id: int) -> RemoteBotShape:
    """Return a remote bot of yours."""
    return _shape(access.get_remote_bot_for(request.caller.account, bot_id))


@operations.post(
    "/remote-bots",
    "remote-bot-create",
    routes.OWN_BOT,
    body='{"name": "Cronopio", "families": ["morlox"]}',
)
def create(
    request: ApiRequest, response: HttpResponse, query: Query[DryRunQuery], body: NewBot
) -> RemoteBotShape:
    """Create a remote bot: a player that a program of yours plays for, with a separate token."""

    def act() -> RemoteBotShape:
        return _shape(services.create(owner=request.caller.account, **body.model_dump()))

    shape = dry_runs.run(act, is_dry=query.dry_run)
    if not query.dry_run:
        response["Location"] = f"/api/v1/remote-bots/{shape.id}"
    return shape


@operations.patch(
    "/remote-bots/{int:bot_id}",
    "remote-bot-change",
    routes.OWN_BOT,
    body='{"families": ["morlox", "morelli"]}',
)
def change(request: ApiRequest, bot_id: int, body: FamiliesChange) -> RemoteBotShape:
    """Change the games that a remote bot of yours plays. Games in progress continue."""
    account = request.caller.account
    etags.require(request, _shape(access.get_remote_bot_for(account, bot_id)))
    services.change_families(bot_id=bot_id, actor=account, families=body.families)
    return _shape(access.get_remote_bot_for(account, bot_id))


@operations.post(
    "/remote-bots/{int:bot_id}/module",
    "remote-bot-module",
    routes.UPLOAD,
    body="@bot.wasm",
    takes_file=True,
)
def deposit(request: ApiRequest, bot_id: int) -> RemoteBotShape:
    """Deposit the WebAssembly module by which a remote bot plays in events by fuel, permanently.

    Its program computes the plies. The site's workers check some of them after each game.
    """
    return _deposited(request, bot_id)


def _deposited(request: ApiRequest, bot_id: int) -> RemoteBotShape:
    """Store the module of the request, and return the bot that has it."""
    account, data = request.caller.account, request.file.data
    bot = access.get_remote_bot_for(account, bot_id)
    if len(data) > programs.MAX_UPLOAD_BYTES:
        raise ProblemError("too-large", f"{programs.MAX_UPLOAD_BYTES} bytes at most")
    services.deposit(bot_id=bot.pk, actor=account, data=data, filename="module.wasm")
    return _shape(access.get_remote_bot_for(account, bot_id))


@operations.post(
    "/bots/remote/{int:bot_id}/module",
    "remote-bot-module-former",
    routes.UPLOAD,
    body="@bot.wasm",
    takes_file=True,
    deprecated=Deprecated(
        date(2026, 11, 27), date(2027, 6, 30), "POST /remote-bots/{bot_id}/module"
    ),
)
def deposit_formerly(request: ApiRequest, bot_id: int) -> RemoteBotShape:
    """Deposit the WebAssembly module of a remote bot, permanently."""
    return _deposited(request, bot_id)


def _shape(row: Bot) -> RemoteBotShape:
    return RemoteBotShape.of(
        row,
        id=row.pk,
        line=row.line_id or 0,
        is_present=remote_presence.is_present(row.remote, database_time.now()),
        seen_at=row.remote.seen_at,
        module=row.remote.module.digest if row.remote.module else None,
    )
