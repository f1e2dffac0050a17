"""Two languages: the Japanese catalogue fits the site, and a visitor can choose."""

from __future__ import annotations

import ast
import re

import pytest
from babel.messages import Catalog, Message
from django.test import Client
from django.urls import reverse

from tests.tournaments import messages


@pytest.fixture(scope="module")
def catalogue() -> Catalog:
    return messages.catalogue()


_PLACES = re.compile(r"%\(\w+\)[ds]")


def _strings(message: Message) -> list[str]:
    string = message.string or ""
    return [string] if isinstance(string, str) else list(string)


def _key(message: Message) -> messages.Message:
    if isinstance(message.id, str):
        return message.id
    one, many = message.id
    return one, many


@pytest.mark.long
def test_the_catalogue_holds_the_messages_of_the_site_and_no_others(catalogue: Catalog) -> None:
    """`python -m tests.tournaments.messages` brings it up to date."""
    in_catalogue = {_key(m) for m in catalogue if m.id}
    assert in_catalogue == set(messages.messages())


def test_translations_keep_the_places_for_names_and_numbers(catalogue: Catalog) -> None:
    for message in catalogue:
        if not message.id or not all(_strings(message)):
            continue
        key = _key(message)
        source = key if isinstance(key, str) else key[1]
        assert set(_PLACES.findall(_strings(message)[0])) == set(_PLACES.findall(source)), key


def test_no_translation_is_doubtful(catalogue: Catalog) -> None:
    assert [m.id for m in catalogue if m.id and m.fuzzy] == []


@pytest.mark.parametrize("folder", ["games", "engine", "tournaments"])
@pytest.mark.long
def test_no_message_stands_inside_an_f_string(folder: str) -> None:
    """The extraction cannot look into f-strings before Python 3.12: their messages stay English."""
    inside = [
        f"{path}:{call.lineno}"
        for path in (messages.ROOT / folder).rglob("*.py")
        for string in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(string, ast.JoinedStr)
        for call in ast.walk(string)
        if isinstance(call, ast.Call)
        and getattr(call.func, "id", "") in {"_", "gettext", "ngettext"}
        if isinstance(call.args[0], ast.Constant)
    ]
    assert inside == []


@pytest.mark.long
def test_a_template_message_with_places_is_found() -> None:
    """The extraction itself: a message of each kind, from a module and from a template."""
    in_source = messages.messages()
    assert "Round %(number)s" in in_source
    assert ("%(rounds)s round", "%(rounds)s rounds") in in_source
    assert "Then the other players could not all have been paired." in in_source
    assert "Custom" in in_source


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("header", "language", "word"),
    [("ja,en;q=0.5", "ja", "大会"), ("en", "en", "Events"), ("xx", "en", "Events")],
)
def test_pages_speak_the_language_the_browser_asks_for(
    client: Client, header: str, language: str, word: str
) -> None:
    answer = client.get("/events/", headers={"accept-language": header})
    page = answer.content.decode()
    assert f'<html lang="{language}"' in page
    assert f">{word}</a>" in page
    assert answer["Content-Language"] == language
    assert "Accept-Language" in answer["Vary"]


@pytest.mark.django_db
def test_the_switch_in_the_footer_is_kept_in_a_cookie_and_leads_back(client: Client) -> None:
    page = client.get("/events/").content.decode()
    assert '<button name="language" value="ja" lang="ja">日本語</button>' in page
    assert 'value="en" lang="en" aria-current="true">English</button>' in page
    answer = client.post(reverse("set_language"), {"language": "ja", "next": "/events/"})
    assert answer["Location"] == "/events/"
    assert answer.cookies["rayuela_language"]["httponly"]
    assert '<html lang="ja"' in client.get("/events/").content.decode()


@pytest.mark.django_db
def test_the_switch_leads_to_our_own_pages_only_and_needs_a_language_we_have(
    client: Client,
) -> None:
    answer = client.post(reverse("set_language"), {"language": "ja", "next": "//evil.example/"})
    assert answer["Location"] == "/"
    answer = client.post(reverse("set_language"), {"language": "xx", "next": "/events/"})
    assert "rayuela_language" not in answer.cookies
    assert client.get(reverse("set_language"), {"next": "/events/"}).status_code == 302


@pytest.mark.django_db
def test_switching_on_a_refused_form_leads_to_a_page_that_can_be_looked_at(client: Client) -> None:
    page = client.post("/sign-in/", {"username": "nobody", "password": "x"}).content.decode()
    assert '<input type="hidden" name="next" value="/">' in page
