"""Games of matches as game records, with files for them and for transcripts."""

from __future__ import annotations

import re
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import games
from engine.match import Ending
from games.core import Side

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
    """Return the game as a record.

    Faults other than time are forfeits there. A void game was not finished.
    """
    return games.Record(
        ruleset=report.ruleset,
        setup=report.setup,
        moves=tuple(report.moves),
        outcome=report.outcome,
        ending=_ENDINGS[report.ending],
    )


@contextmanager
def writer(path: str | None) -> Iterator[Callable[[GameReport], None]]:
    """Yield a function that appends the record of a game and an empty line to the file at `path`.

    Without a path the function has no effect.
    """
    if path is None:
        yield lambda report: None
        return
    with Path(path).open("a", encoding="ascii") as file:

        def write(report: GameReport) -> None:
            file.write(record_of(report).text() + "\n")
            file.flush()

        yield write


def transcript_writer(directory: str | None) -> Callable[[GameReport, int], None]:
    """Return a function that writes both transcripts of game `number` into `directory`.

    Without a directory the function has no effect.

    The files are called `0007-first-greedy.txt`. Characters of a bot's name beside letters and
    digits are dashes there.
    """
    if directory is None:
        return lambda report, number: None
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)

    def write(report: GameReport, number: int) -> None:
        for side, transcript in zip(Side, report.transcripts, strict=True):
            name = re.sub(r"[^A-Za-z0-9]+", "-", transcript.bot)
            file = folder / f"{number:04}-{side.value}-{name}.txt"
            file.write_text(transcript.text(), encoding="utf-8")

    return write
