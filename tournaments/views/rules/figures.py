"""Pictures for posters and rules pages: real positions, drawn by the code that plays them."""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import get_language

import games
from games import svg
from tournaments.templatetags.rayuela import ruleset_name
from tournaments.text.captions import CAPTIONS
from tournaments.views.rules import positions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.utils.safestring import SafeString

_PLAIN = svg.Look()
_POSTERS = {
    "morelli": ("morelli(size=9)", 14),
    "morlox": ("morlox(size=9)", 34),
    "perfect": ("perfect()", 96),
}


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture of a position and what it points out.

    Attributes:
        examples: more moves that the text speaks of, all legal here.
        move: a legal move to show, as an arrow; with `is_after`, by the marks it leaves.
        targets: cells to point out: the piece on `selected` may go there, say.
        frame: four corners to join.
    """

    position: games.Position
    move: str = ""
    is_after: bool = False
    selected: str | None = None
    targets: Sequence[str] = ()
    frame: Sequence[str] = ()
    examples: Sequence[str] = ()
    name: str = ""

    @property
    def moves(self) -> Sequence[str]:
        """The moves to click through, each from the figure's position."""
        return [*([self.move] if self.move else []), *self.examples]

    def drawn(self, look: svg.Look) -> SafeString:
        """The figure as SVG; its name keeps its ids apart. Raises IllegalMoveError when the rules do not allow the move it shows."""
        ruleset = self.position.ruleset
        after = self.position.play(self.move) if self.move else self.position
        path = ruleset.move_path(self.move) if self.move else ()
        arrows = [] if self.is_after else [svg.Arrow(*pair) for pair in _links(path)]
        corners = [svg.Arrow(*pair) for pair in _links([*self.frame, *self.frame[:1]])]
        marks = svg.Marks(
            last=path if self.is_after else (),
            captured=_changed(self.position, after, path) if self.is_after else (),
            targets=self.targets,
            selected=self.selected,
            arrows=arrows + corners,
        )
        position = after if self.is_after else self.position
        drawn = svg.board_svg(
            position.cells(),
            ruleset.goals,
            marks=marks,
            look=look,
            title=ruleset_name(ruleset.key),
            id_prefix=f"figure-{self.name}",
        )
        return mark_safe(drawn)  # noqa: S308 - drawn by games.svg, which escapes what it is given


def _links(cells: Sequence[str]) -> list[tuple[str, str]]:
    return list(itertools.pairwise(cells))


def _changed(before: games.Position, after: games.Position, path: Sequence[str]) -> list[str]:
    """The cells besides those of the move that look different after it."""
    looks = {cell.name: (cell.ground, cell.piece) for cell in before.cells()}
    return [
        cell.name
        for cell in after.cells()
        if cell.name not in path
        and cell.ground != "throne"
        and looks[cell.name] != (cell.ground, cell.piece)
    ]


def poster(family: str) -> games.Position:
    """A position in the middle of a game, always the same, that shows what the game looks like."""
    key, plies = _POSTERS[family]
    rng = random.Random(7)
    position = games.load(key).initial(seed=7)
    while position.ply < plies and position.outcome() is None:
        position = position.play(position.random_move(rng))
    return position


@dataclass(frozen=True, slots=True)
class RulesFigure:
    """A figure on a rules page: its name, the picture, what it shows in words, and where it can be tried out."""

    name: str
    picture: SafeString
    caption: str
    url: str


def of_rules(family: str, look: svg.Look = _PLAIN) -> Mapping[str, RulesFigure]:
    """The figures of a game's rules page by name."""
    return _of_rules(family, look, get_language())


@cache
def _of_rules(family: str, look: svg.Look, language: str) -> Mapping[str, RulesFigure]:
    return {
        name: RulesFigure(
            name,
            figure.drawn(look),
            str(CAPTIONS[family][name]),
            reverse("figure", args=[family, name]),
        )
        for name, figure in of_family(family).items()
    }


@cache
def of_family(family: str) -> Mapping[str, Figure]:
    """The figures of a game by name, not yet drawn."""
    built = {"morelli": morelli, "morlox": morlox, "perfect": perfect}[family]()
    return {name: replace(figure, name=name) for name, figure in built.items()}


def morelli() -> Mapping[str, Figure]:
    """The figures of Morelli."""
    framed = positions.morelli(black="A6 F7 G4 D3 B9 I3", white="A4 D8 I7 F2 H6")
    return {
        "board": Figure(games.load("morelli(size=13)").initial(seed=11)),
        "movement": Figure(
            positions.morelli(white="A5", size=13, turn=games.Side.SECOND),
            selected="A5",
            targets=_reach("A5", size=13),
        ),
        "open_throne": Figure(
            positions.morelli(black="A5"), selected="A5", targets=_reach("A5", along="5")
        ),
        "taken_throne": Figure(
            positions.morelli(black="A5", king=games.Side.SECOND),
            selected="A5",
            targets=_reach("A5", along="5", king=games.Side.SECOND),
        ),
        "capture": Figure(
            positions.morelli(black="A7 F7 D1 I4", white="E7 I6 A3"), move="A7-D7 xE7"
        ),
        "captures": Figure(
            positions.morelli(black="A5 C7 E7 C3 I2", white="C6 D6 C4 I8 D1"), move="A5-C5 xC4C6D6"
        ),
        "captured": Figure(
            positions.morelli(black="A5 C7 E7 C3 I2", white="C6 D6 C4 I8 D1"),
            move="A5-C5 xC4C6D6",
            is_after=True,
        ),
        # The rule sheet's own examples, of which only the words have come down to us (5.1, 5.3.2 and 6.2).
        "swoop": Figure(
            positions.morelli(
                black="D1 B5 F4 D10 F10 G8 I8 K8 K6 K4 I4",
                white="B4 E3 H7 I7 J7 J6 J5 I5",
                size=13,
            ),
            move="D1-I6 xH7I5I7J5J6J7",
            examples=("D1-B3 xB4", "D1-D2 xE3"),
        ),
        "ripple": Figure(
            positions.morelli(black="A7 E7 D5", white="D7 D6 I5"), move="A7-C7 xD7", is_after=True
        ),
        "frame": Figure(framed, move="A6-C6*", is_after=True, frame=("C6", "F7", "G4", "D3")),
        "frame_by_capture": Figure(
            positions.morelli(black="D1 D4 C6 F7 G4", white="D3 I7 A8"), move="D1-D2 xD3*"
        ),
        "two_frames": Figure(
            positions.morelli(black="E3 D10 J10 J4 D8 H10 J6 G4", white="F4 A8 M3", size=13),
            move="E3-D4*",
            examples=("E3-E4 xF4*",),
        ),
        "three_corners": Figure(
            positions.morelli(
                white="B7 H7 H9 H5", black="G8 G6 A3 M9", size=13, turn=games.Side.SECOND
            ),
            move="B7-F7 xG6G8*",
        ),
        "end": Figure(
            positions.morelli(black="C3 C5 E3", white="E4 D3 C4 G4", king=games.Side.FIRST, size=7)
        ),
        "facing": Figure(games.load("morelli(edition=original,size=9,setup=facing)").initial()),
        "adjacent": Figure(games.load("morelli(edition=original,size=9,setup=adjacent)").initial()),
    }


def _reach(
    cell: str, *, size: int = 9, along: str = "", king: games.Side | None = None
) -> Sequence[str]:
    """Where the lone piece on `cell` may go, on the rank `along` only when given."""
    position = positions.morelli(black=cell, size=size, king=king)
    reached = [position.ruleset.move_path(move)[1] for move in position.legal_moves()]
    return [name for name in reached if name.endswith(along)]


def morlox() -> Mapping[str, Figure]:
    """The figures of Morlox."""
    flipping = positions.morlox("....... ...b... ....... .b.w..b ....... ...w... .......")
    chain = "..w.b.. .wbbb.w ..bww.. w.b.w.. .wbb.w. ...bw.. w..b..."
    return {
        "three": Figure(
            positions.morlox("....... ...b... ....... .b....b ..w.... ....... ....w..", "w"),
            targets=["d4"],
        ),
        "diagonal": Figure(
            positions.morlox("....... .b.b..w ....... .....b. ....... .w...b. .......", "w"),
            targets=["d4"],
        ),
        "edge": Figure(
            positions.morlox("....... b...... ....w.. ...b... ....... ....w.. .......", "w"),
            targets=["a4"],
        ),
        "before_flip": Figure(flipping, targets=["d4"]),
        "after_flip": Figure(flipping, move="d4x", is_after=True),
        "chain": Figure(positions.morlox(chain)),
        "swap": Figure(
            positions.morlox("....... ....... ..b.... ....... ....... ....... .......", "w")
        ),
    }


_TILES = """
    rrfrbbBBBB rrrfbbbBBB frrffbbbBB rrrfbbbbbB rrffrbbfbb rrrrfrbbbb Rrrrrfrbbf RRrrrrffbb RRRrrfrrfb RRRRrrrrbb
"""


def perfect() -> Mapping[str, Figure]:
    """The figures of The Perfect Game?."""
    laid = games.load("perfect()").initial()
    for move in ("+e5", "+d5", "+b9", "+f5", "+c8", "+e4", "+h2"):
        laid = laid.play(move)
    return {
        "start": Figure(games.load("perfect()").initial()),
        "before_flip": Figure(laid, targets=["e6"]),
        "after_flip": Figure(laid, move="+e6", is_after=True),
        "step": Figure(
            _men("d4 a1 b1 c1 d1 a2 b2 c2 a3 b3", "h8"),
            selected="d4",
            targets=["d5", "c4", "e4", "d3"],
        ),
        "capture": Figure(_men("d4 a1 b1 c1 d1 a2 b2 c2 a3 a4", "e5 h8 i9 g10"), move="d4xf6"),
        "protected": Figure(_men("d6 a1 b1 c1 d1 a2 b2 c2 a3 a4", "e7 h8 i9 g10"), move="d6-f8"),
        "series": Figure(_men("b2 c3 a1 b1 c1 d1 a2 a3 a4 f3", "e5 g7 i9 j8"), move="b2-d4xf6-h8"),
        "goal": Figure(
            _men("f10 h10 i10 j10 h9 i9 j9 i8 j8 j7", "b1 b3 c2 d5"), move="f10-g10", is_after=True
        ),
    }


def _men(red: str, blue: str) -> games.Position:
    """Men on the named squares of a board whose tiles are all laid; Red is to move."""
    letters = dict.fromkeys(red.split(), "r") | dict.fromkeys(blue.split(), "b")
    rows = [
        "".join(letters.get(f"{file}{rank}", ".") for file in "abcdefghij")
        for rank in range(10, 0, -1)
    ]
    return positions.perfect(_TILES, "".join(rows))
