from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.clock import (
    BadTimeControlError,
    Clock,
    Fischer,
    PerMove,
    charged_ms,
    parse_time_control,
)
from games.core import Side


def test_increment_is_added_after_the_ply():
    clock = Clock.start(Fischer(initial_ms=1000, increment_ms=100))
    clock = clock.charge(Side.FIRST, charged_ms=300)
    assert (clock.first_ms, clock.second_ms) == (800, 1000)


def test_ply_within_the_margin_leaves_the_increment_alone():
    clock = Clock.start(Fischer(initial_ms=1000, increment_ms=100))
    assert clock.deadline_ms(Side.SECOND) == 1050
    assert clock.charge(Side.SECOND, charged_ms=1050).second_ms == 100


def test_flag_falls_after_the_margin():
    clock = Clock.start(Fischer(initial_ms=1000))
    assert clock.deadline_ms(Side.FIRST) == 1050
    assert clock.stop(Side.FIRST).first_ms == 0


def test_time_per_move_is_the_same_for_each_ply():
    clock = Clock.start(PerMove(500)).charge(Side.FIRST, charged_ms=400)
    assert clock.remaining_ms(Side.FIRST) == 500
    assert clock.deadline_ms(Side.FIRST) == 550


def test_credit_is_not_charged_and_never_negative():
    assert charged_ms(wall_ms=120, credit_ms=20) == 100
    assert charged_ms(wall_ms=10, credit_ms=20) == 0


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("60+0.5", Fischer(60_000, 500)),
        ("0.1+0", Fischer(100, 0)),
        ("500ms", PerMove(500)),
    ],
)
def test_time_control_is_read_and_written(text, control):
    assert parse_time_control(text) == control
    assert str(control) == text


@pytest.mark.parametrize("text", ["", "60", "+1", "0+1", "0ms", "-5ms", "fast", "1+1+1", "٣ms"])
def test_text_that_is_no_time_control_is_refused(text):
    with pytest.raises(BadTimeControlError):
        parse_time_control(text)


@given(
    st.integers(1, 10**7),
    st.integers(0, 10**5),
    st.lists(st.tuples(st.sampled_from(Side), st.integers(0, 10**6))),
)
def test_a_clock_is_never_negative_and_only_its_own_ply_moves_it(initial_ms, increment_ms, plies):
    clock = Clock.start(Fischer(initial_ms, increment_ms))
    for side, cost_ms in plies:
        after = clock.charge(side, charged_ms=cost_ms)
        assert after.remaining_ms(side) >= increment_ms
        assert after.remaining_ms(side.opponent) == clock.remaining_ms(side.opponent)
        clock = after
