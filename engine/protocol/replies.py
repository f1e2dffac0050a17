"""Replies, bot to referee: the reply that a line gives, and the line that gives one."""

from __future__ import annotations

from itertools import pairwise, takewhile
from typing import TYPE_CHECKING, assert_never

from engine.errors import ProtocolError
from engine.protocol.messages import (
    BestMove,
    Dialect,
    HelloOk,
    Identity,
    Info,
    OptionOffered,
    ReadyOk,
    Reply,
    Unknown,
)
from engine.protocol.text import from_word, number, quote, split_at, to_word

if TYPE_CHECKING:
    from collections.abc import Callable


def parse_reply(line: str) -> Reply:
    """Return the reply in a line from a bot, or `Unknown` if the word is not of the protocol.

    Raises:
        ProtocolError: a known reply whose arguments are missing or make no sense.
    """
    words = line.split()
    parse = _REPLIES.get(words[0]) if words else None
    return parse(words[1:]) if parse else Unknown(line)


def format_reply(reply: Reply) -> str:
    """Return the line, without newline, that says `reply`."""
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


def _parse_id(words: list[str]) -> Reply:
    match words:
        case [("name" | "author") as field, first, *rest]:
            return Identity(field, " ".join([first, *rest]))
        case _:
            raise ProtocolError(f"id needs `name N` or `author A`: {quote(' '.join(words))}")


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
    words, text = split_at(words, "string")
    numbers = {
        word: number(word, value) for word, value in pairwise([*words, ""]) if word in _INFO_NUMBERS
    }
    _, pv = split_at(words, "pv")
    return Info(
        depth=numbers.get("depth"),
        score_cp=numbers.get("cp"),
        nodes=numbers.get("nodes"),
        time_ms=numbers.get("time"),
        pv=tuple(from_word(word) for word in takewhile(lambda word: word not in _INFO_WORDS, pv)),
        text=" ".join(text),
    )


_REPLIES: dict[str, Callable[[list[str]], Reply]] = {
    "id": _parse_id,
    "option": lambda words: OptionOffered(" ".join(words)),
    "ugiok": lambda _: HelloOk(Dialect.UGI),
    "uciok": lambda _: HelloOk(Dialect.UCI),
    "readyok": lambda _: ReadyOk(),
    "info": _parse_info,
    "bestmove": _parse_bestmove,
}


def first_word(line: str) -> str:
    """Return the word that a line begins with, or an empty text without one."""
    return line.split(maxsplit=1)[0] if line.strip() else ""


def best_move_in(line: str) -> BestMove:
    """Return the answer in `line`. Raises ProtocolError if it is not an answer."""
    reply = parse_reply(line)
    if not isinstance(reply, BestMove):
        raise ProtocolError(f"no word of the protocol: {quote(line)}")
    return reply


def info_in(line: str) -> Info | None:
    """Return the `info` in `line`, or None when it is malformed, which is for the log and no fault."""
    try:
        reply = parse_reply(line)
    except ProtocolError:
        return None
    return reply if isinstance(reply, Info) else None
