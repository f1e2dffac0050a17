"""Acts of the organiser on entries: expulsions, returns, byes of any kind, seeds and ratings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments import database_time
from tournaments.errors import RefusedError, StaleError
from tournaments.models import ByeRequest, Entry, Event, Round, User
from tournaments.models.entries import HIGHEST_CENTIELO, LOWEST_CENTIELO
from tournaments.models.setting_types import Level
from tournaments.queries import formats
from tournaments.queries.events import admission
from tournaments.queries.events.staff import Task
from tournaments.services import audit, enqueue
from tournaments.services.arbiter import later_ratings, merging, sanctions, section_moves
from tournaments.services.events import check_in, entries, half_byes, seeding
from tournaments.services.events.acts import (
    ENTRY_DONE,
    TOUCHES_PAIRINGS,
    Acts,
    ActWarning,
    Declaration,
    act,
)
from tournaments.services.notifications import news
from tournaments.services.reasons import checked_reason
from tournaments.services.rounds import rounds

HIGHEST_SEED = 5_000
_MOST_NAMED = 12


@dataclass(frozen=True, slots=True)
class EntryArguments:
    """The arguments of the acts on an entry. Each act takes some of them."""

    entry_id: int
    reason: str = ""
    round_number: int = 0
    kind: str = ""
    is_exception: bool = False
    has_half_byes: bool = False
    centielo: int | None = None
    from_round: int = 0
    seed: int | None = None
    other_id: int | None = None
    sanction_kind: str = ""
    halves: int = 0
    section: str = ""


@act("withdraw", task=Task.ENTRIES, done=ENTRY_DONE, action="withdrawal", warning=TOUCHES_PAIRINGS)
def withdraw(event: Event, actor: User, *, entry_id: int, reason: str) -> Entry:
    """Take a player out of all further rounds.

    A game in progress continues: the arbiter decides it separately. A draft with the player is
    discarded.

    Raises:
        NotAllowedError: `not-organiser`.
        StaleError: `no-such-entry`.
        RefusedError: `reason-bad`, `not-entered`, `event-closed`.
    """
    return _take_out(event, actor, entry_id, reason, is_expelled=False)


@act("expel", task=Task.ENTRIES, done=ENTRY_DONE, action="expulsion", warning=TOUCHES_PAIRINGS)
def expel(event: Event, actor: User, *, entry_id: int, reason: str) -> Entry:
    """Take a player out, as `withdraw` does, who cannot return."""
    return _take_out(event, actor, entry_id, reason, is_expelled=True)


def _take_out(event: Event, actor: User, entry_id: int, reason: str, *, is_expelled: bool) -> Entry:
    entry = _entry(event, entry_id)
    _require_open(event)
    if entry.state == Entry.State.WITHDRAWN:
        raise RefusedError("not-entered", entry.player.name)
    before = entry.state
    entry.state = Entry.State.WITHDRAWN
    entry.withdrawn_at = database_time.now()
    entry.left_round = admission.rounds_drafted(event) + 1
    if _discard_draft_with(event, entry):
        entry.left_round -= 1
    entry.is_expelled = is_expelled
    entry.save(update_fields=["state", "withdrawn_at", "left_round", "is_expelled"])
    items = entries.admitted_news(event, entries.fill_places(event))
    if entry.player.user_id is not None:
        payload: dict[str, object] = {"event": event.pk, "reason": reason}
        items.append((news.of_user(entry.player.user_id), "withdrawn", payload))
    news.announce_each(items)
    _note(event, actor, (expel if is_expelled else withdraw).action, entry, reason, before)
    return entry


@act("readmit", task=Task.ENTRIES, done=ENTRY_DONE, action="readmission", warning=TOUCHES_PAIRINGS)
def readmit(event: Event, actor: User, *, entry_id: int, reason: str = "") -> Entry:
    """Return a withdrawn or expelled player to the rounds that are not drafted yet.

    Raises:
        NotAllowedError: `not-organiser`.
        StaleError: `no-such-entry`.
        RefusedError: `event-closed`, `already-entered`, `no-return` if the place in a table or
            bracket is gone.
    """
    entry = _entry(event, entry_id)
    _require_open(event)
    if entry.state == Entry.State.ACTIVE:
        raise RefusedError("already-entered", entry.player.name)
    before, left_round, was_expelled = entry.state, entry.left_round, entry.is_expelled
    entry.is_expelled = False
    reason = reason.strip()[:200]
    entries.let_return(event, entry)
    payload: dict[str, object] = {"event": event.pk, "act": "readmission", "reason": reason}
    news.announce_to([entry.player], "entry", payload)
    _note(
        event,
        actor,
        readmit.action,
        entry,
        reason,
        before,
        left_round=left_round,
        expelled=was_expelled,
    )
    return entry


@act(
    "bye",
    task=Task.ENTRIES,
    done=ENTRY_DONE,
    action="bye-grant",
    warning=TOUCHES_PAIRINGS,
    asks=half_byes.warnings,
)
def grant_bye(
    event: Event,
    actor: User,
    *,
    entry_id: int,
    round_number: int,
    kind: str,
    reason: str = "",
    is_exception: bool = False,
) -> ByeRequest:
    """Give a player a bye of any kind in a round that is not published yet.

    A draft of that round is discarded. The bye replaces the player's own request. A half-point bye
    that players of the event could not request must be marked as an exception. An exception and a
    full-point bye need a reason.

    Raises:
        NotAllowedError: `not-organiser`.
        StaleError: `no-such-entry`, `round-paired`.
        RefusedError: `bye-kind`, `no-byes`, `no-such-round`, `not-entered`, `reason-bad`,
            `bye-exception`, `team-member`.
    """
    if kind not in ByeRequest.Kind.values:
        raise RefusedError("bye-kind", kind)
    if reason.strip() or is_exception or kind == ByeRequest.Kind.FULL:
        reason = checked_reason(reason)
    entry = _contestant(event, entry_id)
    if entry.state != Entry.State.ACTIVE:
        raise RefusedError("not-entered", entry.player.name)
    if not formats.of(event).is_swiss:
        raise RefusedError("no-byes", event.format)
    if not 1 <= round_number <= event.rounds_total:
        raise RefusedError("no-such-round", str(round_number))
    _require_unpublished(event, round_number)
    before = entry.bye_requests.filter(round_number=round_number).first()
    before_kind = before.kind if before is not None else ""
    entry.bye_requests.filter(round_number=round_number).delete()
    if kind == ByeRequest.Kind.HALF and not is_exception:
        _require_usual(event, entry, round_number)
    bye = ByeRequest.objects.create(
        entry=entry, round_number=round_number, kind=kind, requested_at=database_time.now()
    )
    grant_bye.note(
        event,
        actor,
        reason=reason,
        player=entry.player_id,
        entry=entry.pk,
        round=round_number,
        kind=kind,
        before=before_kind,
    )
    payload: dict[str, object] = {"event": event.pk, "round": round_number, "kind": kind}
    news.announce_to([entry.player], "bye", {**payload, "reason": reason})
    news.announce(news.of_event(event.pk), "entries", {"player": entry.player_id})
    return bye


@act("half-byes", task=Task.ENTRIES, done=ENTRY_DONE)
def change_half_byes(
    event: Event, actor: User, *, entry_id: int, reason: str = "", has_half_byes: bool = False
) -> Entry:
    """Remove the right of an entry to half-point byes, or restore it with `has_half_byes`.

    Byes of the entry stay. A repeated request changes nothing.

    Raises NotAllowedError `not-organiser`, StaleError `no-such-entry`, RefusedError `no-byes`,
    `team-member`.
    """
    entry = _contestant(event, entry_id)
    if not formats.of(event).is_swiss:
        raise RefusedError("no-byes", event.format)
    if entry.has_half_byes == has_half_byes:
        return entry
    entry.has_half_byes = has_half_byes
    entry.save(update_fields=["has_half_byes"])
    action = "half-byes-back" if entry.has_half_byes else change_half_byes.action
    ids = {"player": entry.player_id, "entry": entry.pk}
    audit.note(action, event=event, actor=actor, reason=reason, undoes=None, **ids)
    return entry


def _require_usual(event: Event, entry: Entry, round_number: int) -> None:
    try:
        entries.require_half_bye(event, entry, round_number)
    except RefusedError as error:
        raise RefusedError("bye-exception", error.code) from error


@act("cancel-bye", task=None, done=ENTRY_DONE, action="bye-cancel", warning=TOUCHES_PAIRINGS)
def cancel_bye(event: Event, actor: User, *, entry_id: int, round_number: int) -> None:
    """Take back a bye of a round that is not published yet: its player's own request, or by the staff.

    Raises:
        NotAllowedError: `not-your-player`.
        StaleError: `no-such-entry`, `no-such-bye`, `round-paired`.
    """
    entry = _entry(event, entry_id)
    admission.require_right(event, entry.player, actor)
    bye = entry.bye_requests.filter(round_number=round_number).first()
    if bye is None:
        raise StaleError("no-such-bye")
    _require_unpublished(event, round_number)
    kind = bye.kind
    bye.delete()
    cancel_bye.note(
        event,
        actor,
        player=entry.player_id,
        entry=entry.pk,
        round=round_number,
        kind=kind,
    )
    news.announce(news.of_event(event.pk), "entries", {"player": entry.player_id})


@act(
    "rating",
    task=Task.ENTRIES,
    done=ENTRY_DONE,
    action="rating-set",
    warning=ActWarning(
        Level.SIMPLE, _("Until round 1 is published the pairing numbers follow the rating.")
    ),
)
def set_rating(
    event: Event, actor: User, *, entry_id: int, centielo: int | None = None, reason: str
) -> Entry:
    """Give an entry another rating, in hundredths of a point. None restores the site's rating.

    Until round 1 is published the pairing numbers follow it (C.04.2 2.3). Later it changes only the
    ratings in tables and reports, and the numbers when the organiser renumbers the players.

    Raises:
        NotAllowedError: `not-organiser`.
        StaleError: `no-such-entry`.
        RefusedError: `rating-bad`, `reason-bad`, `event-closed`.
    """
    entry = store_rating(event, actor, entry_id=entry_id, centielo=centielo, reason=reason)
    follow_ratings(event)
    entry.refresh_from_db()
    return entry


def store_rating(
    event: Event, actor: User, *, entry_id: int, centielo: int | None, reason: str
) -> Entry:
    """Store a rating as `set_rating` does, before `follow_ratings`. The event is locked."""
    if centielo is not None and not LOWEST_CENTIELO <= centielo <= HIGHEST_CENTIELO:
        raise RefusedError("rating-bad", str(centielo))
    entry = _entry(event, entry_id)
    _require_open(event)
    _set(event, entry, "listed_centielo", centielo, set_rating, actor, reason)
    return entry


def follow_ratings(event: Event) -> None:
    """Seed the players of a running event by their new ratings. Until round 1 is published the numbers follow."""
    if event.state == Event.State.RUNNING:
        rounds.drop_draft(event)
        seeding.seed_again(event, renumber=not event.rounds.exists())


def _against_the_order(
    event: Event, *, entry_id: int, seed: int | None, **_others: object
) -> Iterator[ActWarning]:
    """Yield the warning of a number beside that of a player with another rating (C.04.2 2.2)."""
    others = [] if seed is None else seeding.passed(event, entry_id, seed)
    if others:
        words = gettext("The number is against the order of ratings. Players passed: %(names)s.")
        names = "; ".join(each.player.name for each in others[:_MOST_NAMED])
        more = " …" if len(others) > _MOST_NAMED else ""
        yield ActWarning(Level.CONFIRM, words % {"names": f"{names}{more}"})


@act(
    "seed",
    task=Task.ENTRIES,
    done=ENTRY_DONE,
    action="seed-set",
    warning=ActWarning(
        Level.SIMPLE, _("A number of your choice changes the numbers of other players.")
    ),
    asks=_against_the_order,
)
def set_seed(
    event: Event, actor: User, *, entry_id: int, seed: int | None = None, reason: str
) -> Entry:
    """Give an entry a pairing number of the organiser's choice. None lets the rating decide again.

    It is used when the event starts. Until round 1 is published the numbers follow immediately.

    Raises:
        NotAllowedError: `not-organiser`.
        StaleError: `no-such-entry`.
        RefusedError: `seed-bad`, `seed-late`, `reason-bad`, `event-closed`, `team-member`.
    """
    if seed is not None and not 1 <= seed <= HIGHEST_SEED:
        raise RefusedError("seed-bad", str(seed))
    entry = _contestant(event, entry_id)
    _require_open(event)
    if event.rounds.exclude(state=Round.State.DRAFT).exists():
        raise RefusedError("seed-late")
    _set(event, entry, "listed_seed", seed, set_seed, actor, reason)
    follow_ratings(event)
    entry.refresh_from_db()
    return entry


def _set(
    event: Event,
    entry: Entry,
    column: str,
    value: int | None,
    declaration: Declaration,
    actor: User,
    reason: str,
) -> None:
    """Write a column that entries are numbered by, and notify the player."""
    before = getattr(entry, column)
    setattr(entry, column, value)
    entry.save(update_fields=[column])
    declaration.note(
        event,
        actor,
        reason=reason,
        player=entry.player_id,
        entry=entry.pk,
        before=before,
        after=value,
    )
    _tell(event, entry, declaration.code, reason)


def _tell(event: Event, entry: Entry, code: str, reason: str) -> None:
    """Notify the player of the change of the entry, and open pages of the event."""
    news.announce_to([entry.player], "entry", {"event": event.pk, "act": code, "reason": reason})
    news.announce(news.of_event(event.pk), "entries", {"player": entry.player_id})


def _require_open(event: Event) -> None:
    if not event.is_open:
        raise RefusedError("event-closed", event.state)


def _entry(event: Event, entry_id: int) -> Entry:
    entry = event.entries.select_related("player").filter(pk=entry_id).first()
    if entry is None:
        raise StaleError("no-such-entry")
    return entry


def _contestant(event: Event, entry_id: int) -> Entry:
    """Return an entry that is paired. Raises RefusedError `team-member` for a member of a team."""
    entry = _entry(event, entry_id)
    if entry.team_id is not None:
        raise RefusedError("team-member", entry.player.name)
    return entry


def _require_unpublished(event: Event, round_number: int) -> None:
    """Raise StaleError `round-paired` for a published round. A draft of the round is discarded."""
    later = event.rounds.filter(number__gte=round_number)
    if later.exclude(state=Round.State.DRAFT).exists():
        raise StaleError("round-paired", str(round_number))
    if later.exists():
        rounds.drop_draft(event)


def _discard_draft_with(event: Event, entry: Entry) -> bool:
    if not event.rounds.filter(state=Round.State.DRAFT, seats__entry=entry).exists():
        return False
    rounds.drop_draft(event)
    return True


def _note(
    event: Event,
    actor: User,
    action: str,
    entry: Entry,
    reason: str,
    before: str,
    *,
    left_round: int | None = None,
    expelled: bool = False,
) -> None:
    audit.note(
        action,
        event=event,
        actor=actor,
        reason=reason,
        player=entry.player_id,
        entry=entry.pk,
        before=before,
        left_round=left_round,
        expelled=expelled,
    )
    news.announce(news.of_event(event.pk), "entries", {"player": entry.player_id})
    if event.state == Event.State.RUNNING:
        enqueue.event(event.pk)


# The acts of the desk's form and of the API, in the order of its documentation.
ENTRY_ACTS = Acts(
    EntryArguments,
    withdraw,
    expel,
    readmit,
    grant_bye,
    change_half_byes,
    cancel_bye,
    set_rating,
    later_ratings.set_rating_from,
    set_seed,
    merging.merge,
    entries.admit,
    section_moves.move,
    check_in.check_in,
    check_in.check_out,
    sanctions.sanction,
)
