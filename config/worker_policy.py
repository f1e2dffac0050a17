"""The policy of the script that runs the engine beside a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from csp.constants import NONE, SELF, WASM_UNSAFE_EVAL

if TYPE_CHECKING:
    from collections.abc import MutableMapping

WORKER = "/rayuela/engine/worker."
POLICY = f"default-src {NONE}; script-src {WASM_UNSAFE_EVAL}; connect-src {SELF}"


def add_headers(headers: MutableMapping[str, str], _path: str, url: str) -> None:
    """Let the worker compile the kernel and fetch it from here, and nothing else.

    A worker has the policy of its own file (CSP 3, 4.2.2), and static files have none.
    """
    if WORKER in url:
        headers["Content-Security-Policy"] = POLICY
