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
    clock = clock.charge(Side.FIRST, used_ns=300 * MS)
    assert (clock.first_ms, clock.second_ms) == (800, 1000)


def test_ply_within_the_margin_leaves_the_increment_alone():
    clock = GameClock.start(Fischer(initial_ms=1000, increment_ms=100))
    assert clock.limit_ns(Side.SECOND) == 1050 * MS
    assert clock.charge(Side.SECOND, used_ns=1050 * MS).second_ms == 100


def test_the_margin_is_owed_and_paid_with_the_next_ply():
    clock = GameClock.start(Fischer(initial_ms=1000, increment_ms=100))
    assert clock.price_ns(Side.FIRST, used_ns=1030 * MS) == 1000 * MS
    clock = clock.charge(Side.FIRST, used_ns=1030 * MS)
    assert (clock.first_ms, clock.owed_ns(Side.FIRST)) == (100, 30 * MS)
    assert (clock.available_ms(Side.FIRST), clock.limit_ns(Side.FIRST)) == (70, 120 * MS)
    assert clock.price_ns(Side.FIRST, used_ns=50 * MS) == 80 * MS
    clock = clock.charge(Side.FIRST, used_ns=50 * MS)
    assert (clock.first_ms, clock.owed_ns(Side.FIRST)) == (120, 0)


def test_a_bot_that_uses_the_margin_of_each_ply_loses_on_time():
    for control in (Fischer(400, 100), PerMove(300)):
        clock = GameClock.start(control)
        used_ns, plies = (clock.remaining_ns(Side.FIRST) + 30 * MS), 0
        while used_ns <= clock.limit_ns(Side.FIRST):
            clock, plies = clock.charge(Side.FIRST, used_ns=used_ns), plies + 1
            used_ns = clock.remaining_ns(Side.FIRST) + 30 * MS
        assert plies == 1


def test_time_per_move_is_less_by_what_is_owed():
    clock = GameClock.start(PerMove(300)).charge(Side.FIRST, used_ns=320 * MS)
    assert clock.available_ms(Side.FIRST) == 280
    clock = clock.charge(Side.FIRST, used_ns=270 * MS)
    assert (clock.owed_ns(Side.FIRST), clock.available_ms(Side.FIRST)) == (0, 300)


def test_what_was_used_while_no_clock_ran_is_owed():
    clock = GameClock.start(Fischer(1000)).owe(Side.SECOND, 300 * MS)
    assert (clock.second_ms, clock.available_ms(Side.SECOND)) == (1000, 700)
    assert clock.available_ms(Side.FIRST) == 1000
    assert clock.charge(Side.SECOND, used_ns=100 * MS).second_ms == 600
    assert clock.owe(Side.SECOND, 10**12).limit_ns(Side.SECOND) < 0
    assert clock.owe(Side.SECOND, 10**12).available_ms(Side.SECOND) == 1
    assert GameClock.start(Fuel(5)).owe(Side.FIRST, 7) == GameClock.start(Fuel(5))


def test_flag_falls_after_the_margin():
    clock = GameClock.start(Fischer(initial_ms=1000))
    assert clock.limit_ns(Side.FIRST) == 1050 * MS


def test_time_per_move_is_the_same_for_each_ply():
    clock = GameClock.start(PerMove(500)).charge(Side.FIRST, used_ns=400 * MS)
    assert clock.remaining_ms(Side.FIRST) == 500
    assert clock.limit_ns(Side.FIRST) == 550 * MS


def test_nothing_is_lost_by_rounding():
    clock = GameClock.start(Fischer(initial_ms=1000))
    for _ in range(1000):
        clock = clock.charge(Side.FIRST, used_ns=400_000)
    assert clock.first_ms == 600


def test_no_clock_runs_under_fuel():
    clock = GameClock.start(Fuel(10**6))
    assert clock.charge(Side.FIRST, used_ns=10**12) == clock


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
    "four threads, counted longer": (Span(200, cpu_ns=400, waited_ns=100, outside_ns=9), 0),
    "burns while it is read late": (Span(130, cpu_ns=130, waited_ns=0, delayed_ns=20), 0),
}


@pytest.mark.parametrize(("span", "credit_ns"), SPANS.values(), ids=SPANS.keys())
def test_credit_is_what_the_machine_took(span, credit_ns):
    assert span.credit_ns == credit_ns
    on_the_clock_ns = (span.cpu_ns or 0) - span.outside_ns
    assert span.charged_ns == max(span.wall_ns - credit_ns, on_the_clock_ns)


counters = st.integers(-(10**12), 10**12)


@given(st.integers(0, 10**12), counters, counters, counters, st.integers(0, 10**12))
def test_a_charge_is_at_least_the_processor_time_on_the_clock_and_otherwise_at_most_the_wall(
    wall_ns, cpu_ns, waited_ns, delayed_ns, outside_ns
):
    charged_ns = Span(wall_ns, cpu_ns, waited_ns, delayed_ns, outside_ns).charged_ns
    on_the_clock_ns = max(0, cpu_ns - outside_ns)
    assert on_the_clock_ns <= charged_ns <= max(wall_ns, on_the_clock_ns)


@given(st.data())
def test_one_thread_is_charged_what_it_used_and_never_more_than_passed(data):
    wall_ns, outside_ns = data.draw(st.integers(0, 10**12)), data.draw(st.integers(0, 10**9))
    # One thread runs or waits at most while the counters run.
    cpu_ns = data.draw(st.integers(0, wall_ns + outside_ns))
    waited_ns = data.draw(st.integers(0, wall_ns + outside_ns - cpu_ns))
    delayed_ns = data.draw(st.integers(0, wall_ns + outside_ns))
    span = Span(wall_ns, cpu_ns, waited_ns, delayed_ns, outside_ns)
    assert min(cpu_ns, wall_ns) <= span.charged_ns <= wall_ns
    assert span.charged_ns == wall_ns - span.credit_ns


def test_what_was_not_measured_once_is_not_measured_at_all():
    assert Span(3, 2, 1, 4, 5).plus(Span(30, 20, 10, 40, 50)) == Span(33, 22, 11, 44, 55)
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
        after = clock.charge(side, used_ns=cost_ns)
        assert after.remaining_ms(side) >= increment_ms
        assert after.remaining_ms(side.opponent) == clock.remaining_ms(side.opponent)
        clock = after
