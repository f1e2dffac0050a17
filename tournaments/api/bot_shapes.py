"""Shapes of bots, their lines and versions."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field

from tournaments import database_time
from tournaments.api import shapes
from tournaments.edges import answers
from tournaments.models import Bot, BotLine, Program, Rating, User
from tournaments.queries.bots import check_queue, reliability
from tournaments.queries.bots.bot_catalogue import LineCard, VersionCard
from tournaments.services.bots import programs


class BotRating(BaseModel):
    """A rating of a bot, in Elo points, and how many rated games it comes from."""

    pool: str
    rating_elo: float
    games: int


class VersionRow(BaseModel):
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


class BotLineShape(BaseModel):
    """A bot of an author's with all its versions, the latest first."""

    id: int
    name: str
    description: str
    created_at: datetime
    versions: list[VersionRow]


class ProgramShape(BaseModel):
    """An uploaded program. `digest` is its SHA-256 in hexadecimal."""

    kind: Annotated[str, Field(description="python, wasm or source")]
    size_bytes: int
    digest: str


class Reason(BaseModel):
    """The reason for refusing, suspending or annulling a version."""

    code: str
    sentence: str
    particulars: str


class CheckQueue(BaseModel):
    """A version among those that wait for their check."""

    position: Annotated[int, Field(description="1 for the next one, 0 while it is being checked.")]
    waiting: int
    running: int


class Reliability(BaseModel):
    """Games since the last check, and how many of them were lost by failing.

    Three in a row suspend a version, and more than a tenth of forty games or more.
    """

    games: int
    failed: int
    failed_in_a_row: int


class VersionShape(BaseModel):
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
    row: BotLine = card.line
    return BotLineShape(
        id=row.pk,
        name=row.name,
        description=row.description,
        created_at=row.created_at,
        versions=[_version_row(each) for each in card.versions],
    )


def version(bot: Bot, *, events: list[str], may_be_rechecked: bool) -> VersionShape:
    """The version as its author sees it now."""
    assert bot.line_id is not None, "a version of an author's"
    assert bot.version is not None, "a version of an author's"
    place = check_queue.place_of(bot, database_time.now())
    verdict = answers.verdict_on(bot)
    return VersionShape(
        id=bot.pk,
        line=bot.line_id,
        player=shapes.player_name(bot.player),
        version=bot.version,
        state=Bot.State(bot.state),
        is_active=bot.is_active,
        takes_over=bot.takes_over,
        note=bot.description,
        families=bot.families,
        options=bot.options,
        program=_program(programs.of(bot)) if bot.program_id else None,
        created_at=bot.created_at,
        reason=Reason(
            code=bot.state_code, sentence=verdict.sentence, particulars=verdict.particulars
        )
        if bot.state_code
        else None,
        queue=CheckQueue(position=place.position, waiting=place.waiting, running=place.running)
        if place
        else None,
        check_log=bot.check_log,
        may_be_rechecked=may_be_rechecked,
        rated=_reliability(bot, is_rated=True),
        casual=_reliability(bot, is_rated=False),
        events=events,
        url=f"/bots/versions/{bot.pk}/",
    )


def rating(row: Rating) -> BotRating:
    """The rating with its pool."""
    return BotRating(pool=row.pool.key, rating_elo=row.centielo / 100, games=row.games)


def author(owner: User | None) -> shapes.PlayerName | None:
    """Return the player of a bot's author.

    Return None for built-in bots, and for an account that does not play.
    """
    player = getattr(owner, "player", None)
    return shapes.player_name(player) if player else None


def _version_row(card: VersionCard) -> VersionRow:
    bot = card.bot
    return VersionRow(
        id=bot.pk,
        player=shapes.player_name(bot.player),
        version=bot.version or 1,
        state=bot.state,
        is_active=bot.is_active,
        note=bot.description,
        created_at=bot.created_at,
        ratings=[rating(row) for row in card.ratings],
        queued=card.queued,
    )


def _program(program: Program) -> ProgramShape:
    return ProgramShape(kind=program.kind, size_bytes=program.size_bytes, digest=program.digest)


def _reliability(bot: Bot, *, is_rated: bool) -> Reliability:
    return Reliability.model_validate(
        reliability.record_of(bot, is_rated=is_rated), from_attributes=True
    )
