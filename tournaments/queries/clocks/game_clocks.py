"""The clocks of a game: starting, pausing and charging them, and the ledger of their charges."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db.models import Max

from tournaments.clocks import (
    MAX_CLOCK_MS,
    MAX_LAG_MS,
    Charge,
    ClockError,
    Kind,
    Reason,
    TimeControl,
    Turn,
    after,
    charges_of_ply,
    charges_of_stop,
    lag_ms,
    paid_ms,
)
from tournaments.errors import RefusedError
from tournaments.models import ClockCharge, Game, statements
from tournaments.models.timing import Timed

__all__ = ["MAX_CLOCK_MS", "Clock", "Kind", "Reason", "Turn"]

# A move that was sent before the flag fell may be on its way: the flag is checked after this time.
GRACE = timedelta(milliseconds=MAX_LAG_MS)
# The time in which a remote bot hears of a game and starts its program, with any clock.
FIRST_MOVE_GRACE_MS = 30_000


@dataclass(frozen=True, slots=True)
class Clock(TimeControl):
    """The time control of a request. Raises RefusedError `clock-bad`."""

    def __post_init__(self) -> None:
        try:
            TimeControl.__post_init__(self)
        except ClockError as error:
            raise RefusedError("clock-bad", str(error)) from error

    @classmethod
    def read(cls, text: str) -> Clock:
        """The clock that `text` writes, as `TimeControl.text` has it.

        Raises RefusedError `clock-bad`.
        """
        try:
            return cls.of(TimeControl.parse(text))
        except ClockError as error:
            raise RefusedError("clock-bad", str(error)) from error

    @classmethod
    def of(cls, control: TimeControl) -> Clock:
        """Return `control` as a clock."""
        return cls(control.initial_ms, control.increment_ms, control.kind, control.cap_ms)


def clock_of(row: Timed) -> Clock:
    """The clock that a game, a challenge or an event is played with."""
    return Clock(
        row.clock_initial_ms,
        row.clock_increment_ms,
        Kind(row.clock_kind),
        row.clock_cap_ms,
    )


def columns(clock: TimeControl) -> dict[str, object]:
    """The clock as the columns of a row."""
    return {
        "clock_kind": clock.kind.value,
        "clock_initial_ms": clock.initial_ms,
        "clock_increment_ms": clock.increment_ms,
        "clock_cap_ms": clock.cap_ms,
    }


def remaining_ms(game: Game, side: str) -> int:
    """Return the time of the side at the start of its turn."""
    return game.first_ms if side == "first" else game.second_ms


def initial_ms(game: Game, side: str) -> int:
    """Return the time of the side at the start of the game: less for the second in an armageddon game."""
    if side == "first" or game.armageddon_percent is None:
        return game.clock_initial_ms
    return game.clock_initial_ms * game.armageddon_percent // 100


def set_to_start(game: Game) -> None:
    """Set both clocks to the start of the game. The row is not saved."""
    for side in ("first", "second"):
        set_remaining_ms(game, side, initial_ms(game, side))


def set_remaining_ms(game: Game, side: str, remaining_ms: int) -> None:
    """Set the clock of `side`. The row is not saved."""
    if side == "first":
        game.first_ms = remaining_ms
    else:
        game.second_ms = remaining_ms


# --- running ------------------------------------------------------------------------------------------------------


def start_turn(game: Game, now: datetime, *, is_away: bool) -> None:
    """Start the clock of the side to move, or stop it if its owner is on vacation.

    The row is not saved.
    """
    game.turn_started_at = now
    game.outage_ms = game.vacation_ms = 0
    game.grace_ms = _grace_ms(game)
    is_paused = is_away and game.allows_vacation
    game.paused_at = now if is_paused else None
    set_deadline(game)


def _grace_ms(game: Game) -> int:
    """Return the free time of the turn that begins: the first turn of a remote bot."""
    side = game.side_to_move
    if game.is_over_days or not game.player_on(side).is_remote:
        return 0
    if game.ply > game.opening_plies:
        played = game.plies.filter(attempt=game.attempt, number__gt=game.opening_plies, side=side)
        if played.exists():
            return 0
    return FIRST_MOVE_GRACE_MS


def set_deadline(game: Game) -> None:
    """Set the time at which the side to move loses on time. The row is not saved.

    A bot's clock is kept by its worker. A stopped clock and unlimited time have no deadline.
    """
    started_at = game.turn_started_at
    is_bots_turn = game.player_on(game.side_to_move).is_boxed
    if started_at is None or game.paused_at or game.is_unlimited or is_bots_turn:
        game.deadline_at = None
        return
    free_ms = clock_of(game).delay_ms + game.outage_ms + game.vacation_ms + game.grace_ms
    left_ms = remaining_ms(game, game.side_to_move) + free_ms
    game.deadline_at = started_at + timedelta(milliseconds=left_ms)


def is_out_of_time(game: Game, now: datetime, *, lag_ms: int = 0) -> bool:
    """Return whether the person to move is out of time.

    `lag_ms` is how long the move took to arrive at `now`.
    """
    if game.deadline_at is None:
        return False
    return game.deadline_at <= now - timedelta(milliseconds=lag_ms)


def running_turn(game: Game, now: datetime, *, thought_ms: int | None = None) -> Turn:
    """The turn of the person to move as it is at `now`.

    With `thought_ms`, measured by the page, it ends by a move.
    """
    if game.turn_started_at is None:
        return Turn(0)
    vacation_ms = game.vacation_ms
    if game.paused_at is not None:
        vacation_ms += milliseconds(game.paused_at, now)
    turn = Turn(
        milliseconds(game.turn_started_at, now),
        game.outage_ms,
        vacation_ms,
        grace_ms=game.grace_ms,
    )
    if game.is_over_days:
        return turn  # among days nobody counts the way of a move
    return replace(turn, lag_ms=lag_ms(turn, thought_ms))


def runs_out_ms(game: Game, now: datetime) -> int:
    """Return the time until the flag of the side to move falls, if its clock runs from `now`.

    During the free part of a turn the clock shows the time at the start of the turn.
    """
    left_ms = remaining_ms(game, game.side_to_move)
    if game.turn_started_at is None or game.player_on(game.side_to_move).is_boxed:
        return left_ms
    turn = running_turn(game, now)
    free_ms = clock_of(game).delay_ms + turn.outage_ms + turn.vacation_ms + turn.grace_ms
    return max(0, left_ms + free_ms - turn.elapsed_ms)


def milliseconds(start: datetime, end: datetime) -> int:
    """Return the time from `start` to `end`, never negative, even if the machine's clock was set back."""
    return max(0, round((end - start).total_seconds() * 1000))


# --- charging -----------------------------------------------------------------------------------------------------


def charge_ply(game: Game, side: str, turn: Turn) -> Sequence[Charge]:
    """Charge `side` for a turn that ended with a ply. The row is not saved."""
    return _charge(game, side, charges_of_ply(clock_of(game), remaining_ms(game, side), turn))


def charge_stop(game: Game, now: datetime, *, because: Reason | None = None) -> Sequence[Charge]:
    """Charge the side to move for a turn that ends without a ply, and stop its clock.

    The row is not saved.

    `because` adds a line: a flag takes the remaining time, a takeback takes none.
    """
    side = game.side_to_move
    left_ms = remaining_ms(game, side)
    is_bot = game.player_on(side).is_boxed  # whose worker has charged nothing
    turn = Turn(0) if is_bot else running_turn(game, now)
    charges = charges_of_stop(clock_of(game), left_ms, turn)
    if because is not None:
        rest_ms = after(left_ms, charges) if because is Reason.FLAG else 0
        charges.append(Charge(because, -rest_ms))
    game.stop_turn()
    return _charge(game, side, charges)


def give(
    game: Game, side: str, gift_ms: int, now: datetime, *, reason: Reason = Reason.GIFT
) -> None:
    """Add time to the clock of `side`, and write it down. The row is not saved."""
    before_ms = remaining_ms(game, side)
    charges = _charge(game, side, [Charge(reason, gift_ms)])
    set_deadline(game)
    write_down(game, side, charges, now, before_ms=before_ms, ply=game.ply + 1)


def _charge(game: Game, side: str, charges: Sequence[Charge]) -> Sequence[Charge]:
    set_remaining_ms(game, side, after(remaining_ms(game, side), charges))
    return charges


def spent_ms(charges: Iterable[Charge]) -> int:
    """Return the cost of a turn, without later lines."""
    return paid_ms(charges)


def write_down(
    game: Game,
    side: str,
    charges: Sequence[Charge],
    now: datetime,
    *,
    before_ms: int,
    ply: int,
) -> None:
    """Add `charges` without a ply to the ledger of the game, which the caller has locked.

    The clock was at `before_ms` before them.

    Games between bots have no ledger: their referee's figures are in the plies, and the charges
    follow from them.
    """
    if game.match_id is not None or not charges:
        return
    last = ClockCharge.objects.filter(game=game).aggregate(last=Max("seq"))["last"] or 0
    rows = []
    for number, charge in enumerate(charges, start=last + 1):
        before_ms += charge.ms
        rows.append(
            ClockCharge(
                game=game,
                seq=number,
                attempt=game.attempt,
                ply=ply,
                side=side,
                reason=charge.reason.value,
                ms=charge.ms,
                remaining_ms=before_ms,
                at=now,
            )
        )
    statements.insert(rows)
