"""Differences between an archive and its computation."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Difference:
    """A place of the archive, its computed value, and its value in the archive."""

    place: str
    computed: str
    archived: str
