"""Run one attack, or hold a bot, as a worker under attack.

`attack ISOLATOR` prints a `Result` as JSON. `hold ISOLATOR` holds a bot that disarms.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict

from tests.engine.sandbox.campaign import run


def main() -> None:
    what, isolator = sys.argv[1:]
    if what == "attack":
        print(json.dumps(asdict(run.run(isolator))))  # noqa: T201
    else:
        run.hold(isolator)


if __name__ == "__main__":
    main()
