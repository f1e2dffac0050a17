"""Teams of an event and their members: the captain, the players and their order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Max, Q
from django.utils.translation import gettext_lazy as _

from tournaments import database_time
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import ByeRequest, Entry, Event, Player, TeamBoard, User
from tournaments.models.players import NAME_LENGTH, canonical_name
from tournaments.queries.events import admission, clubs, conditions, staff
from tournaments.queries.events.staff import Task
from tournaments.services.accounts import consent_checks
from tournaments.services.events import entries, half_byes, single_entries
from tournaments.services.events.acts import TOUCHES_PAIRINGS, Acts, act
from tournaments.services.notifications import news

# Members of a team, reserves included.
MAX_MEMBERS = 40


@dataclass(frozen=True, slots=True)
class TeamArguments:
    """The arguments of the acts on teams. Each act takes some of them.

    Attributes:
        entry_id: a team, or for acts on a member the member.
        name: of a new team.
        username: an account.
        player_id: the player who joins: the account's own, or a bot of it.
        member_ids: the members in their new order.
        club: the slug of a club whose team enters.
        player_ids: members of that club, in board order.
        round_number, kind: of a bye.
    """

    entry_id: int = 0
    name: str = ""
    username: str = ""
    player_id: int | None = None
    member_ids: Sequence[int] = ()
    club: str = ""
    player_ids: Sequence[int] = ()
    round_number: int = 0
    kind: str = ""


@act("team-create", task=None, done=_("The team has entered."))
def create(event: Event, actor: User, *, name: str) -> Entry:
    """Enter a new team. Its captain is the actor, unless the organisers' staff enters it.

    Raises:
        NotAllowedError: `not-your-player` for an account without a player.
        RefusedError: `not-teams`, `team-name-bad`, `team-exists`, `event-closed`, `event-full`, or
            those of `conditions.require`.
    """
    _require_teams(event)
    is_staff = _is_staff(event, actor)
    if not is_staff:
        player = Player.objects.filter(user=actor).first()
        if player is None:
            raise NotAllowedError("not-your-player")
        conditions.require(event, player, "")
    if not admission.accepts_entries(event):
        raise RefusedError("event-closed", event.state)
    team = new_team(event, name, is_staff=is_staff, captain=None if is_staff else actor)
    create.note(event, actor, player=team.player_id)
    _tell(event)
    return team


@act(
    "team-of-club",
    action="team-create",
    task=None,
    done=_("The team has entered. Its players were notified."),
)
def create_of_club(
    event: Event, actor: User, *, club: str, name: str, player_ids: Sequence[int]
) -> Entry:
    """Enter a team of a club, of which the actor is an officer, with members of the club in board order.

    Without a name the team has that of the club. The actor is its captain.

    Raises:
        NotAllowedError: `club-leaders`.
        RefusedError: `club-members` for a player who is no member, `team-full`, and as `create` and `join`.
    """
    _require_teams(event)
    row = clubs.led_by(actor).filter(slug=club).first()
    if row is None:
        raise NotAllowedError("club-leaders", club[:40])
    if not admission.accepts_entries(event):
        raise RefusedError("event-closed", event.state)
    players = clubs.players_of(row, player_ids)
    is_staff = _is_staff(event, actor)
    for player in players:
        admission.require_fit(event, player)
        consent_checks.require_entry(event, player, actor)
        if not is_staff:
            is_captain = player.user_id == actor.pk
            conditions.require(event, player, "" if is_captain else event.access_code)
    team = new_team(event, name or row.name, is_staff=is_staff, captain=actor)
    team.club = row.name
    team.save(update_fields=["club"])
    for player in players:
        add_member(event, team, player)
    create_of_club.note(event, actor, player=team.player_id)
    payload = {"event": event.pk, "club_name": row.name, "team": team.player.name}
    news.announce_to([each for each in players if each.user_id != actor.pk], "club-team", payload)
    _tell(event)
    return team


def new_team(
    event: Event, name: str, *, is_staff: bool = True, captain: User | None = None
) -> Entry:
    """Return a new team. In the caller's transaction, `event` locked. Raises as `create`."""
    name = " ".join(name.split())
    canonical = canonical_name(name)
    if not name or len(name) > NAME_LENGTH or len(canonical) > 2 * NAME_LENGTH:
        raise RefusedError("team-name-bad", name[:NAME_LENGTH])
    if event.entries.contestants().filter(player__canonical=canonical).exists():
        raise RefusedError("team-exists", name)
    team = Entry(
        event=event,
        player=Player.objects.create(
            kind=Player.Kind.TEAM, name=name, canonical=canonical, created_at=database_time.now()
        ),
        captain=captain,
        state=entries.first_state(event, is_staff=is_staff),
        entered_at=database_time.now(),
    )
    if team.state == Entry.State.ACTIVE:
        entries.number_late(event, team)
    team.save()
    entries.give_late_half_point(event, team)
    return team


@act("team-join", task=None, done=_("Done. A captain must accept players of other accounts."))
def join(event: Event, actor: User, *, entry_id: int, player_id: int | None = None) -> Entry:
    """Join a team, or let an own bot join it. The captain accepts players of other accounts.

    Raises:
        NotAllowedError: `not-your-player`.
        StaleError: `no-such-entry`.
        RefusedError: `not-teams`, `already-entered`, `team-full`, and those of
            `admission.require_fit`.
    """
    _require_teams(event)
    team = _team(event, entry_id)
    named = Player.objects.filter(pk=player_id) if player_id else Player.objects.filter(user=actor)
    player = named.first()
    if player is None:
        raise NotAllowedError("not-your-player")
    admission.require_right(event, player, actor)
    admission.require_fit(event, player)
    consent_checks.require_entry(event, player, actor)
    is_accepted = leads(event, team, actor)
    member = add_member(event, team, player, is_accepted=is_accepted)
    join.note(event, actor, player=player.pk, team=team.player_id)
    if not is_accepted and team.captain_id is not None:
        payload = {"event": event.pk, "player": player.name, "team": team.player.name}
        news.announce_each([(news.of_user(team.captain_id), "team-request", payload)])
    _tell(event)
    return member


def add_member(
    event: Event,
    team: Entry,
    player: Player,
    *,
    is_accepted: bool = True,
    columns: Mapping[str, object] | None = None,
) -> Entry:
    """Return the new member, at the end of the team's list.

    A player who has left a team of the event can join again. In the caller's transaction, `event`
    locked. Raises RefusedError `already-entered`, `team-full`, `section-entered`.
    """
    if team.members.exclude(state=Entry.State.WITHDRAWN).count() >= MAX_MEMBERS:
        raise RefusedError("team-full", str(MAX_MEMBERS))
    single_entries.require_single(event, player)
    member = event.entries.filter(player=player).first()
    if member is None:
        member = Entry(event=event, player=player)
    elif member.state != Entry.State.WITHDRAWN or member.is_expelled or _has_sat(member, team):
        raise RefusedError("already-entered", player.name)
    for name, value in (columns or {}).items():
        setattr(member, name, value)
    member.team = team
    member.board_order = 1 + (team.members.aggregate(last=Max("board_order"))["last"] or 0)
    member.state = Entry.State.ACTIVE if is_accepted else Entry.State.REQUESTED
    member.entered_at = database_time.now()
    member.withdrawn_at = member.left_round = None
    member.save()
    if event.state == Event.State.RUNNING:
        entries.seed_member(event, member)
    return member


def _has_sat(member: Entry, team: Entry) -> bool:
    """Return whether the member has sat at a board for another team."""
    boards = TeamBoard.objects.filter(Q(first=member) | Q(second=member))
    return member.team_id != team.pk and boards.exists()


@act("team-accept", task=None, done=_("The player is a member of the team now."))
def accept(event: Event, actor: User, *, entry_id: int) -> Entry:
    """Accept a player who wants to join.

    Raises:
        NotAllowedError: `not-captain`.
        StaleError: `no-such-entry`.
    """
    member = _member(event, entry_id)
    _require_lead(event, member.contestant, actor)
    if member.state != Entry.State.REQUESTED:
        raise StaleError("no-such-entry")
    member.state = Entry.State.ACTIVE
    member.save(update_fields=["state"])
    if event.state == Event.State.RUNNING:
        entries.seed_member(event, member)
    accept.note(event, actor, player=member.player_id, team=member.contestant.player_id)
    news.announce_to(
        [member.player], "entry", {"event": event.pk, "act": "admission", "reason": ""}
    )
    _tell(event)
    return member


@act("team-remove", task=None, done=_("The player is no member of the team any more."))
def remove(event: Event, actor: User, *, entry_id: int) -> None:
    """Remove a member, or refuse one who wants to join. Games that were played stay.

    Members may leave themselves.

    Raises:
        NotAllowedError: `not-captain`.
        StaleError: `no-such-entry`.
    """
    member = _member(event, entry_id)
    if not _is_own(event, member, actor):
        _require_lead(event, member.contestant, actor)
    if member.state == Entry.State.WITHDRAWN:
        raise StaleError("no-such-entry")
    member.state = Entry.State.WITHDRAWN
    member.withdrawn_at = database_time.now()
    member.left_round = admission.rounds_drafted(event) + 1
    member.save(update_fields=["state", "withdrawn_at", "left_round"])
    remove.note(event, actor, player=member.player_id, team=member.contestant.player_id)
    _tell(event)


@act("team-order", task=None, done=_("The order of the team was changed."))
def order(event: Event, actor: User, *, entry_id: int, member_ids: Sequence[int]) -> None:
    """Put the members of a team in an order. Members that are not named follow the others.

    The captain can do it until the start, the staff until the end.

    Raises:
        NotAllowedError: `not-captain`.
        StaleError: `no-such-entry`, `team-order-late` for a captain after the start.
    """
    team = _team(event, entry_id)
    _require_lead(event, team, actor)
    if event.state != Event.State.REGISTRATION and not _is_staff(event, actor):
        raise StaleError("team-order-late")
    members = list(team.members.order_by("board_order", "pk"))
    places = {pk: place for place, pk in enumerate(member_ids)}
    if not places.keys() <= {member.pk for member in members}:
        raise StaleError("no-such-entry")
    members.sort(key=lambda member: places.get(member.pk, len(places)))
    for place, member in enumerate(members, start=1):
        member.board_order = place
    Entry.objects.bulk_update(members, ["board_order"])
    order.note(event, actor, player=team.player_id)
    _tell(event)


@act("team-captain", task=None, done=_("The team has another captain."))
def set_captain(event: Event, actor: User, *, entry_id: int, username: str) -> Entry:
    """Make an account the captain of a team.

    Raises:
        NotAllowedError: `not-captain`.
        StaleError: `no-such-entry`.
        RefusedError: `no-such-account`.
    """
    team = _team(event, entry_id)
    _require_lead(event, team, actor)
    user = User.objects.filter(username__iexact=username.strip(), is_active=True).first()
    if user is None:
        raise RefusedError("no-such-account", username[:40])
    team.captain = user
    team.save(update_fields=["captain"])
    set_captain.note(event, actor, player=team.player_id, name=user.username)
    _tell(event)
    return team


@act(
    "team-bye",
    task=None,
    done=_("The bye of the team was registered."),
    action="bye-request",
    warning=TOUCHES_PAIRINGS,
    asks=half_byes.warnings,
)
def request_bye(
    event: Event, actor: User, *, entry_id: int, round_number: int, kind: str
) -> ByeRequest:
    """Request a bye for a team, as players do for themselves.

    Raises NotAllowedError `not-captain`, StaleError `no-such-entry`, and as `entries.request_bye`.
    """
    team = _team(event, entry_id)
    _require_lead(event, team, actor)
    return entries.request_bye(
        event_id=event.pk, player=team.player, actor=actor, round_number=round_number, kind=kind
    )


@act(
    "team-withdraw",
    task=None,
    done=_("The team plays no further rounds."),
    warning=TOUCHES_PAIRINGS,
    action="withdrawal",
)
def withdraw(event: Event, actor: User, *, entry_id: int) -> Entry:
    """Take a team out of all further rounds. Games in progress continue.

    Raises NotAllowedError `not-captain`, StaleError `no-such-entry`, and as `entries.withdraw`.
    """
    team = _team(event, entry_id)
    _require_lead(event, team, actor)
    return entries.withdraw(event_id=event.pk, player=team.player, actor=actor)


def require_members(event: Event) -> None:
    """Raise RefusedError `team-empty` with the name of a team without members."""
    members = Entry.objects.active().filter(team__event=event).values("team")
    empty = event.entries.active().contestants().exclude(pk__in=members)
    if team := empty.select_related("player").first():
        raise RefusedError("team-empty", team.player.name)


def leads(event: Event, team: Entry, actor: User) -> bool:
    """Return whether `actor` acts for the team: its captain, or the staff with the task of entries."""
    return team.captain_id == actor.pk or _is_staff(event, actor)


def _is_staff(event: Event, actor: User) -> bool:
    return Task.ENTRIES in staff.tasks_of(event, actor)


def _is_own(event: Event, member: Entry, actor: User) -> bool:
    try:
        admission.require_right(event, member.player, actor)
    except NotAllowedError:
        return False
    return True


def _require_lead(event: Event, team: Entry, actor: User) -> None:
    if not leads(event, team, actor):
        raise NotAllowedError("not-captain", team.player.name)


def _require_teams(event: Event) -> None:
    if not event.is_of_teams:
        raise RefusedError("not-teams", event.slug)


def _team(event: Event, entry_id: int) -> Entry:
    teams = event.entries.contestants().select_related("player").filter(pk=entry_id)
    team = teams.first() if event.is_of_teams else None
    if team is None:
        raise StaleError("no-such-entry")
    return team


def _member(event: Event, entry_id: int) -> Entry:
    members = event.entries.filter(pk=entry_id, team__isnull=False)
    member = members.select_related("player", "team__player").first()
    if member is None:
        raise StaleError("no-such-entry")
    return member


def _tell(event: Event) -> None:
    news.announce(news.of_event(event.pk), "entries", {})


# The acts of the forms about teams and of the API, in the order of its documentation.
TEAM_ACTS: Acts[TeamArguments, object] = Acts(
    TeamArguments,
    create,
    create_of_club,
    join,
    accept,
    remove,
    order,
    set_captain,
    request_bye,
    withdraw,
)
