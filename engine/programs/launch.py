"""Running a program without a sandbox: for modules, which WebAssembly itself boxes, and for what one trusts."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from engine.process import Launch
from engine.programs.program import BOX_TREE

if TYPE_CHECKING:
    from engine.match import BotSpec


def unboxed(bot: BotSpec) -> Launch:
    """The launch of `bot` on this machine as it is, with our interpreter and its tree where it is stored."""
    if bot.tree is None:
        return Launch(bot.argv)
    inside = f"{BOX_TREE}/"
    words = [
        f"{bot.tree}/{word.removeprefix(inside)}" if word.startswith(inside) else word
        for word in bot.argv[1:]
    ]
    return Launch((sys.executable, "-S", "-B", *words), bot.tree)
