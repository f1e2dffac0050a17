"""Festivals of events over the board with players of a list."""

from __future__ import annotations

from typing import Any

from tests.tournaments.series_events import registered
from tournaments.models import Event, Festival, User
from tournaments.queries.events.player_lists import ListedPlayer
from tournaments.services.festivals import changes


def festival_of(
    organiser: User, *counts: int, has_continuous_boards: bool = True, **settings: Any
) -> tuple[Festival, list[Event]]:
    """Return a festival, and for each of `counts` a section with that number of players: A 0, A 1, B 0 ..."""
    about = changes.About("Weekend", has_continuous_boards=has_continuous_boards)
    festival = changes.create(organiser=organiser, about=about)
    events = []
    for letter, count in zip("ABCDEFGH", counts, strict=False):
        listed = [ListedPlayer(f"{letter} {n}") for n in range(count)]
        event = registered(
            organiser, f"Weekend {letter}", listed, **{"format": "dutch", **settings}
        )
        act(festival, "add", event.slug)
        events.append(event)
    return festival, events


def act(festival: Festival, code: str, subject: str = "") -> None:
    """Act on the festival as its organiser."""
    changes.run(code=code, festival_id=festival.pk, actor=festival.organiser, subject=subject)
