"""Texts of positions as the kernel and `games` read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.kernel.host import KernelPositionError
from games.core import BadPositionError

if TYPE_CHECKING:
    from engine.kernel.host import Kernel
    from games.core import Position, Ruleset


def same_reading(kernel: Kernel, ruleset: Ruleset, text: str) -> Position | None:
    """The position of `text`, or None for a text that both refuse."""
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
