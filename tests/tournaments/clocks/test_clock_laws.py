"""The cost of a turn: conservation, bounds and monotony for every clock, and examples that can be checked by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    after,
    charges_of_ply,
    charges_of_stop,
    lag_ms,
    paid_ms,
    read,
    written,
)
from tournaments.models import Ply

_MS = st.integers(0, 40 * DAY_MS)


@st.composite
def controls(draw: st.DrawFn) -> TimeControl:
    kind = draw(st.sampled_from(Kind))
    if kind.is_unlimited:
        return UNLIMITED
    if not kind.is_over_days:
        return TimeControl(
            draw(st.integers(1_000, MAX_CLOCK_MS)), draw(st.integers(0, MAX_CLOCK_MS)), kind
        )
    initial_ms = draw(st.integers(DAY_MS, MAX_CLOCK_MS))
    cap_ms = draw(st.integers(initial_ms, MAX_CLOCK_MS))
    return TimeControl(initial_ms, draw(st.integers(0, MAX_CLOCK_MS)), kind, cap_ms)


turns = st.builds(
    Turn,
    elapsed_ms=_MS,
    outage_ms=_MS,
    vacation_ms=_MS,
    lag_ms=st.integers(0, MAX_LAG_MS),
    grace_ms=_MS,
)
clocks = st.integers(0, 2 * MAX_CLOCK_MS)


@given(controls(), clocks, turns)
def test_charges_are_read_as_they_are_written(
    control: TimeControl, remaining_ms: int, turn: Turn
) -> None:
    charges = charges_of_ply(control, remaining_ms, turn)
    assert read(written(charges)) == charges
    Ply._meta.get_field("charges").run_validators(written(charges))


@given(controls(), clocks, turns)
def test_no_clock_is_below_zero_between_two_charges(
    control: TimeControl, remaining_ms: int, turn: Turn
) -> None:
    for charge in charges_of_ply(control, remaining_ms, turn):
        remaining_ms += charge.ms
        assert remaining_ms >= 0


@given(controls(), clocks, turns)
def test_what_was_paid_and_added_is_the_change_of_the_clock(
    control: TimeControl, remaining_ms: int, turn: Turn
) -> None:
    charges = charges_of_ply(control, remaining_ms, turn)
    added_ms = sum(c.ms for c in charges if c.reason in {Reason.INCREMENT, Reason.CAP})
    assert after(remaining_ms, charges) == remaining_ms - paid_ms(charges) + added_ms
    assert 0 <= added_ms <= control.added_ms
    assert 0 <= paid_ms(charges) <= min(remaining_ms, turn.elapsed_ms)


@given(controls(), clocks, turns, _MS)
def test_who_takes_longer_never_has_more(
    control: TimeControl, remaining_ms: int, turn: Turn, more_ms: int
) -> None:
    longer = replace(turn, elapsed_ms=turn.elapsed_ms + more_ms)
    left_ms, left_later_ms = (
        after(remaining_ms, charges_of_ply(control, remaining_ms, each)) for each in (turn, longer)
    )
    assert left_later_ms <= left_ms


@given(controls(), clocks, turns)
def test_nothing_is_added_beyond_the_cap(
    control: TimeControl, remaining_ms: int, turn: Turn
) -> None:
    """A gift may lead beyond it, and is never taken away again."""
    left_ms = after(remaining_ms, charges_of_ply(control, remaining_ms, turn))
    assert left_ms <= max(control.most_ms, remaining_ms)


@given(controls(), clocks, turns)
def test_a_turn_without_a_ply_costs_the_same_and_brings_nothing(
    control: TimeControl, remaining_ms: int, turn: Turn
) -> None:
    without = charges_of_stop(control, remaining_ms, turn)
    assert charges_of_ply(control, remaining_ms, turn)[: len(without)] == without
    assert after(remaining_ms, without) <= remaining_ms


@given(controls(), clocks, turns)
def test_every_reason_is_named_once_and_for_something(
    control: TimeControl, remaining_ms: int, turn: Turn
) -> None:
    charges = charges_of_ply(control, remaining_ms, turn)
    assert len({charge.reason for charge in charges}) == len(charges)
    assert all(charge.ms for charge in charges)


@given(controls(), clocks, st.integers(0, 10 * DAY_MS), _MS, st.none() | st.integers())
def test_whatever_a_page_claims_is_worth_at_most_the_bound(
    control: TimeControl, remaining_ms: int, elapsed_ms: int, outage_ms: int, claim: int | None
) -> None:
    turn = Turn(elapsed_ms, outage_ms)
    credit_ms = lag_ms(turn, claim)
    honest = after(remaining_ms, charges_of_ply(control, remaining_ms, turn))
    with_lag = Turn(elapsed_ms, outage_ms, lag_ms=credit_ms)
    assert 0 <= credit_ms <= MAX_LAG_MS
    assert (
        0
        <= after(remaining_ms, charges_of_ply(control, remaining_ms, with_lag)) - honest
        <= MAX_LAG_MS
    )


@given(controls())
def test_a_control_is_read_again_from_its_text(control: TimeControl) -> None:
    assert TimeControl.parse(control.text()) == control


S = 1_000
H = 3600 * S


@pytest.mark.parametrize(
    ("text", "before_ms", "turn", "charges"),
    [
        ("180+2", 180 * S, Turn(10 * S), [("spent", -10 * S), ("increment", 2 * S)]),
        ("300d3", 300 * S, Turn(2 * S), [("delay", 2 * S), ("spent", -2 * S)]),
        ("300d3", 300 * S, Turn(10 * S), [("delay", 3 * S), ("spent", -10 * S)]),
        ("60+0", 60 * S, Turn(4 * S, lag_ms=300), [("lag", 300), ("spent", -4 * S)]),
        ("60+0", 60 * S, Turn(4 * S, grace_ms=30 * S), [("grace", 4 * S), ("spent", -4 * S)]),
        ("60+0", 5 * S, Turn(6 * S), [("floor", S), ("spent", -6 * S)]),
        (
            "604800+86400<1209600",
            14 * DAY_MS,
            Turn(6 * H),
            [("spent", -6 * H), ("increment", DAY_MS), ("cap", -18 * H)],
        ),
        (
            "300d3",
            300 * S,
            Turn(60 * S, outage_ms=50 * S, lag_ms=500),
            [("outage", 50 * S), ("delay", 3 * S), ("lag", 500), ("spent", -60 * S)],
        ),
        (
            "864000+129600<864000",
            2 * DAY_MS,
            Turn(9 * DAY_MS, vacation_ms=8 * DAY_MS),
            [("vacation", 8 * DAY_MS), ("spent", -9 * DAY_MS), ("increment", 36 * H)],
        ),
    ],
    ids=["fischer", "in-the-delay", "delay", "lag", "grace", "floor", "cap", "outage", "vacation"],
)
def test_a_turn_by_hand(
    text: str, before_ms: int, turn: Turn, charges: list[tuple[str, int]]
) -> None:
    expected = [Charge(Reason(reason), ms) for reason, ms in charges]
    assert charges_of_ply(TimeControl.parse(text), before_ms, turn) == expected


def test_more_given_back_than_the_turn_took_is_no_gain() -> None:
    """An outage and a vacation that were counted for one time, for example."""
    turn = Turn(10 * S, outage_ms=8 * S, vacation_ms=8 * S, lag_ms=500)
    assert after(60 * S, charges_of_ply(TimeControl.parse("60d3"), 60 * S, turn)) == 60 * S


@pytest.mark.parametrize(
    "text",
    ["", "180", "0+2", "0.5+1", "99999999+0", "300d3<600", "3600+0<7200", "604800+1<600", "³00+2"],
)
def test_no_clock_is_set_like_this(text: str) -> None:
    with pytest.raises(ClockError):
        TimeControl.parse(text)
