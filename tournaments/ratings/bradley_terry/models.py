"""The two draw models in numpy: log-likelihood of a pair table, its gradient and its curvature.

`d` is the difference of strengths plus the first side's advantage, in natural units, a number for
each ordered pair, at most 300 either way: exp(300) is a certain game and no overflow.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from tournaments.ratings.bradley_terry.fit import DrawModel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Results:
    """Games of each ordered pair, from the first side, as floats."""

    wins: Vector
    draws: Vector
    losses: Vector

    @property
    def games(self) -> Vector:
        """Return all of them."""
        return self.wins + self.draws + self.losses

    def part(self, rows: slice) -> Results:
        """Some rows of it."""
        return Results(self.wins[rows], self.draws[rows], self.losses[rows])


@dataclass(frozen=True, slots=True)
class Slopes:
    """Derivatives of the log-likelihood, a number for each ordered pair.

    `gradient` and `curvature` (negative second derivative) are by d, `by_draw` and `draw_curvature`
    by the draw parameter, `mixed` is the negative mixed derivative.
    """

    gradient: Vector
    curvature: Vector
    mixed: Vector
    by_draw: float
    draw_curvature: float


class Model(Protocol):
    """A draw model.

    Its draw parameter is a number on which every real value is allowed or clamped by `clamped`.
    """

    kind: DrawModel

    def first_guess(self, draw_rate: float) -> float:
        """Return the draw parameter at which equals draw so often."""

    def clamped(self, old: float, new: float) -> float:
        """Return a step of the draw parameter that does not leave its sensible range."""

    def stride(self, old: float, step: float) -> float:
        """Return the length of a step of the draw parameter.

        The measure is such that one unit changes the probabilities much.
        """

    def slopes(self, d: Vector, draw: float, results: Results) -> Slopes:
        """Return the derivatives at `d`."""

    def information(self, d: Vector, draw: float, games: Vector) -> Vector:
        """Fisher's information of `games` games about `d`, a number for each ordered pair."""

    def log_likelihood(self, d: Vector, draw: float, results: Results) -> float:
        """Return the log-likelihood at `d`."""

    def draw_parameter(self, draw: float) -> float:
        """Return the parameter as it is published."""

    def draw_of(self, parameter: float) -> float:
        """Return the original of `draw_parameter`."""


class Davidson:
    """Win : draw : loss = exp(d/2) : nu : exp(-d/2) (Davidson 1970).

    The parameter is ln nu, or -inf without draws.
    """

    kind = DrawModel.DAVIDSON

    def first_guess(self, draw_rate: float) -> float:
        return math.log(2 * draw_rate / (1 - draw_rate)) if draw_rate else -math.inf

    def clamped(self, old: float, new: float) -> float:
        return max(old - 2, min(old + 2, new))

    def stride(self, old: float, step: float) -> float:
        return abs(step)

    def slopes(self, d: Vector, draw: float, results: Results) -> Slopes:
        up = np.exp(d / 2)
        down = 1 / up
        nu = math.exp(draw)
        total = up + down + nu
        games = results.games
        decisive_rate = (up + down) / total
        surplus = (up - down) / (2 * total)
        expected_draws = games * (nu / total)
        return Slopes(
            gradient=(results.wins - results.losses) / 2 - games * surplus,
            curvature=games * (decisive_rate / 4 - surplus * surplus),
            mixed=-expected_draws * surplus,
            by_draw=float(results.draws.sum() - expected_draws.sum()),
            draw_curvature=float(expected_draws @ decisive_rate),
        )

    def information(self, d: Vector, draw: float, games: Vector) -> Vector:
        """Fisher's information, which is the observed one: the score is sufficient."""
        none = np.zeros_like(games)
        return self.slopes(d, draw, Results(none, games, none)).curvature

    def log_likelihood(self, d: Vector, draw: float, results: Results) -> float:
        up = np.exp(d / 2)
        total = np.log(up + 1 / up + math.exp(draw))
        draws_total = float(results.draws.sum())
        return (
            float((results.wins - results.losses) @ d) / 2
            + (draws_total * draw if draws_total else 0.0)
            - float(results.games @ total)
        )

    def draw_parameter(self, draw: float) -> float:
        return math.exp(draw)

    def draw_of(self, parameter: float) -> float:
        return math.log(parameter)


class RaoKupper:
    """Win = 1 / (1 + exp(k - d)), loss = 1 / (1 + exp(k + d)) (Rao and Kupper 1967).

    The parameter is k, 0 without draws.

    ln P(draw) = ln(1 - exp(-2k)) + ln(1 - win) + ln(1 - loss): a draw weighs as a win and a loss
    together.
    """

    kind = DrawModel.RAO_KUPPER

    def first_guess(self, draw_rate: float) -> float:
        return math.log((1 + draw_rate) / (1 - draw_rate))

    def clamped(self, old: float, new: float) -> float:
        return max(old / 4, min(old + 2, new))

    def stride(self, old: float, step: float) -> float:
        """Return the factor by which the threshold changes, for a small one is the share of draws."""
        return abs(step) / min(1.0, old) if step else 0.0

    def slopes(self, d: Vector, draw: float, results: Results) -> Slopes:
        win, loss = _win_and_loss(d, draw)
        not_lost, not_won = results.wins + results.draws, results.losses + results.draws
        wins, losses = not_lost * win, not_won * loss
        win_part, loss_part = wins * (1 - win), losses * (1 - loss)
        draws_total = float(results.draws.sum())
        square = math.exp(-2 * draw)
        rate = rate_part = 0.0
        if draws_total and draw:  # virtual draws have no vote on a threshold of 0
            rate, rate_part = 2 * square / (1 - square), 4 * square / (1 - square) ** 2
        curvature = win_part + loss_part
        decisive_total = float(results.wins.sum() + results.losses.sum())
        return Slopes(
            gradient=results.wins - results.losses - wins + losses,
            curvature=curvature,
            mixed=loss_part - win_part,
            by_draw=float(wins.sum() + losses.sum()) - decisive_total + draws_total * rate,
            draw_curvature=float(curvature.sum()) + draws_total * rate_part,
        )

    def information(self, d: Vector, draw: float, games: Vector) -> Vector:
        """Return the variance of the gradient of one game."""
        win, loss = _win_and_loss(d, draw)
        expected: Vector = (
            win * (1 - win) ** 2 + loss * (1 - loss) ** 2 + (1 - win - loss) * (loss - win) ** 2
        )
        return games * expected

    def log_likelihood(self, d: Vector, draw: float, results: Results) -> float:
        # ln win = -ln(1 + exp(k - d)) and ln(1 - win) = ln win + k - d.
        to_win, to_lose = draw - d, draw + d
        ln_win, ln_loss = -np.log(1 + np.exp(to_win)), -np.log(1 + np.exp(to_lose))
        draws_total = float(results.draws.sum())
        return (
            float((results.wins + results.draws) @ ln_win)
            + float((results.losses + results.draws) @ ln_loss)
            + float(results.draws @ (to_win + to_lose))
            + (draws_total * math.log1p(-math.exp(-2 * draw)) if draws_total else 0.0)
        )

    def draw_parameter(self, draw: float) -> float:
        return draw

    def draw_of(self, parameter: float) -> float:
        return parameter


def _win_and_loss(d: Vector, threshold: float) -> tuple[Vector, Vector]:
    odds = np.exp(d)
    x = math.exp(threshold)
    return odds / (odds + x), 1 / (1 + odds * x)


def model_of(kind: DrawModel) -> Model:
    """Return the model of that name."""
    return Davidson() if kind is DrawModel.DAVIDSON else RaoKupper()
