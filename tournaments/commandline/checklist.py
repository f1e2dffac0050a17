"""The checklist of a round: the pairing's facts about every player, and its result, for the arbiter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.pairing.colours import Strength, preference
from tournaments.pairing.floats import Float, float_of, pairing_scores
from tournaments.pairing.problem import RoundKind

if TYPE_CHECKING:
    from tournaments.pairing.problem import Contestant, PairingProblem, RoundRecord
    from tournaments.pairing.solution import Solution

_COLOUR = {RoundKind.FIRST: "w", RoundKind.SECOND: "b"}
_MARK = {Strength.NONE: "", Strength.MILD: "", Strength.STRONG: "+", Strength.ABSOLUTE: "!"}
_FLOAT = {Float.NONE: "", Float.DOWN: "D", Float.UP: "U"}
_ALONE = {
    RoundKind.PAIRING_BYE: "U",
    RoundKind.HALF_BYE: "H",
    RoundKind.FULL_BYE: "F",
    RoundKind.ZERO_BYE: "Z",
}


def checklist(problem: PairingProblem, solution: Solution | None) -> str:
    """Return the table of a round, one line a player by score and TPN, a blank line between score groups.

    Columns and their contents:
        ID: the TPN.
        Pts: points. Acc: with the virtual points of the round.
        Due: the side preferred, `!` absolutely, `+` strongly (C.04.3 1.7).
        -2, -1: floats of the two rounds before, `D` down, `U` up (1.4).
        Next: the opponent's TPN and the own side, `U` for the bye, blank if no pairing exists.
        then a column a round, the oldest first: opponent and side, `+` or `-` for a forfeit, or the
            letter of a bye.
    Players who are not paired come at the end, without floats.
    """
    rounds = range(1, problem.round_number)
    head = ["ID", "Pts", "Acc", "Due", "-2", "-1", "Next", *(f"R{r}" for r in rounds)]
    seats = _seats(solution)
    blocks = [[_line(head)]]
    scores = pairing_scores(
        {c.tpn: c for c in (*problem.contestants, *problem.absent)}, len(rounds) + 1
    )
    score_halves: int | None = None
    for contestant in sorted(problem.contestants, key=lambda c: (-scores[c.tpn][-1], c.tpn)):
        if scores[contestant.tpn][-1] != score_halves:
            blocks.append([])
            score_halves = scores[contestant.tpn][-1]
        past = (problem.round_number - 2, problem.round_number - 1)
        floats = [_FLOAT[float_of(problem, contestant, number, scores)] for number in past]
        blocks[-1].append(_row(problem, contestant, floats, seats.get(contestant.tpn, "")))
    blocks.append([_row(problem, c, ["", ""], "-") for c in sorted(problem.absent, key=_tpn)])
    return "\n".join("".join(block) for block in blocks if block)


def _tpn(contestant: Contestant) -> int:
    return contestant.tpn


def _seats(solution: Solution | None) -> dict[int, str]:
    if solution is None:
        return {}
    seats = {b.first: f"{b.second}w" for b in solution.boards}
    seats |= {b.second: f"{b.first}b" for b in solution.boards}
    if solution.bye is not None:
        seats[solution.bye] = "U"
    return seats


def _row(problem: PairingProblem, contestant: Contestant, floats: list[str], seat: str) -> str:
    due = preference(contestant)
    return _line(
        [
            str(contestant.tpn),
            f"{contestant.score_halves / 2:.1f}",
            f"{contestant.pairing_halves(problem.round_number) / 2:.1f}",
            _COLOUR[due.side] + _MARK[due.strength] if due.side is not None else "",
            *floats,
            seat,
            *(_cell(r) for r in contestant.records),
        ]
    )


def _cell(record: RoundRecord) -> str:
    if record.kind in _ALONE:
        return _ALONE[record.kind]
    opponent = "" if record.opponent is None else str(record.opponent)
    sign = "+" if record.kind is RoundKind.FORFEIT_WIN else "-"
    return opponent + _COLOUR.get(record.kind, sign)


_WIDTHS = (5, 6, 6, 4, 3, 3, 7)


def _line(cells: list[str]) -> str:
    widths = (*_WIDTHS, *[6] * (len(cells) - len(_WIDTHS)))
    return "".join(c.rjust(w) for c, w in zip(cells, widths, strict=True)).rstrip() + "\n"
