"""The state of a pool before a place in the order of its games, from which a replay continues."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final, NamedTuple

from django.db.models import Count, Exists, Max, OuterRef, Q

from tournaments.models import LedgerEntry, Pool
from tournaments.models.ratings import LedgerQuerySet
from tournaments.queries.ratings import ledger
from tournaments.ratings.systems import RatingStanding, RatingSystem, SystemName, new_system

LAST_ROW: Final = 2**62
_AT_ONCE = 500


class Place(NamedTuple):
    """A place in the order of a pool's games: the month, for lists, then the first row."""

    month: date = date.min
    row: int = 0


START: Final = Place()


@dataclass(frozen=True, slots=True)
class Prefix:
    """The state before a place.

    Attributes:
        system: the rating system at that place.
        seqs: the number of each player's last row that counts.
    """

    system: RatingSystem
    seqs: dict[int, int]


def before(pool: Pool, place: Place, *, after_read: Callable[[], None] = lambda: None) -> Prefix:
    """Return the state of the pool's counted rows before `place`.

    `after_read` is called after each read whose time grows with the pool.
    """
    name = SystemName(pool.system)
    if place == START:
        return Prefix(new_system(name), {})
    rows = _rows(pool, place)
    totals = list(_totals(rows))
    after_read()
    keys = {key for total in totals for key in (total.last, total.last_game, total.closing) if key}
    ends = {row.pk: row for row in _by_key(keys)}
    after_read()
    standings = {total.player: _standing(total, ends) for total in totals}
    system = new_system(name, standings)
    if pool.closed_until is not None:
        _restore(system, pool, place)
        after_read()
    return Prefix(system, {total.player: ends[total.last].seq for total in totals})


def _rows(pool: Pool, place: Place) -> LedgerQuerySet:
    """The rows that count of games and closings before `place`."""
    rows = LedgerEntry.objects.standing().filter(pool=pool).order_by()
    earlier = LedgerEntry.objects.filter(pool=pool, game=OuterRef("game"), pk__lt=place.row)
    if place.month == date.min:
        return rows.filter(Exists(earlier))
    return rows.filter(
        Q(period__lt=place.month) | Q(Exists(earlier), period=place.month, game__isnull=False)
    )


@dataclass(frozen=True, slots=True)
class _Total:
    player: int
    games: int
    wins: int
    draws: int
    peak: int
    last: int
    last_game: int | None
    closing: int | None


def _totals(rows: LedgerQuerySet) -> Iterator[_Total]:
    is_game = Q(game__isnull=False)
    totals = rows.values_list("player").annotate(
        games=Count("pk", filter=is_game),
        wins=Count("pk", filter=is_game & Q(score_halves=2)),
        draws=Count("pk", filter=is_game & Q(score_halves=1)),
        peak=Max("after_centielo"),
        last=Max("pk"),  # a player's rows are stored in their order
        last_game=Max("pk", filter=is_game),
        closing=Max("pk", filter=~is_game),
    )
    for total in totals:
        yield _Total(*total)


def _by_key(keys: set[int]) -> Iterator[LedgerEntry]:
    ordered = sorted(keys)
    for at in range(0, len(ordered), _AT_ONCE):
        some = LedgerEntry.objects.filter(pk__in=ordered[at : at + _AT_ONCE])
        yield from some.select_related("game").defer("game__position")


def _standing(total: _Total, ends: dict[int, LedgerEntry]) -> RatingStanding:
    last = ends[total.last]
    last_game = ends[total.last_game] if total.last_game else None
    beginning = RatingStanding()
    return RatingStanding(
        centielo=last.after_centielo,
        peak_centielo=max(beginning.peak_centielo, total.peak),
        games=total.games,
        wins=total.wins,
        draws=total.draws,
        last_at=last_game.game.ended_at if last_game and last_game.game else None,
        deviation_centielo=last.inputs.get("deviation_after"),
        volatility_billionths=last.inputs.get("volatility_after"),
        listed_elo=ends[total.closing].after_centielo // 100 if total.closing else None,
    )


def _restore(system: RatingSystem, pool: Pool, place: Place) -> None:
    """Give a system of lists the lists of every player, and the games since the last one."""
    closings = LedgerEntry.objects.standing().filter(
        pool=pool,
        game__isnull=True,
        period__lt=place.month,
        player=OuterRef("player"),
        period=OuterRef("period"),
    )
    due = _rows(pool, place).filter(Q(game__isnull=True) | ~Exists(closings))
    by_player: dict[int, list[LedgerEntry]] = defaultdict(list)
    for row in due.order_by("player", "seq").iterator():
        by_player[row.player_id].append(row)
    for player, own in by_player.items():
        system.restore(player, [ledger.line_of(row) for row in own])
