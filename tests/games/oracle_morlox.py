"""A second Morlox, slow and obvious, from the rule text alone."""

from __future__ import annotations

from dataclasses import dataclass, field

Square = tuple[int, int]
Directions = dict[str, tuple[int, int]]

ORTHOGONAL = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
DIAGONAL = {"NE": (1, 1), "SE": (1, -1), "SW": (-1, -1), "NW": (-1, 1)}
# "two adjacent orthogonal directions and two opposite diagonal directions, provided that each one
# of the latter directions is adjacent to exactly one of the former": NW is adjacent to N, SE to E.
# NE and SW are not.
FOURS = [
    ({"N", "E"}, {"NW", "SE"}),
    ({"E", "S"}, {"NE", "SW"}),
    ({"S", "W"}, {"NW", "SE"}),
    ({"W", "N"}, {"NE", "SW"}),
]


def name(square: Square) -> str:
    return f"{'abcdefghijklmnopqrstuvwxyz'[square[0]]}{square[1] + 1}"


@dataclass
class OracleGame:
    """A game in progress. Colours are `black` and `white`. `owner` says which person has which."""

    size: int
    swap: bool
    stones: dict[Square, str] = field(default_factory=dict)
    turn: str = "black"
    turns_taken: int = 0
    owner: dict[str, str] = field(default_factory=lambda: {"black": "first", "white": "second"})

    @property
    def squares(self) -> list[Square]:
        return [(file, rank) for file in range(self.size) for rank in range(self.size)]

    def enemy(self, colour: str) -> str:
        return "white" if colour == "black" else "black"

    def first_stone_seen(self, square: Square, step: tuple[int, int]) -> str | None:
        file, rank = square[0] + step[0], square[1] + step[1]
        while 0 <= file < self.size and 0 <= rank < self.size:
            if (file, rank) in self.stones:
                return self.stones[file, rank]
            file, rank = file + step[0], rank + step[1]
        return None

    def sees(self, square: Square, colour: str, directions: Directions) -> set[str]:
        return {
            way for way, step in directions.items() if self.first_stone_seen(square, step) == colour
        }

    def controls(self, colour: str, square: Square) -> bool:
        straight = self.sees(square, colour, ORTHOGONAL)
        oblique = self.sees(square, colour, DIAGONAL)
        if len(straight) >= 3:
            return True
        if any(pair <= straight and others <= oblique for pair, others in FOURS):
            return True
        on_perimeter = bool({0, self.size - 1} & set(square))
        return on_perimeter and len(straight) >= 2

    def has_chain(self, colour: str) -> bool:
        """Return whether stones of `colour` join bottom and top (black) or left and right (white)."""
        axis = 1 if colour == "black" else 0
        own = {square for square, stone in self.stones.items() if stone == colour}
        seen = [square for square in own if square[axis] == 0]
        for file, rank in seen:  # grows while we walk it
            for step in ORTHOGONAL.values():
                neighbour = (file + step[0], rank + step[1])
                if neighbour in own and neighbour not in seen:
                    seen.append(neighbour)
        return any(square[axis] == self.size - 1 for square in seen)

    def winner(self) -> str | None:
        return self.owner[self.turn] if self.has_chain(self.turn) else None

    def legal_moves(self) -> list[str]:
        if self.winner():
            return []
        enemy = self.enemy(self.turn)
        moves = []
        for square in self.squares:
            if square not in self.stones and not self.controls(enemy, square):
                moves.append(name(square))
            if self.stones.get(square) == enemy and self.controls(self.turn, square):
                moves.append(name(square) + "x")
        if self.swap and self.turns_taken == 1:
            moves.append("swap")
        return sorted(moves) or ["pass"]

    def play(self, move: str) -> None:
        self.turns_taken += 1
        if move == "swap":
            self.owner = {"black": self.owner["white"], "white": self.owner["black"]}
            return
        if move != "pass":
            square = next(square for square in self.squares if name(square) == move.rstrip("x"))
            self.stones[square] = self.turn
        self.turn = self.enemy(self.turn)


def potential(game: OracleGame) -> int:
    """3 x visible orthogonal pairs + visible diagonal pairs of a colour, as in `max_plies`."""
    total = 0
    for square, stone in game.stones.items():
        total += 3 * len(game.sees(square, stone, {"N": (0, 1), "E": (1, 0)}))
        total += len(game.sees(square, stone, {"NE": (1, 1), "SE": (1, -1)}))
    return total
