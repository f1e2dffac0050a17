"""Entries in the ledger of a pool, and the ratings and counts that follow from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from django.db.models import F, Q, QuerySet

from tournaments import database_time
from tournaments.models import LedgerEntry, PairTally, Pool, Rating, statements
from tournaments.queries.ratings import ledger
from tournaments.ratings import INITIAL_CENTIELO
from tournaments.ratings.systems import (
    Line,
    RatedGame,
    RatingStanding,
    RatingSystem,
)
from tournaments.services.ratings import bulk


def locked_standings(pool: Pool, players: Iterable[int]) -> dict[int, RatingStanding]:
    """Return the standings of the players, creating missing rows, locked by ascending id."""
    rated_players = sorted(set(players))
    standings = _standings(pool, rated_players)
    if len(standings) == len(rated_players):
        return standings
    missing = [
        Rating(
            pool=pool,
            player_id=player,
            centielo=INITIAL_CENTIELO,
            peak_centielo=INITIAL_CENTIELO,
        )
        for player in rated_players
        if player not in standings
    ]
    Rating.objects.bulk_create(missing, ignore_conflicts=True)
    return _standings(pool, rated_players)


def _standings(pool: Pool, players: Sequence[int]) -> dict[int, RatingStanding]:
    if len(players) == 2:
        rows = _of_two.all(pool=pool.pk, first=players[0], second=players[1])
    else:
        rows = list(_locked().filter(pool=pool, player__in=players))
    return {row.player_id: ledger.standing(row) for row in rows}


@statements.query
def _of_two(pool: int, first: int, second: int) -> QuerySet[Rating]:
    return _locked().filter(Q(player=first) | Q(player=second), pool=pool)


def _locked() -> QuerySet[Rating]:
    return Rating.objects.select_for_update(no_key=True).order_by("player_id")


def enter(pool: Pool, lines: Sequence[Line], system: RatingSystem) -> None:
    """Add new lines to the ledgers of their players, and write the ratings they come to.

    In the caller's transaction.
    """
    now = database_time.now()
    ends = {player: _end(pool, player) for player in sorted({line.player for line in lines})}
    rows = []
    for line in lines:
        last_seq, last_digest = ends[line.player]
        row = ledger.next_row(line, pool.pk, now, last_seq=last_seq, last_digest=last_digest)
        ends[line.player] = row.seq, row.digest
        rows.append(row)
    bulk.insert(rows)
    bulk.write_ratings(pool.pk, {player: system.standings[player] for player in ends})


def _end(pool: Pool, player: int) -> tuple[int, str]:
    """The number and the digest of the player's last row in the ledger of the pool."""
    rows = _last_rows.all(pool=pool.pk, player=player)
    return rows[0] if rows else (0, "")


@statements.query
def _last_rows(pool: int, player: int) -> QuerySet[LedgerEntry, tuple[int, str]]:
    rows = LedgerEntry.objects.filter(pool=pool, player=player)
    return rows.order_by("-seq").values_list("seq", "digest")[:1]


def enter_game(pool: Pool, game: RatedGame, standings: dict[int, RatingStanding]) -> None:
    """Enter a game after all others, both sides, and count it. In the caller's transaction.

    `standings` are those of the two, locked.
    """
    system = ledger.open_system(pool, standings)
    enter(pool, system.enter(game), system)
    count_pair(pool, game)


def close_months(pool: Pool, month: date) -> None:
    """Close all months before `month`. In the caller's transaction, with the pool locked."""
    rows = LedgerEntry.objects.standing().filter(
        pool=pool, game__isnull=False, period__gte=pool.closed_until, period__lt=month
    )
    players = set(rows.order_by().values_list("player", flat=True).distinct())
    system = ledger.open_system(pool, locked_standings(pool, players))
    enter(pool, system.close(month), system)
    pool.closed_until = month
    pool.save(update_fields=["closed_until"])


def count_pair(pool: Pool, game: RatedGame) -> None:
    """Count one more game of these two with these sides. Their ratings are locked."""
    count_result(pool.pk, game.first, game.second, game.first_halves, 1)


def count_result(pool_id: int, first: int, second: int, first_halves: int, number: int) -> None:
    """Count `number` more games of these two that ended so. Their ratings are locked."""
    column = ledger.RESULT_COLUMNS[first_halves]
    tallies = PairTally.objects.filter(pool=pool_id, first=first, second=second)
    if tallies.update(**{column: F(column) + number}) == 0:
        PairTally.objects.create(
            pool_id=pool_id, first_id=first, second_id=second, **{column: number}
        )
