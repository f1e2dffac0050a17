"""Errors of games under fuel."""

from __future__ import annotations

from engine.errors import EngineError


class BadFuelGameError(EngineError, ValueError):
    """A text that is no record of a game under fuel."""

    code = "bad-fuel-game"


class UndecidedError(EngineError):
    """The machine, not a program, has ended a game under fuel."""

    code = "undecided"
