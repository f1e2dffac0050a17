"""A second Perfect Game?, slow and obvious, from the rule text and D-P1 to D-P25 alone.

Squares are (file, rank) from (1, 1) = a1 to (10, 10) = j10.
"""

from __future__ import annotations

from dataclasses import dataclass, field

Square = tuple[int, int]

EVERYWHERE = [(file, rank) for file in range(1, 11) for rank in range(1, 11)]
HOME = {
    "red": {square for square in EVERYWHERE if sum(square) <= 5},
    "blue": {square for square in EVERYWHERE if sum(square) >= 17},
}
ENEMY = {"red": "blue", "blue": "red"}


def name(square: Square) -> str:
    return f"{' abcdefghij'[square[0]]}{square[1]}"


NAMED = {name(square): square for square in EVERYWHERE}


def is_purple(square: Square) -> bool:
    return sum(square) % 2 == 1


def beside(square: Square) -> list[Square]:
    file, rank = square
    around = [(file, rank + 1), (file + 1, rank), (file, rank - 1), (file - 1, rank)]
    return [neighbour for neighbour in around if neighbour in EVERYWHERE]


@dataclass
class OracleGame:
    """A game in progress. `ground` maps a tiled square to `red`, `blue` or `flipped`."""

    first: str = "red"
    limit: int = 400
    ground: dict[Square, str] = field(default_factory=dict)
    left: dict[tuple[str, bool], int] = field(
        default_factory=lambda: {
            (colour, purple): 19 if purple else 21
            for colour in ("red", "blue")
            for purple in (True, False)
        }
    )
    men: dict[Square, str] = field(
        default_factory=lambda: {square: colour for colour in HOME for square in HOME[colour]}
    )
    turns: int = 0
    turn: str = ""
    result: str | None = None

    def __post_init__(self) -> None:
        self.turn = self.turn or self.first

    @property
    def is_tiling(self) -> bool:
        return len(self.ground) < 80

    def winner(self) -> str | None:
        """Return `red`, `blue`, `draw`, or None while the game is not over."""
        return self.result

    def legal_moves(self) -> list[str]:
        if self.result:
            return []
        if self.is_tiling:
            return sorted(
                f"+{name(square)}"
                for square in EVERYWHERE
                if square not in HOME["red"] | HOME["blue"]
                and square not in self.ground
                and self.left[self.turn, is_purple(square)]
            )
        return sorted(self.men_moves()) or ["pass"]

    def play(self, move: str) -> None:
        if self.is_tiling:
            self.lay(NAMED[move[1:]])
            if self.is_tiling:
                self.turn = ENEMY[self.turn]
            return  # the last to lay a tile is the first to move a man
        if move.startswith("@"):
            self.men[NAMED[move[1:]]] = self.turn
        elif move != "pass":
            self.travel(move)
        self.turns += 1
        self.judge()
        self.turn = ENEMY[self.turn]

    def lay(self, square: Square) -> None:
        mover, enemy = self.turn, ENEMY[self.turn]
        self.ground[square] = mover
        self.left[mover, is_purple(square)] -= 1
        doomed = [
            tile
            for tile in EVERYWHERE
            if self.ground.get(tile) == enemy
            and square in self.border(self.connected(tile))  # it became so by this move
            and all(
                self.ground.get(outer) == mover or outer in HOME[mover]
                for outer in self.border(self.connected(tile))
            )
        ]
        for tile in doomed:
            self.ground[tile] = "flipped"

    def connected(self, tile: Square) -> list[Square]:
        group = [tile]
        for member in group:  # grows while we walk it
            for other in beside(member):
                if self.ground.get(other) == self.ground[tile] and other not in group:
                    group.append(other)
        return group

    def border(self, group: list[Square]) -> set[Square]:
        return {outer for member in group for outer in beside(member)} - set(group)

    def colour_at(self, square: Square) -> str:
        """Return the owner of the square's colours: `red`, `blue` or, for a flipped tile, `flipped`."""
        for colour, home in HOME.items():
            if square in home:
                return colour
        return self.ground[square]

    def count(self, colour: str) -> int:
        return list(self.men.values()).count(colour)

    def men_moves(self) -> list[str]:
        own = [square for square, man in self.men.items() if man == self.turn]
        if self.count(self.turn) < 10:
            vacant = [square for square in HOME[self.turn] if square not in self.men]
            if vacant:
                return [f"@{name(square)}" for square in vacant]
            return [
                move
                for square in own
                if square in HOME[self.turn]
                for move in self.steps(square) + [text for text, _ in self.series(square)]
                if NAMED[move.replace("x", "-").split("-")[-1]] not in HOME[self.turn]
            ]
        series = [lines for square in own for lines in self.series(square)]
        if any(
            self.takes_neutral(self.men, square, over, beyond)
            for square in own
            for over, beyond in self.jumps(self.men, square)
        ):
            return [text for text, neutral_taken in series if neutral_taken]
        return [move for square in own for move in self.steps(square)] + [
            text for text, _ in series
        ]

    def steps(self, square: Square) -> list[str]:
        return [
            f"{name(square)}-{name(other)}" for other in beside(square) if other not in self.men
        ]

    def jumps(self, men: dict[Square, str], square: Square) -> list[tuple[Square, Square]]:
        """Adjacent men on diagonals with an empty square beyond, as (man, beyond)."""
        file, rank = square
        lines = [
            ((file + east, rank + north), (file + 2 * east, rank + 2 * north))
            for east in (-1, 1)
            for north in (-1, 1)
        ]
        return [
            (over, beyond)
            for over, beyond in lines
            if over in men and beyond in EVERYWHERE and beyond not in men
        ]

    def takes(self, men: dict[Square, str], over: Square) -> bool:
        enemy = ENEMY[self.turn]
        return men[over] == enemy and self.colour_at(over) != enemy

    def takes_neutral(
        self, men: dict[Square, str], _square: Square, over: Square, _beyond: Square
    ) -> bool:
        return self.takes(men, over) and self.colour_at(over) == "flipped"

    def series(self, start: Square) -> list[tuple[str, bool]]:
        """Return the series of the man on `start`, and whether each takes a man on neutral ground."""
        lifted = {square: man for square, man in self.men.items() if square != start}
        return self.go_on(start, start, lifted, frozenset(), name(start), (0, 0))

    def go_on(
        self,
        start: Square,
        here: Square,
        men: dict[Square, str],
        jumped: frozenset[Square],
        text: str,
        taken: tuple[int, int],
    ) -> list[tuple[str, bool]]:
        lines, must_go_on = [], False
        for over, beyond in self.jumps(men, here):
            if over in jumped:
                continue
            captured, neutral = self.takes(men, over), self.takes_neutral(men, here, over, beyond)
            must_go_on = must_go_on or neutral
            rest = {square: man for square, man in men.items() if square != over or not captured}
            lines += self.go_on(
                start,
                beyond,
                rest,
                jumped | {over},
                f"{text}{'x' if captured else '-'}{name(beyond)}",
                (taken[0] + captured, taken[1] + neutral),
            )
        has_moved = bool(jumped) and (here != start or taken[0] > 0)
        if has_moved and not must_go_on:
            lines.append((text, taken[1] > 0))
        return lines

    def travel(self, move: str) -> None:
        here = NAMED[move.replace("x", "-").split("-")[0]]
        man = self.men.pop(here)
        for sign, stop in zip(
            [letter for letter in move if letter in "-x"],
            move.replace("x", "-").split("-")[1:],
            strict=True,
        ):
            there = NAMED[stop]
            if sign == "x":
                del self.men[(here[0] + there[0]) // 2, (here[1] + there[1]) // 2]
            here = there
        self.men[here] = man

    def judge(self) -> None:
        """End the game when the mover has arrived or the turns are used up."""
        arrived = {
            colour: sum(self.men.get(square) == colour for square in HOME[ENEMY[colour]])
            for colour in HOME
        }
        if arrived[self.turn] == 10:
            self.result = self.turn
        elif self.turns == self.limit:
            waiting = {
                colour: 10
                - self.count(colour)
                + sum(self.men.get(square) == colour for square in HOME[colour])
                for colour in HOME
            }
            score = {colour: (arrived[colour], -waiting[colour]) for colour in HOME}
            best = max(score.values())
            leaders = [colour for colour in HOME if score[colour] == best]
            self.result = leaders[0] if len(leaders) == 1 else "draw"
