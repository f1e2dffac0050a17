"""The pair table as matrices: rows in blocks, sums for each player, the Cholesky factor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tournaments.ratings.bradley_terry import definite
from tournaments.ratings.bradley_terry.models import Results
from tournaments.ratings.errors import InputError, RatingsError, UnconnectedError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tournaments.ratings.bradley_terry.fit import Prior
    from tournaments.ratings.bradley_terry.table import PairTable

    Vector = NDArray[np.float64]
    Matrix = NDArray[np.float64]
    Indices = NDArray[np.int64]

# A square matrix of 5,000 is 200 MB.
MOST_PLAYERS = 5_000
_BLOCK = 16_384


@dataclass(slots=True)
class State:
    """State of a fit, or a step of it."""

    strengths: Vector
    advantage: float
    draw: float
    steps: int = 0


@dataclass(frozen=True, slots=True)
class Block:
    """Some consecutive rows of the table, few enough for the processor's cache."""

    rows: slice
    first: Indices
    second: Indices
    results: Results

    def differences(self, state: State) -> Vector:
        """Return for each row the first's strength minus the second's, plus the advantage."""
        d = state.strengths[self.first]
        d -= state.strengths[self.second]
        d += state.advantage
        return d


@dataclass(frozen=True, slots=True)
class Pool:
    """A pair table made ready: rows in blocks, and the place of each in the matrix.

    `slots` numbers the unordered pairs. `cells` are their places in the flat matrix, above the
    diagonal.
    """

    size: int
    results: Results
    blocks: tuple[Block, ...]
    slots: Indices
    cells: Indices

    def both_sides(self, of_pairs: Vector) -> tuple[Vector, Vector]:
        """Return the sums for each player as the first side and as the second side."""
        parts = ((block.first, block.second, of_pairs[block.rows]) for block in self.blocks)
        first, second = np.zeros(self.size), np.zeros(self.size)
        for ones, others, values in parts:
            first += np.bincount(ones, values, self.size)
            second += np.bincount(others, values, self.size)
        return first, second


def pool_of(table: PairTable) -> Pool:
    """Return the table made ready. Raises InputError if it makes no sense."""
    size = len(table.players)
    if not 2 <= size <= MOST_PLAYERS:
        raise InputError(f"{size} players: between 2 and {MOST_PLAYERS} are rated together")
    columns = (table.first, table.second, table.wins, table.draws, table.losses)
    first, second, *results = (np.asarray(column, dtype=np.int64) for column in columns)
    if not first.size:
        raise InputError("no games")
    if min(first.min(), second.min()) < 0 or max(first.max(), second.max()) >= size:
        raise InputError("a pair names a player who is not in the table")
    if (first == second).any() or min(int(column.min()) for column in results) < 0:
        raise InputError("a player against himself, or a negative number of games")
    cells = np.minimum(first, second) * size + np.maximum(first, second)
    is_pair = np.zeros(size * size, dtype=bool)
    is_pair[first * size + second] = True
    if np.count_nonzero(is_pair) != first.size:
        raise InputError("a pair comes twice")
    is_pair[:] = False
    is_pair[cells] = True
    unordered = np.flatnonzero(is_pair)
    number = np.empty(size * size, dtype=np.int32)
    number[unordered] = np.arange(unordered.size, dtype=np.int32)
    whole = Results(*(column.astype(np.float64) for column in results))
    blocks = tuple(
        Block(rows, first[rows], second[rows], whole.part(rows))
        for rows in (slice(n, n + _BLOCK) for n in range(0, first.size, _BLOCK))
    )
    return Pool(size, whole, blocks, number[cells].astype(np.int64), unordered)


def groups_of(pool: Pool, prior: Prior) -> Indices:
    """Return the number of each player's group.

    Without a prior there must be one, with a way both up and down to all players.
    """
    if not prior.draws:
        _check_ways_both_up_and_down(pool)
    one, other = np.divmod(pool.cells, pool.size)
    lowest = np.arange(pool.size)
    while True:
        # Both of a pair belong to the lower one's group, and all of that group to its own.
        lower = np.minimum(lowest[one], lowest[other])
        before = lowest.copy()
        np.minimum.at(lowest, before[one], lower)
        np.minimum.at(lowest, before[other], lower)
        lowest = lowest[lowest]
        if (lowest == before).all():
            return np.unique(lowest, return_inverse=True)[1]


def _check_ways_both_up_and_down(pool: Pool) -> None:
    from scipy.sparse import csgraph, csr_array  # which a fit with a prior does not need

    first = np.concatenate([block.first for block in pool.blocks])
    second = np.concatenate([block.second for block in pool.blocks])
    has_beaten, has_lost = (
        pool.results.losses < pool.results.games,
        pool.results.wins < pool.results.games,
    )
    winners = np.concatenate((first[has_beaten], second[has_lost]))
    losers = np.concatenate((second[has_beaten], first[has_lost]))
    edges = csr_array((np.ones(winners.size), (winners, losers)), shape=(pool.size, pool.size))
    count, _ = csgraph.connected_components(edges, connection="strong")
    if count > 1:
        raise UnconnectedError(f"{count} groups without results both ways: a maximum needs a prior")


def factor_of(pool: Pool, curvature: Vector, diagonal: Vector) -> Matrix:
    """Return the factor of the strengths' block (see `definite`)."""
    matrix = np.zeros((pool.size, pool.size))
    matrix.ravel()[pool.cells] = -np.bincount(pool.slots, curvature, pool.cells.size)
    matrix.ravel()[:: pool.size + 1] = diagonal
    try:
        return definite.factor_of(matrix)
    except np.linalg.LinAlgError as error:
        raise RatingsError(f"the information of {pool.size} players is {error}") from error
