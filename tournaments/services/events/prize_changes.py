"""Changes of the prize fund of an event or a festival by its organiser."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from django.db import transaction

from tournaments.errors import RefusedError, StaleError
from tournaments.models import Event, Prize, PrizeFund, User
from tournaments.models.prizes import MAX_AMOUNT, MAX_PRIZES, MAX_TEXT, MAX_WORDS
from tournaments.queries.events.prizes import (
    MAX_RATING,
    Owner,
    columns_of,
    festival_fund,
    fund_in,
    fund_of,
    row_of,
    standing_awards,
)
from tournaments.queries.events.staff import Task
from tournaments.services import audit
from tournaments.services.events import acts
from tournaments.services.notifications import news
from tournaments.standings.prizes import (
    BadFundError,
    Category,
    Fund,
    Kind,
    Rules,
    money,
    split,
)
from tournaments.standings.prizes import Prize as FundPrize

_MAX_LEAST = 1000


_CURRENCY_LENGTH = 3


class FundOwner(Protocol):
    """An event or a festival as the owner of a fund."""

    def lock(self, actor: User) -> Owner:
        """Return the locked row for a change of its prizes. Raises NotAllowedError, StaleError."""

    def note(self, owner: Owner, actor: User, before: object, after: object) -> None:
        """Add the change to the audit log, and announce it."""


@dataclass(frozen=True, slots=True)
class OfEvent:
    """The event with this id."""

    event_id: int

    def lock(self, actor: User) -> Event:
        """Return the locked event.

        Raises NotAllowedError `not-organiser`, StaleError `event-over`, `prizes-awarded`,
        `festival-awarded`.
        """
        event = acts.lock(self.event_id, actor, Task.SETTINGS)
        if event.state == Event.State.CANCELLED:
            raise StaleError("event-over")
        if standing_awards(event) is not None:
            raise StaleError("prizes-awarded")
        fund = festival_fund(event)
        if fund is not None and fund.festival and standing_awards(fund.festival):
            raise StaleError("festival-awarded")
        return event

    def note(self, owner: Owner, actor: User, before: object, after: object) -> None:
        """Add the change to the log of the event."""
        assert isinstance(owner, Event), "locked by `lock`"
        audit.note("prizes", event=owner, actor=actor, before=before, after=after)
        news.announce(news.of_event(owner.pk), "prizes", {})


def add(
    *, owner: FundOwner, actor: User, category: Category, amount: int = 0, words: str = ""
) -> None:
    """Add a prize: behind those of its category that are at least as valuable.

    `amount` is in minor units of the fund's currency.

    Raises:
        NotAllowedError, StaleError: as `FundOwner.lock`.
        RefusedError: `prize-category`, `prize-empty`, `prize-rounding`, `prize-large`,
            `prizes-many`.
    """
    text = " ".join(category.text.replace("\x00", "").split())
    if category.kind in {Kind.FEDERATION, Kind.AGE}:
        text = text.upper()
    if category.kind is Kind.SEX:
        text = text.lower()
    words = " ".join(words.replace("\x00", "").split())
    ratings = (category.rating_from or 0, category.rating_below or 0)
    if len(text) > MAX_TEXT or not 0 <= min(ratings) <= max(ratings) <= MAX_RATING:
        raise RefusedError("prize-category", text)
    if len(words) > MAX_WORDS or amount > MAX_AMOUNT:
        raise RefusedError("prize-large", words)
    prize = FundPrize(replace(category, text=text), amount, words)

    def change(fund: Fund, _pks: Sequence[int]) -> Sequence[FundPrize]:
        before = [n for n, each in enumerate(fund.prizes) if each.category == prize.category]
        place = len(fund.prizes) if not before else before[-1] + 1
        for n in before:
            if fund.prizes[n].amount < prize.amount:
                place = n
                break
        return [*fund.prizes[:place], prize, *fund.prizes[place:]]

    _change(owner, actor, change)


def remove(*, owner: FundOwner, actor: User, prize_id: int) -> None:
    """Remove a prize from the fund. The later places of its category move up.

    Raises StaleError `prize-removed`, and errors of `FundOwner.lock`.
    """

    def change(fund: Fund, pks: Sequence[int]) -> Sequence[FundPrize]:
        number = _number(pks, prize_id)
        return [*fund.prizes[:number], *fund.prizes[number + 1 :]]

    _change(owner, actor, change)


def move(*, owner: FundOwner, actor: User, prize_id: int, is_up: bool) -> None:
    """Exchange a prize with the one above or below it. At the end of the list it does not move.

    Raises StaleError `prize-removed`, RefusedError `prize-order` if a place would win more than the one
    before, and errors of `FundOwner.lock`.
    """

    def change(fund: Fund, pks: Sequence[int]) -> Sequence[FundPrize]:
        one = _number(pks, prize_id)
        other = one - 1 if is_up else one + 1
        prizes = list(fund.prizes)
        if 0 <= other < len(prizes):
            prizes[one], prizes[other] = prizes[other], prizes[one]
        return prizes

    _change(owner, actor, change)


def divide(*, owner: FundOwner, actor: User, total: int, percents: Sequence[int]) -> None:
    """Replace the overall prizes by these parts of `total`, in minor units.

    Raises errors as `add`, and RefusedError `prize-percents`.
    """
    if total > MAX_AMOUNT or len(percents) > MAX_PRIZES:
        raise RefusedError("prize-large", str(total))

    def change(fund: Fund, _pks: Sequence[int]) -> Sequence[FundPrize]:
        parts = split(total, percents, rounding=fund.rules.rounding)
        others = [each for each in fund.prizes if each.category.kind is not Kind.OVERALL]
        return [*(FundPrize(Category(), part) for part in parts), *others]

    _change(owner, actor, change)


def _number(pks: Sequence[int], prize_id: int) -> int:
    """The number of a prize in its fund, from 0. Raises StaleError `prize-removed`."""
    if prize_id not in pks:
        raise StaleError("prize-removed", str(prize_id))
    return pks.index(prize_id)


def _change(
    owner: FundOwner,
    actor: User,
    change: Callable[[Fund, Sequence[int]], Sequence[FundPrize]],
) -> None:
    """Change the prizes by a function of the fund and the ids of its prizes."""
    with transaction.atomic():
        locked = owner.lock(actor)
        row = row_of(locked)
        pks = list(row.prizes.values_list("pk", flat=True)) if row.pk else []
        try:
            before = fund_in(row)
            after = Fund(tuple(change(before, pks)), before.rules)
            after.check()
        except BadFundError as error:
            raise RefusedError(error.code, error.detail) from error
        if len(after.prizes) > MAX_PRIZES:
            raise RefusedError("prizes-many", str(MAX_PRIZES))
        if after == before:
            return
        _store(locked, after)
        owner.note(locked, actor, _words(before), _words(after))


def set_rules(*, owner: FundOwner, actor: User, currency: str, rules: Rules) -> None:
    """Set the rules of the prizes, and their currency. The amounts stay as decimals.

    Raises:
        NotAllowedError, StaleError: as `FundOwner.lock`.
        RefusedError: `prize-currency`, `prize-rules`, `prize-rounding`.
    """
    is_code = len(currency) == _CURRENCY_LENGTH and currency.isascii() and currency.isupper()
    if not is_code or not currency.isalpha():
        raise RefusedError("prize-currency", currency)
    least = (rules.least_points_halves, rules.least_games)
    if not 0 <= min(least) <= max(least) <= _MAX_LEAST or rules.rounding > MAX_AMOUNT // 1000:
        raise RefusedError("prize-rules", str(rules))
    with transaction.atomic():
        locked = owner.lock(actor)
        row = row_of(locked)
        before = fund_in(row)
        amounts = [money.converted(p.amount, row.currency, currency) for p in before.prizes]
        if None in amounts:
            raise RefusedError("prize-currency", currency)
        prizes = tuple(
            replace(prize, amount=amount or 0)
            for prize, amount in zip(before.prizes, amounts, strict=True)
        )
        after = Fund(prizes, rules)
        try:
            after.check()
        except BadFundError as error:
            raise RefusedError(error.code, error.detail) from error
        if after == before and row.currency == currency:
            return
        _store(locked, after, currency)
        owner.note(locked, actor, _words(before), _words(after))


def copy(*, source: Event, target: Event) -> None:
    """Give an event without prizes the fund of another one. In the caller's transaction."""
    row = PrizeFund.objects.filter(event=source).first()
    if row is not None:
        _store(target, fund_of(source), row.currency)


def clear(owner: Owner) -> None:
    """Delete the fund of an owner that is deleted. In the caller's transaction."""
    row = row_of(owner)
    if row.pk:
        row.prizes.all().delete()
        row.delete()


def _store(owner: Owner, fund: Fund, currency: str = "") -> None:
    row = row_of(owner)
    row.currency = currency or row.currency
    row.sharing = fund.rules.sharing.value
    row.rounding = fund.rules.rounding
    row.is_cumulative = fund.rules.is_cumulative
    row.least_points_halves = fund.rules.least_points_halves
    row.least_games = fund.rules.least_games
    row.save()
    row.prizes.all().delete()
    Prize.objects.bulk_create(
        Prize(
            fund=row,
            position=position,
            amount=prize.amount,
            words=prize.words,
            **columns_of(prize.category),
        )
        for position, prize in enumerate(fund.prizes, start=1)
    )


def _words(fund: Fund) -> dict[str, object]:
    """The fund as the log keeps it."""
    rules = fund.rules
    return {
        "prizes": [
            {**columns_of(each.category), "amount": each.amount, "words": each.words}
            for each in fund.prizes
        ],
        "sharing": rules.sharing.value,
        "rounding": rules.rounding,
        "is_cumulative": rules.is_cumulative,
        "least_points_halves": rules.least_points_halves,
        "least_games": rules.least_games,
    }
