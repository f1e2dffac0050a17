"""Monte-Carlo tree search that trusts an evaluation as far as the game deserves it.

UCT (Kocsis and Szepesvari 2006) with three changes that matter when a node has 200 moves and there is time for a
few hundred visits: moves are tried in the order of their one-ply evaluation, only as many as the visits justify
(progressive widening, Coulom 2007), and a leaf counts as a blend of its evaluation and one random playout.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.players.core import Budget, Choice, score_of
from games.core import Outcome, Side

if TYPE_CHECKING:
    import random

    from games.core import Position

_VALUES = {Outcome.FIRST: 1.0, Outcome.SECOND: -1.0, Outcome.DRAW: 0.0}


@dataclass(frozen=True, slots=True)
class Tuning:
    """How to search a game.

    Attributes:
        playout_share: weight of the playout in a leaf's value, the rest being the evaluation's; 0 plays none out.
        exploration: the constant of UCB1.
        breadth: moves tried at a node after one visit; grows with the square root of the visits.
    """

    playout_share: float
    exploration: float
    breadth: float


_TUNINGS = {
    "morelli": Tuning(playout_share=0.5, exploration=0.4, breadth=3.0),
    "morlox": Tuning(playout_share=0.5, exploration=0.4, breadth=2.0),
    "perfect": Tuning(playout_share=0.0, exploration=0.2, breadth=3.0),
}
_OTHERS = Tuning(playout_share=0.5, exploration=0.5, breadth=3.0)


class _Node:
    """A position in the tree. `total` sums the values of its visits as the first side sees them, from -1 to 1."""

    __slots__ = ("children", "move", "position", "total", "untried", "visits")

    def __init__(self, position: Position, move: str, prior: float) -> None:
        self.position = position
        self.move = move
        # The evaluation counts as a first visit.
        self.visits = 1
        self.total = prior
        self.children: list[_Node] = []
        self.untried: list[_Node] | None = None

    @property
    def mean(self) -> float:
        """The value so far, as the first side sees it."""
        return self.total / self.visits


class TreeSearch:
    """The `search` player. The same seed, position and number of nodes give the same move."""

    def choose(self, position: Position, *, budget: Budget, rng: random.Random) -> Choice:
        """See `Player`."""
        tuning = _TUNINGS.get(position.ruleset.family, _OTHERS)
        return _Search(position, tuning, budget, rng).run()


class _Search:
    """One search, from its root to a choice."""

    def __init__(
        self, position: Position, tuning: Tuning, budget: Budget, rng: random.Random
    ) -> None:
        self._tuning = tuning
        self._budget = budget
        self._rng = rng
        self._root = _Node(position, "", 0.0)
        self._nodes = 0
        self._depth = 0

    def run(self) -> Choice:
        """Search until the budget is spent."""
        root = self._root
        sign = _sign(root.position.side_to_move)
        self._expand(root)
        while not self._budget.is_spent(self._nodes) and not self._is_decided(sign):
            self._visit()
        opened = root.children or root.untried or []
        best = max(opened, key=lambda child: (child.visits, sign * child.mean))
        return Choice(best.move, score=sign * best.mean, depth=self._depth, nodes=self._nodes)

    def _is_decided(self, sign: float) -> bool:
        """Whether there is one move only, or one that wins at once."""
        if len(self._root.children) + len(self._root.untried or ()) == 1:
            return True
        opened = self._root.children[:1] or (self._root.untried or [])[-1:]
        return any(_is_won(child, sign) for child in opened)

    def _visit(self) -> None:
        """Walk to a leaf, value it, and tell its ancestors."""
        node = self._root
        path = [node]
        while node.position.outcome() is None:
            if node.untried is None and node.visits < 2:
                break
            fresh = self._opened(node)
            if fresh is not None:
                path.append(fresh)
                break
            node = self._favourite(node)
            path.append(node)
        self._depth = max(self._depth, len(path) - 1)
        self._nodes += 1
        value = self._value(path[-1])
        for visited in path:
            visited.visits += 1
            visited.total += value

    def _opened(self, node: _Node) -> _Node | None:
        """The next untried child when the visits justify another one."""
        if node.untried is None:
            self._expand(node)
        if not node.untried:
            return None
        if len(node.children) >= self._tuning.breadth * math.sqrt(node.visits):
            return None
        child = node.untried.pop()
        node.children.append(child)
        return child

    def _expand(self, node: _Node) -> None:
        """List the moves of `node`, the best last. Those for which the time was short come first."""
        side = node.position.side_to_move
        sign = _sign(side)
        moves = node.position.legal_moves()
        self._rng.shuffle(moves)
        children = []
        for seen, move in enumerate(moves):
            if seen % 32 == 31 and self._budget.is_spent(self._nodes):
                break
            position = node.position.play(move)
            children.append(_Node(position, move, sign * score_of(position, side)))
        children.sort(key=lambda child: sign * child.total)
        node.untried = children

    def _favourite(self, node: _Node) -> _Node:
        """The child with the highest upper confidence bound (UCB1)."""
        sign = _sign(node.position.side_to_move)
        scale = self._tuning.exploration * math.sqrt(math.log(node.visits + 1))
        return max(
            node.children,
            key=lambda child: sign * child.total / child.visits + scale / math.sqrt(child.visits),
        )

    def _value(self, leaf: _Node) -> float:
        """What a visit to `leaf` is worth to the first side."""
        outcome = leaf.position.outcome()
        if outcome is not None:
            return _VALUES[outcome]
        share = self._tuning.playout_share
        if not share:
            return leaf.mean
        return share * _VALUES[leaf.position.playout(self._rng)] + (1 - share) * leaf.mean


def _sign(side: Side) -> float:
    return 1.0 if side is Side.FIRST else -1.0


def _is_won(child: _Node, sign: float) -> bool:
    outcome = child.position.outcome()
    return outcome is not None and sign * _VALUES[outcome] > 0
