"""Games of a pool that begin and end, by a calendar that the test turns."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.db import transaction

from tests.tournaments import pages
from tournaments.models import Game, Player, Pool
from tournaments.services.games import game_creation, game_end
from tournaments.services.ratings import recompute


class Calendar:
    """A clock of the site that advances by a second at each reading."""

    def __init__(self) -> None:
        self.at = datetime(2026, 1, 20, tzinfo=UTC)

    def now(self) -> datetime:
        self.at += timedelta(seconds=1)
        return self.at


def begin(pair: list[Player], kind: Pool.Kind = Pool.Kind.BOTS) -> Game:
    """A game that is rated in the pool of that kind."""
    one, two = pair
    start = game_creation.start_position(
        "morelli(size=5)", game_creation.draw_setup("morelli(size=5)", 1)
    )
    game = game_creation.new_game(start, first=one, second=two, clock=pages.CLOCK, is_rated=True)
    game.pool = pages.pool_of(kind)
    game.save()
    return game


def end(game: Game, result: str) -> None:
    """The end of the game by the rules."""
    with transaction.atomic():
        game_end.finish_game(game, result=result, ending=Game.Ending.RULES)


def faults() -> list[recompute.Fault]:
    """Return the differences, in all pools, from their games computed again."""
    return [fault for pool in Pool.objects.all() for fault in recompute.verify(pool)]
