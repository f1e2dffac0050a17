"""Errors of ratings, by the caller's possible reaction."""

from __future__ import annotations


class RatingsError(Exception):
    """A rating cannot be computed. Messages are for developers and hold the input."""


class RuleSetError(RatingsError):
    """No regulation covers this: an unknown version, or a day before the first one."""


class InputError(RatingsError):
    """Invalid numbers.

    A score outside the game's, a rating out of range, or a player against himself.
    """


class UnconnectedError(RatingsError):
    """Without a prior some ratings are infinite: a group never lost to, or never beat, the rest."""


class ResultFileError(InputError):
    """A file of results makes no sense. The message names the line."""
