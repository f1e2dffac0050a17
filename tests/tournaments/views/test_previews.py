"""The description of a page for messengers and search engines."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments import pages
from tests.tournaments.conftest import event_of
from tournaments.models import User

pytestmark = pytest.mark.long

RULESET = "morelli(size=5)"


@pytest.fixture
def preview_of(client: Client) -> Callable[[str], dict[str, str]]:
    """The preview of an address."""

    def of(address: str) -> dict[str, str]:
        page = html.unescape(client.get(address).content.decode())
        items = re.findall(r'property="og:(\w+)" content="([^"]*)"', page)
        assert len(dict(items)) == len(items), "each once"
        return dict(items)

    return of


def test_every_kind_of_page_has_a_heading_and_words_of_its_own(
    preview_of: Callable[[str], dict[str, str]], ana: User, ben: User
) -> None:
    game = pages.finished_game(ana.player, ben.player, "first", RULESET)
    event = event_of(ana, name="Open House")
    addresses = {
        reverse("home"): ("Rayuela", "Tournaments, ratings and bot leagues"),
        game.get_absolute_url(): ("Ana – Ben", "Morelli 5×5 · 10 min + 5 s · Ana won on the board"),
        event.get_absolute_url(): ("Open House", "Morelli 5×5 · "),
        ana.player.get_absolute_url(): ("Ana", "Morelli "),
        ben.player.get_absolute_url(): ("Ben", "Morelli "),
        reverse("rules", args=["morelli"]): (
            "Rules of Morelli",
            "The rules of Morelli, with boards",
        ),
    }
    for address, (heading, words) in addresses.items():
        preview = preview_of(address)
        assert preview["title"] == heading
        assert " ".join(preview["description"].split()).startswith(words)
        assert preview["url"].startswith("http")
        assert preview["url"].endswith(address)
