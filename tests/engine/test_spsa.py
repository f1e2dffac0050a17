"""SPSA: it finds the best values, keeps the bounds, and its course follows from the seed."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.stats import spsa
from engine.stats.spsa import Parameter, Spsa

DEPTH = Parameter("Depth", 3, 1, 9, is_whole=True, c_end=1, r_end=0.02)
MOBILITY = Parameter("Mobility", 0.5, 0, 2, is_whole=False, c_end=0.1, r_end=0.02)


@st.composite
def parameters(draw: st.DrawFn) -> Parameter:
    is_whole = draw(st.booleans())
    low = draw(st.integers(-100, 100))
    high = low + draw(st.integers(1, 100))
    return Parameter(
        "N",
        draw(st.floats(low, high)),
        low,
        high,
        is_whole=is_whole,
        c_end=draw(st.floats(0.5, high - low)),
        r_end=draw(st.floats(0.001, 1)),
    )


def half_points(values: tuple[float, ...], best: tuple[float, ...], rng: random.Random) -> int:
    """The half points of a pair whose loss in strength is quadratic in the distance from `best`."""
    elo = -sum(40 * (value - at) ** 2 for value, at in zip(values, best, strict=True))
    win = 1 / (1 + 10 ** (-elo / 400))
    return sum(2 * (rng.random() < win) for _game in range(2))


def tuned(spsa_run: Spsa, best: tuple[float, ...], rng: random.Random) -> tuple[float, ...]:
    estimate = spsa_run.start
    for k in range(1, spsa_run.iterations + 1):
        raised, lowered = (
            half_points(spsa_run.values(estimate, k, is_raised=side), best, rng)
            for side in (True, False)
        )
        estimate = spsa_run.step(estimate, k, raised - lowered)
    return estimate


@pytest.mark.parametrize("seed", range(3))
def test_the_best_values_of_a_noisy_quadratic_are_found(seed: int) -> None:
    one, other = (Parameter(name, 0, -4, 4, is_whole=False, c_end=0.4, r_end=0.02) for name in "ab")
    best = (2.0, -1.5)
    reached = tuned(Spsa([one, other], 3000, seed), best, random.Random(seed))
    assert max(abs(value - at) for value, at in zip(reached, best, strict=True)) < 0.7


@given(parameters(), st.integers(1, 1000), st.data())
def test_bounds_are_never_left(parameter: Parameter, iterations: int, data: st.DataObject) -> None:
    run = Spsa([parameter], iterations, data.draw(st.integers(0, 2**48)))
    estimate = run.start
    for k in data.draw(st.lists(st.integers(1, iterations), max_size=20)):
        for is_raised in (True, False):
            [value] = run.values(estimate, k, is_raised=is_raised)
            assert parameter.low <= value <= parameter.high
            assert parameter.low <= float(parameter.text(value)) <= parameter.high
        estimate = run.step(estimate, k, data.draw(st.integers(-4, 4)))
        assert parameter.low <= estimate[0] <= parameter.high


@given(st.floats(1, 9), st.integers(1, 100))
def test_whole_numbers_are_rounded_when_sent_and_not_in_the_estimate(start: float, k: int) -> None:
    run = Spsa([replace(DEPTH, start=start)], 100, 7)
    [value] = run.values(run.start, k, is_raised=True)
    [text] = run.texts(run.start, k, is_raised=True).values()
    assert text == str(int(text))
    assert abs(int(text) - value) <= 0.5
    assert run.step(run.start, k, 0) == run.start


@given(st.floats(2, 8), st.integers(1, 100))
def test_raised_and_lowered_whole_numbers_are_different(start: float, k: int) -> None:
    run = Spsa([replace(DEPTH, low=-9, high=19, start=start, c_end=0.5)], 100, 7)
    raised, lowered = (run.texts(run.start, k, is_raised=side) for side in (True, False))
    assert raised != lowered


@given(st.integers(0, 2**48), st.lists(st.integers(-4, 4), min_size=1, max_size=30))
def test_equal_seeds_give_equal_courses(seed: int, differences: list[int]) -> None:
    courses = []
    for run in (Spsa([DEPTH, MOBILITY], 30, seed), Spsa([DEPTH, MOBILITY], 30, seed)):
        estimate, course = run.start, []
        for k, difference in enumerate(differences, start=1):
            estimate = run.step(estimate, k, difference)
            course.append((run.signs(k), estimate))
        courses.append(course)
    assert courses[0] == courses[1]


def test_signs_are_those_of_a_published_digest() -> None:
    # The output of `printf 5:1 | sha256sum` ends with d4: the bits 0, 0, 1, 0, 1 from the lowest one.
    assert Spsa([DEPTH] * 5, 10, 5).signs(1) == (-1, -1, 1, -1, 1)


def test_both_signs_are_equally_frequent() -> None:
    signs = [Spsa([DEPTH, MOBILITY], 2000, 1).signs(k) for k in range(1, 2001)]
    sums = [sum(column) for column in zip(*signs, strict=True)]
    assert max(map(abs, sums)) < 200
    assert abs(sum(a * b for a, b in signs)) < 200, "independent of each other"


def test_the_gains_of_the_last_iteration_are_those_of_the_author() -> None:
    run = Spsa([DEPTH], 500, 3)
    [sign] = run.signs(500)
    [raised] = run.values(run.start, 500, is_raised=True)
    assert raised == pytest.approx(3 + sign * 1)
    [moved] = run.step(run.start, 500, 2)
    assert moved == pytest.approx(3 + sign * 0.02 * 1 * 2)


def test_gains_fall_as_in_fishtest() -> None:
    # a = r_end c_end^2 (A + N)^alpha; c = c_end N^gamma; R_1 c_1 = a / (A + 1)^alpha / c_1
    run = Spsa([DEPTH], 1000, 3)
    c_1 = 1000**0.101
    a_1 = 0.02 * 1100**0.602 / 101**0.602
    [moved] = run.step(run.start, 1, run.signs(1)[0])
    assert moved == pytest.approx(3 + a_1 / c_1)


@pytest.mark.parametrize(
    "changes",
    [
        {"start": 0},
        {"start": 10},
        {"low": 9, "high": 9, "start": 9},
        {"c_end": 0},
        {"c_end": 9},
        {"c_end": 0.4},
        {"r_end": 0},
        {"r_end": 1.5},
        {"high": 9.5},
        {"start": float("nan")},
        {"high": float("inf")},
    ],
    ids=str,
)
def test_what_cannot_be_tuned_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="Depth"):
        replace(DEPTH, **changes)


def test_the_usual_perturbation_is_a_twentieth_of_the_range() -> None:
    assert spsa.usual_c_end(0, 2, is_whole=False) == pytest.approx(0.1)
    assert spsa.usual_c_end(1, 9, is_whole=True) == 0.5
