"""oEmbed, and the map of the site."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode
from urllib.robotparser import RobotFileParser
from xml.etree import ElementTree

import pytest
from django.conf import LazySettings
from django.test import Client
from django.urls import reverse

from tests.tournaments import pages
from tests.tournaments.conftest import event_of
from tournaments.models import Game, User
from tournaments.views import sitemaps

RULESET = "morelli(size=5)"


@pytest.fixture
def game(ana: User, ben: User) -> Game:
    return pages.finished_game(ana.player, ben.player, "first", RULESET)


@pytest.fixture
def embed(client: Client) -> Callable[..., Any]:
    """Ask for the frame of an address."""

    def ask(address: str, **more: str) -> Any:
        return client.get(f"{reverse('oembed')}?{urlencode({'url': address, **more})}")

    return ask


def test_a_page_leads_to_its_frame(
    client: Client, embed: Callable[..., Any], game: Game, settings: LazySettings
) -> None:
    head = client.get(game.get_absolute_url()).content.decode()
    link = re.search(r'<link rel="alternate" type="application/json\+oembed" href="([^"]+)"', head)
    assert link
    answer = client.get(link[1].replace("&amp;", "&").removeprefix(settings.SITE_URL))
    body = answer.json()
    assert (body["version"], body["type"], body["title"]) == ("1.0", "rich", "Ana – Ben")
    assert f'src="{settings.SITE_URL}{reverse("embed-game", args=[game.pk])}"' in body["html"]
    assert (body["width"], body["height"]) == (420, 660)
    assert body == embed(f"{settings.SITE_URL}{game.get_absolute_url()}").json()


@pytest.mark.parametrize("name", ["event", "event-standings", "embed-event"])
def test_an_event_is_framed_with_its_standings(
    embed: Callable[..., Any], ana: User, settings: LazySettings, name: str
) -> None:
    event = event_of(ana, name='A "quoted" <b>Open</b>')
    body = embed(f"{settings.SITE_URL}{reverse(name, args=[event.slug])}").json()
    assert reverse("embed-event", args=[event.slug]) in body["html"]
    assert "<b>" not in body["html"]


@pytest.mark.parametrize(
    ("most", "width"), [("300", 300), ("9999", 420), ("1", 200), ("x", 420), ("-5", 420)]
)
def test_the_frame_is_no_wider_than_the_page_asks_for(
    embed: Callable[..., Any], game: Game, settings: LazySettings, most: str, width: int
) -> None:
    body = embed(f"{settings.SITE_URL}{game.get_absolute_url()}", maxwidth=most).json()
    assert body["width"] == width
    assert f'width="{width}"' in body["html"]


def test_another_format_is_not_implemented(
    embed: Callable[..., Any], game: Game, settings: LazySettings
) -> None:
    address = f"{settings.SITE_URL}{game.get_absolute_url()}"
    assert embed(address, format="xml").status_code == 400


@pytest.mark.parametrize(
    "address",
    [
        "",
        "{path}",
        "http://evil.example{path}",
        "{site}.evil.example{path}",
        "{site}@evil.example{path}",
        "http://user:secret@evil.example{path}",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "http://[::1{path}",
        "//evil.example{path}",
        "{site}/",
        "{site}/players/",
        "{site}/game/999999999999999999999999/",
        "{site}/game/%00/",
        "{site}{path}x",
        "{site}/events/none/",
    ],
)
def test_no_other_address_has_a_frame(
    embed: Callable[..., Any], game: Game, settings: LazySettings, address: str
) -> None:
    text = address.format(site=settings.SITE_URL, path=game.get_absolute_url())
    assert embed(text).status_code == 404


def test_a_private_event_has_no_frame(
    embed: Callable[..., Any], ana: User, settings: LazySettings
) -> None:
    event = event_of(ana, is_private=True, access_code="secret")
    assert embed(f"{settings.SITE_URL}{event.get_absolute_url()}").status_code == 404


def _addresses(client: Client, path: str) -> list[str]:
    answer = client.get(path)
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/xml")
    tree = ElementTree.fromstring(answer.content)  # noqa: S314 - our own answer
    return [
        re.sub("^https?://[^/]+", "", element.text or "")
        for element in tree.iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")
    ]


def _whole_map(client: Client) -> set[str]:
    files = _addresses(client, reverse("sitemap"))
    return {address for file in files for address in _addresses(client, file)}


def test_the_map_has_public_pages_and_no_private_ones(
    client: Client, game: Game, ana: User, staff: User
) -> None:
    public = event_of(ana, name="Open", is_listed=True)
    private = event_of(ana, name="Secret", is_listed=True, is_private=True, access_code="secret")
    unlisted = event_of(ana, name="Practice", is_listed=False)
    running = pages.new_game(ana.player, game.second, RULESET)
    addresses = _whole_map(client)
    assert {
        reverse("home"),
        reverse("rules", args=["morelli"]),
        reverse("course", args=["morelli"]),
        reverse("help-page", args=["play/puzzles"]),
        public.get_absolute_url(),
        ana.player.get_absolute_url(),
        game.get_absolute_url(),
    } <= addresses
    assert not addresses & {each.get_absolute_url() for each in (private, unlisted, running)}


@pytest.mark.long
def test_pages_of_the_map_exist(client: Client, game: Game) -> None:
    statuses = {
        address: client.get(address).status_code
        for address in _addresses(client, "/sitemap-pages.xml")[:20]
    }
    assert set(statuses.values()) == {200}


def test_a_file_covers_so_many_numbers_by_one_query_by_the_key(
    client: Client,
    ana: User,
    ben: User,
    monkeypatch: pytest.MonkeyPatch,
    django_assert_max_num_queries: Callable,
) -> None:
    games = [pages.finished_game(ana.player, ben.player, "first", RULESET) for _ in range(5)]
    monkeypatch.setattr(sitemaps, "NUMBERS", games[1].pk)
    files = [path for path in _addresses(client, reverse("sitemap")) if "games" in path]
    assert len(files) == 2
    with django_assert_max_num_queries(2):
        assert len(_addresses(client, files[-1])) == 3
    addresses = {address for file in files for address in _addresses(client, file)}
    assert addresses == {each.get_absolute_url() for each in games}


@pytest.mark.parametrize("page", ["0", "2", "x", "-1", "²", "9" * 30])
def test_no_other_file_of_the_map_exists(client: Client, db: None, page: str) -> None:
    assert client.get("/sitemap-events.xml", {"p": page}).status_code == 404


def test_robots_are_told_of_the_map(client: Client, settings: LazySettings) -> None:
    parser = RobotFileParser()
    parser.parse(client.get("/robots.txt").content.decode().splitlines())
    assert parser.site_maps() == [f"{settings.SITE_URL}/sitemap.xml"]
