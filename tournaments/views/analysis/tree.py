"""The tree of moves of the analysis board as its page shows it, and the address that holds it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from django.conf import settings as site
from django.urls import reverse
from django.utils.safestring import SafeString

import games
from games import animation, svg
from games.variations import OPEN, ROOT
from tournaments.services.records.studies import Analysis, Source
from tournaments.text import rulesets
from tournaments.text.move_numbers import MoveNumber
from tournaments.views.games import boards
from tournaments.views.games.move_selection import MoveSelection

_SAFE = "/;()*=,:@!"


@dataclass(frozen=True, slots=True)
class TreeItem:
    """An item of the tree as the page writes it: a move, or the start or end of a side line.

    Attributes:
        kind: `move`, `open` or `close`.
        is_path: whether the move leads to the node on the board.
    """

    kind: str
    at: int = ROOT
    number: str = ""
    move: str = ""
    name: str = ""
    is_path: bool = False


@dataclass(frozen=True, slots=True)
class AnalysisPage:
    """All data that the page shows of an analysis.

    Attributes:
        back, forward: the nodes before and after, None at either end. `end` is the last of this
            line.
        siblings: the alternatives to the move that led here, including the move itself.
        fields: the hidden fields by which a form sends the position on the board.
    """

    analysis: Analysis
    selection: MoveSelection
    board: SafeString
    title: str
    items: Sequence[TreeItem]
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
    def shown_move(self) -> str:
        """Return the move that led to the node on the board, with its number, or an empty text at the start."""
        return next((f"{i.number} {i.move}" for i in self.items if i.move and i.at == self.at), "")

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
    def fields(self) -> Sequence[tuple[str, str]]:
        return [*_source_fields(self.analysis.source), ("tree", self.analysis.tree_text)]

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
    return AnalysisPage(
        analysis=analysis,
        selection=selection,
        board=board,
        title=rulesets.ruleset_name(position.ruleset.key),
        items=list(_items(analysis)),
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


def _items(analysis: Analysis) -> Sequence[TreeItem]:
    tree = analysis.tree
    leading = set(tree.path(analysis.at))
    numbers = {ROOT: MoveNumber()}
    items = []
    for token in tree.tokens():
        if isinstance(token, str):
            items.append(TreeItem("open" if token == OPEN else "close"))
            continue
        node = tree.nodes[token]
        side = analysis.positions[node.parent].side_to_move
        numbers[token] = numbers[node.parent].next(side)
        items.append(
            TreeItem("move", token, str(numbers[token]), node.move, node.name, token in leading)
        )
    return items


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
