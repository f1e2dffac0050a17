"""Changing the settings of an event, each as long as it does not matter yet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime

from django.utils.translation import gettext_lazy as _

from tournaments import database_time
from tournaments.errors import RefusedError, StaleError
from tournaments.models import Event, Round, User
from tournaments.models.event_settings import SETTINGS, EventPlan
from tournaments.models.events import MAX_ROUNDS_OF_TABLES
from tournaments.models.setting_types import Level
from tournaments.queries import formats
from tournaments.queries.arbiter import rule_comparison
from tournaments.queries.clocks import game_clocks
from tournaments.queries.events import admission, clubs, plans
from tournaments.queries.events.staff import Task
from tournaments.services import enqueue
from tournaments.services.events import entries, registration
from tournaments.services.events.acts import ActWarning, act
from tournaments.services.notifications import news
from tournaments.text import setting_effects


def changeable(event: Event) -> frozenset[str]:
    """The names of the settings of `EventPlan` that can still be changed."""
    names = {name for name, each in SETTINGS.items() if each.can_change_in(event.state)}
    if event.state != Event.State.REGISTRATION and not formats.of(event).has_chosen_length:
        names.discard("rounds_total")
    return frozenset(names)


def differences(event: Event, plan: EventPlan) -> Mapping[str, tuple[object, object]]:
    """The settings in which `plan` differs from the event: name to value before and after."""
    old = plans.plan_of(event)
    pairs = {name: (getattr(old, name), getattr(plan, name)) for name in SETTINGS}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def _of_changes(event: Event, *, plan: EventPlan) -> Iterator[ActWarning]:
    """Yield the warnings of the changes after the start."""
    if event.state != Event.State.REGISTRATION:
        for name, pair in differences(event, plan).items():
            sentence = setting_effects.sentences(event, {name: pair})[0]
            yield ActWarning(SETTINGS[name].level, sentence)


@act(
    "settings",
    task=Task.SETTINGS,
    done=_("The settings were changed. The log contains the changes."),
    warning=ActWarning(Level.CONFIRM, _("The changes have an immediate effect.")),
    asks=_of_changes,
)
def change(event: Event, actor: User, *, plan: EventPlan) -> Event:
    """Give the event the settings of `plan`.

    Raises:
        NotAllowedError: `not-organiser`.
        StaleError: `setting-fixed` for settings that can no longer be changed.
        RefusedError: refusals of `registration.create_event`, `rounds-played` for fewer rounds than
            are paired, `entries-many` for fewer places than players, `draft-last` if a draft becomes,
            or no longer is, the final round, and would be paired otherwise.
    """
    changed = differences(event, plan)
    fixed = sorted(set(changed) - changeable(event))
    if fixed:
        raise StaleError("setting-fixed", ", ".join(fixed))
    if not changed:
        return event
    plans.check(plan)
    if "organising_club" in changed and plan.organising_club.strip():
        name = clubs.organiser_named(plan.organising_club, actor)
        plan = replace(plan, organising_club=name)
    _require_fit(event, plan)
    comparison = rule_comparison.of_last_round(event, plan.rounds_total)
    if comparison.detail and event.rounds.filter(state=Round.State.DRAFT).exists():
        raise RefusedError("draft-last")
    _apply(event, plan)
    detail = {name: [_stored(before), _stored(after)] for name, (before, after) in changed.items()}
    change.note(event, actor, changes=detail, **comparison.detail)
    news.announce_each(entries.admitted_news(event, entries.fill_places(event)))
    news.announce(news.of_event(event.pk), "settings", {})
    if event.state == Event.State.RUNNING:
        enqueue.event(event.pk)
    return event


@act("round-times", task=Task.SETTINGS, done=_("The times of the rounds were set."))
def plan_rounds(event: Event, actor: User, *, times: Sequence[datetime | None]) -> None:
    """Set the start of the games of each round, from round 1. None leaves a round open.

    Published rounds do not change.

    Raises NotAllowedError `not-organiser`, StaleError `event-over`, RefusedError `times-order` or
    `rounds-bad`.
    """
    known = [moment for moment in times if moment is not None]
    if known != sorted(set(known)):
        raise RefusedError("times-order")
    if len(times) > MAX_ROUNDS_OF_TABLES:
        raise RefusedError("rounds-bad", str(len(times)))
    if not event.is_open:
        raise StaleError("event-over", event.state)
    published = event.rounds.exclude(state=Round.State.DRAFT).values_list("number", flat=True)
    first = max(published, default=0) + 1
    event.round_times.filter(number__gte=first).delete()
    for number, moment in enumerate(times, start=1):
        if number >= first and moment is not None:
            event.round_times.create(number=number, starts_at=moment)
    plan_rounds.note(event, actor)
    news.announce(news.of_event(event.pk), "settings", {})


def _require_fit(event: Event, plan: EventPlan) -> None:
    """Raise RefusedError if the plan does not fit the past rounds of the event."""
    if plan.max_entries < event.entries.active().contestants().count():
        raise RefusedError("entries-many", str(plan.max_entries))
    if event.state == Event.State.RUNNING:
        paired = admission.rounds_drafted(event)
        if formats.of(event).has_chosen_length and plan.rounds_total < paired:
            raise RefusedError("rounds-played", str(paired))


def _apply(event: Event, plan: EventPlan) -> None:
    was_continuous = formats.of(event).is_continuous
    for name, value in plans.columns(plan).items():
        setattr(event, name, value)
    if formats.of(event).is_continuous != was_continuous:
        registration.commit_to_seeds(event)
    if event.state == Event.State.RUNNING and event.is_automatic and event.next_step_at is None:
        event.next_step_at = database_time.now()
    event.hold_reason = ""
    event.save()


def _stored(value: object) -> object:
    """A value as the log stores it, in JSON."""
    if isinstance(value, game_clocks.Clock):
        return value.text()
    return value.isoformat() if isinstance(value, date) else value
