"""Attendance at live games, as the web processes note it: arrivals, departures, and the end of a process.

A process writes when the first stream of a player opens, and when the last one has been closed for `GRACE`. A lease for
all of its players is renewed every few seconds. The players of a process that has died are absent when its lease ends,
and another process tells their opponents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction

from tournaments import database_time
from tournaments.models import Attendance, Game, WebProcess
from tournaments.queries.games import attendance
from tournaments.services.notifications import news

LEASE = timedelta(seconds=30)
# Several requests within this time are one write.
_BETWEEN_REQUESTS = timedelta(seconds=3)


@dataclass(frozen=True, slots=True)
class Seat:
    """One side of a game."""

    game_id: int
    side: str


@dataclass(frozen=True, slots=True)
class Process:
    """A web process, by a random name, and the moment of its start."""

    key: str
    started_at: datetime


def renew(process: Process) -> bool:
    """Renew the lease of a process. Return False if it had been given up, with the attendance of its players."""
    until = database_time.now() + LEASE
    if WebProcess.objects.filter(key=process.key).update(lease_until=until):
        return True
    _row_of(process)
    return False


def _row_of(process: Process) -> WebProcess:
    row, _ = WebProcess.objects.get_or_create(
        key=process.key,
        defaults={
            "started_at": process.started_at,
            "lease_until": database_time.now() + LEASE,
        },
    )
    return row


def arrive(seat: Seat, process: Process) -> None:
    """Note that a stream of a player is open in `process`, and tell the table if the player was absent."""
    row = _row_of(process)
    with transaction.atomic():
        game = _lock(seat.game_id)
        if game is None:
            return
        was_present = _is_present(game, seat.side)
        Attendance.objects.update_or_create(
            game=game, side=seat.side, process=row, defaults={"left_at": None}
        )
        if not was_present:
            _tell(seat, is_present=True)


def leave(seat: Seat, process: Process, *, for_s: float) -> None:
    """Note that the last stream of a player in `process` was closed `for_s` seconds ago, and tell the table."""
    left_at = database_time.now() - timedelta(seconds=for_s)
    rows = Attendance.objects.filter(
        game=seat.game_id, side=seat.side, process__key=process.key, left_at=None
    )
    with transaction.atomic():
        game = _lock(seat.game_id)
        if rows.update(left_at=left_at) and game is not None and not _is_present(game, seat.side):
            _tell(seat, is_present=False)


def note_request(seat: Seat) -> None:
    """Note that a player without an open stream has asked for the page.

    If no stream comes through, the page asks for itself every few seconds. Its player has not left.
    """
    now = database_time.now()
    rows = Attendance.objects.filter(game=seat.game_id, side=seat.side)
    rows.filter(left_at__lt=now - _BETWEEN_REQUESTS).update(left_at=now)


def end(process: Process) -> None:
    """Give up the lease of a process that stops. The others note the departures if its players do not return."""
    WebProcess.objects.filter(key=process.key).update(lease_until=database_time.now())


def note_dead_processes() -> None:
    """Note the departure of all players whose process has died, and tell their tables."""
    before = database_time.now() - attendance.GRACE
    for process_id in WebProcess.objects.filter(lease_until__lte=before).values_list(
        "pk", flat=True
    ):
        with transaction.atomic():
            dead = WebProcess.objects.select_for_update(no_key=True).filter(pk=process_id)
            process = dead.filter(lease_until__lte=before).first()
            if process is not None:
                _give_up(process)


def _give_up(process: WebProcess) -> None:
    rows = Attendance.objects.filter(process=process)
    open_rows = rows.filter(left_at=None)
    seats = [Seat(*seat) for seat in open_rows.order_by("game").values_list("game", "side")]
    open_rows.update(left_at=process.lease_until)
    rows.update(process=None)
    process.delete()
    _tell_departures(seats)


def _tell_departures(seats: Sequence[Seat]) -> None:
    games = Game.objects.ongoing().with_players().in_bulk({seat.game_id for seat in seats})
    news.announce_each(
        (news.of_game(seat.game_id), "presence", {"side": seat.side, "is_present": False})
        for seat in seats
        if seat.game_id in games and not _is_present(games[seat.game_id], seat.side)
    )


def _lock(game_id: int) -> Game | None:
    """Return the game, locked, if it is in progress: a claim and a return wait for each other."""
    rows = Game.objects.select_for_update(of=("self",), no_key=True).ongoing().with_players()
    return rows.filter(pk=game_id).first()


def _is_present(game: Game, side: str) -> bool:
    open_rows = Attendance.objects.filter(game=game, side=side, left_at=None)
    return open_rows.filter(process__lease_until__gt=database_time.now()).exists()


def _tell(seat: Seat, *, is_present: bool) -> None:
    payload = {"side": seat.side, "is_present": is_present}
    news.announce(news.of_game(seat.game_id), "presence", payload)
