"""A pool's games rated again from a place on, in steps, and the rows that differ.

A replay reads without a lock: no other process may enter a row in the pool meanwhile
(`Recomputation`, or the locks of the caller).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import reduce
from itertools import chain
from operator import itemgetter, or_
from typing import NamedTuple

from django.db.models import Max, Min, Q

from tournaments import database_time
from tournaments.models import Game, LedgerEntry, Pool, statements
from tournaments.models.ratings import LedgerQuerySet
from tournaments.queries.ratings import ledger, ledger_rows, prefix
from tournaments.queries.ratings.prefix import LAST_ROW, START, Place
from tournaments.ratings.systems import Line, RatedGame, SystemName, month_of

# Games in a step. Their rows are written within 60 ms on an idle machine, and each step costs 7 ms
# beside them.
GAMES_A_STEP = 800
_MANY = 100

# Key of a row or line: the game and its side, or None and the month, then the player.
_Key = tuple[int | None, str | date | None, int]


@dataclass(frozen=True, slots=True)
class Step:
    """Some games rated again.

    Attributes:
        rows: to be added to the ledger, in this order. Each is made when it is requested, so that
            PostgreSQL stores rows while others are made. Take all of them before the next step.
        place: the start of the next step.
        games: the number of these games.
        new_games: those of them that had no rows, and are in no tally yet.
        correction: the correction of the last rows, by id.
    """

    rows: Iterator[ledger_rows.Row]
    place: Place
    games: int
    new_games: Sequence[RatedGame]
    correction: int | None


class _Turn(NamedTuple):
    place: Place
    game: int
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class _Stored:
    """A row that counts: its number in the player's chain, and its facts."""

    seq: int
    facts: tuple[object, ...]


@dataclass(slots=True)
class _End:
    """The end of a player's chain, to which rows are added."""

    seq: int
    digest: str
    after_centielo: int


@dataclass(slots=True)
class _Work:
    """A step in the making: players that differ from now on, the lines to enter, and for which correction."""

    stored: dict[_Key, _Stored]
    differing: dict[int, int | None] = field(default_factory=dict)
    due: list[tuple[Line, int | None]] = field(default_factory=list)
    new_games: list[RatedGame] = field(default_factory=list)


class Replay:
    """The games of a pool from a place on.

    `late_games` are ids of games without rows. They come after all others, or after those of their
    month if there are lists. `causes` are the corrections behind the replay, by game, and
    `correction` the one that the first rows are entered for. `after_read` is called after each read
    whose time grows with the pool.
    """

    def __init__(
        self,
        pool: Pool,
        place: Place = START,
        *,
        late_games: Collection[int] = (),
        causes: Mapping[int, int] | None = None,
        correction: int | None = None,
        after_read: Callable[[], None] = lambda: None,
    ) -> None:
        self._pool = pool
        self._place = place
        self._causes = causes or {}
        self._cause = correction
        self._has_lists = pool.system == SystemName.LISTS
        self._after_read = after_read
        begin = prefix.before(pool, place, after_read=after_read)
        self.system = begin.system
        # Each player's last row that is as it should be, by number.
        self._right = begin.seqs
        turns = [*self._turns_of_rows(), *self._late_turns(late_games)]
        self._turns = sorted(turns, key=itemgetter(0))
        after_read()
        rows = LedgerEntry.objects.filter(pool=pool).order_by()
        self._last_rows: dict[int, int] = dict(rows.values_list("player").annotate(Max("pk")))
        after_read()
        # For each player, the ranges of rows that reversals take back, including the reversals.
        self._reversed: dict[int, list[tuple[int, int]]] = {}
        reversals = rows.filter(kind=LedgerEntry.Kind.REVERSAL)
        for player, last, first in reversals.values_list("player", "seq", "reverses__seq"):
            self._reversed.setdefault(player, []).append((first or last, last))
        after_read()
        # The ends of players whose rows differ.
        self._ends: dict[int, _End] = {}

    @property
    def games(self) -> int:
        """Return the number of games."""
        return len(self._turns)

    def steps(self) -> Iterator[Step]:
        """Yield the steps. Each continues from the rows of the previous step."""
        for at in range(0, len(self._turns), GAMES_A_STEP):
            yield self._step(self._turns[at : at + GAMES_A_STEP])
        last_month = max([self._place.month, *(turn.place.month for turn in self._turns[-1:])])
        end = Place(last_month, LAST_ROW)
        closings = list(self.system.close(self._pool.closed_until or date.min))
        for at in range(0, len(closings), GAMES_A_STEP):
            lines = closings[at : at + GAMES_A_STEP]
            work = _Work(self._stored_closings({line.player for line in lines}))
            for line in lines:
                self._compare(line, work)
            yield self._finish(work, 0, end)
        if self._place == START:
            work = _Work({})
            work.differing.update(dict.fromkeys(self._with_rows_too_many(), self._cause))
            self._after_read()
            yield self._finish(work, 0, end)

    def _turns_of_rows(self) -> Iterator[_Turn]:
        """The games that have rows in the pool, by their first ones."""
        rows = LedgerEntry.objects.filter(pool=self._pool, game__isnull=False).order_by()
        if not self._has_lists:
            firsts = rows.values_list("game").annotate(first=Min("pk"))
            for game, first in firsts.filter(first__gte=self._place.row).iterator():
                yield _Turn(Place(row=first), game)
            return
        for game, ended_at, first in (
            rows.values_list("game", "game__ended_at").annotate(first=Min("pk")).iterator()
        ):
            place = place_of(self._pool, ended_at, first)
            if place >= self._place:
                yield _Turn(place, game)

    def _late_turns(self, game_ids: Collection[int]) -> list[_Turn]:
        late_games = Game.objects.filter(pk__in=game_ids).order_by("ended_at", "pk")
        return [
            _Turn(place_of(self._pool, ended_at, LAST_ROW), game, is_new=True)
            for game, ended_at in late_games.values_list("pk", "ended_at")
            if ended_at is not None
        ]

    def _step(self, turns: Sequence[_Turn]) -> Step:
        ids = [turn.game for turn in turns]
        games = ledger.rated_games(self._pool, ids)
        work = _Work(self._stored_games(ids))
        keys: dict[int | None, list[_Key]] = {}
        for key in work.stored:
            keys.setdefault(key[0], []).append(key)
        if self._has_lists:
            players = {player for game in games.values() for player in (game.first, game.second)}
            work.stored |= self._stored_closings(players)
        for turn in turns:
            self._cause = self._causes.get(turn.game, self._cause)
            game = games.get(turn.game)
            if game is not None:
                for line in self.system.enter(game):
                    self._compare(line, work)
                if turn.is_new:
                    work.new_games.append(game)
            for key in keys.get(turn.game, ()):
                if key in work.stored:  # no line bears it out
                    self._differ(key[2], work)
        last = turns[-1].place
        return self._finish(work, len(turns), Place(last.month, min(last.row + 1, LAST_ROW)))

    def _compare(self, line: Line, work: _Work) -> None:
        player = line.player
        key = (line.game, line.period if line.game is None else line.side, player)
        stored = work.stored.pop(key, None)
        if player not in self._ends and player not in work.differing:
            if (
                stored is not None
                and stored.seq > self._right.get(player, 0)
                and stored.facts == ledger_rows.facts_of(line)
            ):
                self._right[player] = stored.seq
                return
            self._differ(player, work)
        work.due.append((line, self._cause))

    def _differ(self, player: int, work: _Work) -> None:
        if player not in self._ends:
            work.differing.setdefault(player, self._cause)

    def _stored_games(self, ids: Sequence[int]) -> dict[_Key, _Stored]:
        """The rows that count of these games, but of players who differ anyway."""
        if self._last_rows.keys() <= self._ends.keys():
            return {}
        of_games = statements.among("game", ids)
        rows = LedgerEntry.objects.filter(of_games, pool=self._pool).order_by()
        return self._stored(rows.exclude(player__in=list(self._ends)), "side")

    def _stored_closings(self, players: Collection[int]) -> dict[_Key, _Stored]:
        compared = [player for player in players if player not in self._ends]
        rows = LedgerEntry.objects.filter(pool=self._pool, game__isnull=True).order_by()
        return self._stored(rows.filter(player__in=compared), "period")

    def _stored(self, rows: LedgerQuerySet, part: str) -> dict[_Key, _Stored]:
        """Return the rows that count, by key. `part` is the column in the middle of the key."""
        values = rows.values_list("game", part, "player", "seq", *ledger_rows.FACTS)
        return {
            row[:3]: _Stored(row[3], row[4:])
            for row in values.iterator()
            if self._end_of_reversal(row[2], row[3]) is None
        }

    def _with_rows_too_many(self) -> Iterator[int]:
        """Yield the players whose last rows follow from no game: rows that a person changed in the database."""
        rows = LedgerEntry.objects.standing().filter(pool=self._pool).order_by()
        for player, seq in rows.values_list("player").annotate(Max("seq")):
            if player not in self._ends and seq > self._right.get(player, 0):
                yield player

    def _finish(self, work: _Work, games: int, place: Place) -> Step:
        now = database_time.now()
        reversals = list(self._reversals(work.differing, now))
        revisions = self._revisions([line for line, _ in work.due])
        rows = chain(reversals, self._entries(work.due, revisions, now))
        return Step(rows, place, games, work.new_games, self._cause)

    def _entries(
        self, due: Sequence[tuple[Line, int | None]], revisions: Mapping[_Key, int], now: datetime
    ) -> Iterator[ledger_rows.Row]:
        for line, cause in due:
            revision = revisions.get(_of(line), 0) + 1
            kind = LedgerEntry.Kind.REENTRY.value if revision > 1 else ""
            yield self._row(line, now, kind, revision, None, cause)

    def _reversals(
        self, differing: Mapping[int, int | None], now: datetime
    ) -> Iterator[ledger_rows.Row]:
        """Take these players back to before their first row that is wrong."""
        wrong_rows = self._first_wrong(sorted(differing))
        last_keys = [self._last_rows[player] for player in differing if player in self._last_rows]
        ends = LedgerEntry.objects.filter(pk__in=last_keys)
        for player, seq, digest, after in ends.values_list(
            "player", "seq", "digest", "after_centielo"
        ):
            self._ends[player] = _End(seq, digest, after)
        for player in sorted(differing):
            self._ends.setdefault(player, _End(0, "", 0))
            wrong = wrong_rows.get(player)
            if wrong is None:
                continue
            now_centielo = self._ends[player].after_centielo
            back = replace(
                ledger.line_of(wrong),
                before_centielo=now_centielo,
                delta_centielo=wrong.before_centielo - now_centielo,
            )
            kind, cause = LedgerEntry.Kind.REVERSAL.value, differing[player]
            yield self._row(back, now, kind, wrong.revision, wrong.pk, cause)

    def _first_wrong(self, players: Sequence[int]) -> dict[int, LedgerEntry]:
        """Return the first row of each player that counts and is wrong."""
        firsts = {player: self._next_standing(player) for player in players}
        first_rows: dict[int, LedgerEntry] = {}
        for at in range(0, len(players), _MANY):
            some = (Q(player=each, seq=firsts[each]) for each in players[at : at + _MANY])
            rows = LedgerEntry.objects.filter(reduce(or_, some), pool=self._pool).order_by()
            first_rows |= {row.player_id: row for row in rows}
        return first_rows

    def _next_standing(self, player: int) -> int:
        """Return the number that the row would have, whether the row exists or not."""
        seq = self._right.get(player, 0) + 1
        while (end := self._end_of_reversal(player, seq)) is not None:
            seq = end + 1
        return seq

    def _end_of_reversal(self, player: int, seq: int) -> int | None:
        """The last reversal that is or takes back the row with that number."""
        spans = self._reversed.get(player, ())
        return max((last for first, last in spans if first <= seq <= last), default=None)

    def _revisions(self, lines: Sequence[Line]) -> dict[_Key, int]:
        """The highest revisions so far of the lines' games and months.

        Games count in any pool, months in this one.
        """
        entries = LedgerEntry.objects.exclude(kind=LedgerEntry.Kind.REVERSAL).order_by()
        game_ids = {line.game for line in lines if line.game is not None}
        games = entries.filter(statements.among("game", game_ids))
        counts = {
            (game, side, 0): revision
            for game, side, revision in games.values_list("game", "side").annotate(Max("revision"))
        }
        players = {line.player for line in lines if line.game is None}
        if players:
            months = entries.filter(pool=self._pool, game__isnull=True, player__in=players)
            for player, period, revision in months.values_list("player", "period").annotate(
                Max("revision")
            ):
                counts[None, period, player] = revision
        return counts

    def _row(
        self,
        line: Line,
        now: datetime,
        kind: str,
        revision: int,
        reverses: int | None,
        correction: int | None,
    ) -> ledger_rows.Row:
        end = self._ends[line.player]
        row = ledger.next_row(
            line,
            self._pool.pk,
            now,
            last_seq=end.seq,
            last_digest=end.digest,
            kind=kind,
            revision=revision,
            reverses=reverses,
            correction=correction,
        )
        end.seq, end.digest, end.after_centielo = row.seq, row.digest, row.after_centielo
        return row


def place_of(pool: Pool, ended_at: datetime, row: int) -> Place:
    """The place of a game that ended then, and whose first row is `row`."""
    if pool.system != SystemName.LISTS:
        return Place(row=row)
    return Place(month_of(ended_at.date()), row)


def _of(line: Line) -> _Key:
    return (None, line.period, line.player) if line.game is None else (line.game, line.side, 0)
