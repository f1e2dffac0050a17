"""A whole game as one animated SVG file: no script, and a still of the end without motion.

The board is drawn once. The content of a cell from one ply to another is drawn once too and shown
for that time by CSS inside the file. Parts that never change are not animated. The attributes of
the elements show the end of the game. The animation runs only if the viewer allows motion, so that
without it the end remains.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING

from games import svg, svg_defs
from games.svg_defs import CELL

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from games.core import Position
    from games.view import Cell

# Seconds a position is shown, a little less in a long game. The end stays longer.
PLY_S, QUICK_PLY_S, END_S = 1.5, 1.0, 4.0
_LONG = 120
_CAPTION = 46
_PALETTE = "official"


@dataclass(frozen=True, slots=True)
class Animation:
    """A file that plays a game.

    Attributes:
        text: the SVG.
        style: the style sheet inside it, for a policy that allows this one and no other.
    """

    text: str
    style: str


@dataclass(frozen=True, slots=True)
class _PlyRange:
    """The positions from `first` up to, not including, `end`."""

    first: int
    end: int

    @property
    def name(self) -> str:
        return f"t{self.first}-{self.end}"


@dataclass(frozen=True, slots=True)
class _Appearance:
    """A picture on a cell and when it is seen."""

    token: str
    cell: str
    span: _PlyRange


def replay_svg(positions: Sequence[Position], moves: Sequence[str], *, title: str) -> Animation:
    """Return the game through `positions` as an animation that repeats for ever.

    The positions are the start and the one after each of `moves`.
    """
    ruleset = positions[0].ruleset
    boards = [position.cells() for position in positions]
    cells = boards[0]
    where = svg.corners(cells, ruleset.goals)
    layers = _layers(boards, [ruleset.move_path(move) for move in moves])
    captions = [_PlyRange(k, k + 1) for k in range(len(positions))]
    spans = {appearance.span for layer in layers for appearance in layer} | set(captions)
    style = _style(spans, len(positions))
    width = 2 * min(x for x, _ in where.values()) + ruleset.size * CELL
    empty = [replace(cell, piece=None) for cell in cells]
    board = svg.board_svg(empty, ruleset.goals, title=title, id_prefix="replay")
    tokens = {appearance.token for layer in layers for appearance in layer}
    text = "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {width + _CAPTION}" role="img" ',
            f'aria-label="{escape(title)}"><style>{style}</style><defs>{_definitions(tokens)}</defs>',
            board.replace("<svg ", f'<svg width="{width}" height="{width}" ', 1),
            *(
                f"<g>{''.join(_use_element(appearance, where, len(positions)) for appearance in layer)}</g>"
                for layer in layers
            ),
            _captions(captions, moves, width),
            "</svg>\n",
        )
    )
    return Animation(text, style)


def _layers(
    boards: Sequence[Sequence[Cell]], paths: Sequence[Sequence[str]]
) -> list[list[_Appearance]]:
    """Return the layers, the lowest first: grounds that change, the marks of each ply, pieces."""
    looks: dict[str, list[Cell]] = defaultdict(list)
    for board in boards:
        for cell in board:
            looks[cell.name].append(cell)
    whole = _PlyRange(0, len(boards))
    grounds: list[_Appearance] = []
    marks: list[_Appearance] = []
    pieces: list[_Appearance] = []
    for name, cells in looks.items():
        for token, span in _runs([cell.ground for cell in cells]):
            if token is not None and span != whole:
                grounds.append(_Appearance(token, name, span))
        for token, span in _runs([cell.piece for cell in cells]):
            if token is not None:
                pieces.append(_Appearance(token, name, span))
    for number, path in enumerate(paths, start=1):
        captures = changed_cells(boards[number - 1], boards[number], path)
        for mark, names in (("last", path), ("captured", captures)):
            marks += (_Appearance(mark, name, _PlyRange(number, number + 1)) for name in names)
    return [grounds, marks, pieces]


def _runs(tokens: Sequence[str | None]) -> Iterator[tuple[str | None, _PlyRange]]:
    """Runs of equal tokens, each with its span of positions."""
    first = 0
    for k in range(1, len(tokens) + 1):
        if k == len(tokens) or tokens[k] != tokens[first]:
            yield tokens[first], _PlyRange(first, k)
            first = k


def changed_cells(before: Sequence[Cell], after: Sequence[Cell], path: Sequence[str]) -> list[str]:
    """Return the cells off the `path` of a move that look different after it.

    They contain pieces that the move has turned or taken.
    """
    looks = {cell.name: (cell.ground, cell.piece) for cell in before}
    return [
        cell.name
        for cell in after
        if cell.name not in path
        and cell.ground != "throne"
        and looks[cell.name] != (cell.ground, cell.piece)
    ]


def _use_element(appearance: _Appearance, where: Mapping[str, tuple[int, int]], count: int) -> str:
    x, y = where[appearance.cell]
    use = f'<use href="#a-{appearance.token}" x="{x}" y="{y}"'
    return (
        f"{use}/>"
        if appearance.span == _PlyRange(0, count)
        else f"{use}{_time_attributes(appearance.span, count)}/>"
    )


def _time_attributes(span: _PlyRange, count: int) -> str:
    visibility = "" if span.end == count else ' visibility="hidden"'
    return f' class="t {span.name}"{visibility}'


def _captions(spans: Sequence[_PlyRange], moves: Sequence[str], width: int) -> str:
    """Return the number and text of each ply, under the board."""
    lines = ["", *(f"{number}. {move}" for number, move in enumerate(moves, start=1))]
    texts = "".join(
        f'<text{_time_attributes(span, len(spans))} x="{width / 2:g}" y="{width + 31}">{escape(line)}</text>'
        for span, line in zip(spans, lines, strict=True)
        if line
    )
    return (
        f'<rect y="{width + 4}" width="{width}" height="{_CAPTION - 4}" rx="10" fill="{svg_defs.BED}"/>'
        f'<g fill="{svg_defs.INK}" font-size="20" text-anchor="middle" font-family="ui-monospace,monospace">{texts}</g>'
    )


def _style(spans: set[_PlyRange], count: int) -> str:
    each_s = PLY_S if count <= _LONG else QUICK_PLY_S
    total_s = each_s * (count - 1) + END_S

    def at(index: int) -> str:
        return f"{100 * index * each_s / total_s:.3f}".rstrip("0").rstrip(".") + "%"

    frames = []
    for span in sorted(spans, key=lambda span: (span.first, span.end)):
        if span == _PlyRange(0, count):
            continue
        steps = "" if span.first == 0 else "0%{visibility:hidden}"
        steps += f"{at(span.first)}{{visibility:visible}}"
        steps += "" if span.end == count else f"{at(span.end)},to{{visibility:hidden}}"
        frames.append(
            f"@keyframes {span.name}{{{steps}}}.{span.name}{{animation-name:{span.name}}}"
        )
    return (
        "@media (prefers-reduced-motion:no-preference){"
        f".t{{animation:{total_s:g}s step-end infinite}}{''.join(frames)}}}"
    )


def _definitions(tokens: set[str]) -> str:
    pictures = "".join(f'<g id="~{token}">{_picture(token)}</g>' for token in sorted(tokens))
    gradients = "".join(
        gradient for name, gradient in svg_defs.GRADIENTS.items() if f"url(#~{name})" in pictures
    )
    # A piece and its gradient may share a token.
    pictures = pictures.replace('<g id="~', '<g id="a-')
    return pictures.replace("~", "g-") + gradients.replace("~", "g-")


def _picture(token: str) -> str:
    pictures = svg_defs.pieces(_PALETTE) | svg_defs.grounds(_PALETTE) | svg_defs.MARKS
    return pictures.get(token) or svg_defs.grounds(_PALETTE)["plain"]
