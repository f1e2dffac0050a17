"""Starts of programs without a sandbox: WebAssembly modules, and trusted programs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from engine.process import Launch
from engine.programs.program import SANDBOX_PACKAGES, SANDBOX_TREE

if TYPE_CHECKING:
    from engine.match import BotSpec

# The directory of our packages.
PACKAGES = str(Path(__file__).resolve().parents[2])


def run_in_place(bot: BotSpec) -> Launch:
    """Return the launch of `bot` with our interpreter, from its own directory."""
    if bot.tree is None:
        return Launch(bot.argv)
    places = {SANDBOX_TREE: bot.tree, SANDBOX_PACKAGES: PACKAGES}
    return Launch(
        (sys.executable, "-B", *(_local_path(word, places) for word in bot.argv[1:])), bot.tree
    )


def _local_path(word: str, places: dict[str, str]) -> str:
    for inside, outside in places.items():
        if word.startswith(f"{inside}/"):
            return outside + word.removeprefix(inside)
    return word
