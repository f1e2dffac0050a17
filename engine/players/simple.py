"""Players without foresight, by which others are measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.players.core import Budget, MoveChoice, score_of

if TYPE_CHECKING:
    import random

    from games.core import Position


class RandomMover:
    """Plays any legal move, each equally likely."""

    def choose(self, position: Position, *, budget: Budget, rng: random.Random) -> MoveChoice:
        return MoveChoice(position.random_move(rng))


class Greedy:
    """Plays the move to the best evaluation after one ply, drawing lots between equals."""

    def choose(self, position: Position, *, budget: Budget, rng: random.Random) -> MoveChoice:
        """Return the best of the moves that the budget allows, tried in random order."""
        side = position.side_to_move
        moves = position.legal_moves()
        rng.shuffle(moves)
        best, best_score = moves[0], -2.0
        for index, move in enumerate(moves):
            if index and budget.is_spent(index):
                break
            score = score_of(position.play(move), side)
            if score > best_score:
                best, best_score = move, score
        return MoveChoice(best, score=best_score, depth=1, nodes=len(moves))


class Careless:
    """A player that moves like `Greedy`, but sometimes makes any legal move: for beginners.

    `greedy` won 100 of 100 games against `random` on Morlox 7x7. `docs/play/levels.md` has the
    levels between them.
    """

    def __init__(self, percent: int) -> None:
        self._percent = percent
        self._careful = Greedy()

    def choose(self, position: Position, *, budget: Budget, rng: random.Random) -> MoveChoice:
        """Any move in `percent` of all cases, else the one that looks best."""
        if rng.randrange(100) < self._percent:
            return MoveChoice(position.random_move(rng))
        return self._careful.choose(position, budget=budget, rng=rng)
