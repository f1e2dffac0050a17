"""What a bot author needs: `rayuela_sdk.py`, which bots import, and `samples/`.

A bot finds them through two directories on its import path: this one, and the one that holds
`games`. Nothing else of this project is needed, so that these two are all that a sandbox has to
show.
"""

from __future__ import annotations

from pathlib import Path

# For `from rayuela_sdk import run`.
DIRECTORY = Path(__file__).resolve().parent
# For `import games`.
GAMES_DIRECTORY = DIRECTORY.parent.parent
