"""The prizes of events: the fund, its rules, and the award."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from django.http import Http404
from pydantic import BaseModel, Field

from tournaments.api import routes
from tournaments.api.callers import ApiRequest
from tournaments.api.events import shared
from tournaments.api.operations import Body, Operations
from tournaments.models.prizes import MAX_AMOUNT, MAX_PRIZES, MAX_TEXT, MAX_WORDS
from tournaments.queries.events import prizes as services
from tournaments.services.arbiter import prize_awards
from tournaments.services.events import prize_changes
from tournaments.services.events.prize_changes import OfEvent
from tournaments.services.results import event_document
from tournaments.standings.prizes import Category, Kind, Rules, Sharing

operations = Operations("Prizes of events", shared.ROUTER)

Amount = Annotated[int, Field(ge=0, le=MAX_AMOUNT, description="In minor units, such as cents.")]
Elo = Annotated[int | None, Field(ge=0, le=services.MAX_RATING)]


class Prizes(BaseModel):
    """The fund and the winners: as confirmed, or by the current standings. Sums are in minor units."""

    currency: str
    confirmed_at: datetime | None
    rules: dict[str, Any]
    prizes: list[dict[str, Any]]
    awards: list[dict[str, Any]]


class NewPrize(Body):
    """A prize: money, a thing in `words`, or both.

    Its category is `overall`, or for `people`, `bots`, the `unrated`, a band of `rating`s, or those
    of a `club`, a `federation`, a `label`, an `age` group (`U18`, `S50`) or a `sex` (`w`, `m`), which
    is in `text`.
    """

    # fmt: off
    kind: Literal[
        "overall", "rating", "unrated", "people", "bots", "club", "federation", "label", "age", "sex"
    ] = "overall"
    # fmt: on
    rating_from: Elo = None
    rating_below: Elo = None
    text: Annotated[str, Field(max_length=MAX_TEXT)] = ""
    amount: Amount = 0
    words: Annotated[str, Field(max_length=MAX_WORDS)] = ""

    def category(self) -> Category:
        """Return the category, not checked."""
        return Category(Kind(self.kind), self.rating_from, self.rating_below, self.text)


class Division(Body):
    """A total that is divided among the first places. It replaces the current overall prizes."""

    total: Amount
    percents: Annotated[
        list[Annotated[int, Field(ge=0, le=100)]], Field(min_length=1, max_length=MAX_PRIZES)
    ]


class FundRules(Body):
    """The rules of the prizes."""

    currency: Annotated[str, Field(min_length=3, max_length=3)]
    sharing: Annotated[
        Literal["none", "equal", "hort"], Field(description="Among those with equal points.")
    ] = "none"
    rounding: Annotated[Amount, Field(ge=1)] = 1
    is_cumulative: bool = False
    least_points_halves: Annotated[int, Field(ge=0, le=1_000)] = 0
    least_games: Annotated[int, Field(ge=0, le=1_000)] = 0

    def rules(self) -> Rules:
        """Return the rules without the currency."""
        values = self.model_dump(exclude={"currency"})
        return Rules(**{**values, "sharing": Sharing(self.sharing)})


@operations.get_later("/events/{slug:event}/prizes", "event-prizes", routes.OPEN)
def prizes(request: ApiRequest, event: str) -> Prizes:
    """Return the prizes of an event, or 404 without prizes."""
    return shape_of(shared.event_of(request, event))


@operations.post(
    "/events/{slug:event}/prizes",
    "prize-add",
    routes.DESK,
    body='{"amount": 2000, "words": "and a book"}',
)
def add(request: ApiRequest, event: str, body: NewPrize) -> Prizes:
    """Add a prize, behind those of its category that are at least as valuable."""
    row = shared.event_of(request, event)
    prize_changes.add(
        owner=OfEvent(row.pk),
        actor=request.caller.account,
        category=body.category(),
        amount=body.amount,
        words=body.words,
    )
    return shape_of(row)


@operations.delete("/events/{slug:event}/prizes/{int:prize_id}", "prize-remove", routes.DESK)
def remove(request: ApiRequest, event: str, prize_id: int) -> None:
    """Take a prize out of the fund."""
    row = shared.event_of(request, event)
    prize_changes.remove(owner=OfEvent(row.pk), actor=request.caller.account, prize_id=prize_id)


@operations.put(
    "/events/{slug:event}/prizes/division",
    "prizes-divide",
    routes.DESK,
    body='{"total": 10000, "percents": [60, 30, 10]}',
)
def divide(request: ApiRequest, event: str, body: Division) -> Prizes:
    """Divide a total into the overall prizes."""
    row = shared.event_of(request, event)
    prize_changes.divide(owner=OfEvent(row.pk), actor=request.caller.account, **body.model_dump())
    return shape_of(row)


@operations.put(
    "/events/{slug:event}/prizes/rules",
    "prizes-rules",
    routes.DESK,
    body='{"currency": "EUR", "sharing": "hort"}',
)
def set_rules(request: ApiRequest, event: str, body: FundRules) -> FundRules:
    """Set the rules of the prizes, and their currency. Amounts remain as decimals."""
    row = shared.event_of(request, event)
    prize_changes.set_rules(
        owner=OfEvent(row.pk),
        actor=request.caller.account,
        currency=body.currency.upper(),
        rules=body.rules(),
    )
    return body


@operations.post("/events/{slug:event}/prizes/award", "prizes-award", routes.DESK, status=200)
def award(request: ApiRequest, event: str) -> Prizes:
    """Award the prizes by the standings, once the event is over. The winners are notified."""
    row = shared.event_of(request, event)
    prize_awards.confirm(event_id=row.pk, actor=request.caller.account)
    return shape_of(row)


def shape_of(owner: services.Owner) -> Prizes:
    """Return the prizes of the event or the festival. Raises Http404, ComputingError."""
    document = event_document.prizes_of(owner)
    if document is None:
        raise Http404
    names = ("sharing", "rounding", "is_cumulative", "least_points_halves", "least_games")
    pks = services.row_of(owner).prizes.values_list("pk", flat=True)
    fund = [{"id": pk, **each} for pk, each in zip(pks, document["prizes"], strict=True)]
    rules = {name: document[name] for name in names}
    return Prizes.model_validate({**document, "prizes": fund, "rules": rules})
