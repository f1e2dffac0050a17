"""Cells as SVG: the board of any game for a page or a file, drawn by the server.

Scales by its viewBox. Every cell is an element of class `cell` with `data-cell`, so that a page's
script finds it by name. With labels in words the board is a grid of rows for screen readers,
otherwise a picture with a title. Colours are never the only sign: see `svg_defs.py`.
"""

from __future__ import annotations

import itertools
import math
import string
import zlib
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING

from games import highlights, svg_defs
from games.svg_defs import CELL

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from games.view import Cell, Goal, Trait

_GOAL = 10
_GOAL_COLOURS = {"black": "#0d0c10", "white": "#ffffff", "red": "#d8232b", "blue": "#2458c8"}


@dataclass(frozen=True, slots=True)
class Arrow:
    """An arrow from one cell to another, by name."""

    start: str
    end: str


@dataclass(frozen=True, slots=True)
class Marks:
    """Marks of the board, by names of cells.

    Attributes:
        last: the cells of the last move.
        targets: the cells that the selected piece may reach.
        selected: the cell chosen.
        captured: the pieces the last move turned or took.
        arrows: ways to show.
        signs: signs to write on cells.
    """

    last: Sequence[str] = ()
    targets: Sequence[str] = ()
    selected: str | None = None
    captured: Sequence[str] = ()
    arrows: Sequence[Arrow] = ()
    signs: Mapping[str, str] = field(default_factory=dict)

    def on(self, name: str) -> list[str]:
        """Return the marks of one cell, in the order they are drawn."""
        marks = {
            "last": name in self.last,
            "captured": name in self.captured,
            "selected": name == self.selected,
            "target": name in self.targets,
        }
        return [mark for mark, is_set in marks.items() if is_set]


@dataclass(frozen=True, slots=True)
class Look:
    """The preferences of a viewer: a palette by name, coordinates, numbers on the bands."""

    palette: str = "official"
    has_coordinates: bool = True
    has_numbers: bool = False


_NO_MARKS = Marks()
_PLAIN_LOOK = Look()


def board_svg(
    cells: Sequence[Cell],
    goals: Sequence[Goal] = (),
    *,
    marks: Marks = _NO_MARKS,
    traits: Sequence[Trait] = (),
    look: Look = _PLAIN_LOOK,
    title: str = "Board",
    is_flipped: bool = False,
    labels: Mapping[str, str] | None = None,
    links: Mapping[str, str] | None = None,
    spare: Sequence[Cell] = (),
    id_prefix: str = "board",
    shared_prefix: str = "",
) -> str:
    """Return the board as one `<svg>` element.

    Args:
        cells: all cells of a square board, in any order.
        goals: coloured edges of the board.
        marks: cells to point out.
        traits: further highlights, drawn over everything.
        look: how the viewer likes boards.
        title: the subject of the picture, for people who cannot see it.
        is_flipped: whether to draw it as the second side sees it, turned by half.
        labels: every cell in words, by name. Without them the board is one picture.
        links: addresses of cells by name: such a cell can be followed like any link.
        spare: cells whose pictures a script may put on the board, besides those in `cells`.
        id_prefix: begins every id, so that several boards can share a page.
        shared_prefix: that of `definitions_svg` on the page. The board then defines no pictures, refers
            to its whole ground, and has no elements for cells with nothing on them.
    """
    return _Drawing(
        cells,
        goals,
        marks,
        traits,
        look,
        title,
        is_flipped,
        labels=labels or {},
        links=links or {},
        spare=spare,
        prefix=f"{id_prefix}-",
        shared_prefix=shared_prefix and f"{shared_prefix}-",
    ).text()


def definitions_svg(
    boards: Sequence[Sequence[Cell]], *, look: Look = _PLAIN_LOOK, id_prefix: str
) -> str:
    """Return an empty `<svg>` with what these boards refer to: pictures, grounds, all marks and heads of arrows."""
    cells = itertools.chain.from_iterable(boards)
    definitions = _definitions(cells, svg_defs.MARKS, look, has_arrows=True)
    grounds = {_layout_of(board): board for board in boards}
    definitions += "".join(_ground(name, board) for name, board in grounds.items())
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" class="visually-hidden" aria-hidden="true">'
        f"<defs>{definitions}</defs></svg>"
    ).replace("~", f"{id_prefix}-")


def _layout_of(cells: Iterable[Cell]) -> str:
    """Return the id of a board's ground, equal for boards with equal grounds."""
    text = " ".join(f"{cell.column},{cell.row},{cell.ground}" for cell in cells)
    return f"g-{zlib.crc32(text.encode()):x}"


def _ground(name: str, cells: Sequence[Cell]) -> str:
    """Return the definition of a board's ground without its edge."""
    last = max(cell.column for cell in cells)
    uses = "".join(
        f'<use href="#~{_id(cell.ground)}" x="{cell.column * CELL}" y="{(last - cell.row) * CELL}"/>'
        for cell in cells
    )
    return f'<g id="~{name}">{uses}</g>'


def corners(cells: Sequence[Cell], goals: Sequence[Goal] = ()) -> Mapping[str, tuple[int, int]]:
    """Left and top of every cell in a drawing of `board_svg` that is not flipped, by name."""
    return _Drawing(
        cells,
        goals,
        _NO_MARKS,
        (),
        _PLAIN_LOOK,
        "",
        is_flipped=False,
        labels={},
        links={},
        prefix="",
    ).corners()


def token_svg(token: str, *, look: Look = _PLAIN_LOOK, id_prefix: str = "token") -> str:
    """Return one ground or piece alone, such as `tile-orange`, as decoration beside a board."""
    pictures = svg_defs.grounds(look.palette) | svg_defs.pieces(look.palette)
    gradients = "".join(
        g for name, g in svg_defs.GRADIENTS.items() if f"url(#~{name})" in pictures[token]
    )
    picture = f"<defs>{gradients}</defs>{pictures[token]}".replace("~", f"{id_prefix}-")
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {CELL} {CELL}" aria-hidden="true">{picture}</svg>'


class _Drawing:
    def __init__(
        self,
        cells: Sequence[Cell],
        goals: Sequence[Goal],
        marks: Marks,
        traits: Sequence[Trait],
        look: Look,
        title: str,
        is_flipped: bool,
        *,
        labels: Mapping[str, str],
        links: Mapping[str, str],
        prefix: str,
        shared_prefix: str = "",
        spare: Sequence[Cell] = (),
    ) -> None:
        self.cells = cells
        self.goals = goals
        self.marks = marks
        self.traits = traits
        self.look = look
        self.title = title
        self.is_flipped = is_flipped
        self.labels = labels
        self.links = links
        self.prefix = prefix
        self.shared_prefix = shared_prefix
        # The ground of a flipped board is not a turned one, whose letters would stand on their heads.
        self.shares_ground = bool(shared_prefix) and not is_flipped
        self.spare = spare
        self.size = 1 + max(cell.column for cell in cells)
        # The edge for the coordinates grows with the board, so that they stay readable when it is
        # scaled down.
        self.edge = 15 + self.size if look.has_coordinates else 6
        self.margin = self.edge + (_GOAL if goals else 0)
        self.width = self.size * CELL + 2 * self.margin

    def text(self) -> str:
        """Return the whole element."""
        title_id = f"{self.prefix}title"
        role = "grid" if self.labels else "img"
        return "".join(
            (
                f'<svg xmlns="http://www.w3.org/2000/svg" class="board" viewBox="0 0 {self.width} {self.width}" ',
                f'role="{role}" aria-labelledby="{title_id}"><title id="{title_id}">{escape(self.title)}</title>',
                "" if self.shared_prefix else f"<defs>{self._own_definitions()}</defs>",
                f'<rect width="{self.width}" height="{self.width}" rx="14" fill="{svg_defs.BED}"/>',
                *map(self._goal, self.goals),
                self._coordinates() if self.look.has_coordinates else "",
                self._shared_ground(),
                *self._rows(),
                self._signs(),
                *map(self._arrow, self.marks.arrows),
                highlights.highlights_svg(self.traits, corners=self.corners())
                if self.traits
                else "",
                "</svg>",
            )
        )

    def _rows(self) -> list[str]:
        """Return the cells in the order in which they are seen, row by row."""
        rows: dict[int, list[tuple[int, str]]] = {}
        for cell in self.cells:
            if self.shares_ground and not self._pictures(cell):
                continue
            x, y = self._corner(cell)
            rows.setdefault(y, []).append((x, self._cell(cell, x, y)))
        role = ' role="row"' if self.labels else ""
        return [
            f"<g{role}>{''.join(text for _, text in sorted(row))}</g>"
            for _, row in sorted(rows.items())
        ]

    def _shared_ground(self) -> str:
        if not self.shares_ground:
            return ""
        name = self.shared_prefix + _layout_of(self.cells)
        return f'<use href="#{name}" x="{self.margin}" y="{self.margin}"/>'

    def _pictures(self, cell: Cell) -> list[str]:
        """Return the tokens of a cell: its own ground, the piece and the marks."""
        ground = [] if self.shares_ground else [cell.ground]
        return [*ground, *([cell.piece] if cell.piece else []), *self.marks.on(cell.name)]

    def _signs(self) -> str:
        """Return the signs over the cells. They let clicks through."""
        if not self.marks.signs:
            return ""
        corners, half = self.corners(), CELL // 2
        texts = (
            f'<text x="{corners[name][0] + half}" y="{corners[name][1] + half + 6}">{escape(sign)}</text>'
            for name, sign in self.marks.signs.items()
        )
        return f"{_SIGNS}{''.join(texts)}</g>"

    def corners(self) -> dict[str, tuple[int, int]]:
        return {cell.name: self._corner(cell) for cell in self.cells}

    def _own_definitions(self) -> str:
        marks = {mark for cell in self.cells for mark in self.marks.on(cell.name)}
        if self.spare:
            marks |= {"last", "captured"}
        definitions = _definitions(
            [*self.cells, *self.spare],
            sorted(marks),
            self.look,
            has_arrows=bool(self.marks.arrows),
        )
        return definitions.replace("~", self.prefix)

    def _cell(self, cell: Cell, x: int, y: int) -> str:
        at = f'x="{x}" y="{y}"'
        uses = "".join(
            f'<use href="#{self.shared_prefix or self.prefix}{_id(token)}" {at}/>'
            for token in self._pictures(cell)
        )
        attributes = f'data-cell="{escape(cell.name)}"'
        label = self.labels.get(cell.name)
        name = f' aria-label="{escape(label)}"' if label else ""
        if link := self.links.get(cell.name):
            # The number of such links equals the number of positions: search engines must not
            # follow them.
            followed = f'<a class="cell cell-link" href="{escape(link)}" rel="nofollow" {attributes}{name}>{uses}</a>'
            # A link is no cell of a grid, but a cell may contain a link.
            return f'<g role="gridcell">{followed}</g>' if label else followed
        if label:
            attributes += f' role="gridcell"{name} tabindex="-1"'
        return f'<g class="cell" {attributes}>{uses}</g>'

    def _corner(self, cell: Cell) -> tuple[int, int]:
        """Left and top of a cell."""
        last = self.size - 1
        column, row = (
            (last - cell.column, last - cell.row) if self.is_flipped else (cell.column, cell.row)
        )
        return self.margin + column * CELL, self.margin + (last - row) * CELL

    def _coordinates(self) -> str:
        """Return the coordinates: files below and above, ranks left and right, from the names of cells."""
        near, far = self.edge / 2, self.width - self.edge / 2
        font_size = round(self.edge * 0.43)
        down = round(font_size * 0.36)
        texts: list[str] = []
        for cell in self.cells:
            x, y = (k + CELL // 2 for k in self._corner(cell))
            if cell.row == 0:
                file = escape(cell.name.rstrip(string.digits))
                texts += (f'<text x="{x}" y="{k + down:g}">{file}</text>' for k in (near, far))
            if cell.column == 0:
                rank = escape(cell.name.lstrip(string.ascii_letters))
                texts += (f'<text x="{k:g}" y="{y + down}">{rank}</text>' for k in (near, far))
        return (
            f'<g class="coordinates" aria-hidden="true" fill="{svg_defs.INK}" font-size="{font_size}" '
            f'text-anchor="middle" font-family="system-ui,sans-serif">{"".join(texts)}</g>'
        )

    def _goal(self, goal: Goal) -> str:
        edges = ("top", "right", "bottom", "left")
        edge = edges[(edges.index(goal.edge) + 2 * self.is_flipped) % 4]
        long, near, far = self.size * CELL, self.margin - _GOAL + 1, self.width - self.margin + 2
        x, y, width, height = {
            "top": (self.margin, near, long, _GOAL - 3),
            "bottom": (self.margin, far, long, _GOAL - 3),
            "left": (near, self.margin, _GOAL - 3, long),
            "right": (far, self.margin, _GOAL - 3, long),
        }[edge]
        return (
            f'<rect class="goal" x="{x}" y="{y}" width="{width}" height="{height}" rx="3" '
            f'fill="{_GOAL_COLOURS.get(goal.colour, "#888")}" stroke="#b3adc0" stroke-width="1.2"/>'
        )

    def _arrow(self, arrow: Arrow) -> str:
        corners = self.corners()
        (x1, y1), (x2, y2) = corners[arrow.start], corners[arrow.end]
        length = math.dist((x1, y1), (x2, y2)) or 1
        # The head ends a little before the middle of the cell, so that the piece there stays
        # visible.
        shorter = max(0.0, 1 - _ARROW_GAP / length)
        half = CELL // 2
        line = (
            f'<line x1="{x1 + half}" y1="{y1 + half}" x2="{x1 + half + (x2 - x1) * shorter:.1f}" '
            f'y2="{y1 + half + (y2 - y1) * shorter:.1f}" stroke-linecap="round" stroke="{{}}" stroke-width="{{}}" '
            f'marker-end="url(#{self.shared_prefix or self.prefix}{{}})"/>'
        )
        casing, core = line.format("#15131c", 8, "head-casing"), line.format("#fff", 4.5, "head")
        return f'<g class="arrow" aria-hidden="true">{casing}{core}</g>'


_SIGNS = (
    '<g class="signs" aria-hidden="true" pointer-events="none" text-anchor="middle" '
    'font-family="system-ui,sans-serif" font-size="18" font-weight="700" fill="#fff" stroke="#15131c" '
    'stroke-width="3.5" stroke-linejoin="round" paint-order="stroke">'
)
_ARROW_GAP = 18
_ARROW_HEAD = "".join(
    f'<marker id="~{name}" viewBox="0 0 10 10" refX="4" refY="5" markerUnits="userSpaceOnUse" markerWidth="{width}" '
    f'markerHeight="{width}" orient="auto"><path d="M0 0 10 5 0 10Z" fill="{colour}"/></marker>'
    for name, width, colour in (("head-casing", 26, "#15131c"), ("head", 18, "#fff"))
)


def _definitions(
    cells: Iterable[Cell], marks: Iterable[str], look: Look, *, has_arrows: bool
) -> str:
    """Return the definitions of cells, marks and arrows, with `~` for the beginning of ids."""
    grounds = svg_defs.grounds(look.palette, has_numbers=look.has_numbers)
    pieces = svg_defs.pieces(look.palette)
    cells = list(cells)
    pictures = {cell.ground: grounds.get(cell.ground, grounds["plain"]) for cell in cells}
    pictures |= {
        cell.piece: pieces.get(cell.piece) or _unknown(cell.piece) for cell in cells if cell.piece
    }
    pictures |= {mark: svg_defs.MARKS[mark] for mark in marks}
    groups = "".join(f'<g id="~{_id(token)}">{picture}</g>' for token, picture in pictures.items())
    gradients = "".join(
        gradient for name, gradient in svg_defs.GRADIENTS.items() if f"url(#~{name})" in groups
    )
    return gradients + groups + (_ARROW_HEAD if has_arrows else "")


def _unknown(token: str) -> str:
    """Return a ring with the first letter of a piece that has no picture."""
    return (
        '<circle cx="20" cy="20" r="14.4" fill="#888" stroke="#fff" stroke-width="1.3"/>'
        f'<text x="20" y="25" text-anchor="middle" font-size="15" fill="#fff">{escape(token[0])}</text>'
    )


def _id(token: str) -> str:
    # A stone and its gradient share a token, so pictures have ids of their own.
    return f"i-{escape(token)}"
