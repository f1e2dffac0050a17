"""The lines between referee and module, passed on by the host.

Budgets of fuel and new games begin here.
"""

from __future__ import annotations

from collections import deque
from typing import IO, Protocol

from engine import protocol
from engine.errors import EngineError, ProtocolError

# Fuel for starting up and for each line before the first position of a game, and for news of its
# end: tables, greetings, options.
SETUP_UNITS = 1_000_000_000
# Fuel for any other line that asks for no move: for an answer, not for thinking on.
IDLE_UNITS = 2_000_000
_CPU_CLOCK = f"name {protocol.CPU_CLOCK.name} value {protocol.CPU_CLOCK.value}".encode("ascii")
_NEW_GAME = {b"uginewgame", b"ucinewgame"}


class NewGameError(EngineError):
    """A game begins after another one: it is for a new instance, which must not remember."""

    code = "new-game"


class ReadTooEarlyError(EngineError):
    """The module reads on while it owes a move, and its fuel would never run out."""

    code = "read-too-early"


class FuelBudget(Protocol):
    """Source of the fuel for a line: a `Meter`."""

    def allow(self, units: int) -> None:
        """Begin a stretch of `units` of fuel."""
        ...

    def allow_real_time(self) -> None:
        """Begin a stretch that the referee's clock ends."""
        ...

    def count_cpu(self) -> None:
        """Show processor time in such stretches, as the referee charges it."""
        ...


class Conversation:
    """The referee's lines for one instance after the other, and their answers.

    The `Pipes` of an instance.

    A module reads one line at a time, and each line brings its fuel. A `position` and the `go`
    after it together have the budget of `go fuel N`, so that reading the moves is part of the move.
    Other lines have `SETUP_UNITS` or `IDLE_UNITS`.

    Args:
        lines: from the referee.
        output: to the referee, unbuffered. Only whole lines are written.
        errors: receives the module's standard error.
        default_units: the budget of a `go` that names no fuel. None leaves such a move to the
            referee's clock.
    """

    def __init__(
        self,
        *,
        lines: IO[bytes],
        output: IO[bytes],
        errors: IO[bytes],
        default_units: int | None = None,
    ) -> None:
        self._lines = lines
        self._output = output
        self._errors = errors
        self._default_units = default_units
        self._greeting: list[bytes] = []
        self._options: dict[bytes, bytes] = {}
        self._has_begun = False
        self._backlog: deque[bytes] = deque()
        self._go = b""
        self._pending = b""
        self._partial = b""
        self._owes_metered_move = self._has_position = False

    def begin(self, meter: FuelBudget) -> None:
        """Begin with a new instance, whose fuel `meter` counts.

        It first reads the lines that its predecessors have read.
        """
        self._meter = meter
        self._meter.allow(SETUP_UNITS)
        self._pending = self._partial = b""
        self._owes_metered_move = self._has_position = False

    @property
    def has_input(self) -> bool:
        """Return whether the instance may read.

        It may not while it owes a move, because no line will come.
        """
        return not self._owes_metered_move or bool(self._pending or self._go)

    def read(self, limit: int) -> bytes:
        """Return at most `limit` bytes of the current line, or of the next one, and wait for it.

        Raises:
            NewGameError: this instance has had its game.
            ReadTooEarlyError: it owes a move.
        """
        if not self.has_input:
            raise ReadTooEarlyError("reads on before it has said `bestmove`")
        if not self._pending:
            self._pending = self._next_line()
        chunk, self._pending = self._pending[:limit], self._pending[limit:]
        return chunk

    def write(self, text: bytes) -> None:
        """Forward whole lines.

        A new instance's answers to old questions are dropped.
        """
        if self._backlog:
            return
        whole, newline, rest = (self._partial + text).rpartition(b"\n")
        self._partial = rest
        if len(rest) > protocol.MAX_LINE_BYTES:
            whole, self._partial = whole + newline + rest, b""  # the referee shall see this flood
        if not (whole or newline):
            return
        if any(line.startswith(b"bestmove") for line in whole.split(b"\n")):
            self._owes_metered_move = False
        self._output.write(whole + newline)
        self._output.flush()

    def write_error(self, text: bytes) -> None:
        """Pass `text` on to the log."""
        self._errors.write(text)
        self._errors.flush()

    def give_up(self) -> None:
        """Say that the fuel is used up, if it was given for a move that was not made."""
        if self._owes_metered_move:
            self._output.write(f"{protocol.OUT_OF_FUEL}\n".encode("ascii"))
            self._output.flush()

    def _next_line(self) -> bytes:
        if self._go:
            line, self._go = self._go, b""
            return line
        if self._backlog:
            self._meter.allow(SETUP_UNITS)
            return self._backlog.popleft()
        line = self._lines.readline()
        word, _, rest = line.strip().partition(b" ")
        if word in _NEW_GAME:
            self._begin_game(line)
        elif word in {b"ugi", b"uci"}:
            self._greeting.append(line)
        elif word == b"setoption":
            self._options[rest.partition(b" value ")[0]] = line
            if rest == _CPU_CLOCK:
                self._meter.count_cpu()
        if word == b"position":
            return self._question(line)
        if word == b"go":
            return self._fuelled_go(line)
        if line:  # at the end of input there is no more to think about
            is_free = word == b"gameover" or not self._has_position
            self._meter.allow(SETUP_UNITS if is_free else IDLE_UNITS)
        return line

    def _begin_game(self, line: bytes) -> None:
        if self._has_begun:
            self._backlog.extend([*self._greeting, *self._options.values(), line])
            raise NewGameError("for a new instance")
        self._has_begun = True

    def _question(self, position: bytes) -> bytes:
        """Return the `position` line, with the fuel of the `go` that must follow it immediately."""
        self._has_position = True
        self._go = self._fuelled_go(self._lines.readline())
        return position

    def _fuelled_go(self, line: bytes) -> bytes:
        """Return the line to give after a budget was allowed for it.

        Raises ProtocolError for anything but a `go`.
        """
        command = protocol.parse_command(line.decode("utf-8"))
        if not isinstance(command, protocol.Go):
            raise ProtocolError(f"`position` without `go`: {line[:60]!r}")
        units = self._default_units if command.fuel is None else command.fuel
        if units is None:
            self._meter.allow_real_time()
            return line
        self._meter.allow(max(0, units))
        self._owes_metered_move = True
        return (protocol.format_command(protocol.Go(fuel=units)) + "\n").encode("ascii")
