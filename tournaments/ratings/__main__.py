"""Runs `python -m tournaments.ratings`: ratings with error bars as JSON."""

from __future__ import annotations

import sys

from tournaments import commandline

if __name__ == "__main__":
    sys.exit(commandline.run("ratings"))
