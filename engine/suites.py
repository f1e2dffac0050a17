"""Suites of start positions, from which the pairs of a match or an SPRT test begin.

A suite is a text of one start a line: a set-up as records have it after `Setup`, or a position of
the rule set. Empty lines, and lines that begin with `#`, are ignored.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import games
from engine.errors import EngineError
from games.starts import POSITION

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from games import Position, Ruleset

MAX_SETUPS = 1_000
MAX_BYTES = 500_000
MAX_OPENING_PLIES = 20
COMMENT = "#"
# The number of random games for each opening. After them the rule set is taken to have no more.
_TRIES_A_POSITION = 30
_QUOTED = 80


class SuiteError(EngineError):
    """A text that is no suite of its rule set, or openings that do not exist.

    Attributes:
        code: the error: `suite-start` (no set-up and no position of the rule set), `suite-over`
            (the game is over there), `suite-twice`, `suite-many`, `suite-large`, `suite-empty`,
            `suite-openings`.
        line: the line of the error, from 1, or 0 for the whole.
    """

    def __init__(self, code: str, detail: str, *, line: int = 0) -> None:
        super().__init__(f"line {line}: {detail}" if line else detail)
        self.code = code
        self.line = line


def read(text: str, ruleset: Ruleset) -> tuple[str, ...]:
    """Return the set-ups of a suite, in the stored spelling and in the order of the lines.

    Raises SuiteError for a line that is no start of `ruleset`, is over already or is a repetition.
    It is also raised for too much text, beyond `MAX_SETUPS` starts or `MAX_BYTES` bytes, and for an
    empty suite.
    """
    if len(text.encode()) > MAX_BYTES:
        raise SuiteError("suite-large", f"more than {MAX_BYTES} bytes")
    lines_by_setup: dict[str, int] = {}
    for line, start in _starts(text):
        setup = _setup(_position(start, ruleset, line))
        if setup in lines_by_setup:
            earlier = lines_by_setup[setup]
            raise SuiteError("suite-twice", f"the same start as in line {earlier}", line=line)
        if len(lines_by_setup) == MAX_SETUPS:
            raise SuiteError("suite-many", f"more than {MAX_SETUPS} starts", line=line)
        lines_by_setup[setup] = line
    if not lines_by_setup:
        raise SuiteError("suite-empty", "a suite without a start")
    return tuple(lines_by_setup)


def openings(ruleset: Ruleset, *, plies: int, count: int, rng: random.Random) -> tuple[str, ...]:
    """Return at most `count` different set-ups, `plies` random plies after a start of the rules.

    Each start is drawn, and each ply is any of the legal ones with equal chance. Games that end
    before are left out. There are fewer than `count` if 30 random games for each do not find
    enough. The advantage of a side is not weighed: a pair of games gives each side to both bots.

    Raises SuiteError if there is no such set-up, or the figures are out of range (1 to
    `MAX_OPENING_PLIES` plies, 1 to `MAX_SETUPS` set-ups).
    """
    if not (1 <= plies <= MAX_OPENING_PLIES and 1 <= count <= MAX_SETUPS):
        raise SuiteError("suite-openings", f"{count} openings of {plies} plies")
    setups: dict[str, None] = {}
    for _ in range(_TRIES_A_POSITION * count):
        position = _random_position(ruleset, plies, rng)
        if position is not None:
            setups[_setup(position)] = None
        if len(setups) == count:
            break
    if not setups:
        raise SuiteError("suite-openings", f"no game of {ruleset.key} goes on after {plies} plies")
    return tuple(setups)


def has_one_start(ruleset: Ruleset) -> bool:
    """Return whether every game of the rule set begins from one position."""
    return ruleset.setup_text(ruleset.initial(seed=1)) == ""


def in_order(setups: Sequence[str], seed: int) -> list[str]:
    """Return the set-ups in an order that `seed` draws on every machine."""
    return random.Random(seed).sample(setups, k=len(setups))


def _starts(text: str) -> Iterator[tuple[int, str]]:
    for line, content in enumerate(text.splitlines(), start=1):
        start = content.strip()
        if start and not start.startswith(COMMENT):
            yield line, start


def _position(start: str, ruleset: Ruleset, line: int) -> Position:
    """Return the position of a line: of a set-up if it is one, else as a text of positions."""
    try:
        position = games.starting_position(ruleset, start)
    except games.RulesError:
        try:
            position = ruleset.parse(start)
        except games.RulesError as error:
            detail = f"no set-up and no position: {str(error)[:_QUOTED]}"
            raise SuiteError("suite-start", detail, line=line) from error
    if position.outcome() is not None:
        raise SuiteError("suite-over", "the game is over there", line=line)
    return position


def _setup(position: Position) -> str:
    """Return the set-up of games from the position.

    The only start of some rules is empty, and no line.
    """
    return games.setup_of(position) or f"{POSITION}{position.text()}"


def _random_position(ruleset: Ruleset, plies: int, rng: random.Random) -> Position | None:
    """Return the position after random plies, or None if the game ends before."""
    position = ruleset.initial(seed=rng.getrandbits(32))
    for _ in range(plies):
        if position.outcome() is not None:
            return None
        position = position.play(rng.choice(position.legal_moves()))
    return None if position.outcome() is not None else position
