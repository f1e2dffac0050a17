"""Rating changes step by step: by Elo, by Glicko-2 and by the FIDE regulations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from tournaments.ratings import elo, fide, glicko2

# The limit of FIDE's lists and of this calculator.
MAX_ELO = 4000
MAX_GAMES = 100
K_FACTORS = fide.all_k_factors()


@dataclass(frozen=True, slots=True)
class LedgerChange:
    """One game by the ledger's formula, in hundredths of an Elo point and millionths of a point.

    `difference_centielo` is the own rating minus the opponent's; `counted_centielo` is that,
    limited to 400 points.
    """

    before_centielo: int
    difference_centielo: int
    counted_centielo: int
    expected_millionths: int
    score_halves: int
    k: int
    delta_centielo: int

    @property
    def surplus_millionths(self) -> int:
        """Score minus expected score."""
        return self.score_halves * 500_000 - self.expected_millionths

    @property
    def after_centielo(self) -> int:
        """The new rating."""
        return self.before_centielo + self.delta_centielo


@dataclass(frozen=True, slots=True)
class FideGame:
    """An opponent's rating and the own score in half points."""

    opponent_elo: int
    score_halves: int


@dataclass(frozen=True, slots=True)
class FideChange:
    """A period by FIDE B.02, and the performance in its games."""

    period: fide.PeriodChange
    steps: Sequence[fide.GameStep]
    score_halves: int
    average_elo: int
    tpr: int
    ptp: int


def ledger_change(
    *, rating_centielo: int, opponent_centielo: int, score_halves: int, k: int, day: date
) -> LedgerChange:
    """Return the effect of one game that ends on `day` on a rating by the formula of the bots' ledger."""
    edition = elo.edition_on(day)
    difference = rating_centielo - opponent_centielo
    result = edition.change(
        rating_centielo=rating_centielo,
        opponent_centielo=opponent_centielo,
        score_halves=score_halves,
        k=k,
    )
    return LedgerChange(
        before_centielo=rating_centielo,
        difference_centielo=difference,
        counted_centielo=edition.counted_centielo(difference),
        expected_millionths=result.expected_millionths,
        score_halves=score_halves,
        k=k,
        delta_centielo=result.delta_centielo,
    )


@dataclass(frozen=True, slots=True)
class CasualChange:
    """One casual game by Glicko-2, in hundredths of a point and millionths of an expectation."""

    before: glicko2.Standing
    after: glicko2.Standing
    expected_millionths: int
    score_halves: int

    @property
    def delta_centielo(self) -> int:
        """The change of the rating."""
        return self.after.rating_centielo - self.before.rating_centielo


def casual_change(
    *,
    rating_centielo: int,
    deviation_centielo: int,
    opponent_centielo: int,
    opponent_deviation_centielo: int,
    score_halves: int,
) -> CasualChange:
    """The change of a rating by one casual game (Glicko-2).

    The sides are equal and the volatility is that of a new player.
    """
    volatility = glicko2.Standing().volatility_billionths
    result = glicko2.rate_game(
        glicko2.Standing(rating_centielo, deviation_centielo, volatility),
        glicko2.Standing(opponent_centielo, opponent_deviation_centielo, volatility),
        score_halves=score_halves,
        first_idle_s=0,
        second_idle_s=0,
    ).first
    return CasualChange(
        result.before, result.after, result.expected_millionths, result.score_halves
    )


def fide_change(
    *, rating_elo: int, k: int, games: Sequence[FideGame], time_class: str, day: date
) -> FideChange:
    """Return the effect of these games of one period on a FIDE rating by the regulations in force on `day`.

    At least one game is needed.
    """
    rules = fide.rule_set(day=day, time_class=fide.TimeClass(time_class))
    rated_games = tuple(fide.RatedGame(game.opponent_elo, game.score_halves) for game in games)
    period = fide.period_change(
        rules, rating_elo=rating_elo, k=k, events=[fide.Event(rating_elo, rated_games)]
    )
    opponents = [game.opponent_elo for game in games]
    score_halves = sum(game.score_halves for game in games)
    return FideChange(
        period=period,
        steps=period.events[0].games,
        score_halves=score_halves,
        average_elo=(2 * sum(opponents) + len(opponents)) // (2 * len(opponents)),
        tpr=fide.tournament_performance(opponents, score_halves=score_halves),
        ptp=fide.perfect_performance(opponents, score_halves=score_halves),
    )
