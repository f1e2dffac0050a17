"""The prizes of festivals: the fund over all sections, its rules, and the award."""

from __future__ import annotations

from tournaments.api import routes
from tournaments.api.callers import ApiRequest
from tournaments.api.events import shared
from tournaments.api.events.prizes import Division, FundRules, NewPrize, Prizes, shape_of
from tournaments.api.operations import Operations
from tournaments.edges import access
from tournaments.models import Festival
from tournaments.services.arbiter import festival_prizes
from tournaments.services.events import prize_changes
from tournaments.services.festivals.prizes import OfFestival

operations = Operations("Prizes of festivals", shared.ROUTER)


@operations.get_later("/festivals/{slug:festival}/prizes", "festival-prizes", routes.COMPUTED)
def prizes(request: ApiRequest, festival: str) -> Prizes:
    """Return the prizes of a festival, or 404 without prizes. Each award names the section as `event`."""
    return shape_of(_row(request, festival))


@operations.post(
    "/festivals/{slug:festival}/prizes",
    "festival-prize-add",
    routes.DESK,
    body='{"amount": 2000, "words": "and a book"}',
)
def add(request: ApiRequest, festival: str, body: NewPrize) -> Prizes:
    """Add a prize, behind those of its category that are at least as valuable."""
    row = _row(request, festival)
    prize_changes.add(
        owner=OfFestival(row.pk),
        actor=request.caller.account,
        category=body.category(),
        amount=body.amount,
        words=body.words,
    )
    return shape_of(row)


@operations.delete(
    "/festivals/{slug:festival}/prizes/{int:prize_id}", "festival-prize-remove", routes.DESK
)
def remove(request: ApiRequest, festival: str, prize_id: int) -> None:
    """Take a prize out of the fund."""
    row = _row(request, festival)
    prize_changes.remove(owner=OfFestival(row.pk), actor=request.caller.account, prize_id=prize_id)


@operations.put(
    "/festivals/{slug:festival}/prizes/division",
    "festival-prizes-divide",
    routes.DESK,
    body='{"total": 10000, "percents": [60, 30, 10]}',
)
def divide(request: ApiRequest, festival: str, body: Division) -> Prizes:
    """Divide a total into the overall prizes."""
    row = _row(request, festival)
    prize_changes.divide(
        owner=OfFestival(row.pk), actor=request.caller.account, **body.model_dump()
    )
    return shape_of(row)


@operations.put(
    "/festivals/{slug:festival}/prizes/rules",
    "festival-prizes-rules",
    routes.DESK,
    body='{"currency": "EUR", "sharing": "hort"}',
)
def set_rules(request: ApiRequest, festival: str, body: FundRules) -> FundRules:
    """Set the rules of the prizes, and their currency. Amounts remain as decimals."""
    prize_changes.set_rules(
        owner=OfFestival(_row(request, festival).pk),
        actor=request.caller.account,
        currency=body.currency.upper(),
        rules=body.rules(),
    )
    return body


@operations.post(
    "/festivals/{slug:festival}/prizes/award", "festival-prizes-award", routes.DESK, status=200
)
def award(request: ApiRequest, festival: str) -> Prizes:
    """Award the prizes once all sections are over, before their own. The winners are notified."""
    row = _row(request, festival)
    festival_prizes.confirm(festival_id=row.pk, actor=request.caller.account)
    return shape_of(row)


@operations.delete(
    "/festivals/{slug:festival}/prizes/award", "festival-prizes-withdraw", routes.DESK
)
def withdraw(request: ApiRequest, festival: str) -> None:
    """Withdraw the award. The winners are notified."""
    row = _row(request, festival)
    festival_prizes.withdraw(festival_id=row.pk, actor=request.caller.account)


def _row(request: ApiRequest, slug: str) -> Festival:
    return access.get_festival_for(request.caller.user, slug)
