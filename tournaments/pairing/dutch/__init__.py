"""The FIDE (Dutch) System in force since 1 February 2026 (C.04.3, with C.04.1, C.04.2 and C.04.7)."""

from tournaments.pairing.dutch.counterfactual import Reason, Refusal, Step4, why_not
from tournaments.pairing.dutch.explain import explain, explained_bracket
from tournaments.pairing.dutch.retrace import retraced
from tournaments.pairing.dutch.system import Dutch

__all__ = [
    "Dutch",
    "Reason",
    "Refusal",
    "Step4",
    "explain",
    "explained_bracket",
    "retraced",
    "why_not",
]
