"""Common rules of all pages, page by page, on one site that is built once.

These tests only read, so they share one transaction.
"""

from __future__ import annotations

import re

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

import games
from tests.tournaments import page_names, page_world, pages
from tests.tournaments.page_world import World

RECORDS = {"game-record", "game-fuel-record"}
PARTS = ("-record", "-live", "-boards", "-ask", "-choices")
WHOLE_OPEN = [name for name in page_names.OPEN if not name.endswith(PARTS)]
VISITORS = ["guest", "member"]
# A repr, an escaped tag or an object's address in the visible text.
_CODE = re.compile(
    r"\b[A-Z]\w*\([a-z_]+=|<(?:svg|path|div|span|p)\b|\bat 0x[0-9a-f]+|\{[{%]|\b__[a-z]+__\b"
)

# A field to be filled in, or the sentence of an empty list.
_NEEDS_HELP = re.compile(r'<(?:select|textarea|input(?! type="hidden"))\b|<p class="card soft')


@pytest.fixture(scope="module")
def db(transaction_of_file: None) -> None:
    """One transaction for all tests of this file, in place of one for each."""


@pytest.fixture(scope="module")
def world(db: None) -> World:
    return page_world.build()


@pytest.fixture(scope="module")
def queries(world: World) -> dict[str, tuple[list[str], list[str]]]:
    """The queries of every list, before and after there is more to list."""
    client = pages.member(world.ana)
    for name in page_names.LISTS:
        client.get(world.addresses[name])
    before = {name: _queries(client, world.addresses[name]) for name in page_names.LISTS}
    with transaction.atomic():
        page_world.add_rows(world)
        after = {name: _queries(client, world.addresses[name]) for name in page_names.LISTS}
        transaction.set_rollback(True)
    return {name: (before[name], after[name]) for name in page_names.LISTS}


def _queries(client: Client, address: str) -> list[str]:
    cache.clear()
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address).status_code == 200
    return [query["sql"] for query in captured.captured_queries]


def test_every_page_has_a_name_and_an_address(world: World) -> None:
    forms = {"sign-in", "sign-up", "event-new", *page_names.FORGOTTEN}
    assert set(world.addresses) == {*page_names.OPEN, *page_names.OWN, *forms}


@pytest.mark.engines
@pytest.mark.long
@pytest.mark.parametrize("name", [*page_names.OPEN, *page_names.FORGOTTEN, "sign-in", "sign-up"])
def test_guests_may_look_at(world: World, name: str) -> None:
    page = world.page("guest", name)
    assert (page.status, page.redirects) == (200, [])


@pytest.mark.parametrize("name", [*page_names.OPEN, "event-new"])
def test_members_may_look_at(world: World, name: str) -> None:
    page = world.page("member", name)
    assert (page.status, page.redirects) == (200, [])


@pytest.mark.parametrize("name", WHOLE_OPEN)
def test_a_page_has_exactly_one_picture_for_messengers(world: World, name: str) -> None:
    head = world.page("guest", name).text.partition("</head>")[0]
    if 'property="og:title"' in head:  # pages in frames and sheets of paper are not shared
        assert re.findall(r'property="og:image" content="http[^"]+/[^"]+\.png', head)
        assert head.count('property="og:image"') == head.count('name="twitter:card"') == 1


@pytest.mark.parametrize("visitor", VISITORS)
@pytest.mark.parametrize(
    "name", [name for name in [*page_names.OPEN, *page_names.OWN] if name not in RECORDS]
)
def test_the_content_security_policy_is_kept(world: World, visitor: str, name: str) -> None:
    page = world.page(visitor, name).text
    assert not re.search(r'\sstyle\s*=\s*["\']', page)
    assert "<style" not in page
    assert not re.search(r"\son[a-z]+=", page)
    assert "javascript:" not in page
    for tag in re.findall(r"<script\b[^>]*>", page):
        assert "src=" in tag or 'type="application/json"' in tag
    # Browsers do not load an alternate page.
    for address in re.findall(
        r'<(?:script|img|link(?! rel="alternate"))\b[^>]*?(?:src|href)="([^"]+)"', page
    ):
        assert (
            address.startswith(("/static/", "/help/img/", "/games/"))
            or address == "/manifest.webmanifest"
        )


@pytest.mark.parametrize("visitor", VISITORS)
@pytest.mark.parametrize("name", [*WHOLE_OPEN, *page_names.OWN])
def test_there_is_one_heading_and_no_id_twice(world: World, visitor: str, name: str) -> None:
    page = world.page(visitor, name).text
    assert len(re.findall(r"<h1[ >]", page)) == 1
    ids = re.findall(r'\sid="([^"]+)"', page)
    assert sorted(ids) == sorted(set(ids))


@pytest.mark.parametrize("visitor", VISITORS)
# Pages of help show code.
@pytest.mark.parametrize(
    "name",
    [
        name
        for name in [*page_names.OPEN, *page_names.OWN]
        if name not in RECORDS and not name.startswith("help-")
    ],
)
def test_readers_see_no_code(world: World, visitor: str, name: str) -> None:
    text = pages.text_of(world.page(visitor, name).text.encode())
    code = _CODE.search(text)
    assert code is None, text[max(0, code.start() - 60) : code.end() + 60]


@pytest.mark.parametrize("visitor", VISITORS)
@pytest.mark.parametrize("name", [*WHOLE_OPEN, *page_names.OWN])
def test_a_page_with_a_field_or_without_rows_links_to_help(
    world: World, visitor: str, name: str
) -> None:
    main = re.search(r"<main\b.*</main>", world.page(visitor, name).text, re.DOTALL)
    # Pages of other sites embed games, without links to help.
    if main is not None and not name.startswith("embed-") and _NEEDS_HELP.search(main[0]):
        assert 'href="/help/' in main[0]


@pytest.mark.parametrize("name", [*page_names.OPEN, *page_names.OWN, "event-new"])
def test_what_scrolls_can_be_scrolled_by_keyboard(world: World, name: str) -> None:
    """Some browsers need this (WCAG 2.1.1). axe finds it only if the content overflows."""
    page = world.page("member", name).text
    for element in re.findall(r'<(?:div class="table-scroll|pre)\b[^>]*>', page):
        assert 'tabindex="0"' in element


def test_the_front_page_has_one_primary_button_and_a_board_of_each_game(world: World) -> None:
    page = world.page("guest", "home").text
    main = page[page.index("<main") :]
    assert len(re.findall(r'class="button primary', main)) == 1
    for family in games.available():
        card = re.search(rf'<section [^>]*"game-{family.name}".*?</section>', main, re.DOTALL)
        assert card
        assert "<svg" in card[0]
        for address in (
            reverse("course", args=[family.name]),
            reverse("rules", args=[family.name]),
        ):
            assert f'href="{address}"' in card[0]


@pytest.mark.parametrize("name", [*page_names.OPEN, *page_names.OWN, "event-new"])
def test_labels_name_a_field_that_exists(world: World, name: str) -> None:
    page = world.page("member", name).text
    ids = set(re.findall(r'\sid="([^"]+)"', page))
    assert set(re.findall(r'<label[^>]* for="([^"]+)"', page)) <= ids


@pytest.mark.parametrize("name", page_names.LISTS)
def test_lists_take_no_more_queries_for_more_rows(
    queries: dict[str, tuple[list[str], list[str]]], name: str
) -> None:
    before, after = queries[name]
    assert len(after) <= len(before), "\n".join(map(str, after))
    assert len(after) <= 44
