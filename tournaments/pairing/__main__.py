"""`python -m tournaments.pairing --dutch IN.trf -p [OUT]`: arguments, output and exit codes as bbpPairings has them."""

from __future__ import annotations

import sys

from tournaments import commandline

if __name__ == "__main__":
    sys.exit(commandline.run("pairing"))
