"""The sandbox that foreign programs run in. See docs/operate/sandbox.md.

from engine import sandbox

isolator = sandbox.choose()                  # its self-test has passed, or NoIsolationError
launcher = isolator.launcher(slot=0)         # for referee.play_match
"""

from engine.sandbox.choice import IsolatorFinding, choose, examine, write_report
from engine.sandbox.inventory import Inventory
from engine.sandbox.isolator import Isolator
from engine.sandbox.limits import Limits
from engine.sandbox.refusals import (
    IsolationReason,
    IsolationRefusal,
    NoIsolationError,
    UnavailableError,
)
from engine.sandbox.selftest import SelfTest

__all__ = [
    "Inventory",
    "IsolationReason",
    "IsolationRefusal",
    "Isolator",
    "IsolatorFinding",
    "Limits",
    "NoIsolationError",
    "SelfTest",
    "UnavailableError",
    "choose",
    "examine",
    "write_report",
]
