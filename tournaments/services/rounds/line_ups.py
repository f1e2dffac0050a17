"""Line-ups of teams: the players of a match by board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from django.utils.translation import gettext_lazy as _

from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import Entry, Event, Pairing, Round, TeamBoard, User
from tournaments.queries import formats
from tournaments.queries.events import staff
from tournaments.queries.events.staff import Task
from tournaments.services.events.acts import act
from tournaments.services.notifications import news


def set_out(event: Event, round_: Round) -> None:
    """Make the boards of the round's matches, with the members that the format names.

    In the caller's transaction, `event` locked, as the round is published.
    """
    members = _members(event)
    places = formats.of(event).line_ups(event, round_.number)
    rows = []
    for pairing in round_.pairings.order_by("board"):
        own = [
            [members.get((team, place)) for place in of_team]
            for team, of_team in zip((pairing.first_id, pairing.second_id), places, strict=True)
        ]
        for number, both in enumerate(zip(*own, strict=True), start=1):
            first, second = both if event.is_first_at(number) else both[::-1]
            rows.append(_row(pairing, number, first, second))
    TeamBoard.objects.bulk_create(rows)


def _members(event: Event) -> dict[tuple[int, int], Entry | None]:
    """Return the members by team and place, from 1.

    Members who have left have no place. If a table names the players, their place stays empty.
    """
    rows = Entry.objects.filter(team__event=event).exclude(state=Entry.State.REQUESTED)
    if formats.of(event).has_line_ups:
        rows = rows.filter(state=Entry.State.ACTIVE)
    else:
        rows = rows.exclude(state=Entry.State.WITHDRAWN, left_round__lte=1)
    last: Counter[int] = Counter()
    members: dict[tuple[int, int], Entry | None] = {}
    for member in rows.order_by("team", "board_order", "pk"):
        team = member.team_id or 0
        last[team] += 1
        members[team, last[team]] = member if member.state == Entry.State.ACTIVE else None
    return members


def _row(pairing: Pairing, number: int, first: Entry | None, second: Entry | None) -> TeamBoard:
    row = TeamBoard(pairing=pairing, number=number, first=first, second=second)
    row.entered_result = row.forfeit
    return row


@act("line-up", task=None, done=_("The line-up was saved."))
def set_line_up(
    event: Event,
    actor: User,
    *,
    round_number: int,
    entry_id: int,
    member_ids: Sequence[int | None],
) -> Pairing:
    """Set the players of a team in a match, board by board; None for an empty board.

    The captain can do it until the games begin, unless a table names the players. Over the board the staff can do it until the round
    closes. A board whose player changes loses its typed result.

    Raises:
        NotAllowedError: `not-captain`.
        StaleError: `line-up-late`, `round-closed`, `no-such-entry`.
        RefusedError: `line-up-bad` for another number of boards, a player twice or a player who is
            no active member, `line-up-order` if members play in the order of their list.
    """
    pairing = _pairing(event, round_number, entry_id)
    team = pairing.first if pairing.first_id == entry_id else pairing.second
    _require_time(event, pairing.round, team, actor)
    members = _checked(event, team, member_ids)
    is_first = team.pk == pairing.first_id
    changed = []
    for board, member in zip(pairing.boards.order_by("number"), members, strict=True):
        side = "first" if is_first == event.is_first_at(board.number) else "second"
        if getattr(board, f"{side}_id") != (member.pk if member else None):
            changed.append((board, side, member))
    _seat(changed)
    set_line_up.note(event, actor, round=round_number, player=team.player_id)
    news.announce(news.of_event(event.pk), "result", {"round": round_number})
    return pairing


def _seat(changed: Iterable[tuple[TeamBoard, str, Entry | None]]) -> None:
    """Put the members at their boards. All boards are empty in between: no member sits at two."""
    rows = list(changed)
    for member in (None, ...):
        for board, side, new in rows:
            setattr(board, side, new if member is ... else None)
            board.entered_result = board.forfeit
            board.save(update_fields=[side, "entered_result"])


def _checked(event: Event, team: Entry, member_ids: Sequence[int | None]) -> Sequence[Entry | None]:
    """Return the members by board. Raises as `set_line_up`."""
    active: Mapping[int, Entry] = {
        member.pk: member for member in team.members.filter(state=Entry.State.ACTIVE)
    }
    named = [pk for pk in member_ids if pk is not None]
    if len(member_ids) != event.boards or len(set(named)) != len(named):
        raise RefusedError("line-up-bad")
    if not set(named) <= active.keys():
        raise RefusedError("line-up-bad")
    places = [active[pk].board_order or 0 for pk in named]
    if event.has_fixed_order and places != sorted(places):
        raise RefusedError("line-up-order")
    return [active[pk] if pk is not None else None for pk in member_ids]


def _pairing(event: Event, round_number: int, entry_id: int) -> Pairing:
    rows = Pairing.objects.filter(event=event, round__number=round_number)
    own = rows.filter(first=entry_id) | rows.filter(second=entry_id)
    published = own.filter(round__state=Round.State.PUBLISHED)
    pairing = published.select_related("round", "first__player", "second__player").first()
    if pairing is None:
        raise StaleError("round-closed", str(round_number))
    return pairing


def can_change(event: Event, round_: Round, team: Entry, actor: User) -> bool:
    """Return whether `actor` can set the line-up of the team now."""
    try:
        _require_time(event, round_, team, actor)
    except (NotAllowedError, StaleError):
        return False
    return True


def _require_time(event: Event, round_: Round, team: Entry, actor: User) -> None:
    is_staff = Task.PAIRINGS in staff.tasks_of(event, actor)
    if not is_staff and team.captain_id != actor.pk:
        raise NotAllowedError("not-captain", team.player.name)
    is_early = round_.started_at is None and (is_staff or formats.of(event).has_line_ups)
    is_open = is_early or (is_staff and event.is_over_the_board)
    if not is_open or round_.state != Round.State.PUBLISHED:
        raise StaleError("line-up-late", str(round_.number))
