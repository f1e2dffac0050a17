"""Remote bots: one's own, made and told what to accept."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

from django.http import HttpResponse
from ninja import Query
from pydantic import BaseModel, Field

from tournaments.api import dry_runs, etags, paging, shapes
from tournaments.api.dry_runs import DryRunQuery
from tournaments.api.operations import Operations
from tournaments.api.paging import Page, PageQuery
from tournaments.api.problems import ProblemError
from tournaments.edges import access
from tournaments.models import Bot
from tournaments.services import database_time
from tournaments.services.accounts import remote_terms
from tournaments.services.bots import programs
from tournaments.services.bots import remote_bots as services

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase

    from tournaments.api.callers import ApiRequest

operations = Operations("Remote bots")

_Seconds = Annotated[int, Field(ge=1, le=24 * 86_400)]
_Games = Annotated[int, Field(ge=1, le=8, description="At once.")]
_Families = Annotated[
    list[Annotated[str, Field(max_length=20)]], Field(min_length=1, max_length=50)
]


class TermsShape(BaseModel):
    """What a remote bot accepts: games, the seconds on a clock at the start, rated or casual, and how many at once."""

    families: _Families
    least_s: _Seconds = 10
    most_s: _Seconds = 3600
    takes_rated: bool = True
    takes_casual: bool = True
    max_games: _Games = 1


class NewBot(TermsShape):
    """A new remote bot."""

    name: Annotated[str, Field(min_length=2, max_length=34)]
    description: Annotated[str, Field(max_length=300)] = ""


class TermsChange(BaseModel):
    """What is to be changed; the rest stays."""

    families: _Families | None = None
    least_s: _Seconds | None = None
    most_s: _Seconds | None = None
    takes_rated: bool | None = None
    takes_casual: bool | None = None
    max_games: _Games | None = None


class RemoteBotShape(BaseModel):
    """A remote bot as its author sees it. A token that plays as it is made on the page of tokens."""

    id: int
    player: shapes.PlayerName
    state: Annotated[str, Field(description="ready, retired, suspended or annulled")]
    terms: TermsShape
    is_present: Annotated[bool, Field(description="A program plays for it at this time.")]
    seen_at: datetime | None
    module: Annotated[
        str | None, Field(description="SHA-256 of what it plays by in events by fuel, or null")
    ]


@operations.get("/remote-bots", "remote-bots", answer=Page[RemoteBotShape])
def bots(request: ApiRequest, query: Query[PageQuery]) -> HttpResponseBase:
    """Your remote bots, the first one first."""
    rows = Bot.objects.filter(owner=request.caller.account, remote__isnull=False)
    return paging.answer(
        request, rows.select_related("player", "remote__module"), ["pk"], query, _shape
    )


@operations.get("/remote-bots/{int:bot_id}", "remote-bot", answer=RemoteBotShape)
def bot(request: ApiRequest, bot_id: int) -> RemoteBotShape:
    """A remote bot of yours."""
    return _shape(access.get_remote_bot_for(request.caller.account, bot_id))


@operations.post(
    "/remote-bots",
    "remote-bot-create",
    answer=RemoteBotShape,
    body='{"name": "Cronopio", "families": ["morlox"], "max_games": 2}',
)
def create(
    request: ApiRequest, response: HttpResponse, query: Query[DryRunQuery], body: NewBot
) -> RemoteBotShape:
    """Make a remote bot: a player that a program of yours plays for, by a token of its own."""
    terms = services.Terms(**body.model_dump(exclude={"name", "description"}))

    def act() -> RemoteBotShape:
        return _shape(
            services.create(
                owner=request.caller.account,
                name=body.name,
                description=body.description,
                terms=terms,
            )
        )

    shape = dry_runs.run(act, is_dry=query.dry_run)
    if not query.dry_run:
        response["Location"] = f"/api/v1/remote-bots/{shape.id}"
    return shape


@operations.patch(
    "/remote-bots/{int:bot_id}", "remote-bot-change", answer=RemoteBotShape, body='{"max_games": 3}'
)
def change(request: ApiRequest, bot_id: int, body: TermsChange) -> RemoteBotShape:
    """Change what a remote bot of yours accepts; games that have begun go on."""
    account = request.caller.account
    current = _shape(access.get_remote_bot_for(account, bot_id))
    etags.require(request, current)
    terms = current.terms.model_copy(update=body.model_dump(exclude_none=True))
    services.change(bot_id=bot_id, actor=account, terms=services.Terms(**terms.model_dump()))
    return _shape(access.get_remote_bot_for(account, bot_id))


@operations.post(
    "/bots/remote/{int:bot_id}/module",
    "remote-bot-module",
    answer=RemoteBotShape,
    body="@bot.wasm",
    takes_file=True,
)
def deposit(request: ApiRequest, bot_id: int) -> RemoteBotShape:
    """Deposit the WebAssembly module by which a remote bot plays in events by fuel, for good.

    Its program computes the plies; workers here look at some of them after each game.
    """
    account, data = request.caller.account, request.file.data
    bot = access.get_remote_bot_for(account, bot_id)
    if len(data) > programs.MAX_UPLOAD_BYTES:
        raise ProblemError("too-large", f"{programs.MAX_UPLOAD_BYTES} bytes at most")
    services.deposit(bot_id=bot.pk, actor=account, data=data, filename="module.wasm")
    return _shape(access.get_remote_bot_for(account, bot_id))


def _shape(row: Bot) -> RemoteBotShape:
    return RemoteBotShape(
        id=row.pk,
        player=shapes.player_name(row.player),
        state=row.state,
        terms=TermsShape.model_validate(services.terms_of(row), from_attributes=True),
        is_present=remote_terms.is_present(row.remote, database_time.now()),
        seen_at=row.remote.seen_at,
        module=row.remote.module.digest if row.remote.module else None,
    )
