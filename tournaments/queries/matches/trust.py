"""The trust in a worker: the share of its results that the site plays again.

A worker that cheats in a fraction `c` of its matches is found in each with probability `c · share`.
"""

from __future__ import annotations

# The share is counted in this number of parts.
PARTS = 10_000
# Results that are all checked, of every new worker.
PROBATION = 20
_LEAST = 500


def share(verified: int) -> int:
    """Return the number of `PARTS` results that are checked of a worker with `verified` ones.

    All at first, then in inverse proportion to the verified results, and 5 % at least.
    """
    if verified < PROBATION:
        return PARTS
    return max(_LEAST, PARTS * PROBATION // (verified + 1))


def trust(verified: int) -> int:
    """Return the trust in hundredths: the share of results that count without a check."""
    return (PARTS - share(verified)) * 100 // PARTS
