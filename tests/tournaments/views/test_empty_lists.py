"""A list without rows: one sentence, one action, and the picture of a board."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from tests.tournaments import pages, uploads
from tournaments.models import User

_EMPTY = re.compile(r'<p class="card soft empty">(.*?)</p>', re.S)
_ACTIONS = {
    "notices": "lobby",
    "events": "event-new",
    "suites": "suite-new",
    "gauntlets": "gauntlet-new",
    "sprt": "sprt-test-new",
    "calendar": "events",
    "archive": "archive",
    "following": "players",
    "leaderboard": "lobby",
    "puzzles": "lobby",
}


@pytest.mark.parametrize(("name", "action"), _ACTIONS.items(), ids=_ACTIONS)
def test_an_empty_list_says_one_sentence_and_offers_one_action(
    ana: User, name: str, action: str
) -> None:
    page = pages.member(ana).get(reverse(name)).content.decode()
    [content] = _EMPTY.findall(page)
    assert re.findall(r'href="([^"]+)"', content) == [reverse(action)]
    assert content.count("<img ") == 1
    assert pages.text_of(content.encode()).count(". ") == 1


def test_a_player_without_a_game_has_an_action_for_each_empty_list(ana: User) -> None:
    page = pages.member(ana).get(ana.player.get_absolute_url()).content.decode()
    assert [re.findall(r'href="([^"]+)"', each) for each in _EMPTY.findall(page)] == [
        [reverse("lobby")],
        [reverse("lobby")],
        [reverse("calendar")],
    ]


def test_two_players_without_a_game_can_challenge_each_other(
    ana: User, ben: User, staff: User
) -> None:
    address = reverse("head-to-head", args=[ana.player.pk, ben.player.pk])
    for reader, target in ((ana, f"{reverse('lobby')}?opponent=Ben"), (staff, reverse("watch"))):
        [content] = _EMPTY.findall(pages.member(reader).get(address).content.decode())
        assert re.findall(r'href="([^"]+)"', content) == [target]


def test_a_version_without_a_game_leads_to_the_ladders(ana: User) -> None:
    bot = uploads.ready(uploads.line(ana, families=["morelli"]), is_active=True)
    page = pages.member(ana).get(reverse("bot-version", args=[bot.pk])).content.decode()
    [content] = _EMPTY.findall(page)
    assert reverse("bot-ladders") in content
