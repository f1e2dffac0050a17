"""What a check of the data says when something does not hold."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Offence:
    """A place in the data, such as `game 12`, and what is wrong with it."""

    place: str
    what: str
