"""The `001` record: a player and the results of the rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.trf.columns import MAX_ID, MAX_ROUNDS
from tournaments.trf.report import Code, Player, Result

if TYPE_CHECKING:
    from tournaments.trf.columns import Line

FIRST_ROUND = 92  # column; every round takes ten
WIDTH = 10
_COLOURS = {"w": True, "b": False, "-": None, "": None}
_CODES = {code.value: code for code in Code}


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
    field = line.text[column - 1 : column + WIDTH - 3]
    if not field.strip():
        return None
    opponent = line.integer(column, column + 3, most=MAX_ID) or None
    colour = field[5:6].strip().lower()
    if colour not in _COLOURS:
        raise line.error(column + 5, f"{colour!r} is no colour: w, b or -")
    letter = field[7:8].strip().upper()
    code = _CODES.get(letter)
    if code is None:
        if letter or opponent is not None:
            raise line.error(column + 7, f"{letter!r} is no result")
        code = Code.ZERO_BYE
    is_white = _COLOURS[colour]
    if opponent is not None and code.is_bye:
        raise line.error(column + 7, f"{code.value!r} is a round without an opponent")
    if (opponent is None or is_white is None) and code.is_played:
        raise line.error(column, "a game played needs an opponent and a colour")
    return Result(code, opponent, is_white)
