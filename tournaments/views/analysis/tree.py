"""The tree of moves of the analysis board as its page shows it, and the address that holds it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from django.conf import settings as site
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

import games
from games import animation, svg
from games.variations import CLOSE, OPEN, ROOT
from tournaments.queries.records.analyses import Analysis, Source
from tournaments.text import rulesets
from tournaments.text.move_numbers import MoveNumber
from tournaments.views.games import boards
from tournaments.views.games.move_selection import MoveSelection

_SAFE = "/;()*=,:@!"
# The start and the end of a side line.
_ENDS = {
    OPEN: '<span class="line"><span class="visually-hidden">(</span>',
    CLOSE: '<span class="visually-hidden">)</span></span>',
}


@dataclass(frozen=True, slots=True)
class AnalysisPage:
    """All data that the page shows of an analysis.

    Attributes:
        back, forward: the nodes before and after, None at either end. `end` is the last of this
            line.
        siblings: the alternatives to the move that led here, including the move itself.
        moves: the buttons of the moves. A side line is an element around its buttons.
        shown_move: the move that led to the node on the board, with its number, or an empty text at the start.
        fields: the hidden fields by which a form sends the position on the board.
    """

    analysis: Analysis
    selection: MoveSelection
    board: SafeString
    title: str
    moves: SafeString
    shown_move: str
    fields: Sequence[tuple[str, str]]
    is_flipped: bool

    @property
    def position(self) -> games.Position:
        return self.analysis.position

    @property
    def at(self) -> int:
        return self.analysis.at

    @property
    def back(self) -> int | None:
        return None if self.at == ROOT else self.analysis.tree.nodes[self.at].parent

    @property
    def forward(self) -> int | None:
        return next(iter(self.analysis.tree.children[self.at]), None)

    @property
    def end(self) -> int:
        return self.analysis.tree.end(self.at)

    @property
    def name(self) -> str:
        return self.analysis.tree.nodes[self.at].name

    @property
    def siblings(self) -> Sequence[int]:
        return [] if self.back is None else self.analysis.tree.children[self.back]

    @property
    def is_side_line(self) -> bool:
        """Return whether the node on the board is outside the main line."""
        tree, at = self.analysis.tree, self.at
        return any(tree.children[tree.nodes[k].parent][0] != k for k in tree.path(at))

    @property
    def outcome(self) -> games.Outcome | None:
        return self.position.outcome()

    @property
    def colour(self) -> str:
        """The colour to move, or of the winner."""
        outcome = self.outcome
        side = self.position.side_to_move
        if outcome is not None and outcome is not games.Outcome.DRAW:
            side = games.Side(outcome.value)
        return self.position.colour_of(side)

    @property
    def first_colour(self) -> str:
        """The colour of the first side here."""
        return self.position.colour_of(games.Side.FIRST)

    @property
    def second_colour(self) -> str:
        """The colour of the second side here."""
        return self.position.colour_of(games.Side.SECOND)

    @property
    def permalink(self) -> str:
        """Return the address of the node on the board."""
        return f"{site.SITE_URL}{address(self.analysis)}"


def page_of(
    analysis: Analysis, path: tuple[str, ...], look: svg.Look, *, is_flipped: bool
) -> AnalysisPage:
    """The page of `analysis` with the cells of `path` clicked."""
    position = analysis.position
    selection = MoveSelection.of(position, path)
    flip = {"flip": "1"} if is_flipped else {}
    board = boards.draw(
        position,
        last_move=last_move(analysis),
        captured=changed_cells(analysis),
        look=look,
        is_flipped=is_flipped,
        selection=selection,
        has_labels=True,
        links=selection.links(
            lambda cells: f"{address(analysis, path=','.join(cells), **flip)}#board"
        ),
        id_prefix="analysis",
    )
    numbers = _numbers(analysis)
    return AnalysisPage(
        analysis=analysis,
        selection=selection,
        board=board,
        title=rulesets.ruleset_name(position.ruleset.key),
        moves=_move_list(analysis, numbers),
        shown_move=f"{numbers[analysis.at]} {last_move(analysis)}" if analysis.at != ROOT else "",
        fields=[*_source_fields(analysis.source), ("tree", analysis.tree_text)],
        is_flipped=is_flipped,
    )


def last_move(analysis: Analysis) -> str:
    """Return the move that led to the node on the board, or an empty text at the start of the tree."""
    return "" if analysis.at == ROOT else analysis.tree.nodes[analysis.at].move


def changed_cells(analysis: Analysis) -> Sequence[str]:
    """The cells off its path that the last move has turned or taken."""
    if analysis.at == ROOT:
        return ()
    node = analysis.tree.nodes[analysis.at]
    before = analysis.positions[node.parent]
    path = before.ruleset.move_path(node.move)
    return animation.changed_cells(before.cells(), analysis.position.cells(), path)


def _numbers(analysis: Analysis) -> Sequence[MoveNumber]:
    """The number of the move of each node."""
    numbers = [MoveNumber()]
    for node in analysis.tree.nodes[1:]:
        side = analysis.positions[node.parent].side_to_move
        numbers.append(numbers[node.parent].next(side))
    return numbers


def _move_list(analysis: Analysis, numbers: Sequence[MoveNumber]) -> SafeString:
    """Return the buttons of the moves, and an element around those of each side line.

    They are written here and not by a template, which takes 20 ms for the longest game.
    """
    tree = analysis.tree
    leading = set(tree.path(analysis.at))
    # No move has a line break. One call for all of them takes a tenth of the time of a call for each.
    moves = escape("\n".join(node.move for node in tree.nodes)).split("\n")

    def button(at: int) -> str:
        node = tree.nodes[at]
        name = f'<span class="line-name">{escape(node.name)}</span>' if node.name else ""
        on_path = " on-path" if at in leading else ""
        current = ' aria-current="true"' if at == analysis.at else ""
        return (
            f'{name}<button class="node{on_path}" name="at" value="{at}"{current}>'
            f'<span class="n">{numbers[at]}</span>{moves[at]}</button>'
        )

    parts = (_ENDS[token] if isinstance(token, str) else button(token) for token in tree.tokens)
    return mark_safe("".join(parts))  # noqa: S308 - names and moves are escaped


def address(analysis: Analysis, **more: str) -> str:
    """Return an address of this analysis that contains the whole analysis."""
    study = analysis.source.study
    if study is not None and not analysis.is_changed:
        return f"{study.get_absolute_url()}?{query({'at': str(analysis.at), **more})}"
    fields = dict(_source_fields(analysis.source))
    if analysis.is_changed:
        fields["tree"] = analysis.tree_text
    return f"{reverse('analysis')}?{query({**fields, 'at': str(analysis.at), **more})}"


def query(fields: Mapping[str, str]) -> str:
    """The fields as a query string that people can read."""
    return urlencode(fields, safe=_SAFE, quote_via=quote)


def _source_fields(source: Source) -> list[tuple[str, str]]:
    if source.study is not None:
        return [("study", source.study.key)]
    if source.game is not None:
        return [("game", str(source.game.pk))]
    return [("rules", source.start.ruleset.key), ("start", source.start.text())]
