"""Tie-breaks from the opponents' scores (C.07 8), with unplayed rounds by article 16. Scores are in half points."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.standings.field import (
    FORFEITS,
    PLAYED,
    REQUESTED_BYES,
    VOLUNTARY,
    Edition,
    Field,
    Reason,
    Row,
)

if TYPE_CHECKING:
    from tournaments.standings.names import Modifiers


def adjusted_scores(field: Field, *, fore: bool = False) -> list[int]:
    """Return every participant's score as opponents see it (16.3), in half points.

    Requested byes that only voluntary rounds follow count as draws (16.2.5). All else counts as
    awarded. With `fore` the final round of the paired is a draw, and played (8.3).
    """
    return [sum(row.worth) for row in _adjusted_rows(field, fore=fore)]


def opposition(field: Field, *, fore: bool = False, forfeits: bool = False) -> list[Row]:
    """Return the opponents' adjusted scores, those of the dummies in unplayed rounds included (16.3, 16.4)."""
    key = f"opposition fore={fore} forfeits={forfeits}"
    if key not in field.rows:
        seen = _Seen(field, fore=fore, forfeits=forfeits)
        field.rows[key] = [seen.row(n) for n in range(len(field.ids))]
    return field.rows[key]


class _Seen:
    """The field as Buchholz sees it: with these scores, and these rounds as games."""

    def __init__(self, field: Field, *, fore: bool, forfeits: bool) -> None:
        self.field = field
        self.adjusted = adjusted_scores(field, fore=fore)
        self.games = field.game_kinds(forfeits=forfeits)
        self.is_fore = fore and field.rounds == field.rounds_total > 0
        whys = [
            None if seen == own else Reason.FINAL_ROUND_DRAWN if fore else Reason.OPPONENT_ADJUSTED
            for seen, own in zip(self.adjusted, field.points, strict=True)
        ]
        self.whys: list[Reason | None] = whys

    def row(self, position: int) -> Row:
        """Return the row of the opponents that one participant met."""
        field, adjusted, whys = self.field, self.adjusted, self.whys
        kinds, opponents = field.kinds[position], field.opponents[position]
        drawn = field.rounds - 1 if self.is_fore and opponents[-1] >= 0 else -1
        rounds = field.counted[position]
        if field.is_round_robin:  # a round without opponent is nothing there
            rounds = [r for r in rounds if opponents[r] >= 0]
        worth: list[int] = []
        reasons: list[Reason | None] = []
        voluntary: list[int] = []
        for r in rounds:
            opponent, kind = opponents[r], kinds[r]
            if opponent >= 0 and (kind in self.games or r == drawn):
                worth.append(adjusted[opponent])
                forfeit = Reason.FINAL_ROUND_DRAWN if r == drawn else field.forfeit_reason
                reasons.append(whys[opponent] if kind in PLAYED else forfeit)
                continue
            if kind in VOLUNTARY:
                voluntary.append(len(worth))
            halves, why = self._dummy(position, r, is_drawn=drawn >= 0)
            worth.append(halves)
            reasons.append(why)
        met = opponents if len(rounds) == len(opponents) else [opponents[r] for r in rounds]
        return Row(rounds, met, worth, worth, reasons, tuple(voluntary))

    def _dummy(self, position: int, r: int, *, is_drawn: bool) -> tuple[int, Reason]:
        """Return the dummy's score in an unplayed round (16.4): the own one, since 2026 up to a limit."""
        field = self.field
        own = field.points[position]
        if is_drawn:  # 8.3: then the own score knows the final round as a draw too
            own += field.scoring.draw - field.scores[position][-1]
        if field.edition is Edition.AUGUST_2024:
            return own, Reason.DUMMY
        opponent = field.opponents[position][r]
        if opponent >= 0 and field.kinds[position][r] in FORFEITS:
            limit, why = self.adjusted[opponent], Reason.DUMMY_UP_TO_OPPONENT
        else:
            limit, why = field.scoring.draw * field.rounds_total, Reason.DUMMY_UP_TO_DRAWS
        return (limit, why) if limit < own else (own, Reason.DUMMY)


def buchholz(field: Field, modifiers: Modifiers) -> list[Row]:
    """BH (8.1), and FB (8.3) by the modifier F."""
    return opposition(field, fore=modifiers.fore, forfeits=modifiers.forfeits)


def fore_buchholz(field: Field, modifiers: Modifiers) -> list[Row]:
    """FB (8.3): Buchholz as if all games of the final round were draws."""
    return opposition(field, fore=True, forfeits=modifiers.forfeits)


def opponents_buchholz(field: Field, modifiers: Modifiers) -> list[Row]:
    """AOB (8.2): the Buchholz (or Fore Buchholz) of the opponents met over the board."""
    rows = opposition(field, fore=modifiers.fore, forfeits=modifiers.forfeits)
    return met_rows(field, [sum(row.worth) for row in rows])


def met_rows(field: Field, values: list[int]) -> list[Row]:
    """Return a number of every opponent met over the board, for averages."""
    rows = []
    for rounds, opponents in zip(field.met, field.met_opponents, strict=True):
        worth = [values[o] for o in opponents]
        rows.append(Row(rounds, opponents, worth, worth))
    return rows


def adjusted(field: Field, _: Modifiers) -> list[Row]:
    """ABH: the own score as opponents see it in Buchholz (16.3)."""
    return _adjusted_rows(field, fore=False)


def fore_adjusted(field: Field, _: Modifiers) -> list[Row]:
    """AFB: the own score as opponents see it in Fore Buchholz (8.3, 16.3)."""
    return _adjusted_rows(field, fore=True)


def _adjusted_rows(field: Field, *, fore: bool) -> list[Row]:
    """Return the points of each round, with the effect of the adjustment."""
    key = f"adjusted fore={fore}"
    if key not in field.rows:
        field.rows[key] = [_adjusted(field, n, fore=fore) for n in range(len(field.ids))]
    return field.rows[key]


def _adjusted(field: Field, position: int, *, fore: bool) -> Row:
    kinds, opponents = field.kinds[position], field.opponents[position]
    scores = field.scores[position]
    rounds = range(field.rounds)
    changed: dict[int, Reason] = {}
    if fore and field.rounds == field.rounds_total > 0 and opponents[-1] >= 0:
        changed[field.rounds - 1] = Reason.FINAL_ROUND_DRAWN
    elif not field.is_round_robin:
        for r in reversed(rounds):
            if kinds[r] not in VOLUNTARY:
                break
            if kinds[r] in REQUESTED_BYES:
                changed[r] = Reason.OPPONENT_ADJUSTED
    if not changed:
        return Row(rounds, opponents, scores, scores)
    worth = [field.scoring.draw if r in changed else s for r, s in enumerate(scores)]
    return Row(rounds, opponents, worth, worth, [changed.get(r) for r in rounds])
