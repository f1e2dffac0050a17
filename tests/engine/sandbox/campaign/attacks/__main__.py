"""Make one attempt, as a bot: `attacks NAME BAIT`. Prints one line: the result."""

from __future__ import annotations

import sys

from . import calls, files, kernel, memory, network, processes

if __name__ == "__main__":
    rooms = (files, kernel, memory, network, processes)
    (attempt,) = {vars(room)[sys.argv[1]] for room in rooms if sys.argv[1] in vars(room)}
    calls.say(attempt())
