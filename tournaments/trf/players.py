"""The `001` record: a player and the results of the rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.trf.columns import MAX_ID, MAX_ROUNDS
from tournaments.trf.report import Code, Player, Result

if TYPE_CHECKING:
    from tournaments.trf.columns import Line

FIRST_ROUND = 92  # column; every round takes ten
WIDTH = 10
_COLOURS = {"w": True, "b": False}


def player(line: Line) -> Player:
    """Return the player of a `001` line."""
    return Player(
        id=_id(line),
        name=line.at(15, 47),
        results=_results(line),
        points_halves=line.halves(81, 84),
        place=line.integer(86, 89, most=MAX_ID),
        sex=line.at(10),
        title=line.at(11, 13),
        rating=line.integer(49, 52, most=9999),
        federation=line.at(54, 56),
        fide_id=line.at(58, 68),
        born=line.at(70, 79),
    )


def _id(line: Line) -> int:
    number = line.required(5, 8, most=MAX_ID, what="the starting rank")
    if number == 0:
        raise line.error(5, "starting ranks begin with 1")
    return number


def _results(line: Line) -> tuple[Result | None, ...]:
    rounds = max(0, (len(line.text.rstrip()) - FIRST_ROUND + WIDTH) // WIDTH)
    if rounds > MAX_ROUNDS:
        raise line.error(FIRST_ROUND, f"more than {MAX_ROUNDS} rounds")
    return tuple(_result(line, FIRST_ROUND + WIDTH * r) for r in range(rounds))


def _result(line: Line, column: int) -> Result | None:
    if not line.at(column, column + WIDTH - 3):
        return None
    opponent = line.integer(column, column + 3, most=MAX_ID) or None
    colour = line.at(column + 5).lower()
    if colour not in ("w", "b", "-", ""):
        raise line.error(column + 5, f"{colour!r} is no colour: w, b or -")
    code = _code(line, column + 7, opponent)
    is_white = _COLOURS.get(colour)
    if code.is_bye and opponent is not None:
        raise line.error(column + 7, f"{code.value!r} is a round without an opponent")
    if code.is_played and (opponent is None or is_white is None):
        raise line.error(column, "a game played needs an opponent and a colour")
    return Result(code, opponent, is_white)


def _code(line: Line, column: int, opponent: int | None) -> Code:
    letter = line.at(column).upper()
    if not letter and opponent is None:
        return Code.ZERO_BYE
    if letter not in set(Code):
        raise line.error(column, f"{letter!r} is no result")
    return Code(letter)
