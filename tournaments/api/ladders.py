"""Standing ladders of bots."""

from __future__ import annotations

from typing import Annotated

from django.http.response import HttpResponseBase
from ninja import Query
from pydantic import Field

from tournaments.api import bot_versions, paging, routes, shapes
from tournaments.api.bot_versions import BotEvent
from tournaments.api.callers import ApiRequest
from tournaments.api.operations import Body, Operations
from tournaments.api.paging import Page, PageQuery
from tournaments.edges import access
from tournaments.queries.bots import ladder_offers
from tournaments.queries.bots.ladder_offers import Ladder
from tournaments.services.rounds import standing_ladders

operations = Operations("Standing ladders")


class LadderShape(shapes.Shape):
    """The ladder of a rating pool, which never ends."""

    pool: Annotated[str, Field(description="The key of the pool, by which it is entered.")]
    ruleset: str
    clock: shapes.Clock
    admits_remote: bool
    rest_s: Annotated[int, Field(description="A bot out of placement rests so long after a pair.")]
    event: Annotated[str | None, Field(description="null before the first bot has entered")]
    bots: int


class PoolName(Body):
    """A rating pool, by its key."""

    pool: Annotated[str, Field(min_length=1, max_length=60)]


@operations.get("/bots/ladders", "bot-ladders", routes.OPEN, answer=Page[LadderShape])
def ladders(request: ApiRequest, query: Query[PageQuery]) -> HttpResponseBase:
    """Return the standing ladder of each rating pool of bots."""
    items = [_ladder(row) for row in ladder_offers.listing()]
    return paging.answer_all(request, items, query)


@operations.post(
    "/bots/versions/{int:version_id}/ladders",
    "bot-ladder-enter",
    routes.OWN_BOT,
    body='{"pool": "morlox-small-blitz-bots"}',
)
def enter(request: ApiRequest, version_id: int, body: PoolName) -> BotEvent:
    """Enter a version, or a remote bot, in the standing ladder of a pool.

    The answer is the ladder's event.
    """
    account = request.caller.account
    bot = access.get_version_for(account, version_id)
    entry = standing_ladders.enter(pool=body.pool, player=bot.player, actor=account)
    return bot_versions.event_row(entry.event, is_entered=True)


def _ladder(ladder: Ladder) -> LadderShape:
    offer = ladder.offer
    event = ladder.event.slug if ladder.event else None
    clock = shapes.clock_shape(offer.clock)
    return LadderShape.of(offer, clock=clock, event=event, bots=ladder.bots)
