"""The messages of the protocol: a `Command` goes to the bot, a `Reply` comes from it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class Dialect(StrEnum):
    """The two spellings of the protocol. The greeting chooses."""

    UGI = "ugi"
    UCI = "uci"


# Commands: referee to bot.


@dataclass(frozen=True, slots=True)
class Hello:
    """`ugi` or `uci`: say who you are and end with `ugiok` or `uciok`."""

    dialect: Dialect = Dialect.UGI


@dataclass(frozen=True, slots=True)
class SetOption:
    """`setoption name N value V`.

    `Game` is always sent, with a canonical rule set key. `CPU_CLOCK` is sent if it is true. The
    program's own options follow, if values were chosen for them.
    """

    name: str
    value: str

    @classmethod
    def all_of(cls, values: Mapping[str, str]) -> tuple[SetOption, ...]:
        """Return the commands that set these values, in the order of the names."""
        return tuple(cls(name, value) for name, value in sorted(values.items()))


# The bot is charged processor time, without its waits for a processor, and should measure its moves
# likewise. Without this line the clock is the wall's.
CPU_CLOCK = SetOption("Clock", "cpu")


@dataclass(frozen=True, slots=True)
class IsReady:
    """`isready`: answer `readyok` when everything before is done."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """`uginewgame` or `ucinewgame`: forget the previous game."""

    dialect: Dialect = Dialect.UGI


@dataclass(frozen=True, slots=True)
class SetPosition:
    """`position startpos|fen F [moves M...]`.

    `fen` is the text of the initial position, None for `startpos`.
    """

    fen: str | None = None
    moves: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Go:
    """`go ...`: think and answer with `bestmove`.

    Times in milliseconds. `p1` is the side that made the first ply.

    `fuel` is the budget of a bot whose instructions are counted: one unit is one WebAssembly
    instruction.
    """

    p1time_ms: int | None = None
    p2time_ms: int | None = None
    p1inc_ms: int | None = None
    p2inc_ms: int | None = None
    movetime_ms: int | None = None
    nodes: int | None = None
    fuel: int | None = None


@dataclass(frozen=True, slots=True)
class Stop:
    """`stop`: answer immediately. Only in analysis, never in a rated game."""


@dataclass(frozen=True, slots=True)
class GameOver:
    """`gameover RESULT reason R`, such as `gameover 1-0 reason time`. News, not a question."""

    result: str
    reason: str


@dataclass(frozen=True, slots=True)
class Quit:
    """`quit`: the process is killed two seconds later."""


Command = Hello | SetOption | IsReady | NewGame | SetPosition | Go | Stop | GameOver | Quit

# Replies: bot to referee.


@dataclass(frozen=True, slots=True)
class Identity:
    """`id name N` or `id author A`."""

    field: str
    value: str


@dataclass(frozen=True, slots=True)
class OptionOffered:
    """`option name N type T ...`: an option of the bot's own.

    `description` is the rest of the line.
    """

    description: str


@dataclass(frozen=True, slots=True)
class HelloOk:
    """`ugiok` or `uciok`."""

    dialect: Dialect = Dialect.UGI


@dataclass(frozen=True, slots=True)
class ReadyOk:
    """`readyok`."""


@dataclass(frozen=True, slots=True)
class Info:
    """`info ...`: the bot's thoughts about the position, for people who watch.

    Everything is optional.

    `score_cp` is from the side to move, in hundredths of the bot's own unit.
    """

    depth: int | None = None
    score_cp: int | None = None
    nodes: int | None = None
    time_ms: int | None = None
    pv: tuple[str, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class BestMove:
    """`bestmove M [drawoffer]` or `bestmove resign`.

    `move` is None for a resignation. Spaces are restored.
    """

    move: str | None
    is_draw_offer: bool = False


@dataclass(frozen=True, slots=True)
class Unknown:
    """A line that is no word of the protocol. It goes to the bot's log."""

    text: str


Reply = Identity | OptionOffered | HelloOk | ReadyOk | Info | BestMove | Unknown
