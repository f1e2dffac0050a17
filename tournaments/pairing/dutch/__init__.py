"""The FIDE (Dutch) System in force since 1 February 2026 (C.04.3, with C.04.1, C.04.2 and C.04.7)."""

from tournaments.pairing.dutch.rules.criteria import CRITERIA, Unit, units
from tournaments.pairing.dutch.system import Dutch
from tournaments.pairing.dutch.why.counterfactual import Reason, Refusal, Step4, why_not
from tournaments.pairing.dutch.why.explain import explain, explained_bracket
from tournaments.pairing.dutch.why.rebuild_steps import rebuild_steps

__all__ = [
    "CRITERIA",
    "Dutch",
    "Reason",
    "Refusal",
    "Step4",
    "Unit",
    "explain",
    "explained_bracket",
    "rebuild_steps",
    "units",
    "why_not",
]
