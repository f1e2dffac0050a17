"""Where an archive says something else than what follows from it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Difference:
    """A place of the archive, what was computed for it, and what stands there."""

    place: str
    computed: str
    archived: str
