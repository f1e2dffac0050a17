"""Reports of the kernel about a search, an evaluation, and random games."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """A move and the line that the search expects to follow.

    Attributes:
        win_permille: the probability that the side to move wins, 0 to 1000.
        forced_plies: the plies to a proved win, less than 0 to a proved loss, 0 without a proof.
        moves: at least one.
    """

    win_permille: int
    forced_plies: int
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SearchReport:
    """State of a search.

    Attributes:
        depth: the plies of the best line.
        nodes: visited so far.
        is_finished: the result will not change any more.
        lines: of different first moves, the best first. Empty in a finished game.
    """

    depth: int
    nodes: int
    is_finished: bool
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Valuation:
    """A position's evaluation as a sum over its weights.

    Without rounding and bounds the value is the sum of the weights, each times its term.

    Attributes:
        value: for the side to move, before it becomes a chance.
        weights: by which it is.
        terms: the factor of each weight here, to a millionth. 0 if a bound keeps the weight from
            counting.
    """

    value: int
    weights: tuple[int, ...]
    terms: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class PlayoutTally:
    """Random games together.

    Attributes:
        first, second, draws: how many each side won, and how many were drawn.
        plies: of all games.
    """

    first: int
    second: int
    draws: int
    plies: int


def read(text: str) -> SearchReport:
    """Return the report of the module's `search_report`."""
    head, *lines = text.splitlines()
    _, depth, _, nodes, _, is_finished = head.split()
    return SearchReport(int(depth), int(nodes), is_finished == "1", tuple(map(_line, lines)))


def read_valuation(text: str) -> Valuation:
    """Return the valuation of the module's `terms`."""
    value, *lines = text.splitlines()
    pairs = [line.split() for line in lines]
    weights = tuple(int(weight) for weight, _ in pairs)
    return Valuation(int(value), weights, tuple(int(millionths) / 1e6 for _, millionths in pairs))


def _line(text: str) -> Line:
    numbers, _, moves = text.partition(" pv ")
    _, win, _, forced = numbers.split()
    return Line(int(win), int(forced), tuple(_moves(moves)))


def _moves(text: str) -> list[str]:
    """Return the moves of a line.

    The captures of a move of Morelli are a word that begins with `x`.
    """
    moves: list[str] = []
    for word in text.split():
        if word.startswith("x"):
            moves[-1] += f" {word}"
        else:
            moves.append(word)
    return moves
