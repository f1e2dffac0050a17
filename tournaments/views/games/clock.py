"""The page of a game's clocks: every charge in words, and who waited for whom."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from math import isqrt

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import formats
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import Truncator
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments import database_time
from tournaments.models import ClockCharge, Game, Player, Vacation
from tournaments.models.games import Side
from tournaments.queries.clocks import game_clocks, ledger, vacation_days
from tournaments.queries.clocks.ledger import LedgerPly, Line
from tournaments.services.clocks import outages
from tournaments.services.games import game_end
from tournaments.templatetags.clocks import change, lasting
from tournaments.text.move_numbers import MoveNumber
from tournaments.views.access import get_game

# The chart's own units: a column for each turn, its bar up or down from the middle.
_COLUMN = 10
_HALF = 60
# Stretched over the page, the bars of a game that has just begun would be walls.
_FEWEST_COLUMNS = 24
# A long game has five hundred turns: 350 kB and a third of a second of CPU on one page.
_TURNS_A_PAGE, _ORPHANS = 40, 10
Reason = ClockCharge.Reason
_MOST_OF_MOVE = 24
# Lines that are no part of a turn up to its ply, such as added time.
_OUTSIDE_OF_TURN = {Reason.GIFT, Reason.TAKEBACK, Reason.FLAG}
# Charges that add up to the waiting time of the other side: the turn without outages and vacations.
_LENGTH = {Reason.SPENT, Reason.OUTAGE, Reason.VACATION}


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: its player, its charges, and the time left after it.

    Attributes:
        ply: the ply that was made, or None when the turn ended without one.
        waited_ms: the waiting time of the other side, without outages and vacations.
    """

    number: MoveNumber
    side: str
    player: Player
    ply: LedgerPly | None
    is_taken_back: bool
    charges: Sequence[Line]
    waited_ms: int
    remaining_ms: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Account:
    """One side's part of the page."""

    side: str
    player: Player
    remaining_ms: int
    is_to_move: bool
    vacation: Vacation | None
    thought_ms: int = 0
    waited_ms: int = 0
    longest: Turn | None = None


@never_cache
def clock(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the ledger of the clocks. A guest may read it like the game."""
    now = database_time.now()
    game = get_game(request, pk)
    if game_end.decide_flag(game, now):
        game = get_game(request, pk)
    plies = ledger.plies_of(game)
    charges = ledger.of_game(game, plies)
    turns = _turns(game, plies, charges)
    away = vacation_days.of_game(game)
    pages = Paginator(turns, _TURNS_A_PAGE, orphans=_ORPHANS)
    # Readers most often look for the end.
    page = pages.get_page(request.GET.get("page", pages.num_pages))
    accounts = [_account(game, side.value, turns, now, away) for side in Side]
    context = {
        "game": game,
        "bars": _bars(turns),
        "page": page,
        "rows": _rows([*page], is_over_days=game.is_over_days),
        "pages": list(pages),
        "accounts": accounts,
        "width": max(_FEWEST_COLUMNS, len(turns)) * _COLUMN,
        "height": 2 * _HALF,
        "middle": _HALF,
        "fatal": turns[-1] if charges and charges[-1].reason == Reason.FLAG else None,
        "lag_ms": game_clocks.GRACE.total_seconds() * 1000,
        "silence_ms": outages.SILENCE.total_seconds() * 1000,
        "budget": vacation_days.BUDGET_DAYS,
    }
    return render(request, "games/clock.html", context)


def _rows(turns: Sequence[Turn], *, is_over_days: bool) -> SafeString:
    """Return the rows of the table.

    Written here and not by a template, which takes 10 ms for the fifty rows of a page.
    """
    labels = {reason: escape(reason.label) for reason in Reason}
    rows = (_row(turn, labels, is_over_days=is_over_days) for turn in turns)
    return mark_safe("".join(rows))  # noqa: S308 - names and moves are escaped


def _row(turn: Turn, labels: Mapping[Reason, str], *, is_over_days: bool) -> str:
    moment = localtime(turn.at)
    shown_at = (
        formats.date_format(moment, "DATETIME_FORMAT") if is_over_days else f"{moment:%H:%M:%S}"
    )
    lines = "".join(
        f'<li><span class="{_trend(charge.ms)}">{change(charge)}</span> {labels[charge.reason]}</li>'
        for charge in turn.charges
    )
    mark = ' class="taken-back"' if turn.is_taken_back else ""
    return f"""
          <tr role="row"{mark}>
            <td role="cell" class="number">{turn.number}</td>
            <th scope="row" role="rowheader"><span class="who-charged {turn.side}">{escape(turn.player.name)}</span>{_move(turn.ply)}{_chip(turn)}</th>
            <td role="cell"><ul class="lines">{lines}</ul>{_measured(turn.ply)}</td>
            <td role="cell" class="number">{escape(lasting(turn.remaining_ms))}</td>
            <td role="cell" class="number small soft"><time datetime="{moment.isoformat()}">{shown_at}</time></td>
          </tr>
        """


def _trend(ms: int) -> str:
    """Return the class of a charge in the style sheet."""
    if not ms:
        return ""
    return "up" if ms > 0 else "down"


def _move(ply: LedgerPly | None) -> str:
    if ply is None:
        return ""
    return (
        f' <span class="mono small soft">{escape(Truncator(ply.move).chars(_MOST_OF_MOVE))}</span>'
    )


def _chip(turn: Turn) -> str:
    if not turn.is_taken_back:
        return ""
    # `makemessages` finds no message inside an f-string.
    words = _("taken back")
    return f' <span class="chip">{words}</span>'


def _measured(ply: LedgerPly | None) -> str:
    """Return the times that the worker of a bot measured."""
    if ply is None or ply.cpu_ms is None:
        return ""
    words = _("measured by its worker: %(wall)s elapsed, %(cpu)s CPU")
    times = {"wall": lasting(ply.wall_ms or 0), "cpu": lasting(ply.cpu_ms)}
    return f'<p class="small soft">{escape(words % times)}</p>'


def _turns(game: Game, plies: Sequence[LedgerPly], charges: Sequence[Line]) -> list[Turn]:
    ply_of_turn = {(ply.attempt, ply.number, ply.side): ply for ply in plies}
    # A ply that was not taken back is in the last attempt, as it was made.
    standing = {
        (ply.number, ply.made_at) for ply in ply_of_turn.values() if ply.attempt == game.attempt
    }
    numbers = _numbers(plies, charges)
    players = {side.value: game.player_on(side) for side in Side}
    turns = []
    for (attempt, number, side, at), group in groupby(
        charges, lambda c: (c.attempt, c.ply, c.side, c.at)
    ):
        lines = list(group)
        ply = ply_of_turn.get((attempt, number, side)) if _is_whole(lines) else None
        turns.append(
            Turn(
                number=numbers[attempt, number],
                side=side,
                player=players[side],
                ply=ply,
                is_taken_back=ply is not None and (number, ply.made_at) not in standing,
                charges=sorted(lines, key=lambda line: line.reason != Reason.SPENT),
                waited_ms=max(0, -sum(c.ms for c in lines if c.reason in _LENGTH)),
                remaining_ms=lines[-1].remaining_ms,
                at=at,
            )
        )
    return turns


def _numbers(
    plies: Sequence[LedgerPly], charges: Sequence[Line]
) -> dict[tuple[int, int], MoveNumber]:
    """The numbers of all turns by attempt and ply, those that ended without a ply among them."""
    sides = {(charge.attempt, charge.ply): charge.side for charge in charges}
    sides |= {(ply.attempt, ply.number): ply.side for ply in plies}
    numbers: dict[tuple[int, int], MoveNumber] = {}
    for attempt, ply in sorted(sides):
        before = numbers.get((attempt, ply - 1), MoveNumber())
        numbers[attempt, ply] = before.next(sides[attempt, ply])
    return numbers


def _is_whole(lines: Sequence[Line]) -> bool:
    """Return whether the lines belong to a turn up to its ply. Added time is not part of a turn."""
    return lines[-1].reason not in _OUTSIDE_OF_TURN


def _bars(turns: Sequence[Turn]) -> dict[str, str]:
    """The paths of the chart by their class in the style sheet.

    The first side's bars go up, all by the square root of the time. A path for each kind, for as
    an element each they took a third of the time of a long game's page.
    """
    root = max(1, isqrt(max((turn.waited_ms for turn in turns), default=0)))
    paths: dict[str, str] = defaultdict(str)
    for column, turn in enumerate(turns):
        height = max(1, (_HALF - 2) * isqrt(turn.waited_ms) // root)
        upwards = -height if turn.side == Side.FIRST else height
        kind = f"{turn.side} taken-back" if turn.is_taken_back else turn.side
        paths[kind] += f"M{column * _COLUMN + 1} {_HALF}h{_COLUMN - 2}v{upwards}h{2 - _COLUMN}z"
    return dict(paths)


def _account(
    game: Game, side: str, turns: Sequence[Turn], now: datetime, away: Mapping[int, Vacation]
) -> Account:
    own = [turn for turn in turns if turn.side == side]
    running_ms = 0
    remaining_ms = game_clocks.remaining_ms(game, side)
    player = game.player_on(side)
    is_to_move = game.result is None and game.side_to_move == side
    if is_to_move and not player.is_boxed and game.match_id is None:
        turn = game_clocks.running_turn(game, now)
        running_ms = max(0, turn.elapsed_ms - turn.outage_ms - turn.vacation_ms)
        remaining_ms = min(remaining_ms, game_clocks.runs_out_ms(game, now))
    return Account(
        side=side,
        player=player,
        remaining_ms=remaining_ms,
        is_to_move=is_to_move,
        vacation=away.get(player.pk),
        thought_ms=sum(turn.waited_ms for turn in own) + running_ms,
        waited_ms=sum(turn.waited_ms for turn in turns if turn.side != side),
        longest=max(own, key=lambda turn: turn.waited_ms, default=None),
    )
