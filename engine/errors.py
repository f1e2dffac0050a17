"""The named errors of players and matches."""

from __future__ import annotations

from enum import StrEnum


class EngineError(Exception):
    """Base of everything this package raises on purpose. `code` is stable; the message is for developers."""

    code = "engine"


class ProtocolError(EngineError, ValueError):
    """A line that breaks the protocol: not UTF-8, too long, or a known word with arguments that make no sense."""

    code = "protocol"


class LaunchError(EngineError):
    """A bot could not be started at all. The machine's fault until shown otherwise: such a game is void."""

    code = "launch"


class BadMatchError(EngineError, ValueError):
    """A match that cannot be played as it is described."""

    code = "bad-match"


class UnknownPlayerError(EngineError, ValueError):
    """A name that is no built-in player, or a level the player does not take."""

    code = "unknown-player"


class MatchAbortedError(EngineError):
    """Raised by an observer to stop a match at once, such as when its lease was lost. Nothing is scored."""

    code = "match-aborted"


class BotFailure(StrEnum):
    """How a bot's process can fail its referee."""

    CRASH = "crash"
    TIMEOUT = "timeout"
    FLOOD = "flood"
    GARBAGE = "garbage"


class BotFailedError(EngineError):
    """A bot crashed, was silent past its deadline, or wrote too much or nonsense.

    Attributes:
        failure: which of these it was.
        detail: one English sentence for the bot's author.
    """

    code = "bot-failed"

    def __init__(self, failure: BotFailure, detail: str) -> None:
        super().__init__(f"{failure.value}: {detail}")
        self.failure = failure
        self.detail = detail
