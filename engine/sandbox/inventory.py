"""The versions that programs find in the sandbox, as a program in it says them."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import LaunchError
from engine.match import BotSpec
from engine.process import BotProcess

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.sandbox.isolator import Isolator

_TREE = Path(__file__).parent / "inventory_tree"
# The first copy of numpy on a machine takes seconds, its import on a loaded one too.
_PATIENCE_NS = 60_000_000_000


@dataclass(frozen=True, slots=True)
class Inventory:
    """Versions in the sandbox, such as 3.11.2. `numpy` is empty if it cannot be imported."""

    python: str
    numpy: str


def take(isolator: Isolator, libraries: Sequence[str]) -> Inventory:
    """Return the versions in the sandbox of `isolator`, with the `libraries` that Python programs get.

    Raises:
        UnavailableError: this machine lacks a requirement of the isolator.
        EngineError: the program did not start, or wrote no answer.
    """
    bot = BotSpec("inventory", ("python", "/bot/main.py"), str(_TREE), tuple(libraries))
    process = BotProcess(isolator.launcher()(bot))
    try:
        reply = process.receive(deadline_ns=time.monotonic_ns() + _PATIENCE_NS).text
    finally:
        process.close()
    try:
        python, numpy = json.loads(reply)
    except ValueError as error:
        raise LaunchError(f"no versions: {reply[:80]!r}") from error
    return Inventory(python, numpy)
