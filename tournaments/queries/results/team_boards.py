"""The games of the members of teams, from the boards of their matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import F

from tournaments.models import Entry, Event, Game, Round, TeamBoard
from tournaments.queries.results.round_seats import History, TeamSeat
from tournaments.round_kinds import Kind


@dataclass(frozen=True, slots=True)
class MemberGame:
    """A round of a member who sat at a board.

    Attributes:
        board: its number, from 1.
        opponent: the member of the other team; None at an empty board.
        is_first: whether the member has the first ply.
        kind: the outcome; OPEN before the game is over.
        game: None for a forfeit of an empty board, and for a game that has not begun.
    """

    round_number: int
    board: int
    opponent: Entry | None
    is_first: bool
    kind: Kind
    game: Game | None
    is_short: bool = False


def of_members(
    event: Event, history: History, rounds: int | None = None
) -> Mapping[int, Sequence[MemberGame]]:
    """Return the games of each member by entry id, over the first `rounds` rounds, or all published ones."""
    seats = {
        (each.seat.pairing_id, each.seat.entry_id): each
        for own in history.values()
        for each in own.values()
        if each.seat.pairing_id is not None and isinstance(each, TeamSeat)
    }
    boards = (
        TeamBoard.objects.filter(pairing__event=event)
        .exclude(pairing__round__state=Round.State.DRAFT)
        .select_related("first__player", "second__player", "pairing")
        .order_by("pairing__round__number", "pairing", "number")
        .annotate(round_number=F("pairing__round__number"))
    )
    if rounds is not None:
        boards = boards.filter(pairing__round__number__lte=rounds)
    games: dict[int, list[MemberGame]] = {}
    for board in boards:
        for mine, other in ((board.first, board.second), (board.second, board.first)):
            if mine is None:
                continue
            seat = seats[board.pairing_id, mine.team_id or 0]
            at = board.number - 1
            game = seat.games[at] if seat.games else None
            kind = (seat.boards[at] if seat.games else None) or Kind.OPEN
            saved = game if game is not None and game.pk else None
            games.setdefault(mine.pk, []).append(
                MemberGame(
                    *(board.round_number, board.number, other, mine is board.first, kind, saved),
                    is_short=game is not None and game.result in Game.SHORT,
                )
            )
    return games
