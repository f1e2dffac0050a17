"""A value opened into the terms it is made of, for people who want to know why."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, assert_never

from tournaments.standings.catalogue import TieBreak, tie_break
from tournaments.standings.columns import cuts_of, rows_of, units_of
from tournaments.standings.entry import Combination
from tournaments.standings.performance import performance_bonus
from tournaments.standings.rating_tables import expected_hundredths, rounded_half_up

if TYPE_CHECKING:
    from tournaments.standings.cuts import Cut
    from tournaments.standings.field import Field, Reason, Row
    from tournaments.standings.ranking import Ranking


@dataclass(frozen=True, slots=True)
class Term:
    """One contribution to a value.

    Attributes:
        round_number: the round, from 1, or None for a term without a round.
        opponent: id of the opponent, also if a dummy replaces it, or None without one.
        contribution: the added value, in points or rating points. For PTP the expected score.
        strength: in Sonneborn-Berger the opponent's (or dummy's) score, in PTP the rating, else
            None.
        score: in Sonneborn-Berger the points awarded, else None.
        reason: why the contribution is not simply the result, with its `article`, or None if it is.
        cut: why it does not count, with its `article`, or None if it does.
    """

    round_number: int | None
    opponent: int | None
    contribution: Fraction
    strength: Fraction | None = None
    score: Fraction | None = None
    reason: Reason | None = None
    cut: Cut | None = None


@dataclass(frozen=True, slots=True)
class Breakdown:
    """A participant's value of one tie-break and its terms, in the order of the rounds.

    `bonus` is the number that a performance rating adds to the mean (10.2), else 0. `value` is None
    if undefined.
    """

    tie_break: TieBreak
    id: int
    value: Fraction | None
    terms: tuple[Term, ...]
    bonus: int = 0

    @property
    def total(self) -> Fraction | None:
        """Return the value that the counting terms make, which equals `value`.

        It is a sum, or a mean rounded half up to the unit of the tie-break with the bonus added.
        For PTP, whose terms are expected scores, their sum is not the value, and the result is
        `value` itself.
        """
        counted = [t.contribution for t in self.terms if t.cut is None]
        entry = self.tie_break.entry
        match entry.combination:
            case Combination.SUM | Combination.ENCOUNTER:
                return sum(counted, Fraction()) if self.value is not None else None
            case Combination.PERFECT:
                return self.value
            case Combination.ONLY | Combination.MEAN | Combination.PERFORMANCE:
                if not counted:
                    return None
                mean = sum(counted, Fraction()) * entry.scale / len(counted)
                units = rounded_half_up(mean.numerator, mean.denominator)
                return Fraction(units, entry.scale) + self.bonus
        assert_never(entry.combination)


def breakdown(field: Field, name: str | TieBreak, participant: int) -> Breakdown:
    """Return the value of a tie-break for the participant with that id, term by term.

    For direct encounter use `encounter_breakdown`.

    Raises:
        UnknownTieBreakError: if it is no tie-break.
        KeyError: if no participant has that id.
    """
    of_teams = bool(field.primary)
    tiebreak = tie_break(name, of_teams=of_teams) if isinstance(name, str) else name
    position = field.position[participant]
    row = rows_of(field, tiebreak)[position]
    units = units_of(field, tiebreak, [position], [row])[0]
    value = None if units is None else Fraction(units, tiebreak.entry.scale)
    if tiebreak.entry.combination is Combination.PERFECT:
        terms = _expected_terms(field, row, value)
    else:
        terms = _terms(field, tiebreak, position, row)
    is_performance = tiebreak.entry.combination is Combination.PERFORMANCE
    has_bonus = is_performance and value is not None
    bonus = performance_bonus(field.met_halves[position], len(row.worth)) if has_bonus else 0
    return Breakdown(tiebreak, participant, value, terms, bonus)


def _terms(field: Field, tiebreak: TieBreak, position: int, row: Row) -> tuple[Term, ...]:
    left_out = cuts_of(row, tiebreak)
    scale = tiebreak.entry.term_scale
    scores = field.by_score(tiebreak.modifiers.score).scores[position]
    points = row.points or [scores[r] if r >= 0 else 0 for r in row.rounds]
    has_product = row.worth is not row.strength
    return tuple(
        Term(
            round_number=r + 1 if r >= 0 else None,
            opponent=_opponent(field, row, n),
            contribution=Fraction(row.worth[n], scale),
            strength=Fraction(row.strength[n], 2) if has_product else None,
            score=Fraction(points[n], 2) if has_product else None,
            reason=row.reasons[n] if row.reasons else None,
            cut=left_out.get(n),
        )
        for n, r in enumerate(row.rounds)
    )


def _opponent(field: Field, row: Row, n: int) -> int | None:
    opponent = row.opponents[n]
    return field.ids[opponent] if opponent >= 0 else None


def _expected_terms(field: Field, row: Row, value: Fraction | None) -> tuple[Term, ...]:
    """Return the expected score of the rating `value` in every game (10.3)."""
    if value is None:
        return ()
    expected = expected_hundredths(int(value), row.worth)
    return tuple(
        Term(
            round_number=r + 1,
            opponent=_opponent(field, row, n),
            contribution=Fraction(expected[n], 100),
            strength=Fraction(row.worth[n]),
            reason=row.reasons[n] if row.reasons else None,
        )
        for n, r in enumerate(row.rounds)
    )


def encounter_breakdown(table: Ranking, name: str, participant: int) -> Breakdown:
    """Return the participant's score among those it was tied with, game by game, value None without a tie.

    Raises:
        KeyError: if the ranking has no direct encounter of that name.
    """
    encounter = table.encounters[name].get(participant)
    tiebreak = next(t for t in table.tie_breaks if t.name == name)
    if encounter is None:
        return Breakdown(tiebreak, participant, None, ())
    terms = tuple(Term(m.round_number, m.opponent, m.share) for m in encounter.meetings)
    return Breakdown(tiebreak, participant, encounter.points, terms)
