"""An event by the Danish system: run by `test_new_pairing_system.py` in its copy of the project."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from tests.tournaments import pages
from tests.tournaments.conftest import enter
from tournaments.models import Event, Game, Player
from tournaments.queries.results import tables
from tournaments.services.games import game_end
from tournaments.services.rounds import lifecycle

if TYPE_CHECKING:
    from tournaments.models import User

FORM = {
    "name": "Danish",
    "ruleset": "morelli(edition=revised,size=7)",
    "format": "danish",
    "rounds_total": 3,
    "clock": "600+10",
    "admits": "bots",
    "max_entries": 8,
    "is_automatic": "on",
    "is_listed": "on",
    "pause_s": 0,
}


@pytest.fixture
def event(ana: User, bots: list[Player]) -> Event:
    """Return an event of five bots, made by the form, in which the smaller pairing number always wins."""
    pages.member(ana).post(reverse("event-new"), FORM)
    event = Event.objects.get()
    enter(event, *bots[:5])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    for _ in range(event.rounds_total):
        for game in Game.objects.ongoing().filter(pairing__event=event):
            with transaction.atomic():
                game_end.finish_game(game, result=_winner(game), ending=Game.Ending.RULES)
        lifecycle.advance_event(event.pk)
    event.refresh_from_db()
    return event


def _winner(game: Game) -> str:
    assert game.pairing is not None
    first, second = (entry.tpn or 0 for entry in (game.pairing.first, game.pairing.second))
    return "first" if first < second else "second"


def test_neighbours_in_the_standings_meet_in_every_round(event: Event) -> None:
    assert event.state == Event.State.FINISHED
    met = [
        [{pairing.first.tpn, pairing.second.tpn} for pairing in round_.pairings.order_by("board")]
        for round_ in event.rounds.order_by("number")
    ]
    assert met == [[{1, 2}, {3, 4}], [{1, 3}, {2, 4}], [{1, 2}, {3, 4}]]
    points = {row.entry.tpn: row.points_halves for row in tables.event_table(event).rows}
    assert points == {1: 6, 2: 2, 3: 4, 4: 0, 5: 0}


@pytest.mark.parametrize(
    ("language", "name", "why"),
    [
        ("en", "Danish system", "Danish system: place 1 meets place 2."),
        ("ja", "デンマーク式", "1位と2位が対戦します。"),
    ],
)
def test_pages_name_the_format_and_say_why_two_meet(
    event: Event, language: str, name: str, why: str
) -> None:
    client = Client(headers={"accept-language": language})
    assert name in pages.text_of(client.get(event.get_absolute_url()).content)
    board = client.get(reverse("event-board", args=[event.slug, 1, 1]))
    assert why in pages.text_of(board.content)


def test_the_api_knows_the_format(event: Event, client: Client) -> None:
    rows = client.get("/api/v1/events", {"format": "danish"}).json()
    assert [row["slug"] for row in rows["items"]] == [event.slug]
