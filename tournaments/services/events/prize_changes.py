"""Changes of the prize fund of an event by its organiser."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from django.db import transaction

from tournaments.errors import RefusedError, StaleError
from tournaments.models import Event, Prize, PrizeFund, User
from tournaments.models.prizes import MAX_AMOUNT, MAX_PRIZES, MAX_TEXT, MAX_WORDS
from tournaments.queries.events.prizes import (
    MAX_RATING,
    columns_of,
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


def add(
    *, event_id: int, actor: User, category: Category, amount: int = 0, words: str = ""
) -> None:
    """Add a prize: behind those of its category that are at least as valuable.

    `amount` is in minor units of the fund's currency.

    Raises:
        NotAllowedError: `not-organiser`.
        StaleError: `prizes-awarded`, `event-over`.
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

    def change(fund: Fund) -> Sequence[FundPrize]:
        before = [n for n, each in enumerate(fund.prizes) if each.category == prize.category]
        place = len(fund.prizes) if not before else before[-1] + 1
        for n in before:
            if fund.prizes[n].amount < prize.amount:
                place = n
                break
        return [*fund.prizes[:place], prize, *fund.prizes[place:]]

    _change(event_id, actor, change)


def remove(*, event_id: int, actor: User, prize_id: int) -> None:
    """Remove a prize from the fund. The later places of its category move up.

    Raises NotAllowedError `not-organiser`, StaleError `prize-removed`, `prizes-awarded` or
    `event-over`.
    """

    def change(fund: Fund) -> Sequence[FundPrize]:
        number = _number(event_id, prize_id)
        return [*fund.prizes[:number], *fund.prizes[number + 1 :]]

    _change(event_id, actor, change)


def move(*, event_id: int, actor: User, prize_id: int, is_up: bool) -> None:
    """Exchange a prize with the one above or below it. At the end of the list it does not move.

    Raises NotAllowedError `not-organiser`, StaleError `prize-removed`, `prizes-awarded` or
    `event-over`, RefusedError `prize-order` if a place would win more than the one before.
    """

    def change(fund: Fund) -> Sequence[FundPrize]:
        one = _number(event_id, prize_id)
        other = one - 1 if is_up else one + 1
        prizes = list(fund.prizes)
        if 0 <= other < len(prizes):
            prizes[one], prizes[other] = prizes[other], prizes[one]
        return prizes

    _change(event_id, actor, change)


def divide(*, event_id: int, actor: User, total: int, percents: Sequence[int]) -> None:
    """Replace the overall prizes by these parts of `total`, in minor units.

    Raises errors as `add`, and RefusedError `prize-percents`.
    """
    if total > MAX_AMOUNT or len(percents) > MAX_PRIZES:
        raise RefusedError("prize-large", str(total))

    def change(fund: Fund) -> Sequence[FundPrize]:
        parts = split(total, percents, rounding=fund.rules.rounding)
        others = [each for each in fund.prizes if each.category.kind is not Kind.OVERALL]
        return [*(FundPrize(Category(), part) for part in parts), *others]

    _change(event_id, actor, change)


def _number(event_id: int, prize_id: int) -> int:
    """The number of a prize in its fund, from 0. Raises StaleError `prize-removed`."""
    pks = list(Prize.objects.filter(fund__event=event_id).values_list("pk", flat=True))
    if prize_id not in pks:
        raise StaleError("prize-removed", str(prize_id))
    return pks.index(prize_id)


def _change(event_id: int, actor: User, change: Callable[[Fund], Sequence[FundPrize]]) -> None:
    with transaction.atomic():
        event = _lock(event_id, actor)
        try:
            before = fund_of(event)
            after = Fund(tuple(change(before)), before.rules)
            after.check()
        except BadFundError as error:
            raise RefusedError(error.code, error.detail) from error
        if len(after.prizes) > MAX_PRIZES:
            raise RefusedError("prizes-many", str(MAX_PRIZES))
        if after == before:
            return
        _store(event, after)
        _note(event, actor, before, after)


def set_rules(*, event_id: int, actor: User, currency: str, rules: Rules) -> None:
    """Set the rules of the prizes, and their currency. The amounts stay as decimals.

    Raises:
        NotAllowedError: `not-organiser`.
        StaleError: `prizes-awarded`, `event-over`.
        RefusedError: `prize-currency`, `prize-rules`, `prize-rounding`.
    """
    is_code = len(currency) == _CURRENCY_LENGTH and currency.isascii() and currency.isupper()
    if not is_code or not currency.isalpha():
        raise RefusedError("prize-currency", currency)
    least = (rules.least_points_halves, rules.least_games)
    if not 0 <= min(least) <= max(least) <= _MAX_LEAST or rules.rounding > MAX_AMOUNT // 1000:
        raise RefusedError("prize-rules", str(rules))
    with transaction.atomic():
        event = _lock(event_id, actor)
        row = row_of(event)
        before = fund_of(event)
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
        _store(event, after, currency)
        _note(event, actor, before, after)


def copy(*, source: Event, target: Event) -> None:
    """Give an event without prizes the fund of another one. In the caller's transaction."""
    row = PrizeFund.objects.filter(event=source).first()
    if row is not None:
        _store(target, fund_of(source), row.currency)


def _lock(event_id: int, actor: User) -> Event:
    event = acts.lock(event_id, actor, Task.SETTINGS)
    if event.state == Event.State.CANCELLED:
        raise StaleError("event-over")
    if standing_awards(event) is not None:
        raise StaleError("prizes-awarded")
    return event


def _store(event: Event, fund: Fund, currency: str = "") -> None:
    row = row_of(event)
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


def _note(event: Event, actor: User, before: Fund, after: Fund) -> None:
    audit.note(
        "prizes",
        event=event,
        actor=actor,
        before=_words(before),
        after=_words(after),
    )
    news.announce(news.of_event(event.pk), "prizes", {})


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
