"""Newton's method on the pair table.

It fits the strengths, the first side's advantage and the draw parameter together.

The strengths' block is solved by Cholesky, the two other parameters through its Schur complement.
Nothing here depends on the order of the games, and on the start only below a hundredth of an Elo
point.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tournaments.ratings.bradley_terry.definite import DEAR_SIZE, inverse_of, solved_by
from tournaments.ratings.bradley_terry.fit import (
    ELO_PER_UNIT,
    DrawModel,
    Fit,
    Prior,
    published_scale,
)
from tournaments.ratings.bradley_terry.models import Model, Results, model_of
from tournaments.ratings.bradley_terry.pool import State, factor_of, groups_of, pool_of
from tournaments.ratings.errors import RatingsError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tournaments.ratings.bradley_terry.pool import Pool
    from tournaments.ratings.bradley_terry.table import PairTable

    Vector = NDArray[np.float64]
    Matrix = NDArray[np.float64]

_LONGEST_STEP = 2.0
# 17,372 raw Elo points from the middle. The models allow three of them.
_MOST = 100.0
# The rest after a step: its square by Newton's method, a fifth of it with an old factor. A
# hundredth of a published point is 6e-5 natural units.
_LAST_FRESH_STEP = 1e-4
_LAST_STEP = 1e-6
_MOST_STEPS = 200
# A factor serves again as long as the strengths stay this near and every step is at most this part
# of the last.
_NEAR = 0.25
_PROGRESS = 0.2
# From a step this short on it pays to ask whether the other model is out of reach.
_COMPARABLE = 0.25
# If the models' units differ by more, one's answer is no guide to the other's.
_ALIKE = 2.0
_ROWS = 64


@dataclass(slots=True)
class _Totals:
    """The derivatives of the log-likelihood at a state.

    It has those of each player, of the two parameters, and of each pair.

    `columns` holds gradient, curvature, and the mixed derivatives with the advantage and the draw
    parameter. `virtual` is the part of virtual draws in the last: they have no vote on the draw
    parameter, so only its column has it, not its row.
    """

    columns: Matrix
    curvature: Vector
    virtual: Vector
    gradient: float = 0.0
    mixed: float = 0.0
    by_draw: float = 0.0
    draw_curvature: float = 0.0


@dataclass(slots=True)
class _Attempt:
    """A model, and how far it came."""

    model: Model
    state: State
    log_likelihood: float = 0.0


def fit(
    table: PairTable,
    *,
    prior: Prior,
    models: tuple[DrawModel, ...],
    has_sides: bool,
    start: Fit | None,
) -> Fit:
    """Return the likelier fit of `models`. See `tournaments.ratings.bradley_terry.fit_pairs`."""
    pool = pool_of(table)
    groups = groups_of(pool, prior)
    kinds = sorted(models, key=lambda kind: start is not None and kind is not start.model)
    best: _Attempt | None = None
    others: list[float] = []
    steps = 0
    for kind in kinds:
        attempt = _start(pool, model_of(kind), table, start, best)
        try:
            _climb(pool, attempt, prior, has_sides=has_sides, rival=best)
        except RatingsError:
            # A start can be so far off that no step leads back. The scores' guess is near the
            # maximum of any games.
            attempt = _start(pool, attempt.model, table, None, None)
            _climb(pool, attempt, prior, has_sides=has_sides, rival=best)
        steps += attempt.state.steps
        if best is None:
            best = attempt
        elif attempt.log_likelihood > best.log_likelihood:
            others.append(best.log_likelihood)
            best = attempt
        else:
            others.append(attempt.log_likelihood)
    assert best is not None  # there is a model
    model, state = best.model, best.state
    results = pool.results
    games = np.add(*pool.both_sides(results.games))
    won, lost = pool.both_sides(results.wins - results.losses)
    halves = won - lost + games
    parameter = model.draw_parameter(state.draw)
    return Fit(
        model=model.kind,
        players=table.players,
        strengths=tuple((state.strengths - state.strengths.mean()).tolist()),
        advantage=state.advantage,
        draw_parameter=parameter,
        scale=published_scale(model.kind, parameter),
        log_likelihood=best.log_likelihood,
        other_log_likelihood=others[0] if others else None,
        iterations=steps,
        games=tuple(np.rint(games).astype(np.int64).tolist()),
        score_halves=tuple(halves.astype(np.int64).tolist()),
        groups=tuple(groups.tolist()),
        prior=prior,
        covariance=_covariance(pool, model, state, prior),
    )


def superiority(fitted: Fit) -> Matrix:
    """LOS of every pair: Phi((ri - rj) / sqrt(Cii + Cjj - 2 Cij))."""
    from scipy.special import ndtr  # a list of ratings needs none

    strengths, covariance = np.array(fitted.strengths), fitted.covariance
    variances = covariance.diagonal()
    size = strengths.size
    likelihood = np.empty((size, size))
    for top in range(0, size, _ROWS):  # above the diagonal only, a few rows at a time
        rows, columns = slice(top, min(top + _ROWS, size)), slice(top, size)
        spread = covariance[rows, columns] * -2
        spread += variances[rows, None]
        spread += variances[None, columns]
        differences = np.subtract.outer(strengths[rows], strengths[columns])
        spread[differences == 0] = 1.0
        differences /= np.sqrt(spread, out=spread)
        likelihood[rows, columns] = ndtr(differences, out=differences)
        likelihood[columns, rows] = 1 - likelihood[rows, columns].T
    np.fill_diagonal(likelihood, 0.5)
    return likelihood


def _start(
    pool: Pool, model: Model, table: PairTable, start: Fit | None, sibling: _Attempt | None
) -> _Attempt:
    """Return the other model's answer on this one's scale, or the last fit, or a guess from the scores."""
    draw = _draw_guess(pool, model)
    scale = published_scale(model.kind, model.draw_parameter(draw))
    if sibling is not None:
        other, state = sibling.model, sibling.state
        ratio = published_scale(other.kind, other.draw_parameter(state.draw)) / scale
        if 1 / _ALIKE < ratio < _ALIKE:
            return _Attempt(model, State(state.strengths * ratio, state.advantage * ratio, draw))
    if start is None:
        games = np.add(*pool.both_sides(pool.results.games))
        won, lost = pool.both_sides(pool.results.wins - pool.results.losses)
        score = (games + won - lost + 1) / (2 * games + 2)
        return _Attempt(model, State(np.log(score / (1 - score)), 0.0, draw))
    if start.model is model.kind and _has_free_draws(pool) and start.draw_parameter > 0:
        draw = model.draw_of(start.draw_parameter)
    ratio = start.scale / published_scale(model.kind, model.draw_parameter(draw))
    known = dict(zip(start.players, start.strengths, strict=True))
    strengths = np.array([known.get(player, 0.0) for player in table.players])
    return _Attempt(model, State(strengths * ratio, start.advantage * ratio, draw))


def _has_free_draws(pool: Pool) -> bool:
    """Return whether the draw parameter has an estimate: some games were drawn, and some were not."""
    return bool(0 < pool.results.draws.sum() < pool.results.games.sum())


def _draw_guess(pool: Pool, model: Model) -> float:
    drawn = float(pool.results.draws.sum())
    games = drawn + float(pool.results.wins.sum() + pool.results.losses.sum())
    # With draws alone the rate has no finite estimate: half a game is taken as decided.
    return model.first_guess(drawn / games if drawn < games else (games - 0.5) / games)


def _log_likelihood(pool: Pool, model: Model, state: State) -> float:
    return sum(
        model.log_likelihood(block.differences(state), state.draw, block.results)
        for block in pool.blocks
    )


def _climb(
    pool: Pool, attempt: _Attempt, prior: Prior, *, has_sides: bool, rival: _Attempt | None
) -> None:
    """Climb by `_stepwise`. Leaving the range of numbers is a RatingsError too."""
    try:
        with np.errstate(over="raise", invalid="raise", divide="raise"):
            _stepwise(pool, attempt, prior, has_sides=has_sides, rival=rival)
    except (ArithmeticError, np.linalg.LinAlgError) as error:
        raise RatingsError(f"no maximum: {error}") from error


def _stepwise(
    pool: Pool, attempt: _Attempt, prior: Prior, *, has_sides: bool, rival: _Attempt | None
) -> None:
    """Bring `attempt` to its maximum, or to a point at which it certainly does not exceed `rival`.

    A factorisation costs more than a step, so it is used again while the steps shrink fast. The
    gain of a step is known only with a fresh one.
    """
    model, state = attempt.model, attempt.state
    free = np.array([has_sides, _has_free_draws(pool)])
    factor: Matrix | None = None
    before, limit, last = math.inf, _LONGEST_STEP, np.zeros(pool.size)
    while state.steps < _MOST_STEPS:
        state.steps += 1
        totals = _totals(pool, model, state)
        _add_prior(totals, pool, model, state, prior)
        is_fresh = factor is None
        if factor is None:
            factor = factor_of(pool, totals.curvature, totals.columns[:, 1])
        step, gain = _step(factor, totals, state, prior, free)
        longest = max(
            float(np.abs(step.strengths).max()),
            abs(step.advantage),
            model.stride(state.draw, step.draw),
        )
        if rival is not None and is_fresh and longest < _COMPARABLE:
            attempt.log_likelihood = _log_likelihood(pool, model, state) + gain
            if attempt.log_likelihood + 4 * gain + 1 < rival.log_likelihood:
                return
        # Steps that turn back on themselves would go to and fro for ever.
        limit = limit / 2 if step.strengths @ last < 0 else min(_LONGEST_STEP, 1.5 * limit)
        shrink = min(1.0, limit / longest) if longest else 1.0
        state.strengths = np.clip(state.strengths + shrink * step.strengths, -_MOST, _MOST)
        state.advantage = min(_MOST, max(-_MOST, state.advantage + shrink * step.advantage))
        if free[1]:
            state.draw = model.clamped(state.draw, state.draw + shrink * step.draw)
        if longest < (_LAST_FRESH_STEP if is_fresh else _LAST_STEP):
            attempt.log_likelihood = _log_likelihood(pool, model, state)
            return
        if pool.size < DEAR_SIZE or longest > _NEAR or longest > _PROGRESS * before:
            factor = None
        before, last = longest, step.strengths
    raise RatingsError(f"no maximum after {_MOST_STEPS} steps")


def _totals(pool: Pool, model: Model, state: State) -> _Totals:
    """Return the derivatives at `state`, without the prior."""
    totals = _Totals(
        np.zeros((pool.size, 4), order="F"), np.empty(pool.slots.size), np.zeros(pool.size)
    )
    columns = totals.columns.T
    for block in pool.blocks:
        slopes = model.slopes(block.differences(state), state.draw, block.results)
        totals.curvature[block.rows] = slopes.curvature
        totals.gradient += float(slopes.gradient.sum())
        totals.mixed += float(slopes.mixed.sum())
        totals.by_draw += slopes.by_draw
        totals.draw_curvature += slopes.draw_curvature
        for of_pairs, plus, minus in (
            (slopes.gradient, None, 0),
            (slopes.curvature, 1, 2),
            (slopes.mixed, None, 3),
        ):
            first = np.bincount(block.first, of_pairs, pool.size)
            second = np.bincount(block.second, of_pairs, pool.size)
            columns[minus] += first - second
            if plus is not None:
                columns[plus] += first + second
    return totals


def _add_prior(totals: _Totals, pool: Pool, model: Model, state: State, prior: Prior) -> None:
    columns = totals.columns.T
    if prior.draws:
        virtual = model.slopes(state.strengths, state.draw, _draws(pool.size, prior.draws))
        columns[0] += virtual.gradient
        columns[1] += virtual.curvature
        totals.virtual = virtual.mixed
        return
    # Only differences are determined. Any spring on one player fixes the rest and moves no
    # difference.
    spring = float(columns[1].mean())
    columns[0, 0] -= spring * state.strengths[0]
    columns[1, 0] += spring


def _step(
    factor: Matrix, totals: _Totals, state: State, prior: Prior, free: NDArray[np.bool_]
) -> tuple[State, float]:
    """Return Newton's step and its expected addition to the log-likelihood.

    The strengths are solved by `factor`, the two other parameters by their Schur complement.
    """
    border = totals.columns[:, 2:]
    right_sides = totals.columns[:, [0, 2, 3]]
    right_sides[:, 2] += totals.virtual
    solved = solved_by(factor, right_sides)
    corner = np.array(
        [
            [totals.curvature.sum(), totals.mixed],
            [totals.mixed, totals.draw_curvature],
        ]
    )
    right = np.array([totals.gradient, totals.by_draw])
    if prior.side_sd_elo is not None:
        weight = (ELO_PER_UNIT / prior.side_sd_elo) ** 2
        corner[0, 0] += weight
        right[0] -= weight * state.advantage
    schur = corner - border.T @ solved[:, 1:]
    schur[~free, :] = 0.0
    schur[:, ~free] = 0.0
    schur[~free, ~free] = 1.0
    rest = np.linalg.solve(schur, np.where(free, right - border.T @ solved[:, 0], 0.0))
    strengths = solved[:, 0] - solved[:, 1:] @ rest
    gain = float(strengths @ totals.columns[:, 0] + rest @ np.where(free, right, 0.0)) / 2
    return State(strengths, float(rest[0]), float(rest[1])), gain


def _draws(size: int, weight: float) -> Results:
    none = np.zeros(size)
    return Results(none, np.full(size, weight), none)


def _covariance(pool: Pool, model: Model, state: State, prior: Prior) -> Matrix:
    """Return the inverse of the expected information, relative to the pool's mean.

    It is J inverse J with J = I - 11'/P.
    """
    information = np.empty(pool.slots.size)
    for block in pool.blocks:
        d = block.differences(state)
        information[block.rows] = model.information(d, state.draw, block.results.games)
    diagonal: Vector = np.add(*pool.both_sides(information))
    if prior.draws:
        weights = np.full(pool.size, prior.draws)
        diagonal += model.information(state.strengths, state.draw, weights)
    else:
        diagonal[0] += float(diagonal.mean())  # the spring of `_add_prior`
    full = inverse_of(factor_of(pool, information, diagonal))
    means = full.mean(axis=0)
    full -= (means - means.mean() / 2)[None, :]
    full -= (means - means.mean() / 2)[:, None]
    return full
