"""Endings of games between bots: the words that people read, and the exact name of the event."""

from __future__ import annotations

from enum import StrEnum


class Ending(StrEnum):
    """The reason why a game ended, as it is stored with the game. `Fault` is more exact.

    All but `RULES`, `RESIGNATION` and `VOID` are faults of the loser.
    """

    RULES = "rules"
    RESIGNATION = "resignation"
    TIME = "time"
    CRASH = "crash"
    ILLEGAL_MOVE = "illegal-move"
    FLOOD = "flood"
    PROTOCOL = "protocol"
    VOID = "void"

    @property
    def is_fault(self) -> bool:
        """Return whether a bot broke a rule of play rather than lost by one."""
        return self not in {Ending.RULES, Ending.RESIGNATION, Ending.VOID}


class Fault(StrEnum):
    """The exact event that ended a game that did not end by the rules.

    The last three are faults of the machine: they void the game and blame neither side.
    """

    RESIGNED = "resigned"
    ILLEGAL_MOVE = "illegal-move"
    NO_ANSWER = "no-answer"
    LATE_ANSWER = "late-answer"
    OUT_OF_FUEL = "out-of-fuel"
    DEAF = "does-not-read"
    EXITED = "exited"
    KILLED = "killed"
    CLOSED_OUTPUT = "closed-output"
    MEMORY = "memory"
    FLOOD = "flood"
    GARBAGE = "garbage"
    MALFORMED = "malformed"
    UNASKED_ANSWER = "unasked-answer"
    SECOND_ANSWER = "second-answer"
    NO_GREETING = "no-greeting"
    NOT_READY = "not-ready"
    LAUNCH = "launch"
    ISOLATION = "isolation"
    STARVED = "starved"

    @property
    def ending(self) -> Ending:
        """Return the reason for the end of a game with this fault."""
        return _ENDINGS[self]


_ENDINGS = {
    Fault.RESIGNED: Ending.RESIGNATION,
    Fault.ILLEGAL_MOVE: Ending.ILLEGAL_MOVE,
    Fault.NO_ANSWER: Ending.TIME,
    Fault.LATE_ANSWER: Ending.TIME,
    Fault.OUT_OF_FUEL: Ending.TIME,
    Fault.DEAF: Ending.TIME,
    Fault.EXITED: Ending.CRASH,
    Fault.KILLED: Ending.CRASH,
    Fault.CLOSED_OUTPUT: Ending.CRASH,
    Fault.MEMORY: Ending.CRASH,
    Fault.FLOOD: Ending.FLOOD,
    Fault.GARBAGE: Ending.PROTOCOL,
    Fault.MALFORMED: Ending.PROTOCOL,
    Fault.UNASKED_ANSWER: Ending.PROTOCOL,
    Fault.SECOND_ANSWER: Ending.PROTOCOL,
    Fault.NO_GREETING: Ending.PROTOCOL,
    Fault.NOT_READY: Ending.PROTOCOL,
    Fault.LAUNCH: Ending.VOID,
    Fault.ISOLATION: Ending.VOID,
    Fault.STARVED: Ending.VOID,
}
