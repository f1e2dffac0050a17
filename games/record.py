"""A game as text: headers, the numbered moves, and its end.

A text whose moves cannot be replayed is refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from games.core import BadRecordError, IllegalMoveError, Outcome, RulesError, quote
from games.registry import load
from games.starts import starting_position

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.core import Position, Ruleset

# The longest game is 1,480 plies (31x31 after a placement phase). The longest move is one of Morelli
# with eight captures, of 34 characters.
MAX_PLIES = 10_000
MAX_MOVE = 60
MAX_RECORD = 1_000_000
ENDINGS = (
    *("rules", "agreement", "draw-agreed", "resignation", "time", "absence"),
    *("adjudication", "forfeit"),
)

_RESULTS = {Outcome.FIRST: "1-0", Outcome.SECOND: "0-1", Outcome.DRAW: "1/2-1/2", None: "*"}
_OUTCOMES = {text: outcome for outcome, text in _RESULTS.items()}
_QUOTES = re.compile(r'["\n]')
_HEADER = re.compile(r'\[([A-Z][a-z]+) "([^"\n]*)"\]')
_HEADERS = ("Game", "Setup", "Result", "Ending")
# Headers of players, dates and places, which decide no result.
_MAX_FURTHER = 30
_NUMBERED_MOVE = re.compile(r"([1-9][0-9]{0,4})\. (\S+(?: \S+)?)")


@dataclass(frozen=True, slots=True)
class Record:
    """A game as it was played.

    Attributes:
        ruleset: the canonical key.
        setup: the text of `games.starts.setup_of` for the start.
        moves: every ply in canonical form, a move each.
        outcome: the result, or None of a game that was not finished.
        ending: one of `ENDINGS`, or None of a game that was not finished.
        headers: names and values of further facts about the game, such as players and date. Records
            with different headers are equal, because headers decide no result.
    """

    ruleset: str
    setup: str
    moves: tuple[str, ...]
    outcome: Outcome | None = None
    ending: str | None = None
    headers: tuple[tuple[str, str], ...] = field(default=(), compare=False)

    def text(self, *, with_terminal_mark: bool = False) -> str:
        """Return the record for people and files, ending in a newline.

        `parse_record` reads it back.

        Args:
            with_terminal_mark: add `//` to the last move of a game of Morelli ended by the rules
                (D-M25). For display. A text with it reads back to an equal record too.
        """
        first = (self.ruleset, self.setup, _RESULTS[self.outcome], self.ending or "*")
        headers = [*zip(_HEADERS, first, strict=True), *self.headers]
        lines = [f'[{name} "{_QUOTES.sub(" ", value)}"]' for name, value in headers]
        moves = list(self.moves)
        if with_terminal_mark and self._has_terminal_mark():
            moves[-1] += _TERMINAL_MARK
        return "\n".join(
            [*lines, "", *(f"{k}. {move}" for k, move in enumerate(moves, start=1)), ""]
        )

    def positions(self) -> Iterator[Position]:
        """Yield the starting position and the one after each move.

        Raises BadRecordError at the first flaw.
        """
        position = _start(self)
        yield position
        for number, move in enumerate(self.moves, start=1):
            try:
                if position.canonical(move) != move:
                    raise BadRecordError(
                        f"move {number}: {quote(move)} is not in canonical form",
                        line=self.line_of(number),
                    )
                position = position.play(move)
            except IllegalMoveError as error:
                raise BadRecordError(
                    f"move {number}: {error}", line=self.line_of(number)
                ) from error
            yield position

    def line_of(self, number: int) -> int:
        """Return the line of its text that contains the move `number`. Both count from 1."""
        return len(_HEADERS) + len(self.headers) + 1 + number

    def _has_terminal_mark(self) -> bool:
        return bool(self.moves) and self.ending == "rules" and self.ruleset.startswith("morelli(")


_TERMINAL_MARK = "//"


def most_characters(ruleset: Ruleset) -> int:
    """Return the characters that the numbered moves of the longest game of the rule set can take."""
    longest_line = len(f"{MAX_PLIES}. \n") + MAX_MOVE
    return min(ruleset.max_plies, MAX_PLIES) * longest_line


def parse_record(text: str) -> Record:
    """Return the record whose `text()` this is. Its moves are not played: see `replay`.

    Raises BadRecordError.
    """
    if len(text) > MAX_RECORD:
        raise BadRecordError(f"{quote(text)}: longer than {MAX_RECORD} characters")
    lines = text.split("\n")
    end = next((k for k, line in enumerate(lines) if not line.startswith("[")), 0)
    headers = _parse_headers(lines[:end])
    if lines[end] != "" or lines[-1] != "" or end == len(lines) - 1:
        raise BadRecordError(
            f"{quote(text)}: needs {len(_HEADERS)} headers, an empty line and a final newline"
        )
    game, setup, result, ending = (value for _, value in headers[: len(_HEADERS)])
    if result not in _OUTCOMES or ending not in {*ENDINGS, "*"}:
        raise BadRecordError(f"{quote(f'{result} {ending}')} is no result with an ending")
    record = Record(
        game,
        setup,
        _parse_moves(lines[end + 1 : -1], before=end + 1),
        _OUTCOMES[result],
        None if ending == "*" else ending,
        tuple(headers[len(_HEADERS) :]),
    )
    if record.moves and record._has_terminal_mark():
        *moves, last = record.moves
        return replace(record, moves=(*moves, last.removesuffix(_TERMINAL_MARK)))
    return record


def replay(record: Record) -> list[Position]:
    """Return the starting position and the one after each move.

    Raises:
        BadRecordError: with the number of the first move that cannot be played, or a result the
            rules contradict.
    """
    positions = list(record.positions())
    outcome = positions[-1].outcome()
    if record.ending in {"rules", "agreement"} and record.outcome != outcome:
        raise BadRecordError(
            f"the result is {outcome or 'open'}, not {record.outcome or 'open'}, by the rules"
        )
    return positions


def _start(record: Record) -> Position:
    if len(record.moves) > MAX_PLIES:
        raise BadRecordError(f"{len(record.moves)} moves are more than {MAX_PLIES}")
    try:
        ruleset = load(record.ruleset)
        position = starting_position(ruleset, record.setup)
    except RulesError as error:
        raise BadRecordError(f"the start: {error}") from error
    if ruleset.key != record.ruleset:
        raise BadRecordError(f"{quote(record.ruleset)} is not the canonical {quote(ruleset.key)}")
    return position


def _parse_headers(lines: list[str]) -> list[tuple[str, str]]:
    """Return names and values: the four that a record needs, in their order, and further headers."""
    if len(lines) > len(_HEADERS) + _MAX_FURTHER:
        raise BadRecordError(f"{len(lines)} headers are more than {len(_HEADERS) + _MAX_FURTHER}")
    headers = []
    for number in range(max(len(lines), len(_HEADERS))):
        line = lines[number] if number < len(lines) else ""
        name = _HEADERS[number] if number < len(_HEADERS) else "Name"
        match = _HEADER.fullmatch(line)
        if match is None or (number < len(_HEADERS) and match[1] != name):
            raise BadRecordError(
                f'line {number + 1}: {quote(line)} is not of the form [{name} "..."]',
                line=number + 1,
                column=1,
            )
        headers.append((match[1], match[2]))
    return headers


def _parse_moves(lines: list[str], *, before: int) -> tuple[str, ...]:
    """Return the moves on `lines`, before which there are `before` others."""
    if len(lines) > MAX_PLIES:
        raise BadRecordError(f"{len(lines)} moves are more than {MAX_PLIES}")
    moves = []
    for number, line in enumerate(lines, start=1):
        match = _NUMBERED_MOVE.fullmatch(line)
        if match is None or match[1] != str(number):
            raise BadRecordError(
                f"move {number}: {quote(line)} is not of the form '{number}. MOVE'",
                line=before + number,
                column=1,
            )
        moves.append(match[2])
    return tuple(moves)
