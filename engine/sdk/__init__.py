"""Modules for bot authors: `rayuela_sdk.py`, which bots import, and `samples/`.

A bot finds them through two directories on its import path: this one, and the one that holds
`games`. A sandbox only has to show these two, because the bot needs no other part of this project.
"""

from __future__ import annotations

from pathlib import Path

# For `from rayuela_sdk import run`.
DIRECTORY = Path(__file__).resolve().parent
# For `import games`.
GAMES_DIRECTORY = DIRECTORY.parent.parent
