"""The strength of the kernel against players without knowledge of it.

`python -m tests.bench.strength RULESET uct|visits|search KERNEL_MS MS GAMES [WORD=NUMBER ...]`:
pairs of games from one start with sides exchanged, and the kernel's score after each. Times a move
are of the processor, so that a busy machine has no effect. The words are those of the kernel's
search, such as `method=1`, and `first`, the number of the first start.

`uct` is a plain UCT in Python with the random games of `games`. `visits` is one in the kernel,
which makes at each move the number of visits that `uct` would make in its time: a twentieth of that
time is spent to count them. It plays no worse, as it proves wins besides, and a game costs a
seventh of the time.
"""

from __future__ import annotations

import functools
import itertools
import math
import random
import sys
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import games
from engine.kernel.host import Kernel
from engine.players.core import Budget
from engine.players.search import TreeSearch
from games.core import Outcome, Side

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from games.core import Position

_NS_PER_MS = 1_000_000
_SLICE_NODES = {"perfect": 2000}
_FUEL = 10**12
_SAMPLE = 0.05
# Like `uct`: no RAVE, the constant of exploration in thousandths, and uniform random games.
_PLAIN = {"method": 1, "amaf": 1, "exploration": 1000, "uniform": 1}
_EXPLORATION = 1.0
# A rule set with one start begins after this number of random plies, in positions with even chances
# in random games. Otherwise one side wins both games of most pairs, with either player.
_OPENING_PLIES = 4
_OPENING_VISITS = 5_000
_EVEN_PERMILLE = range(400, 601)


@dataclass(slots=True)
class _Node:
    """A position of the plain UCT. Values are those of the side that moved here."""

    position: Position
    untried: list[str]
    children: dict[str, _Node] = field(default_factory=dict)
    visits: int = 0
    total: float = 0.0


def main(words: Sequence[str]) -> None:
    """Play the games, printing the score after each pair."""
    key, opponent, kernel_ms, opponent_ms, count, *others = words
    search_words = {name: int(value) for name, value in (word.split("=") for word in others)}
    first = search_words.pop("first", 1)
    ruleset = games.load(key)
    kernel = Kernel(fuel=_FUEL)
    slice_nodes = _SLICE_NODES.get(ruleset.family, 50)
    points, number = 0.0, 0
    for seed in range(first, first + int(count) // 2):
        rng = random.Random(seed)
        start = ruleset.initial(seed=seed)
        if not ruleset.setup_text(start):
            start = _even_start(start, kernel, rng)
        for side in Side:
            position = start
            while (outcome := position.outcome()) is None:
                if position.side_to_move is side:
                    move = _kernel_move(
                        kernel, position, float(kernel_ms), slice_nodes, search_words
                    )
                else:
                    move = _CHOICES[opponent](position, float(opponent_ms), rng)
                position = position.play(move)
            number += 1
            points += 0.5 if outcome is Outcome.DRAW else float(outcome is Outcome.won_by(side))
        print(f"{key} {opponent} {kernel_ms}:{opponent_ms} ms {points:g}/{number}", flush=True)


def _even_start(first: Position, kernel: Kernel, rng: random.Random) -> Position:
    while True:
        start = first
        for _ in range(_OPENING_PLIES):
            start = start.play(start.random_move(rng))
        report = kernel.load(start).search(_OPENING_VISITS, seed=rng.randrange(10**9), **_PLAIN)
        if report.lines[0].win_permille in _EVEN_PERMILLE:
            return start


def _kernel_move(
    kernel: Kernel,
    position: Position,
    milliseconds: float,
    slice_nodes: int,
    search_words: Mapping[str, int],
) -> str:
    end = time.process_time_ns() + milliseconds * _NS_PER_MS
    kernel.load(position)
    kernel.begin_search(seed=position.ply, **search_words)
    report = kernel.search_on(slice_nodes)
    while not report.is_finished and time.process_time_ns() < end:
        report = kernel.search_on(slice_nodes)
    return report.lines[0].moves[0]


def _uct(position: Position, milliseconds: float, rng: random.Random) -> str:
    """UCT (Kocsis and Szepesvari 2006) with uniform random playouts of `games`."""
    end = time.process_time_ns() + milliseconds * _NS_PER_MS
    root = _Node(position, position.legal_moves())
    while time.process_time_ns() < end and len(root.untried) + len(root.children) > 1:
        _visit(root, rng)
    if not root.children:
        return rng.choice(root.untried)
    return max(root.children, key=lambda move: root.children[move].visits)


def _uct_by_visits(position: Position, milliseconds: float, rng: random.Random) -> str:
    end = time.process_time_ns() + milliseconds * _SAMPLE * _NS_PER_MS
    root = _Node(position, position.legal_moves())
    visits = 0
    while time.process_time_ns() < end:
        _visit(root, rng)
        visits += 1
    kernel = _opponent().load(position)
    report = kernel.search(round(visits / _SAMPLE), seed=rng.randrange(10**9), **_PLAIN)
    return report.lines[0].moves[0]


@functools.cache
def _opponent() -> Kernel:
    """Return a separate instance, without state shared with the measured player."""
    return Kernel(fuel=_FUEL)


def _visit(root: _Node, rng: random.Random) -> None:
    path = [root]
    node = root
    while not node.untried and node.children:
        log = math.log(node.visits)
        node = max(
            node.children.values(),
            key=lambda child: (
                child.total / child.visits + _EXPLORATION * math.sqrt(log / child.visits)
            ),
        )
        path.append(node)
    if node.untried:
        move = node.untried.pop(rng.randrange(len(node.untried)))
        position = node.position.play(move)
        child = _Node(position, position.legal_moves())
        node.children[move] = child
        path.append(child)
    outcome = path[-1].position.outcome() or path[-1].position.playout(rng)
    path[0].visits += 1
    for parent, child in itertools.pairwise(path):
        mover = parent.position.side_to_move
        child.visits += 1
        child.total += 0.5 if outcome is Outcome.DRAW else float(outcome is Outcome.won_by(mover))


def _search(position: Position, milliseconds: float, rng: random.Random) -> str:
    end = time.process_time_ns() + int(milliseconds * _NS_PER_MS)
    budget = Budget(end, 1 << 62, time.process_time_ns)
    return TreeSearch().choose(position, budget=budget, rng=rng).move


_CHOICES = {"uct": _uct, "visits": _uct_by_visits, "search": _search}


if __name__ == "__main__":
    main(sys.argv[1:])
