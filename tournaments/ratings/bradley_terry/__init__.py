"""Bradley-Terry for bots, fitted to pair counts.

The fit gives strengths with error bars, the first side's advantage and the share of draws.

The order of the games does not matter, so a corrected result is a changed count. numpy and scipy
are imported by the first fit, not by this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.ratings.bradley_terry.fit import (
    FORMULA,
    DrawModel,
    Fit,
    PlayerRating,
    Prediction,
    Prior,
)
from tournaments.ratings.bradley_terry.table import PairCount, PairTable, pair_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "FORMULA",
    "DrawModel",
    "Fit",
    "PairCount",
    "PairTable",
    "PlayerRating",
    "Prediction",
    "Prior",
    "fit_pairs",
    "pair_table",
    "superiority",
]


def fit_pairs(
    table: PairTable,
    *,
    prior: Prior | None = None,
    models: Sequence[DrawModel] = tuple(DrawModel),
    has_sides: bool = True,
    start: Fit | None = None,
) -> Fit:
    """Return the maximum a posteriori strengths of all players in `table`.

    Args:
        table: all games of a pool. See `pair_table`.
        prior: `Prior()` if None.
        models: the draw models to try. The likelier one is taken, the former if they are equal.
        has_sides: whether the first side may have an advantage. False holds it at 0.
        start: an earlier fit, to begin from its strengths. It saves time and has no effect on
            published figures.

    Raises:
        InputError: fewer than 2 or more than 5,000 players, no games, or counts that make no sense.
        UnconnectedError: no prior, and a group that won or lost everything against the rest, or
            never met it.
        RatingsError: no maximum was found.
    """
    # Hidden because numpy and scipy take a quarter of a second, which only those who fit should
    # pay.
    from tournaments.ratings.bradley_terry import newton

    if not models:
        raise ValueError("no draw model to try")
    return newton.fit(
        table,
        prior=Prior() if prior is None else prior,
        models=tuple(models),
        has_sides=has_sides,
        start=start,
    )


def superiority(fit: Fit) -> NDArray[np.float64]:
    """Return the matrix of LOS.

    Row i and column j have the probability that player i of `fit.players` is stronger than player
    j, one half on the diagonal.
    """
    # Hidden for this reason too.
    from tournaments.ratings.bradley_terry import newton

    return newton.superiority(fit)
