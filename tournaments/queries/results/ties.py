"""Level ties of knock-outs, of which the arbiter must say who goes through."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.translation import gettext_noop

from tournaments.errors import RefusedError
from tournaments.models import Entry, Event, Game, Pairing, Round
from tournaments.pairing.knockout import TIES
from tournaments.queries.results import histories, tie_games
from tournaments.queries.results.round_seats import TeamSeat
from tournaments.round_kinds import Kind


def open_ties(event: Event, round_: Round) -> list[Pairing]:
    """Return the ties of a round that are over and level, and for which no player has been named yet.

    Online a tie that is level after its extra games goes to the higher seed. Only a double forfeit
    of two who are still in the event needs a decision.
    """
    boards = round_.evidence.get("boards", ())
    ties = {board["first"] for board in boards if board.get("meeting") in TIES}
    if not ties:
        return []
    rows = _with_games(round_.pairings.filter(goes_through=None, is_lost_by_both=False))
    by_tpn = {board["second"] for board in boards if board["first"] in ties} | ties
    return [each for each in rows if each.first.tpn in by_tpn and _is_open(event, each)]


@dataclass(frozen=True, slots=True)
class Running:
    """A player's half points in a tie of the open round, None for teams, and whether the player is known to advance."""

    score_halves: int | None
    has_won: bool


def running(event: Event) -> Mapping[int, Running]:
    """Return the scores of ties in the open round by the players' numbers, if a game is over or the arbiter has decided.

    Matches of teams are decided with their round, except by the arbiter.
    """
    worth = {1: event.win_halves, 0: event.draw_halves, -1: event.loss_halves}
    scores = {}
    for tie in _with_games(event.pairings.filter(round__state=Round.State.PUBLISHED)):
        games = [] if tie.tie_games is None else [g for g in _games(event, tie) if g.result]
        margins = tie_games.margins(tie, games)
        if not margins and tie.goes_through_id is None:
            continue
        winner = _winner_id(tie, games, margins)
        for entry, sign in ((tie.first, 1), (tie.second, -1)):
            halves = sum(worth[sign * margin] for margin in margins) if margins else None
            scores[entry.tpn or 0] = Running(halves, entry.pk == winner)
    return scores


def _winner_id(tie: Pairing, games: Sequence[Game], margins: Sequence[int]) -> int | None:
    if tie.goes_through_id is not None or tie.tie_games is None:
        return tie.goes_through_id
    if tie_games.deciding(tie, games) is None:
        return None
    return tie.first_id if sum(margins) > 0 else tie.second_id


def _with_games(pairings: QuerySet[Pairing]) -> QuerySet[Pairing]:
    rows = pairings.select_related("first__player", "second__player", "round")
    return rows.prefetch_related("games", "later_games").order_by("board")


def require_decided(event: Event, round_: Round) -> None:
    """Raise RefusedError `ties-open` with the boards of the round's open ties."""
    if boards := ", ".join(str(tie.board_number) for tie in open_ties(event, round_)):
        raise RefusedError(
            "ties-open", gettext_noop("Level ties: boards %(boards)s"), boards=boards
        )


def is_lost_by_both(event: Event, tie: Pairing) -> bool:
    """Return whether neither player, or team, has played the tie."""
    if event.is_of_teams:
        return _is_forfeited_match(_match(event, tie))
    games = _games(event, tie)
    return not games or games[-1].result in {Game.Result.VOID, Game.Result.DOUBLE_FORFEIT}


def _match(event: Event, tie: Pairing) -> TeamSeat:
    seat = histories.of_event(event, [tie.first_id])[tie.first_id][tie.round.number]
    assert isinstance(seat, TeamSeat), "of an event of teams"
    return seat


def _is_forfeited_match(seat: TeamSeat) -> bool:
    return seat.outcome in _LOST and seat.opponents.outcome in _LOST


_LOST = (Kind.FORFEIT_LOSS, Kind.VOID)


def _games(event: Event, tie: Pairing) -> Sequence[Game]:
    """Return the games of a tie that count, up to the one that decides it, or those that were entered."""
    saved = sorted(tie.games.all(), key=lambda game: game.number)
    games = saved or [game for game in tie_games.typed(event, tie) if game.result]
    return [game for game in tie_games.of_seat(tie, games, is_open=False) if game is not None]


def _is_open(event: Event, tie: Pairing) -> bool:
    if event.is_of_teams:
        seat = _match(event, tie)
        is_level = seat.outcome is Kind.DRAW and not (seat.is_ahead or seat.opponents.is_ahead)
        return is_level or _is_forfeited_match(seat)
    games = _games(event, tie)
    if not games or sum(tie_games.margins(tie, games)) != 0:
        return False
    if event.is_over_the_board:
        is_complete = len(games) >= (tie.tie_games or 1)
        return is_complete or tie.round.state == Round.State.CLOSED
    are_here = all(each.state == Entry.State.ACTIVE for each in (tie.first, tie.second))
    return games[-1].result == Game.Result.DOUBLE_FORFEIT and are_here
