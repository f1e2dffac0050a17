"""`python -m tournaments.pairing --dutch IN.trf -p [OUT]`: arguments, output and exit codes as bbpPairings has them."""

from __future__ import annotations

import sys

from tournaments.commandline import pairing

if __name__ == "__main__":
    sys.exit(pairing.main(sys.argv[1:]))
