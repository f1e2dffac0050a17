"""Runs `python -m tournaments.ratings`: ratings with error bars as JSON."""

from __future__ import annotations

import sys

from tournaments.ratings import cli

if __name__ == "__main__":
    sys.exit(cli.main(sys.argv[1:]))
