"""A tree of moves: a main line and its variations, as text and as positions.

As text the moves of a line are separated by `;`, and a blank within a move is `_`. Parentheses
contain another line instead of the move before them. Braces after a move contain the name of the
line that begins with it. `=12` replaces the next twelve moves of a `base` that reader and writer
both have, such as the record of a game::

    A1-B2;E1-D2(E2-D3{quieter};A2-B3);B2-D4_xD3
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from games.core import BadRecordError, IllegalMoveError, quote

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from games.core import Position

MAX_NODES = 3_000
MAX_TREE = 60_000
MAX_NAME = 60
ROOT = 0

OPEN, CLOSE = "(", ")"
_TOKEN = re.compile(
    r"\s*(?:(?P<mark>[;()])|\{(?P<name>[^{}\x00-\x1f\x7f]*)\}|=(?P<run>[0-9]{1,4})(?![^;(){}\s])|(?P<move>[^;(){}=\s]+))\s*"
)


@dataclass(frozen=True, slots=True)
class Node:
    """A move of the tree: the number of the node before it, and a name.

    The name is that of the line that begins here, mostly empty.
    """

    move: str
    parent: int
    name: str = ""


@dataclass(frozen=True)
class Tree:
    """The nodes in the order of the text.

    Number 0 is the start, which has no move. Every other node follows its parent.
    """

    nodes: tuple[Node, ...] = (Node("", -1),)

    @cached_property
    def children(self) -> Sequence[Sequence[int]]:
        """Return the nodes after each node, the main line's first."""
        children: list[list[int]] = [[] for _ in self.nodes]
        for number, node in enumerate(self.nodes[1:], start=1):
            children[node.parent].append(number)
        return children

    @cached_property
    def depths(self) -> Sequence[int]:
        """Return the number of moves that lead to each node."""
        depths = [0]
        for node in self.nodes[1:]:
            depths.append(depths[node.parent] + 1)
        return depths

    def path(self, at: int) -> Sequence[int]:
        """Return the nodes from the first move to `at`, without the start."""
        numbers = []
        while at != ROOT:
            numbers.append(at)
            at = self.nodes[at].parent
        return numbers[::-1]

    def moves(self, at: int) -> Sequence[str]:
        """Return the moves that lead to `at`."""
        return [self.nodes[number].move for number in self.path(at)]

    def end(self, at: int = ROOT) -> int:
        """Return the last node of the line that continues from `at`."""
        while self.children[at]:
            at = self.children[at][0]
        return at

    def text(self, base: Sequence[str] = ()) -> str:
        """Return the tree as text, without the start.

        `parse_tree` with an equal `base` reads it back.
        """
        return "".join(_text_parts(self, base))

    @cached_property
    def tokens(self) -> Sequence[int | str]:
        """Return the numbers of the nodes in the order of the text, with `OPEN` and `CLOSE`.

        These two enclose every line that is not the main one.
        """
        return [*_tokens(self.children)]


@dataclass(frozen=True, slots=True)
class Edit:
    """A changed tree, and the node to look at in it."""

    tree: Tree
    at: int


def line(moves: Sequence[str]) -> Tree:
    """Return the tree of one line."""
    return Tree((Node("", -1), *(Node(move, number) for number, move in enumerate(moves))))


def add(tree: Tree, at: int, move: str) -> Edit:
    """Return `tree` with `move` after `at`, and the new node to look at.

    An existing move is not changed.

    Raises:
        BadRecordError: the tree is as large as trees may be.
    """
    for child in tree.children[at]:
        if tree.nodes[child].move == move:
            return Edit(tree, child)
    if len(tree.nodes) > MAX_NODES:
        raise BadRecordError(f"a tree has at most {MAX_NODES} moves")
    return _renumber((*tree.nodes, Node(move, at)), _with_child(tree, at), len(tree.nodes))


def rename(tree: Tree, at: int, name: str) -> Tree:
    """`tree` with the line from `at` called `name`, cut to `MAX_NAME`.

    An empty name removes the one it has.
    """
    label = " ".join(re.sub(r"[{}\x00-\x1f\x7f]", " ", name).split())[:MAX_NAME].strip()
    nodes = list(tree.nodes)
    nodes[at] = Node(nodes[at].move, nodes[at].parent, label if at != ROOT else "")
    return Tree(tuple(nodes))


def delete(tree: Tree, at: int) -> Edit:
    """Return `tree` without `at` and all that follows it, and the node before as the one to look at.

    The start is not deleted.
    """
    if at == ROOT:
        return Edit(Tree(), ROOT)
    children = [[c for c in kids if c != at] for kids in tree.children]
    return _renumber(tree.nodes, children, tree.nodes[at].parent)


def promote(tree: Tree, at: int) -> Edit:
    """`tree` with the moves that lead to `at` before their alternatives, as the main line."""
    leading = set(tree.path(at))
    children = [sorted(kids, key=lambda c: c not in leading) for kids in tree.children]
    return _renumber(tree.nodes, children, at)


def below(tree: Tree, at: int, children: Sequence[Sequence[int]]) -> Tree:
    """Return the tree that begins at `at`, of the nodes that `children` lists after each node."""
    return _renumber(tree.nodes, children, at, start=at).tree


def graft(tree: Tree, at: int, other: Tree) -> Tree:
    """`tree` with all of `other` after `at`, the last move of its line.

    Raises:
        BadRecordError: both together are larger than trees may be.
    """
    more, before = other.nodes[1:], len(tree.nodes)
    if before + len(more) > MAX_NODES + 1:
        raise BadRecordError(f"a tree has at most {MAX_NODES} moves")
    places = [at, *range(before, before + len(more))]
    nodes = (*tree.nodes, *(Node(node.move, places[node.parent], node.name) for node in more))
    children = [*tree.children, *([places[kid] for kid in kids] for kids in other.children[1:])]
    children[at] = [places[kid] for kid in other.children[ROOT]]
    return _renumber(nodes, children, at).tree


def positions(
    tree: Tree, start: Position, columns: Mapping[int, int] | None = None
) -> Sequence[Position]:
    """Return the position after each node of `tree`, the start first.

    Raises:
        BadRecordError: the rules refuse a move. With its column if `columns` has it.
    """
    result = [start]
    for number, node in enumerate(tree.nodes[1:], start=1):
        try:
            result.append(result[node.parent].play(node.move))
        except IllegalMoveError as error:
            column = (columns or {}).get(number, 0)
            where = f"column {column}, " if column else ""
            raise BadRecordError(
                f"{where}ply {tree.depths[number]}: {error}", line=min(column, 1), column=column
            ) from error
    return result


@dataclass(frozen=True, slots=True)
class ParsedTree:
    """A tree as it was read, and the column of each node in the text, which no comparison looks at."""

    tree: Tree
    columns: Mapping[int, int] = field(compare=False)


def parse_tree(text: str, base: Sequence[str] = ()) -> ParsedTree:
    """Return the tree whose `text()` this is. Its moves are not played.

    Raises BadRecordError with the column.
    """
    if len(text) > MAX_TREE:
        raise BadRecordError(f"{quote(text)}: longer than {MAX_TREE} characters")
    return _TreeParser(text, base).parse()


class _TreeParser:
    def __init__(self, text: str, base: Sequence[str]) -> None:
        self.text = text
        self.base = base
        self.nodes = [Node("", -1)]
        self.depths = [0]
        self.columns: dict[int, int] = {}
        self.numbers: dict[tuple[int, str], int] = {}
        self.current = ROOT
        self.open: list[int] = []
        self.column = 1
        # A move may follow the start, a `;` or a `(`.
        self.is_free = True

    def parse(self) -> ParsedTree:
        place = 0
        while place < len(self.text):
            match = _TOKEN.match(self.text, place)
            self.column = place + 1
            if match is None:
                raise self._refusal("does not belong there")
            self._take(match)
            place = match.end()
        if self.open:
            raise self._refusal("ends before its parentheses are closed")
        if self.is_free and len(self.nodes) > 1:
            raise self._refusal("needs a move here")
        return ParsedTree(Tree(tuple(self.nodes)), self.columns)

    def _take(self, match: re.Match[str]) -> None:
        if match["move"] is not None:
            self._move(match["move"].replace("_", " "))
        elif match["run"] is not None:
            self._run(int(match["run"]))
        elif match["name"] is not None:
            self._name(match["name"])
        elif self.is_free or self.current == ROOT:
            raise self._refusal("needs a move here")
        elif match["mark"] == ";":
            self.is_free = True
        elif match["mark"] == OPEN:
            self.open.append(self.current)
            self.current = self.nodes[self.current].parent
            self.is_free = True
        elif not self.open:
            raise self._refusal("closes what was not opened")
        else:
            self.current = self.open.pop()

    def _move(self, move: str) -> None:
        if not self.is_free:
            raise self._refusal("needs a `;` before the next move")
        if len(self.nodes) > MAX_NODES:
            raise self._refusal(f"has more than {MAX_NODES} moves")
        if (self.current, move) in self.numbers:
            raise self._refusal(f"has {quote(move)} twice in one place")
        number = len(self.nodes)
        self.numbers[self.current, move] = number
        self.columns[number] = self.column
        self.nodes.append(Node(move, self.current))
        self.depths.append(self.depths[self.current] + 1)
        self.current = number
        self.is_free = False

    def _run(self, count: int) -> None:
        depth = self.depths[self.current]
        if not 0 < count <= len(self.base) - depth:
            raise self._refusal(f"asks for {count} more moves of a game that has {len(self.base)}")
        for move in self.base[depth : depth + count]:
            self._move(move)
            self.is_free = True
        self.is_free = False

    def _name(self, name: str) -> None:
        if self.is_free or self.current == ROOT or len(name) > MAX_NAME:
            raise self._refusal(f"has a name that is too long or follows no move: {quote(name)}")
        node = self.nodes[self.current]
        self.nodes[self.current] = Node(node.move, node.parent, name)

    def _refusal(self, what: str) -> BadRecordError:
        rest = quote(self.text[self.column - 1 :])
        return BadRecordError(f"column {self.column}: {rest} {what}", line=1, column=self.column)


def _with_child(tree: Tree, at: int) -> list[list[int]]:
    """Return the children with one more node, the last, after `at`."""
    children = [[*kids] for kids in tree.children]
    children[at].append(len(tree.nodes))
    return [*children, []]


def _tokens(children: Sequence[Sequence[int]], start: int = ROOT) -> Iterator[int | str]:
    """Without recursion, for a game is longer than Python's stack is deep."""
    # The rest to tell, the next last: a node alone, a parenthesis, or the nodes after a node, as
    # its negative.
    stack: list[int | str] = [-(start + 1)]
    while stack:
        item = stack.pop()
        if isinstance(item, str) or item >= 0:
            yield item
            continue
        if not children[-item - 1]:
            continue
        first, *others = children[-item - 1]
        ahead: list[int | str] = [first]
        for other in others:
            ahead += (OPEN, other, -(other + 1), CLOSE)
        stack += reversed([*ahead, -(first + 1)])


def _renumber(
    nodes: Sequence[Node], children: Sequence[Sequence[int]], at: int, *, start: int = ROOT
) -> Edit:
    """Return the nodes that `children` reach from `start`, numbered as the text has them."""
    order = [start, *(token for token in _tokens(children, start) if isinstance(token, int))]
    new = {old: number for number, old in enumerate(order)}
    parents = {child: parent for parent, kids in enumerate(children) for child in kids}
    sequence = [nodes[ROOT]]
    sequence += (Node(nodes[k].move, new[parents[k]], nodes[k].name) for k in order[1:])
    return Edit(Tree(tuple(sequence)), new[at])


def _text_parts(tree: Tree, base: Sequence[str]) -> Iterator[str]:
    in_base = _nodes_of(tree, base)
    run, needs_mark = 0, False
    for token in tree.tokens:
        if isinstance(token, int) and token in in_base and not tree.nodes[token].name:
            run += 1
            continue
        if run:
            yield f"{';' if needs_mark else ''}={run}"
            run, needs_mark = 0, True
        if isinstance(token, str):
            yield token
            needs_mark = token == CLOSE
            continue
        node = tree.nodes[token]
        name = f"{{{node.name}}}" if node.name else ""
        yield f"{';' if needs_mark else ''}{node.move.replace(' ', '_')}{name}"
        needs_mark = True
    if run:
        yield f"{';' if needs_mark else ''}={run}"


def _nodes_of(tree: Tree, base: Sequence[str]) -> set[int]:
    """Return the nodes along `base`, as far as the tree has them."""
    numbers: set[int] = set()
    at = ROOT
    for move in base:
        at = next((child for child in tree.children[at] if tree.nodes[child].move == move), -1)
        if at < 0:
            break
        numbers.add(at)
    return numbers
