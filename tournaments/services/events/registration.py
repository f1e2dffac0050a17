"""Creating an event with its registration open."""

from __future__ import annotations

import secrets
from collections.abc import Collection

from django.db import IntegrityError, transaction
from django.utils.text import slugify

from tournaments import database_time
from tournaments.errors import RefusedError
from tournaments.models import Event, Festival, Series, User
from tournaments.queries import formats
from tournaments.queries.events import admission, clubs, plans, seed_chain
from tournaments.services import audit
from tournaments.services.events import prize_changes
from tournaments.services.notifications import news

# Words of our addresses in the place of a slug.
_RESERVED_SLUGS = {"new", "import", "plan"}


def create_event(
    *, organiser: User, plan: plans.EventPlan, prizes_of: Event | None = None
) -> Event:
    """A new event with its registration open, with the prize fund of `prizes_of`.

    Raises:
        RefusedError: `name-bad`, `ruleset-bad`, `board-event-bad`, `rounds-bad`, `entries-bad`, `clock-bad`,
            `admits-bad`, `format-bad`, `options-bad`, `points-bad`, `acceleration-bad`,
            `duration-bad`, `tie-breaks-bad`, `fuel-bad`, `club-unknown`, `club-officer`.
    """
    plans.check(plan)
    columns = plans.columns(plan)
    if plan.organising_club.strip():
        columns["organising_club"] = clubs.organiser_named(plan.organising_club, organiser)
    is_continuous = formats.FORMATS[plan.format].is_continuous
    chain = seed_chain.new_seed_chain(
        seed_chain.CONTINUOUS_LENGTH if is_continuous else seed_chain.ROUNDS_LENGTH, plan.seed
    )
    with transaction.atomic():
        event = Event(
            **columns,
            organiser=organiser,
            seed=secrets.randbits(48) if plan.seed is None else plan.seed,
            seed_secret=chain.secret,
            seed_commitment=chain.commitment,
            created_at=database_time.now(),
        )
        save_with_slug(event, _RESERVED_SLUGS)
        if prizes_of is not None:
            prize_changes.copy(source=prizes_of, target=event)
        audit.note("create", event=event, actor=organiser)
        news.tell_site(event, "event")
        return event


def commit_to_seeds(event: Event) -> None:
    """Begin a new chain of seeds of the length that the format wants, before any is used.

    The row is not saved.
    """
    is_continuous = formats.of(event).is_continuous
    chain = seed_chain.new_seed_chain(
        seed_chain.CONTINUOUS_LENGTH if is_continuous else seed_chain.ROUNDS_LENGTH
    )
    event.seed_secret, event.seed_commitment = chain.secret, chain.commitment


def save_with_slug(row: Event | Festival | Series, reserved: Collection[str]) -> None:
    """Save a new row under a slug of its name, with a number if the slug is taken or `reserved`.

    Raises RefusedError `name-bad` if a thousand rows have the name.
    """
    base = slugify(row.name, allow_unicode=False)[:60] or row._meta.model_name or ""
    for suffix in ("", *(f"-{n}" for n in range(2, 1000))):
        row.slug = base + suffix
        if row.slug in reserved:
            continue
        try:
            with transaction.atomic():
                row.save()
        except IntegrityError:
            continue
        return
    raise RefusedError("name-bad", row.name)


def guests_missing(event: Event) -> int:
    """The number of guests who must still enter before the next round begins.

    Guests are people and bots of authors. It is 0 when entries are closed.
    """
    if event.min_guests == 0 or not admission.accepts_entries(event):
        return 0
    return max(0, event.min_guests - event.entries.active().guests().count())
