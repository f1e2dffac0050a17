"""The line protocol spoken with bots: text to messages and back, no input or output. See docs/protocol.md.

UGI (Universal Game Interface) with UCI's words as aliases. A `Command` goes to the bot, a `Reply` comes from it.
Inside one line a move or a position is one word: `_` stands for its spaces, `D12-G9_xF8H8`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING, assert_never

from engine.errors import ProtocolError

if TYPE_CHECKING:
    from collections.abc import Callable

# A line from a bot, without its newline, has at most this many bytes.
MAX_LINE_BYTES = 4096
# A line to a bot: 1,360 Morelli moves on 31x31 need up to 40 KB.
MAX_COMMAND_BYTES = 65_536
# What a metered host says instead of `bestmove` when the fuel of `go fuel N` is used up: the flag has fallen.
OUT_OF_FUEL = "outoffuel"

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_QUOTED = 60


class Dialect(StrEnum):
    """The two spellings of the same protocol; the greeting chooses."""

    UGI = "ugi"
    UCI = "uci"


# Commands: referee to bot.


@dataclass(frozen=True, slots=True)
class Hello:
    """`ugi` or `uci`: say who you are and end with `ugiok` or `uciok`."""

    dialect: Dialect = Dialect.UGI


@dataclass(frozen=True, slots=True)
class SetOption:
    """`setoption name N value V`. `Game` is always sent and its value is a canonical rule set key."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class IsReady:
    """`isready`: answer `readyok` when everything before is done."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """`uginewgame` or `ucinewgame`: forget the previous game."""

    dialect: Dialect = Dialect.UGI


@dataclass(frozen=True, slots=True)
class SetPosition:
    """`position startpos|fen F [moves M...]`. `fen` is the text of the initial position, None for `startpos`."""

    fen: str | None = None
    moves: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Go:
    """`go ...`: think and answer with `bestmove`. Times in milliseconds; `p1` is the side that made the first ply.

    `fuel` is a budget in units that a metered host counts, see docs/wasm.md.
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
    """`stop`: answer at once. Only in analysis, never in a rated game."""


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
    """`option name N type T ...`: an option of the bot's own. `description` is the rest of the line."""

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
    """`info ...`: what the bot thinks of the position, for people who watch. Everything is optional.

    `score_cp` is from the side to move, in hundredths of whatever the bot counts in.
    """

    depth: int | None = None
    score_cp: int | None = None
    nodes: int | None = None
    time_ms: int | None = None
    pv: tuple[str, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class BestMove:
    """`bestmove M [drawoffer]` or `bestmove resign`. `move` is None for a resignation; spaces are restored."""

    move: str | None
    is_draw_offer: bool = False


@dataclass(frozen=True, slots=True)
class Unknown:
    """A line that is no word of the protocol. It goes to the bot's log."""

    text: str


Reply = Identity | OptionOffered | HelloOk | ReadyOk | Info | BestMove | Unknown


def quoted(text: str) -> str:
    """`text` for an error message: in quotes, cut after 60 characters, control characters escaped."""
    return repr(text if len(text) <= _QUOTED else text[:_QUOTED] + "…")


def decode_line(raw: bytes) -> str:
    """The text of one line from a bot, without its newline.

    Raises:
        ProtocolError: longer than `MAX_LINE_BYTES`, not UTF-8, or with control characters other than tab.
    """
    if len(raw) > MAX_LINE_BYTES:
        raise ProtocolError(f"a line of {len(raw)} bytes, allowed are {MAX_LINE_BYTES}")
    try:
        text = raw.decode("utf-8").rstrip("\r")
    except UnicodeDecodeError as error:
        raise ProtocolError(f"a line that is not UTF-8: {raw[:_QUOTED]!r}") from error
    if not text.isprintable() and _CONTROL.search(text):
        raise ProtocolError(f"a line with control characters: {quoted(text)}")
    return text


def to_word(text: str) -> str:
    """A move or a position text as one word of a line: `D12-G9 xF8H8` is `D12-G9_xF8H8`."""
    if "_" in text:
        raise ProtocolError(f"no move or position of ours has an underscore: {quoted(text)}")
    return text.replace(" ", "_")


def from_word(word: str) -> str:
    """The move or position text that `to_word` made a word of."""
    return word.replace("_", " ")


def parse_command(line: str) -> Command | None:
    """The command in a line to a bot, or None for a word we do not know: bots ignore those.

    Raises:
        ProtocolError: a known command whose arguments are missing or make no sense.
    """
    words = line.split()
    if not words:
        return None
    parse = _COMMANDS.get(words[0])
    return parse(words[1:]) if parse else None


def format_command(command: Command) -> str:
    """The line, without newline, that says `command`."""
    match command:
        case Hello(dialect):
            return dialect.value
        case SetOption(name, value):
            return f"setoption name {name} value {value}"
        case IsReady():
            return "isready"
        case NewGame(dialect):
            return f"{dialect.value}newgame"
        case SetPosition():
            return _format_position(command)
        case Go():
            return _format_go(command)
        case Stop():
            return "stop"
        case GameOver(result, reason):
            return f"gameover {result} reason {reason}"
        case Quit():
            return "quit"
        case _:
            assert_never(command)


def parse_reply(line: str) -> Reply:
    """The reply in a line from a bot; `Unknown` for what is no word of the protocol.

    Raises:
        ProtocolError: a known reply whose arguments are missing or make no sense.
    """
    words = line.split()
    parse = _REPLIES.get(words[0]) if words else None
    return parse(words[1:]) if parse else Unknown(line)


def format_reply(reply: Reply) -> str:
    """The line, without newline, that says `reply`."""
    match reply:
        case Identity(field, value):
            return f"id {field} {value}"
        case OptionOffered(description):
            return f"option {description}"
        case HelloOk(dialect):
            return f"{dialect.value}ok"
        case ReadyOk():
            return "readyok"
        case Info():
            return _format_info(reply)
        case BestMove(move, is_draw_offer):
            answer = "resign" if move is None else to_word(move)
            return f"bestmove {answer}" + (" drawoffer" if is_draw_offer else "")
        case Unknown(text):
            return text
        case _:
            assert_never(reply)


def _format_position(command: SetPosition) -> str:
    start = "startpos" if command.fen is None else f"fen {to_word(command.fen)}"
    if not command.moves:
        return f"position {start}"
    return f"position {start} moves {' '.join(map(to_word, command.moves))}"


# The words of `go` in the order in which they are written, and UCI's names for the first two pairs.
_GO_WORDS = {
    "p1time": "p1time_ms",
    "p2time": "p2time_ms",
    "p1inc": "p1inc_ms",
    "p2inc": "p2inc_ms",
    "movetime": "movetime_ms",
    "nodes": "nodes",
    "fuel": "fuel",
}
_GO_ALIASES = {"wtime": "p1time_ms", "btime": "p2time_ms", "winc": "p1inc_ms", "binc": "p2inc_ms"}
_GO_FIELDS = _GO_WORDS | _GO_ALIASES


def _format_go(command: Go) -> str:
    given = ((word, getattr(command, field)) for word, field in _GO_WORDS.items())
    return " ".join(["go", *(f"{word} {value}" for word, value in given if value is not None)])


def _format_info(info: Info) -> str:
    words = ["info"]
    if info.depth is not None:
        words.append(f"depth {info.depth}")
    if info.score_cp is not None:
        words.append(f"score cp {info.score_cp}")
    if info.nodes is not None:
        words.append(f"nodes {info.nodes}")
    if info.time_ms is not None:
        words.append(f"time {info.time_ms}")
    if info.pv:
        words.append(f"pv {' '.join(map(to_word, info.pv))}")
    if info.text:
        words.append(f"string {info.text}")
    return " ".join(words)


def _number(word: str, value: str) -> int:
    try:
        return int(value)
    except ValueError as error:
        raise ProtocolError(f"{word} needs a whole number, not {quoted(value)}") from error


def _parse_setoption(words: list[str]) -> SetOption:
    if "value" not in words or words[:1] != ["name"]:
        raise ProtocolError(f"setoption needs `name N value V`, not {quoted(' '.join(words))}")
    at = words.index("value")
    return SetOption(name=" ".join(words[1:at]), value=" ".join(words[at + 1 :]))


def _parse_position(words: list[str]) -> SetPosition:
    match words:
        case ["startpos", *rest]:
            fen = None
        case ["fen", word, *rest] if word != "moves":
            fen = from_word(word)
        case _:
            raise ProtocolError(f"position needs `startpos` or `fen F`: {quoted(' '.join(words))}")
    if rest and rest[0] != "moves":
        raise ProtocolError(f"position: expected `moves`, not {quoted(rest[0])}")
    return SetPosition(fen=fen, moves=tuple(map(from_word, rest[1:])))


def _parse_go(words: list[str]) -> Go:
    values: dict[str, int] = {}
    following = iter(words)
    for word in following:
        field = _GO_FIELDS.get(word)
        if field is None:
            continue
        values[field] = _number(word, next(following, ""))
    return Go(**values)


def _parse_gameover(words: list[str]) -> GameOver:
    match words:
        case [result, "reason", reason, *_]:
            return GameOver(result, reason)
        case _:
            raise ProtocolError(f"gameover needs `RESULT reason R`: {quoted(' '.join(words))}")


def _parse_id(words: list[str]) -> Reply:
    match words:
        case [("name" | "author") as field, first, *rest]:
            return Identity(field, " ".join([first, *rest]))
        case _:
            raise ProtocolError(f"id needs `name N` or `author A`: {quoted(' '.join(words))}")


def _parse_bestmove(words: list[str]) -> Reply:
    ends = [at for at, word in enumerate(words) if word in {"ponder", "drawoffer"}]
    answer = words[: ends[0]] if ends else words
    if not answer:
        raise ProtocolError("bestmove without a move")
    move = from_word(" ".join(answer)).strip()
    return BestMove(None if move == "resign" else move, is_draw_offer="drawoffer" in words)


_INFO_NUMBERS = {"depth", "cp", "nodes", "time"}
# Words of `info` that end a list of moves.
_INFO_WORDS = {*_INFO_NUMBERS, "score", "nps", "seldepth", "multipv", "hashfull"}


def _parse_info(words: list[str]) -> Reply:
    words, text = _split_at(words, "string")
    numbers = {
        word: _number(word, value)
        for word, value in pairwise([*words, ""])
        if word in _INFO_NUMBERS
    }
    _, pv = _split_at(words, "pv")
    return Info(
        depth=numbers.get("depth"),
        score_cp=numbers.get("cp"),
        nodes=numbers.get("nodes"),
        time_ms=numbers.get("time"),
        pv=tuple(from_word(word) for word in takewhile(lambda word: word not in _INFO_WORDS, pv)),
        text=" ".join(text),
    )


def _split_at(words: list[str], mark: str) -> tuple[list[str], list[str]]:
    """The words before the first `mark`, and those after it."""
    if mark not in words:
        return words, []
    at = words.index(mark)
    return words[:at], words[at + 1 :]


_COMMANDS: dict[str, Callable[[list[str]], Command]] = {
    "ugi": lambda _: Hello(Dialect.UGI),
    "uci": lambda _: Hello(Dialect.UCI),
    "setoption": _parse_setoption,
    "isready": lambda _: IsReady(),
    "uginewgame": lambda _: NewGame(Dialect.UGI),
    "ucinewgame": lambda _: NewGame(Dialect.UCI),
    "position": _parse_position,
    "go": _parse_go,
    "stop": lambda _: Stop(),
    "gameover": _parse_gameover,
    "quit": lambda _: Quit(),
}
_REPLIES: dict[str, Callable[[list[str]], Reply]] = {
    "id": _parse_id,
    "option": lambda words: OptionOffered(" ".join(words)),
    "ugiok": lambda _: HelloOk(Dialect.UGI),
    "uciok": lambda _: HelloOk(Dialect.UCI),
    "readyok": lambda _: ReadyOk(),
    "info": _parse_info,
    "bestmove": _parse_bestmove,
}
