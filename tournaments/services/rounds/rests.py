"""Rests of bots in standing ladders: who has left placement rests after a pair, so that ladders can run for years."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from itertools import combinations
from typing import TYPE_CHECKING

from django.db.models import Count, Max

from tournaments import pairing
from tournaments.models import Game, Rating
from tournaments.services.ratings import pools

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from tournaments.models import Entry, Event

# Bots that nobody could play with are looked at again so often: they are away, or of one author.
AGAIN = timedelta(seconds=60)


@dataclass(frozen=True, slots=True)
class Rests:
    """Who of those that wait wants a game.

    Attributes:
        seeking: the pairing numbers of those who do. The site's own bots never do: they play
            whoever seeks, and so may whoever rests.
        next_look_at: when somebody's rest ends, or somebody seeks in vain; None without either.
    """

    seeking: frozenset[int]
    next_look_at: datetime | None

    def idle_pairs(self, entries: Sequence[Entry]) -> frozenset[frozenset[int]]:
        """Every two pairing numbers of whom neither seeks."""
        idle = [entry.tpn or 0 for entry in entries if entry.tpn not in self.seeking]
        return frozenset(frozenset(pair) for pair in combinations(idle, 2))


def of_ladder(event: Event, entries: Sequence[Entry], now: datetime) -> Rests:
    """Who of these free entries of a standing ladder seeks a game now."""
    guest_ids = set(event.entries.active().guests().values_list("pk", flat=True))
    guests = [entry for entry in entries if entry.pk in guest_ids]
    rest = timedelta(seconds=event.pause_s)
    ended_at = _last_ends(event, [entry.player_id for entry in guests], now - rest)
    ends = [ended_at[entry.player_id] + rest for entry in guests if entry.player_id in ended_at]
    seeking = frozenset(entry.tpn or 0 for entry in guests if entry.player_id not in ended_at)
    if seeking:
        ends.append(now + AGAIN)
    return Rests(seeking, min(ends, default=None))


def _last_ends(event: Event, player_ids: Sequence[int], since: datetime) -> dict[int, datetime]:
    """The last end of a game since then, of those of the players who have left placement."""
    ratings = Rating.objects.filter(pool=pools.of_event(event), player__in=player_ids)
    placed = set(
        ratings.filter(games__gte=pairing.PLACEMENT_GAMES).values_list("player_id", flat=True)
    )
    # Repetitions are not rated; without them a deterministic bot might never leave placement.
    played: Counter[int] = Counter()
    for side in ("first_id", "second_id"):
        counted = Game.objects.finished().filter(pairing__event=event)
        counted = counted.filter(**{f"{side}__in": set(player_ids) - placed}).order_by()
        played.update(dict(counted.values_list(side).annotate(Count("pk"))))
    placed |= {player for player, games in played.items() if games >= pairing.PLACEMENT_GAMES}
    latest = Game.objects.finished().filter(pairing__event=event, ended_at__gt=since)
    ends: dict[int, datetime] = {}
    for side in ("first_id", "second_id"):
        rows = latest.filter(**{f"{side}__in": list(placed)}).order_by().values_list(side)
        for player_id, end in rows.annotate(last=Max("ended_at")):
            ends[player_id] = max(end, ends.get(player_id, end))
    return ends
