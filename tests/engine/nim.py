"""A tiny game for tests of the referee: take one, two or three from a heap. The last stone wins.

After `take 3` the side moves again, so the ply's parity does not give the side to move, and
its moves have a space inside. `take 03` is another spelling of `take 3`.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from games.core import BadSetupError, IllegalMoveError, Outcome, Position, Side
from games.view import Cell, Goal, Notice, Trait


@dataclass(frozen=True)
class Heap:
    """The number of stones left."""

    stones: int
    side_to_move: Side = Side.FIRST
    ply: int = 0
    winner: Side | None = None
    phase: str = "play"

    @property
    def ruleset(self) -> Nim:
        return Nim()

    def colour_of(self, side: Side) -> str:
        return "black" if side is Side.FIRST else "white"

    def legal_moves(self) -> list[str]:
        return [f"take {count}" for count in (1, 2, 3) if count <= self.stones]

    def canonical(self, move: str) -> str:
        return move.replace("take 0", "take ")

    def play(self, move: str) -> Heap:
        if self.canonical(move) not in self.legal_moves():
            raise IllegalMoveError(move, rule="nim/1", detail="no such heap")
        count = int(move.removeprefix("take "))
        return replace(
            self,
            stones=self.stones - count,
            ply=self.ply + 1,
            side_to_move=self.side_to_move if count == 3 else self.side_to_move.opponent,
            winner=self.side_to_move if count == self.stones else None,
        )

    def outcome(self) -> Outcome | None:
        return Outcome.won_by(self.winner) if self.winner else None

    def text(self) -> str:
        return f"{self.stones} {self.side_to_move}"

    def evaluation(self) -> float:
        if self.winner:
            return 1.0 if self.winner is self.side_to_move else -1.0
        return 0.0

    def random_move(self, rng: random.Random) -> str:
        return rng.choice(self.legal_moves())

    def playout(self, rng: random.Random) -> Outcome:
        position = self
        while (outcome := position.outcome()) is None:
            position = position.play(position.random_move(rng))
        return outcome

    def cells(self) -> Sequence[Cell]:
        return ()

    def traits(self, at: str | None = None) -> Sequence[Trait]:
        return ()

    def notices(self) -> Sequence[Notice]:
        return ()


@dataclass(frozen=True)
class Nim:
    """The rule set. Its set-up is the size of the heap."""

    key: str = "nim()"
    family: str = "nim"
    size: int = 1
    max_plies: int = 99
    has_agreement: bool = True
    has_draw_offers: bool = False
    topic: str = "frames"

    @property
    def options(self) -> Mapping[str, str]:
        return {}

    @property
    def goals(self) -> Sequence[Goal]:
        return ()

    def initial(self, **setup: Any) -> Heap:
        return Heap(setup.get("heap", 7))

    def setup_text(self, position: Position) -> str:
        return f"heap={position.text().split()[0]}"

    def start(self, setup: str) -> Heap:
        name, _, stones = setup.partition("=")
        if name != "heap" or not stones.isdigit():
            raise BadSetupError(f"no heap: {setup!r}")
        return Heap(int(stones))

    def parse(self, text: str) -> Heap:
        stones, side = text.split()
        return Heap(int(stones), Side(side))

    def move_path(self, move: str) -> tuple[str, ...]:
        return ()

    def move_takes(self, move: str) -> tuple[tuple[str, ...], ...]:
        return ()
