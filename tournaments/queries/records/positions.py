"""Positions of any game, as people write them down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import games
from tournaments.errors import RefusedError

MAX_MOVES: Final = 2_000


def position_after(
    *, ruleset: str, setup: str | None, position: str | None, moves: Sequence[str]
) -> games.Position:
    """Return the position after `moves` from `position`, or from the start of `setup`, or the usual one.

    Raises RefusedError `ruleset-bad`; `setup-bad` (also if the rules leave a choice of starts and
    none is chosen), `bad-position`; `illegal-move` with the paragraph.
    """
    try:
        rules = games.load(ruleset)
    except games.RulesError as error:
        raise RefusedError("ruleset-bad", str(error)) from error
    reached = _start(rules, setup, position)
    for move in moves:
        try:
            reached = reached.play(reached.canonical(move))
        except games.IllegalMoveError as error:
            raise RefusedError.of_move(error) from error
    return reached


def _start(rules: games.Ruleset, setup: str | None, position: str | None) -> games.Position:
    try:
        if position is not None:
            return rules.parse(position)
        if setup is not None:
            return games.starting_position(rules, setup)
        return rules.initial()
    except games.BadPositionError as error:
        raise RefusedError("bad-position") from error
    except games.RulesError as error:
        raise RefusedError("setup-bad", str(error)) from error
