"""Runs `python -m tournaments.ratings`: ratings with error bars as JSON."""

from __future__ import annotations

import sys

from tournaments.commandline import ratings

if __name__ == "__main__":
    sys.exit(ratings.main(sys.argv[1:]))
