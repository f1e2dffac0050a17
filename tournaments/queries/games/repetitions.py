"""Repetitions: games that deterministic bots played before, move by move.

Such a game gives no information about their strengths. It keeps its result in standings, and has no
weight as evidence: in ratings, strengths, SPRT tests and gauntlets.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Final

from django.db.models import QuerySet

from tournaments.models import Game, Ply, statements
from tournaments.models.games import GameQuerySet

# A failure, such as a crash, is evidence each time.
_ENDINGS: Final = {Game.Ending.RULES, Game.Ending.RESIGNATION}


def digest_of(game: Game) -> str:
    """Return a hash of start, moves and result of a finished game of two bots; empty for other games."""
    if game.ending not in _ENDINGS or not (game.first.is_bot and game.second.is_bot):
        return ""
    moves = [move for (move,) in _moves.all(game=game.pk, attempt=game.attempt)]
    if not moves:
        return ""
    text = "\n".join([game.ruleset, game.setup, str(game.result), *moves])
    return hashlib.sha256(text.encode()).hexdigest()[:32]


@statements.query
def _moves(game: int, attempt: int) -> QuerySet[Ply, tuple[str]]:
    plies = Ply.objects.filter(game=game, attempt=attempt).order_by("number")
    return plies.values_list("move")


def among(games: GameQuerySet, game: Game) -> bool:
    """Return whether these players played this game with these sides in one of `games`."""
    if not game.moves_digest:
        return False
    same = games.filter(first=game.first_id, second=game.second_id, moves_digest=game.moves_digest)
    return same.exclude(pk=game.pk).exists()


def are_all_among(games: GameQuerySet, pair: Iterable[Game]) -> bool:
    """Return whether each game of the pair is a repetition of one of `games`."""
    return all(among(games, game) for game in pair)
