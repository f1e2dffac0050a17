"""Analysis: trees of moves over a game or a position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import games
from games import variations
from games.core import quote
from games.json_record import MAX_JSON
from games.variations import ROOT, Tree
from games.variations import delete as without
from tournaments.errors import NotAllowedError, RefusedError
from tournaments.models import Game, Player, Study
from tournaments.queries.records import game_records

# With this time for a side, days lie between moves. Thinking at a separate board is part of such a
# game.
CORRESPONDENCE_MS = 24 * 3600 * 1000
# Number of trees whose positions a process keeps, and the most nodes of such a tree. The longest game takes 0.25 MB,
# and the largest such tree 1.6 MB (Morlox 26x26).
_KEPT_TREES = 8
_LARGEST_KEPT = 600


@dataclass(frozen=True, slots=True)
class Source:
    """The start of an analysis.

    Attributes:
        tree: the tree before any change: the moves of the game, or the stored tree.
        at: the first node on the board.
    """

    start: games.Position
    tree: Tree
    at: int = ROOT
    game: Game | None = None
    study: Study | None = None

    @property
    def base(self) -> Sequence[str]:
        """The moves that the text of a changed tree may leave out."""
        return self.tree.moves(self.tree.end())


@dataclass(frozen=True, slots=True)
class Analysis:
    """A source with its tree as it is now, every position of it, and the node that is looked at."""

    source: Source
    tree: Tree
    positions: Sequence[games.Position]
    at: int

    @property
    def position(self) -> games.Position:
        """The position that is looked at."""
        return self.positions[self.at]

    @property
    def tree_text(self) -> str:
        """The tree as text over the source's base."""
        return self.tree.text(self.source.base)

    @property
    def is_changed(self) -> bool:
        """Return whether the tree is another than the source's."""
        return self.tree != self.source.tree


def new(ruleset: str, start: str) -> Source:
    """Return the board of a rule set in the position `start`, or at the start of a game if it is empty.

    Raises RefusedError.
    """
    try:
        rules = games.load(ruleset)
        position = rules.parse(start) if start else rules.initial(seed=0)
    except games.RulesError as error:
        raise RefusedError(error.code, str(error)) from error
    return Source(position, Tree())


def of_game(game: Game, viewer: Player | None) -> Source:
    """The record of `game` as a tree.

    Raises:
        NotAllowedError: `analysis-own-game`.
    """
    if not may_analyse(game, game.side_of(viewer)):
        raise NotAllowedError("analysis-own-game")
    record = game_records.record_of(game)
    tree = variations.line(record.moves)
    return Source(
        games.starting_position(games.load(record.ruleset), record.setup),
        tree,
        tree.end(),
        game=game,
    )


def may_analyse(game: Game, side: str | None) -> bool:
    """Return whether the player of `side`, or a spectator if it is None, may analyse `game`.

    While it is in progress, its players may analyse it if it is casual, or by correspondence. All
    other users may at any time.
    """
    if game.result is not None or side is None:
        return True
    is_casual = not game.is_rated and game.pairing_id is None
    return is_casual or game.clock_initial_ms >= CORRESPONDENCE_MS


def of_study(study: Study) -> Source:
    """Return the stored source of a study, unchanged."""
    start = games.load(study.ruleset).parse(study.start)
    return Source(start, variations.parse_tree(study.tree).tree, study.at, study.game, study)


def analyse_text(text: str, ruleset: str) -> Analysis:
    """Return the analysis of a record as text or JSON, or of a position of `ruleset`, as a user pastes it.

    Raises:
        RefusedError: the fault of the text, with line and column if they are known.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").strip()
    if not text:
        raise RefusedError("paste-empty")
    if len(text) > MAX_JSON:
        raise RefusedError("bad-record", f"{quote(text)}: longer than {MAX_JSON} characters")
    try:
        if text[0] not in "{[":
            return analyse(new(ruleset, text))
        record = games.parse_json(text) if text[0] == "{" else games.parse_record(f"{text}\n")
        return _of_record(record)
    except games.BadRecordError as error:
        where = f"line {error.line}: " if error.line and text[0] == "[" else ""
        raise RefusedError(error.code, where + str(error).removeprefix(where)) from error


def _of_record(record: games.Record) -> Analysis:
    """Return the analysis of a record. Spellings of moves and the result may be wrong."""
    try:
        start = games.starting_position(games.load(record.ruleset), record.setup)
    except games.RulesError as error:
        raise games.BadRecordError(f"the start: {error}") from error
    moves, position = [], start
    if len(record.moves) > variations.MAX_NODES:
        raise games.BadRecordError(f"more than {variations.MAX_NODES} moves")
    for number, move in enumerate(record.moves, start=1):
        try:
            moves.append(position.canonical(move))
            position = position.play(moves[-1])
        except games.IllegalMoveError as error:
            raise games.BadRecordError(
                f"move {number}: {error}", line=record.line_of(number)
            ) from error
    return analyse(Source(start, Tree()), tree=variations.line(moves).text(), at=ROOT)


def analyse(source: Source, *, tree: str | None = None, at: int | None = None) -> Analysis:
    """Return the analysis of `source` with the user's `tree` of it, at node `at`.

    Raises:
        RefusedError: `bad-record`, a tree that cannot be read or played, or `no-such-node`.
    """
    try:
        parse_result = (
            variations.ParsedTree(source.tree, {})
            if tree is None
            else variations.parse_tree(tree, source.base)
        )
        positions = _positions(parse_result, source.start)
    except games.BadRecordError as error:
        raise RefusedError(error.code, str(error)) from error
    if at is None:
        at = source.at if tree is None else ROOT
    if at >= len(positions):
        raise RefusedError("no-such-node", f"{at} of {len(positions)}")
    return Analysis(source, parse_result.tree, positions, at)


def _positions(
    parse_result: variations.ParsedTree, start: games.Position
) -> Sequence[games.Position]:
    """Return the position after each node of the tree. Raises BadRecordError."""
    is_kept = len(parse_result.tree.nodes) <= _LARGEST_KEPT
    return (_kept_positions if is_kept else _played_positions)(parse_result, start)


def _played_positions(
    parse_result: variations.ParsedTree, start: games.Position
) -> Sequence[games.Position]:
    return variations.positions(parse_result.tree, start, parse_result.columns)


# A user who walks through a tree asks for its positions with each step.
_kept_positions = lru_cache(_KEPT_TREES)(_played_positions)


def play(analysis: Analysis, move: str) -> Analysis:
    """Return `analysis` with `move` played at the node on the board.

    Raises:
        RefusedError: `illegal-move` with the paragraph, or `bad-record`, the tree is full.
    """
    position = analysis.position
    try:
        canonical = position.canonical(move)
        position.play(canonical)
        edit = variations.add(analysis.tree, analysis.at, canonical)
    except games.IllegalMoveError as error:
        raise RefusedError.of_move(error) from error
    except games.BadRecordError as error:
        raise RefusedError(error.code, str(error)) from error
    return _with_edit(analysis, edit)


def delete(analysis: Analysis) -> Analysis:
    """Return `analysis` without the move on the board and the moves after it."""
    return _with_edit(analysis, without(analysis.tree, analysis.at))


def promote(analysis: Analysis) -> Analysis:
    """`analysis` with the line that is looked at as its main line."""
    return _with_edit(analysis, variations.promote(analysis.tree, analysis.at))


def rename(analysis: Analysis, name: str) -> Analysis:
    """`analysis` with a name for the line that begins with the move that is looked at."""
    tree = variations.rename(analysis.tree, analysis.at, name)
    return replace(analysis, tree=tree)


def _with_edit(analysis: Analysis, edit: variations.Edit) -> Analysis:
    positions = _positions(variations.ParsedTree(edit.tree, {}), analysis.source.start)
    return Analysis(analysis.source, edit.tree, positions, edit.at)
