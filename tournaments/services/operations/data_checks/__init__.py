"""Proof that the data are sound: every invariant read from the rows again, on a live database, without a change.

Invariants of the database's constraints are read too: the constraints may have been dropped or
avoided.
"""

from tournaments.services.operations.data_checks.checks import CheckReport, beside_ratings, run
from tournaments.services.operations.data_checks.offences import Offence

__all__ = ["CheckReport", "Offence", "beside_ratings", "run"]
