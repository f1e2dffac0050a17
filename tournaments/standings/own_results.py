"""Tie-breaks from a participant's own results (C.07 7): every function returns one `Row` a position of the field."""

from __future__ import annotations

import hashlib
from itertools import accumulate
from typing import TYPE_CHECKING

from tournaments.round_kinds import Kind
from tournaments.standings.field import PLAYED, VOLUNTARY, Field, Row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.standings.names import Modifiers


def _rows(field: Field, worth: Sequence[list[int]]) -> list[Row]:
    """Rows from a number of every round, as far as the round has something to count."""
    rounds = field.rounds
    rows = []
    for counted, opponents, values in zip(field.counted, field.opponents, worth, strict=True):
        if len(counted) == rounds:
            rows.append(Row(counted, opponents, values, values))
        else:
            some = [values[r] for r in counted]
            rows.append(Row(counted, [opponents[r] for r in counted], some, some))
    return rows


def points(field: Field, _: Modifiers) -> list[Row]:
    """Return the score, in half points."""
    return _rows(field, field.scores)


def wins(field: Field, _: Modifiers) -> list[Row]:
    """WIN (7.1): rounds that brought as much as a win, played or not."""
    win = field.scoring.win
    return _rows(field, [[int(s == win) for s in scores] for scores in field.scores])


def _of_kinds(field: Field, kinds: frozenset[Kind]) -> list[list[int]]:
    return [[int(kind in kinds) for kind in row] for row in field.kinds]


def _with_second_ply(field: Field, kinds: frozenset[Kind]) -> list[list[int]]:
    return [[int(g.is_first is False and g.kind in kinds) for g in games] for games in field.games]


def won_games(field: Field, _: Modifiers) -> list[Row]:
    """WON (7.2): games won over the board."""
    return _rows(field, _of_kinds(field, _WON))


def second_games(field: Field, _: Modifiers) -> list[Row]:
    """BPG (7.3): games played over the board with the second ply (Black)."""
    return _rows(field, _with_second_ply(field, PLAYED))


def second_wins(field: Field, _: Modifiers) -> list[Row]:
    """BWG (7.4): games won over the board with the second ply (Black)."""
    return _rows(field, _with_second_ply(field, _WON))


def rounds_elected(field: Field, _: Modifiers) -> list[Row]:
    """REP (7.6): rounds without half-point byes, zero-point byes and forfeit losses."""
    return _rows(field, _of_kinds(field, _ELECTED))


_WON = frozenset({Kind.WIN})
_ELECTED = frozenset(Kind) - VOLUNTARY


def progressive(field: Field, _: Modifiers) -> list[Row]:
    """PS (7.5): the score after each round, in half points."""
    return _rows(field, [list(accumulate(scores)) for scores in field.scores])


def standard_points(field: Field, _: Modifiers) -> list[Row]:
    """Return STD (7.7, 2026), in half points.

    A round counts 1 for more than the scheduled opponent's score, and 1/2 for an equal one. A round
    without an opponent is held against a draw.
    """
    draw, scores = field.scoring.draw, field.scores
    values = []
    for mine, opponents in zip(scores, field.opponents, strict=True):
        theirs = [scores[o][r] if o >= 0 else draw for r, o in enumerate(opponents)]
        values.append([(m >= t) + (m > t) for m, t in zip(mine, theirs, strict=True)])
    return _rows(field, values)


def pairing_number(field: Field, _: Modifiers) -> list[Row]:
    """TPN (7.8, 2026): the pairing number."""
    return [Row((-1,), (-1,), (i,), (i,)) for i in field.ids]


def lots(field: Field, _: Modifiers) -> list[Row]:
    """LOT: the place of each participant in a draw of all of them, from 1.

    They are ordered by the SHA-256 of `seed:id`, in hexadecimal. Without a seed there are no lots.
    """
    if not field.lots_seed:
        return [Row((), (), (), ()) for _ in field.ids]
    drawn = sorted(
        field.ids, key=lambda i: hashlib.sha256(f"{field.lots_seed}:{i}".encode()).digest()
    )
    number_of = {i: number for number, i in enumerate(drawn, start=1)}
    return [Row((-1,), (-1,), (number_of[i],), (number_of[i],)) for i in field.ids]
