"""Standings of an individual event: points, Buchholz, Sonneborn-Berger, wins."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True)
class RoundResult:
    """One round of one participant.

    Attributes:
        opponent: the opponent's number, None without one (a bye, an absence).
        score_halves: half points scored; None while the game goes on.
        is_played: whether a game was played; a forfeit has an opponent and was not.
        is_first: whether the participant had the first ply; None without an opponent.
    """

    opponent: int | None
    score_halves: int | None
    is_played: bool
    is_first: bool | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A participant's number (its TPN) and rounds in order, one `RoundResult` each."""

    number: int
    rounds: tuple[RoundResult, ...]

    @property
    def points_halves(self) -> int:
        """Half points so far."""
        return sum(r.score_halves or 0 for r in self.rounds)


@dataclass(frozen=True, slots=True)
class Standing:
    """One row: rank from 1 (shared when nothing separates), points and tie-breaks.

    `points_halves` and `buchholz_halves` are in half points; `sonneborn_quarters` in quarter points, because it
    multiplies two scores.
    """

    rank: int
    number: int
    points_halves: int
    buchholz_halves: int
    sonneborn_quarters: int
    wins: int
    rounds: tuple[RoundResult, ...]


def standings(lines: Sequence[Line], *, win_halves: int = 2) -> list[Standing]:
    """All rows, best first: by points, Buchholz (C.07 8.1), Sonneborn-Berger (C.07 9.1), wins (7.1), then number.

    A round without a played game counts as a game against a dummy that ends with the participant's own points
    (C.07 16.4); the result does not depend on the order of `lines`. A round that scored `win_halves` is a win.
    """
    points = {line.number: line.points_halves for line in lines}
    rows = [_row(line, points, win_halves) for line in lines]
    rows.sort(key=lambda row: (*_key(row), row.number))
    ranked: list[Standing] = []
    for place, row in enumerate(rows, start=1):
        is_tied = bool(ranked) and _key(ranked[-1]) == _key(row)
        rank = ranked[-1].rank if is_tied else place
        ranked.append(replace(row, rank=rank))
    return ranked


def _key(row: Standing) -> tuple[int, ...]:
    return (-row.points_halves, -row.buchholz_halves, -row.sonneborn_quarters, -row.wins)


def _row(line: Line, points: Mapping[int, int], win_halves: int) -> Standing:
    buchholz = sonneborn = wins = 0
    for result in line.rounds:
        if result.score_halves is None:
            continue
        has_met = result.is_played and result.opponent is not None
        strength = points[result.opponent] if has_met and result.opponent else line.points_halves
        buchholz += strength
        sonneborn += strength * result.score_halves
        wins += result.score_halves == win_halves
    return Standing(0, line.number, line.points_halves, buchholz, sonneborn, wins, line.rounds)
