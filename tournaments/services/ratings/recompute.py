"""Recomputing, verifying and reconciling a pool's ledger from its games."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import F

from tournaments import database_time
from tournaments.models import (
    Game,
    LedgerEntry,
    PairTally,
    PendingGame,
    Pool,
    Rating,
    Recomputation,
)
from tournaments.queries.ratings import ledger
from tournaments.queries.ratings.prefix import START, Place
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
from tournaments.services.ratings import bulk, posting
from tournaments.services.ratings.replay import Replay

# A second pass finds the effects of rows in a wrong order that the first pass kept.
_MOST_PASSES = 3


@dataclass(frozen=True, slots=True)
class Fault:
    """A difference between the ledger and the games: pool, player, number of the row, and which."""

    pool: str
    player: int
    seq: int
    what: str


def reconcile(pool: Pool) -> int:
    """Reverse every row that differs from the games, and enter the right ones.

    Returns the number of rows added, which is 0 if all rows are right. In the caller's transaction,
    which locks the whole pool: `recomputations.follow` does it in steps. A worker on the pool
    stops.
    """
    pool = Pool.objects.select_for_update(no_key=True).get(pk=pool.pk)
    # First, for a worker's next step would add rows to those that are read here.
    open_ones = Recomputation.objects.open().filter(pool=pool)
    open_ones.update(finished_at=database_time.now(), lease_until=None)
    lock_ratings(pool)
    count = 0
    for _ in range(_MOST_PASSES):
        # Rows in a wrong order, which no service writes, are found when they are passed.
        added = replay_now(pool, late_games=_games_without_rows(pool))
        count += added
        if not added:
            break
    games = Game.objects.filter(pool=pool, is_rated=True, result__in=list(ledger.SCORES))
    _reconcile_counts(
        pool, ledger.rated_games(pool, list(games.values_list("pk", flat=True))).values()
    )
    PendingGame.objects.filter(pool=pool).delete()
    return count


def replay_now(
    pool: Pool,
    place: Place = START,
    *,
    late_games: Collection[int] = (),
    causes: Mapping[int, int] | None = None,
    correction: int | None = None,
) -> int:
    """Rate the pool's games again from `place` on, as `Replay` does, and write the ratings.

    Returns the number of rows added. In the caller's transaction, with the pool locked.
    """
    lock_ratings(pool)
    games = Replay(pool, place, late_games=late_games, causes=causes, correction=correction)
    count = 0
    for step in games.steps():
        count += bulk.insert(step.rows)
        for game in step.new_games:
            posting.count_pair(pool, game)
    bulk.write_ratings(pool.pk, differences(pool, games.system))
    return count


def lock_ratings(pool: Pool) -> None:
    """Lock all ratings of the pool, which is locked: no process can enter a game."""
    ratings = Rating.objects.select_for_update(no_key=True).filter(pool=pool)
    list(ratings.order_by("player_id").values_list("pk", flat=True))


def differences(pool: Pool, system: RatingSystem) -> dict[int, RatingStanding]:
    """The standings that the pool's ratings do not show yet.

    Players who have no row are given one.
    """
    standings = system.standings
    rows = {rating.player_id: rating for rating in Rating.objects.filter(pool=pool)}
    for player in sorted(standings.keys() - rows.keys()):
        values = {name: getattr(standings[player], name) for name in ledger.STANDING}
        Rating.objects.create(pool=pool, player_id=player, **values)
    return {
        player: standings.get(player, RatingStanding())
        for player, rating in rows.items()
        if ledger.standing(rating) != standings.get(player, RatingStanding())
    }


def _games_without_rows(pool: Pool) -> list[int]:
    games = Game.objects.filter(pool=pool, is_rated=True, result__in=list(ledger.SCORES))
    rows = LedgerEntry.objects.filter(pool=pool, game__isnull=False).order_by()
    # PostgreSQL compares every game with every row before it has statistics of the table.
    known = set(rows.values_list("game", flat=True).distinct())
    return [key for key in games.order_by().values_list("pk", flat=True) if key not in known]


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
    """Yield the differences of chain, games, ratings and counts from the ledger.

    While a worker computes the pool again, only the chain is checked. The check writes no row.
    """
    pool_ledger = _Ledger(pool)
    for player, rows in sorted(pool_ledger.rows.items()):
        yield from _chain_faults(pool, player, rows)
    if Recomputation.objects.open().filter(pool=pool).exists():
        return
    expected, system = pool_ledger.recompute()
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
        # In the order in which they were entered, by their rows and not by a clock. Games without
        # an entry come after them.
        self.games.sort(key=self._order_of_entry)
        self.lines: Sequence[Line] = ()

    def _order_of_entry(self, game: RatedGame) -> tuple[float, datetime, int]:
        return self._first_rows.get(game.game, math.inf), game.ended_at, game.game

    def recompute(self) -> tuple[Mapping[int, list[Line]], RatingSystem]:
        """Return the right lines of every player's ledger, and the ratings after them."""
        system = new_system(SystemName(self.pool.system))
        lines: dict[int, list[Line]] = defaultdict(list)
        until = self.pool.closed_until or date.min
        self.lines = list(recompute(self.games, system, closed_until=until))
        for line in self.lines:
            lines[line.player].append(line)
        return lines, system

    def standing(self, player: int) -> list[LedgerEntry]:
        """The player's rows that count, in the order of the games."""
        rows: list[LedgerEntry] = []
        for row in self.rows[player]:
            if row.kind != LedgerEntry.Kind.REVERSAL:
                rows.append(row)
                continue
            while rows and rows[-1].pk != row.reverses_id:
                rows.pop()
            del rows[-1:]
        return rows


def _reconcile_counts(pool: Pool, games: Iterable[RatedGame]) -> None:
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
    """Return the index of the first row that differs from its line, or None if all agree."""
    for at, (row, line) in enumerate(zip(rows, lines, strict=False)):
        if ledger.line_of(row) != line:
            return at
    return None if len(rows) == len(lines) else min(len(rows), len(lines))


def _chain_faults(pool: Pool, player: int, rows: Sequence[LedgerEntry]) -> Iterator[Fault]:
    previous, running = "", INITIAL_CENTIELO
    begins: dict[int | None, int] = {}
    for number, row in enumerate(rows, start=1):
        if row.seq != number:
            yield Fault(pool.key, player, row.seq, f"row {number} is missing")
        if row.digest != ledger.digest(row, previous):
            yield Fault(pool.key, player, row.seq, "the digest does not fit row and predecessor")
        if row.before_centielo != running:
            yield Fault(
                pool.key, player, row.seq, "the row does not begin where the last one ended"
            )
        if row.kind == LedgerEntry.Kind.REVERSAL and row.after_centielo != begins.get(
            row.reverses_id
        ):
            yield Fault(pool.key, player, row.seq, "the reversal leads back to another rating")
        begins[row.pk] = row.before_centielo
        previous, running = row.digest, row.after_centielo
