"""Starts the host by its path: `python .../engine/wasm/__main__.py MODULE`.

A sandboxed interpreter knows no packages by name.
"""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    # Only now can it be found.
    from engine.wasm import host

    sys.exit(host.main(sys.argv[1:]))
