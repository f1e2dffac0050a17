"""`python .../engine/wasm LIBRARY ...`: the host, started by its path because a sandboxed interpreter knows no packages.

LIBRARY is the directory with the package `wasmtime`; the rest is for `host.main`.
"""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).resolve().parents[2]), sys.argv[1]]
    # Only now can they be found.
    from engine.wasm import host

    sys.exit(host.main(sys.argv[2:]))
