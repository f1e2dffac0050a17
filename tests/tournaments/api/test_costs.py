"""The number of an operation's queries does not grow with the rows of its answer."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.tournaments.api import event_world
from tests.tournaments.api.conftest import Program, program_of
from tests.tournaments.conftest import CLOCK
from tournaments.models import Player, User
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.queries.events.player_lists import ListedPlayer
from tournaments.services.events import listed_players
from tournaments.services.games import game_creation, play
from tournaments.services.lobby import challenges

RULESET = "morlox(size=5)"


@pytest.mark.long
@pytest.mark.parametrize(
    "path", ["/events", "/events/{}/entries", "/events/{}/log", "/events/{}/standings"]
)
def test_a_list_of_an_event_takes_no_more_queries_for_more_rows(
    anybody: Program, ana: User, path: str
) -> None:
    event = event_world.board_event(ana, "Evening")
    event_world.start(event, ana)
    counts = []
    for number in range(4):
        event_world.board_event(ana, f"Other {number}")
        listed = [ListedPlayer(f"Player {number} {letter}") for letter in "AB"]
        listed_players.enter_all(event_id=event.pk, actor=ana, players=listed)
        anybody("GET", path.format(event.slug))
        with CaptureQueriesContext(connection) as queries:
            assert anybody("GET", path.format(event.slug)).json()["items"]
        counts.append(len(queries))
    assert len(set(counts)) == 1, counts


def _add_rows(ana: User, player: Player) -> str:
    """Add a finished rated game of Ana's, and a challenge to her. Return the pool of the game."""
    game = game_creation.create_game(
        ruleset=RULESET, setup="", first=ana.player, second=player, clock=CLOCK, is_rated=True
    )
    play.play_move(game_id=game.pk, player=ana.player, ply=0, move="a1")
    play.play_move(game_id=game.pk, player=player, ply=1, move="b2")
    play.resign(game_id=game.pk, player=ana.player)
    challenges.challenge(
        challenger=player, opponent=ana.player, ruleset=RULESET, clock=Clock(300_000, 5_000)
    )
    assert game.pool is not None
    return game.pool.key


@pytest.mark.parametrize(
    "path", ["/games", "/players", "/challenges", "/pools", "/pools/{}/leaderboard"]
)
def test_a_list_takes_no_more_queries_for_more_rows(
    ana: User, people: list[Player], path: str
) -> None:
    program, pool = program_of(ana), _add_rows(ana, people[0])
    counts = []
    for player in (None, *people[1:]):
        if player is not None:
            _add_rows(ana, player)
        program("GET", path.format(pool))
        with CaptureQueriesContext(
            connection,
        ) as queries:
            rows = program("GET", path.format(pool)).json()["items"]
        assert rows
        counts.append(len(queries))
    assert len(set(counts)) == 1, counts
