"""Creating an event with its registration open, and cancelling it before it starts."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.text import slugify

import games
from tournaments.models import Event
from tournaments.services import audit
from tournaments.services.clocks import game_clocks
from tournaments.services.errors import RefusedError, StaleError
from tournaments.services.events import entries, formats, plans, seed_chain, staff
from tournaments.services.events.staff import Task
from tournaments.services.notifications import news

if TYPE_CHECKING:
    from tournaments.models import User

# Words that stand in the place of a slug in our addresses.
_RESERVED_SLUGS = {"new", "plan"}


def create_event(*, organiser: User, plan: plans.EventPlan) -> Event:
    """A new event with its registration open.

    Raises:
        RefusedError: `name-bad`, `ruleset-bad`, `rounds-bad`, `entries-bad`, `clock-bad`,
            `admits-bad`, `format-bad`, `options-bad`, `points-bad`, `acceleration-bad`,
            `duration-bad`, `tie-breaks-bad`, `fuel-bad`.
    """
    plans.check(plan)
    try:
        ruleset = games.load(plan.ruleset)
    except games.RulesError as error:
        raise RefusedError("ruleset-bad", str(error)) from error
    is_continuous = formats.TRAITS[plan.format].is_continuous
    chain = seed_chain.new_seed_chain(
        seed_chain.CONTINUOUS_LENGTH if is_continuous else seed_chain.ROUNDS_LENGTH, plan.seed
    )
    columns = {name: getattr(plan, name) for name in plans.AS_PLANNED}
    columns["is_automatic"] |= is_continuous
    with transaction.atomic():
        event = Event(
            **columns,
            name=plan.name.strip(),
            description=plan.description.strip(),
            organiser=organiser,
            ruleset=ruleset.key,
            rounds_total=0 if is_continuous else plan.rounds_total,
            **game_clocks.columns(plan.clock),
            seed=secrets.randbits(48) if plan.seed is None else plan.seed,
            seed_secret=chain.secret,
            seed_commitment=chain.commitment,
            created_at=timezone.now(),
        )
        _save_with_slug(event)
        audit.note("create", event=event, actor=organiser)
        news.announce(news.SITE, "event", {"event": event.pk})
        return event


def _save_with_slug(event: Event) -> None:
    base = slugify(event.name, allow_unicode=False)[:60] or "event"
    for suffix in ("", *(f"-{n}" for n in range(2, 1000))):
        event.slug = base + suffix
        if event.slug in _RESERVED_SLUGS:
            continue
        try:
            with transaction.atomic():
                event.save()
        except IntegrityError:
            continue
        return
    raise RefusedError("name-bad", event.name)


def cancel_event(*, event_id: int, actor: User) -> Event:
    """Call the event off before it starts.

    Raises NotAllowedError `not-organiser`, StaleError `not-registering`.
    """
    with transaction.atomic():
        event = staff.lock(event_id, actor, Task.SETTINGS)
        if event.state != Event.State.REGISTRATION:
            raise StaleError("not-registering", event.state)
        event.state = Event.State.CANCELLED
        event.save(update_fields=["state"])
        audit.note("cancel", event=event, actor=actor)
        news.announce(news.of_event(event.pk), "cancelled", {})
        return event


def guests_missing(event: Event) -> int:
    """The number of guests who must still enter before the next round begins.

    Guests are people and bots of authors. It is 0 when nobody may enter any more.
    """
    if event.min_guests == 0 or not entries.accepts_entries(event):
        return 0
    return max(0, event.min_guests - event.entries.active().guests().count())
