"""The search that every page offers: players, events and games."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments import pages
from tests.tournaments.conftest import event_of
from tournaments.models import User
from tournaments.services.accounts import players
from tournaments.views import search

pytestmark = pytest.mark.django_db


def _content(words: str, client: Client | None = None) -> str:
    answer = (client or Client()).get(reverse("search"), {"q": words})
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_part_of_a_name_finds_players_and_events_in_any_case(ana: User) -> None:
    event = event_of(ana, name="Anaconda Cup")
    content = _content(" AN")
    assert f'href="{event.get_absolute_url()}"' in content
    assert ana.player is not None
    assert f'href="{ana.player.get_absolute_url()}"' in content


def test_private_events_are_found_by_their_participants_and_unlisted_ones_by_nobody(
    ana: User,
) -> None:
    event_of(ana, name="Hidden Cup", is_private=True, access_code="sesame")
    event_of(ana, name="Unlisted Cup", is_listed=False)
    assert "Cup" not in pages.text_of(_content("cup").encode())
    content = _content("cup", pages.member(ana))
    assert "Hidden Cup" in content
    assert "Unlisted Cup" not in content


def test_a_number_finds_its_game(ana: User, ben: User) -> None:
    assert ana.player is not None
    assert ben.player is not None
    game = pages.new_game(ana.player, ben.player)
    for words in (f"#{game.pk}", f" {game.pk} "):
        assert f'href="{game.get_absolute_url()}"' in _content(words)


@pytest.mark.parametrize("words", ["no such name", "#999999", "9" * 40, "%", "_", "²", "' OR 1=1"])
def test_strange_words_find_nothing(words: str, ana: User) -> None:
    assert "Nothing has this name." in _content(words)


def test_an_empty_search_is_the_form_alone(ana: User) -> None:
    assert "Nothing has this name." not in _content("")
    assert "Nothing has this name." not in _content("   ")


def test_further_players_are_a_link_away(ana: User) -> None:
    for number in range(search.MOST):
        players.sign_up(name=f"Namesake {number}", password="long enough 77")
    assert "All players with this name" not in _content("namesake")
    players.sign_up(name="Namesake eleven", password="long enough 77")
    assert "All players with this name" in _content("namesake")
