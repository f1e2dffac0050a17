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
from tournaments.queries.ratings import ledger

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


def is_one_in_its_pool(game: Game) -> bool:
    """Return whether these players have another game with these sides and moves that is rated in its pool."""
    if not game.moves_digest or game.pool_id is None:
        return False
    same = _in_pool.all(
        pool=game.pool_id,
        first=game.first_id,
        second=game.second_id,
        digest=game.moves_digest,
        game=game.pk,
    )
    return bool(same)


@statements.query
def _in_pool(
    pool: int, first: int, second: int, digest: str, game: int
) -> QuerySet[Game, tuple[int]]:
    rated_games = Game.objects.filter(pool=pool, is_rated=True, result__in=list(ledger.SCORES))
    return _same(rated_games, first, second, digest, game).values_list("pk")[:1]


def are_all_among(games: GameQuerySet, pair: Iterable[Game]) -> bool:
    """Return whether each game of the pair is a repetition of one of `games`."""
    return all(
        game.moves_digest
        and _same(games, game.first_id, game.second_id, game.moves_digest, game.pk).exists()
        for game in pair
    )


def _same(games: GameQuerySet, first: int, second: int, digest: str, but: int) -> GameQuerySet:
    """Return those of `games` that these two played with these moves, but for one."""
    same = games.filter(first=first, second=second, moves_digest=digest)
    return same.exclude(pk=but).order_by()
