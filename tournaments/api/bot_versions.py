"""Versions of an author's bots: uploaded, checked, activated, entered in events."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, TypeVar

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from ninja import Query
from pydantic import BaseModel, Field, ValidationError

from tournaments import database_time
from tournaments.api import bot_shapes, paging, routes, shapes
from tournaments.api.bot_shapes import VersionShape
from tournaments.api.callers import ApiRequest
from tournaments.api.operations import Body, Operations
from tournaments.api.paging import Page, PageQuery
from tournaments.api.problems import ProblemError
from tournaments.edges import access
from tournaments.edges.files import attachment
from tournaments.models import Bot, Event
from tournaments.queries.bots import bot_catalogue, bot_standing
from tournaments.queries.bots.bot_standing import EventPlace, PoolPlace
from tournaments.services.bots import programs, versions
from tournaments.services.events import entries
from tournaments.text.house import event_name

operations = Operations("Versions of bots")

Fields = TypeVar("Fields", bound="UploadQuery")


class UploadQuery(BaseModel):
    """The data of an upload beside its bytes."""

    filename: Annotated[
        str,
        Field(
            max_length=200,
            description=f"Ends with one of {', '.join(programs.SUFFIXES)}; of a form its own.",
        ),
    ] = ""
    families: Annotated[
        str, Field(max_length=200, description="The games it plays: `morlox,morelli`.")
    ] = ""
    note: Annotated[
        str, Field(max_length=300, description="News of this version, for all readers.")
    ] = ""
    takes_over: Annotated[
        bool, Field(description="It becomes active when it passes its check.")
    ] = True
    passes_on: Annotated[
        bool, Field(description="It then takes the places of the version before.")
    ] = True


class Activation(Body):
    """The way in which a version becomes the active one."""

    passes_on: Annotated[
        bool, Field(description="It takes the places of the other in arenas and ladders.")
    ] = True


class EventName(Body):
    """An event, by the last part of its address."""

    event: Annotated[str, Field(min_length=1, max_length=120)]


class BotEvent(shapes.Shape):
    """An event that a version has entered, or may enter now."""

    event: str
    name: str
    format: str
    ruleset: str
    state: str
    is_entered: bool


class BotPoolStanding(BaseModel):
    """A version in a rating pool. Beyond the first thousand it has no rating."""

    pool: str
    rank: int | None
    players: int
    rating_elo: float | None
    error_elo: Annotated[float | None, Field(description="Half of the 95 % interval.")]
    is_provisional: bool
    games: int


class NextGame(BaseModel):
    """The next game of a version in an event: in progress, or waiting for a worker."""

    game: int
    opponent: shapes.PlayerName
    is_playing: bool


class BotEventStanding(BaseModel):
    """A version in an event in progress."""

    event: str
    name: str
    next: Annotated[NextGame | None, Field(description="null while nothing is drawn")]
    waiting_since: Annotated[
        datetime | None, Field(description="The end of its last game there; null while it plays.")
    ]


class BotStanding(BaseModel):
    """The standing of a version."""

    pools: list[BotPoolStanding]
    events: list[BotEventStanding]


@operations.get("/bots/versions/{int:version_id}", "bot-version", routes.PRIVATE)
def version(request: ApiRequest, version_id: int) -> VersionShape:
    """Return a version of your own: its state, its place in the queue of checks, and the log of its check."""
    return _version(access.get_version_for(request.caller.account, version_id))


@operations.get("/bots/versions/{int:version_id}/standing", "bot-standing", routes.PRIVATE)
def standing(request: ApiRequest, version_id: int) -> BotStanding:
    """Return the standing of a version.

    It contains the rating with interval and rank in each pool, and the next game in each event.
    """
    bot = access.get_version_for(request.caller.account, version_id)
    current = bot_standing.standing_of(bot, database_time.now())
    return BotStanding(
        pools=[_pool(place) for place in current.pools],
        events=[_event_standing(bot, place) for place in current.events],
    )


@operations.get(
    "/bots/versions/{int:version_id}/program", "bot-program", routes.PRIVATE, answer=bytes
)
def program(request: ApiRequest, version_id: int) -> HttpResponse:
    """Return the upload as it came, as `application/octet-stream`."""
    bot = access.get_version_for(request.caller.account, version_id)
    if bot.program_id is None:
        raise Http404
    row = programs.of(bot)
    name = programs.name_of(bot, row)
    return attachment(bytes(row.upload), "application/octet-stream", name)


@operations.post(
    "/bots/versions/{int:version_id}/activate",
    "bot-activate",
    routes.OWN_BOT,
    status=200,
    body='{"passes_on": true}',
)
def activate(request: ApiRequest, version_id: int, body: Activation) -> VersionShape:
    """Make a version the active one of its line. An older version is a roll-back."""
    bot = access.get_version_for(request.caller.account, version_id)
    versions.activate(bot_id=bot.pk, actor=request.caller.account, passes_on=body.passes_on)
    return _again(request, bot)


@operations.post("/bots/versions/{int:version_id}/retire", "bot-retire", routes.OWN_BOT, status=200)
def retire(request: ApiRequest, version_id: int) -> VersionShape:
    """Take a version out of play permanently. Its games and its rating remain."""
    bot = access.get_version_for(request.caller.account, version_id)
    versions.retire(bot_id=bot.pk, actor=request.caller.account)
    return _again(request, bot)


@operations.post(
    "/bots/versions/{int:version_id}/recheck", "bot-recheck", routes.OWN_BOT, status=200
)
def recheck(request: ApiRequest, version_id: int) -> VersionShape:
    """Check a suspended version again, or one whose check could not be finished."""
    bot = access.get_version_for(request.caller.account, version_id)
    versions.recheck(bot_id=bot.pk, actor=request.caller.account)
    return _again(request, bot)


@operations.get(
    "/bots/versions/{int:version_id}/events", "bot-events", routes.PRIVATE, answer=Page[BotEvent]
)
def events(request: ApiRequest, version_id: int, query: Query[PageQuery]) -> HttpResponseBase:
    """Return the open events that a version has entered, then those that it may enter now."""
    bot = access.get_version_for(request.caller.account, version_id)
    entered = [event_row(entry.event, is_entered=True) for entry in bot_catalogue.open_entries(bot)]
    others = [event_row(event, is_entered=False) for event in bot_catalogue.joinable(bot)]
    return paging.answer_all(request, [*entered, *others], query)


@operations.post(
    "/bots/versions/{int:version_id}/events",
    "bot-enter",
    routes.OWN_BOT,
    body='{"event": "escalera"}',
)
def enter(request: ApiRequest, version_id: int, body: EventName) -> BotEvent:
    """Enter a version in an event."""
    account = request.caller.account
    bot = access.get_version_for(account, version_id)
    event = access.get_event(body.event)
    entries.enter(event_id=event.pk, player=bot.player, actor=account)
    return event_row(event, is_entered=True)


@operations.delete(
    "/bots/versions/{int:version_id}/events/{slug:event}", "bot-leave", routes.OWN_BOT
)
def leave(request: ApiRequest, version_id: int, event: str) -> None:
    """Take a version out of an event."""
    account = request.caller.account
    bot = access.get_version_for(account, version_id)
    row = access.get_event(event)
    entries.withdraw(event_id=row.pk, player=bot.player, actor=account)


def fields_of(request: ApiRequest, query: Fields) -> Fields:
    """Return the data of an upload from its address and its form. Raises ProblemError `invalid`."""
    try:
        return type(query).model_validate(
            {**query.model_dump(exclude_unset=True), **request.file.fields}
        )
    except ValidationError as error:
        errors = [
            {"detail": str(each["msg"]), "parameter": ".".join(map(str, each["loc"]))}
            for each in error.errors()
        ]
        raise ProblemError("invalid", errors=errors) from error


def upload_of(request: ApiRequest, fields: UploadQuery, families: Sequence[str]) -> versions.Upload:
    """Return the upload of a request. The program plays `families` if the request names no game.

    Raises ProblemError `too-large`, `invalid`.
    """
    file = request.file
    if len(file.data) > programs.MAX_UPLOAD_BYTES:
        raise ProblemError("too-large", f"{programs.MAX_UPLOAD_BYTES} bytes at most")
    filename = fields.filename or file.name
    if not filename:
        errors = [{"detail": "The file needs a name.", "parameter": "filename"}]
        raise ProblemError("invalid", errors=errors)
    named = [name.strip() for name in fields.families.split(",") if name.strip()]
    return versions.Upload(
        data=file.data,
        filename=filename,
        families=named or families,
        note=fields.note,
        takes_over=fields.takes_over,
        passes_on=fields.passes_on,
    )


def uploaded(response: HttpResponse, bot: Bot) -> VersionShape:
    """The answer to an upload."""
    response["Location"] = f"/api/v1/bots/versions/{bot.pk}"
    return _version(bot)


def _again(request: ApiRequest, bot: Bot) -> VersionShape:
    return _version(access.get_version_for(request.caller.account, bot.pk))


def _version(bot: Bot) -> VersionShape:
    entered = bot_catalogue.open_entries(bot).values_list("event__slug", flat=True)
    return bot_shapes.version(
        bot, events=list(entered), may_be_rechecked=versions.may_be_rechecked(bot)
    )


def event_row(event: Event, *, is_entered: bool) -> BotEvent:
    """An event of a version."""
    return BotEvent.of(event, event=event.slug, name=event_name(event), is_entered=is_entered)


def _pool(place: PoolPlace) -> BotPoolStanding:
    row = place.published
    error = row.error_centielo if row else None
    return BotPoolStanding(
        pool=place.pool.key,
        rank=row.rank if row else None,
        players=place.players,
        rating_elo=row.centielo / 100 if row else None,
        error_elo=None if error is None else error / 100,
        is_provisional=row is None or row.is_provisional,
        games=row.rating.games if row else 0,
    )


def _event_standing(bot: Bot, place: EventPlace) -> BotEventStanding:
    game = place.next_game
    return BotEventStanding(
        event=place.event.slug,
        name=event_name(place.event),
        next=NextGame(
            game=game.pk,
            opponent=shapes.player_name(
                game.second if game.first_id == bot.player_id else game.first
            ),
            is_playing=place.waiting_since is None,
        )
        if game
        else None,
        waiting_since=place.waiting_since,
    )
