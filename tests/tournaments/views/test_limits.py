"""Every form of the site is limited or has its reason, and a limit is described in words."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from django.test import Client
from django.urls import URLPattern, get_resolver, reverse

import tournaments.api.v1  # noqa: F401 - it declares the operations
from engine.programs import archive
from engine.programs import checks as program_checks
from engine.programs.reading import MAX_PACKED_BYTES
from engine.sandbox.limits import Limits
from engine.wasm import host
from tests.tournaments import pages
from tournaments import limits as declared
from tournaments.api.operations import ROUTES as API_ROUTES
from tournaments.models import Challenge, Game, Player, Throttle, User
from tournaments.queries.bots import reliability
from tournaments.services.accounts import (
    applications,
    authorizations,
    guests,
    throttles,
    tokens,
    webhooks,
)
from tournaments.services.bots import suites, versions
from tournaments.services.festivals import changes as festivals
from tournaments.services.games import player_reports
from tournaments.services.lobby import challenges, invitations
from tournaments.services.notifications import push_devices
from tournaments.services.series import changes
from tournaments.services.volunteers import enrolment
from tournaments.text import limits as words
from tournaments.views import limits

_DOCUMENT = Path(__file__).parents[3] / "docs/reference/limits.md"
_PAGE_FOR_AUTHORS = Path(__file__).parents[3] / "docs/bots/limits-of-a-bot.md"
_SPANS = {15: "15 s", 300: "5 min", 900: "15 min", 3600: "1 h", 86400: "1 day"}
# Parameters of the site's addresses. No object has this number.
_PARAMETERS = {
    "slug": "x",
    "series": "x",
    "festival": "x",
    "club": "x",
    "pk": 9_999,
    "number": 9_999,
    "board": 1,
    "tpn": 1,
    "token": "x",
    "key": "x",
    "uidb64": "x",
    "seq": 9_999,
    "kind": "x",
    "name": "x",
    "family": "x",
    "other": 9_999,
    "pool": "x",
    "game_pk": 9_999,
    "section": "x",
    "delivery": 9_999,
}
FORM = {"ruleset": "morelli(size=5)", "clock": "600+10"}


def _patterns(patterns: Sequence[object]) -> Iterator[URLPattern]:
    for each in patterns:
        if isinstance(each, URLPattern):
            yield each
        elif getattr(each, "namespace", None) != "admin":
            yield from _patterns(each.url_patterns)  # type: ignore[attr-defined]


PATTERNS = {str(each.name): each for each in _patterns(get_resolver().url_patterns)}


def _address(name: str) -> str:
    names = PATTERNS[name].pattern.converters
    return reverse(name, kwargs={each: _PARAMETERS[each] for each in names})


def _reads_forms(name: str) -> bool:
    """Return whether the view of this address has anything to do with POST, by its text."""
    view = inspect.unwrap(PATTERNS[name].callback)
    view_class = getattr(view, "view_class", None)
    if view_class is not None:
        return hasattr(view_class, "post")
    return "POST" in inspect.getsource(view)


def test_an_address_is_declared_once() -> None:
    for declare in (limits.forms, limits.pages):
        with pytest.raises(AssertionError, match="event-act is declared twice"):
            declare(limits.DESK, PATTERNS["event-act"])


def test_an_address_without_a_limit_has_a_reason() -> None:
    assert all(len(reason) > 15 for reason in limits.EXEMPT.values())


@pytest.mark.parametrize("name", sorted(PATTERNS))
def test_every_form_is_limited_or_has_a_reason(client: Client, db: None, name: str) -> None:
    """Forms are views that accept only POST, or that mention it."""
    takes_only_forms = client.get(_address(name)).status_code == 405
    if takes_only_forms or _reads_forms(name):
        assert name in {*limits.LIMITS, *limits.EXEMPT}


@pytest.mark.parametrize("name", sorted({*PATTERNS} - {*limits.LIMITS, *limits.EXEMPT}))
def test_what_is_not_listed_takes_no_form(client: Client, name: str) -> None:
    """No view is called, so the test needs no database."""
    assert client.post(_address(name)).status_code == 405


def test_every_limit_has_words_and_is_used() -> None:
    used = {
        limit
        for of in (*limits.LIMITS.values(), *limits.READ.values(), limits.BY_SERVICES)
        for limit in of
    }
    used |= {limit for route in API_ROUTES.values() for limit in route.limits}
    assert used == set(declared.ALL)
    assert {limit.subject for limit in declared.ALL} == set(words.SENTENCES)
    assert len({limit.name for limit in declared.ALL}) == len(declared.ALL)


def test_the_document_shows_every_limit() -> None:
    rows = re.findall(r"^\| `(.+?)` \| .+? \| (.+?) \| (.+?) \|$", _DOCUMENT.read_text(), re.M)
    assert rows == [
        (each.name, f"{each.most:,}", _SPANS[int(each.window.total_seconds())])
        for each in declared.ALL
    ]


def test_the_document_shows_every_limit_at_one_time() -> None:
    section = _DOCUMENT.read_text().partition("## Limits at one time")[2].partition("\n## ")[0]
    rows = dict(re.findall(r"^\| (.+?) \| (\d+) \|$", section, re.M))
    assert {name: int(most) for name, most in rows.items()} == {
        "open challenges": challenges._MAX_OPEN,
        "open invitations": invitations._MAX_OPEN,
        "open reports": player_reports._MAX_OPEN,
        "unfinished games of a guest": guests._MAX_GAMES,
        "lines of bots": versions.MAX_LINES,
        "versions in check": versions.MAX_IN_CHECK,
        "suites of start positions": suites.MAX_AN_AUTHOR,
        "access tokens": tokens.MAX_LIVING,
        "workers of volunteers": enrolment.WORKERS_AN_ACCOUNT,
        "series": changes.MAX_AN_ORGANISER,
        "festivals": festivals.MAX_AN_ORGANISER,
        "devices with notifications": push_devices.MOST_DEVICES,
        "applications": applications.MOST_APPLICATIONS,
        "permissions for one application": authorizations._MOST_INSTALLATIONS,
        "webhooks": webhooks.MOST_WEBHOOKS,
    }


def test_the_page_for_authors_shows_the_limits_of_a_bot() -> None:
    text = " ".join(_PAGE_FOR_AUTHORS.read_text().split())
    rows = dict(re.findall(r"\| ([\w ,]+?) \| ([^|]+?) \|", text))
    megabyte = 1_000_000
    assert rows["file"] == (
        f"{MAX_PACKED_BYTES // megabyte} MB packed. "
        f"{archive.MAX_UNPACKED_BYTES // megabyte} MB and {archive.MAX_FILES} files unpacked"
    )
    assert rows["WebAssembly module"] == f"{program_checks.MAX_MODULE_BYTES >> 20} MiB"
    assert rows["bots of an author"] == str(versions.MAX_LINES)
    assert rows["uploads of an author"] == f"{declared.UPLOADS.most} a day"
    assert rows["checks of an author"] == (
        f"{versions.MAX_IN_CHECK} at a time, and {declared.RECHECKS.most} repeated checks a day"
    )
    box = Limits()
    assert rows["memory"] == (
        f"{(box.address_space_bytes or 0) >> 20} MiB of address space in Python, "
        f"{host.MEMORY_BYTES >> 20} MiB in a WebAssembly module"
    )
    assert rows["processes"] == f"one, with {box.processes} threads"
    assert (
        f"in {reliability.IN_A_ROW} games in a row, or in more than "
        f"{reliability.FAILED_PERCENT} % of {reliability.FAILED_OF_GAMES} or more games"
    ) in text


def _fill(user: User, limit: declared.Limit) -> None:
    visitor = throttles.Visitor(user.pk, "127.0.0.1")
    throttles.count(visitor, limit)
    Throttle.objects.update(tries=limit.most)


def test_beyond_a_limit_a_page_says_which_and_until_when(ana: User, with_limits: None) -> None:
    client = pages.member(ana)
    _fill(ana, declared.GAMES)
    answer = client.post(reverse("challenge"), FORM)
    assert answer.status_code == 429
    assert 3590 <= int(answer["Retry-After"]) <= 3600
    text = pages.text_of(answer.content)
    assert "Too many challenges, seeks and invitations. Try again in 60 minutes." in text
    assert "The limit is 240 within 60 minutes." in text
    assert not Challenge.objects.exists()
    Throttle.objects.all().delete()
    assert client.post(reverse("challenge"), FORM).status_code == 302


def test_a_long_form_is_kept_beyond_its_limit(ana: User, with_limits: None) -> None:
    client = pages.member(ana)
    _fill(ana, declared.EVENTS)
    form = {"name": "Thursday <3", "ruleset": "morelli(size=7)"}
    page = client.post(reverse("event-new"), form).content.decode()
    assert "This page keeps the data you filled in." in page
    assert re.search(r'<textarea name="name"[^>]*>\nThursday &lt;3</textarea>', page)
    Throttle.objects.all().delete()
    _fill(ana, declared.GAMES)
    short = client.post(reverse("challenge"), FORM)
    assert "This page keeps" not in short.content.decode()


def test_a_script_gets_the_same_as_json(ana: User, ben: User, with_limits: None) -> None:
    game = pages.new_game(ana.player, ben.player)
    _fill(ana, declared.OFFERS)
    answer = pages.member(ana).post(
        reverse("game-agree", args=[game.pk]), headers={"Accept": "application/json"}
    )
    assert (answer.status_code, answer.json()["limit"]) == (429, "offers-by-account")
    assert int(answer["Retry-After"]) > 0


def test_games_with_bots_are_limited_however_they_are_chosen(
    ana: User, bots: list[Player], with_limits: None
) -> None:
    client = pages.member(ana)
    _fill(ana, declared.BOT_GAMES)
    for chosen in ({"bot": bots[0].name}, {"opponent": bots[0].name}):
        answer = client.post(reverse("challenge"), {**FORM, **chosen})
        assert answer.status_code == 429
    assert not Game.objects.exists()


def test_one_place_is_limited_however_many_accounts_it_has(
    ana: User, ben: User, with_limits: None
) -> None:
    _fill(ana, declared.GAMES_OF_PLACE)
    assert pages.member(ben).post(reverse("challenge"), FORM).status_code == 429
    elsewhere = pages.member(ben)
    answer = elsewhere.post(reverse("challenge"), FORM, REMOTE_ADDR="192.0.2.7")
    assert answer.status_code == 302


def test_no_header_of_a_visitor_changes_the_place(
    client: Client, db: None, with_limits: None
) -> None:
    throttles.count(throttles.Visitor(address="127.0.0.1"), declared.SIGN_UPS)
    Throttle.objects.update(tries=declared.SIGN_UPS.most)
    headers = {"X-Forwarded-For": "192.0.2.9", "Forwarded": "for=192.0.2.9"}
    answer = client.post(reverse("sign-up"), {"name": "Zoe"}, headers=headers)
    assert answer.status_code == 429


def test_computations_are_limited_where_there_is_something_to_compute(
    client: Client, db: None, with_limits: None
) -> None:
    throttles.count(throttles.Visitor(address="127.0.0.1"), declared.COMPUTATIONS_OF_PLACE)
    Throttle.objects.update(tries=declared.COMPUTATIONS_OF_PLACE.most)
    assert client.get(reverse("rating-calculator")).status_code == 200
    assert client.get(reverse("rating-calculator"), {"kind": "fide"}).status_code == 429
    assert client.get(reverse("download-games")).status_code == 429
