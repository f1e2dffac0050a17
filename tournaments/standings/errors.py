"""What can be wrong with a request for standings."""

from __future__ import annotations


class StandingsError(Exception):
    """Base of everything this package raises."""

    code = "standings"


class BadFieldError(StandingsError):
    """The participants contradict each other: an id twice, an opponent nobody knows."""

    code = "bad-field"


class UnknownTieBreakError(StandingsError):
    """The name is not that of a tie-break for individuals, or has a modifier that does not belong to it."""

    code = "unknown-tie-break"
