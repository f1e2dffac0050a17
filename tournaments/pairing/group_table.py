"""The table of one group in which all players meet: a stage's group, or a league's division in a season."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tournaments.pairing.problem import RoundKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tournaments.pairing.problem import Contestant, PairingProblem


@dataclass(frozen=True, slots=True)
class GroupRow:
    """One row: rank from 1, shared by equals, points in half points, Sonneborn-Berger in quarter points.

    `has_left` says whether the player had left the event before the round after the table's last
    one.
    """

    rank: int
    tpn: int
    points_halves: int
    sonneborn_quarters: int
    wins: int
    has_left: bool


def group_table(
    problem: PairingProblem, tpns: Iterable[int], *, first_round: int, last_round: int
) -> list[GroupRow]:
    """Return the rows of those TPNs by the rounds from `first_round` to `last_round` as far as they are in the records.

    They are ordered by points, Sonneborn-Berger (C.07 9.1) and wins (C.07 7.1). Equal players share
    the rank, the smaller TPN first. A forfeit counts as its game: in a round robin all players have
    equal opponents in the end.
    """
    field = {c.tpn: c for c in (*problem.contestants, *problem.absent)}
    group = {tpn: field[tpn] for tpn in tpns}
    window = slice(first_round - 1, last_round)
    points = {tpn: sum(r.score_halves for r in c.records[window]) for tpn, c in group.items()}

    def key(tpn: int) -> tuple[int, int, int, int]:
        records = group[tpn].records[window]
        sonneborn = sum(
            r.score_halves * points[r.opponent] for r in records if r.opponent in points
        )
        wins = sum(
            r.kind is RoundKind.FORFEIT_WIN
            or (r.kind.is_played and r.score_halves == problem.points.win)
            for r in records
        )
        return -points[tpn], -sonneborn, -wins, tpn

    rows: list[GroupRow] = []
    for place, (halves, sonneborn, wins, tpn) in enumerate(sorted(map(key, group)), start=1):
        figures = -halves, -sonneborn, -wins
        above = rows[-1] if rows else None
        shares = above and figures == (above.points_halves, above.sonneborn_quarters, above.wins)
        rank = above.rank if above and shares else place
        rows.append(GroupRow(rank, tpn, *figures, has_left(group[tpn], last_round + 1)))
    return rows


def has_left(contestant: Contestant, round_number: int) -> bool:
    """Return whether the contestant had left the event by that round."""
    return 0 < contestant.left_round <= round_number


def remaining(table: Sequence[GroupRow]) -> list[int]:
    """TPNs of those still in the event, in the table's order."""
    return [row.tpn for row in table if not row.has_left]
