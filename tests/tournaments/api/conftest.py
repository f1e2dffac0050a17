"""Programs that ask the API, with tokens and without."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client

from tests.tournaments import (
    absences,
    authors,
    oauth_client,
    pages,
    puzzle_rows,
    remote_players,
    uploads,
    webhook_server,
)
from tests.tournaments.api import bot_world, social_world
from tests.tournaments.api.event_world import EventWorld
from tests.tournaments.conftest import CLOCK
from tournaments import database_time
from tournaments.api import openapi
from tournaments.models import Authorization, Bot, Forecast, Game, Pool, Scope, User
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.queries.forecasts import plans
from tournaments.services import clubs
from tournaments.services.accounts import tokens
from tournaments.services.forecasts import requests
from tournaments.services.games import play, takebacks
from tournaments.services.lobby import challenges
from tournaments.services.ratings import pool_assignment

PASSWORD = "rayuela-1963"
# Local files of a reader for the examples that send a file.
EXAMPLE_FILES = {"@main.py": uploads.GOOD, "@bot.wasm": authors.MODULE}
SCOPES = tuple(scope for scope in Scope.values if scope != Scope.BOTS_PLAY)


@dataclass(frozen=True)
class Program:
    """A program with a token, or without one."""

    token: str = ""
    user: User | None = None

    def __call__(
        self, method: str, path: str, body: object = None, raw: Any = None, **headers: str
    ) -> Any:
        """Ask for `path` below `/api/v1`. Names of headers have underscores."""
        more = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token:
            more["Authorization"] = f"Bearer {self.token}"
        data = raw if raw is not None else b"" if body is None else json.dumps(body).encode()
        kind = more.pop("Content-Type", "application/json" if data else "")
        return Client(raise_request_exception=False).generic(
            method, f"/api/v1{path}", data, kind, headers=more
        )


def program_of(user: User | None, *scopes: str) -> Program:
    """Return a program with a token of an account, with every scope unless others are named."""
    assert user is not None, "a person"
    new = tokens.create(user=user, password=PASSWORD, name="test", scopes=["read"], days=30)
    # The account may have been a moderator when it made the token.
    new.token.scopes = " ".join(sorted(scopes or SCOPES))
    new.token.save(update_fields=["scopes"])
    return Program(new.secret, user)


@pytest.fixture
def anybody(db: None) -> Program:
    return Program()


@pytest.fixture
def game(ana: User, ben: User) -> Game:
    """A game of Ana's against Ben, who has not moved yet."""
    return pages.new_game(ana.player, ben.player, "morlox(size=5)", is_rated=False)


@pytest.fixture
def event_world(ana: User, ben: User) -> EventWorld:
    return EventWorld(ana, ben)


@pytest.fixture
def values_of(
    values: dict[str, str],
    event_world: EventWorld,
    other_values: dict[str, dict[str, str]],
) -> Callable[[str], dict[str, str]]:
    """Return the values that a reader sets for the example of an operation."""

    def of(name: str) -> dict[str, str]:
        more = {**event_world.of(name), **other_values.get(name, {})}
        return {**values, **event_world.values, **more}

    return of


@pytest.fixture
def values(ana: User, ben: User, game: Game) -> dict[str, str]:
    """Return the values that a reader sets: objects of Ana's."""
    challenge = challenges.challenge(
        challenger=ben.player, opponent=ana.player, ruleset="morlox", clock=Clock(300_000, 5_000)
    )
    delivery = webhook_server.delivered(ana)
    pool = pool_assignment.pool_of("morlox(size=5)", 600_000, 5_000, Pool.Kind.PEOPLE)
    return {
        "GAME": str(game.pk),
        "PLAYER": str(ana.player.pk),
        "OPPONENT": str(ben.player.pk),
        "CLUB": clubs.create(founder=ben.player, name="Alfil", about=clubs.About()).slug,
        "POOL": pool.key,
        "CHALLENGE": str(challenge.pk),
        **bot_world.values(ana),
        **social_world.values(ana, ben),
        "BOT": str(remote_players.bot(ana).pk),
        "KEY": _forecast().key,
        "PUZZLE": str(puzzle_rows.stored().pk),
        "PASSWORD": PASSWORD,
        "WEBHOOK": str(delivery.webhook_id),
        "DELIVERY": str(delivery.pk),
        "AUTHORIZATION": str(_authorization(ana).pk),
        "APPLICATION": str(
            oauth_client.registered(ana, is_confidential=True, name="Server").application.pk
        ),
        "TOKEN_ID": str(
            tokens.create(user=ana, password=PASSWORD, name="old", scopes=[], days=30).token.pk
        ),
    }


def _authorization(user: User) -> Authorization:
    """Return a permission of the user for an application."""
    application = oauth_client.registered(user).application
    oauth_client.Installation(application, pages.member(user)).tokens()
    return user.authorizations.get()


def _forecast() -> Forecast:
    """The forecast of a plan, which no worker has computed yet."""
    idea = plans.Idea("knockout", "morlox(size=5)", CLOCK, 4, 2, spread_elo=200, deviation_elo=100)
    return requests.of_plan(plans.plan_of(idea), database_time.now())


@pytest.fixture
def other_values(
    ana: User, ben: User, asked_back: Game, values: dict[str, str]
) -> dict[str, dict[str, str]]:
    """Return the values that a reader sets differently for single operations."""
    own = challenges.challenge(
        challenger=ana.player, opponent=None, ruleset="morlox", clock=Clock(300_000, 5_000)
    )
    return {
        "game-claim": {"GAME": str(absences.left_game(ana.player, ben.player).pk)},
        "game-decline": {"GAME": str(asked_back.pk)},
        **social_world.other_values(ana, ben),
        "conditionals-write": {"GAME": str(asked_back.pk)},
        "challenge-withdraw": {"CHALLENGE": str(own.pk)},
        **bot_world.other_values(ana, Bot.objects.get(pk=int(values["VERSION"]))),
    }


@pytest.fixture
def asked_back(ana: User, ben: User) -> Game:
    """A game in which Ana has asked for her move back, which she can withdraw."""
    game = pages.new_game(ana.player, ben.player, "morlox(size=5)", is_rated=False)
    play.play_move(game_id=game.pk, player=ana.player, ply=0, move="a1")
    return takebacks.offer_takeback(game_id=game.pk, player=ana.player)


@pytest.fixture
def ci(ana: User) -> Program:
    """Return the program of a build: it may read, and upload."""
    return program_of(ana, "read", Scope.BOTS_UPLOAD.value)


@pytest.fixture
def bot(ana: User) -> Bot:
    return bot_world.version(ana)


def run(words: list[str]) -> Any:
    """Return the answer that curl would get, with the options that the examples use."""
    assert words[:2] == ["curl", "-sS"]
    method, headers, body, raw = "GET", {}, None, None
    rest = iter(words[2:-1])
    for option in rest:
        value = next(rest)
        match option:
            case "-X":
                method = value
            case "-H":
                name, _, text = value.partition(": ")
                headers[name] = text
            case "-d":
                body = json.loads(value)
            case "--data-binary":
                raw = EXAMPLE_FILES[value]
            case _:
                pytest.fail(f"curl {option}")
    path = words[-1].partition(openapi.ROOT)[2]
    return Program()(method, path, body, raw, **headers)
