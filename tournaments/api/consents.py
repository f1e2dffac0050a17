"""Permissions that authors give others for their bots, and their answers to organisers."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from django.http.response import HttpResponseBase
from ninja import Query
from pydantic import BaseModel, Field

from tournaments.api import etags, paging, routes, shapes
from tournaments.api.callers import ApiRequest
from tournaments.api.operations import Body, Operations
from tournaments.api.paging import Page, PageQuery
from tournaments.edges import access
from tournaments.models import BotRequest
from tournaments.services.accounts import bot_consents
from tournaments.services.accounts.bot_consents import Consent
from tournaments.services.events import bot_requests

operations = Operations("Consent for bots")

_ClockMs = Annotated[int, Field(ge=1000, le=24 * 86_400_000)]
_IncrementMs = Annotated[int, Field(ge=0, le=24 * 86_400_000)]
_Games = Annotated[
    int, Field(ge=1, le=64, description="Simultaneous games, all versions together.")
]
_Formats = Annotated[
    list[shapes.EventFormat],
    Field(max_length=9, description="Formats of events that may enter the bot without asking."),
]
_Rulesets = Annotated[
    list[Annotated[str, Field(max_length=120)]],
    Field(
        max_length=50, description="The boards it plays on; every board of its games when empty."
    ),
]
_Accounts = Annotated[
    list[Annotated[str, Field(max_length=40)]],
    Field(max_length=50, description="Names of accounts that may begin nothing with it."),
]
_Opponents = Literal["everybody", "people", "bots"]


class ConsentShape(shapes.Shape):
    """The games and events that others may begin with a bot. Its author needs no consent."""

    takes_casual: bool
    takes_rated: bool
    takes_matches: Annotated[bool, Field(description="Matches and gauntlets of other authors.")]
    lends_modules: Annotated[
        bool, Field(description="Volunteers' machines get its module to play matches under fuel.")
    ]
    open_formats: _Formats
    takes_requests: Annotated[bool, Field(description="Organisers of other events may ask.")]
    least_ms: _ClockMs
    most_ms: _ClockMs
    least_increment_ms: _IncrementMs
    most_increment_ms: _IncrementMs
    takes_unlimited: bool
    rulesets: _Rulesets
    opponents: _Opponents
    max_games: _Games


class OwnConsentShape(ConsentShape):
    """The games and events that others may begin with a bot of yours."""

    refused_accounts: _Accounts


class ConsentChange(Body):
    """The changes. Values that are left out remain."""

    takes_casual: bool | None = None
    takes_rated: bool | None = None
    takes_matches: bool | None = None
    lends_modules: bool | None = None
    open_formats: _Formats | None = None
    takes_requests: bool | None = None
    least_ms: _ClockMs | None = None
    most_ms: _ClockMs | None = None
    least_increment_ms: _IncrementMs | None = None
    most_increment_ms: _IncrementMs | None = None
    takes_unlimited: bool | None = None
    rulesets: _Rulesets | None = None
    opponents: _Opponents | None = None
    refused_accounts: _Accounts | None = None
    max_games: _Games | None = None


class BotRequestShape(shapes.Shape):
    """An organiser's request that a bot of yours play in an event."""

    id: int
    event: Annotated[str, Field(description="Its name in addresses.")]
    bot: shapes.PlayerName
    asker: shapes.PlayerName | None
    state: Annotated[str, Field(description="open, granted or declined")]
    requested_at: datetime


class BotChoice(Body):
    """A bot, by its number."""

    bot: shapes.Id


class EventBotRequest(BaseModel):
    """A request as the organiser sees it. The author answers later."""

    bot: shapes.PlayerName
    state: Annotated[str, Field(description="open, granted or declined")]


class BotRequestAnswer(Body):
    """The author's answer. `yes` enters the bot."""

    answer: Literal["yes", "no"]


@operations.get("/bots/{int:bot_id}/consent", "bot-consent", routes.OPEN)
def public_consent(request: ApiRequest, bot_id: int) -> ConsentShape:
    """Return the consent of an author to games and events that others begin with a bot."""
    line_id = access.get_line_of(bot_id).pk
    return ConsentShape.of(bot_consents.of_line(line_id))


@operations.get("/bots/lines/{int:line_id}/consent", "line-consent", routes.PRIVATE)
def consent(request: ApiRequest, line_id: int) -> OwnConsentShape:
    """Return the consent to games and events that others begin with a bot of yours, uploaded or remote."""
    return _shape(access.get_own_line_for(request.caller.account, line_id).pk)


@operations.patch(
    "/bots/lines/{int:line_id}/consent",
    "line-consent-change",
    routes.OWN_BOT,
    body='{"open_formats": ["arena", "ladder"], "takes_matches": false}',
)
def change(request: ApiRequest, line_id: int, body: ConsentChange) -> OwnConsentShape:
    """Change the consent to games and events with a bot of yours. Games in progress continue."""
    account = request.caller.account
    line = access.get_own_line_for(account, line_id)
    current = _shape(line.pk)
    etags.require(request, current)
    values = current.model_copy(update=body.model_dump(exclude_none=True)).model_dump()
    bot_consents.change(line_id=line.pk, actor=account, consent=Consent(**values))
    return _shape(line.pk)


@operations.get("/bots/requests", "bot-requests", routes.PRIVATE, answer=Page[BotRequestShape])
def requests(request: ApiRequest, query: Query[PageQuery]) -> HttpResponseBase:
    """Return the requests for bots of yours that wait for an answer, the latest first."""
    rows = bot_requests.of_author(request.caller.account)
    return paging.answer(request, rows, ["-pk"], query, _request)


@operations.post(
    "/bots/requests/{int:request_id}",
    "bot-request-answer",
    routes.OWN_BOT,
    status=200,
    body='{"answer": "yes"}',
)
def answer(request: ApiRequest, request_id: int, body: BotRequestAnswer) -> BotRequestShape:
    """Answer an organiser: `yes` enters the bot in the event."""
    account = request.caller.account
    row = access.get_bot_request_for(account, request_id)
    is_granted = body.answer == "yes"
    return _request(bot_requests.answer(request_id=row.pk, actor=account, is_granted=is_granted))


@operations.post(
    "/events/{slug:event}/bot-requests", "event-bot-request", routes.DESK, body='{"bot": $OPPONENT}'
)
def request_bot(request: ApiRequest, event: str, body: BotChoice) -> EventBotRequest:
    """Ask the author of a bot to let it play in an event of yours: a yes enters it."""
    account = request.caller.account
    row = access.get_event_for(account, event)
    player = access.get_bot(body.bot).player
    bot_request = bot_requests.request(event_id=row.pk, player=player, actor=account)
    return EventBotRequest(bot=shapes.player_name(player), state=bot_request.state)


def _shape(line_id: int) -> OwnConsentShape:
    return OwnConsentShape.of(bot_consents.of_line(line_id))


def _request(row: BotRequest) -> BotRequestShape:
    asker = shapes.player_of(row.asker)
    return BotRequestShape.of(row, event=row.event.slug, bot=row.bot.player, asker=asker)
