"""Glicko-2 (Glickman 2013) for casual play, as lichess has it.

Each game is rated separately, with fractional periods.

The paper's formulas work on floats. The stored values are integers (`Standing`): hundredths of an
Elo point and billionths of volatility, rounded half to even once after each game. Every game starts
from the stored integers, so computing them again gives equal bytes if `exp`, `log` and `sqrt` are
right to fifteen digits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tournaments.ratings.errors import InputError, RatingsError

if TYPE_CHECKING:
    from collections.abc import Sequence

# Stored with every ledger entry.
FORMULA = "glicko2-1"
# Step 2 of the paper: 400 / ln 10, printed 173.7178, around 1500.
_UNIT = 400 / math.log(10)
_DAY_S = 86_400
# Step 5: when the volatility is found.
_TOLERANCE = 1e-6
_MOST_ITERATIONS = 1_000


@dataclass(frozen=True, slots=True)
class Settings:
    """Constants of a pool.

    The defaults are those of lichess (scalachess `GlickoCalculator`, lila `GlickoExt`).

    Attributes:
        tau: how fast the volatility may change (paper: 0.3 to 1.2).
        periods_per_day: rating periods a day. With it a deviation of 60 grows to 110 in a year
            without games.
        lowest_deviation, highest_deviation: bounds in Elo points, as `lowest_rating`.
        highest_volatility: a bound.
        provisional_from: the deviation from which a rating is shown with a question mark.
    """

    tau: float = 0.75
    periods_per_day: float = 0.21436
    lowest_deviation: float = 45.0
    highest_deviation: float = 500.0
    highest_volatility: float = 0.1
    lowest_rating: float = 400.0
    provisional_from: float = 110.0


LICHESS = Settings()


@dataclass(frozen=True, slots=True)
class Estimate:
    """A strength on Glicko's scale: rating and deviation RD in Elo points, and the volatility."""

    rating: float
    deviation: float
    volatility: float


@dataclass(frozen=True, slots=True)
class Opposition:
    """A game: the opponent's estimate before it and the own score, 0 to 1.

    `advantage` is the own side's advantage over the opponent's, in Elo points: half of it lifts the
    own rating, half lowers the opponent's.
    """

    opponent: Estimate
    score: float
    advantage: float = 0.0


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's stored strength.

    `rating_centielo` +- twice `deviation_centielo` is shown, always together.
    """

    rating_centielo: int = 1500_00
    deviation_centielo: int = 500_00
    volatility_billionths: int = 90_000_000

    def __post_init__(self) -> None:
        """Refuse values that no game can leave behind."""
        if not (self.deviation_centielo > 0 and self.volatility_billionths > 0):
            raise InputError(f"{self} has no deviation or no volatility")

    def is_provisional(self, settings: Settings = LICHESS) -> bool:
        """Return whether the rating is still a guess."""
        return self.deviation_centielo >= 100 * settings.provisional_from


@dataclass(frozen=True, slots=True)
class Change:
    """The effect of a game on one player, and its inputs.

    Attributes:
        before: as stored after the last game.
        deviation_centielo: RD when this game began, grown since then.
        opponent: the opponent at that moment, RD grown too.
        advantage_centielo: of the own side over the other, negative for the second.
        expected_millionths: E of the paper (step 3), in millionths of a point.
        score_halves: 0, 1 or 2.
        after: to be stored.
    """

    before: Standing
    deviation_centielo: int
    opponent: Standing
    advantage_centielo: int
    expected_millionths: int
    score_halves: int
    after: Standing

    @property
    def delta_centielo(self) -> int:
        """Return the change of the rating."""
        return self.after.rating_centielo - self.before.rating_centielo


@dataclass(frozen=True, slots=True)
class GameChange:
    """Both changes by one game."""

    first: Change
    second: Change


def rate_game(
    first: Standing,
    second: Standing,
    *,
    score_halves: int,
    first_idle_s: int,
    second_idle_s: int,
    advantage_centielo: int = 0,
    settings: Settings = LICHESS,
) -> GameChange:
    """Return the changes of both players by one game.

    `score_halves` is the first side's score, 0, 1 or 2.

    Args:
        first: the first side's standing, as stored.
        second: the second side's.
        score_halves: of the first side.
        first_idle_s: seconds since the first side's last rated game of the pool, 0 before its
            first.
        second_idle_s: those of the second side.
        advantage_centielo: the first side's advantage in this variant.
        settings: the pool's constants.

    Raises:
        InputError: another score, or a negative time.
    """
    if score_halves not in (0, 1, 2):
        raise InputError(f"a game scored with {score_halves} half points")
    one = standing_at(first, idle_s=first_idle_s, settings=settings)
    two = standing_at(second, idle_s=second_idle_s, settings=settings)
    return GameChange(
        _change(first, one, two, score_halves, advantage_centielo, settings),
        _change(second, two, one, 2 - score_halves, -advantage_centielo, settings),
    )


def standing_at(standing: Standing, *, idle_s: int, settings: Settings = LICHESS) -> Standing:
    """Return the standing after `idle_s` seconds without a game.

    Only the deviation grows (step 6).

    Raises:
        InputError: a negative time.
    """
    if idle_s < 0:
        raise InputError(f"{idle_s} seconds since the last game")
    estimate = _estimate(standing)
    periods = settings.periods_per_day * idle_s / _DAY_S
    deviation = _UNIT * math.sqrt(
        (estimate.deviation / _UNIT) ** 2 + periods * estimate.volatility**2
    )
    return _rounded_standing(Estimate(estimate.rating, deviation, estimate.volatility), settings)


def expected_millionths(first: Standing, second: Standing, *, advantage_centielo: int = 0) -> int:
    """Return the first side's expected score before a game, in millionths of a point.

    The standings are those of the moment (`standing_at`).

    Both deviations count, as in Glickman's prediction formula (1999, equation 16), so both sides'
    scores add up to one.
    """
    one, two = _estimate(first), _estimate(second)
    spread = math.hypot(one.deviation, two.deviation) / _UNIT
    difference = one.rating - two.rating + advantage_centielo / 100
    return round(1_000_000 * _expected(difference / _UNIT, _weight(spread)))


def estimate_after(
    player: Estimate, games: Sequence[Opposition], *, tau: float, periods: float = 1.0
) -> Estimate:
    """Return the estimate after the games of one rating period (steps 3 to 8 of the paper).

    It is neither bounded nor rounded.

    `periods` is how much of a period's growth of RD belongs to this update: 1 in the paper, 0 where
    RD was grown when it was read.
    """
    deviation = player.deviation / _UNIT
    if not games:  # after step 8: only the deviation changes
        grown_deviation = math.sqrt(deviation**2 + periods * player.volatility**2)
        return Estimate(player.rating, _UNIT * grown_deviation, player.volatility)
    information = surplus = 0.0
    for game in games:
        difference = player.rating - game.opponent.rating + game.advantage
        weight = _weight(game.opponent.deviation / _UNIT)
        expected = _expected(difference / _UNIT, weight)
        information += weight**2 * expected * (1 - expected)
        surplus += weight * (game.score - expected)
    variance = 1 / information
    volatility = _volatility(player.volatility, deviation, variance, variance * surplus, tau)
    grown_variance = deviation**2 + periods * volatility**2  # step 6
    new_variance = 1 / (1 / grown_variance + information)  # step 7
    return Estimate(
        player.rating + _UNIT * new_variance * surplus,
        _UNIT * math.sqrt(new_variance),
        volatility,
    )


def _change(
    before: Standing,
    read: Standing,
    opponent: Standing,
    score_halves: int,
    advantage_centielo: int,
    settings: Settings,
) -> Change:
    mine, theirs = _estimate(read), _estimate(opponent)
    advantage = advantage_centielo / 100
    game = Opposition(theirs, score_halves / 2, advantage)
    after = estimate_after(mine, [game], tau=settings.tau, periods=0.0)
    expected = _expected(
        (mine.rating - theirs.rating + advantage) / _UNIT, _weight(theirs.deviation / _UNIT)
    )
    return Change(
        before=before,
        deviation_centielo=read.deviation_centielo,
        opponent=opponent,
        advantage_centielo=advantage_centielo,
        expected_millionths=round(1_000_000 * expected),
        score_halves=score_halves,
        after=_rounded_standing(after, settings),
    )


def _weight(deviation: float) -> float:
    """Return the function g of step 3: how much a game against an opponent of this deviation tells.

    Natural units.
    """
    return 1 / math.sqrt(1 + 3 * deviation**2 / math.pi**2)


def _expected(difference: float, weight: float) -> float:
    """E of step 3."""
    return 1 / (1 + math.exp(-weight * difference))


def _volatility(
    volatility: float, deviation: float, variance: float, delta: float, tau: float
) -> float:
    """Return the new volatility (step 5): the root of f by the Illinois variant of regula falsi."""
    start = math.log(volatility**2)

    def f(x: float) -> float:
        square = deviation**2 + variance + math.exp(x)
        return math.exp(x) * (delta**2 - square) / (2 * square**2) - (x - start) / tau**2

    low, high = start, start - tau
    if delta**2 > deviation**2 + variance:
        high = math.log(delta**2 - deviation**2 - variance)
    else:
        while f(high) < 0:
            high -= tau
    f_low, f_high = f(low), f(high)
    for _ in range(_MOST_ITERATIONS):
        if abs(high - low) <= _TOLERANCE:
            return math.exp(low / 2)
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    raise RatingsError(f"no volatility for {volatility}, RD {_UNIT * deviation}, delta {delta}")


def _estimate(standing: Standing) -> Estimate:
    return Estimate(
        standing.rating_centielo / 100,
        standing.deviation_centielo / 100,
        standing.volatility_billionths / 1_000_000_000,
    )


def _rounded_standing(estimate: Estimate, settings: Settings) -> Standing:
    """Return the estimate within the bounds of the pool, rounded half to even."""
    deviation = min(settings.highest_deviation, max(settings.lowest_deviation, estimate.deviation))
    return Standing(
        round(100 * max(settings.lowest_rating, estimate.rating)),
        round(100 * deviation),
        round(1_000_000_000 * min(settings.highest_volatility, estimate.volatility)),
    )
