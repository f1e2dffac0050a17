"""The figures of the rules pages: what each caption says is asked of the code that plays the games."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import games
from games import animation
from games.core import Side
from games.morelli.figures import position_of
from tournaments.views.rules import figures

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.presentation import Figure

FAMILIES = [family.name for family in games.available()]
ALL = [(family, name) for family in FAMILIES for name in figures.of_family(family)]


def pieces(position: games.Position) -> dict[str, str]:
    return {cell.name: cell.piece for cell in position.cells() if cell.piece}


def grounds(position: games.Position) -> dict[str, str]:
    return {cell.name: cell.ground for cell in position.cells()}


def ends(position: games.Position, start: str) -> set[str]:
    """Where the piece on `start` may go."""
    paths = [position.ruleset.move_path(move) for move in position.legal_moves()]
    return {path[-1] for path in paths if path and path[0] == start}


def rule_against(position: games.Position, move: str) -> str:
    with pytest.raises(games.IllegalMoveError) as refused:
        position.play(move)
    return refused.value.rule


def turned(figure: Figure) -> set[str]:
    after = figure.position.play(figure.move)
    path = after.ruleset.move_path(figure.move)
    return set(animation.changed_cells(figure.position.cells(), after.cells(), path))


def across(cell: games.view.Cell, size: int) -> tuple[int, int]:
    return size - 1 - cell.column, size - 1 - cell.row


def board(figure: Figure) -> None:
    """Thirteen by thirteen; each piece faces one of the other colour across the centre."""
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


def movement(figure: Figure) -> None:
    """21 moves; as far as L5 along the rank; not to I13, M5 or E1, on the Red band like A5."""
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
    """The white piece stands between D7 and F7."""
    assert pieces(figure.position)["F7"] == "black"
    assert turned(figure) == {"E7"}
    assert figure.position.canonical("A7-D7") == figure.move


def captures(figure: Figure) -> None:
    assert turned(figure) == {"C4", "C6", "D6"}


def swoop(figure: Figure) -> None:
    """B4 from B3, E3 from D2, six from I6; E3 in between D10 and F10 without harm."""
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
    """The band of the pieces that a move adds to the mover's, by its ground, and who sits on the Throne then."""
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
    """D6 now stands between D7 and D5, which are black, and is white still."""
    assert turned(figure) == {"D7"}
    after = pieces(figure.position.play(figure.move))
    assert (after["D7"], after["D6"], after["D5"]) == ("black", "white", "black")


def frame(figure: Figure) -> None:
    """The four corners are on the Blue band; Black's King takes the Throne."""
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


def end(figure: Figure) -> None:
    """Black to move is stuck, has the Throne and wins; White's piece on G4 could still move."""
    assert figure.position.side_to_move is Side.FIRST
    assert figure.position.outcome() is games.Outcome.FIRST
    other = position_of(
        black="C3 C5 E3", white="E4 D3 C4 G4", king=Side.FIRST, size=7, turn=Side.SECOND
    )
    assert ends(other, "G4")


def closed_to_white(figure: Figure) -> None:
    assert rule_against(figure.position, figure.targets[0]) == "morlox/control"


def before_flip(figure: Figure) -> None:
    assert pieces(figure.position)["d4"] == "white"
    assert "d4x" in figure.position.legal_moves()


def after_flip(figure: Figure) -> None:
    after = pieces(figure.position.play(figure.move))
    assert after == pieces(figure.position) | {"d4": "black"}


def chain(figure: Figure) -> None:
    """From e7 to d1: Black is to move and has won."""
    stones = pieces(figure.position)
    reached, waiting = set(), ["e7"]
    while waiting:
        cell = waiting.pop()
        if stones.get(cell) != "black" or cell in reached:
            continue
        reached.add(cell)
        file, rank = ord(cell[0]), int(cell[1])
        waiting += [f"{chr(file + d)}{rank}" for d in (-1, 1)]
        waiting += [f"{chr(file)}{rank + d}" for d in (-1, 1)]
    assert "d1" in reached
    assert figure.position.colour_of(figure.position.side_to_move) == "black"
    assert figure.position.outcome() == figure.position.side_to_move.value


def swap(figure: Figure) -> None:
    assert "swap" in figure.position.legal_moves()
    after = figure.position.play("swap")
    assert after.colour_of(Side.SECOND) == "black"
    assert pieces(after) == pieces(figure.position)


def start(figure: Figure) -> None:
    """The men at home, no tile laid."""
    men = pieces(figure.position)
    assert sorted(men.values()) == ["blue-man"] * 10 + ["red-man"] * 10
    assert men["a1"] == "red-man"
    assert men["j10"] == "blue-man"
    assert set(grounds(figure.position).values()) >= {"purple", "yellow"}


def one_way_out(figure: Figure) -> None:
    """Red's tile on e5 has one way out left, e6."""
    red = figure.position.cells()
    ground = {cell.name: cell.ground for cell in red}
    around = {name: ground[name] for name in ("d5", "f5", "e4", "e6")}
    assert {name for name, what in around.items() if what in {"purple", "yellow"}} == {"e6"}


def tile_turned(figure: Figure) -> None:
    """Blue takes it with +e6: turned over, the square stays occupied."""
    assert figure.position.colour_of(figure.position.side_to_move) == "blue"
    after = figure.position.play("+e6")
    assert "e5" in turned(figure)
    assert rule_against(after, "+e5").startswith("perfect/")


def step(figure: Figure) -> None:
    assert set(figure.targets) == {
        c for c in ends(figure.position, "d4") if c[0] == "d" or c[1] == "4"
    }
    assert len(figure.targets) == 4


def series(figure: Figure) -> None:
    """Over a man of his own, over one he captures on neutral e5, over one who is safe on his own colours."""
    before = pieces(figure.position)
    after = pieces(figure.position.play(figure.move))
    assert (before["c3"], before["e5"], before["g7"]) == ("red-man", "blue-man", "blue-man")
    assert "e5" not in after
    assert (after["c3"], after["g7"], after["h8"]) == ("red-man", "blue-man", "red-man")


def must_capture(figure: Figure) -> None:
    assert figure.position.legal_moves() == ["d4xf6"]
    assert rule_against(figure.position, "a4-a5") == "perfect/D-P15"


def protected(figure: Figure) -> None:
    assert pieces(figure.position.play("d6-f8"))["e7"] == "blue-man"


def goal(figure: Figure) -> None:
    assert figure.position.outcome() is None
    after = figure.position.play(figure.move)
    assert after.outcome() == "first"
    assert after.colour_of(Side.FIRST) == "red"


CLAIMS: dict[str, dict[str, Callable[[Figure], None]]] = {
    "morelli": {
        "board": board,
        "facing": facing,
        "adjacent": adjacent,
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
        "end": end,
    },
    "morlox": {
        "three": closed_to_white,
        "diagonal": closed_to_white,
        "edge": closed_to_white,
        "before_flip": before_flip,
        "after_flip": after_flip,
        "chain": chain,
        "swap": swap,
    },
    "perfect": {
        "start": start,
        "before_flip": one_way_out,
        "after_flip": tile_turned,
        "step": step,
        "series": series,
        "capture": must_capture,
        "protected": protected,
        "goal": goal,
    },
}


@pytest.mark.parametrize(("family", "name"), ALL, ids=[f"{f}-{n}" for f, n in ALL])
def test_what_the_caption_says_is_so(family: str, name: str) -> None:
    CLAIMS[family][name](figures.of_family(family)[name])


def test_every_figure_has_its_caption_and_its_claim() -> None:
    for family in FAMILIES:
        named = games.family_of(family).presentation.figures()
        assert len({figure.name for figure in named}) == len(named)
        assert {figure.name for figure in named} == set(CLAIMS[family])
        assert all(figure.caption for figure in named)


@pytest.mark.parametrize(("family", "name"), ALL, ids=[f"{f}-{n}" for f, n in ALL])
def test_every_move_to_click_through_is_legal_and_written_out(family: str, name: str) -> None:
    figure = figures.of_family(family)[name]
    for move in figure.moves:
        assert figure.position.canonical(move) == move
