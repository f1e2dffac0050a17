"""Events in lists, and the current state of an event."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from django.db.models import Exists, OuterRef, Q
from django.http.response import HttpResponseBase
from ninja import Query
from pydantic import BaseModel, Field

from tournaments import database_time
from tournaments.api import paging, routes, shapes
from tournaments.api.callers import ApiRequest
from tournaments.api.events import shared
from tournaments.api.events.settings import Settings, changeable, settings_of
from tournaments.api.operations import Operations
from tournaments.api.paging import Page, PageQuery
from tournaments.api.problems import ProblemError
from tournaments.errors import StaleError
from tournaments.models import Entry, Event, Festival, Round, StaffMember, User
from tournaments.queries.events import admission, conditions, open_events, staff
from tournaments.queries.results import fide_rules
from tournaments.services.events import check_in
from tournaments.services.rounds import pairing_lease, rounds
from tournaments.text.house import event_name

operations = Operations("Events", shared.ROUTER)


class EventRow(shapes.Shape):
    """An event in a list."""

    slug: Annotated[str, Field(description="By which it is addressed.")]
    name: str
    state: Annotated[str, Field(description="registration, running, finished or cancelled")]
    format: str
    ruleset: str
    clock: shapes.Clock
    admits: Annotated[str, Field(description="people, bots or both")]
    organiser: shapes.PlayerName | None
    is_rated: bool
    is_over_the_board: bool
    is_private: bool
    rounds_total: Annotated[int, Field(description="0 in formats without common rounds.")]
    players: Annotated[int, Field(description="Number of players.")]
    created_at: datetime
    starts_at: datetime | None
    started_at: datetime | None
    finished_at: datetime | None
    url: str


class CurrentRound(shapes.Shape):
    """The latest public round. Its progress is in the round."""

    number: int
    state: str


class Own(BaseModel):
    """The caller's relation to the event.

    `tasks` are those at its desk: settings, entries, check-in, pairings, results. `changeable` are
    the settings that can still be changed, for users with that task.
    """

    entry: int | None
    number: int | None
    entry_state: str | None
    tasks: list[str]
    changeable: list[str]


class EventState(EventRow):
    """The current state of an event."""

    description: str
    festival: Annotated[str | None, Field(description="The festival that it is a section of.")]
    settings: Settings
    round: CurrentRound | None
    draft: Annotated[int | None, Field(description="The round that is drafted, for the staff.")]
    next_round: Annotated[int | None, Field(description="The round that can be paired now.")]
    takes_entries: bool
    is_check_in_open: bool
    is_paused: bool
    is_being_paired: bool
    hold: Annotated[
        str, Field(description="Reason why an automatic event waits: a code, or empty.")
    ]
    ends_at: datetime | None
    departures: Annotated[
        list[str],
        Field(
            description="Reasons why the event does not follow FIDE's rules. Empty if it does, and "
            "for formats that FIDE does not have."
        ),
    ]
    own: Own | None


class RequestedBye(BaseModel):
    """An absence that is known beforehand."""

    round: int
    kind: Annotated[str, Field(description="half, zero or full")]


class RatingFromRound(shapes.Shape):
    """A rating that holds from a round on."""

    from_round: int
    rating: float
    source: str


class EntryRow(shared.EntryName):
    """An entry. `seed_elo` is the rating for its number, `listed_elo` the organiser's rating."""

    state: Annotated[str, Field(description="active, requested, waiting or withdrawn")]
    seed_elo: float | None
    listed_elo: float | None
    rating_source: Annotated[str, Field(description="The list of `listed_elo`, or empty.")]
    official_elo: Annotated[
        float | None, Field(description="The rating of `official_list`, which no other replaces.")
    ]
    official_list: str
    later_ratings: list[RatingFromRound]
    federation: str
    club: str
    fide_id: str
    category: str
    title: str
    sex: str
    birth: Annotated[str, Field(description="In answers of the desk. Others leave it empty.")]
    national_elo: float | None
    national_id: str
    joined_round: int
    left_round: int | None
    is_expelled: bool
    is_checked_in: bool
    team: Annotated[int | None, Field(description="The entry of a member's team.")]
    board_order: Annotated[int | None, Field(description="The place in the team's list.")]
    byes: list[RequestedBye]


class EventSearch(PageQuery):
    """A search for events."""

    state: Literal["", "open", "registration", "running", "finished", "cancelled"] = ""
    format: shapes.EventFormat | Literal[""] = ""
    family: Annotated[str, Field(max_length=20, description="Family of the game.")] = ""
    q: Annotated[str, Field(max_length=80, description="A part of the name.")] = ""
    mine: Annotated[bool, Field(description="Only events you take part in or help with.")] = False


class EntrySearch(PageQuery):
    """A search for entries."""

    state: Literal["", "active", "requested", "waiting", "withdrawn"] = ""


@operations.get(
    "/events", "events", routes.OPEN, answer=Page[EventRow], example="/events?state=open&limit=2"
)
def events(request: ApiRequest, query: Query[EventSearch]) -> HttpResponseBase:
    """Return events, the latest first. Private ones are visible to their participants.

    Events that are in no list are left out, except with `mine`.
    """
    user = request.caller.user
    rows = open_events.with_playing(conditions.visible(Event.objects.all(), user))
    if query.mine:
        if user is None:
            raise ProblemError("token-needed")
        rows = rows.filter(_is_part_of(user))
    else:
        rows = rows.filter(is_listed=True)
    if query.state == "open":
        rows = rows.open()
    elif query.state:
        rows = rows.filter(state=query.state)
    if query.format:
        rows = rows.filter(format=query.format)
    if query.family:
        rows = rows.filter(Q(ruleset=query.family) | Q(ruleset__startswith=f"{query.family}("))
    if query.q:
        rows = rows.filter(name__icontains=query.q)
    rows = rows.select_related("organiser__player")
    return paging.answer(request, rows, ["-pk"], query, _row)


@operations.get("/events/{slug:event}", "event", routes.OPEN)
def event(request: ApiRequest, event: str) -> EventState:
    """Return the current state of an event: settings, rounds, and your permissions in it.

    Its ETag changes with its settings and its state, and not with results. Results are in the
    round, and your games are in `/me/games`.
    """
    return state_of(request, shared.event_of(request, event))


@operations.get("/events/{slug:event}/entries", "event-entries", routes.OPEN, answer=Page[EntryRow])
def event_entries(request: ApiRequest, event: str, query: Query[EntrySearch]) -> HttpResponseBase:
    """Return the entries, in the order of entering."""
    rows = shared.event_of(request, event).entries.select_related("player")
    if query.state:
        rows = rows.filter(state=query.state)
    return paging.answer(request, rows.prefetch_related("bye_requests"), ["pk"], query, entry_row)


def state_of(request: ApiRequest, event: Event) -> EventState:
    """Return the event, read again, with the data that the caller may see."""
    event = (
        open_events.with_playing(Event.objects.filter(pk=event.pk))
        .select_related("organiser__player")
        .get()
    )
    user, now = request.caller.user, database_time.now()
    tasks = staff.tasks_of(event, user) if user else frozenset()
    slim = event.rounds.defer("problem", "evidence", "report")
    latest = list(slim.order_by("-number")[:2])
    current = next((each for each in latest if each.state != Round.State.DRAFT), None)
    draft = next((each for each in latest if each.state == Round.State.DRAFT), None)
    return EventState.of(
        event,
        **_row(event).model_dump(),
        festival=Festival.objects.filter(sections__event=event)
        .values_list("slug", flat=True)
        .first(),
        settings=settings_of(event, is_full=staff.Task.SETTINGS in tasks),
        round=current,
        draft=draft.number if draft and tasks else None,
        next_round=_next_round(event),
        takes_entries=admission.accepts_entries(event),
        is_check_in_open=check_in.is_open(event, now),
        is_paused=event.paused_at is not None,
        is_being_paired=pairing_lease.is_being_paired(event, now),
        hold=event.hold_reason,
        departures=[each.value for each in fide_rules.departures(event)],
        own=_own(request, event, tasks) if user else None,
    )


def entry_row(entry: Entry, *, is_full: bool = False) -> EntryRow:
    """The entry with its player and byes at hand, with the birth date only if the answer `is_full`."""
    byes = sorted(entry.bye_requests.all(), key=lambda each: each.round_number)
    seed, listed = entry.seed_centielo, entry.listed_centielo
    return EntryRow.of(
        entry,
        **shared.entry_name(entry).model_dump(),
        seed_elo=seed / 100 if seed else None,
        listed_elo=None if listed is None else listed / 100,
        official_elo=entry.official_centielo / 100 if entry.official_centielo else None,
        later_ratings=[
            RatingFromRound.of(each, rating=each.centielo / 100) for each in entry.ratings_by_round
        ],
        birth=entry.birth if is_full else "",
        national_elo=None if entry.national_centielo is None else entry.national_centielo / 100,
        is_checked_in=entry.checked_in_at is not None,
        team=entry.team_id,
        byes=[RequestedBye(round=each.round_number, kind=each.kind) for each in byes],
    )


def _is_part_of(user: User) -> Q:
    entered = Entry.objects.filter(event=OuterRef("pk"), player__user=user)
    helps = StaffMember.objects.filter(event=OuterRef("pk"), user=user)
    return Q(organiser=user) | Exists(entered) | Exists(helps)


def _next_round(event: Event) -> int | None:
    try:
        return rounds.require_next(event)
    except StaleError:
        return None


def _own(request: ApiRequest, event: Event, tasks: frozenset[staff.Task]) -> Own:
    player = request.caller.player
    entry = event.entries.filter(player=player).first() if player else None
    can_change = staff.Task.SETTINGS in tasks
    return Own(
        entry=entry.pk if entry else None,
        number=entry.tpn if entry else None,
        entry_state=entry.state if entry else None,
        tasks=sorted(tasks),
        changeable=changeable(event) if can_change else [],
    )


def _row(event: Event) -> EventRow:
    return EventRow.of(
        event,
        name=event_name(event),
        clock=shapes.clock(event),
        organiser=shapes.player_of(event.organiser),
        players=getattr(event, "playing", 0),
        url=event.get_absolute_url(),
    )
