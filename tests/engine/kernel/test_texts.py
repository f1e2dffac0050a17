"""Texts of positions and moves: the kernel takes the texts that `games` takes, refuses the rest by name, and never traps."""

from __future__ import annotations

import functools

import pytest
from hypothesis import given
from hypothesis import strategies as st

import games
from engine.kernel.host import (
    KernelPositionError,
    TextTooLongError,
    UnknownKernelRulesetError,
)
from tests.engine.kernel import readings
from tests.engine.kernel.rulesets import KEYS, some_position

_SEEDS = st.integers(0, 5)


@st.composite
def exchanged_fields(draw, text, other):
    """`text` with some of its fields from `other`."""
    fields = text.split(" ")
    donors = other.split(" ")
    for place in draw(st.lists(st.integers(0, len(fields) - 1), max_size=2)):
        if place < len(donors):
            fields[place] = donors[place]
    return " ".join(fields)


def is_position(key, text):
    try:
        games.load(key).parse(text)
    except games.BadPositionError:
        return False
    return True


@pytest.mark.parametrize("key", KEYS)
@given(st.data())
@pytest.mark.part(0.3)
def test_positions_are_those_of_games(kernel, key, data):
    ruleset = games.load(key)
    text, other = (some_position(key, data.draw(_SEEDS)).text() for _ in range(2))
    text = data.draw(
        st.one_of(
            exchanged_fields(text, other),
            readings.edits.map(functools.partial(readings.edited, text)),
        )
    )
    readings.same_reading(kernel, ruleset, text)


@pytest.mark.parametrize("key", KEYS)
@given(st.data())
@pytest.mark.part(0.3)
def test_moves_are_those_of_games(kernel, key, data):
    position = some_position(key, data.draw(_SEEDS))
    move = data.draw(st.sampled_from(position.legal_moves() or ["a1"]))
    text = data.draw(
        st.one_of(
            readings.edits.map(functools.partial(readings.edited, move)),
            st.sampled_from(["agree", "pass", "swap", ""]),
        )
    )
    readings.same_judgement(kernel, position, text)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.part(0.3)
def test_a_refused_text_leaves_the_position(kernel, key):
    """A larger board among those refused, whose tables are others."""
    position = some_position(key, 2)
    kernel.load(position)
    for other in KEYS:
        with pytest.raises(KernelPositionError):
            kernel.load_text(other, f"{some_position(other, 1).text()}.")
    assert kernel.text() == position.text()
    assert kernel.legal_moves() == position.legal_moves()


@pytest.mark.parametrize("key", KEYS)
def test_a_position_of_another_rule_set_is_refused(kernel, key):
    text = some_position(key, 1).text()
    for other in KEYS:
        if not is_position(other, text):
            with pytest.raises(KernelPositionError):
                kernel.load_text(other, text)


@given(st.builds(readings.edited, st.sampled_from(KEYS), readings.edits) | st.text(max_size=80))
def test_a_key_that_is_not_canonical_is_refused(kernel, key):
    try:
        is_canonical = games.load(key).key == key
    except games.RulesError:
        is_canonical = False
    with pytest.raises(KernelPositionError if is_canonical else UnknownKernelRulesetError):
        kernel.load_text(key, "no position")


@pytest.mark.parametrize(
    "key",
    [
        "morelli(size=13)",
        "morelli(edition=revised,size=33,setup=random)",
        "morelli(edition=revised,size=12,setup=random)",
        "morelli(edition=original,size=13,setup=random)",
        "morelli(edition=revised,size=013,setup=random)",
        "morelli(edition=revised,size=13,setup=random,)",
        "chess(size=8)",
        "",
    ],
)
def test_unknown_keys(kernel, key):
    with pytest.raises(UnknownKernelRulesetError):
        kernel.load_text(key, some_position(KEYS[0], 0).text())


def test_a_text_longer_than_the_buffer_is_refused(kernel):
    kernel.load(some_position(KEYS[0], 0))
    with pytest.raises(TextTooLongError):
        kernel.play("x" * 20_000)
    with pytest.raises(TextTooLongError):
        kernel.load_text(KEYS[0], "x" * 20_000)
