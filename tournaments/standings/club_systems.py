"""The scores of Keizer and McMahon, systems of clubs.

No regulation has them, so that their parameters are settings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.round_kinds import Kind
from tournaments.standings.field import PLAYED, Row

if TYPE_CHECKING:
    from tournaments.standings.field import Field
    from tournaments.standings.names import Modifiers

# Values of two players can exchange endlessly. Then the last ones count.
_MOST_REPETITIONS = 20
# Keizer points are counted in these parts: halves of points times hundredths.
KEIZER_SCALE = 200


def keizer_values(field: Field) -> list[int]:
    """Return the value of a win against each position: the first of the order has 3n/2, each next one less.

    The order at the start is that of the ratings. All rounds are scored again with the values of
    each new order, until it does not change.
    """
    key = "keizer"
    if key not in field.numbers:
        order = _order(field, [0] * len(field.ids))
        values = _values(order)
        for _ in range(_MOST_REPETITIONS):
            points = [sum(row.worth) for row in _keizer_rows(field, values)]
            following = _order(field, points)
            if following == order:
                break
            order, values = following, _values(following)
        field.numbers[key] = list(values)
    return [value or 0 for value in field.numbers[key]]


def _order(field: Field, points: list[int]) -> list[int]:
    # The order is by these points, then by rating, then by number.
    ratings = field.ratings
    return sorted(range(len(points)), key=lambda n: (-points[n], -(ratings[n] or 0), n))


def keizer_ranking(field: Field) -> list[int]:
    """Return the positions by Keizer points, best first."""
    return _order(field, [sum(row.worth) for row in _keizer_rows(field, keizer_values(field))])


def _values(order: list[int]) -> list[int]:
    count = len(order)
    top = (3 * count + 1) // 2
    values = [0] * count
    for rank, position in enumerate(order):
        values[position] = top - rank
    return values


def keizer(field: Field, _: Modifiers) -> list[Row]:
    """Return Keizer points: of each game the opponent's value, of a draw half of it, of byes a share of the own value."""
    return _keizer_rows(field, keizer_values(field))


def _keizer_rows(field: Field, values: list[int]) -> list[Row]:
    rules = field.house_rules
    percents = {
        Kind.PAIRING_BYE: rules.bye_percent,
        Kind.FORFEIT_WIN: rules.bye_percent,
        Kind.FULL_BYE: 100,
        Kind.HALF_BYE: rules.absence_percent,
    }
    rows = []
    for position, counted in enumerate(field.counted):
        kinds, scores = field.kinds[position], field.scores[position]
        opponents = [field.opponents[position][r] for r in counted]
        worth, strength = [], []
        for r, opponent in zip(counted, opponents, strict=True):
            is_game = kinds[r] in PLAYED and opponent >= 0
            value = values[opponent if is_game else position]
            strength.append(2 * value)
            if is_game:
                worth.append(KEIZER_SCALE * value * scores[r] // field.scoring.win)
            else:
                worth.append(KEIZER_SCALE // 100 * value * percents.get(kinds[r], 0))
        rows.append(Row(counted, opponents, worth, strength))
    return rows


def mcmahon_scores(field: Field) -> list[int]:
    """Return the McMahon scores by position, in half points."""
    return [sum(row.worth) for row in _mcmahon_rows(field)]


def mcmahon(field: Field, _: Modifiers) -> list[Row]:
    """Return MMS: the score to begin with, by rating, and the points of each round, in half points."""
    return _mcmahon_rows(field)


def _mcmahon_rows(field: Field) -> list[Row]:
    starts = [2 * field.house_rules.start(rating) for rating in field.ratings]
    rows = []
    for position, counted in enumerate(field.counted):
        opponents = [field.opponents[position][r] for r in counted]
        worth = [starts[position], *(field.scores[position][r] for r in counted)]
        rows.append(Row((-1, *counted), (-1, *opponents), worth, worth))
    return rows


def opponents_mcmahon(field: Field, _: Modifiers) -> list[Row]:
    """Return SOS: the McMahon scores of the opponents met.

    A round without a game counts the own score to begin with.
    """
    scores = mcmahon_scores(field)
    return _of_opponents(field, scores, per_round=1)


def opponents_sos(field: Field, modifiers: Modifiers) -> list[Row]:
    """Return SOSOS: the SOS of the opponents met.

    A round without a game counts that of an equal opponent in each round.
    """
    sums = [sum(row.worth) for row in opponents_mcmahon(field, modifiers)]
    return _of_opponents(field, sums, per_round=field.rounds)


def _of_opponents(field: Field, values: list[int], *, per_round: int) -> list[Row]:
    rows = []
    for position, counted in enumerate(field.counted):
        own = 2 * field.house_rules.start(field.ratings[position]) * per_round
        opponents = [field.opponents[position][r] for r in counted]
        worth = [
            values[opponent] if field.kinds[position][r] in PLAYED and opponent >= 0 else own
            for r, opponent in zip(counted, opponents, strict=True)
        ]
        rows.append(Row(counted, opponents, worth, worth))
    return rows
