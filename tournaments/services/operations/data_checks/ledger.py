"""The ledger of ratings compared with the games, and data that its digests do not cover."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime, timedelta

from tournaments.models import LedgerEntry, Pool, Rating
from tournaments.services.operations.data_checks.offences import Offence
from tournaments.services.ratings import recompute

# Two machines' clocks, and how long a transaction may take.
_TOLERANCE = timedelta(minutes=1)
_Key = tuple[str, int, str]


def chains() -> Iterator[Offence]:
    """Every pool computed again from its games: digests, rows, ratings and tallies."""
    for pool in Pool.objects.order_by("key"):
        for fault in recompute.verify(pool):
            yield Offence(f"pool {fault.pool} player {fault.player} row {fault.seq}", fault.what)


def ratings() -> Iterator[Offence]:
    """A player with rows in a pool has a rating there, and a rating has rows."""
    rated = set(Rating.objects.values_list("pool_id", "player_id"))
    for pool, player in (
        LedgerEntry.objects.order_by("pool", "player")
        .values_list("pool_id", "player_id")
        .distinct()
    ):
        if (pool, player) not in rated:
            yield Offence(f"pool {pool} player {player}", "has a ledger, and no row of rating")


def revisions() -> Iterator[Offence]:
    """The entries of a side or month are revisions 1, 2, 3 and so on.

    A reversal has that of its row.
    """
    entries: dict[_Key, list[int]] = defaultdict(list)
    for row in LedgerEntry.objects.select_related("reverses").order_by("pk").iterator():
        if row.kind != LedgerEntry.Kind.REVERSAL:
            entries[_key(row)].append(row.revision)
        elif row.reverses is not None and row.reverses.revision != row.revision:
            yield Offence(f"ledger row {row.pk}", f"revision {row.revision} reverses another one")
    for (what, player, _), numbers in entries.items():
        if numbers != [*range(1, len(numbers) + 1)]:
            text = ", ".join(map(str, numbers))
            yield Offence(f"{what} player {player}", f"revision numbers are {text}")


def moments() -> Iterator[Offence]:
    """Rows were entered in their order, after their game, and both sides together."""
    latest: dict[tuple[int, int], datetime] = {}
    sides: dict[tuple[int | None, int, str], datetime] = {}
    rows = LedgerEntry.objects.select_related("game", "correction")
    for row in rows.order_by("pool", "player", "seq").iterator():
        place = f"ledger row {row.pk}"
        before = latest.get((row.pool_id, row.player_id))
        if before is not None and row.entered_at < before - _TOLERANCE:
            yield Offence(place, f"entered_at {row.entered_at} is before that of the row before")
        latest[row.pool_id, row.player_id] = max(before or row.entered_at, row.entered_at)
        if row.game is None:
            continue
        since = row.correction.made_at if row.correction is not None else row.game.ended_at
        if since is not None and row.entered_at < since - _TOLERANCE:
            yield Offence(place, f"entered_at {row.entered_at} is before what it was entered for")
        other = sides.setdefault((row.game_id, row.revision, row.kind), row.entered_at)
        # A reversal of one side may come alone: the other was right.
        is_first = row.revision == 1 and row.kind == LedgerEntry.Kind.GAME
        if is_first and abs(row.entered_at - other) > _TOLERANCE:
            yield Offence(place, f"entered_at {row.entered_at} is not that of the other side")


def _key(row: LedgerEntry) -> _Key:
    if row.game_id is not None:
        return f"game {row.game_id}", row.player_id, row.side
    return f"pool {row.pool_id} month {row.period}", row.player_id, ""
