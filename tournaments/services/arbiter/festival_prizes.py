"""Award of the prizes of a festival: the organiser confirms them by the final standings of all sections."""

from __future__ import annotations

from django.db import transaction

from tournaments.errors import RefusedError, StaleError
from tournaments.models import AwardList, Event, Festival, User
from tournaments.queries.events import prizes
from tournaments.queries.results import festival_awards
from tournaments.services import audit
from tournaments.services.arbiter import prize_awards
from tournaments.services.festivals import changes


def confirm(*, festival_id: int, actor: User) -> AwardList:
    """Award the prizes of the festival, and notify the winners who have an account.

    The sections award their prizes afterwards. A winner here wins none there.

    Raises:
        NotAllowedError: `not-your-festival`.
        StaleError: `festival-deleted`, `festival-awarded`, `sections-open` before the end of all sections.
        RefusedError: `festival-prizes-none` without prizes, `festival-currency` if a section has
            prizes in another currency.
    """
    with transaction.atomic():
        festival = changes.lock(festival_id, actor)
        changes.require_not_awarded(festival)
        sections = festival_awards.sections_of(festival)
        _require_final(festival, sections)
        outcome = festival_awards.of_festival(festival)
        if outcome is None:
            raise RefusedError("festival-prizes-none")
        entry = audit.note("festival-award", actor=actor, festival=festival.slug)
        return prize_awards.store(AwardList(festival=festival, log_entry=entry), outcome)


def _require_final(festival: Festival, sections: list[Event]) -> None:
    is_open = any(event.state != Event.State.FINISHED for event in sections)
    if is_open or not sections:
        raise StaleError("sections-open", festival.slug)
    currency = prizes.row_of(festival).currency
    for event in sections:
        if prizes.has_prizes(event) and prizes.row_of(event).currency != currency:
            raise RefusedError("festival-currency", event.name)


def withdraw(*, festival_id: int, actor: User) -> None:
    """Withdraw the award of the prizes of the festival, and notify the winners.

    Raises:
        NotAllowedError: `not-your-festival`.
        StaleError: `festival-deleted`, `festival-not-awarded`, `sections-awarded` while prizes of a
            section are awarded, which depend on it.
    """
    with transaction.atomic():
        festival = changes.lock(festival_id, actor)
        confirmed = prizes.standing_awards(festival)
        if confirmed is None:
            raise StaleError("festival-not-awarded", festival.slug)
        later = AwardList.objects.filter(
            event__section__festival=festival, taken_back_at=None, made_at__gt=confirmed.made_at
        )
        if later.exists():
            raise StaleError("sections-awarded", festival.slug)
        prize_awards.withdraw(confirmed)
        audit.note("festival-award-back", actor=actor, festival=festival.slug)
