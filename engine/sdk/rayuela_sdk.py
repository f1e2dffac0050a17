"""Everything a bot needs but an idea.

A whole bot:

from rayuela_sdk import run

def choose(position, clock):
    return position.legal_moves()[0]

run(choose)

`position` is a `games.Position`: `legal_moves()`, `play(move)`, `outcome()`, `side_to_move`,
`evaluation()`, and more in `games/core.py`. Needs `games` and the standard library only. `print` is
safe: it goes to the bot's log.
"""

from __future__ import annotations

import sys
import time
import traceback
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import IO, TYPE_CHECKING

import games

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

__all__ = ["RESIGN", "Clock", "Option", "info", "log", "run"]

# The result of `choose` to resign.
RESIGN = "resign"
# Kept back of the time for a move: reading, writing and a busy machine.
OVERHEAD_MS = 30
# A game is assumed to last this many more of our moves.
_MOVES_LEFT = 30
_MAX_LINE = 4096


@dataclass(frozen=True)
class Clock:
    """The clock of `go` for the side to move, in milliseconds, None for absent values.

    `movetime_ms` is a budget for this move alone. With `nodes` or `fuel` the budget is work,
    independent of the time.

    If the referee charges processor time (`is_cpu`), this clock does too: all threads of the bot
    count, waits for a busy machine do not. Sleep is charged too, and not seen here.
    """

    remaining_ms: int | None = None
    increment_ms: int = 0
    opponent_ms: int | None = None
    movetime_ms: int | None = None
    nodes: int | None = None
    fuel: int | None = None
    is_cpu: bool = False
    began: float = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "began", self._now())

    def spent_ms(self) -> float:
        """Return how much time this move has taken so far."""
        return (self._now() - self.began) * 1000

    def budget_ms(self) -> float:
        """Return a sensible time for this move: the remaining time spread over a game's length.

        It is infinite without a clock.
        """
        if self.movetime_ms is not None:
            return max(1.0, self.movetime_ms - OVERHEAD_MS)
        if self.remaining_ms is None:
            return float("inf")
        share_ms = self.remaining_ms / _MOVES_LEFT + self.increment_ms * 0.75
        return max(1.0, min(share_ms, self.remaining_ms / 2) - OVERHEAD_MS)

    def is_up(self) -> bool:
        """Return whether `budget_ms` is spent: ask it every few milliseconds and move when it says yes."""
        return self.spent_ms() >= self.budget_ms()

    def _now(self) -> float:
        return time.process_time() if self.is_cpu else time.monotonic()


@dataclass
class Option:
    """A number of the bot that others can set, such as `Option("Depth", 3, 1, 9)`.

    The name is one word. The number is whole if `default` is an int, else real. Read `value` in
    `choose`.
    """

    name: str
    default: float
    low: float
    high: float
    value: float = field(init=False)

    def __post_init__(self) -> None:
        self.value = self.default

    def declaration(self) -> str:
        """Return the line of the greeting that declares it."""
        kind = "spin" if isinstance(self.default, int) else "string"
        return f"option name {self.name} type {kind} default {self.default} min {self.low} max {self.high}"

    def set(self, text: str) -> None:
        """Take the value that the referee sends. A value that is no number, or out of bounds, is refused."""
        value = int(text) if isinstance(self.default, int) else float(text)
        if not self.low <= value <= self.high:
            raise ValueError(f"{self.name} is from {self.low} to {self.high}, not {text}")
        self.value = value


def run(
    choose: Callable[[games.Position, Clock], str],
    *,
    options: Sequence[Option] = (),
    name: str = "",
    author: str = "",
    lines: Iterable[str] | None = None,
    output: IO[str] | None = None,
) -> None:
    """Play by the line protocol until `quit`. `choose` is asked for every move of the bot.

    The referee may set the `options` before a game. Other options are ignored.

    An error in `choose` is written to standard error with its position, and ends the bot with
    status 1. `lines` and `output` replace standard input and output, for tests.
    """
    bot = _Bot(choose, output or sys.stdout, options, name=name or _script_name(), author=author)
    stdout, sys.stdout = sys.stdout, sys.stderr
    try:
        for line in sys.stdin if lines is None else lines:
            if not bot.obey(line.split()):
                return
    finally:
        sys.stdout = stdout


def info(
    *,
    depth: int | None = None,
    score: float | None = None,
    nodes: int | None = None,
    pv: Sequence[str] = (),
    text: str = "",
) -> None:
    """Tell spectators the bot's thoughts about the position.

    `score` is from -1 (lost) to 1 (won) for the side to move, `pv` is the best line.

    The last one before a move is shown with it. Outside `run` it has no effect.
    """
    words = ["info"]
    words += [] if depth is None else ["depth", str(depth)]
    words += [] if score is None else ["score", "cp", str(round(score * 100))]
    words += [] if nodes is None else ["nodes", str(nodes)]
    words += ["pv", *map(_word, pv)] if pv else []
    words += ["string", " ".join(text.split())] if text else []
    if _speaking:
        _speaking[-1].say(" ".join(words)[:_MAX_LINE])


def log(*values: object) -> None:
    """Write a line to the bot's log, which its author finds beside the move."""
    sys.stderr.write(" ".join(map(str, values)) + "\n")
    sys.stderr.flush()


class _Bot:
    """One bot at its end of the pipe."""

    def __init__(
        self,
        choose: Callable[[games.Position, Clock], str],
        output: IO[str],
        options: Sequence[Option],
        *,
        name: str,
        author: str,
    ) -> None:
        self._choose = choose
        self._output = output
        self._options = {option.name: option for option in options}
        self._name = name
        self._author = author
        self._ruleset: games.Ruleset | None = None
        self._position: games.Position | None = None
        self._start: list[str] = []
        self._moves: list[str] = []
        self._is_cpu_clock = False

    def say(self, line: str) -> None:
        self._output.write(line + "\n")
        self._output.flush()

    def obey(self, words: list[str]) -> bool:
        """Execute a line, and return False at `quit`. Unknown lines are for other programs."""
        match words:
            case [("ugi" | "uci") as dialect]:
                self._greet(dialect)
            case ["setoption", "name", "Game", "value", key]:
                self._ruleset = games.load(key)
                self._start = []
            case ["setoption", "name", "Clock", "value", clock]:
                self._is_cpu_clock = clock == "cpu"
            case ["setoption", "name", name, "value", value] if name in self._options:
                self._options[name].set(value)
            case ["isready"]:
                self.say("readyok")
            case ["position", *rest]:
                self._set_up(rest)
            case ["go", *rest]:
                self._answer(rest)
            case ["quit"]:
                return False
            case _:
                pass
        return True

    def _greet(self, dialect: str) -> None:
        self.say(f"id name {self._name}")
        if self._author:
            self.say(f"id author {self._author}")
        for option in self._options.values():
            self.say(option.declaration())
        self.say(f"{dialect}ok")

    def _set_up(self, words: list[str]) -> None:
        """Continue from the current position if the line continues it, else from its start."""
        at = words.index("moves") if "moves" in words else len(words)
        start, moves = words[:at], words[at + 1 :]
        position, ply = self._position, len(self._moves)
        if position is None or start != self._start or moves[:ply] != self._moves:
            position, ply = self._initial(start), 0
        for move in moves[ply:]:
            position = position.play(move.replace("_", " "))
        self._position, self._start, self._moves = position, start, moves

    def _initial(self, start: list[str]) -> games.Position:
        if self._ruleset is None:
            raise ValueError("a position before `setoption name Game`")
        if start[:1] == ["fen"]:
            return self._ruleset.parse(start[1].replace("_", " "))
        return self._ruleset.start("")

    def _answer(self, words: list[str]) -> None:
        position = self._position
        if position is None:
            raise ValueError("`go` before a position")
        _speaking.append(self)
        try:
            move = self._choose(position, _clock(words, position, is_cpu=self._is_cpu_clock))
            _require_text(move)
        except Exception:  # noqa: BLE001 - the edge of the process: authors want to know where
            traceback.print_exc()
            log(f"in {position.ruleset.key} after {len(self._moves)} plies: {position.text()}")
            sys.exit(1)
        finally:
            _speaking.pop()
        self._warn(position, move)
        self.say(f"bestmove {_word(move)}")

    def _warn(self, position: games.Position, move: str) -> None:
        if move == RESIGN:
            return
        try:
            position.play(move)
        except games.IllegalMoveError as error:
            log(f"choose() returned an illegal move: {error}")


def _require_text(move: object) -> None:
    if not isinstance(move, str):
        raise TypeError(f"choose() returned {move!r}, not the text of a move")


# The bot that is thinking, for `info`.
_speaking: list[_Bot] = []


def _clock(words: list[str], position: games.Position, *, is_cpu: bool) -> Clock:
    """Return the clock in the words of `go`, as the side to move sees it.

    `p1` is the side that made the first ply of the game.
    """
    values: dict[str, int] = {}
    for word, value in pairwise(words):
        if value.lstrip("-").isdecimal():
            values[word] = int(value)
    is_first = position.side_to_move == "first"
    me, you, uci = ("p1", "p2", "w") if is_first else ("p2", "p1", "b")
    return Clock(
        remaining_ms=values.get(f"{me}time", values.get(f"{uci}time")),
        increment_ms=values.get(f"{me}inc", values.get(f"{uci}inc", 0)),
        opponent_ms=values.get(f"{you}time", values.get(f"{'b' if is_first else 'w'}time")),
        movetime_ms=values.get("movetime"),
        nodes=values.get("nodes"),
        fuel=values.get("fuel"),
        is_cpu=is_cpu,
    )


def _word(text: str) -> str:
    """Return a move as one word of a line."""
    return text.replace(" ", "_")


def _script_name() -> str:
    return Path(sys.argv[0]).stem or "bot"
