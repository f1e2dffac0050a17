"""Answers to each role at each address, GET and POST, as in `tests/data/roles.txt`.

An address that is not there fails.
"""

from __future__ import annotations

import copy
import itertools
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.base import ContentFile
from django.db import connection, transaction
from django.test import Client, override_settings
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from tests.extent import drawn
from tests.tournaments import role_world
from tests.tournaments.role_world import World
from tournaments.edges.streams import Access, access_to
from tournaments.models import Event, Game, User
from tournaments.services.games import play
from tournaments.services.notifications import news

TABLE = Path(__file__).parents[2] / "data" / "roles.txt"
METHODS = ("GET", "POST")
_WRITE = re.compile(r'\s*(?:INSERT (?:OR IGNORE )?INTO|UPDATE|DELETE FROM) "\w+"')
# Rows that reading and dry runs write: sessions, counts, an empty inbox, pictures, a factor to be confirmed.
_ASIDE = re.compile(
    r'.*?"(?:tournaments_throttle|tournaments_heartbeat|tournaments_picture|otp_\w+)"'
    r'|\s*INSERT INTO "tournaments_(?:inbox|session)"|\s*UPDATE "tournaments_session"'
)


def _patterns(resolver: URLResolver, space: str = "") -> Iterator[tuple[str, set[str]]]:
    """The names of all addresses with the names of their parts."""
    for entry in resolver.url_patterns:
        if isinstance(entry, URLPattern):
            if entry.name is not None:
                parts = entry.pattern.converters or entry.pattern.regex.groupindex
                yield space + entry.name, set(parts)
        else:
            inner = f"{entry.namespace}:" if entry.namespace else ""
            yield from _patterns(entry, space + inner)


ROUTES = dict(_patterns(get_resolver()))
# The pages of a model in the admin, all alike but for those that the table names.
_OF_A_MODEL = re.compile(r"(?<=^admin:)[a-z]+_.+(?=_(?:add|changelist|history|delete|change)$)")


def _table() -> dict[tuple[str, str], list[str]]:
    """Return the table's answers for each address and method: one answer for all roles, or one for each."""
    rows = {}
    for line in TABLE.read_text().splitlines():
        if line and not line.startswith("#"):
            name, method, *answers = line.split()
            assert (name, method) not in rows, f"{name} {method} stands there twice"
            assert len(answers) in {1, len(role_world.ROLES)}, line
            rows[name, method] = answers
    return rows


ROWS = _table()
# Rows of no address of their own: a game of a private event, and topics that a stream follows.
_BESIDES = {row for row in ROWS if row[0].startswith(("private:", "stream:"))}
# Roles that a private event has not invited.
_OTHERS = ["guest", "member", "other", "moderator", "operator"]
_STATUSES = {Access.GRANTED: "200", Access.UNKNOWN: "404", Access.FORBIDDEN: "403"}


def _row_of(name: str, method: str) -> tuple[str, str]:
    """Return the table's key for the address."""
    return (name, method) if (name, method) in ROWS else (_OF_A_MODEL.sub("*", name), method)


def _drawn(name: str, method: str) -> list[str]:
    """Return the roles of a run: one role for each answer, another in each run.

    Return no role for public pages, which `test_every_page.py` tests.
    """
    answers = ROWS[_row_of(name, method)]
    if len(answers) == 1:
        return [] if answers == ["200"] else [random.choice(role_world.ROLES)]
    pairs = list(zip(role_world.ROLES, answers, strict=True))
    return [random.choice([r for r, a in pairs if a == each]) for each in sorted(set(answers))]


def _of_table(role: str, name: str, method: str) -> str:
    answers = ROWS[_row_of(name, method)]
    return answers[0] if len(answers) == 1 else answers[role_world.ROLES.index(role)]


@pytest.fixture(scope="module")
def db(transaction_of_file: None) -> None:
    """One transaction for all tests of this file, in place of one for each."""


@pytest.fixture(scope="module")
def world_of_file(db: None) -> Iterator[World]:
    # The setting with which administrators see mail.
    with override_settings(EMAIL_BACKEND="django.core.mail.backends.console.EmailBackend"):
        yield role_world.build()


@pytest.fixture
def world(world_of_file: World) -> Iterator[World]:
    """Yield the world of all tests. Its visitors begin each test with their first cookies."""
    cookies = {name: copy.deepcopy(each.cookies) for name, each in world_of_file.clients.items()}
    yield world_of_file
    for name, client in world_of_file.clients.items():
        client.cookies = cookies[name]


class _Written:
    """Notes whether anything is stored."""

    def __init__(self) -> None:
        self.is_any = False

    def __call__(
        self, execute: Callable[..., Any], sql: str, params: object, many: bool, context: Any
    ) -> Any:
        done = execute(sql, params, many, context)
        # SQLite counts no row for an insertion that returns its key.
        is_done = "INSERT" in sql[:10] or context["cursor"].rowcount > 0
        self.is_any |= bool(_WRITE.match(sql)) and is_done and not _ASIDE.match(sql)
        return done


def _answer(world: World, role: str, name: str, method: str, **parts: object) -> str:
    """Return the status, with a `+` if rows were stored.

    The rows are rolled back. `parts` replace those of the world.
    """
    address = reverse(name, kwargs={**world.place(name, ROUTES[name]), **parts})
    client, written = world.clients[role], _Written()
    cookies = client.cookies.output(header="", sep=";")
    with transaction.atomic(), connection.execute_wrapper(written):
        response = (
            client.post(address, _form(world, name)) if method == "POST" else client.get(address)
        )
        list(response)  # whatever is made while it is sent
        transaction.set_rollback(True)
    client.cookies = SimpleCookie(cookies)
    if written.is_any:
        cache.clear()
    return f"{response.status_code}{'+' if written.is_any else ''}"


def _form(world: World, name: str) -> Mapping[str, Any]:
    form = world.forms.get(name, {})
    for value in form.values():
        if isinstance(value, ContentFile):
            value.seek(0)
    return form


def _assert_table_holds(world: World, requests: Iterable[tuple[str, str, str]]) -> None:
    differences = []
    for role, name, method in requests:
        answer = _answer(world, role, name, method)
        if answer != _of_table(role, name, method):
            differences.append(f"{name} {method}: {role} gets {answer}")
    assert not differences, "\n".join(differences)


def test_every_address_is_in_the_table_and_no_other() -> None:
    rows = {_row_of(name, method) for name in ROUTES for method in METHODS}
    assert rows == set(ROWS) - _BESIDES


def test_some_of_each_group_of_roles_get_what_the_table_says(world: World) -> None:
    pages = itertools.product((name for name in ROUTES if not name.startswith("admin:")), METHODS)
    requests = [(role, *page) for page in drawn(list(pages), 0.25) for role in _drawn(*page)]
    _assert_table_holds(world, requests)


def test_a_private_event_is_to_others_as_if_it_were_not_there(world: World) -> None:
    values = {**world.places[""], **world.places["private"]}
    differences = []
    for (name, parts), method in itertools.product(ROUTES.items(), METHODS):
        if "slug" in parts:
            role = random.choice(_OTHERS)
            ask = getattr(world.clients[role], method.lower())
            private, absent = (
                ask(reverse(name, kwargs={part: {**values, **own}[part] for part in parts}))
                for own in ({}, {"slug": "no-such-event"})
            )
            if private.status_code != absent.status_code:
                differences.append(f"{name} {method}: {role} gets {private.status_code}")
    assert not differences, "\n".join(differences)


def test_a_game_of_a_private_event_is_to_others_as_if_it_were_not_there(world: World) -> None:
    differences = []
    own = world.places["private:game"]["pk"]
    for (name, parts), method in itertools.product(ROUTES.items(), METHODS):
        if parts != {"pk"} or "/game/1/" not in reverse(name, kwargs={"pk": 1}):
            continue
        for role in drawn(_OTHERS, 0.4):
            private, absent = (_answer(world, role, name, method, pk=pk) for pk in (own, 98765432))
            if private != absent:
                differences.append(f"{name} {method}: {role} gets {private}")
    assert not differences, "\n".join(differences)


def test_each_role_gets_the_private_games_of_the_table(world: World) -> None:
    for name, method in _BESIDES:
        space, _, address = name.partition(":")
        if space == "private":
            for role in role_world.ROLES:
                answer = _answer(world, role, address, method, **world.places["private:game"])
                # Players are noted as present in their own games.
                assert answer.rstrip("+") == _of_table(role, name, method), f"{name}: {role}"


def test_each_role_follows_the_streams_of_the_table(world: World) -> None:
    topics = {
        "site": "site",
        "event": news.of_event(Event.objects.get(slug=world.places[""]["slug"]).pk),
        "game": news.of_game(world.place("game", {"pk"})["pk"]),
        "user": news.of_user(User.objects.get(player__name="Role player").pk),
        "private-event": news.of_event(world.places["private"]["event"]),
        "private-game": news.of_game(world.places["private:game"]["pk"]),
    }
    assert {f"stream:{name}" for name in topics} == {
        name for name, _ in _BESIDES if name.startswith("stream:")
    }
    for name, topic in topics.items():
        for role in role_world.ROLES:
            key = world.clients[role].session.session_key or ""
            status = _STATUSES[access_to([topic], key)]
            assert status == _of_table(role, f"stream:{name}", "GET"), f"{name}: {role}"


def test_a_code_opens_a_private_event_with_its_games_and_streams(world: World) -> None:
    visitor, game = Client(), dict(world.places["private:game"])
    topics = [
        news.of_event(world.places["private"]["event"]),
        news.of_game(game["pk"]),
    ]
    address = reverse("event", kwargs={"slug": world.places["private"]["slug"]})
    assert visitor.get(f"{address}?code=open-sesame").status_code == 200
    assert visitor.get(reverse("game", kwargs=game)).status_code == 200
    picture = visitor.get(reverse("game-board-svg", kwargs=game))
    assert picture["Cache-Control"].startswith("private")
    assert access_to(topics, visitor.session.session_key or "") is Access.GRANTED


def test_no_list_shows_a_game_of_a_private_event(world: World) -> None:
    with transaction.atomic():
        _assert_no_list_shows(world, Game.objects.get(pk=world.places["private:game"]["pk"]))
        transaction.set_rollback(True)
    cache.clear()


def _assert_no_list_shows(world: World, game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(ply=1)  # being played
    lists = [
        "/",
        "/live/",
        "/play/watch/",
        "/play/watch/live/",
        "/archive/",
        "/download/games.jsonl",
    ]
    lists += [f"/players/{player.pk}/" for player in (game.first, game.second)]
    lists += [f"/players/{game.first_id}/against/{game.second_id}/", "/api/v1/games"]
    marks = re.compile(rf"/game/{game.pk}/|\"(?:game|id)\": {game.pk},|/events/private/")
    for is_over in (False, True):
        cache.clear()
        if is_over:
            play.resign(game_id=game.pk, player=game.first)
        for path in lists:
            text = b"".join(world.clients["other"].get(path)).decode()
            assert not marks.search(text), path
    mine = world.clients["organiser"].get("/archive/").content.decode()
    assert f"/game/{game.pk}/" in mine


@pytest.mark.slow
@pytest.mark.parametrize("role", role_world.ROLES)
def test_every_role_gets_what_the_table_says(world: World, role: str) -> None:
    requests = ((role, name, method) for name in ROUTES for method in METHODS)
    _assert_table_holds(world, requests)
