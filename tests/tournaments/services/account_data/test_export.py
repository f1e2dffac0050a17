"""The file of one's own data: complete, readable, and without data of other people."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.apps import apps

from tests.tournaments import pages
from tests.tournaments.conftest import event_of
from tournaments import database_time
from tournaments.models import ChatLine, Game, Player, User
from tournaments.services.account_data import export
from tournaments.services.accounts import introductions
from tournaments.services.games import chat, notes
from tournaments.services.lobby import challenges
from tournaments.services.notifications import inbox


def _document(user: User) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(
        "".join(export.lines(user, database_time.now(), {"motion": "less"}))
    )
    return document


@pytest.fixture
def game(ana: User, ben: User) -> Game:
    game = pages.new_game(ana.player, ben.player)
    pages.play_out(game)
    return game


def test_every_table_that_points_at_somebody_is_exported_or_left_out_for_a_reason() -> None:
    keys = {
        (model.__name__, field.name)
        for model in apps.get_models()
        for field in model._meta.get_fields()
        if field.concrete and field.related_model in {User, Player}
    }
    sections = {
        (section.model.__name__, section.owner)
        for section in (*export.OF_PLAYER, *export.OF_ACCOUNT)
    }
    assert sections.isdisjoint(export.LEFT_OUT)
    assert sections | set(export.LEFT_OUT) == keys
    assert all(export.LEFT_OUT.values())


def test_the_names_of_sections_are_different() -> None:
    names = [section.name for section in (*export.OF_PLAYER, *export.OF_ACCOUNT)]
    assert len(set(names)) == len(names)


def test_it_holds_games_ratings_notes_and_messages(game: Game, ana: User) -> None:
    notes.keep(game=game, player=ana.player, text="The throne was open.")
    introductions.write(player=ana.player, text="I play slowly.", federation="esp")
    chat.say(game_id=game.pk, player=ana.player, text="Thank you")
    inbox.confirm_address(inbox.ask_address(ana, "ana@example.org", language="en"))
    document = _document(ana)
    assert document["schema"] == "rayuela-account/1"
    assert document["player"]["name"] == "Ana"
    assert document["preferences"] == {"motion": "less"}
    (record,) = document["games"]
    assert len(record["plies"]) == game.ply
    assert [row["game_id"] for row in document["ledger"]] == [game.pk]
    assert document["ratings"][0]["games"] == 1
    assert document["notes"][0]["text"] == "The throne was open."
    assert document["introduction"][0]["text"] == "I play slowly."
    assert document["messages"][0]["text"] == "Thank you"
    assert document["inbox"][0]["address"] == "ana@example.org"
    assert document["news"]


def test_it_holds_nothing_of_others(game: Game, ana: User, ben: User) -> None:
    notes.keep(game=game, player=ben.player, text="A secret of Ben's")
    chat.say(game_id=game.pk, player=ben.player, text="Good bye")
    inbox.confirm_address(inbox.ask_address(ben, "ben@example.org", language="en"))
    challenges.challenge(
        challenger=ben.player,
        opponent=ana.player,
        ruleset="morelli(edition=original,size=13)",
        clock=pages.CLOCK,
        vote="facing",
    )
    text = "".join(export.lines(ana, database_time.now(), {"motion": "less"}))
    assert "secret" not in text
    assert "Good bye" not in text
    assert "ben@example.org" not in text
    assert "facing" not in text
    assert "facing" in "".join(export.lines(ben, database_time.now(), {"motion": "less"}))
    assert ChatLine.objects.count() == 1


def test_what_is_coming_in_an_event_stays_secret(ana: User) -> None:
    event = event_of(ana)
    text = "".join(export.lines(ana, database_time.now(), {"motion": "less"}))
    assert event.slug in text
    assert event.seed_secret not in text


def test_an_account_without_a_player_has_a_file_too(db: None) -> None:
    user = User.objects.create_user("root", password="rayuela-1963")
    document = _document(user)
    assert document["account"]["name"] == "root"
    assert "player" not in document
    assert document["emails"] == []
