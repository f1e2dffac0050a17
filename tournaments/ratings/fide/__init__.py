"""The FIDE Rating Regulations (B.02), exactly.

Ratings are whole Elo points, scores are hundredths, and each result has its steps.
"""

from tournaments.ratings.fide.first import FirstRating, first_rating
from tournaments.ratings.fide.performance import (
    expected_score,
    perfect_performance,
    tournament_performance,
)
from tournaments.ratings.fide.period import (
    Event,
    EventSteps,
    GameStep,
    PeriodChange,
    RatedGame,
    period_change,
)
from tournaments.ratings.fide.rules import (
    Coefficients,
    RuleSet,
    TimeClass,
    all_k_factors,
    k_factor,
    limited_k,
    rule_set,
    rule_set_named,
)
from tournaments.ratings.fide.tables import rating_difference, scoring_probability

__all__ = [
    "Coefficients",
    "Event",
    "EventSteps",
    "FirstRating",
    "GameStep",
    "PeriodChange",
    "RatedGame",
    "RuleSet",
    "TimeClass",
    "all_k_factors",
    "expected_score",
    "first_rating",
    "k_factor",
    "limited_k",
    "perfect_performance",
    "period_change",
    "rating_difference",
    "rule_set",
    "rule_set_named",
    "scoring_probability",
    "tournament_performance",
]
