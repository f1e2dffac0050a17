"""Correspondence games, for the tests of their rules."""

from __future__ import annotations

import games
from tests.tournaments import pages
from tournaments.models import Game, Player
from tournaments.queries.clocks import game_clocks
from tournaments.services.games import play

BANK = game_clocks.Clock.read("604800+86400<1209600")
RULESET = "morelli(size=5)"


def begin(first: Player, second: Player, clock: game_clocks.Clock = BANK) -> Game:
    """A rated game with days to think, or with another clock."""
    return pages.new_game(first, second, RULESET, clock=clock)


def legal(game: Game, *moves: str) -> list[str]:
    """The legal moves of the position on the board, after some that were not played."""
    position = games.load(game.ruleset).parse(game.position)
    for move in moves:
        position = position.play(move)
    return position.legal_moves()


def play_move(game: Game, move: str) -> Game:
    """The game after `move` of the side to move."""
    game.refresh_from_db()
    player = game.player_on(game.side_to_move)
    return play.play_move(game_id=game.pk, player=player, ply=game.ply, move=move).game
