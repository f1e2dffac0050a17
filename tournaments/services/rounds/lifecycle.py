"""An event from its start to its end: rounds follow each other until all games are played."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from tournaments import database_time
from tournaments.errors import RefusedError, StaleError, TournamentError
from tournaments.models import Event, Round, User, statements
from tournaments.models.events import MAX_ROUNDS_OF_TABLES
from tournaments.models.setting_types import Level
from tournaments.pairing import BadProblemError
from tournaments.pairing.baku import group_a
from tournaments.queries import formats
from tournaments.queries.events import admission
from tournaments.queries.events.staff import Task
from tournaments.queries.results import pairing_input
from tournaments.services import audit, enqueue
from tournaments.services.events import check_in, rating_lists, registration, seeding, teams
from tournaments.services.events.acts import ActWarning, act, long_act
from tournaments.services.notifications import news
from tournaments.services.rounds import continuous, publication, rounds

_RETRY = timedelta(seconds=30)
_AT_MOST = 50


@long_act("start", task=Task.PAIRINGS, done=_("The event has started."))
def start_event(event_id: int, actor: User) -> Event:
    """Close the registration, give pairing numbers (C.04.2 2.2), and begin the first round.

    Raises:
        NotAllowedError: `not-organiser`.
        StaleError: `not-registering`.
        RefusedError: `too-few` entries, `team-empty` for a team without members, `options-bad` when the format's options do not fit the
            number of entries, `rounds-many` when its tables would take too long.
    """
    with transaction.atomic():
        event = Event.locked(event_id)
        if event.state != Event.State.REGISTRATION:
            raise StaleError("not-registering", event.state)
        check_in.leave_out_absent(event)
        entry_list = list(event.entries.active().contestants().select_related("player"))
        if event.is_of_teams:
            teams.require_members(event)
        if len(entry_list) < 2:
            raise RefusedError("too-few", f"{len(entry_list)} entries")
        seeding.seed(event, entry_list)
        seeding.number(event, entry_list)
        rating_lists.note_start(event, list(event.entries.all()))
        event.rounds_total = _rounds_planned(event, len(entry_list))
        if event.is_accelerated:
            event.accelerated_upto_tpn = group_a(len(entry_list))
        now = database_time.now()
        event.state = Event.State.RUNNING
        event.started_at = event.next_step_at = now
        event.ends_at = now + timedelta(seconds=event.duration_s) if event.duration_s else None
        event.save()
        start_event.note(event, actor, entries=len(entry_list))
        news.announce(news.of_event(event.pk), "start", {})
        if len(entry_list) > pairing_input.LARGE_FIELD:
            enqueue.event(event_id)
    if len(entry_list) <= pairing_input.LARGE_FIELD:
        advance_event(event_id)
        event.refresh_from_db()
    return event


def _rounds_planned(event: Event, players: int) -> int:
    try:
        count = formats.of(event).rounds_planned(event, players, formats.options(event))
    except BadProblemError as error:
        raise RefusedError("options-bad", str(error)) from error
    if count > MAX_ROUNDS_OF_TABLES:
        raise RefusedError("rounds-many", str(count))
    return count


def start_due(now: datetime) -> None:
    """Start the automatic events whose time has come, as their organisers would."""
    for event in _to_start.all(now=now):
        try:
            start_event(event_id=event.pk, actor=event.organiser)
        except RefusedError as error:
            # Too few have come: the organiser decides, and no tick asks again.
            _postpone_start(event.pk, error)


@statements.query
def _to_start(now: datetime) -> QuerySet[Event]:
    due = Event.objects.filter(
        state=Event.State.REGISTRATION, is_automatic=True, starts_at__lte=now
    )
    return due.select_related("organiser").order_by("starts_at")[:_AT_MOST]


def _postpone_start(event_id: int, error: RefusedError) -> None:
    with transaction.atomic():
        event = Event.locked(event_id)
        event.starts_at = event.check_in_opens_at = None
        event.hold_reason = error.code
        event.save(update_fields=["starts_at", "check_in_opens_at", "hold_reason"])
        news.announce_to_accounts([event.organiser_id], "not-started", {"event": event.pk})
        audit.note("postponed", event=event, because=error.code, detail=error.detail)
        news.announce(news.of_event(event.pk), "postponed", {"reason": error.code})


@long_act("draft", task=Task.PAIRINGS, done=_("The draft is ready, or being made."))
def draft_next(event_id: int, actor: User, *, round_number: int | None = None) -> bool:
    """Draft the next round for the organiser: here and now, or by a worker when the field is large.

    With `round_number` only that one. Returns whether it is done, and not left to a worker.

    Raises:
        NotAllowedError: `not-organiser`.
        StaleError, RefusedError: as `rounds.draft_round`.
    """
    with transaction.atomic():
        event = Event.locked(event_id)
        is_large = event.entries.active().contestants().count() > pairing_input.LARGE_FIELD
        if is_large:
            rounds.require_next(event, round_number)
            Event.objects.filter(pk=event_id).update(is_draft_requested=True, hold_reason="")
            enqueue.event(event_id)
    if not is_large:
        _draft(event_id, actor, round_number)
    return not is_large


def advance_event(event_id: int) -> None:
    """Close, draft and publish the rounds that are due.

    Safe to call at any time.

    An automatic event that cannot continue waits, with the reason shown. An event without active
    players ends.
    """
    with transaction.atomic():
        event = Event.locked(event_id)
        if event.state != Event.State.RUNNING or event.paused_at is not None:
            return
        if formats.of(event).is_continuous:
            if continuous.advance(event):
                _finish(event, "finish")
            return
        if rounds.close_round(event) is None:
            rounds.finish_if_complete(event)
    if event.state != Event.State.RUNNING or publication.start_due(event_id, database_time.now()):
        return
    try:
        _pair_and_publish(event)
    except StaleError as error:
        if error.code == "draft-outdated":
            _drop_draft(event_id)  # the tick drafts again
        # otherwise another process did it at this moment
    except RefusedError as error:
        _wait_or_end(event_id, error)


def _drop_draft(event_id: int) -> None:
    with transaction.atomic():
        rounds.drop_draft(Event.locked(event_id))


def _pair_and_publish(event: Event) -> None:
    if event.is_draft_requested or (
        event.is_automatic and _is_next_round_due(event, database_time.now())
    ):
        _draft(event.pk)
    if event.is_automatic and event.rounds.filter(state=Round.State.DRAFT).exists():
        publication.publish_automatically(event_id=event.pk)


def _draft(event_id: int, actor: User | None = None, round_number: int | None = None) -> None:
    """Draft the next round. An event without further games ends."""
    try:
        rounds.draft_round(event_id=event_id, actor=actor, round_number=round_number)
    except RefusedError as error:
        if error.code != "decided":
            raise
        with transaction.atomic():
            event = Event.locked(event_id)
            if event.state == Event.State.RUNNING:
                _finish(event, "finish", because=error.code)


def _is_next_round_due(event: Event, now: datetime) -> bool:
    is_open = event.rounds.exclude(state=Round.State.CLOSED).exists()
    if is_open or event.next_step_at is None or event.next_step_at > now:
        return False
    return not is_waiting_for_guests(event)


def is_waiting_for_guests(event: Event) -> bool:
    """Return whether the next round is to be drafted only when more guests have entered."""
    # The first round never waits: a viewer who comes later would find no game to watch.
    last_round = event.rounds.order_by("number").defer("problem", "evidence", "report").last()
    return (
        last_round is not None
        and last_round.state == Round.State.CLOSED
        and registration.guests_missing(event) > 0
    )


def _wait_or_end(event_id: int, error: TournamentError) -> None:
    """Try again later and store the reason, or end an event that is left without players."""
    with transaction.atomic():
        event = Event.locked(event_id)
        if event.state != Event.State.RUNNING:
            return
        if error.code == "too-few" and not admission.accepts_entries(event):
            _finish(event, "finish-unpaired", because=error.code, detail=error.detail)
            return
        is_news = event.hold_reason != error.code
        event.next_step_at = database_time.now() + _RETRY
        event.hold_reason = error.code
        event.is_draft_requested = False
        event.save(update_fields=["next_step_at", "hold_reason", "is_draft_requested"])
        if is_news:  # told once, not at every retry of an event that waits for days
            audit.note("postponed", event=event, because=error.code, detail=error.detail)
            news.announce(news.of_event(event.pk), "postponed", {"reason": error.code})


def _finish(
    event: Event, action: str, *, actor: User | None = None, because: str = "", detail: str = ""
) -> None:
    """End `event`, locked by the caller, before its last round."""
    event.state = Event.State.FINISHED
    event.finished_at = database_time.now()
    event.next_step_at = None
    event.hold_reason = ""
    event.is_draft_requested = False
    event.save(
        update_fields=["state", "finished_at", "next_step_at", "hold_reason", "is_draft_requested"]
    )
    audit.note(action, event=event, actor=actor, because=because, detail=detail)
    news.announce(news.of_event(event.pk), "finished", {})
    news.tell_site(event, "finished")


@act(
    "finish",
    action="finish-early",
    task=Task.SETTINGS,
    done=_("The event ends."),
    warning=ActWarning(
        Level.CONFIRM,
        _(
            "The event will end after the last closed round. The current standings become final. You cannot undo this."
        ),
    ),
)
def finish_early(event: Event, actor: User) -> Event:
    """End a running event after its last closed round.

    A continuous one as soon as its last games are over.

    Raises:
        NotAllowedError: `not-organiser`.
        StaleError: `not-running`, or `round-open` while games are in progress.
    """
    if event.state != Event.State.RUNNING:
        raise StaleError("not-running", event.state)
    if formats.of(event).is_continuous:
        event.ends_at = event.next_step_at = database_time.now()
        event.save(update_fields=["ends_at", "next_step_at"])
        audit.note("stop-pairing", event=event, actor=actor)
        enqueue.event(event.pk)
        return event
    if event.rounds.exclude(state=Round.State.CLOSED).exists():
        raise StaleError("round-open")
    _finish(event, finish_early.action, actor=actor)
    return event
