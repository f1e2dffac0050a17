"""The rows of a pool's ledger: games and lines as the formulas see them, and the hashes of rows."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import fields
from datetime import date, datetime

from django.db.models import Q

from tournaments import database_time
from tournaments.models import Game, LedgerEntry, Pool, Rating, statements
from tournaments.queries.ratings import ledger_rows
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

SCORES = {Game.Result.FIRST: 2, Game.Result.DRAW: 1, Game.Result.SECOND: 0}
RESULT_COLUMNS = {2: "wins", 1: "draws", 0: "losses"}


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
    """Return the games among these that count in the pool, by id."""
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
    """Return a rating system that continues from the ends of these players' ledgers."""
    system = new_system(SystemName(pool.system), standings)
    if pool.closed_until is None:
        return system
    rows = LedgerEntry.objects.standing().filter(pool=pool, player__in=standings)
    # Their places on every list, and their games since the last list.
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


def standing(rating: Rating) -> RatingStanding:
    """A row as the rating formulas see it."""
    return RatingStanding(**{name: getattr(rating, name) for name in STANDING})


STANDING = tuple(field.name for field in fields(RatingStanding))


def line_of(entry: LedgerEntry) -> Line:
    """A row as the line it was written from."""
    return Line(**{name: getattr(entry, column) for name, column in ledger_rows.NAMES.items()})


def next_row(
    line: Line,
    pool_id: int,
    now: datetime,
    *,
    last_seq: int,
    last_digest: str,
    kind: str = "",
    revision: int = 1,
    reverses: int | None = None,
    correction: int | None = None,
) -> ledger_rows.Row:
    """Return the row of `line` that follows its player's last one, which has this number and digest.

    Without a kind it is that of the first entry of a game or month.
    """
    first_kind = LedgerEntry.Kind.PERIOD if line.game is None else LedgerEntry.Kind.GAME
    row = ledger_rows.Row(
        pool_id,
        line.player,
        line.game,
        line.side,
        line.period,
        last_seq + 1,
        kind or first_kind.value,
        revision,
        reverses,
        correction,
        line.before_centielo,
        line.delta_centielo,
        line.after_centielo,
        line.opponent_centielo,
        line.k_factor,
        line.expected_millionths,
        line.score_halves,
        line.formula,
        line.inputs,
        now,
    )
    return ledger_rows.Row(*row[:-1], digest(row, last_digest))


def digest(entry: LedgerEntry | ledger_rows.Row, previous: str) -> str:
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


def pair_counts(games: Iterable[RatedGame]) -> dict[tuple[int, int], dict[str, int]]:
    """Wins, draws and losses of the first of each two players who met with these sides."""
    counts: dict[tuple[int, int], dict[str, int]] = {}
    for game in games:
        pair = counts.setdefault(
            (game.first, game.second), dict.fromkeys(RESULT_COLUMNS.values(), 0)
        )
        pair[RESULT_COLUMNS[game.first_halves]] += 1
    return counts
