"""Findings of a check of the data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Offence:
    """A place in the data, such as `game 12`, and its fault."""

    place: str
    what: str
