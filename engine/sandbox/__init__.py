"""The box that foreign programs run in. See docs/sandbox.md.

from engine import sandbox

isolator = sandbox.choose()                  # its self-test has passed, or NoIsolationError
launcher = isolator.launcher(slot=0)         # for referee.play_match
"""

from engine.sandbox.choice import Finding, choose, examine, write_report
from engine.sandbox.isolator import Isolator
from engine.sandbox.limits import Limits
from engine.sandbox.refusals import NoIsolationError, Reason, Refusal, UnavailableError
from engine.sandbox.selftest import SelfTest

__all__ = [
    "Finding",
    "Isolator",
    "Limits",
    "NoIsolationError",
    "Reason",
    "Refusal",
    "SelfTest",
    "UnavailableError",
    "choose",
    "examine",
    "write_report",
]
