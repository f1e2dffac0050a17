"""Seeks of quick pairing: groups of players who wait, and the state of one player's seek."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Min, Q, QuerySet

from tournaments.models import Game, Player, Seek, statements
from tournaments.models.timing import Timed
from tournaments.pairing import quick as pairing
from tournaments.queries.clocks import game_clocks

# A waiting page sends a heartbeat every few seconds. A silent player is not paired after this time.
PRESENT = timedelta(seconds=20)


@dataclass(frozen=True, slots=True)
class SeekGroup:
    """The number of players with a seek like `seek`. `is_own` if the reader is one of them."""

    seek: Seek
    waiting: int
    is_own: bool

    @property
    def clock(self) -> str:
        """The clock as forms name it, `600+10`."""
        return game_clocks.clock_of(self.seek).text()


def current_game(player: Player) -> Game | None:
    """Return the game of the player's last seek, while it is in progress."""
    seek = last(player)
    if seek is None or seek.game is None or seek.game.result is not None:
        return None
    return seek.game


def last(player: Player) -> Seek | None:
    """Return the player's last seek with its game, waiting or not."""
    return player.seeks.order_by("-pk").select_related("game").first()


def seek_groups(now: datetime, reader: Player | None) -> Sequence[SeekGroup]:
    """The open seeks in groups that can be paired, the largest first, as `reader` sees them."""
    rows = _groups.all(since=now - PRESENT, reader=reader.pk if reader is not None else 0)
    oldest = Seek.objects.in_bulk([pk for pk, _waiting, _own in rows])
    return [SeekGroup(oldest[pk], waiting, bool(own)) for pk, waiting, own in rows]


@statements.query
def _groups(since: datetime, reader: int) -> QuerySet[Seek, tuple[int, int, int]]:
    """Return the oldest seek of each group, the number of its seeks, and that of the reader's own."""
    same = (
        "ruleset",
        "is_rated",
        *(field.name for field in Timed._meta.fields),
    )
    waiting = Seek.objects.waiting().seen_since(since).order_by()
    groups = waiting.values(*same).annotate(
        waiting=Count("pk"), oldest=Min("pk"), own=Count("pk", filter=Q(player=reader))
    )
    rows: QuerySet[Seek, tuple[int, int, int]] = groups.order_by("-waiting", "oldest").values_list(
        "oldest", "waiting", "own"
    )
    return rows


def window_elo(seek: Seek, now: datetime) -> int | None:
    """Return the allowed difference of the opponent's rating at `now`, in points, or None for any."""
    return pairing.window_elo((now - seek.made_at).total_seconds())
