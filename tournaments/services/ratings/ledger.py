"""The rows of a pool's ledger: writing them, their hashes, and the ratings they come to."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import fields
from datetime import date

from django.db.models import F, Q

from tournaments.models import Game, LedgerEntry, PairTally, Pool, Rating, statements
from tournaments.ratings import INITIAL_CENTIELO
from tournaments.ratings.advantages import advantage_centielo
from tournaments.ratings.fide import TimeClass
from tournaments.ratings.systems import (
    Line,
    RatedGame,
    RatingStanding,
    RatingSystem,
    SystemName,
    new_system,
)
from tournaments.services import database_time
from tournaments.services.ratings import bulk

SCORES = {Game.Result.FIRST: 2, Game.Result.DRAW: 1, Game.Result.SECOND: 0}
_COUNTED = {2: "wins", 1: "draws", 0: "losses"}


def rated_game(game: Game, pool: Pool) -> RatedGame:
    """A finished game as the rating formulas see it.

    One that is about to begin counts as drawn now.
    """
    event = game.pairing.event if game.pairing is not None else None
    return RatedGame(
        game=game.pk,
        first=game.first_id,
        second=game.second_id,
        first_halves=SCORES.get(Game.Result(game.result), 1) if game.result else 1,
        ended_at=game.ended_at or database_time.now(),
        event=event.pk if event else None,
        event_began=event.started_at.date() if event and event.started_at else None,
        time_class=_FIDE_CLASSES.get(pool.time_class, TimeClass.STANDARD),
        advantage_centielo=advantage_centielo(game.ruleset),
    )


def rated_games(pool: Pool, ids: Collection[int]) -> dict[int, RatedGame]:
    """Those of these games that count in the pool, by id."""
    some = Game.objects.filter(statements.among("pk", ids), pool=pool, is_rated=True)
    games = some.filter(result__in=list(SCORES))
    columns = (
        *("pk", "first", "second", "result", "ended_at", "ruleset"),
        *("pairing__event", "pairing__event__started_at"),
    )
    time_class = _FIDE_CLASSES.get(pool.time_class, TimeClass.STANDARD)
    return {
        game: RatedGame(
            game=game,
            first=first,
            second=second,
            first_halves=SCORES[result],
            ended_at=ended_at,
            event=event,
            event_began=started_at.date() if started_at else None,
            time_class=time_class,
            advantage_centielo=advantage_centielo(ruleset),
        )
        for game, first, second, result, ended_at, ruleset, event, started_at in (
            games.order_by().values_list(*columns).iterator()
        )
    }


_FIDE_CLASSES = {
    Pool.TimeClass.BLITZ.value: TimeClass.BLITZ,
    Pool.TimeClass.RAPID.value: TimeClass.RAPID,
}


def open_system(pool: Pool, standings: dict[int, RatingStanding]) -> RatingSystem:
    """A rating system that goes on where the ledgers of these players end."""
    system = new_system(SystemName(pool.system), standings)
    if pool.closed_until is None:
        return system
    rows = LedgerEntry.objects.standing().filter(pool=pool, player__in=standings)
    # Where they stood on every list, and their games since the last one.
    rows = rows.filter(Q(game__isnull=True) | Q(period__gte=pool.closed_until))
    by_player: dict[int, list[LedgerEntry]] = defaultdict(list)
    for row in rows:
        by_player[row.player_id].append(row)
    for player, own in by_player.items():
        system.restore(player, [line_of(row) for row in sorted(own, key=order_of)])
    return system


def order_of(entry: LedgerEntry) -> tuple[date, bool, int]:
    """The key that a player's standing rows are sorted by.

    Months are in order, each with its closing at the end.
    """
    return entry.period or date.min, entry.game_id is None, entry.seq


def locked_standings(pool: Pool, players: Iterable[int]) -> dict[int, RatingStanding]:
    """Where the players stand, each with a row, locked by ascending id."""
    rated_players = set(players)
    rows = Rating.objects.select_for_update(no_key=True).filter(pool=pool, player__in=rated_players)
    standings = {row.player_id: standing(row) for row in rows.order_by("player_id")}
    if len(standings) == len(rated_players):
        return standings
    for player in sorted(rated_players - standings.keys()):
        Rating.objects.get_or_create(
            pool=pool,
            player_id=player,
            defaults={"centielo": INITIAL_CENTIELO, "peak_centielo": INITIAL_CENTIELO},
        )
    return {row.player_id: standing(row) for row in rows.order_by("player_id")}


def standing(rating: Rating) -> RatingStanding:
    """A row as the rating formulas see it."""
    return RatingStanding(**{name: getattr(rating, name) for name in _STANDING})


def write_rating(pool_id: int, player_id: int, right: RatingStanding) -> None:
    """Let the player's row say what the ledger comes to."""
    values = {name: getattr(right, name) for name in _STANDING}
    if not Rating.objects.filter(pool_id=pool_id, player_id=player_id).update(**values):
        Rating.objects.create(pool_id=pool_id, player_id=player_id, **values)


_STANDING = tuple(field.name for field in fields(RatingStanding))


def enter(pool: Pool, lines: Sequence[Line], system: RatingSystem) -> None:
    """Add new lines to the ledgers of their players, and write the ratings they come to.

    In the caller's transaction.
    """
    players = {line.player for line in lines}
    for line in lines:
        rows = LedgerEntry.objects.filter(pool=pool, player=line.player)
        kind = LedgerEntry.Kind.PERIOD if line.game is None else LedgerEntry.Kind.GAME
        append(line, pool.pk, rows.order_by("seq").last(), kind=kind)
    for player in sorted(players):
        write_rating(pool.pk, player, system.standings[player])


def enter_game(pool: Pool, game: RatedGame) -> None:
    """Enter a game after all others, both sides, and count it. In the caller's transaction."""
    system = open_system(pool, locked_standings(pool, [game.first, game.second]))
    enter(pool, system.enter(game), system)
    count_pair(pool, game)


def close_months(pool: Pool, month: date) -> None:
    """Close all months before `month`. In the caller's transaction, with the pool locked."""
    rows = LedgerEntry.objects.standing().filter(
        pool=pool, game__isnull=False, period__gte=pool.closed_until, period__lt=month
    )
    players = set(rows.order_by().values_list("player", flat=True).distinct())
    system = open_system(pool, locked_standings(pool, players))
    enter(pool, system.close(month), system)
    pool.closed_until = month
    pool.save(update_fields=["closed_until"])


def append(
    line: Line, pool_id: int, previous: LedgerEntry | None, **columns: object
) -> LedgerEntry:
    """Add a row to a player's ledger after `previous`, its last one.

    `columns` are kind, revision, reverses and correction.
    """
    entry = LedgerEntry(
        pool_id=pool_id,
        seq=(previous.seq if previous else 0) + 1,
        after_centielo=line.after_centielo,
        entered_at=database_time.now(),
        **facts(line),
        **columns,
    )
    entry.digest = digest(entry, previous.digest if previous else "")
    entry.save()
    return entry


def facts(line: Line) -> dict[str, object]:
    """A line as the columns of a row."""
    return {column: getattr(line, name) for name, column in bulk.NAMES.items()}


def line_of(entry: LedgerEntry) -> Line:
    """A row as the line it was written from."""
    return Line(**{name: getattr(entry, column) for name, column in bulk.NAMES.items()})


def digest(entry: LedgerEntry | bulk.Row, previous: str) -> str:
    """The hash that chains `entry` to the player's previous one in the pool.

    It is sha256 in hexadecimal.
    """
    parts: list[object] = [
        previous,
        entry.pool_id,
        entry.player_id,
        entry.game_id,
        entry.side,
        entry.seq,
        entry.before_centielo,
        entry.delta_centielo,
        entry.opponent_centielo,
        entry.k_factor,
        entry.expected_millionths,
        entry.score_halves,
        entry.formula,
    ]
    # Rows from before there were others keep their digests.
    if entry.kind != LedgerEntry.Kind.GAME:
        parts += [entry.kind, entry.revision, entry.reverses_id, entry.correction_id]
    if entry.period is not None or entry.inputs:
        parts += [entry.period, json.dumps(entry.inputs, sort_keys=True)]
    return hashlib.sha256("|".join(map(str, parts)).encode()).hexdigest()


def count_pair(pool: Pool, game: RatedGame) -> None:
    """Count one more game of these two with these sides. Their ratings are locked."""
    count_result(pool.pk, game.first, game.second, game.first_halves, 1)


def count_result(pool_id: int, first: int, second: int, first_halves: int, number: int) -> None:
    """Count `number` more games of these two that ended so. Their ratings are locked."""
    column = _COUNTED[first_halves]
    tallies = PairTally.objects.filter(pool=pool_id, first=first, second=second)
    if tallies.update(**{column: F(column) + number}) == 0:
        PairTally.objects.create(
            pool_id=pool_id, first_id=first, second_id=second, **{column: number}
        )


def pair_counts(games: Iterable[RatedGame]) -> dict[tuple[int, int], dict[str, int]]:
    """Wins, draws and losses of the first of each two players who met with these sides."""
    counts: dict[tuple[int, int], dict[str, int]] = {}
    for game in games:
        pair = counts.setdefault((game.first, game.second), dict.fromkeys(_COUNTED.values(), 0))
        pair[_COUNTED[game.first_halves]] += 1
    return counts
