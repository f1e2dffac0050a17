"""Moves of The Perfect Game? as text (D-P25), and the check of one turn of the main phase."""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import NamedTuple

from games.core import MAX_TEXT, IllegalMoveError
from games.messages import message
from games.perfect.board import JUMPS, NAMES, SQUARES, STEPS
from games.perfect.men import PASS, MenBoard, PerfectTurn

_SQUARE = r"[a-j](?:10|[1-9])"
_SQUARE_NAME = re.compile(_SQUARE)
_ONE_SQUARE = re.compile(rf"[+@]{_SQUARE}")
_ROUTE = re.compile(rf"{_SQUARE}(?:[-x]{_SQUARE})+")


class MoveKind(Enum):
    """Kind of a move."""

    LAY = auto()
    ENTER = auto()
    GO = auto()
    PASS = auto()


class Move(NamedTuple):
    """A move as read: the squares named in order, and for `GO` the sign `-` or `x` of each link."""

    text: str
    kind: MoveKind
    squares: tuple[int, ...] = ()
    signs: str = ""

    def refusal(self, rule: str, detail: str, **parts: str) -> IllegalMoveError:
        """Return the error that this move breaks `rule`, a name after `perfect/`."""
        return IllegalMoveError(self.text, rule=f"perfect/{rule}", detail=detail, **parts)


def parse_move(text: str) -> Move:
    """Return the move of `text`, legal or not. Raises IllegalMoveError when it is no move at all."""
    if text == "pass":
        return Move(text, MoveKind.PASS)
    if len(text) <= MAX_TEXT and _ONE_SQUARE.fullmatch(text):
        return Move(text, MoveKind.LAY if text[0] == "+" else MoveKind.ENTER, (SQUARES[text[1:]],))
    if len(text) <= MAX_TEXT and _ROUTE.fullmatch(text):
        squares = tuple(SQUARES[name] for name in _SQUARE_NAME.findall(text))
        return Move(text, MoveKind.GO, squares, "".join(re.findall("[-x]", text)))
    raise IllegalMoveError(
        text, rule="perfect/notation", detail=message("not of the form of any move")
    )


def spell(turn: PerfectTurn) -> str:
    """Return the text of a turn of the main phase."""
    if not turn.path:
        return "pass"
    start, *stops = turn.path
    if not stops:
        return f"@{NAMES[start]}"
    text, here = NAMES[start], start
    for stop in stops:
        # The square jumped over has the mean number. A step takes no man.
        text += f"{'x' if turn.captures >> (here + stop) // 2 & 1 else '-'}{NAMES[stop]}"
        here = stop
    return text


def judge(field: MenBoard, text: str) -> PerfectTurn:
    """Return the legal turn called `text`. Raises IllegalMoveError, with the rule broken."""
    move = parse_move(text)
    if move.kind is MoveKind.LAY:
        raise move.refusal("phases", message("all tiles are laid"))
    if move.kind is MoveKind.PASS:
        return _pass(field, move)
    if move.kind is MoveKind.ENTER:
        return _entry(field, move)
    return _going(field, move)


def _pass(field: MenBoard, move: Move) -> PerfectTurn:
    if field.turns() != [PASS]:
        raise move.refusal("D-P20", message("there is a turn to make"))
    return PASS


def _entry(field: MenBoard, move: Move) -> PerfectTurn:
    if not field.has_men_in_hand:
        raise move.refusal("D-P18", message("no man is in hand"))
    if not field.vacant_home >> move.squares[0] & 1:
        raise move.refusal(
            "D-P18", message("a man re-enters on a vacant square of his own start area")
        )
    return PerfectTurn(move.squares)


def _going(field: MenBoard, move: Move) -> PerfectTurn:
    start, end = move.squares[0], move.squares[-1]
    if field.has_men_in_hand and field.vacant_home:
        raise move.refusal("D-P18", message("the man in hand has to re-enter first"))
    if not field.own >> start & 1:
        raise move.refusal("men", message("no man of the side to move is there"))
    turn = _step(field, move) if move.squares[1] - start in STEPS else _series(field, move)
    if field.has_men_in_hand and (not field.home >> start & 1 or field.home >> end & 1):
        raise move.refusal(
            "D-P19", message("a man has to leave the full start area for the one in hand")
        )
    captures = field.has_men_in_hand or turn.captures & field.neutral
    if not captures and field.must_capture():
        raise move.refusal("D-P15", message("a man on a neutral square has to be captured"))
    return turn


def _step(field: MenBoard, move: Move) -> PerfectTurn:
    if len(move.squares) > 2:
        raise move.refusal("D-P11", message("a step is a whole turn"))
    if move.signs != "-":
        raise move.refusal("D-P10", message("a step never captures"))
    if (field.own | field.enemy) >> move.squares[1] & 1:
        raise move.refusal("D-P10", message("the square is occupied"))
    return PerfectTurn(move.squares)


def _series(field: MenBoard, move: Move) -> PerfectTurn:
    start = move.squares[0]
    capturable = field.enemy & ~field.shelter
    solid = (field.own | field.enemy) ^ 1 << start
    jumped_over = captures = 0
    for here, stop, sign in zip(move.squares, move.squares[1:], move.signs, strict=False):
        over = _leapt_over(move, here, stop)
        if over & jumped_over:
            raise move.refusal("D-P12", message("a man is jumped twice"))
        if not over & solid or solid >> stop & 1:
            raise move.refusal("D-P11", message("a jump leads over a man to an empty square"))
        if (sign == "x") != bool(over & capturable):
            raise move.refusal(
                "D-P14",
                message("the jump to %(cell)s is written with the wrong sign"),
                cell=NAMES[stop],
            )
        if over & capturable:  # D-P13: he leaves at once
            solid, captures = solid ^ over, captures | over
        else:
            jumped_over |= over
    if move.squares[-1] == start and not captures:
        raise move.refusal(
            "D-P12", message("a series without a capture ends on another square than it began")
        )
    for jump in JUMPS[move.squares[-1]]:
        if jump.over & solid & field.enemy & field.neutral and not jump.landing & solid:
            raise move.refusal(
                "D-P16", message("the series has to go on and capture a man on a neutral square")
            )
    return PerfectTurn(move.squares, captures)


def _leapt_over(move: Move, here: int, stop: int) -> int:
    """Return the bit of the square between the ends of a jump."""
    for jump in JUMPS[here]:
        if jump.square == stop:
            return jump.over
    if stop - here in STEPS:
        raise move.refusal("D-P11", message("a step and a jump never mix"))
    raise move.refusal("D-P10", message("neither one square orthogonally nor two diagonally"))
