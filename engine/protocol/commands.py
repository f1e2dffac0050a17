"""Commands, referee to bot: the line that says one, and the one that a line says."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from engine.errors import ProtocolError
from engine.protocol.messages import (
    Command,
    Dialect,
    GameOver,
    Go,
    Hello,
    IsReady,
    NewGame,
    Quit,
    SetOption,
    SetPosition,
    Stop,
)
from engine.protocol.text import from_word, number, quote, to_word

if TYPE_CHECKING:
    from collections.abc import Callable


def parse_command(line: str) -> Command | None:
    """Return the command in a line to a bot, or None for a word we do not know: bots ignore those.

    Raises:
        ProtocolError: a known command whose arguments are missing or make no sense.
    """
    words = line.split()
    if not words:
        return None
    parse = _COMMANDS.get(words[0])
    return parse(words[1:]) if parse else None


def format_command(command: Command) -> str:
    """Return the line, without newline, that says `command`."""
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
    values = ((word, getattr(command, field)) for word, field in _GO_WORDS.items())
    return " ".join(["go", *(f"{word} {value}" for word, value in values if value is not None)])


def _parse_setoption(words: list[str]) -> SetOption:
    if "value" not in words or words[:1] != ["name"]:
        raise ProtocolError(f"setoption needs `name N value V`, not {quote(' '.join(words))}")
    at = words.index("value")
    return SetOption(name=" ".join(words[1:at]), value=" ".join(words[at + 1 :]))


def _parse_position(words: list[str]) -> SetPosition:
    match words:
        case ["startpos", *rest]:
            fen = None
        case ["fen", word, *rest] if word != "moves":
            fen = from_word(word)
        case _:
            raise ProtocolError(f"position needs `startpos` or `fen F`: {quote(' '.join(words))}")
    if rest and rest[0] != "moves":
        raise ProtocolError(f"position: expected `moves`, not {quote(rest[0])}")
    return SetPosition(fen=fen, moves=tuple(map(from_word, rest[1:])))


def _parse_go(words: list[str]) -> Go:
    values: dict[str, int] = {}
    following = iter(words)
    for word in following:
        field = _GO_FIELDS.get(word)
        if field is None:
            continue
        values[field] = number(word, next(following, ""))
    return Go(**values)


def _parse_gameover(words: list[str]) -> GameOver:
    match words:
        case [result, "reason", reason, *_]:
            return GameOver(result, reason)
        case _:
            raise ProtocolError(f"gameover needs `RESULT reason R`: {quote(' '.join(words))}")


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
