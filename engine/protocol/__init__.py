"""The line protocol spoken with bots: text to messages and back, no input or output.

See docs/reference/protocol.md.

UGI (Universal Game Interface) with UCI's words as aliases. Inside one line a move or a position is
one word: `_` replaces its spaces, as in `D12-G9_xF8H8`.
"""

from engine.protocol.commands import format_command, parse_command
from engine.protocol.messages import (
    CPU_CLOCK,
    BestMove,
    Command,
    Dialect,
    GameOver,
    Go,
    Hello,
    HelloOk,
    Identity,
    Info,
    IsReady,
    NewGame,
    OptionOffered,
    Quit,
    ReadyOk,
    Reply,
    SetOption,
    SetPosition,
    Stop,
    Unknown,
)
from engine.protocol.options import RESERVED, DeclaredOption, option_in
from engine.protocol.replies import best_move_in, first_word, format_reply, info_in, parse_reply
from engine.protocol.text import (
    MAX_COMMAND_BYTES,
    MAX_LINE_BYTES,
    OUT_OF_FUEL,
    decode_line,
    from_word,
    quote,
    to_word,
)

__all__ = [
    "CPU_CLOCK",
    "MAX_COMMAND_BYTES",
    "MAX_LINE_BYTES",
    "OUT_OF_FUEL",
    "RESERVED",
    "BestMove",
    "Command",
    "DeclaredOption",
    "Dialect",
    "GameOver",
    "Go",
    "Hello",
    "HelloOk",
    "Identity",
    "Info",
    "IsReady",
    "NewGame",
    "OptionOffered",
    "Quit",
    "ReadyOk",
    "Reply",
    "SetOption",
    "SetPosition",
    "Stop",
    "Unknown",
    "best_move_in",
    "decode_line",
    "first_word",
    "format_command",
    "format_reply",
    "from_word",
    "info_in",
    "option_in",
    "parse_command",
    "parse_reply",
    "quote",
    "to_word",
]
