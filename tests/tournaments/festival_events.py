"""Festivals of events over the board with players of a list."""

from __future__ import annotations

from typing import Any

from tests.tournaments.series_events import finished, registered
from tournaments.models import Event, Festival, User
from tournaments.queries.events.player_lists import ListedPlayer
from tournaments.services.events import prize_changes
from tournaments.services.events.prize_changes import OfEvent
from tournaments.services.festivals import changes
from tournaments.services.festivals.prizes import OfFestival
from tournaments.standings.prizes import Category


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


def finished_festival(organiser: User) -> tuple[Festival, list[Event]]:
    """Return a festival of two round robins that are over: A of four players, B of three.

    A 0 has 3 of 3 points, A 1 has 2, A 2 has 1. B 0 has 2 of 2, B 1 has 1. The last player of each has
    none, and the players with an odd number are women.
    """
    festival = changes.create(organiser=organiser, about=changes.About("Weekend"))
    events = []
    for letter, count in (("A", 4), ("B", 3)):
        listed = [ListedPlayer(f"{letter} {n}", sex="mw"[n % 2]) for n in range(count)]
        events.append(finished(organiser, f"Weekend {letter}", *listed))
        act(festival, "add", events[-1].slug)
    return festival, events


def give_prize(owner: Festival | Event, amount: int, category: Category | None = None) -> None:
    """Add a prize to the festival, or to a section, as the organiser."""
    is_event = isinstance(owner, Event)
    prize_changes.add(
        owner=OfEvent(owner.pk) if is_event else OfFestival(owner.pk),
        actor=owner.organiser,
        category=category or Category(),
        amount=amount,
    )
