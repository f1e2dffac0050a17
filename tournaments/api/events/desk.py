"""The desk of an event: entries, forbidden pairs, announcements, staff, and taking acts back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from django.http import Http404
from ninja import Query
from pydantic import BaseModel, Field

from tournaments.api import dry_runs, etags, routes, shapes
from tournaments.api.callers import ApiRequest
from tournaments.api.dry_runs import DryRunQuery
from tournaments.api.events import files, overview, shared
from tournaments.api.events.files import AnnouncementShape, ForbiddenPairs, LogEntry, StaffShape
from tournaments.api.events.overview import EntryRow
from tournaments.api.operations import Body, Operations
from tournaments.edges import access
from tournaments.errors import RefusedError
from tournaments.models import Entry, Event, User
from tournaments.models.events import MAX_ROUNDS
from tournaments.models.players import NAME_LENGTH
from tournaments.queries.events import personal_data, player_lists, rating_lists, staff
from tournaments.queries.events.player_lists import ListedPlayer, PlayerList
from tournaments.services.accounts import players
from tournaments.services.arbiter import forbidden_pairs
from tournaments.services.arbiter.entry_acts import ENTRY_ACTS, EntryArguments
from tournaments.services.events import announcements, entries, listed_players, staff_members

operations = Operations("The desk of events", shared.ROUTER)


class ListedPlayerShape(Body):
    """A player of a list, who needs no account here."""

    name: Annotated[str, Field(min_length=1, max_length=NAME_LENGTH)]
    rating: Annotated[int | None, Field(ge=0, le=player_lists.MAX_ELO)] = None
    federation: Annotated[str, Field(max_length=3)] = ""
    club: Annotated[str, Field(max_length=player_lists.MAX_CLUB)] = ""
    fide_id: Annotated[str, Field(max_length=player_lists.MAX_FIDE_ID)] = ""
    category: Annotated[str, Field(max_length=player_lists.MAX_CATEGORY)] = ""
    title: Annotated[str, Field(max_length=personal_data.LONGEST_TITLE)] = ""
    sex: Annotated[str, Field(max_length=1, description="m or w.")] = ""
    birth: Annotated[str, Field(max_length=10, description="A date or a year.")] = ""
    national_rating: Annotated[int | None, Field(ge=0, le=player_lists.MAX_ELO)] = None
    national_id: Annotated[str, Field(max_length=personal_data.LONGEST_NATIONAL_ID)] = ""


class RatedQuery(BaseModel):
    """A search of the rating lists."""

    name: Annotated[
        str, Field(max_length=80, description="Beginnings of the words of a name, or an id.")
    ] = ""


class RatedRow(ListedPlayerShape):
    """A player of a rating list, as the entry of a player has the data."""

    list: str
    kind: Annotated[str, Field(description="standard, rapid or blitz.")]


_RATED = ("name", "federation", "club", "fide_id", "title", "sex", "national_id")


class NewEntries(Body):
    """The new entries: over the board players of a list, otherwise people and bots with accounts.

    `text` is a list as organisers have it: a name a line, a table, or a report.
    """

    listed: Annotated[list[ListedPlayerShape], Field(max_length=player_lists.MAX_ROWS)] = []
    text: Annotated[str, Field(max_length=player_lists.MAX_CHARACTERS)] = ""
    players: Annotated[list[shapes.Id], Field(max_length=200)] = []


class ListLine(shapes.Shape):
    """A line of `text`: its values, or its fault."""

    line: int
    name: str | None
    fault: str | None
    text: str
    same_as: Annotated[int | None, Field(description="An earlier line; 0: entered already.")]
    same_by: Annotated[
        str | None, Field(description="fide-id, national-id or name, if `same_as` has a line.")
    ]


class AddedEntries(BaseModel):
    """The new entries, or those of a dry run, and the lines of `text` as they were read."""

    entries: list[EntryRow]
    lines: list[ListLine]
    unused_columns: Annotated[
        list[str], Field(description="Headings of `text` that were not read; `#2` for one without.")
    ]


class EntryAct(Body):
    """An action on an entry. Most actions have a reason, which the log shows.

    `bye` takes `round` and `kind`, `cancel-bye` takes `round`, `rating` and `seed` a number, or
    null for the usual one. `rating-from` takes `rating` and `from_round`, the round from which it
    counts in tie-breaks, and null removes it. `merge` takes `other`. `sanction` takes `round`, `sanction` (warning, time, points, loss, exclusion)
    and with points `halves`. `move` takes `section`, the slug of another section
    of the festival.
    """

    act: Annotated[str, shapes.one_of(ENTRY_ACTS.by_code), Field(description=ENTRY_ACTS.warnings())]
    reason: shared.Reason = ""
    round: Annotated[int | None, Field(ge=1, le=MAX_ROUNDS)] = None
    kind: Literal["half", "zero", "full"] = "half"
    is_exception: Annotated[
        bool, Field(description="True for a half-point bye that players could not ask for.")
    ] = False
    has_half_byes: Annotated[
        bool, Field(description="The right after `half-byes`: false removes it.")
    ] = False
    rating: Annotated[int | None, Field(ge=100, le=4_000)] = None
    from_round: Annotated[
        int | None, Field(ge=2, le=MAX_ROUNDS, description="The first round of `rating-from`.")
    ] = None
    seed: Annotated[int | None, Field(ge=1, le=5_000)] = None
    other: Annotated[
        shapes.Id | None,
        Field(
            description="The entry that `merge` deletes: its data fill empty values of this one."
        ),
    ] = None
    section: Annotated[str, Field(max_length=80)] = ""
    sanction: Annotated[str, Field(max_length=20, description="The kind for `sanction`.")] = ""
    halves: Annotated[
        int, Field(ge=0, le=100, description="Half points that `sanction` deducts.")
    ] = 0

    def arguments(self, entry_id: int) -> EntryArguments:
        """Return them as the acts have them."""
        return EntryArguments(
            entry_id=entry_id,
            reason=self.reason,
            round_number=self.round or 0,
            kind=self.kind,
            is_exception=self.is_exception,
            has_half_byes=self.has_half_byes,
            centielo=None if self.rating is None else 100 * self.rating,
            from_round=self.from_round or 0,
            seed=self.seed,
            other_id=self.other,
            section=self.section,
            sanction_kind=self.sanction,
            halves=self.halves,
        )


class NewForbiddenPairs(Body):
    """Players of whom no two are to meet: by their entries, or by their pairing numbers."""

    entries: Annotated[list[shapes.Id], Field(max_length=100)] = []
    numbers: Annotated[list[shared.PairingNumber], Field(max_length=100)] = []
    first_round: Annotated[int, Field(ge=1, le=MAX_ROUNDS)] = 1
    last_round: Annotated[int | None, Field(ge=1, le=MAX_ROUNDS)] = None
    note: Annotated[str, Field(max_length=100, description="Everybody sees it.")] = ""


class NewAnnouncement(Body):
    """The text of a new announcement."""

    text: Annotated[str, Field(min_length=1, max_length=announcements.LONGEST)]


class NewHelper(Body):
    """A new helper with an account, by name."""

    name: Annotated[str, Field(min_length=1, max_length=NAME_LENGTH)]
    role: Literal["deputy", "pairings", "results", "check-in"]


@operations.post(
    "/events/{slug:event}/entries",
    "entries-add",
    routes.DESK,
    body='{"listed": [{"name": "Grete Hansen", "rating": 1710}]}',
)
def add_entries(
    request: ApiRequest, event: str, query: Query[DryRunQuery], body: NewEntries
) -> AddedEntries:
    """Enter players as the staff: all of them together or no player.

    A dry run reports how each line of `text` was read. It leaves out a line with a fault. Without a
    dry run one fault refuses the whole list.
    """
    row, user = shared.event_of(request, event), request.caller.account
    staff.require(row, user, staff.Task.ENTRIES)
    return dry_runs.run_whole(
        lambda: enter(row, user, body, skips_faults=query.dry_run), is_dry=query.dry_run
    )


def enter(event: Event, user: User, body: NewEntries, *, skips_faults: bool) -> AddedEntries:
    """Enter the players. Raises RefusedError `form-bad` with the lines that have a fault."""
    player_list, listed = _read(event, user, body)
    faults = [each.line for each in player_list.problems]
    if faults and not skips_faults:
        raise RefusedError("form-bad", ", ".join(map(str, faults[:20])))
    rows = _enter_all(event, user, listed, body.players)
    return AddedEntries(
        entries=_entries([each.pk for each in rows]),
        lines=_lines(player_list),
        unused_columns=list(player_list.unused or ()),
    )


@operations.get("/events/{slug:event}/rated-players", "event-rated-players", routes.PRIVATE)
def rated_players(request: ApiRequest, event: str, query: Query[RatedQuery]) -> list[RatedRow]:
    """Return at most ten players of the rating lists, for the staff that enters players.

    A player of several lists has a row for each, in the order of the lists of the event.
    """
    row = shared.event_of(request, event)
    staff.require(row, request.caller.account, staff.Task.ENTRIES)
    rows = rating_lists.matches(query.name, rating_lists.order_of(row))
    return [
        RatedRow(
            list=each.list.name,
            kind=each.list.kind,
            rating=each.rating_elo,
            national_rating=each.national_elo,
            birth=each.birth_year,
            **{name: getattr(each, name) for name in _RATED},
        )
        for match in rows
        for each in (match.player, *match.others)
    ]


@operations.patch(
    "/events/{slug:event}/entries/{int:entry_id}",
    "entry-change",
    routes.DESK,
    body='{"name": "Grete Hansen", "club": "Tower"}',
)
def change_entry(
    request: ApiRequest, event: str, entry_id: int, body: ListedPlayerShape
) -> EntryRow:
    """Replace the list's data about a player of an event over the board."""
    row = shared.event_of(request, event)
    etags.require(request, _entry(row, entry_id))
    listed_players.edit(
        event_id=row.pk, actor=request.caller.account, entry_id=entry_id, player=_listed(body)
    )
    return _entry(row, entry_id)


@operations.get("/events/{slug:event}/entries/{int:entry_id}", "entry", routes.OPEN)
def entry(request: ApiRequest, event: str, entry_id: int) -> EntryRow:
    """Return an entry of an event."""
    return _entry(shared.event_of(request, event), entry_id)


@operations.delete("/events/{slug:event}/entries/{int:entry_id}", "entry-remove", routes.DESK)
def remove_entry(request: ApiRequest, event: str, entry_id: int) -> None:
    """Delete a player of a list before the start. Later players are withdrawn."""
    row = shared.event_of(request, event)
    listed_players.remove(event_id=row.pk, actor=request.caller.account, entry_id=entry_id)


@operations.post(
    "/events/{slug:event}/entries/{int:entry_id}/acts",
    "entry-act",
    routes.DESK,
    status=200,
    body='{"act": "withdraw", "reason": "Ill."}',
)
def act_on_entry(
    request: ApiRequest, event: str, entry_id: int, query: Query[DryRunQuery], body: EntryAct
) -> EntryRow:
    """Withdraw, expel, readmit, give or cancel a bye, set a rating or a number, merge, move, admit, check in."""
    row = shared.event_of(request, event)

    def act() -> EntryRow:
        ENTRY_ACTS.run(body.act, row.pk, request.caller.account, body.arguments(entry_id))
        # It may be in another section now.
        return _entries([entry_id])[0]

    return dry_runs.run(act, is_dry=query.dry_run)


@operations.post(
    "/events/{slug:event}/forbidden-pairs",
    "pairs-forbid",
    routes.DESK,
    body='{"numbers": [1, 2], "note": "Sisters."}',
    act=forbidden_pairs.forbid,
)
def forbid(request: ApiRequest, event: str, body: NewForbiddenPairs) -> ForbiddenPairs:
    """Keep players apart, from now on."""
    row = shared.event_of(request, event)
    numbered = row.entries.filter(tpn__in=body.numbers).values_list("pk", flat=True)
    prohibition = forbidden_pairs.forbid(
        event_id=row.pk,
        actor=request.caller.account,
        entry_ids=[*body.entries, *numbered],
        first_round=body.first_round,
        last_round=body.last_round,
        note=body.note,
    )
    return files.forbidden_shape(prohibition)


@operations.delete(
    "/events/{slug:event}/forbidden-pairs/{int:group_id}",
    "pairs-allow",
    routes.DESK,
    act=forbidden_pairs.allow,
)
def allow(request: ApiRequest, event: str, group_id: int) -> None:
    """Allow players to meet who were kept apart."""
    row = shared.event_of(request, event)
    forbidden_pairs.allow(event_id=row.pk, actor=request.caller.account, prohibition_id=group_id)


@operations.post(
    "/events/{slug:event}/announcements",
    "event-announce",
    routes.DESK,
    body='{"text": "Round 2 begins at eight."}',
)
def announce(request: ApiRequest, event: str, body: NewAnnouncement) -> AnnouncementShape:
    """Send an announcement to all participants."""
    row = shared.event_of(request, event)
    announcement = announcements.announce(
        event_id=row.pk, actor=request.caller.account, text=body.text
    )
    return AnnouncementShape.of(announcement)


@operations.post(
    "/events/{slug:event}/staff",
    "staff-add",
    routes.DESK,
    body='{"name": "Ben", "role": "results"}',
)
def add_staff(request: ApiRequest, event: str, body: NewHelper) -> StaffShape:
    """Add a helper: a deputy, or staff for pairings, results, or the check-in."""
    row, user = shared.event_of(request, event), request.caller.account
    staff.require(row, user, staff.Task.SETTINGS)
    member = staff_members.add(
        event_id=row.pk, actor=user, player=players.named(body.name), role=body.role
    )
    return files.staff_shape(member)


@operations.delete("/events/{slug:event}/staff/{int:member_id}", "staff-remove", routes.DESK)
def remove_staff(request: ApiRequest, event: str, member_id: int) -> None:
    """Take a role away."""
    row = shared.event_of(request, event)
    staff_members.remove(event_id=row.pk, actor=request.caller.account, member_id=member_id)


@operations.post(
    "/events/{slug:event}/log/{int:action_id}/undo",
    "log-undo",
    routes.DEAR_AT_DESK,
    body='{"reason": "It was another player."}',
)
def undo_act(
    request: ApiRequest, event: str, action_id: int, query: Query[DryRunQuery], body: shared.Because
) -> LogEntry:
    """Give back the state before an act of the log, which keeps both."""
    row, user = shared.event_of(request, event), request.caller.account
    return dry_runs.run(
        lambda: files.undone(row, user, action_id, body.reason), is_dry=query.dry_run
    )


def _read(event: Event, user: User, body: NewEntries) -> tuple[PlayerList, list[ListedPlayer]]:
    """The text as it was read, and all players of lists."""
    listed = [_listed(each) for each in body.listed]
    if not body.text:
        return PlayerList(()), listed
    player_list = listed_players.preview(event_id=event.pk, actor=user, text=body.text)
    return player_list, [*listed, *player_list.players.values()]


def _lines(player_list: PlayerList) -> list[ListLine]:
    return [
        ListLine.of(
            each,
            name=each.player.name if each.player else None,
            fault=each.problem.value if each.problem else None,
            same_by=each.same_by.value if each.same_by else None,
        )
        for each in player_list.rows
    ]


def _enter_all(
    event: Event, user: User, listed: Sequence[ListedPlayer], player_ids: Sequence[int]
) -> list[Entry]:
    rows: list[Entry] = []
    if listed or not player_ids:
        rows += listed_players.enter_all(event_id=event.pk, actor=user, players=listed)
    players = [access.get_player(pk) for pk in player_ids]
    return [*rows, *entries.enter_all(event_id=event.pk, players=players, actor=user)]


def _entries(pks: Sequence[int]) -> list[EntryRow]:
    rows = Entry.objects.filter(pk__in=pks).select_related("player").order_by("pk")
    return [overview.entry_row(row, is_full=True) for row in rows.prefetch_related("bye_requests")]


def _entry(event: Event, entry_id: int) -> EntryRow:
    """The entry of the event. Raises Http404."""
    if not event.entries.filter(pk=entry_id).exists():
        raise Http404
    return _entries([entry_id])[0]


def _listed(body: ListedPlayerShape) -> ListedPlayer:
    return ListedPlayer(
        name=body.name,
        rating_elo=body.rating or None,
        national_elo=body.national_rating or None,
        **{name: getattr(body, name) for name in player_lists.TEXTS},
    )
