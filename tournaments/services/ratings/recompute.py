"""Recomputing, verifying and reconciling a pool's ledger from its games."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING

from django.db.models import F, Max

from tournaments.models import Game, LedgerEntry, PairTally, Pool, Rating
from tournaments.ratings import INITIAL_CENTIELO
from tournaments.ratings.systems import (
    Line,
    RatedGame,
    RatingStanding,
    RatingSystem,
    SystemName,
    new_system,
    recompute,
)
from tournaments.services.ratings import ledger

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from tournaments.models import Correction


@dataclass(frozen=True, slots=True)
class Fault:
    """A difference between the ledger and the games: pool, player, number of the row, and which."""

    pool: str
    player: int
    seq: int
    what: str


def reconcile(pool: Pool, correction: Correction | None = None) -> int:
    """Reverse every row that differs from the games, and enter the right ones.

    Returns the number of rows added.

    Nothing is added where all is right. In the caller's transaction.
    """
    pool = Pool.objects.select_for_update(no_key=True).get(pk=pool.pk)
    ratings = Rating.objects.select_for_update(no_key=True).filter(pool=pool).order_by("player_id")
    players = {rating.player_id for rating in ratings}
    pool_ledger = _Ledger(pool)
    expected, system = pool_ledger.recompute()
    differences: dict[int, tuple[Sequence[LedgerEntry], Sequence[Line]]] = {}
    for player in sorted({*expected, *pool_ledger.rows}):
        standing, right = pool_ledger.standing(player), expected.get(player, [])
        at = _first_difference(standing, right)
        if at is not None:
            differences[player] = standing[at:], right[at:]
    pages = {
        player: _Page(
            _reverse(pool_ledger, player, rows, correction),
            _revisions(pool_ledger.pool, player, lines),
        )
        for player, (rows, lines) in differences.items()
    }
    # All players' lines in one order, for the order of their rows is that of the games when this is
    # computed again.
    due = {id(line) for _, lines in differences.values() for line in lines}
    due_lines = [line for line in pool_ledger.lines if id(line) in due]
    for line in due_lines:
        _enter(pool_ledger, line, pages[line.player], correction)
    count = sum(len(rows) for rows, _ in differences.values()) + len(due_lines)
    for player in sorted({*players, *system.standings}):
        ledger.write_rating(pool.pk, player, system.standings.get(player, RatingStanding()))
    _reconcile_counts(pool, pool_ledger.games)
    return count


def rebuild() -> int:
    """Reconcile the pools with rows of games that are rated elsewhere now, and those other pools.

    Returns the number of rows added.
    """
    strays = LedgerEntry.objects.standing().filter(game__isnull=False)
    strays = strays.exclude(game__pool=F("pool")).order_by()
    sources = set(strays.values_list("pool", flat=True).distinct())
    targets = set(strays.values_list("game__pool", flat=True).distinct())
    return sum(reconcile(pool) for pool in Pool.objects.filter(pk__in=sources | targets))


def verify(pool: Pool) -> Iterator[Fault]:
    """The differences of chain, games, ratings and counts from the ledger.

    Changes nothing.
    """
    pool_ledger = _Ledger(pool)
    expected, system = pool_ledger.recompute()
    for player, rows in sorted(pool_ledger.rows.items()):
        yield from _chain_faults(pool, player, rows)
    for player in sorted({*expected, *pool_ledger.rows}):
        standing = pool_ledger.standing(player)
        at = _first_difference(standing, expected.get(player, []))
        if at is not None:
            row = standing[at] if at < len(standing) else None
            yield Fault(pool.key, player, row.seq if row else 0, _difference(row))
    for rating in Rating.objects.filter(pool=pool).order_by("player_id"):
        if ledger.standing(rating) != system.standings.get(rating.player_id, RatingStanding()):
            yield Fault(pool.key, rating.player_id, 0, "the rating is not what the ledger comes to")
    counts = ledger.pair_counts(pool_ledger.games)
    for (first, second), tally in _tallies(pool).items():
        if tally != counts.pop((first, second), None):
            yield Fault(pool.key, first, 0, f"the games with {second} are counted wrongly")
    for first, second in counts:
        yield Fault(pool.key, first, 0, f"the games with {second} are not counted")


def _difference(row: LedgerEntry | None) -> str:
    if row is None:
        return "a game or a month is missing"
    if row.game_id is None:
        return f"the month of {row.period} is closed otherwise than its games say"
    return f"game {row.game_id} is entered otherwise than it was played"


class _Ledger:
    """All rows of a pool, and the games they should follow from."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.rows: dict[int, list[LedgerEntry]] = defaultdict(list)
        for row in LedgerEntry.objects.filter(pool=pool).order_by("player_id", "seq"):
            self.rows[row.player_id].append(row)
        self._first_rows: dict[int, int] = {}
        for rows in self.rows.values():
            for row in rows:
                if row.game_id is not None:
                    self._first_rows[row.game_id] = min(
                        row.pk, self._first_rows.get(row.game_id, row.pk)
                    )
        games = Game.objects.filter(pool=pool, is_rated=True, result__in=list(ledger.SCORES))
        self.games = [
            ledger.rated_game(game, pool)
            for game in games.select_related("pairing__event").defer("position")
        ]
        # In the order in which they were entered, by their rows and no clock; who was not entered
        # yet comes after them.
        self.games.sort(key=self._order_of_entry)
        self.lines: Sequence[Line] = ()

    def _order_of_entry(self, game: RatedGame) -> tuple[float, datetime, int]:
        return self._first_rows.get(game.game, math.inf), game.ended_at, game.game

    def recompute(self) -> tuple[Mapping[int, list[Line]], RatingSystem]:
        """What every player's ledger should say, and the ratings it comes to."""
        system = new_system(SystemName(self.pool.system))
        lines: dict[int, list[Line]] = defaultdict(list)
        until = self.pool.closed_until or date.min
        self.lines = list(recompute(self.games, system, closed_until=until))
        for line in self.lines:
            lines[line.player].append(line)
        return lines, system

    def standing(self, player: int) -> list[LedgerEntry]:
        """The player's rows that count, in the order of the games."""
        reversed_rows = {row.reverses_id for row in self.rows[player]}
        rows = [
            row
            for row in self.rows[player]
            if row.kind != LedgerEntry.Kind.REVERSAL and row.pk not in reversed_rows
        ]
        return sorted(rows, key=self._order)

    def _order(self, row: LedgerEntry) -> tuple[date, bool, int]:
        period, is_closing, seq = ledger.order_of(row)
        return period, is_closing, seq if row.game_id is None else self._first_rows[row.game_id]


def _reconcile_counts(pool: Pool, games: Sequence[RatedGame]) -> None:
    tallies = _tallies(pool)
    right = ledger.pair_counts(games)
    for first, second in tallies.keys() - right.keys():
        PairTally.objects.filter(pool=pool, first=first, second=second).delete()
    for (first, second), counts in right.items():
        if tallies.get((first, second)) != counts:
            PairTally.objects.update_or_create(
                pool=pool, first_id=first, second_id=second, defaults=counts
            )


def _tallies(pool: Pool) -> dict[tuple[int, int], dict[str, int]]:
    return {
        (row.first_id, row.second_id): {
            "wins": row.wins,
            "draws": row.draws,
            "losses": row.losses,
        }
        for row in PairTally.objects.filter(pool=pool)
    }


def _first_difference(rows: Sequence[LedgerEntry], lines: Sequence[Line]) -> int | None:
    """Where the rows stop saying what the lines do; None when they agree to the end."""
    for at, (row, line) in enumerate(zip(rows, lines, strict=False)):
        if any(getattr(row, name) != value for name, value in ledger.facts(line).items()):
            return at
    return None if len(rows) == len(lines) else min(len(rows), len(lines))


@dataclass(slots=True)
class _Page:
    """A player's ledger while rows are added: its last row, and the revisions so far."""

    last: LedgerEntry | None
    revisions: Mapping[tuple[int | None, date | None], int]


def _reverse(
    pool_ledger: _Ledger, player: int, wrong: Sequence[LedgerEntry], correction: Correction | None
) -> LedgerEntry | None:
    """Take back these rows, the last first; the player's last row then."""
    rows = pool_ledger.rows[player]
    last = rows[-1] if rows else None
    for row in reversed(wrong):
        assert last is not None, "a row that is reversed stands in the ledger"
        reversal = replace(
            ledger.line_of(row),
            before_centielo=last.after_centielo,
            delta_centielo=-row.delta_centielo,
        )
        last = ledger.append(
            reversal,
            row.pool_id,
            last,
            kind=LedgerEntry.Kind.REVERSAL,
            revision=row.revision,
            reverses=row,
            correction=correction,
        )
    return last


def _enter(pool_ledger: _Ledger, line: Line, page: _Page, correction: Correction | None) -> None:
    revision = page.revisions.get((line.game, line.period), 0) + 1
    kind = LedgerEntry.Kind.PERIOD if line.game is None else LedgerEntry.Kind.GAME
    if revision > 1:
        kind = LedgerEntry.Kind.REENTRY
    page.last = ledger.append(
        line, pool_ledger.pool.pk, page.last, kind=kind, revision=revision, correction=correction
    )


def _revisions(
    pool: Pool, player: int, lines: Sequence[Line]
) -> dict[tuple[int | None, date | None], int]:
    """The highest revisions so far of the lines' games and months.

    Games count in any pool, months in this one.
    """
    entries = LedgerEntry.objects.filter(player=player).order_by()
    games = entries.filter(game__in={line.game for line in lines if line.game is not None})
    months = entries.filter(pool=pool, game__isnull=True)
    game_counts = dict(games.values_list("game").annotate(Max("revision")))
    month_counts = dict(months.values_list("period").annotate(Max("revision")))
    return {
        (line.game, line.period): (
            month_counts.get(line.period, 0) if line.game is None else game_counts.get(line.game, 0)
        )
        for line in lines
    }


def _chain_faults(pool: Pool, player: int, rows: Sequence[LedgerEntry]) -> Iterator[Fault]:
    previous, running = "", INITIAL_CENTIELO
    for number, row in enumerate(rows, start=1):
        if row.seq != number:
            yield Fault(pool.key, player, row.seq, f"row {number} is missing")
        if row.digest != ledger.digest(row, previous):
            yield Fault(pool.key, player, row.seq, "the digest does not fit row and predecessor")
        if row.before_centielo != running:
            yield Fault(
                pool.key, player, row.seq, "the row does not begin where the last one ended"
            )
        previous, running = row.digest, row.after_centielo
