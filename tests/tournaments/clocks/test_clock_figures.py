"""The figures of the clocks, and their edges, one by one."""

from __future__ import annotations

import pytest

from tournaments.clocks import (
    DAY_MS,
    MAX_CLOCK_MS,
    MAX_LAG_MS,
    UNLIMITED,
    Charge,
    ClockError,
    Kind,
    Reason,
    TimeControl,
    Turn,
    charges_of_ply,
    charges_of_stop,
    lag_ms,
)

S = 1000
PLAIN = TimeControl(60 * S)


def test_bounds_are_those_of_the_documentation() -> None:
    assert (MAX_LAG_MS, MAX_CLOCK_MS) == (500, 24 * 24 * 3600 * S)
    assert TimeControl(S).initial_ms == S
    for initial_ms, increment_ms in [(S - 1, 0), (60 * S, -1)]:
        with pytest.raises(ClockError):
            TimeControl(initial_ms, increment_ms)


@pytest.mark.parametrize("figures", [(S, 0, None), (0, S, None), (0, 0, DAY_MS)])
def test_unlimited_time_has_no_figures(figures: tuple[int, int, int | None]) -> None:
    initial_ms, increment_ms, cap_ms = figures
    with pytest.raises(ClockError):
        TimeControl(initial_ms, increment_ms, Kind.UNLIMITED, cap_ms)


def test_unlimited_time_costs_nothing() -> None:
    assert charges_of_stop(UNLIMITED, 0, Turn(DAY_MS)) == []
    assert charges_of_ply(UNLIMITED, 0, Turn(DAY_MS)) == []


def test_what_is_not_said_is_nothing() -> None:
    assert TimeControl(60 * S, 0, Kind.FISCHER, None) == PLAIN
    assert Turn(5 * S) == Turn(5 * S, outage_ms=0, vacation_ms=0, lag_ms=0)
    assert charges_of_ply(PLAIN, 60 * S, Turn(5 * S)) == [Charge(Reason.SPENT, -5 * S)]


@pytest.mark.parametrize("turn", [Turn(-5), Turn(0, outage_ms=-5, vacation_ms=-5, lag_ms=-5)])
def test_less_than_nothing_costs_and_brings_nothing(turn: Turn) -> None:
    assert charges_of_stop(PLAIN, 60 * S, turn) == []


def test_a_clock_that_reaches_zero_exactly_owes_nothing() -> None:
    assert charges_of_stop(PLAIN, 5 * S, Turn(5 * S)) == [Charge(Reason.SPENT, -5 * S)]


@pytest.mark.parametrize(
    ("turn", "thought_ms", "lag"),
    [
        (Turn(5_000), 4_800, 200),
        (Turn(5_000), 4_501, 499),
        (Turn(5_000), 4_000, 500),
        (Turn(5_000), 5_000, 0),
        (Turn(5_000), 5_300, 0),
        (Turn(300), 0, 300),
        (Turn(5_000), 1, 500),
        (Turn(5_000), None, 0),
        (Turn(5_000), -1, 0),
        (Turn(5_000, outage_ms=3_000), 1_900, 100),
        (Turn(5_000, vacation_ms=3_000), 1_900, 100),
        (Turn(5_000, outage_ms=2_000, vacation_ms=2_000), 900, 100),
        (Turn(5_000, outage_ms=6_000), 0, 0),
    ],
)
def test_lag_is_what_the_page_did_not_see(turn: Turn, thought_ms: int | None, lag: int) -> None:
    assert lag_ms(turn, thought_ms) == lag


def test_two_bots_play_a_delay_or_a_bank_by_the_fischer_clock() -> None:
    delay = TimeControl(60 * S, 3 * S, Kind.DELAY)
    bank = TimeControl(DAY_MS, 3 * S, Kind.BANK, 2 * DAY_MS)
    assert delay.between_bots == TimeControl(60 * S, 3 * S)
    assert bank.between_bots == TimeControl(DAY_MS, 3 * S)


def test_a_delay_adds_nothing_and_an_increment_delays_nothing() -> None:
    delay, fischer = TimeControl(60 * S, 3 * S, Kind.DELAY), TimeControl(60 * S, 3 * S)
    assert (delay.delay_ms, delay.added_ms) == (3 * S, 0)
    assert (fischer.delay_ms, fischer.added_ms) == (0, 3 * S)


@pytest.mark.parametrize("length", [59, 60])
def test_a_text_may_be_as_long_as_sixty(length: int) -> None:
    assert TimeControl.parse("0" * (length - 4) + "60+0") == PLAIN


@pytest.mark.parametrize("text", ["0" * 57 + "60+0", "６0+0"])  # noqa: RUF001 - a digit of another script
def test_a_longer_text_and_other_digits_are_refused(text: str) -> None:
    with pytest.raises(ClockError) as refusal:
        TimeControl.parse(text)
    assert str(refusal.value) == text[:60]
