"""A visit to a site that has Breakthrough: run by `test_new_game.py` in its copy of the project."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.utils import translation

from engine import checking
from tests.tournaments import pages
from tests.tournaments.conftest import enter, event_of, play_due
from tournaments.models import Event, Game, Pool
from tournaments.queries.results import standings
from tournaments.services.rounds import lifecycle

if TYPE_CHECKING:
    from tournaments.models import Player, User

KEY = "breakthrough(size=5)"


def _page(address: str, language: str = "en") -> str:
    response = Client(headers={"accept-language": language}).get(address)
    assert response.status_code == 200
    return pages.text_of(response.content)


def test_bots_play_an_event_that_is_paired_and_rated(bots: list[Player], ana: User) -> None:
    event = event_of(ana, ruleset=KEY)
    enter(event, *bots[:4])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    while event.state != Event.State.FINISHED:
        play_due(event)
        lifecycle.advance_event(event.pk)
        event.refresh_from_db()
    assert len(standings.event_table(event).rows) == 4
    played = Game.objects.filter(pairing__event=event)
    assert played.exists()
    assert not played.filter(ledger__isnull=True).exists()
    pool = Pool.objects.get(family="breakthrough")
    with translation.override("en"):
        assert pool.game_name == "Breakthrough, up to 9×9"
    assert "Breakthrough" in _page(event.get_absolute_url())
    assert "Bot 1" in _page(f"/leaderboard/{pool.key}/")


def test_people_play_it_on_a_page_that_speaks_of_its_moves(ana: User, ben: User) -> None:
    game = pages.new_game(ana.player, ben.player, KEY)
    client = Client()
    client.force_login(ana)
    address = game.get_absolute_url()
    client.post(f"{address}move/", {"move": "b2-b3", "ply": 0})
    page = _page(address)
    assert "Ana moves from b2 to b3." in page
    assert "White has 10 pieces left." in page
    assert "白の駒は残り 10 個です。" in _page(address, "ja")
    assert "Danger" in page


@pytest.mark.django_db
def test_its_rules_are_read_and_tried_out() -> None:
    assert "Bring one piece to the far side of the board." in _page("/games/")
    assert "駒を1つ、盤の向こう側まで進めます。" in _page("/games/", "ja")
    assert "It never ends in a draw." in _page("/games/breakthrough/")
    refused = Client().get("/games/breakthrough/figures/blocked/", {"try": "c3-c4"})
    assert refused.context["rule_url"] == "/games/breakthrough/#breakthrough-capture"


def test_the_lobby_the_front_page_and_the_analysis_offer_it(ana: User) -> None:
    client = Client()
    client.force_login(ana)
    lobby = client.get("/play/", {"ruleset": KEY})
    assert lobby.context["form"]["ruleset"].value() == KEY
    tile = (
        lobby.content.decode().split("<legend>Breakthrough</legend>")[1].partition("</fieldset>")[0]
    )
    assert f'name="ruleset" value="{KEY}"' in tile
    assert "Breakthrough" in _page("/")
    assert "Breakthrough 8×8" in _page("/analysis/")


def test_bots_are_checked_on_its_board_too() -> None:
    assert KEY in checking.default_rulesets()
