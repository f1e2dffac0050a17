"""The named errors of players and matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.endings import Fault


class EngineError(Exception):
    """Base of all exceptions that this package raises on purpose.

    `code` is stable. The message is for developers.
    """

    code = "engine"


class ProtocolError(EngineError, ValueError):
    """A line that breaks the protocol: not UTF-8, too long, or with malformed arguments."""

    code = "protocol"


class LaunchError(EngineError):
    """A bot could not be started at all.

    The machine's fault until shown otherwise: such a game is void.
    """

    code = "launch"


class BadMatchError(EngineError, ValueError):
    """A match that cannot be played as it is described."""

    code = "bad-match"


class UnknownPlayerError(EngineError, ValueError):
    """A name that is no built-in player, or a level the player does not take."""

    code = "unknown-player"


class MatchAbortedError(EngineError):
    """Raised by an observer to stop a match immediately, such as when its lease was lost.

    The match is not scored.
    """

    code = "match-aborted"


class IsolationError(LaunchError):
    """A bot's sandbox could not be made, perhaps after its program was started. Never the bot's fault."""

    code = "isolation"


class StarvedError(EngineError):
    """The machine had no processor for either bot, so the clocks are meaningless and the game is void."""

    code = "starved"


class BotFailedError(EngineError):
    """A bot crashed, was silent too long, wrote too much or nonsense, or took too much memory.

    Attributes:
        fault: which of these it was.
        detail: one English sentence for the bot's author.
    """

    code = "bot-failed"

    def __init__(self, fault: Fault, detail: str) -> None:
        super().__init__(f"{fault.value}: {detail}")
        self.fault = fault
        self.detail = detail
