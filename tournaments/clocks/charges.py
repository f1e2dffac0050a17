"""The price of a turn, as named charges whose sum is the change of the clock, to the millisecond."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from tournaments.clocks.control import TimeControl

# The most transmission time that is given back, each ply. A player who lies about the time of
# thinking gains no more.
MAX_LAG_MS = 500


class Reason(StrEnum):
    """The reason for the change of a clock."""

    # Time that is given back comes first in a turn, so that no clock is below zero between two
    # charges.
    OUTAGE = "outage"  # the service was away
    VACATION = "vacation"  # the clock stood still
    GRACE = "grace"  # a remote bot hears of the game
    DELAY = "delay"  # the free part of the turn
    LAG = "lag"  # the move's way to the server
    FLOOR = "floor"  # what went beyond the end of the clock
    SPENT = "spent"  # from the beginning of the turn to its end
    INCREMENT = "increment"  # added after the ply
    CAP = "cap"  # what of that found no room
    GIFT = "gift"  # given by the opponent
    ARBITER = "arbiter"  # added by the arbiter
    TAKEBACK = "takeback"  # a ply went back, the clocks did not
    FLAG = "flag"  # the clock had run down


@dataclass(frozen=True, slots=True)
class Charge:
    """A change of a clock: more when positive, less when negative."""

    reason: Reason
    ms: int


@dataclass(frozen=True, slots=True)
class Turn:
    """The facts of a turn when it ends, in milliseconds.

    Attributes:
        elapsed_ms: from its beginning to its end. For a bot it is the charge of its worker.
        outage_ms: during which the service was away.
        vacation_ms: during which the clock was stopped. Never at the time of an outage.
        lag_ms: the transmission time of the move.
        grace_ms: the most free time of a remote bot that has yet to hear of the game.
    """

    elapsed_ms: int
    outage_ms: int = 0
    vacation_ms: int = 0
    lag_ms: int = 0
    grace_ms: int = 0


def lag_ms(turn: Turn, thought_ms: int | None) -> int:
    """Return the part of a turn that counts as the move's way to the server.

    It is all the time in which the page did not see the player think, up to the bound.

    `thought_ms` is the measurement, or claim, of the page. Without a sensible value no time is
    given back.
    """
    if thought_ms is None or thought_ms < 0:
        return 0
    return min(MAX_LAG_MS, max(0, _running_ms(turn) - thought_ms))


def charges_of_stop(control: TimeControl, remaining_ms: int, turn: Turn) -> list[Charge]:
    """Return the charges of a turn that ends without a ply: the game is over, or a ply was taken back.

    The list is empty if the time is unlimited.
    """
    if control.kind.is_unlimited:
        return []
    return [Charge(reason, ms) for reason, ms in _costs(control, remaining_ms, turn) if ms]


def charges_of_ply(control: TimeControl, remaining_ms: int, turn: Turn) -> list[Charge]:
    """Return the charges of a turn that ends with a ply."""
    charges = charges_of_stop(control, remaining_ms, turn)
    left_ms = after(remaining_ms, charges)
    added_ms = min(control.added_ms, max(0, control.most_ms - left_ms))
    bonus = (
        (Reason.INCREMENT, control.added_ms),
        (Reason.CAP, added_ms - control.added_ms),
    )
    return [*charges, *(Charge(reason, ms) for reason, ms in bonus if ms)]


def after(remaining_ms: int, charges: Iterable[Charge]) -> int:
    """Return the remaining time of a clock after `charges`."""
    return remaining_ms + sum(charge.ms for charge in charges)


def written(charges: Iterable[Charge]) -> str:
    """Return charges as text, such as `lag:250 spent:-12400 increment:5000`."""
    return " ".join(f"{charge.reason}:{charge.ms}" for charge in charges)


def read(text: str) -> list[Charge]:
    """Return the charges that `written` has written."""
    pairs = (word.split(":") for word in text.split())
    return [Charge(Reason(reason), int(ms)) for reason, ms in pairs]


def paid_ms(charges: Iterable[Charge]) -> int:
    """Return the paid part of a turn: its length less all time that was given back."""
    turn = {
        *(Reason.OUTAGE, Reason.VACATION, Reason.GRACE, Reason.DELAY),
        *(Reason.LAG, Reason.FLOOR, Reason.SPENT),
    }
    return -sum(charge.ms for charge in charges if charge.reason in turn)


def _costs(control: TimeControl, remaining_ms: int, turn: Turn) -> Iterator[tuple[Reason, int]]:
    """Yield the reasons in their order with their milliseconds, which may be 0."""
    elapsed_ms = rest_ms = max(0, turn.elapsed_ms)
    for reason, credit_ms in (
        (Reason.OUTAGE, turn.outage_ms),
        (Reason.VACATION, turn.vacation_ms),
        (Reason.GRACE, turn.grace_ms),
        (Reason.DELAY, control.delay_ms),
        (Reason.LAG, turn.lag_ms),
    ):
        if credit_ms > 0:
            credit_used_ms = min(credit_ms, rest_ms)
            rest_ms -= credit_used_ms
            yield reason, credit_used_ms
    # No clock falls below zero: a further charge is not owed.
    yield Reason.FLOOR, max(0, rest_ms - remaining_ms)
    yield Reason.SPENT, -elapsed_ms


def _running_ms(turn: Turn) -> int:
    return max(0, turn.elapsed_ms - turn.outage_ms - turn.vacation_ms)
