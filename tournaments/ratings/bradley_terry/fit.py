"""The result of a Bradley-Terry fit: settings, strengths, and predictions from them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from tournaments.ratings.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

# Stored with every figure that was computed by it.
FORMULA = "bradley-terry-1"
ELO_PER_UNIT = 400 / math.log(10)
_Z95 = 1.959963984540054


class DrawModel(StrEnum):
    """Origin of draws.

    The results of a game decide which one fits: the fit tries both.
    """

    DAVIDSON = "davidson"
    RAO_KUPPER = "rao-kupper"


@dataclass(frozen=True, slots=True)
class Prior:
    """The belief before the first game.

    Attributes:
        draws: drawn virtual games of every player against the pool's middle. They have no effect on
            sides or on the pool's rate of draws. 0 is maximum likelihood, which has no answer for
            players who won or lost everything.
        side_sd_elo: standard deviation of the first side's advantage around 0, in raw Elo points.
            None: unlimited, and infinite when the first side has won every decided game.
    """

    draws: float = 1.0
    side_sd_elo: float | None = 200.0


@dataclass(frozen=True, slots=True)
class PlayerRating:
    """A player's place on the list.

    The rating and half of the 95 % interval are in hundredths of an Elo point.

    `group` numbers the sets of players that no game connects: ratings of different groups compare
    by the prior only.
    """

    player: str
    rating_centielo: int
    error_centielo: int
    games: int
    score_halves: int
    group: int


@dataclass(frozen=True, slots=True)
class Prediction:
    """Probabilities of a game's outcomes in millionths, from the first side.

    They add up to a million.
    """

    win_millionths: int
    draw_millionths: int
    loss_millionths: int

    @property
    def expected_millionths(self) -> int:
        """Return the first side's expected score in millionths of a point."""
        return self.win_millionths + self.draw_millionths // 2


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Strengths of a pool and their certainty.

    Attributes:
        model: the draw model, the likelier one unless the caller chose.
        players: names, in the table's order, as all tuples here.
        strengths: in natural units (`ELO_PER_UNIT` raw Elo points), the pool's mean 0. Start the
            next fit from them.
        advantage: of the first side, natural units.
        draw_parameter: Davidson's nu, or Rao and Kupper's threshold in natural units, or 0 without
            draws.
        scale: published Elo per raw Elo (`published_scale`).
        log_likelihood: of the games, natural logarithm, without the prior.
        other_log_likelihood: that of the model not taken, or None if it was not tried.
        iterations: Newton steps, of both models.
        games, score_halves, groups: of each player. See `PlayerRating`.
        prior: the argument of the fit.
        covariance: of `strengths` relative to the pool's mean, with fixed advantage and draw
            parameter.
    """

    model: DrawModel
    players: tuple[str, ...]
    strengths: tuple[float, ...]
    advantage: float
    draw_parameter: float
    scale: float
    log_likelihood: float
    other_log_likelihood: float | None
    iterations: int
    games: tuple[int, ...]
    score_halves: tuple[int, ...]
    groups: tuple[int, ...]
    prior: Prior
    covariance: NDArray[np.float64] = field(repr=False)

    @property
    def advantage_centielo(self) -> int:
        """Return the first side's advantage on the published scale, in hundredths of an Elo point."""
        return self._centielo(self.advantage)

    def ratings(
        self, *, centre_centielo: int = 0, anchors_centielo: Mapping[str, int] | None = None
    ) -> tuple[PlayerRating, ...]:
        """Return the ratings in the table's order, on the expected-score scale.

        200 points are .76 of the points without sides.

        The pool's mean is `centre_centielo`. Given anchors, all ratings are moved together until
        those of the anchors are right on average. Error bars are relative to the pool, so they do
        not grow by an anchor.

        Raises:
            InputError: an anchor that is not in the pool.
        """
        published = [self._centielo(strength) for strength in self.strengths]
        shift = self._shift(published, centre_centielo, anchors_centielo or {})
        errors = [_Z95 * math.sqrt(variance) for variance in self.covariance.diagonal().tolist()]
        return tuple(
            PlayerRating(player, rating + shift, self._centielo(error), *rest)
            for player, rating, error, *rest in zip(
                self.players,
                published,
                errors,
                self.games,
                self.score_halves,
                self.groups,
                strict=True,
            )
        )

    def prediction(self, first: str, second: str) -> Prediction:
        """Return the outcomes of a game to come between two players of the pool.

        Raises:
            InputError: a player who is not in the pool.
        """
        one, two = (self.strengths[self._place(player)] for player in (first, second))
        difference = one - two + self.advantage
        if self.model is DrawModel.DAVIDSON:
            up, down = math.exp(difference / 2), math.exp(-difference / 2)
            total = up + down + self.draw_parameter
            win, loss = up / total, down / total
        else:
            win = 1 / (1 + math.exp(self.draw_parameter - difference))
            loss = 1 / (1 + math.exp(self.draw_parameter + difference))
        millionths = (round(1_000_000 * win), round(1_000_000 * loss))
        return Prediction(millionths[0], max(0, 1_000_000 - sum(millionths)), millionths[1])

    def _centielo(self, natural: float) -> int:
        return round(100 * ELO_PER_UNIT * self.scale * natural)

    def _place(self, player: str) -> int:
        if player not in self.players:
            raise InputError(f"{player[:60]!r} is not in the pool")
        return self.players.index(player)

    def _shift(self, published: list[int], centre: int, anchors: Mapping[str, int]) -> int:
        if not anchors:
            return centre
        misses = [anchors[player] - published[self._place(player)] for player in sorted(anchors)]
        return round(sum(misses) / len(misses))


def published_scale(model: DrawModel, draw_parameter: float) -> float:
    """Return the factor from raw Elo to the expected-score scale.

    It is the slope of the expected score between equals, which is 1 for the logistic curve.

    Davidson: 2 / (2 + nu). Rao and Kupper: 4x / (1 + x)^2 with x = exp(-threshold), the figure that
    BayesElo prints.
    """
    if model is DrawModel.DAVIDSON:
        return 2 / (2 + draw_parameter)
    x = math.exp(-draw_parameter)
    return 4 * x / (1 + x) ** 2
