"""Texts of positions and moves: the kernel takes what `games` takes, refuses the rest by name, and never traps."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import games
from engine.kernel.host import (
    KernelMoveError,
    KernelPositionError,
    TextTooLongError,
    UnknownKernelRulesetError,
)
from tests.engine.kernel.rulesets import KEYS, some_position

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/ -+x*@=,().#\n\x00é"
_SEEDS = st.integers(0, 5)
_PLACES = st.floats(0, 1, exclude_max=True)


@st.composite
def edits(draw, text):
    """`text` with a few characters changed, left out, put in or exchanged, or a field of another text."""
    for _ in range(draw(st.integers(0, 3))):
        at = int(draw(_PLACES) * len(text))
        letter = draw(st.sampled_from(_LETTERS))
        before, after = text[:at], text[at + 1 :]
        text = draw(
            st.sampled_from(
                [
                    before + letter + after,
                    before + after,
                    before + letter + text[at:],
                    before,
                    after + before,
                ]
            )
        )
    return text


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
def test_positions_are_those_of_games(kernel, key, data):
    texts = [some_position(key, data.draw(_SEEDS)).text() for _ in range(2)]
    text = data.draw(edits(texts[0]) | exchanged_fields(*texts))
    if is_position(key, text):
        assert kernel.load_text(key, text).text() == text
        assert kernel.legal_moves() == games.load(key).parse(text).legal_moves()
    else:
        before = kernel.load_text(key, texts[1]).legal_moves()
        with pytest.raises(KernelPositionError):
            kernel.load_text(key, text)
        assert kernel.text() == texts[1]
        assert kernel.legal_moves() == before


@pytest.mark.parametrize("key", KEYS)
@given(st.data())
def test_moves_are_those_of_games(kernel, key, data):
    position = some_position(key, data.draw(_SEEDS))
    moves = position.legal_moves() or ["a1"]
    text = data.draw(
        edits(moves[int(data.draw(_PLACES) * len(moves))])
        | st.sampled_from(["agree", "pass", "swap", ""])
    )
    kernel.load(position)
    try:
        after = position.play(text)
    except games.IllegalMoveError:
        with pytest.raises(KernelMoveError):
            kernel.play(text)
        after = position
    else:
        kernel.play(text)
    assert kernel.text() == after.text()


@pytest.mark.parametrize("key", KEYS)
def test_a_position_of_another_rule_set_is_refused(kernel, key):
    text = some_position(key, 1).text()
    for other in KEYS:
        if not is_position(other, text):
            with pytest.raises(KernelPositionError):
                kernel.load_text(other, text)


@given(st.sampled_from(KEYS).flatmap(edits) | st.text(max_size=80))
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
