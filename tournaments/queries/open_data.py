"""The datasets of the open data: their columns, and their rows of a month.

People are numbers. Their names are on the site as long as they have accounts, and files remain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum

from django.db.models import QuerySet

from tournaments.models import DataFile, Event, Game, LedgerEntry
from tournaments.queries.events import conditions
from tournaments.queries.records import exports
from tournaments.queries.results import tables

Row = Mapping[str, object]
LICENCE = "CC0-1.0"
_AT_ONCE = 1_000


class Type(StrEnum):
    """The types of values. A column of records has columns of its own."""

    INTEGER = "integer"
    NUMBER = "number"
    TEXT = "text"
    BOOLEAN = "boolean"
    MOMENT = "moment"
    INTEGERS = "integers"
    TEXTS = "texts"
    RECORD = "record"
    RECORDS = "records"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a dataset, with its meaning. Any value may be null that the meaning says so of."""

    name: str
    type: Type
    meaning: str
    columns: Sequence[Column] = ()


@dataclass(frozen=True, slots=True)
class Dataset:
    """A kind of files: `rows` yields those of the time from its first to before its second argument."""

    name: str
    meaning: str
    columns: Sequence[Column]
    rows: Callable[[datetime, datetime], Iterator[Row]]


def files() -> QuerySet[DataFile]:
    """Return the complete files, the latest month first."""
    return DataFile.objects.exclude(built_at=None)


def month_of(moment: datetime) -> date:
    """Return the first day of the month of `moment` in UTC."""
    return moment.astimezone(UTC).date().replace(day=1)


def after(month: date) -> date:
    """Return the first day of the next month."""
    return date(month.year + month.month // 12, month.month % 12 + 1, 1)


def rows_of(dataset: Dataset, month: date) -> Iterator[Row]:
    """Yield the rows of the month in UTC."""
    return dataset.rows(_midnight(month), _midnight(after(month)))


def first_month() -> date | None:
    """Return the month of the first finished game, or None without one."""
    ended_at = (
        Game.objects.finished().order_by("ended_at").values_list("ended_at", flat=True).first()
    )
    return None if ended_at is None else month_of(ended_at)


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def _games(start: datetime, end: datetime) -> Iterator[Row]:
    finished = exports.games_of().filter(ended_at__gte=start, ended_at__lt=end)
    for record in exports.game_records(conditions.visible_games(finished, None)):
        yield {column.name: record[column.name] for column in GAMES.columns}


def _ratings(start: datetime, end: datetime) -> Iterator[Row]:
    rows = LedgerEntry.objects.filter(entered_at__gte=start, entered_at__lt=end)
    for row in rows.select_related("pool").order_by("pk").iterator(_AT_ONCE):
        yield {
            "id": row.pk,
            "pool": row.pool.key,
            "player": row.player_id,
            "seq": row.seq,
            "kind": row.kind,
            "game": row.game_id,
            "side": row.side or None,
            "reverses": row.reverses_id,
            "before": row.before,
            "change": row.delta,
            "after": row.after,
            "opponent": row.opponent_centielo / 100,
            "k": row.k_factor,
            "expected": row.expected_millionths / 1e6,
            "score": row.score_halves / 2,
            "formula": row.formula,
            "entered": row.entered_at,
        }


def _events(start: datetime, end: datetime) -> Iterator[Row]:
    finished = Event.objects.filter(
        is_private=False, finished_at__gte=start, finished_at__lt=end
    ).order_by("pk")
    for event in finished:
        yield {
            "slug": event.slug,
            "name": event.name,
            "format": event.format,
            "ruleset": event.ruleset,
            "rounds": event.rounds_total,
            "rated": event.is_rated,
            "began": event.started_at,
            "finished": event.finished_at,
            "standings": [
                {
                    "rank": row.place,
                    "player": row.entry.player_id,
                    "is_bot": row.entry.player.is_bot,
                    "points": row.points_halves / 2,
                    "wins": row.wins,
                }
                for row in tables.event_table(event).rows
            ],
        }


_EVALUATION = (
    Column("score_cp", Type.INTEGER, "hundredths, above 0 the side that moved is better, or null"),
    Column("depth", Type.INTEGER, "the depth of the search in plies, or null"),
    Column("nodes", Type.INTEGER, "the number of positions that the bot looked at, or null"),
    Column("time_ms", Type.INTEGER, "the time by the bot's own account, or null"),
    Column("line", Type.TEXTS, "the moves that the bot expected, its own first, not checked"),
    Column("text", Type.TEXT, "a remark of the bot, often empty"),
)
_PLY = (
    Column("move", Type.TEXT, "the move in the notation of the rules"),
    Column("spent_ms", Type.INTEGER, "the time that the clock was charged"),
    Column(
        "remaining_ms", Type.INTEGER, "the time left after the ply, with the increment, or null"
    ),
    Column("wall_ms", Type.INTEGER, "the time that passed for a program on the site, or null"),
    Column("cpu_ms", Type.INTEGER, "the processor time of a program on the site, or null"),
    Column("evaluation", Type.RECORD, "the bot's evaluation before its ply, or null", _EVALUATION),
)
GAMES = Dataset(
    "games",
    "Finished games, by the month in which they ended",
    (
        Column("id", Type.INTEGER, "the number of the game, which is in its address"),
        Column("ruleset", Type.TEXT, "the canonical key of the rules"),
        Column("setup", Type.TEXT, "the part that was drawn or chosen before the first ply"),
        Column("first_id", Type.INTEGER, "the number of the player who made the first ply"),
        Column("second_id", Type.INTEGER, "the number of the other player"),
        Column("first_is_bot", Type.BOOLEAN, "whether the first player is a program"),
        Column("second_is_bot", Type.BOOLEAN, "whether the second player is a program"),
        Column("event", Type.TEXT, "the event in its address, or null"),
        Column("round", Type.INTEGER, "the round of the event, or null"),
        Column("rated", Type.BOOLEAN, "whether the game counts for ratings"),
        Column("pool", Type.TEXT, "the rating pool, or null"),
        Column("clock", Type.TEXT, "the clock in words"),
        Column("clock_ms", Type.INTEGERS, "the time of a side at the start, and for each ply"),
        Column("result", Type.TEXT, "the winning side, a draw, or a forfeit"),
        Column("ending", Type.TEXT, "the reason for the end of the game"),
        Column("opening_plies", Type.INTEGER, "the number of the first plies that were given"),
        Column("began", Type.MOMENT, "when the game was created"),
        Column("ended", Type.MOMENT, "when the game ended"),
        Column("plies", Type.RECORDS, "the plies in their order", _PLY),
    ),
    _games,
)
RATINGS = Dataset(
    "ratings",
    "Changes of ratings, by the month in which they were entered. Rows are only ever added",
    (
        Column("id", Type.INTEGER, "the number of the row"),
        Column("pool", Type.TEXT, "the rating pool"),
        Column("player", Type.INTEGER, "the number of the player"),
        Column("seq", Type.INTEGER, "the place of the row among the player's rows of the pool"),
        Column(
            "kind",
            Type.TEXT,
            "game, period (a month was closed), reversal, or re-entry after one",
        ),
        Column("game", Type.INTEGER, "the number of the game, or null"),
        Column("side", Type.TEXT, "the player's side in the game, or null"),
        Column("reverses", Type.INTEGER, "the first row that a reversal undoes, or null"),
        Column("before", Type.NUMBER, "the rating before, in Elo points"),
        Column("change", Type.NUMBER, "the change of the rating"),
        Column("after", Type.NUMBER, "the rating after"),
        Column("opponent", Type.NUMBER, "the rating of the opponent before the game"),
        Column("k", Type.INTEGER, "the factor K of Elo"),
        Column("expected", Type.NUMBER, "the expected score, from 0 to 1"),
        Column("score", Type.NUMBER, "the score: 0, 0.5 or 1"),
        Column("formula", Type.TEXT, "the name of the formula"),
        Column("entered", Type.MOMENT, "when the row was entered"),
    ),
    _ratings,
)
EVENTS = Dataset(
    "events",
    "Public events with their final standings, by the month in which they finished",
    (
        Column("slug", Type.TEXT, "the event in its address"),
        Column("name", Type.TEXT, "the name of the event"),
        Column("format", Type.TEXT, "the pairing system"),
        Column("ruleset", Type.TEXT, "the canonical key of the rules"),
        Column("rounds", Type.INTEGER, "the number of rounds"),
        Column("rated", Type.BOOLEAN, "whether games count for ratings"),
        Column("began", Type.MOMENT, "when the event started, or null"),
        Column("finished", Type.MOMENT, "when the event finished"),
        Column(
            "standings",
            Type.RECORDS,
            "the final standings, the best first",
            (
                Column(
                    "rank", Type.INTEGER, "the place, shared by equal players, or null if expelled"
                ),
                Column("player", Type.INTEGER, "the number of the player or team"),
                Column("is_bot", Type.BOOLEAN, "whether the player is a program"),
                Column("points", Type.NUMBER, "the score"),
                Column("wins", Type.INTEGER, "rounds won, with forfeits"),
            ),
        ),
    ),
    _events,
)
DATASETS = {dataset.name: dataset for dataset in (GAMES, RATINGS, EVENTS)}
