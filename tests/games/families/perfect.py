"""The Perfect Game?: the symmetries of its board, and the claims of its figures' captions."""

from __future__ import annotations

from collections.abc import Callable

import games
from games.core import Side
from games.presentation import Figure
from tests.games.claims import ends, grounds, pieces, rule_against, turned
from tests.games.symmetries import SQUARE_NAME, Symmetry


def symmetries(_seed: int) -> list[Symmetry]:
    """Return the diagonal through both start corners, and the half-turn, which exchanges the colours."""
    start = games.load("perfect()").initial()
    return [Symmetry("mirrored at the long diagonal", start, start, _transposed)]


def _transposed(move: str) -> str:
    return SQUARE_NAME.sub(
        lambda match: f"{chr(ord('a') + int(match[2]) - 1)}{ord(match[1]) - ord('a') + 1}", move
    )


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


def saved(figure: Figure) -> None:
    """Verify that the red group is closed in by +d2 and touches d1.

    Without a start square it is turned over.
    """
    after = figure.position.play(figure.move)
    ground = grounds(after)
    assert [ground[cell] for cell in ("e1", "e2")] == ["tile-orange", "tile-red"]
    assert turned(figure) == set()
    around = {ground[cell] for cell in ("f1", "f2", "e3", "d2")}
    assert around <= {"tile-blue", "tile-green"}
    assert figure.position.colour_of(figure.position.side_to_move) == "blue"
    assert ground["d1"] == "start-red"
    # This shape one file on touches no start square.
    other = games.load("perfect()").initial()
    for move in ("+f1", "+g1", "+f2", "+g2", "+b7", "+f3", "+b9", "+e2", "+g8", "+e1"):
        other = other.play(move)
    assert {grounds(other)[cell] for cell in ("f1", "f2")} == {"flipped-purple", "flipped-yellow"}


def step(figure: Figure) -> None:
    assert set(figure.targets) == {
        c for c in ends(figure.position, "d4") if c[0] == "d" or c[1] == "4"
    }
    assert len(figure.targets) == 4


def series(figure: Figure) -> None:
    """Verify the jumps of a series.

    They go over a man of his own, over one he captures on neutral e5, and over one who is safe on
    his own colours.
    """
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


def re_entry(figure: Figure) -> None:
    """Verify that Red has captured: one of Blue's ten men is in hand, and may enter on i8 or j7."""
    men = pieces(figure.position)
    assert sorted(men.values()).count("blue-man") == 9
    assert figure.position.colour_of(figure.position.side_to_move) == "blue"
    assert set(figure.position.legal_moves()) == {"@i8", "@j7"}
    assert rule_against(figure.position, "h8-h7") == "perfect/D-P18"
    ground_of = grounds(figure.position)
    homes = {cell for cell in ground_of if ground_of[cell] in {"start-blue", "start-green"}}
    assert len(homes) == 10
    assert homes - set(men) == {"i8", "j7"}


def goal(figure: Figure) -> None:
    assert figure.position.outcome() is None
    after = figure.position.play(figure.move)
    assert after.outcome() == "first"
    assert after.colour_of(Side.FIRST) == "red"


CLAIMS: dict[str, Callable[[Figure], None]] = {
    "start": start,
    "before_flip": one_way_out,
    "after_flip": tile_turned,
    "saved": saved,
    "step": step,
    "series": series,
    "capture": must_capture,
    "protected": protected,
    "re_entry": re_entry,
    "goal": goal,
}
