"""The bot's end of the pipe: commands are read one after the other, replies are written immediately."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import IO, TYPE_CHECKING

from engine.protocol.commands import parse_command
from engine.protocol.messages import Quit
from engine.protocol.replies import format_reply

if TYPE_CHECKING:
    from engine.protocol.messages import Command, Reply


class CommandServer(ABC):
    """A player that obeys commands. `run` returns at `quit` or at the end of input."""

    def __init__(self, output: IO[str]) -> None:
        self._output = output

    def run(self, lines: IO[str]) -> None:
        """Serve every command of `lines`.

        Raises:
            ProtocolError: a command that makes no sense, or `go` before there is a position.
            RulesError: a rule set, position or move that does not exist.
        """
        for line in lines:
            command = parse_command(line)
            if isinstance(command, Quit):
                return
            if command is not None:
                self._obey(command)

    @abstractmethod
    def _obey(self, command: Command) -> None:
        """Execute a command."""

    def _say(self, reply: Reply) -> None:
        self._output.write(format_reply(reply) + "\n")
        self._output.flush()
