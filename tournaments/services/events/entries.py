"""Entering an event, leaving it, and asking for a bye."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from tournaments import database_time
from tournaments.errors import RefusedError, StaleError
from tournaments.models import ByeRequest, Entry, Event, Player, Round, Seat, User, statements
from tournaments.queries import formats
from tournaments.queries.events import admission, clubs, conditions, staff
from tournaments.queries.events.staff import Task
from tournaments.services import audit, enqueue
from tournaments.services.accounts import consent_checks
from tournaments.services.events import numbering, seeding, single_entries
from tournaments.services.events.acts import ENTRY_DONE, TOUCHES_PAIRINGS, act
from tournaments.services.notifications import news

# A full point is the arbiter's to give.
_REQUESTED_KINDS = {ByeRequest.Kind.HALF.value, ByeRequest.Kind.ZERO.value}


def enter(
    *,
    event_id: int,
    player: Player,
    actor: User,
    code: str = "",
    club: str | None = None,
    has_consent: bool = False,
) -> Entry:
    """Enter `player`, or readmit a withdrawn one.

    `club` names a club of the player, or is empty for none. With None it is the first club.

    People enter themselves. Bots are entered by their authors, who need no consent, or by the
    organiser within the author's consent (`has_consent`: the author was asked). The author is
    notified then. The organiser's conditions, the deadline and the approval do not apply to entries
    by the staff. If all places are taken and there is a waiting list, the entry is added at its
    end.

    Late entries into a Swiss are possible until half of the rounds are paired, and score no points
    in the missed rounds. Leagues, arenas and ladders accept them at any time. Formats with fixed
    places in a table or a draw never do.

    Raises:
        NotAllowedError: `not-your-player`.
        RefusedError: `event-closed`, `event-full`, `people-only`, `bots-only`, `bot-inactive`,
            `bot-other-game`, `modules-only`, `too-many-bots`, `already-entered`, `no-return`,
            `section-entered`, `expelled`, `bot-asks` and the others of `consent_checks.require_entry`, `club-other`, or
            those of `conditions.require`.
    """
    with transaction.atomic():
        event = Event.locked(event_id)
        admission.require_right(event, player, actor)
        if not has_consent:
            consent_checks.require_entry(event, player, actor)
            news.announce_each(_entered_news(event, [player], actor))
        return _enter(event, player, actor, code, club)


def enter_all(*, event_id: int, players: Sequence[Player], actor: User) -> list[Entry]:
    """Enter all of the players together, or no player, as `enter`."""
    with transaction.atomic():
        event = Event.locked(event_id)
        for player in players:
            admission.require_right(event, player, actor)
            consent_checks.require_entry(event, player, actor)
        # Before any news of the event: topics of accounts are locked first.
        news.announce_each(_entered_news(event, players, actor))
        return [_enter(event, player, actor) for player in players]


def _enter(
    event: Event, player: Player, actor: User, code: str = "", club: str | None = None
) -> Entry:
    """The new entry, or the one that returns. In the caller's transaction, `event` locked."""
    if event.is_of_teams:
        raise RefusedError("team-needed", player.name)
    admission.require_fit(event, player)
    single_entries.require_single(event, player)
    is_staff = Task.ENTRIES in staff.tasks_of(event, actor)
    if not is_staff:
        conditions.require(event, player, code)
    entry = _entry_of.one(event=event.pk, player=player.pk)
    if entry is not None:
        entry.event, entry.player = event, player
        return _return(event, entry, actor)
    entry = Entry(event=event, player=player, entered_at=database_time.now())
    entry.club = clubs.name_for_entry(player, club)
    entry.state = first_state(event, is_staff=is_staff)
    if entry.state == Entry.State.ACTIVE:
        number_late(event, entry)
    try:
        with transaction.atomic():
            entry.save()
    except IntegrityError as error:
        raise RefusedError("already-entered", player.name) from error
    give_late_half_point(event, entry)
    _tell(event, "entry", actor, player)
    return entry


@statements.query
def _entry_of(event: int, player: int) -> QuerySet[Entry]:
    return Entry.objects.filter(event=event, player=player).order_by()


def _entered_news(
    event: Event, players: Iterable[Player], actor: User
) -> list[tuple[str, str, dict[str, object]]]:
    """Return the announcements to authors whose bots another person enters."""
    if event.standing_pool:
        return []
    bots = [player.bot for player in players if player.is_bot]
    return [
        (news.of_user(bot.owner_id), "bot-entered", {"event": event.pk, "bot": bot.player.name})
        for bot in bots
        if bot.owner_id is not None and bot.owner_id != actor.pk
    ]


def _return(event: Event, entry: Entry, actor: User) -> Entry:
    if entry.state != Entry.State.WITHDRAWN:
        raise RefusedError("already-entered", entry.player.name)
    _require_place(event)
    if entry.is_expelled:
        raise RefusedError("expelled", entry.player.name)
    left_round = entry.left_round
    let_return(event, entry)
    _tell(event, "return", actor, entry.player, left_round=left_round)
    return entry


def let_return(event: Event, entry: Entry) -> None:
    """Return a withdrawn entry to the event. In the caller's transaction, `event` locked.

    Raises RefusedError `no-return` if its place in a table or bracket is gone, `section-entered` if the
    player is in another section by now.
    """
    single_entries.require_single(event, entry.player)
    has_begun = event.state != Event.State.REGISTRATION
    if has_begun and not _may_return(event) and entry.tpn is not None:
        raise RefusedError("no-return", entry.player.name)
    entry.state = Entry.State.ACTIVE
    entry.withdrawn_at = None
    entry.left_round = None
    number_late(event, entry)
    entry.save(
        update_fields=[
            "state",
            "withdrawn_at",
            "left_round",
            "joined_round",
            "tpn",
            "seed_centielo",
            "is_expelled",
        ]
    )


def first_state(event: Event, *, is_staff: bool) -> Entry.State:
    """Return the state of a new entry: it plays, waits for approval, or for a place."""
    if event.needs_approval and not is_staff:
        return Entry.State.REQUESTED
    if event.has_waiting_list and not has_room(event):
        return Entry.State.WAITING
    _require_place(event)
    return Entry.State.ACTIVE


def has_room(event: Event) -> bool:
    """Return whether a place is left."""
    return event.entries.active().contestants().count() < event.max_entries


def _require_place(event: Event) -> None:
    if not has_room(event):
        raise RefusedError("event-full", str(event.max_entries))


@act("admit", action="admission", task=Task.ENTRIES, done=ENTRY_DONE, warning=TOUCHES_PAIRINGS)
def admit(event: Event, actor: User, *, entry_id: int) -> Entry:
    """Admit a player who waits for approval or for a place.

    Raises:
        NotAllowedError: `not-organiser`.
        StaleError: `no-such-entry`.
        RefusedError: `event-closed`, `event-full`.
    """
    if not admission.accepts_entries(event):
        raise RefusedError("event-closed", event.state)
    waiting = event.entries.filter(state__in=[Entry.State.REQUESTED, Entry.State.WAITING])
    entry = waiting.select_related("player").filter(pk=entry_id).first()
    if entry is None:
        raise StaleError("no-such-entry")
    if event.has_waiting_list and not has_room(event):
        entry.state = Entry.State.WAITING
        entry.save(update_fields=["state"])
    else:
        _require_place(event)
        _let_play(event, entry)
        news.announce_each(admitted_news(event, [entry.player]))
    _tell(event, admit.action, actor, entry.player)
    return entry


def fill_places(event: Event) -> list[Player]:
    """Admit the players who wait longest, as far as there are places.

    Returns them, for the caller to notify before any news of the event: topics of accounts are
    locked first. In the caller's transaction, `event` locked.
    """
    if not event.has_waiting_list or not admission.accepts_entries(event):
        return []
    room = event.max_entries - event.entries.active().contestants().count()
    waiting = event.entries.filter(state=Entry.State.WAITING).select_related("player")
    rows = list(waiting.order_by("entered_at", "pk")[: max(0, room)])
    for entry in rows:
        _let_play(event, entry)
        admit.note(event, None, player=entry.player_id)
    return [entry.player for entry in rows]


def admitted_news(
    event: Event, players: Iterable[Player]
) -> list[tuple[str, str, dict[str, object]]]:
    """Return the announcements to the players who have come up from the waiting list."""
    user_ids = [player.user_id for player in players if player.user_id is not None]
    return [(news.of_user(user_id), "admitted", {"event": event.pk}) for user_id in user_ids]


def _let_play(event: Event, entry: Entry) -> None:
    entry.state = Entry.State.ACTIVE
    number_late(event, entry)
    entry.save(update_fields=["state", "tpn", "joined_round", "seed_centielo"])
    give_late_half_point(event, entry)


def give_late_half_point(event: Event, entry: Entry) -> None:
    """Give a new late entry a half-point bye in the last round that it missed, if the event gives it.

    A player who returns gets nothing: an absence was announced, or not. In the caller's transaction,
    `event` locked, after the entry is saved.
    """
    if not event.gives_late_half_point or not formats.of(event).is_swiss or entry.tpn is None:
        return
    missed = event.rounds.filter(number=entry.joined_round - 1).exclude(state=Round.State.DRAFT)
    round_ = missed.only("pk").first()
    if round_ is not None and not round_.seats.filter(entry=entry).exists():
        Seat.objects.create(round=round_, entry=entry, kind=Seat.Kind.HALF_BYE)


def seed_member(event: Event, member: Entry) -> None:
    """Give a member who joins a running event the seeding rating, and the team its average.

    A late team gets the number of its average until it is paired. In the caller's transaction,
    `event` locked.
    """
    team = member.contestant
    seeding.seed(event, [team])
    team.save(update_fields=["seed_centielo"])
    numbering.number_again(event, team)


def _may_return(event: Event) -> bool:
    """Return whether a withdrawn player may return.

    In a league the place in the season's table is lost.
    """
    return formats.of(event).is_swiss or formats.of(event).is_continuous


def number_late(event: Event, entry: Entry) -> None:
    """Give its pairing number to an entry without one after the event has begun.

    In the caller's transaction, `event` locked. The row is not saved.
    """
    if event.state != Event.State.RUNNING or entry.tpn is not None or entry.team_id is not None:
        return
    entry.joined_round = admission.rounds_drafted(event) + 1
    numbering.number_late(event, entry)


def withdraw(*, event_id: int, player: Player, actor: User | None) -> Entry:
    """Take `player` out of all further rounds. A game in progress continues.

    `actor` is None for the service.

    Raises:
        NotAllowedError: `not-your-player`.
        RefusedError: `not-entered`, `event-closed`.
    """
    with transaction.atomic():
        event = Event.locked(event_id)
        if actor is not None:
            admission.require_right(event, player, actor)
        if event.state not in {Event.State.REGISTRATION, Event.State.RUNNING}:
            raise RefusedError("event-closed", event.state)
        updated_rows = (
            event.entries.exclude(state=Entry.State.WITHDRAWN)
            .filter(player=player)
            .update(
                state=Entry.State.WITHDRAWN,
                withdrawn_at=database_time.now(),
                left_round=admission.rounds_drafted(event) + 1,
            )
        )
        if updated_rows != 1:
            raise RefusedError("not-entered", player.name)
        news.announce_each(admitted_news(event, fill_places(event)))
        _tell(event, "withdrawal", actor, player)
        return event.entries.get(player=player)


def request_bye(
    *, event_id: int, player: Player, actor: User, round_number: int, kind: str
) -> ByeRequest:
    """Request a bye for `player` in a round that is not published yet.

    Half a point is given as often as the event allows, by default once.

    Raises:
        NotAllowedError: `not-your-player`.
        RefusedError: `event-closed`, `not-entered`, `no-such-round`, `bye-kind`, `half-bye-used`,
            `half-bye-late`, `half-bye-barred`, `bye-requested`, or `no-byes` if the format has no byes.
        StaleError: `round-paired`.
    """
    if kind not in _REQUESTED_KINDS:
        raise RefusedError("bye-kind", kind)
    with transaction.atomic():
        event = Event.locked(event_id)
        admission.require_right(event, player, actor)
        if not formats.of(event).is_swiss:
            raise RefusedError("no-byes", event.format)
        if event.state not in {Event.State.REGISTRATION, Event.State.RUNNING}:
            raise RefusedError("event-closed", event.state)
        entry = event.entries.active().contestants().filter(player=player).first()
        if entry is None:
            raise RefusedError("not-entered", player.name)
        if not 1 <= round_number <= event.rounds_total:
            raise RefusedError("no-such-round", str(round_number))
        # A draft is the organiser's secret: one that the bye is too late for is not published.
        later = Round.objects.filter(event=event, number__gte=round_number)
        if later.exclude(state=Round.State.DRAFT).exists():
            raise StaleError("round-paired", str(round_number))
        if kind == ByeRequest.Kind.HALF:
            require_half_bye(event, entry, round_number)
        try:
            with transaction.atomic():
                request = ByeRequest.objects.create(
                    entry=entry,
                    round_number=round_number,
                    kind=kind,
                    requested_at=database_time.now(),
                )
        except IntegrityError as error:
            raise RefusedError("bye-requested", str(round_number)) from error
        _tell(event, "bye-request", actor, player, round=round_number, kind=kind)
        return request


def require_half_bye(event: Event, entry: Entry, round_number: int) -> None:
    """Raise RefusedError `half-bye-barred`, `half-bye-late` or `half-bye-used` for one that the event does not give."""
    if not entry.has_half_byes:
        raise RefusedError("half-bye-barred", entry.player.name)
    last = event.last_half_bye_round or event.rounds_total - 1
    if round_number > last:
        raise RefusedError("half-bye-late", str(last))
    if entry.bye_requests.filter(kind=ByeRequest.Kind.HALF).count() >= event.most_half_byes:
        raise RefusedError("half-bye-used", entry.player.name)


def require_places(event: Event, count: int) -> None:
    """Raise RefusedError `event-closed` or `event-full` unless `count` more may enter."""
    if not admission.accepts_entries(event):
        raise RefusedError("event-closed", event.state)
    if event.entries.active().contestants().count() + count > event.max_entries:
        raise RefusedError("event-full", str(event.max_entries))


def _tell(
    event: Event, action: str, actor: User | None, player: Player, **detail: int | str | None
) -> None:
    # Data for undoing: services.arbiter.undo.
    audit.note(action, event=event, actor=actor, reason="", undoes=None, player=player.pk, **detail)
    news.announce(news.of_event(event.pk), "entries", {"player": player.pk})
    if event.state != Event.State.RUNNING:
        return
    if formats.of(event).is_continuous:
        # In a pool in which no pair was possible there would be no other due step, if the wake-up
        # were lost.
        Event.objects.filter(pk=event.pk).update(next_step_at=database_time.now())
    enqueue.event(event.pk)
