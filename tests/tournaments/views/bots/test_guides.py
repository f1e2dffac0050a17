"""The pages of `docs/` that authors of bots read on the site."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from django.test import Client

from tournaments.text import guides

pytestmark = pytest.mark.django_db


class _Ids(HTMLParser):
    """The ids and the links of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        of = {name: value or "" for name, value in attrs}
        if "id" in of:
            self.ids.append(of["id"])
        if tag == "a" and "href" in of:
            self.links.append(of["href"])


def _page(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


@pytest.mark.parametrize("name", guides.PAGES)
def test_a_guide_is_a_page_whose_links_lead_to_pages_and_headings_that_exist(
    client: Client, name: str
) -> None:
    page = _page(client, f"/guides/{name}/")
    assert page.count("<h1") == 1
    for link in _Ids(page).links:
        address, _, anchor = link.partition("#")
        if address.startswith("/guides/"):
            assert not anchor or anchor in _Ids(_page(client, address)).ids, link


@pytest.mark.parametrize("name", guides.PAGES)
def test_a_guide_needs_no_style_of_its_own_and_can_be_scrolled_by_keyboard(name: str) -> None:
    html = guides.guide(name).html
    assert "style=" not in html
    assert not re.search(r"<pre>|<th></th>", html)
    assert html.count("<table>") == html.count('<div class="table-scroll" tabindex="0">')
    assert "| ---" not in html


def test_a_page_of_the_source_that_is_no_guide_is_named_and_not_linked() -> None:
    text = guides._Renderer("tutorials/first-bot.md").link("ratings", "../reference/ratings.md")
    assert text == "ratings"
    assert (
        guides._Renderer("tutorials/first-bot.md").link("it", "../bots/how-bots-are-run.md#a")
        == '<a href="/guides/bots/#a">it</a>'
    )


@pytest.mark.parametrize("name", ["testing", "nothing-here", "develop"])
def test_other_documents_are_not_served(client: Client, name: str) -> None:
    assert client.get(f"/guides/{name}/").status_code == 404


def test_the_page_of_bots_leads_to_the_guide_and_the_protocol(client: Client) -> None:
    links = _Ids(_page(client, "/bots/")).links
    assert {"/guides/write-a-bot/", "/guides/protocol/"} <= {*links}


@pytest.mark.parametrize("name", guides.FILES)
def test_files_that_authors_copy_are_served_whole_and_never_run(client: Client, name: str) -> None:
    answer = client.get(f"/guides/files/{name}")
    assert answer.content == guides.FILES[name].read_bytes()
    kind = "application/wasm" if name.endswith(".wasm") else "text/plain"
    assert answer["Content-Type"].partition(";")[0] == kind
    assert answer["Content-Disposition"].startswith("attachment")


@pytest.mark.parametrize(
    "name", ["__init__.py", "../../manage.py", "samples", "nothing.py", "kernel/host.py"]
)
def test_other_files_are_not_served(client: Client, name: str) -> None:
    assert client.get(f"/guides/files/{name}").status_code == 404


def test_the_guide_leads_to_the_files_it_names(client: Client) -> None:
    links = _Ids(_page(client, "/guides/write-a-bot/")).links
    assert {"/guides/files/rayuela_push.py", "/guides/files/samples/morlox.pl"} <= {*links}


def test_the_guide_to_modules_leads_to_the_kernel_as_a_bot_and_to_its_source(
    client: Client,
) -> None:
    links = _Ids(_page(client, "/guides/wasm/")).links
    files = {"kernel/bot.wasm", "kernel/source/bot.cpp", "samples/wasm/morlox.c"}
    assert {f"/guides/files/{name}" for name in files} <= {*links}
    # Whole: whoever has the files that are served can build the module.
    included = {
        header
        for name, path in guides.FILES.items()
        if name.startswith("kernel/source/")
        for header in re.findall(r'#include "([^"]+)"', path.read_text())
    }
    assert {f"kernel/source/{header}" for header in included} <= {*guides.FILES}
