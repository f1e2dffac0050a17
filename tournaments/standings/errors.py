"""Errors of requests for standings."""

from __future__ import annotations


class StandingsError(Exception):
    """Base of everything this package raises."""

    code = "standings"


class BadFieldError(StandingsError):
    """A contradiction between participants: an id twice, or an unknown opponent."""

    code = "bad-field"


class UnknownTieBreakError(StandingsError):
    """The name is not that of a tie-break for individuals, or has a modifier that does not belong to it."""

    code = "unknown-tie-break"
