"""Round robins: the games of a player who left before half of them.

FIDE General Regulations for Competitions (C.05), round robins: if a player leaves with less than
half of the games completed, the games stay in the table, but the points scored by and against that
player are not counted in the final standings. With half or more all results count, and the games to
come are won by forfeit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from tournaments.models import Entry, Event
from tournaments.queries import formats


class RoundOfGame(Protocol):
    """A round of an entry, as far as it is asked whether a game was completed in it."""

    @property
    def is_played(self) -> bool:
        """Return whether a game was, or is being, played."""
        ...

    @property
    def outcome(self) -> object | None:
        """Return the outcome of the game for the entry; None while it is in progress."""
        ...


def annulled_tpns(
    event: Event, entries: Sequence[Entry], history: Mapping[int, Mapping[int, RoundOfGame]]
) -> frozenset[int]:
    """TPNs of withdrawn players of a round robin who completed less than half of their games.

    `entries` are those with a TPN. Empty in other formats.
    """
    if not formats.of(event).is_table:
        return frozenset()
    games = (len(entries) - 1) * event.cycles
    return frozenset(
        entry.tpn or 0
        for entry in entries
        if entry.state == Entry.State.WITHDRAWN
        and 2 * _completed(history.get(entry.pk, {})) < games
    )


def _completed(own: Mapping[int, RoundOfGame]) -> int:
    return sum(each.is_played and each.outcome is not None for each in own.values())
