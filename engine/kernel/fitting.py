"""The weights of an evaluation from games of the search with itself, by logistic regression.

The evaluation is taken for thousandths of the logarithm of the odds. Weights are fitted to three
quarters of the games and judged by the last, since positions of one game have its result in common.
Nothing in the source changes: a match says whether weights that predict results better play better.
"""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import expit

from engine.errors import EngineError
from engine.kernel.matches import Way, lay_start, weight_words
from games.core import Outcome
from games.registry import load

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from engine.kernel.host import Kernel

    Vector = NDArray[np.float64]
    Matrix = NDArray[np.float64]
    # The evaluations of these positions by any weights, 0 to MOST_WEIGHT each.
    Evaluate = Callable[[Sequence[int]], "Evaluations"]

# The largest that a word such as w0 takes.
MOST_WEIGHT = 10_000
FEWEST_GAMES = 8
_UNIT = 1000
_RANDOM_SHARE = 0.05
_JUDGED_SHARE = 4
_MOST_STEPS = 50
# Shares of a step that is too long.
_SHARES = tuple(0.5**halvings for halvings in range(7))
# Far below the effect of one position on a weight. A weight without any effect is not changed.
_DAMPING = 1e-6


class TooFewGamesError(EngineError):
    """Games too few to leave any to judge by."""

    code = "kernel-too-few-games"


@dataclass(frozen=True, slots=True)
class SelfPlayGame:
    """A game of the search with itself.

    Attributes:
        positions: the texts of those in which a side was to move.
        scores: the final score of the side to move there: 1, 0.5 or 0.
    """

    positions: tuple[str, ...]
    scores: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Evaluations:
    """Evaluations of positions by one set of weights.

    Attributes:
        values: in thousandths of the logarithm of the odds, for the side to move.
        terms: their derivatives, a row for each position and a column for each weight.
    """

    values: Vector
    terms: Matrix


@dataclass(frozen=True, slots=True)
class _Place:
    """The place of a descent."""

    weights: tuple[int, ...]
    evaluations: Evaluations
    loss: float


@dataclass(frozen=True, slots=True)
class Prediction:
    """The quality of the predictions of weights for games that they were not fitted to.

    Attributes:
        name: of the weights.
        weights: in the order of the game's `Weight`.
        log_loss: the mean logarithmic loss. No knowledge, as of a draw in every position, has log
            2.
        brier: the mean squared error of the chance.
    """

    name: str
    weights: tuple[int, ...]
    log_loss: float
    brier: float


@dataclass(frozen=True, slots=True)
class Fit:
    """Weights in play and others for their evaluation.

    Attributes:
        predictions: of the weights in play, of these times the one factor that suits the results
            best, and of the weights that suit them best individually.
        gain: by how much the loss of the last is lower than that of the first.
        gain_error: its standard error, by games.
        games, judged_games: all, and those among them that judge.
        positions, judged_positions: of those.
    """

    predictions: tuple[Prediction, ...]
    gain: float
    gain_error: float
    games: int
    judged_games: int
    positions: int
    judged_positions: int


def self_play(
    ruleset: str, kernel: Kernel, *, games: int, nodes: int, seed: int = 1
) -> Iterator[SelfPlayGame]:
    """Yield games of the search with itself, a twentieth of the moves at random.

    Args:
        ruleset: the key.
        kernel: plays. A new kernel repeats the games.
        games: the number of games.
        nodes: of each search.
        seed: of the starts, of the searches and of the random moves.
    """
    rng = random.Random(seed)
    way = Way(nodes, ())
    for number in range(games):
        lay_start(ruleset, kernel, seed * 1_000_003 + number)
        yield _game(kernel, way, rng)


def _game(kernel: Kernel, way: Way, rng: random.Random) -> SelfPlayGame:
    positions, sides = [], []
    while (outcome := kernel.outcome()) is None:
        positions.append(kernel.text())
        sides.append(kernel.side_to_move)
        if rng.random() < _RANDOM_SHARE:
            kernel.play(rng.choice(kernel.legal_moves()))
        else:
            kernel.play(way.move(kernel, rng.randrange(10**9)))
    if outcome is Outcome.DRAW:
        return SelfPlayGame(tuple(positions), (0.5,) * len(positions))
    scores = tuple(float(outcome is Outcome.won_by(side)) for side in sides)
    return SelfPlayGame(tuple(positions), scores)


def fit(ruleset: str, kernel: Kernel, games: Iterable[SelfPlayGame]) -> Fit:
    """Return the weights that suit three of four games best, with their predictions of the others.

    Raises TooFewGamesError below FEWEST_GAMES.
    """
    games = tuple(games)
    if len(games) < FEWEST_GAMES:
        raise TooFewGamesError(f"{len(games)} games; {FEWEST_GAMES} are the fewest")
    judges = games[::_JUDGED_SHARE]
    others = [game for number, game in enumerate(games) if number % _JUDGED_SHARE]
    evaluate, scores = evaluations_by(ruleset, kernel, others), _scores(others)
    in_play = kernel.load_text(load(ruleset).key, games[0].positions[0]).valuation().weights
    choices = {
        "in play": in_play,
        "in play, to scale": best_scale(evaluate, scores, in_play),
        "fit": best_weights(evaluate, scores, in_play),
    }
    judge, judged_scores = evaluations_by(ruleset, kernel, judges), _scores(judges)
    values = {name: judge(weights).values for name, weights in choices.items()}
    gains = losses(values["in play"], judged_scores) - losses(values["fit"], judged_scores)
    return Fit(
        predictions=tuple(
            Prediction(
                name,
                weights,
                log_loss=float(losses(values[name], judged_scores).mean()),
                brier=float(((expit(values[name] / _UNIT) - judged_scores) ** 2).mean()),
            )
            for name, weights in choices.items()
        ),
        gain=float(gains.mean()),
        gain_error=_error_by_games(gains, [len(game.positions) for game in judges]),
        games=len(games),
        judged_games=len(judges),
        positions=scores.size + judged_scores.size,
        judged_positions=judged_scores.size,
    )


def evaluations_by(ruleset: str, kernel: Kernel, games: Iterable[SelfPlayGame]) -> Evaluate:
    """Return the evaluations of all positions of the games, as the kernel's search would have them."""
    key = load(ruleset).key
    positions = [position for game in games for position in game.positions]

    def evaluate(weights: Sequence[int]) -> Evaluations:
        words = weight_words(weights)
        valuations = [kernel.load_text(key, text).valuation(**words) for text in positions]
        return Evaluations(
            np.array([valuation.value for valuation in valuations], float),
            np.array([valuation.terms for valuation in valuations], float),
        )

    return evaluate


def best_weights(
    evaluate: Evaluate, scores: Vector, start: Sequence[int], *, most: int = MOST_WEIGHT
) -> tuple[int, ...]:
    """Return the weights, 0 to `most`, from which no step lowers the loss.

    Newton's method. If a bound cuts part of an evaluation, such as at 0, the position counts for
    that part's weights only while they do not reach the bound. Therefore the terms are computed
    again after each step. There may be several minima then. The result is the minimum that is
    reached from `start`.

    Args:
        evaluate: gives the positions' evaluations.
        scores: of the side to move, 0 to 1, for each position.
        start: the weights to begin with.
        most: the largest weight.
    """

    def at(weights: Vector) -> _Place:
        whole = tuple(int(weight) for weight in np.clip(np.rint(weights), 0, most))
        evaluations = evaluate(whole)
        return _Place(whole, evaluations, float(losses(evaluations.values, scores).mean()))

    here = at(np.array(start, float))
    for _ in range(_MOST_STEPS):
        step = _newton_step(here, scores, most)
        tries = (at(here.weights + share * step) for share in _SHARES)
        better = next((there for there in tries if there.loss < here.loss), None)
        if better is None:
            break
        here = better
    return here.weights


def best_scale(evaluate: Evaluate, scores: Vector, weights: Sequence[int]) -> tuple[int, ...]:
    """Return the weights times the one factor that suits the results best, each at most MOST_WEIGHT."""
    values = evaluate(weights).values

    def scaled(thousandths: Sequence[int]) -> Evaluations:
        return Evaluations(values * thousandths[0] / 1000, values[:, None] / 1000)

    most = MOST_WEIGHT * 1000 // max(weights)
    (factor,) = best_weights(scaled, scores, [1000], most=most)
    return tuple(round(weight * factor / 1000) for weight in weights)


def losses(values: Vector, scores: Vector) -> Vector:
    """Return the logarithmic loss of each evaluation: the chance's cross entropy with the score."""
    log_odds = values / _UNIT
    result: Vector = np.logaddexp(0, log_odds) - scores * log_odds
    return result


def _newton_step(here: _Place, scores: Vector, most: int) -> Vector:
    """Return the step to the minimum of the loss, were it quadratic.

    A weight that would leave its range is not changed.
    """
    chances = expit(here.evaluations.values / _UNIT)
    slope = here.evaluations.terms.T @ (chances - scores)
    weights = np.array(here.weights)
    free = ~(((weights == 0) & (slope > 0)) | ((weights == most) & (slope < 0)))
    terms = here.evaluations.terms[:, free]
    curvature = (terms * (chances * (1 - chances))[:, None]).T @ terms
    step = np.zeros(slope.size)
    step[free] = -np.linalg.solve(curvature + _DAMPING * np.eye(terms.shape[1]), slope[free])
    return step * _UNIT


def _scores(games: Iterable[SelfPlayGame]) -> Vector:
    return np.array([score for game in games for score in game.scores])


def _error_by_games(gains: Vector, sizes: Sequence[int]) -> float:
    """Return the standard error of a mean over positions, where those of one game go together."""
    ends = list(itertools.accumulate(sizes, initial=0))
    sums = np.add.reduceat(gains - gains.mean(), ends[:-1])
    return float(np.sqrt((sums**2).sum()) / gains.size)
