"""The stakes of a rated game are the changes that the ledger enters."""

from __future__ import annotations

import pytest
from django.db import transaction

from tests.tournaments import pages
from tests.tournaments.frozen_clock import FrozenClock
from tournaments.models import Game, LedgerEntry, User
from tournaments.queries.ratings import stakes
from tournaments.services.games import game_end


@pytest.mark.long
@pytest.mark.parametrize(
    ("result", "name"), [("first", "win"), ("draw", "draw"), ("second", "loss")]
)
def test_the_stakes_are_the_change_that_the_ledger_enters(
    result: str, name: str, ana: User, ben: User, clock: FrozenClock
) -> None:
    for _ in range(16):
        pages.finished_game(ana.player, ben.player, "draw")
    pages.finished_game(ana.player, ben.player, "first")
    clock.wait(hours=2)
    game = pages.new_game(ana.player, ben.player)
    own = stakes.of_game(game, ana.player, clock.now)
    other = stakes.of_game(game, ben.player, clock.now)
    assert own is not None
    assert other is not None
    assert own.win > own.draw > own.loss
    content = pages.member(ana).get(game.get_absolute_url()).content.decode()
    assert "for a win" in content
    with transaction.atomic():
        game_end.finish_game(game, result=result, ending=Game.Ending.RULES)
    entry = LedgerEntry.objects.get(game=game, player=ana.player)
    assert entry.delta_centielo == getattr(own, name)
    mirror = {"win": "loss", "draw": "draw", "loss": "win"}[name]
    entry = LedgerEntry.objects.get(game=game, player=ben.player)
    assert entry.delta_centielo == getattr(other, mirror)
    game.refresh_from_db()
    assert stakes.of_game(game, ana.player, clock.now) is None


def test_a_provisional_rating_has_no_stakes(ana: User, ben: User) -> None:
    game = pages.new_game(ana.player, ben.player)
    assert stakes.of_game(game, ana.player, game.created_at) is None
    pages.finished_game(ana.player, ben.player, "first")
    assert stakes.of_game(game, ana.player, game.created_at) is None
    assert "for a win" not in pages.member(ana).get(game.get_absolute_url()).content.decode()
