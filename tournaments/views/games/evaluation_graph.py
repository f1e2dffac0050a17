"""Evaluations by the bots of a game: beside the board for the ply on it, and as a graph of the game."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

import games
from tournaments.models import Game
from tournaments.models.games import Side
from tournaments.queries.records import evaluations
from tournaments.queries.records.evaluations import Thought
from tournaments.queries.records.game_plies import PlyRow
from tournaments.templatetags.rayuela import signed_hundredths
from tournaments.text.move_numbers import MoveNumber, move_numbers

WIDTH, HEIGHT = 320, 88
_MIDDLE = HEIGHT // 2
# Room above and below for the markers.
_MARGIN = 6
_MARKER = 4
# Scores up to this size are drawn nearly to scale. Much larger scores are drawn closer together.
_UNIT_CP = 100
# A short game does not fill the width.
_LEAST_PLIES = 8
_LINE_MOVES = 8


@dataclass(frozen=True, slots=True)
class Opinion:
    """The last evaluation of one side, up to the ply on the board.

    `score_cp` is from the first side: above 0 the first side is better.
    """

    side: str
    name: str
    score_cp: int | None
    depth: int | None
    ply: int


@dataclass(frozen=True, slots=True)
class EvaluationPanel:
    """The evaluations of a game, as its page shows them.

    Attributes:
        opinions: of both sides at the ply that is looked at, the first side's first.
        line: the moves that the bot expected after the last ply shown, so far as they are legal.
        graph: the inside of the picture, without a score in the game empty.
        rows: the rows of the table.
    """

    opinions: Sequence[Opinion]
    line: Sequence[str]
    graph: SafeString
    rows: SafeString
    width: int = WIDTH
    height: int = HEIGHT
    middle: int = _MIDDLE


@dataclass(frozen=True, slots=True)
class _Point:
    """A score on the graph."""

    ply: PlyRow
    number: MoveNumber
    score_cp: int
    x: float
    y: float


def panel(
    game: Game, plies: Sequence[PlyRow], shown_ply: int, position: games.Position
) -> EvaluationPanel | None:
    """Return the panel of `game` at `shown_ply`, whose position is given, or None without evaluations."""
    thoughts = evaluations.of_game(game)
    if not thoughts:
        return None
    last = thoughts.get(shown_ply)
    return EvaluationPanel(
        opinions=_opinions(game, plies[:shown_ply], thoughts),
        line=_legal(position, plies[shown_ply - 1], last) if last else (),
        graph=_graph(plies, thoughts, shown_ply),
        rows=_rows(game, plies, thoughts),
    )


def _numbers(plies: Sequence[PlyRow]) -> list[MoveNumber]:
    return move_numbers(ply.side for ply in plies)


def score_of_first(ply: PlyRow, thought: Thought) -> int | None:
    """The score of a thought from the first side, in hundredths: the side that moved said it of itself."""
    if thought.score_cp is None:
        return None
    return thought.score_cp if ply.side == Side.FIRST else -thought.score_cp


def _opinions(
    game: Game, plies: Sequence[PlyRow], thoughts: Mapping[int, Thought]
) -> list[Opinion]:
    latest = {ply.side: ply for ply in plies if ply.number in thoughts}
    return [
        Opinion(
            side=side,
            name=game.player_on(side).name,
            score_cp=score_of_first(ply, thoughts[ply.number]),
            depth=thoughts[ply.number].depth,
            ply=ply.number,
        )
        for side in (Side.FIRST.value, Side.SECOND.value)
        if (ply := latest.get(side))
    ]


def _legal(position: games.Position, last: PlyRow, thought: Thought) -> list[str]:
    """The moves of the line after the one that was played, as far as the rules allow them."""
    moves: list[str] = []
    if not thought.line or thought.line[0] != last.move:
        return moves
    for text in thought.line[1 : _LINE_MOVES + 1]:
        try:
            move = position.canonical(text)
            position = position.play(move)
        except games.RulesError:
            break
        moves.append(move)
    return moves


def _graph(plies: Sequence[PlyRow], thoughts: Mapping[int, Thought], shown_ply: int) -> SafeString:
    """Both lines, a marker on each at the ply that is looked at, and a strip to click on for each ply.

    The height is the inverse hyperbolic sine of the score: near 0 in proportion, far from it by its
    logarithm, since bots count in units of their own. Drawn here as the bars of the clocks are.
    """
    unit = WIDTH / max(_LEAST_PLIES, len(plies))
    points = _points(plies, thoughts, unit)
    if not points:
        return SafeString("")
    lines = "".join(_line(side, points, shown_ply) for side in (Side.FIRST, Side.SECOND))
    strips = "".join(_strip(point, unit) for point in points)
    cursor_x = (shown_ply - 0.5) * unit
    cursor = f'<path class="cursor" d="M{cursor_x:.1f} 0V{HEIGHT}"/>' if shown_ply else ""
    return mark_safe(f"{cursor}{lines}{strips}")  # noqa: S308 - figures, and moves that are escaped


def _points(plies: Sequence[PlyRow], thoughts: Mapping[int, Thought], unit: float) -> list[_Point]:
    scores = [
        (ply, number, score)
        for ply, number in zip(plies, _numbers(plies), strict=True)
        if ply.number in thoughts
        and (score := score_of_first(ply, thoughts[ply.number])) is not None
    ]
    most = max((abs(score) for _ply, _number, score in scores), default=0)
    reach = math.asinh(max(most, _UNIT_CP) / _UNIT_CP)
    tall = _MIDDLE - _MARGIN
    return [
        _Point(
            ply,
            number,
            score,
            x=(ply.number - 0.5) * unit,
            y=_MIDDLE - tall * math.asinh(score / _UNIT_CP) / reach,
        )
        for ply, number, score in scores
    ]


def _line(side: Side, points: Sequence[_Point], shown_ply: int) -> str:
    own = [point for point in points if point.ply.side == side]
    if not own:
        return ""
    path = " ".join(f"{point.x:.1f},{point.y:.1f}" for point in own)
    line = f'<polyline class="evaluation {side.value}" points="{path}"/>'
    seen = [point for point in own if point.ply.number <= shown_ply]
    return f"{line}{_marker(side, seen[-1])}" if seen else line


def _marker(side: Side, point: _Point) -> str:
    """A disc on the first side's line and a square on the second's: no colour is needed to tell them."""
    if side == Side.FIRST:
        return f'<circle class="marker first" cx="{point.x:.1f}" cy="{point.y:.1f}" r="{_MARKER}"/>'
    left, top = point.x - _MARKER, point.y - _MARKER
    return (
        f'<rect class="marker second" x="{left:.1f}" y="{top:.1f}"'
        f' width="{2 * _MARKER}" height="{2 * _MARKER}"/>'
    )


def _strip(point: _Point, unit: float) -> str:
    ply, left = point.ply.number, point.x - unit / 2
    return (
        f'<a href="?ply={ply}" data-step="{ply}" tabindex="-1">'
        f'<rect class="strip" x="{left:.2f}" y="0" width="{unit:.2f}" height="{HEIGHT}">'
        f"<title>{point.number} {escape(point.ply.move)}: {signed_hundredths(point.score_cp)}</title>"
        "</rect></a>"
    )


def _rows(game: Game, plies: Sequence[PlyRow], thoughts: Mapping[int, Thought]) -> SafeString:
    """The table's rows: a link to the ply, who thought it, score and depth."""
    names = {side.value: escape(game.player_on(side.value).name) for side in Side}
    rows = []
    for ply, number in zip(plies, _numbers(plies), strict=True):
        thought = thoughts.get(ply.number)
        if thought is None:
            continue
        score = score_of_first(ply, thought)
        rows.append(
            f'<tr><th scope="row"><a href="?ply={ply.number}" data-step="{ply.number}">'
            f"{number} {escape(ply.move)}</a></th><td>{names[ply.side]}</td>"
            f'<td class="number">{"–" if score is None else signed_hundredths(score)}</td>'
            f'<td class="number">{"–" if thought.depth is None else thought.depth}</td></tr>'
        )
    return mark_safe("".join(rows))  # noqa: S308 - names and moves are escaped
