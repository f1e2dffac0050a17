"""The ledger of a pool against its games: entered game by game, and reversed and entered again where a result was corrected."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils import timezone

from tournaments.models import Game, LedgerEntry, Pool, Rating
from tournaments.ratings import INITIAL_CENTIELO
from tournaments.ratings.replay import Book, Line, RatedGame, Standing, replay
from tournaments.services import pools

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from tournaments.models import Correction

SCORES = {Game.Result.FIRST: 2, Game.Result.DRAW: 1, Game.Result.SECOND: 0}


@dataclass(frozen=True, slots=True)
class Fault:
    """Where the ledger does not say what the games do: the pool's key, the player's and the row's number, and what."""

    pool: str
    player: int
    seq: int
    what: str


def append(line: Line, pool_id: int, previous: LedgerEntry | None, **told: object) -> LedgerEntry:
    """Add a row to a player's ledger after `previous`, its last one; `told` are kind, revision, reverses, correction."""
    entry = LedgerEntry(
        pool_id=pool_id,
        player_id=line.player,
        game_id=line.game,
        side=line.side,
        seq=(previous.seq if previous else 0) + 1,
        before_centielo=line.before_centielo,
        delta_centielo=line.delta_centielo,
        after_centielo=line.after_centielo,
        opponent_centielo=line.opponent_centielo,
        k_factor=line.k_factor,
        expected_millionths=line.expected_millionths,
        score_halves=line.score_halves,
        formula=line.formula,
        entered_at=timezone.now(),
        **told,
    )
    entry.digest = digest(entry, previous.digest if previous else "")
    entry.save()
    return entry


def digest(entry: LedgerEntry, previous: str) -> str:
    """The hash that chains `entry` to the player's previous one in the pool: sha256 in hexadecimal."""
    facts: list[object] = [
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
    if entry.kind != LedgerEntry.Kind.GAME:  # rows from before there were others keep their digests
        facts += [entry.kind, entry.revision, entry.reverses_id, entry.correction_id]
    return hashlib.sha256("|".join(map(str, facts)).encode()).hexdigest()


def mend(pool: Pool, correction: Correction | None = None) -> int:
    """Reverse every row that the games do not bear out and enter what they do; how many rows were added.

    Nothing is added where all is right. In the caller's transaction.
    """
    ratings = Rating.objects.select_for_update().filter(pool=pool).order_by("player_id")
    players = {rating.player_id for rating in ratings}
    ledger = _Ledger(pool)
    expected, book = ledger.recomputed()
    added = sum(
        _mend_player(ledger, player, expected.get(player, []), correction)
        for player in sorted({*expected, *ledger.rows})
    )
    for player in sorted({*players, *book.standings}):
        write_rating(pool.pk, player, book.standings.get(player, Standing()))
    return added


def write_rating(pool_id: int, player_id: int, standing: Standing) -> None:
    """Let the player's row say what the ledger comes to."""
    Rating.objects.update_or_create(
        pool_id=pool_id,
        player_id=player_id,
        defaults={
            "centielo": standing.centielo,
            "peak_centielo": standing.peak_centielo,
            "games": standing.games,
            "wins": standing.wins,
            "draws": standing.draws,
        },
    )


def verify(pool: Pool) -> Iterator[Fault]:
    """Where chain, games or ratings say something else than the ledger; nothing when all is well. Changes nothing."""
    ledger = _Ledger(pool)
    expected, book = ledger.recomputed()
    for player, rows in sorted(ledger.rows.items()):
        yield from _chain_faults(pool, player, rows)
    for player in sorted({*expected, *ledger.rows}):
        standing = ledger.standing(player)
        at = _first_difference(standing, expected.get(player, []))
        if at is not None:
            row = standing[at] if at < len(standing) else None
            what = (
                f"game {row.game_id} is entered otherwise than it was played"
                if row
                else "a game is missing"
            )
            yield Fault(pool.key, player, row.seq if row else 0, what)
    for rating in Rating.objects.filter(pool=pool).order_by("player_id"):
        kept = (rating.centielo, rating.peak_centielo, rating.games, rating.wins, rating.draws)
        right = book.standings.get(rating.player_id, Standing())
        if kept != (right.centielo, right.peak_centielo, right.games, right.wins, right.draws):
            yield Fault(pool.key, rating.player_id, 0, "the rating is not what the ledger comes to")


class _Ledger:
    """All rows of a pool, and the games they should follow from."""

    def __init__(self, pool: Pool) -> None:
        self.pool_id = pool.pk
        self.rows: dict[int, list[LedgerEntry]] = defaultdict(list)
        for row in LedgerEntry.objects.filter(pool=pool).order_by("player_id", "seq"):
            self.rows[row.player_id].append(row)
        self._games = _rated_games(pool)
        first_entries: dict[int, tuple[datetime, int]] = {}
        for rows in self.rows.values():
            for row in rows:
                at = (row.entered_at, row.pk)
                first_entries[row.game_id] = min(at, first_entries.get(row.game_id, at))
        # In the order in which they were entered; who was not entered yet comes when it ended.
        self._order = {
            game.pk: first_entries.get(game.pk, (game.ended_at or timezone.now(), 0))
            for game in self._games
        }
        self._entered = first_entries

    def recomputed(self) -> tuple[Mapping[int, list[Line]], Book]:
        """What every player's ledger should say, and the ratings it comes to."""
        book = Book()
        lines: dict[int, list[Line]] = defaultdict(list)
        games = sorted(self._games, key=lambda game: self._order[game.pk])
        counted = (
            RatedGame(g.pk, g.first_id, g.second_id, SCORES[Game.Result(g.result or "")])
            for g in games
        )
        for line in replay(counted, book):
            lines[line.player].append(line)
        return lines, book

    def standing(self, player: int) -> list[LedgerEntry]:
        """The player's rows that count, in the order of the games."""
        reversed_rows = {row.reverses_id for row in self.rows[player]}
        rows = [
            row
            for row in self.rows[player]
            if row.kind != LedgerEntry.Kind.REVERSAL and row.pk not in reversed_rows
        ]
        return sorted(rows, key=lambda row: self._entered[row.game_id])


def _rated_games(pool: Pool) -> list[Game]:
    rated = Game.objects.filter(is_rated=True, result__in=list(SCORES))
    rulesets = rated.order_by().values_list("ruleset", flat=True).distinct()
    mine = [ruleset for ruleset in rulesets if pools.key_of(ruleset) == pool.key]
    return list(rated.filter(ruleset__in=mine).only("first", "second", "result", "ended_at"))


def _first_difference(rows: Sequence[LedgerEntry], lines: Sequence[Line]) -> int | None:
    """Where the rows stop saying what the lines do; None when they agree to the end."""
    for at, (row, line) in enumerate(zip(rows, lines, strict=False)):
        if any(getattr(row, name) != value for name, value in _facts(line).items()):
            return at
    return None if len(rows) == len(lines) else min(len(rows), len(lines))


def _facts(line: Line) -> dict[str, object]:
    """A line as the columns of a row."""
    return {
        "game_id": line.game,
        "player_id": line.player,
        "side": line.side,
        "before_centielo": line.before_centielo,
        "delta_centielo": line.delta_centielo,
        "after_centielo": line.after_centielo,
        "opponent_centielo": line.opponent_centielo,
        "k_factor": line.k_factor,
        "expected_millionths": line.expected_millionths,
        "score_halves": line.score_halves,
        "formula": line.formula,
    }


def _mend_player(
    ledger: _Ledger, player: int, lines: Sequence[Line], correction: Correction | None
) -> int:
    standing = ledger.standing(player)
    at = _first_difference(standing, lines)
    if at is None:
        return 0
    rows = ledger.rows[player]
    last = rows[-1] if rows else None
    revisions: dict[int, int] = {}
    for row in rows:
        revisions[row.game_id] = max(row.revision, revisions.get(row.game_id, 0))
    for row in reversed(standing[at:]):
        assert last is not None, "a row that is reversed stands in the ledger"
        last = append(
            _reversed(row, last.after_centielo),
            row.pool_id,
            last,
            kind=LedgerEntry.Kind.REVERSAL,
            revision=row.revision,
            reverses=row,
            correction=correction,
        )
    pool_id = ledger.pool_id
    for line in lines[at:]:
        revision = revisions.get(line.game, 0) + 1
        kind = LedgerEntry.Kind.GAME if revision == 1 else LedgerEntry.Kind.REPLAY
        last = append(line, pool_id, last, kind=kind, revision=revision, correction=correction)
    return 2 * len(standing[at:]) + len(lines) - len(standing)


def _reversed(row: LedgerEntry, before_centielo: int) -> Line:
    return Line(
        game=row.game_id,
        player=row.player_id,
        side=row.side,
        before_centielo=before_centielo,
        delta_centielo=-row.delta_centielo,
        opponent_centielo=row.opponent_centielo,
        k_factor=row.k_factor,
        expected_millionths=row.expected_millionths,
        score_halves=row.score_halves,
        formula=row.formula,
    )


def _chain_faults(pool: Pool, player: int, rows: Sequence[LedgerEntry]) -> Iterator[Fault]:
    previous, running = "", INITIAL_CENTIELO
    for number, row in enumerate(rows, start=1):
        if row.seq != number:
            yield Fault(pool.key, player, row.seq, f"row {number} is missing")
        if row.digest != digest(row, previous):
            yield Fault(pool.key, player, row.seq, "the digest does not fit row and predecessor")
        if row.before_centielo != running:
            yield Fault(
                pool.key, player, row.seq, "the row does not begin where the last one ended"
            )
        previous, running = row.digest, row.after_centielo
