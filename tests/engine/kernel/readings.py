"""Texts of positions as the kernel and `games` read them, and small changes to a text."""

from __future__ import annotations

from hypothesis import strategies as st

from engine.kernel.host import Kernel, KernelMoveError, KernelPositionError
from games.core import BadPositionError, IllegalMoveError, Position, Ruleset

_LETTERS = "bwrfRB./ -,0123456789x+@swapedmntilgyv=*()ACDEGMW\n\0é٣"

edits = st.lists(
    st.tuples(
        st.integers(0, 400), st.sampled_from(["put", "insert", "delete"]), st.sampled_from(_LETTERS)
    ),
    min_size=1,
    max_size=3,
)


def edited(text: str, changes: list[tuple[int, str, str]]) -> str:
    """`text` after changes of single letters, each at a place counted round and round."""
    for place, kind, letter in changes:
        at = place % (len(text) + 1)
        after = text[at:] if kind == "insert" else text[at + 1 :]
        text = text[:at] + ("" if kind == "delete" else letter) + after
    return text


def same_reading(kernel: Kernel, ruleset: Ruleset, text: str) -> Position | None:
    """Return the position of `text`, or None for a text that both refuse."""
    try:
        kernel.load_text(ruleset.key, text)
        is_read = True
    except KernelPositionError:
        is_read = False
    try:
        position = ruleset.parse(text)
    except BadPositionError:
        assert not is_read, f"only the kernel reads {text!r}"
        return None
    assert is_read, f"only games reads {text!r}"
    assert kernel.text() == text
    assert kernel.legal_moves() == position.legal_moves(), text
    assert kernel.outcome() == position.outcome(), text
    assert kernel.side_to_move is position.side_to_move, text
    return position


def same_judgement(kernel: Kernel, position: Position, move: str) -> None:
    """Lay `position` and hold the kernel's answer to the text of a move against that of `games`."""
    kernel.load(position)
    try:
        after = position.play(move).text()
    except IllegalMoveError:
        after = position.text()
    try:
        kernel.play(move)
    except KernelMoveError:
        assert kernel.text() == position.text()
    assert kernel.text() == after, (position.text(), move)
