"""Games of matches as game records, and files of them."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import games
from engine.match import Ending

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine.match import GameReport

_ENDINGS = {
    Ending.RULES: "rules",
    Ending.RESIGNATION: "resignation",
    Ending.TIME: "time",
    Ending.CRASH: "forfeit",
    Ending.ILLEGAL_MOVE: "forfeit",
    Ending.FLOOD: "forfeit",
    Ending.PROTOCOL: "forfeit",
    Ending.VOID: None,
}


def record_of(report: GameReport) -> games.Record:
    """The game as a record. Faults other than time are forfeits there; a void game was not finished."""
    return games.Record(
        ruleset=report.ruleset,
        setup=report.setup,
        moves=tuple(report.moves),
        outcome=report.outcome,
        ending=_ENDINGS[report.ending],
    )


@contextmanager
def writer(path: str | None) -> Iterator[Callable[[GameReport], None]]:
    """A function that appends a game's record, and an empty line, to the file at `path`; without one it does nothing."""
    if path is None:
        yield lambda report: None
        return
    with Path(path).open("a", encoding="ascii") as file:

        def write(report: GameReport) -> None:
            file.write(record_of(report).text() + "\n")
            file.flush()

        yield write
