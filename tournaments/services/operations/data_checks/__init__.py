"""Proof that the data hold: every invariant read again from the rows, on a live database, changing nothing.

What the database's constraints guard is read again too: they may have been dropped, or gone round.
"""

from tournaments.services.operations.data_checks.checks import CheckReport, beside_ratings, run
from tournaments.services.operations.data_checks.offences import Offence

__all__ = ["CheckReport", "Offence", "beside_ratings", "run"]
