"""The FIDE (Dutch) System in force since 1 February 2026 (C.04.3, with C.04.1, C.04.2 and C.04.7)."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from tournaments.pairing.dutch.rules.criteria import CRITERIA
from tournaments.pairing.dutch.system import Dutch

if TYPE_CHECKING:
    from tournaments.pairing.dutch.why.counterfactual import why_not
    from tournaments.pairing.dutch.why.explain import explain, explained_bracket
    from tournaments.pairing.dutch.why.rebuild_steps import rebuild_steps

__all__ = [
    "CRITERIA",
    "Dutch",
    "explain",
    "explained_bracket",
    "rebuild_steps",
    "why_not",
]

_LATER = {
    "tournaments.pairing.dutch.why.counterfactual": ("why_not",),
    "tournaments.pairing.dutch.why.explain": ("explain", "explained_bracket"),
    "tournaments.pairing.dutch.why.rebuild_steps": ("rebuild_steps",),
}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Load a rarely used name when it is first asked for.

        See `tests/tournaments/pairing/test_startup.py`.
        """
        for module, names in _LATER.items():
            if name in names:
                return getattr(import_module(module), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
