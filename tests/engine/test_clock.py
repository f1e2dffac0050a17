from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.clock import (
    BadTimeControlError,
    Fischer,
    Fuel,
    GameClock,
    PerMove,
    Span,
    parse_time_control,
)
from games.core import Side

MS = 1_000_000


def test_increment_is_added_after_the_ply():
    clock = GameClock.start(Fischer(initial_ms=1000, increment_ms=100))
    clock = clock.charge(Side.FIRST, charged_ns=300 * MS)
    assert (clock.first_ms, clock.second_ms) == (800, 1000)


def test_ply_within_the_margin_leaves_the_increment_alone():
    clock = GameClock.start(Fischer(initial_ms=1000, increment_ms=100))
    assert clock.limit_ns(Side.SECOND) == 1050 * MS
    assert clock.charge(Side.SECOND, charged_ns=1050 * MS).second_ms == 100


def test_flag_falls_after_the_margin():
    clock = GameClock.start(Fischer(initial_ms=1000))
    assert clock.limit_ns(Side.FIRST) == 1050 * MS


def test_time_per_move_is_the_same_for_each_ply():
    clock = GameClock.start(PerMove(500)).charge(Side.FIRST, charged_ns=400 * MS)
    assert clock.remaining_ms(Side.FIRST) == 500
    assert clock.limit_ns(Side.FIRST) == 550 * MS


def test_nothing_is_lost_by_rounding():
    clock = GameClock.start(Fischer(initial_ms=1000))
    for _ in range(1000):
        clock = clock.charge(Side.FIRST, charged_ns=400_000)
    assert clock.first_ms == 600


def test_no_clock_runs_under_fuel():
    clock = GameClock.start(Fuel(10**6))
    assert clock.charge(Side.FIRST, charged_ns=10**12) == clock


SPANS = {
    "thinks undisturbed": (Span(100, cpu_ns=99, waited_ns=0), 0),
    "waits for a processor": (Span(512, cpu_ns=100, waited_ns=412), 412),
    "sleeps": (Span(500, cpu_ns=1, waited_ns=2), 2),
    "sleeps and waits": (Span(500, cpu_ns=100, waited_ns=150), 150),
    "two threads take turns": (Span(200, cpu_ns=200, waited_ns=100), 0),
    "four threads on two processors": (Span(200, cpu_ns=400, waited_ns=100), 0),
    "clocks disagree": (Span(100, cpu_ns=0, waited_ns=-5), 0),
    "more wait than wall": (Span(100, cpu_ns=0, waited_ns=900), 100),
    "nothing is told": (Span(100), 0),
    "is read late": (Span(130, cpu_ns=100, waited_ns=5, delayed_ns=20), 25),
    "burns while it is read late": (Span(130, cpu_ns=130, waited_ns=0, delayed_ns=20), 0),
}


@pytest.mark.parametrize(("span", "credit_ns"), SPANS.values(), ids=SPANS.keys())
def test_credit_is_what_the_machine_took(span, credit_ns):
    assert span.credit_ns == credit_ns
    assert span.charged_ns == span.wall_ns - credit_ns


counters = st.integers(-(10**12), 10**12)


@given(st.integers(0, 10**12), counters, counters, counters)
def test_a_charge_is_neither_negative_nor_more_than_the_wall(
    wall_ns, cpu_ns, waited_ns, delayed_ns
):
    assert 0 <= Span(wall_ns, cpu_ns, waited_ns, delayed_ns).charged_ns <= wall_ns


def test_what_was_not_measured_once_is_not_measured_at_all():
    assert Span(3, 2, 1, 4).plus(Span(30, 20, 10, 40)) == Span(33, 22, 11, 44)
    assert Span(3, 2, 1).plus(Span(30)) == Span(33)


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("60+0.5", Fischer(60_000, 500)),
        ("0.1+0", Fischer(100, 0)),
        ("500ms", PerMove(500)),
        ("100Mfuel", Fuel(10**8)),
        ("1500kfuel", Fuel(1_500_000)),
        ("1fuel", Fuel(1)),
    ],
)
def test_time_control_is_read_and_written(text, control):
    assert parse_time_control(text) == control
    assert str(control) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "60",
        "+1",
        "0+1",
        "0ms",
        "-5ms",
        "fast",
        "1+1+1",
        "٣ms",
        "0fuel",
        "Mfuel",
        "1mfuel",
        "9000000Gfuel",
    ],
)
def test_text_that_is_no_time_control_is_refused(text):
    with pytest.raises(BadTimeControlError):
        parse_time_control(text)


@given(
    st.integers(1, 10**7),
    st.integers(0, 10**5),
    st.lists(st.tuples(st.sampled_from(Side), st.integers(0, 10**12))),
)
def test_a_clock_is_never_negative_and_only_its_own_ply_moves_it(initial_ms, increment_ms, plies):
    clock = GameClock.start(Fischer(initial_ms, increment_ms))
    for side, cost_ns in plies:
        after = clock.charge(side, charged_ns=cost_ns)
        assert after.remaining_ms(side) >= increment_ms
        assert after.remaining_ms(side.opponent) == clock.remaining_ms(side.opponent)
        clock = after
