"""Games of an author's versions: the search, and the transcripts."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated

from django.http import Http404
from django.http.response import HttpResponseBase
from ninja import Query
from pydantic import AfterValidator, BaseModel, Field

from tournaments.api import callers, paging, routes, shapes
from tournaments.api.callers import ApiRequest
from tournaments.api.operations import Operations
from tournaments.api.paging import Page, PageQuery
from tournaments.edges import access
from tournaments.models import Bot, Game, Player
from tournaments.queries.bots import bot_games, comparison
from tournaments.queries.bots.bot_games import BotResult, BotSearch
from tournaments.queries.matches import transcripts
from tournaments.queries.matches.transcripts import Turn
from tournaments.queries.records import exports

operations = Operations("Games of bots")


class BotGame(shapes.Shape):
    """A game of a version, as its author looks at it."""

    id: int
    opponent: shapes.PlayerName
    side: Annotated[str, Field(description="first or second")]
    result: BotResult
    ending: Annotated[str | None, Field(description="Ending, such as rules, time or crash.")]
    ending_detail: str
    ruleset: str
    event: str | None
    is_rated: bool
    plies: int
    has_transcript: bool
    created_at: datetime
    ended_at: datetime | None
    url: str


def _ending(text: str) -> str:
    """Raise ValueError if no game has this ending."""
    if text not in {"", *Game.Ending.values}:
        raise ValueError(f"one of {', '.join(Game.Ending.values)}")
    return text


class BotGamesQuery(PageQuery):
    """A search for games of a version."""

    result: BotResult | None = None
    ending: Annotated[
        str, AfterValidator(_ending), Field(description="As `ending` of a game: time, crash.")
    ] = ""
    has_failed: Annotated[
        bool,
        Field(description="Lost by crashing, on time, by an illegal move, or a broken protocol."),
    ] = False
    opponent: Annotated[str, Field(max_length=60, description="A part of the name.")] = ""
    event: Annotated[str, Field(max_length=120)] = ""
    family: Annotated[str, Field(max_length=20)] = ""
    since: date | None = None
    until: date | None = None


class Look(shapes.Shape):
    """Games of one kind to look at first.

    `kind` is an ending, or `weakest`: lost to the lowest rated.
    """

    kind: str
    count: int
    games: list[BotGame]


class Looks(BaseModel):
    """Games that an author should look at first."""

    looks: list[Look]


class TranscriptLine(shapes.Shape):
    """A line of a transcript. `channel` is heard, said, stderr or note."""

    at_ms: str
    channel: str
    text: str


class TurnShape(shapes.Shape):
    """The messages before a ply, and the cost of the ply: in wall time, on the clock, and as computed."""

    ply: int
    is_own: bool
    move: str | None
    wall_ms: int | None
    spent_ms: int | None
    cpu_ms: int | None
    lines: list[TranscriptLine]


class TranscriptShape(BaseModel):
    """All that a version was sent and said in a game."""

    game: int
    attempt: int
    attempts: list[int]
    turns: list[TurnShape]


class BotScore(shapes.Shape):
    """Results from a version's view."""

    games: int
    wins: int
    draws: int
    losses: int


class CommonOpponentShape(shapes.Shape):
    """An opponent of both versions, and the results of each."""

    player: shapes.PlayerName
    one: BotScore
    other: BotScore


class BotComparison(shapes.Shape):
    """Two versions: the former's score against the latter, and both against their common opponents."""

    direct: BotScore
    difference: shapes.Difference | None
    opponents: list[CommonOpponentShape]


class TranscriptQuery(BaseModel):
    """The attempt at the game, or the last attempt if it is left out."""

    attempt: Annotated[int | None, Field(ge=1, le=10_000)] = None


@operations.get(
    "/bots/versions/{int:version_id}/games",
    "bot-games",
    routes.PRIVATE,
    answer=Page[BotGame],
    example="/bots/versions/$VERSION/games?result=lost&ending=time",
)
def games(request: ApiRequest, version_id: int, query: Query[BotGamesQuery]) -> HttpResponseBase:
    """Return the games of a version, the latest begun first."""
    account = request.caller.account
    bot = access.get_version_for(account, version_id)
    event = access.get_event_for(account, query.event) if query.event else None
    search = BotSearch(**query.model_dump(exclude={"limit", "cursor", "event"}), event=event)
    rows = bot_games.games_of(bot, search)
    return paging.answer(request, rows, ["-pk"], query, lambda game: _game(game, bot.player))


@operations.get("/bots/versions/{int:version_id}/first-looks", "bot-first-looks", routes.PRIVATE)
def first_looks(request: ApiRequest, version_id: int) -> Looks:
    """Return games to look at first: lost by failing, then lost to the lowest rated opponents."""
    bot = access.get_version_for(request.caller.account, version_id)
    looks = [
        Look.of(look, games=[_game(game, bot.player) for game in look.games])
        for look in bot_games.first_looks(bot)
    ]
    return Looks(looks=looks)


@operations.get(
    "/bots/versions/{int:version_id}/compare/{int:other_id}",
    "bot-compare",
    routes.PRIVATE,
    example="/bots/versions/$VERSION/compare/$BEFORE",
)
def compare(request: ApiRequest, version_id: int, other_id: int) -> BotComparison:
    """Return two versions of yours by their games against each other and against common opponents."""
    account = request.caller.account
    one, other = (access.get_version_for(account, pk) for pk in (version_id, other_id))
    both = comparison.compare(one, other)
    return BotComparison.of(both, difference=shapes.difference(both.elo, both.superiority))


@operations.get(
    "/bots/versions/{int:version_id}/games/{int:game_id}/transcript",
    "bot-transcript",
    routes.PRIVATE,
)
def transcript(
    request: ApiRequest, version_id: int, game_id: int, query: Query[TranscriptQuery]
) -> TranscriptShape:
    """Return the messages to and from a version in a game, ply by ply, with its standard error."""
    bot = access.get_version_for(request.caller.account, version_id)
    game = callers.game_of(request, game_id)
    side = game.side_of(bot.player)
    if side is None:
        raise Http404
    attempts = transcripts.attempts(game, side)
    attempt = query.attempt or game.attempt
    turns = transcripts.turns(game, side, attempt)
    if turns is None:
        raise Http404
    return TranscriptShape(
        game=game.pk, attempt=attempt, attempts=attempts, turns=[_turn(turn) for turn in turns]
    )


@operations.get(
    "/bots/versions/{int:version_id}/transcripts", "bot-transcripts", routes.PRIVATE, answer=bytes
)
def all_transcripts(request: ApiRequest, version_id: int) -> HttpResponseBase:
    """Return all transcripts of a version as NDJSON: `game`, `attempt`, `side`, and the whole `text`."""
    bot: Bot = access.get_version_for(request.caller.account, version_id)
    return paging.stream(exports.transcript_lines(bot.player))


def _game(game: Game, player: Player) -> BotGame:
    side = game.side_of(player) or ""
    return BotGame.of(
        game,
        opponent=game.second if side == "first" else game.first,
        side=side,
        result=bot_games.result_for(game, player),
        event=game.pairing.event.slug if game.pairing else None,
        plies=game.ply,
        has_transcript=bool(getattr(game, "is_transcribed", False)),
        url=game.get_absolute_url(),
    )


def _turn(turn: Turn) -> TurnShape:
    ply = turn.ply
    return TurnShape.of(
        turn,
        ply=turn.number,
        move=ply.move if ply else None,
        wall_ms=ply.wall_ms if ply else None,
        spent_ms=ply.spent_ms if ply else None,
        cpu_ms=ply.cpu_ms if ply else None,
    )
