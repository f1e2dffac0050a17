"""The page of an event's teams: members, results, line-ups, and what captains do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from tournaments.errors import RefusedError
from tournaments.forms.entries import ByeForm
from tournaments.forms.teams import LineUpForm, TeamForm
from tournaments.models import Entry, Event, Player, Round, TeamBoard, User
from tournaments.queries import formats
from tournaments.queries.events import clubs
from tournaments.queries.events.staff import Task
from tournaments.queries.results import histories, team_boards
from tournaments.queries.results.team_boards import MemberGame
from tournaments.services.events import bot_requests, seeding, teams
from tournaments.services.rounds import line_ups
from tournaments.views import questions, refusals
from tournaments.views.access import members_only, signed_in
from tournaments.views.events.pages import tab_context

# Members of each board in the table of the best.
_BEST = 3
# Members of a club to choose from.
_CHOICES = 300


@dataclass(frozen=True, slots=True)
class MemberRow:
    """A member with the games that are over, the half points of them, and all games."""

    entry: Entry
    games: Sequence[MemberGame]
    over: int
    points_halves: int
    is_own: bool


@dataclass(frozen=True, slots=True)
class LineUp:
    """The line-up of a team in the open round, which the visitor may change: the member at each board, or None."""

    round_number: int
    opponent: Entry
    boards: Sequence[int | None]


@dataclass(frozen=True, slots=True)
class TeamCard:
    """A team on the page.

    `leads` says whether the visitor acts for it. `line_up` is None if the visitor cannot change it.
    """

    entry: Entry
    members: Sequence[MemberRow]
    requests: Sequence[Entry]
    leads: bool
    line_up: LineUp | None


def page(request: HttpRequest, event: Event) -> HttpResponse:
    """All teams of the event."""
    _require_teams(event)
    context = tab_context(request, event, "teams")
    user = request.user if isinstance(request.user, User) else None
    rows = list(
        event.entries.select_related("player__bot", "captain__player")
        .prefetch_related("bye_requests")
        .order_by("tpn", "pk")
    )
    if event.state == Event.State.REGISTRATION:
        seeding.preview(event, rows)
    members: dict[int, list[Entry]] = {}
    for row in sorted(rows, key=lambda each: (each.board_order or 0, each.pk)):
        if row.team_id is not None:
            members.setdefault(row.team_id, []).append(row)
    games = team_boards.of_members(event, histories.of_event(event))
    current = context["current_round"]
    context["teams"] = [
        _card(event, team, members.get(team.pk, []), games, user, current)
        for team in rows
        if team.team_id is None
    ]
    context["bye_form"] = ByeForm()
    context["last_published"] = current.number if current is not None else 0
    is_in = user is not None and any(
        member.is_own and member.entry.state != Entry.State.WITHDRAWN
        for card in context["teams"]
        for member in card.members
    )
    context["may_join"] = context["may_enter"] and context["player"] is not None and not is_in
    context["bots"] = _bots(event, user, context["may"]) if context["has_place"] else []
    context["most_members"] = teams.MAX_MEMBERS
    led = clubs.led_by(user) if context["has_place"] else []
    context["led_clubs"] = [(club, clubs.members_of(club)[:_CHOICES]) for club in led]
    if formats.of(event).has_line_ups:
        context["best_of_boards"] = _best_of_boards(context["teams"])
    else:
        context["all_members"] = _by_points(context["teams"])
    return render(request, "events/teams.html", context)


def _bots(event: Event, user: User | None, may: Collection[Task]) -> QuerySet[Player]:
    """Return the bots that the visitor can add to a team: their own, or for the staff all that need no request."""
    bots = Player.objects.bots().order_by("name")
    if user is None or event.admits == Event.Admits.PEOPLE:
        return bots.none()
    if Task.ENTRIES in may:
        return bots.filter(pk__in=bot_requests.choices(event, user).enterable)
    entered = event.entries.exclude(state=Entry.State.WITHDRAWN).values("player")
    return bots.filter(bot__owner=user, bot__is_active=True).exclude(pk__in=entered)


def _by_points(cards: Sequence[TeamCard]) -> list[tuple[TeamCard, MemberRow]]:
    """Return all members with a game that is over, by points, then by fewer games."""
    played = [(card, row) for card in cards for row in card.members if row.over]
    return sorted(played, key=lambda each: (-each[1].points_halves, each[1].over))


def _best_of_boards(
    cards: Sequence[TeamCard],
) -> list[tuple[int, list[tuple[TeamCard, MemberRow]]]]:
    """Return the best members of each board: of those who played there most, by points, then by fewer games."""
    by_board: dict[int, list[tuple[TeamCard, MemberRow]]] = {}
    for card in cards:
        for row in card.members:
            boards = Counter(game.board for game in row.games if game.kind.is_over)
            if boards:
                # The first of boards with equal numbers of games.
                board = min(boards, key=lambda each: (-boards[each], each))
                by_board.setdefault(board, []).append((card, row))
    return [
        (
            board,
            sorted(by_board[board], key=lambda each: (-each[1].points_halves, each[1].over))[
                :_BEST
            ],
        )
        for board in sorted(by_board)
    ]


def _require_teams(event: Event) -> None:
    if not event.is_of_teams:
        raise Http404


def _card(
    event: Event,
    team: Entry,
    members: Sequence[Entry],
    games: Mapping[int, Sequence[MemberGame]],
    user: User | None,
    current: Round | None,
) -> TeamCard:
    leads = user is not None and teams.leads(event, team, user)
    worth = formats.points(event).worth
    rows = []
    for member in members:
        if member.state == Entry.State.REQUESTED:
            continue
        own = games.get(member.pk, ())
        over = [game for game in own if game.kind.is_over]
        points = sum(worth(game.kind) for game in over)
        rows.append(MemberRow(member, own, len(over), points, _is_own(member, user)))
    return TeamCard(
        team,
        rows,
        [member for member in members if member.state == Entry.State.REQUESTED],
        leads,
        _line_up(event, team, user, current) if leads and user else None,
    )


def _is_own(member: Entry, user: User | None) -> bool:
    if user is None:
        return False
    player = member.player
    return player.user_id == user.pk or (player.is_bot and player.bot.owner_id == user.pk)


def _line_up(event: Event, team: Entry, user: User, current: Round | None) -> LineUp | None:
    if current is None or not line_ups.can_change(event, current, team, user):
        return None
    seat = current.seats.filter(entry=team, pairing__isnull=False).first()
    if seat is None or seat.pairing is None:
        return None
    pairing = seat.pairing
    boards = TeamBoard.objects.filter(pairing=pairing).order_by("number")
    is_first = pairing.first_id == team.pk
    return LineUp(
        current.number,
        pairing.second if is_first else pairing.first,
        [
            board.first_id if is_first == event.is_first_at(board.number) else board.second_id
            for board in boards
        ],
    )


@members_only
@refusals.refusal_as_message
def act(request: HttpRequest, event: Event) -> HttpResponse:
    """One act on a team: the button's name says which."""
    _require_teams(event)
    user = signed_in(request)
    form = TeamForm(request.POST)
    code = request.POST.get("act", "")
    if not form.is_valid():
        raise RefusedError("form-bad")
    own = teams.TEAM_ACTS.own(code, form.arguments())
    if (question := questions.ask(request, event, teams.TEAM_ACTS.by_code[code], own)) is not None:
        return question
    teams.TEAM_ACTS.run(code, event.pk, user, form.arguments())
    messages.success(request, teams.TEAM_ACTS.by_code[code].done)
    return redirect("event-teams", slug=event.slug)


@members_only
@refusals.refusal_as_message
def line_up(request: HttpRequest, event: Event) -> HttpResponse:
    """Set the line-up of a team in the open round."""
    _require_teams(event)
    user = signed_in(request)
    form = LineUpForm(request.POST)
    if not form.is_valid():
        raise RefusedError("form-bad")
    line_ups.set_line_up(
        event_id=event.pk, actor=user, **form.cleaned_data, member_ids=form.members()
    )
    messages.success(request, line_ups.set_line_up.done)
    return redirect("event-teams", slug=event.slug)
