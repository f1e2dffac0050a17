"""Shapes of bots, their lines and versions."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field

from tournaments import database_time
from tournaments.api import shapes
from tournaments.edges import answers
from tournaments.models import Bot, Rating
from tournaments.queries.bots import check_queue, reliability
from tournaments.queries.bots.bot_catalogue import LineCard, VersionCard
from tournaments.services.bots import programs


class BotRating(BaseModel):
    """A rating of a bot, in Elo points, and how many rated games it comes from."""

    pool: str
    rating_elo: float
    games: int


class VersionRow(shapes.Shape):
    """A version in a list."""

    id: int
    player: shapes.PlayerName
    version: int
    state: Annotated[
        str, Field(description="checking, refused, ready, retired, suspended or annulled")
    ]
    is_active: Annotated[bool, Field(description="True if it plays for its line.")]
    note: str
    created_at: datetime | None
    ratings: list[BotRating]
    queued: Annotated[int, Field(description="Games that wait for a worker or are being played.")]


class BotLineShape(shapes.Shape):
    """A bot of an author's with all its versions, the latest first."""

    id: int
    name: str
    description: str
    created_at: datetime
    versions: list[VersionRow]


class ProgramShape(shapes.Shape):
    """An uploaded program. `digest` is its SHA-256 in hexadecimal."""

    kind: Annotated[str, Field(description="python, wasm or source")]
    size_bytes: int
    digest: str


class Reason(BaseModel):
    """The reason for refusing, suspending or annulling a version."""

    code: str
    sentence: str
    particulars: str


class CheckQueue(shapes.Shape):
    """A version among those that wait for their check."""

    position: Annotated[int, Field(description="1 for the next one, 0 while it is being checked.")]
    waiting: int
    running: int


class Reliability(shapes.Shape):
    """Games since the last check, and how many of them were lost by failing.

    Three in a row suspend a version, and more than a tenth of forty games or more.
    """

    games: int
    failed: int
    failed_in_a_row: int


class VersionShape(shapes.Shape):
    """A version for its author: the result of its check, and its reliability."""

    id: int
    line: int
    player: shapes.PlayerName
    version: int
    state: Bot.State
    is_active: bool
    takes_over: Annotated[
        bool, Field(description="True if it becomes active when it passes its check.")
    ]
    note: str
    families: list[str]
    options: Annotated[
        list[str], Field(description="The options that its program declares, as in its greeting.")
    ]
    program: Annotated[ProgramShape | None, Field(description="null without an upload")]
    created_at: datetime | None
    reason: Reason | None
    queue: Annotated[CheckQueue | None, Field(description="null once there is a verdict")]
    check_log: str
    may_be_rechecked: bool
    rated: Reliability
    casual: Reliability
    events: Annotated[list[str], Field(description="The open events that it has entered.")]
    url: str


def line(card: LineCard) -> BotLineShape:
    """The line with its versions."""
    return BotLineShape.of(card.line, versions=[_version_row(each) for each in card.versions])


def version(bot: Bot, *, events: list[str], may_be_rechecked: bool) -> VersionShape:
    """The version as its author sees it now."""
    verdict = answers.verdict_on(bot)
    reason = Reason(code=bot.state_code, sentence=verdict.sentence, particulars=verdict.particulars)
    return VersionShape.of(
        bot,
        id=bot.pk,
        line=bot.line_id,
        note=bot.description,
        program=programs.of(bot) if bot.program_id else None,
        reason=reason if bot.state_code else None,
        queue=check_queue.place_of(bot, database_time.now()),
        may_be_rechecked=may_be_rechecked,
        rated=reliability.record_of(bot, is_rated=True),
        casual=reliability.record_of(bot, is_rated=False),
        events=events,
        url=f"/bots/versions/{bot.pk}/",
    )


def rating(row: Rating) -> BotRating:
    """The rating with its pool."""
    return BotRating(pool=row.pool.key, rating_elo=row.centielo / 100, games=row.games)


def _version_row(card: VersionCard) -> VersionRow:
    bot = card.bot
    return VersionRow.of(
        bot,
        id=bot.pk,
        version=bot.version or 1,
        note=bot.description,
        ratings=[rating(row) for row in card.ratings],
        queued=card.queued,
    )
