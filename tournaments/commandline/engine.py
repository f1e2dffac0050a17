"""Another pairing program with the arguments of bbpPairings, and the differences of its answers from ours."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

_HEADING = re.compile(r"Round #(\d{1,4})\s*$")
_BOARD = re.compile(r"(\d{1,6}) +- +(\d{1,6})")


class Kind(StrEnum):
    """The way in which two answers differ, the first that applies."""

    EXIT = "exit code"
    PAIRS = "pairs"
    COLOURS = "colours"
    ORDER = "order"


@dataclass(frozen=True, slots=True)
class Answer:
    """Result of a run. `code` is None if it took too long."""

    code: int | None
    output: str


@dataclass(frozen=True, slots=True)
class Engine:
    """The program at `path`, asked to pair by one system."""

    path: str
    system: str
    limit_s: float

    def answer(self, *words: str) -> Answer:
        """Run it with these arguments. Raises OSError."""
        try:
            done = subprocess.run(  # noqa: S603 - the program that the user names
                [self.path, f"--{self.system}", *words],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=self.limit_s,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Answer(None, f"not ready after {self.limit_s:g} s")
        return Answer(done.returncode, done.stdout.decode(errors="replace"))


def told_rounds(output: str) -> dict[int, str]:
    """Return the lines of a checker below each `Round #k`, by round, or an empty entry if the round is consistent."""
    rounds: dict[int, str] = {}
    number = 0
    for line in output.splitlines():
        if heading := _HEADING.search(line):
            number = int(heading[1])
            rounds[number] = ""
        elif line.strip() and number:
            rounds[number] += f"{line}\n"
    return rounds


def compared(table: str) -> Kind:
    """The difference that a checker's table of one round shows: the boards of both sides."""
    boards = [frozenset(board) for board in _BOARD.findall(table)]
    is_of_colours = boards and all(boards.count(board) == 2 for board in boards)
    return Kind.COLOURS if is_of_colours else Kind.PAIRS


def difference_of(
    ours: Iterable[tuple[Hashable, Hashable]], theirs: Iterable[tuple[Hashable, Hashable]]
) -> Kind:
    """The difference of two lists of boards that are not equal."""
    one, two = list(ours), list(theirs)
    if set(map(frozenset, one)) != set(map(frozenset, two)):
        return Kind.PAIRS
    return Kind.COLOURS if set(one) != set(two) else Kind.ORDER
