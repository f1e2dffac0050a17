"""The account behind a token."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from django.db.models import Q
from django.http.response import HttpResponseBase
from ninja import Query
from pydantic import BaseModel, Field

from tournaments.api import etags, game_shapes, paging, routes, shapes
from tournaments.api.callers import ApiRequest, Caller
from tournaments.api.operations import Body, Operations
from tournaments.api.paging import Page, PageQuery
from tournaments.models import Game, Inbox, Introduction, Scope
from tournaments.services.accounts import introductions
from tournaments.services.games import private_messages
from tournaments.services.notifications import inbox as services
from tournaments.services.notifications.kinds import Choice

operations = Operations("Account")

# Parts of an introduction by their names in a request.
_INTRODUCTION = {"about": "text", "federation": "federation"}


class TokenShape(BaseModel):
    """The token that is sent."""

    name: str
    scopes: list[Scope]
    expires_at: datetime


class AccountSettings(shapes.Shape):
    """The e-mails and notifications on devices that the account receives, and the language of its e-mails."""

    email_turns: bool
    email_reminders: bool
    email_games: bool
    email_events: bool
    push_turns: bool
    push_reminders: bool
    push_games: bool
    push_events: bool
    email_messages: bool
    push_messages: bool
    message_writers: Annotated[
        Inbox.Writers, Field(description="Players who may begin to write private messages.")
    ]
    language: Annotated[str, Field(description="en or ja")]


class PlayedBot(BaseModel):
    """The remote bot that a token of `bots:play` plays."""

    line: int
    version: int


class Me(BaseModel):
    """An account with its player and its settings. For a token of `bots:play`, the bot alone."""

    name: Annotated[str, Field(description="Name of the account, or of the bot.")]
    player: shapes.PlayerName | None
    bot: Annotated[PlayedBot | None, Field(description="null for any other token.")]
    about: Annotated[str, Field(description="The player's line about themselves, or empty.")]
    federation: Annotated[str, Field(description="A code of three letters, or empty.")]
    settings: Annotated[
        AccountSettings | None, Field(description="null for a token of `bots:play`.")
    ]
    token: TokenShape


class TurnQuery(PageQuery):
    """A filter of the caller's games."""

    my_turn: bool = False


class Change(Body):
    """The changes. Values that are left out remain."""

    email_turns: bool | None = None
    email_reminders: bool | None = None
    email_games: bool | None = None
    email_events: bool | None = None
    push_turns: bool | None = None
    push_reminders: bool | None = None
    push_games: bool | None = None
    push_events: bool | None = None
    email_messages: bool | None = None
    push_messages: bool | None = None
    message_writers: Inbox.Writers | None = None
    language: Literal["en", "ja"] | None = None
    about: Annotated[str | None, Field(max_length=1_000)] = None
    federation: Annotated[str | None, Field(max_length=10)] = None


@operations.get("/me", "me", routes.OWN)
def me(request: ApiRequest) -> Me:
    """Return the account behind the token, or the bot that it plays, and the scopes of the token."""
    return _me(request.caller)


@operations.get("/me/games", "me-games", routes.OWN, answer=Page[game_shapes.GameRow])
def own_games(request: ApiRequest, query: Query[TurnQuery]) -> HttpResponseBase:
    """Return your games in progress, in the order in which they began, or those in your turn with `my_turn`."""
    seat = request.caller.seat
    rows = Game.objects.ongoing().of(seat).with_players()
    if query.my_turn:
        rows = rows.filter(
            Q(first=seat, side_to_move="first") | Q(second=seat, side_to_move="second")
        )
    return paging.answer(request, rows, ["pk"], query, game_shapes.row_of)


@operations.patch("/me", "me-change", routes.ACCOUNT, body='{"email_turns": false}')
def change(request: ApiRequest, body: Change) -> Me:
    """Change settings of the account."""
    caller = request.caller
    current = _me(caller)
    assert current.settings is not None, "a token of a bot has no scope to write"
    etags.require(request, current)
    changes = body.model_dump(exclude_none=True)
    introduction = {name: changes.pop(name) for name in _INTRODUCTION if name in changes}
    settings = current.settings.model_copy(update=changes)
    if introduction:
        values = {"text": current.about, "federation": current.federation}
        values |= {_INTRODUCTION[name]: value for name, value in introduction.items()}
        introductions.write(player=caller.seat, **values)
    services.choose(
        caller.account,
        emails=[choice for choice in Choice if getattr(settings, f"email_{choice}")],
        pushes=[choice for choice in Choice if getattr(settings, f"push_{choice}")],
        language=settings.language,
    )
    private_messages.choose_writers(caller.account, settings.message_writers)
    return _me(caller)


def _me(caller: Caller) -> Me:
    user, token = caller.account, caller.token
    assert token is not None, "the operation has a scope"
    shape = TokenShape(name=token.name, scopes=sorted(token.scope_set), expires_at=token.expires_at)
    if token.line_id is not None:
        player = caller.seat
        version = player.bot.version
        assert version is not None, "a bot of a line is a version"
        return Me(
            name=player.name,
            player=shapes.player_name(player),
            bot=PlayedBot(line=token.line_id, version=version),
            about="",
            federation="",
            settings=None,
            token=shape,
        )
    introduction = Introduction.objects.filter(player=caller.player).first()
    return Me(
        name=user.get_username(),
        player=shapes.player_name(caller.player) if caller.player else None,
        bot=None,
        about=introduction.text if introduction else "",
        federation=introduction.federation if introduction else "",
        settings=_settings(services.of_user(user)),
        token=shape,
    )


def _settings(inbox: Inbox) -> AccountSettings:
    emails = {f"email_{each}": getattr(inbox, f"wants_{each}") for each in Choice}
    pushes = {f"push_{each}": getattr(inbox, f"pushes_{each}") for each in Choice}
    return AccountSettings.of(inbox, **emails, **pushes, message_writers=inbox.writers)
