"""Help: the pages of `docs/` on the site, the links to their headings, and the pages about the service."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from html.parser import HTMLParser
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import pytest

from engine.programs import reading
from tests.processes import ROOT
from tournaments import database_time
from tournaments.models import SiteText
from tournaments.text import help_pages, refusal_help, refusals

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db


class _Ids(HTMLParser):
    """The ids and the links of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.pictures: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        of = {name: value or "" for name, value in attrs}
        if "id" in of:
            self.ids.append(of["id"])
        if tag == "img":
            self.pictures.append(of["src"])
        if tag == "a" and "href" in of:
            self.links.append(of["href"])


def _page(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


PAGES = sorted(help_pages.names())


@pytest.mark.parametrize("name", PAGES)
def test_links_of_a_page_lead_to_pages_headings_and_pictures_that_exist(
    client: Client, name: str
) -> None:
    drawn = _Ids(str(help_pages.page(name).html))
    for link in drawn.links:
        address, _, anchor = link.partition("#")
        if address.startswith("/help/"):
            target = address.removeprefix("/help/").strip("/")
            help_pages.title(f"{target}#{anchor}" if anchor else target)
    for picture in drawn.pictures:
        assert client.get(picture).status_code == 200, picture


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_one_title_no_style_of_its_own_and_scrolls_by_keyboard(name: str) -> None:
    html = help_pages.page(name).html
    assert html.count("<h1") == 1
    assert "style=" not in html
    assert not re.search(r"<pre>|<th></th>", html)
    assert html.count("<table>") == html.count('<div class="table-scroll" tabindex="0">')
    assert "| ---" not in html


@pytest.mark.parametrize("name", PAGES)
def test_headings_have_the_ids_that_the_page_draws(name: str) -> None:
    ids = _Ids(str(help_pages.page(name).html)).ids
    assert [heading.anchor for heading in help_pages.headings(name)] == ids


def test_a_document_that_is_not_served_is_named_and_not_linked() -> None:
    renderer = help_pages._Renderer("tutorials/first-bot")
    assert renderer.link("testing", "../develop/testing.md") == "testing"
    assert renderer.link("it", "../bots/wasm.md#a") == '<a href="/help/bots/wasm/#a">it</a>'


@pytest.mark.parametrize("name", ["develop/testing", "nothing-here", "bots", "../README"])
def test_other_documents_are_not_served(client: Client, name: str) -> None:
    assert client.get(f"/help/{name}/").status_code == 404


def test_the_index_names_every_page_and_finds_headings_by_their_words(client: Client) -> None:
    links = _Ids(_page(client, "/help/")).links
    assert {help_pages.address(name) for name in PAGES} <= {*links}
    page = _page(client, "/help/?q=over+BOARD")
    assert '<a href="/help/organise/over-the-board/#' in page
    assert "No page contains these words" in _page(client, "/help/?q=zzz")


def _targets() -> list[str]:
    """Return the targets that templates and refusals name."""
    texts = [path.read_text() for path in (ROOT / "templates").rglob("*.html")]
    return sorted(
        {target for text in texts for target in re.findall(r'{% help "([^"]*)" %}', text)}
        | set(refusal_help.HELP.values())
    )


@pytest.mark.parametrize("target", _targets())
def test_every_target_of_a_link_to_help_exists(target: str) -> None:
    assert help_pages.title(target)


def test_every_refusal_links_to_help_or_needs_none() -> None:
    linked = refusal_help.HELP.keys()
    assert not linked & refusal_help.WITHOUT_HELP
    assert linked | refusal_help.WITHOUT_HELP == refusals.SENTENCES.keys()


@pytest.mark.parametrize("name", ["", "write-a-bot/", "protocol/", "leagues/"])
def test_addresses_of_earlier_releases_lead_to_help(client: Client, name: str) -> None:
    answer = client.get(f"/guides/{name}", follow=True)
    assert answer.status_code == 200
    assert answer.redirect_chain[0][1] == 301


def test_an_unknown_guide_is_not_found(client: Client) -> None:
    assert client.get("/guides/nothing-here/").status_code == 404


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_footer_leads_to_help_and_to_the_pages_about_the_service(
    client: Client, language: str
) -> None:
    client.cookies["rayuela_language"] = language
    assert {"/help/", "/about/", "/privacy/", "/contact/"} <= {*_Ids(_page(client, "/")).links}


def test_privacy_shows_the_days_of_the_settings(client: Client, settings: Any) -> None:
    settings.RETENTION_DAYS = {"emails": 17, "news": 41}
    page = _page(client, "/privacy/")
    assert "17 days" in page
    assert "41 days" in page
    assert "14 days after the last use" in page


def test_pages_show_the_texts_of_the_operator(client: Client) -> None:
    assert "has not given an address" in _page(client, "/contact/")
    assert client.get("/.well-known/security.txt").status_code == 404
    for kind in SiteText.Kind.values:
        SiteText.objects.create(kind=kind, text=f"The <{kind}>")
    contact = _page(client, "/contact/")
    for kind in ("operator", "contact", "imprint"):
        assert f"The &lt;{kind}&gt;" in contact
    privacy = _page(client, "/privacy/")
    for kind in ("operator", "privacy"):
        assert f"The &lt;{kind}&gt;" in privacy
    assert "The &lt;operator&gt;" in _page(client, "/about/")


@pytest.mark.parametrize(
    ("contact", "line"),
    [
        ("club@example.org", "Contact: mailto:club@example.org"),
        ("https://example.org/write?to=us", "Contact: https://example.org/write?to=us"),
        ("Ask at the bar", "Contact: http://127.0.0.1:8000/contact/"),
        ("a@example.org\nPolicy: x", "Contact: mailto:a@example.org%0APolicy:%20x"),
    ],
)
def test_security_txt_leads_to_the_operator(client: Client, contact: str, line: str) -> None:
    SiteText.objects.create(kind="contact", text=contact)
    answer = client.get("/.well-known/security.txt")
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    lines = answer.content.decode().splitlines()
    assert lines[0] == line
    assert [text.partition(":")[0] for text in lines] == [
        *("Contact", "Expires", "Preferred-Languages", "Canonical", "Policy")
    ]
    expires = datetime.fromisoformat(lines[1].removeprefix("Expires: "))
    assert timedelta(days=90) < expires - database_time.now() < timedelta(days=365)


def test_the_guide_for_authors_leads_to_the_tutorial_and_the_protocol(client: Client) -> None:
    links = _Ids(_page(client, "/bots/guide/")).links
    assert {"/help/tutorials/first-bot/", "/help/reference/protocol/"} <= {*links}


@pytest.mark.parametrize("name", help_pages.FILES)
def test_files_that_authors_copy_are_served_whole_and_never_run(client: Client, name: str) -> None:
    answer = client.get(f"/guides/files/{name}")
    assert answer.content == help_pages.FILES[name].read_bytes()
    kind = "application/wasm" if name.endswith(".wasm") else "text/plain"
    assert answer["Content-Type"].partition(";")[0] == kind
    assert answer["Content-Disposition"].startswith("attachment")


@pytest.mark.parametrize(
    "name", ["__init__.py", "../../manage.py", "samples", "nothing.py", "kernel/host.py"]
)
def test_other_files_are_not_served(client: Client, name: str) -> None:
    assert client.get(f"/guides/files/{name}").status_code == 404


def test_the_guide_leads_to_the_files_it_names(client: Client) -> None:
    for name, file in (
        ("tutorials/first-bot", "samples/morlox.pl"),
        ("bots/ci-upload", "rayuela_push.py"),
    ):
        assert f"/guides/files/{file}" in _Ids(_page(client, f"/help/{name}/")).links


def test_the_guide_to_languages_leads_to_the_sample_of_each(client: Client) -> None:
    links = _Ids(_page(client, "/help/bots/languages/")).links
    samples = {PurePath(link).suffix for link in links if link.startswith("/guides/files/samples/")}
    assert {*reading.LANGUAGES} <= samples


def test_the_guide_to_modules_leads_to_the_kernel_as_a_bot_and_to_its_source(
    client: Client,
) -> None:
    links = _Ids(_page(client, "/help/bots/wasm/")).links
    files = {"kernel/bot.wasm", "kernel/source/bot.cpp", "samples/wasm/morlox.c"}
    assert {f"/guides/files/{name}" for name in files} <= {*links}
    # The list is complete: a reader with the served files can build the module.
    included = {
        header
        for name, path in help_pages.FILES.items()
        if name.startswith("kernel/source/")
        for header in re.findall(r'#include "([^"]+)"', path.read_text())
    }
    assert {f"kernel/source/{header}" for header in included} <= {*help_pages.FILES}


@pytest.mark.parametrize("name", PAGES)
def test_the_first_line_says_who_a_page_is_for(name: str) -> None:
    _title, _blank, first, *_rest = (ROOT / f"docs/{name}.md").read_text().splitlines()
    assert first.startswith("For ")


def test_the_search_shows_parts_whose_heading_or_text_has_all_words() -> None:
    matches = help_pages.search("grace time forfeits")
    assert "organise/rounds#grace-time" in {match.target for match in matches}
    assert help_pages.search("Morelli")[0].target == "games/morelli#morelli"
    assert not help_pages.search("grace xyzzy")
