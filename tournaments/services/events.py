"""Events come into being, start, go on by themselves and end."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.text import slugify

import games
from tournaments.models import Event, Player, Round
from tournaments.models.events import MAX_ENTRIES, MAX_ROUNDS
from tournaments.services import audit, entries, news, ratings, rounds
from tournaments.services.errors import NotAllowedError, RefusedError, StaleError, TournamentError

if TYPE_CHECKING:
    from datetime import datetime

    from tournaments.models import User
    from tournaments.services.play import Clock

_RETRY = timedelta(seconds=30)
# Words that stand in the place of a slug in our addresses.
_RESERVED_SLUGS = {"new"}


@dataclass(frozen=True, slots=True)
class EventPlan:
    """What an organiser decides about an event; `seed` is drawn when None."""

    name: str
    ruleset: str
    rounds_total: int
    clock: Clock
    description: str = ""
    format: str = Event.Format.DUTCH
    admits: str = Event.Admits.PEOPLE
    max_entries: int = 200
    is_rated: bool = True
    is_automatic: bool = True
    pause_s: int = 60
    people_wanted: int = 0
    pace_ms: int = 0
    seed: int | None = None


def create_event(*, organiser: User, plan: EventPlan) -> Event:
    """A new event with its registration open.

    Raises:
        RefusedError: `name-bad`, `ruleset-bad`, `rounds-bad`, `entries-bad`, `clock-bad`, `admits-bad`, `format-bad`.
    """
    _check(plan)
    try:
        ruleset = games.load(plan.ruleset)
    except games.RulesError as error:
        raise RefusedError("ruleset-bad", str(error)) from error
    with transaction.atomic():
        event = Event(
            name=plan.name.strip(),
            description=plan.description.strip(),
            organiser=organiser,
            ruleset=ruleset.key,
            format=plan.format,
            admits=plan.admits,
            rounds_total=plan.rounds_total,
            max_entries=plan.max_entries,
            clock_initial_ms=plan.clock.initial_ms,
            clock_increment_ms=plan.clock.increment_ms,
            is_rated=plan.is_rated,
            is_automatic=plan.is_automatic,
            pause_s=plan.pause_s,
            people_wanted=plan.people_wanted,
            pace_ms=plan.pace_ms,
            seed=secrets.randbits(48) if plan.seed is None else plan.seed,
            created_at=timezone.now(),
        )
        _save_with_slug(event)
        audit.note("create", event=event, actor=organiser)
        news.announce(news.SITE, "event", {"event": event.pk})
        return event


def _check(plan: EventPlan) -> None:
    if not 1 <= len(plan.name.strip()) <= 80 or len(plan.description.strip()) > 2000:
        raise RefusedError("name-bad", plan.name[:80])
    if not 1 <= plan.rounds_total <= MAX_ROUNDS:
        raise RefusedError("rounds-bad", str(plan.rounds_total))
    if not 2 <= plan.max_entries <= MAX_ENTRIES:
        raise RefusedError("entries-bad", str(plan.max_entries))
    if plan.format not in Event.Format.values:
        raise RefusedError("format-bad", plan.format)
    if plan.admits not in Event.Admits.values:
        raise RefusedError("admits-bad", plan.admits)


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


def start_event(*, event_id: int, actor: User) -> Event:
    """Close the registration, give pairing numbers by rating (C.04.2 2.2) and let the first round begin.

    Raises:
        NotAllowedError: `not-organiser`.
        StaleError: `not-registering`.
        RefusedError: `too-few` entries.
    """
    with transaction.atomic():
        event = _locked(event_id, actor)
        if event.state != Event.State.REGISTRATION:
            raise StaleError("not-registering", event.state)
        entered = list(event.entries.active().select_related("player"))
        if len(entered) < 2:
            raise RefusedError("too-few", f"{len(entered)} entries")
        pool = ratings.pool_of(event.ruleset)
        for entry in entered:
            entry.seed_centielo = ratings.centielo_of(entry.player, pool)
        entered.sort(key=lambda e: (-(e.seed_centielo or 0), e.player.canonical))
        for tpn, entry in enumerate(entered, start=1):
            entry.tpn = tpn
            entry.save(update_fields=["tpn", "seed_centielo"])
        now = timezone.now()
        event.state = Event.State.RUNNING
        event.started_at = event.next_step_at = now
        event.save(update_fields=["state", "started_at", "next_step_at"])
        audit.note("start", event=event, actor=actor, entries=len(entered))
        news.announce(news.of_event(event.pk), "start", {})
    if event.is_automatic:
        advance_event(event_id)
        event.refresh_from_db()
    return event


def cancel_event(*, event_id: int, actor: User) -> Event:
    """Call the event off before it starts. Raises NotAllowedError `not-organiser`, StaleError `not-registering`."""
    with transaction.atomic():
        event = _locked(event_id, actor)
        if event.state != Event.State.REGISTRATION:
            raise StaleError("not-registering", event.state)
        event.state = Event.State.CANCELLED
        event.save(update_fields=["state"])
        audit.note("cancel", event=event, actor=actor)
        news.announce(news.of_event(event.pk), "cancelled", {})
        return event


def require_organiser(event: Event, actor: User) -> None:
    """Raise NotAllowedError `not-organiser` unless `actor` organises `event` or administers the site."""
    if event.organiser_id != actor.pk and not actor.is_superuser:
        raise NotAllowedError("not-organiser", event.slug)


def advance_event(event_id: int) -> None:
    """Do whatever is due: close a round whose games have ended, draft and publish the next. Safe to call at any time.

    An automatic event that cannot go on waits, with the reason shown; one that nobody plays in any more ends.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event_id)
        if event.state != Event.State.RUNNING:
            return
        rounds.close_round(event)
    if not event.is_automatic or event.state != Event.State.RUNNING:
        return
    try:
        if _is_next_round_due(event, timezone.now()):
            rounds.draft_round(event_id=event_id)
        if event.rounds.filter(state=Round.State.DRAFT).exists():
            rounds.publish_round(event_id=event_id)
    except StaleError as error:
        if error.code == "draft-outdated":
            rounds.discard_draft(event_id=event_id)  # the tick drafts again
        # else somebody else did it at the same moment
    except RefusedError as error:
        _wait_or_end(event_id, error)


def _is_next_round_due(event: Event, now: datetime) -> bool:
    is_open = event.rounds.exclude(state=Round.State.CLOSED).exists()
    if is_open or event.next_step_at is None or event.next_step_at > now:
        return False
    # The first round never waits: there would be nothing to watch for those who might come.
    return people_missing(event) == 0 or not event.rounds.exists()


def people_missing(event: Event) -> int:
    """How many people must still enter before the next round begins: none when nobody may enter any more."""
    if event.people_wanted == 0 or not entries.accepts_entries(event):
        return 0
    people = event.entries.active().filter(player__kind=Player.Kind.PERSON).count()
    return max(0, event.people_wanted - people)


def _wait_or_end(event_id: int, error: TournamentError) -> None:
    """Try again later, with the reason shown; end an event that has no players left and takes no more."""
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event_id)
        if event.state != Event.State.RUNNING:
            return
        if error.code == "too-few" and not entries.accepts_entries(event):
            _finish(event, "finish-unpaired", reason=error.code, detail=error.detail)
            return
        is_news = event.hold_reason != error.code
        event.next_step_at = timezone.now() + _RETRY
        event.hold_reason = error.code
        event.save(update_fields=["next_step_at", "hold_reason"])
        if is_news:  # told once, not at every retry of an event that waits for days
            audit.note("postponed", event=event, reason=error.code, detail=error.detail)
            news.announce(news.of_event(event.pk), "postponed", {"reason": error.code})


def _finish(event: Event, action: str, *, actor: User | None = None, **detail: object) -> None:
    """End `event`, locked by the caller, before its last round."""
    event.state = Event.State.FINISHED
    event.finished_at = timezone.now()
    event.next_step_at = None
    event.hold_reason = ""
    event.save(update_fields=["state", "finished_at", "next_step_at", "hold_reason"])
    audit.note(action, event=event, actor=actor, **detail)
    news.announce(news.of_event(event.pk), "finished", {})
    news.announce(news.SITE, "finished", {"event": event.pk})


def _locked(event_id: int, actor: User) -> Event:
    event = Event.objects.select_for_update().get(pk=event_id)
    require_organiser(event, actor)
    return event


def finish_early(*, event_id: int, actor: User) -> Event:
    """End a running event after its last closed round.

    Raises:
        NotAllowedError: `not-organiser`.
        StaleError: `not-running`, or `round-open` while games go on.
    """
    with transaction.atomic():
        event = _locked(event_id, actor)
        if event.state != Event.State.RUNNING:
            raise StaleError("not-running", event.state)
        if event.rounds.exclude(state=Round.State.CLOSED).exists():
            raise StaleError("round-open")
        _finish(event, "finish-early", actor=actor)
        return event
