"""`python -m tournaments.standings IN.trf --tiebreaks BH/C1,BH,SB,DE`: places and tie-breaks of a report file, as JSON."""

from __future__ import annotations

import sys

from tournaments import commandline

if __name__ == "__main__":
    sys.exit(commandline.run("standings"))
