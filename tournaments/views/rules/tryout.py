"""Moves tried out on the figures of the rules.

All cells may be clicked. The message about an illegal move cites its paragraph.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from django.utils.safestring import SafeString

import games
from games import animation, svg
from games.presentation import Drill, Figure
from games.view import Cell
from tournaments.errors import RefusedError
from tournaments.views.games import boards, move_selection
from tournaments.views.games.move_choices import Choice
from tournaments.views.games.move_selection import MoveSelection

MAX_MOVES = 200
_PLAIN = svg.Look()


@dataclass(frozen=True, slots=True)
class Example:
    """A move that the figure explains, and the address that shows it."""

    move: str
    url: str


@dataclass(frozen=True, slots=True)
class Try:
    """A figure with the moves a reader has made on it.

    Attributes:
        moves: the moves after the figure's position.
        pending: moves that share the cells clicked, each with the address that plays it.
        choices: the legal moves for the page's script, or empty if it follows the links of cells.
        back_url: one move earlier, or empty at the figure's own position.
    """

    figure: Figure
    url: str
    moves: Sequence[str]
    position: games.Position
    board: SafeString
    examples: Sequence[Example]
    pending: Sequence[Example]
    choices: Sequence[Mapping[str, object]]
    back_url: str

    @property
    def moves_text(self) -> str:
        """The moves as the address has them."""
        return moves_text(self.moves)

    @property
    def last_move(self) -> str:
        return self.moves[-1] if self.moves else ""

    @property
    def outcome(self) -> games.Outcome | None:
        return self.position.outcome()

    @property
    def colour(self) -> str:
        """The colour to move, or of the winner."""
        side, outcome = self.position.side_to_move, self.outcome
        if outcome is not None and outcome is not games.Outcome.DRAW:
            side = games.Side(outcome.value)
        return self.position.colour_of(side)

    @property
    def depth(self) -> int:
        """Nothing of the game before the figure is known."""
        return len(self.moves)


def played(figure: Figure, moves: Sequence[str]) -> list[games.Position]:
    """The figure's position and the one after each of `moves`. Raises RefusedError, with the paragraph."""
    if len(moves) > MAX_MOVES:
        raise RefusedError("illegal-move", f"more than {MAX_MOVES} moves")
    positions = [figure.position]
    for move in moves:
        try:
            positions.append(positions[-1].play(move))
        except games.IllegalMoveError as error:
            raise RefusedError.of_move(error) from error
    return positions


def tried(
    figure: Figure,
    url: str,
    moves: Sequence[str],
    path: tuple[str, ...],
    look: svg.Look = _PLAIN,
    *,
    is_live: bool = True,
) -> Try:
    """Return the figure after `moves`, with the cells of `path` clicked, or without links if not `is_live`.

    Raises RefusedError.
    """
    positions = played(figure, moves)
    position = positions[-1]
    selection = MoveSelection.of(position, path)

    def onwards(move: str) -> Example:
        return Example(move, address_of(url, moves, move))

    return Try(
        figure=figure,
        url=url,
        moves=moves,
        position=position,
        board=_board(figure, positions, moves, selection, url, look, is_live=is_live),
        examples=[
            *(onwards(move) for move in figure.next_moves(moves) if moves),
            *(
                Example(move, address_of(url, (), move))
                for move in figure.moves
                if move not in moves[:1]
            ),
        ],
        pending=[onwards(choice.move) for choice in (*selection.pending, *selection.buttons)],
        choices=_choices(selection) if is_live else (),
        back_url=_address(url, moves[:-1], {}) if moves else "",
    )


def _choices(selection: MoveSelection) -> Sequence[Mapping[str, object]]:
    """Return the choices if the clicks alone tell them apart."""
    paths = {choice.path for choice in selection.choices}
    is_plain = len(paths) == len(selection.choices) and not selection.has_too_many
    return [choice.data for choice in selection.choices] if is_plain else ()


@dataclass(frozen=True, slots=True)
class Attempt:
    """The position of a drill that an address or a form names, and the move tried there.

    Attributes:
        moves: the moves that begin a right line, or none if the named ones do not.
        typed: the move, legal or not, or an empty text.
        is_of_line: whether the named moves begin a right line.
    """

    moves: Sequence[str]
    typed: str
    is_of_line: bool


def attempt_of(drill: Drill, query: Mapping[str, str]) -> Attempt:
    """Return the attempt in the fields `moves`, and `try` or `clicks`."""
    moves = moves_of(query.get("moves", ""))
    is_of_line = drill.begins_with(moves)
    if not is_of_line:
        moves = []
    return Attempt(moves, _typed_move(drill, moves, query), is_of_line)


def _typed_move(drill: Drill, moves: Sequence[str], query: Mapping[str, str]) -> str:
    """Return the move in `?try=`, or that of the cells in `?clicks=`, or an empty text."""
    cells = move_selection.path_of(query.get("clicks", ""))
    if not cells:
        return query.get("try", "").strip()[:200]
    position = drill.after(moves)
    return attempted(position, MoveSelection.of(position, ()).choices, cells)


def attempted(position: games.Position, choices: Sequence[Choice], cells: Sequence[str]) -> str:
    """Return the move that the clicks on `cells` mean, legal or not, or an empty text before the last click.

    `choices` are the legal moves of `position`, which are expensive to find.
    """
    fitting = [choice for choice in choices if choice.path[: len(cells)] == tuple(cells)]
    if fitting:
        is_complete = len(fitting) == 1 and len(fitting[0].path) == len(cells)
        return fitting[0].move if is_complete else ""
    mark = _mark_of_one_click(position, choices, cells[-1])
    if mark:
        return mark.format(cells[-1])
    return "-".join(cells) if len(cells) > 1 else ""


def _mark_of_one_click(position: games.Position, choices: Sequence[Choice], cell: str) -> str:
    """Return the text of a move of one cell if the game has such moves now, or an empty text if moves take two."""
    presentation = games.family_of(position.ruleset.family).presentation
    click = presentation.clicks.get(position.phase)
    if click is not None:
        is_occupied = any(each.piece for each in position.cells() if each.name == cell)
        return click.occupied if is_occupied else click.empty
    # To place and to re-enter is written so in every game that has it.
    must_place = bool(choices) and choices[0].move.startswith("@")
    return "@{}" if must_place else ""


def moves_of(text: str) -> list[str]:
    """The moves in `?moves=`, which may be anything."""
    return [move.replace("_", " ")[:100] for move in text[:10_000].split(";") if move]


def address_of(url: str, moves: Sequence[str], move: str) -> str:
    """Return the address that tries `move` after `moves`."""
    return _address(url, moves, {"try": move})


def moves_text(moves: Sequence[str]) -> str:
    """Return the moves as `?moves=` has them."""
    return ";".join(move.replace(" ", "_") for move in moves)


def _address(url: str, moves: Sequence[str], more: Mapping[str, str]) -> str:
    fields = {**({"moves": moves_text(moves)} if moves else {}), **more}
    return f"{url}?{urlencode(fields, safe=';,*@', quote_via=quote)}" if fields else url


def _link(
    url: str,
    moves: Sequence[str],
    position: games.Position,
    selection: MoveSelection,
    cell: Cell,
) -> str | None:
    """Return the target of a click on `cell`, or None for a click without effect, such as on an empty cell first."""
    cells = (*selection.path, cell.name)
    if selection.path and cell.name == selection.path[-1]:
        return _address(url, moves, {})
    move = attempted(position, selection.choices, cells)
    if move:
        return address_of(url, moves, move)
    if selection.path and cell.name not in selection.targets:
        return None
    if not selection.path and cell.piece is None:
        return None
    return _address(url, moves, {"path": ",".join(cells)})


def _board(
    figure: Figure,
    positions: Sequence[games.Position],
    moves: Sequence[str],
    selection: MoveSelection,
    url: str,
    look: svg.Look,
    *,
    is_live: bool,
) -> SafeString:
    position = positions[-1]
    cells = position.cells()
    last_move = moves[-1] if moves else ""
    path = position.ruleset.move_path(last_move) if moves else ()
    clicked = cells if is_live else ()
    links = {cell.name: _link(url, moves, position, selection, cell) for cell in clicked}
    return boards.draw(
        position,
        last_move=last_move,
        captured=animation.changed_cells(positions[-2].cells(), cells, path) if moves else (),
        look=look,
        selection=selection,
        has_labels=True,
        links={name: link for name, link in links.items() if link},
        id_prefix=f"try-{figure.name}",
    )
