"""Every address with input that no browser sends: the answer is never a fault of the site, on either database."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import copy
from pathlib import Path

import pytest
from django.db import OperationalError, transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from pytest import MonkeyPatch  # noqa: PT013 - its type

from tests.extent import drawn
from tests.tournaments import pages
from tests.tournaments.conftest import event_of
from tournaments.models import User
from tournaments.views import home

pytestmark = [pytest.mark.django_db, pytest.mark.engines, pytest.mark.long]

HOSTILE = {
    "nul": "a\x00b",
    "number": "9" * 25,
    "long": "9" * 90,
    "surrogate": "%ED%B3%BF",
    "words": "' OR 1=1 --",
}
# Words for the converters of addresses, well formed, without an existing object.
NOWHERE = {"slug": "nowhere", "pk": "987654321", "number": "97"}
_CODE = Path(home.__file__).parent.parent


def _patterns(resolver: URLResolver, prefix: str = "") -> Iterator[str]:
    for entry in resolver.url_patterns:
        if isinstance(entry, URLPattern):
            yield prefix + str(entry.pattern)
        else:
            yield from _patterns(entry, prefix + str(entry.pattern))


def _names() -> set[str]:
    """The names of all fields of forms and queries that the code reads."""
    names = set()
    for path in [*_CODE.glob("views/**/*.py"), *_CODE.glob("forms/**/*.py")]:
        source = path.read_text()
        names.update(re.findall(r'(?:GET|POST)(?:\.get(?:list)?\(|\[)"(\w+)"', source))
        names.update(re.findall(r"^    (\w+) = (?:forms\.|_\w+\()", source, re.MULTILINE))
    return names


ADDRESSES = sorted({p for p in _patterns(get_resolver()) if not p.startswith("admin/")})
FIELDS = sorted(_names())


@pytest.fixture
def world(ana: User, ben: User) -> dict[str, str]:
    """Words for the converters of addresses that lead to something."""
    event = event_of(ana)
    game = pages.new_game(ana.player, ben.player)
    return {"slug": event.slug, "pk": str(game.pk), "number": "1"}


def _address(pattern: str, fill: dict[str, str], other: str) -> str:
    """Return an address of the pattern. Parts of a name that is not in `fill` are `other`."""
    plain = re.sub(r"[\\^$]", "", pattern)
    return "/" + re.sub(
        r"<(?:(\w+):)?(\w+)>", lambda m: fill.get(m[2], "1" if m[1] == "int" else other), plain
    )


@pytest.mark.parametrize(
    "kind",
    # The other guards do not see numbers.
    [
        "number",
        *(pytest.param(kind, marks=pytest.mark.slow) for kind in sorted({*HOSTILE} - {"number"})),
    ],
)
def test_no_address_fails(world: dict[str, str], ana: User, kind: str) -> None:
    hostile = HOSTILE[kind]
    clients = [Client(raise_request_exception=False), pages.member(ana)]
    clients[1].raise_request_exception = False
    cookies = [copy(client.cookies) for client in clients]
    fields = dict.fromkeys(FIELDS, hostile)
    failures = []
    for pattern in drawn(ADDRESSES, 0.4):
        for client, own in zip(clients, cookies, strict=True):
            client.cookies = copy(own)  # what the form before signed out is signed in again
            known, unknown = _address(pattern, world, "x"), _address(pattern, NOWHERE, "x")
            for address, method in {
                (_address(pattern, {}, hostile), "get"),
                (known, "get"),
                (known, "post"),
                (unknown, "post"),
            }:
                with transaction.atomic():
                    answer = getattr(client, method)(address, fields)
                    if answer.streaming:
                        list(answer.streaming_content)
                    transaction.set_rollback(True)
                is_drawn_later = answer.status_code == 503 and pattern.endswith((".png", ".gif"))
                if answer.status_code >= 500 and not is_drawn_later:
                    failures.append((method, address[:80], answer.status_code))
    assert failures == []


def test_a_cookie_with_a_nul_is_refused(ana: User) -> None:
    client = Client(raise_request_exception=False)
    client.cookies["rayuela_session"] = "a"
    assert client.get("/", headers={"cookie": 'rayuela_session="\\000aaaa"'}).status_code == 400


@pytest.mark.parametrize("method", ["put", "patch", "delete", "trace"])
def test_other_methods_run_no_view(client: Client, method: str) -> None:
    assert getattr(client, method)(reverse("home")).status_code == 405


def test_what_passes_is_answered_by_come_again(ana: User, monkeypatch: MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OperationalError("lock timeout")

    client = pages.member(ana)
    client.raise_request_exception = False
    monkeypatch.setattr("tournaments.views.home.render", fail)
    answer = client.get(reverse("home"))
    assert (answer.status_code, answer["Retry-After"]) == (503, "2")
    assert 'http-equiv="refresh"' in answer.content.decode()


def test_a_form_that_could_not_be_taken_is_sent_again_but_for_secrets(
    ana: User, monkeypatch: MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OperationalError("lock timeout")

    monkeypatch.setattr("tournaments.services.accounts.throttles.sign_in", fail)
    monkeypatch.setattr("tournaments.services.lobby.challenges.challenge", fail)
    guest = Client(raise_request_exception=False)
    answer = guest.post(reverse("sign-in"), {"username": "ana", "password": "rayuela-1963"})
    assert answer.status_code == 503
    assert "rayuela-1963" not in answer.content.decode()
    client = pages.member(ana)
    client.raise_request_exception = False
    fields = {"ruleset": "morelli(size=7)", "clock": "600+5", "opponent": "<b>"}
    answer = client.post(reverse("challenge"), fields)
    text = answer.content.decode()
    if answer.status_code == 503:
        assert 'name="ruleset" value="morelli(size=7)"' in text
        assert "<b>" not in text
