"""Morelli: the symmetries of its board, and the claims of its figures' captions."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

import games
from games.core import Side
from games.morelli.figures import position_of
from games.morelli.position import MorelliPosition
from games.presentation import Figure
from tests.games.claims import ends, grounds, pieces, played, rule_against, turned
from tests.games.symmetries import Symmetry


def symmetries(seed: int) -> list[Symmetry]:
    """Return the eight symmetries of the square, for a random ring in both editions."""
    maps = []
    for key in ("morelli(size=7,setup=ring)", "morelli(edition=original,size=7,setup=ring)"):
        ruleset = games.load(key)
        start = ruleset.initial(seed=seed)
        for turns in range(4):
            for is_mirrored in (False, True):
                square = _Square(ruleset.size, turns, is_mirrored)
                image = ruleset.initial(ring=square.ring(_full_ring(start)))
                name = f"{key} turned {turns}{' mirrored' if is_mirrored else ''}"
                maps.append(Symmetry(name, start, image, square.move))
    return maps


def _full_ring(position: games.Position) -> str:
    letters = {cell.name: (cell.piece or "-")[0].upper() for cell in position.cells()}
    return "".join(letters[name] for name in _ring_names(position.ruleset.size))


def _ring_names(size: int) -> list[str]:
    last = size - 1
    corners = [
        *((0, k) for k in range(last)),
        *((k, last) for k in range(last)),
        *((last, last - k) for k in range(last)),
        *((last - k, 0) for k in range(last)),
    ]
    return [f"{chr(ord('A') + file)}{rank + 1}" for file, rank in corners]


@dataclass(frozen=True)
class _Square:
    size: int
    turns: int
    is_mirrored: bool

    def cell(self, name: str) -> str:
        file, rank = ord(name[0]) - ord("A"), int(name[1:]) - 1
        if self.is_mirrored:
            file, rank = rank, file
        for _ in range(self.turns):
            file, rank = rank, self.size - 1 - file
        return f"{chr(ord('A') + file)}{rank + 1}"

    def ring(self, ring: str) -> str:
        names = _ring_names(self.size)
        letters = {self.cell(name): letter for name, letter in zip(names, ring, strict=True)}
        return "".join(letters[name] for name in names)

    def move(self, move: str) -> str:
        start, end, *captured = map(self.cell, re.findall(r"[A-Z]\d+", move))
        captured.sort(key=lambda name: (name[0], int(name[1:])))
        text = f"{start}-{end}" + (f" x{''.join(captured)}" if captured else "")
        return text + "*" * move.endswith("*")


def across(cell: games.view.Cell, size: int) -> tuple[int, int]:
    return size - 1 - cell.column, size - 1 - cell.row


def board(figure: Figure) -> None:
    """Verify a board of thirteen by thirteen.

    Each piece faces one of the other colour across the centre.
    """
    cells = {(cell.column, cell.row): cell for cell in figure.position.cells()}
    assert figure.position.ruleset.size == 13
    standing = [cell for cell in cells.values() if cell.piece]
    assert len(standing) == 48
    assert all(
        {cell.piece, cells[across(cell, 13)].piece} == {"black", "white"} for cell in standing
    )


def facing(figure: Figure) -> None:
    stones = pieces(figure.position)
    assert [stones[f"{file}1"] for file in "ABCDEFGH"] == ["black"] * 8
    assert [stones[f"{file}9"] for file in "BCDEFGHI"] == ["black"] * 8
    assert [stones[f"A{rank}"] for rank in range(2, 10)] == ["white"] * 8
    assert [stones[f"I{rank}"] for rank in range(1, 9)] == ["white"] * 8


def adjacent(figure: Figure) -> None:
    stones = pieces(figure.position)
    black = {f"A{rank}" for rank in range(1, 10)} | {f"{file}1" for file in "ABCDEFGH"}
    assert {cell for cell, colour in stones.items() if colour == "black"} == black
    assert len(stones) == 32


def free(figure: Figure) -> None:
    """Verify that A2 is closed in, the corners are Black's, and neither side has the Centre when play begins."""
    stones = pieces(figure.position)
    assert (stones["A1"], stones["A2"], stones["A3"]) == ("black", "white", "black")
    assert {stones[cell] for cell in ("A1", "A9", "I9", "I1")} == {"black"}
    assert sorted(stones.values()) == ["black"] * 16 + ["white"] * 16
    assert figure.position.ruleset.options["setup"] == "free"
    assert (figure.position.phase, figure.position.ply) == ("play", 32)


def movement(figure: Figure) -> None:
    """Verify 21 moves: as far as L5 along the rank, not to I13, M5 or E1, on the Red band like A5."""
    reached = ends(figure.position, "A5")
    assert len(reached) == len(figure.position.legal_moves()) == 21
    assert set(figure.targets) == reached
    assert "L5" in reached
    for cell in ("I13", "M5", "E1"):
        assert grounds(figure.position)[cell] == grounds(figure.position)["A5"]
        assert rule_against(figure.position, f"A5-{cell}") == "morelli-2015/4.2.1"


def open_throne(figure: Figure) -> None:
    assert {"F5", "G5", "H5"} <= ends(figure.position, "A5")
    assert set(figure.targets) == {c for c in ends(figure.position, "A5") if c.endswith("5")}


def taken_throne(figure: Figure) -> None:
    for king in Side:
        position = position_of(black="A5", king=king)
        assert rule_against(position, "A5-F5") == "morelli-2015/4.2.3"
    assert set(figure.targets) == {"B5", "C5", "D5"}


def capture(figure: Figure) -> None:
    """Verify that the white piece is between D7 and F7."""
    assert pieces(figure.position)["F7"] == "black"
    assert turned(figure) == {"E7"}
    assert figure.position.canonical("A7-D7") == figure.move


def captures(figure: Figure) -> None:
    assert turned(figure) == {"C4", "C6", "D6"}


def swoop(figure: Figure) -> None:
    """Verify B4 from B3, E3 from D2, six from I6, and E3 in between D10 and F10 without harm."""
    legal = figure.position.legal_moves()
    assert {"D1-B3 xB4", "D1-D2 xE3", "D1-I6 xH7I5I7J5J6J7"} <= set(legal)
    assert len(turned(figure)) == 6
    stones = pieces(figure.position)
    other = position_of(
        black=" ".join(cell for cell, colour in stones.items() if colour == "black"),
        white=" ".join(cell for cell, colour in stones.items() if colour == "white"),
        size=13,
        turn=Side.SECOND,
    )
    after = pieces(other.play("E3-E10"))
    assert (after["D10"], after["E10"], after["F10"]) == ("black", "white", "black")


def completed(figure: Figure, move: str) -> tuple[set[str], str]:
    """Return the band of the pieces that a move adds to the mover's, by its ground, and the King on the Throne then."""
    after = figure.position.play(move)
    before, now = pieces(figure.position), pieces(after)
    king = now["G7"]
    colour = king.removesuffix("-king")
    added = {c for c, p in now.items() if p == colour and before.get(c) != colour}
    return {grounds(after)[cell] for cell in added}, king


def two_frames(figure: Figure) -> None:
    """Both are Green, and the corner that the second lacked is F4, which is captured."""
    green = grounds(figure.position)["D4"]
    for move in figure.moves:
        assert completed(figure, move) == ({green}, "black-king")
    now = pieces(figure.position.play("E3-E4 xF4*"))
    assert {now[cell] for cell in ("F4", "J6", "H10", "D8")} == {"black"}
    # Without the piece on F4 there is no frame.
    other = position_of(black="E3 D10 J10 J4 D8 H10 J6 G4", white="A8 M3", size=13)
    assert "E3-E4" in other.legal_moves()


def three_corners(figure: Figure) -> None:
    assert completed(figure, figure.move) == ({grounds(figure.position)["F7"]}, "white-king")
    assert pieces(figure.position)["H7"] == "white"
    assert turned(figure) == {"G6", "G8"}


def ripple(figure: Figure) -> None:
    """Verify that D6 is now between D7 and D5, which are black, and is white still."""
    assert turned(figure) == {"D7"}
    after = pieces(figure.position.play(figure.move))
    assert (after["D7"], after["D6"], after["D5"]) == ("black", "white", "black")


def frame(figure: Figure) -> None:
    """Verify that the four corners are on the Blue band and that Black's King takes the Throne."""
    after = figure.position.play(figure.move)
    stones, bands = pieces(after), grounds(after)
    assert {stones[cell] for cell in figure.frame} == {"black"}
    assert {bands[cell] for cell in figure.frame} == {bands["C3"]}
    assert stones["E5"] == "black-king"
    assert "E5" not in pieces(figure.position)


def frame_by_capture(figure: Figure) -> None:
    assert turned(figure) == {"D3"}
    after = pieces(figure.position.play(figure.move))
    assert after["E5"] == "black-king"
    assert {after[cell] for cell in ("C6", "F7", "G4", "D3")} == {"black"}


def frame_numbers(figure: Figure) -> None:
    """Verify the numbers 1 to 10 clockwise.

    A frame has one number at its four corners, and F12 is of Orange 5.
    """
    assert list(figure.signs.values()).count("1") == 5 * 4
    assert [figure.signs[f"{file}12"] for file in "BCDEFGHIJKL"] == [*map(str, range(1, 11)), "1"]
    for cell, number in figure.signs.items():
        (trait,) = figure.position.traits(cell)
        assert trait.name.rpartition(" ")[2] == number
        assert {figure.signs[corner] for corner in trait.cells} == {number}
    (orange,) = figure.position.traits("F12")
    assert orange.name == "Orange 5"
    assert set(figure.frame) == set(orange.cells)


def winners(position: games.Position) -> set[str]:
    """Return the sides that can win from here at all, with any moves of both sides, by colour, and `draw` besides."""
    outcome = position.outcome()
    if outcome is games.Outcome.DRAW:
        return {"draw"}
    if outcome is not None:
        return {position.colour_of(games.Side(outcome.value))}
    return set().union(*(winners(position.play(move)) for move in position.legal_moves()))


def study_lost(figure: Figure) -> None:
    """Verify that White wins with any moves, immediately or in two moves."""
    assert pieces(figure.position)["G7"] == "white-king"
    short, long = figure.lines
    assert (short[0], long[0], long[2]) == ("K10-J9", "K10-G10", "G10-F9")
    assert all(played(figure.position, line).outcome() for line in figure.lines)
    assert winners(figure.position) == {"white"}


def study_won(figure: Figure) -> None:
    """Verify that J9 wins for Black with any reply of White, and that G10 loses by force to a last move on F9."""
    assert pieces(figure.position)["G7"] == "black-king"
    assert pieces(figure.position) | {"G7": ""} == pieces(_other_study()) | {"G7": ""}
    assert winners(figure.position.play("K10-J9")) == {"black"}
    # The second move that White lacks: a frame by F11-F9.
    over = played(figure.position, ("K10-J9", "L11-F11"))
    assert isinstance(over, MorelliPosition)
    with_another_turn = replace(over, side_to_move=Side.SECOND)
    assert "F11-F9*" in with_another_turn.legal_moves()
    slow = played(figure.position, ("K10-G10", "L11-F11"))
    assert slow.legal_moves() == ["G10-F9"]
    last = played(slow, ("G10-F9", "F11-E10 xF9*"))
    assert last.outcome() is games.Outcome.SECOND


def _other_study() -> games.Position:
    figures = games.family_of("morelli").presentation.figures()
    return next(figure.position for figure in figures if figure.name == "study_lost")


def end(figure: Figure) -> None:
    """Verify that Black to move is stuck, has the Throne and wins.

    White's piece on G4 could still move.
    """
    assert figure.position.side_to_move is Side.FIRST
    assert figure.position.outcome() is games.Outcome.FIRST
    other = position_of(
        black="C3 C5 E3", white="E4 D3 C4 G4", king=Side.FIRST, size=7, turn=Side.SECOND
    )
    assert ends(other, "G4")


CLAIMS: dict[str, Callable[[Figure], None]] = {
    "board": board,
    "facing": facing,
    "adjacent": adjacent,
    "free": free,
    "movement": movement,
    "open_throne": open_throne,
    "taken_throne": taken_throne,
    "capture": capture,
    "captures": captures,
    "captured": captures,
    "swoop": swoop,
    "ripple": ripple,
    "frame": frame,
    "frame_by_capture": frame_by_capture,
    "two_frames": two_frames,
    "three_corners": three_corners,
    "frame_numbers": frame_numbers,
    "end": end,
    "study_lost": study_lost,
    "study_won": study_won,
}
