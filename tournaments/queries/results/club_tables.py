"""The table of clubs of an event of individuals: the best players of each club count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.models import Event
from tournaments.queries import formats
from tournaments.queries.results.standings import EventRow


@dataclass(frozen=True, slots=True)
class ClubRow:
    """A club with the players that count, and its others, by their places.

    Attributes:
        rank: shared by clubs that are equal in points, sum of places and best place.
        places: the sum of the places of the players that count. A player who is missing has the
            place behind the last.
    """

    rank: int
    club: str
    points_halves: int
    places: int
    counting: Sequence[EventRow]
    others: Sequence[EventRow]


def has_table(event: Event) -> bool:
    """Return whether the event has a table of clubs."""
    format_ = formats.of(event)
    return event.club_players > 0 and not event.is_of_teams and format_.is_ranked_by_points


def of_rows(rows: Sequence[EventRow], count: int) -> list[ClubRow]:
    """Return the clubs of the rows of a table, of which the best `count` players count.

    Clubs rank by points, then by the smaller sum of places, then by the better best place.
    """
    members: dict[str, list[EventRow]] = {}
    for row in rows:
        if row.entry.club and row.place:
            members.setdefault(row.entry.club.casefold(), []).append(row)
    behind = len(rows) + 1
    keys = {
        club: (
            -sum(row.points_halves for row in own[:count]),
            sum(row.rank for row in own[:count]) + behind * (count - len(own[:count])),
            own[0].rank,
        )
        for club, own in members.items()
    }
    ordered = sorted(keys, key=lambda club: (keys[club], club))
    table: list[ClubRow] = []
    for number, club in enumerate(ordered, start=1):
        own = members[club]
        is_shared = number > 1 and keys[club] == keys[ordered[number - 2]]
        table.append(
            ClubRow(
                rank=table[-1].rank if is_shared else number,
                club=own[0].entry.club,
                points_halves=-keys[club][0],
                places=keys[club][1],
                counting=own[:count],
                others=own[count:],
            )
        )
    return table
