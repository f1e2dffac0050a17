"""Tie-breaks from the opponents' scores and one's own results against them (C.07 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.standings.buchholz import opposition
from tournaments.standings.field import FORFEITS, Field, Row

if TYPE_CHECKING:
    from tournaments.round_kinds import Kind
    from tournaments.standings.names import Modifiers


def sonneborn_berger(field: Field, modifiers: Modifiers) -> list[Row]:
    """SB (9.1): every opponent's adjusted score times the points scored against it, in quarter points.

    In an unplayed round the dummy's score counts as often as points were awarded (16.4).
    """
    rows = opposition(field, forfeits=modifiers.forfeits)
    return [
        row._replace(
            worth=[games[r].score_halves * s for r, s in zip(row.rounds, row.strength, strict=True)]
        )
        for games, row in zip(field.games, rows, strict=True)
    ]


def koya(field: Field, modifiers: Modifiers) -> list[Row]:
    """KS (9.2): points against opponents with at least half of the points they could have, in half points.

    `modifiers.limit_halves` moves that limit by half points.
    """
    reached = {
        n
        for n in range(len(field.ids))
        if 2 * (field.points[n] - modifiers.limit_halves) >= _most_halves(field, n)
    }
    games = field.game_kinds(forfeits=modifiers.forfeits)
    return [_koya(field, n, reached, games) for n in range(len(field.ids))]


def _most_halves(field: Field, position: int) -> int:
    """Return the score of a win in every round with an opponent.

    In a Swiss, of a win in every round.
    """
    opponents = field.opponents[position]
    rounds = (
        sum([o >= 0 for o in opponents]) if field.is_round_robin else len(field.games[position])
    )
    return field.scoring.win * rounds


def _koya(field: Field, position: int, reached: set[int], games: frozenset[Kind]) -> Row:
    kinds, opponents = field.kinds[position], field.opponents[position]
    rounds = [r for r, o in enumerate(opponents) if o in reached and kinds[r] in games]
    worth = [field.scores[position][r] for r in rounds]
    reasons = [field.forfeit_reason if kinds[r] in FORFEITS else None for r in rounds]
    return Row(rounds, [opponents[r] for r in rounds], worth, worth, reasons)
