"""The reasons that organisers and arbiters give for their actions."""

from __future__ import annotations

from tournaments.errors import RefusedError

LONGEST_REASON = 200


def checked_reason(reason: str) -> str:
    """Return the reason without blanks around it.

    Raises RefusedError `reason-bad` for an empty one, or more than 200 characters.
    """
    reason = reason.replace("\x00", "").strip()
    if not 1 <= len(reason) <= LONGEST_REASON:
        raise RefusedError("reason-bad")
    return reason
