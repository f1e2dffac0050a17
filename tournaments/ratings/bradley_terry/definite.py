"""Positive definite matrices: solved by numpy if they are small, else by their Cholesky factor.

The factor needs scipy, which takes a quarter of a second and 35 MB to import. A pool of 200 players
is fitted in a tenth of that.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]

# In a smaller one a new factor costs less than another step of Newton's method with the old one.
DEAR_SIZE = 500


def factor_of(upper: Matrix) -> Matrix:
    """Return what `solved_by` and `inverse_of` take for the symmetric matrix with this upper triangle, zeros below.

    Raises LinAlgError if it is not positive definite. The argument is overwritten.
    """
    if len(upper) < DEAR_SIZE:
        whole: Matrix = upper + np.triu(upper, 1).T
        np.linalg.cholesky(whole)  # for its error
        return whole
    factor, info = _lapack().dpotrf(upper.T, lower=1, clean=0, overwrite_a=1)
    if info:
        raise np.linalg.LinAlgError(f"singular (dpotrf: {info})")
    return np.asarray(factor)


def solved_by(factor: Matrix, right: Matrix) -> Matrix:
    """Return the columns x of A x = `right`."""
    if len(factor) < DEAR_SIZE:
        return np.asarray(np.linalg.solve(factor, right), np.float64)
    solution, _ = _lapack().dpotrs(factor, right, lower=1)
    return np.asarray(solution)


def inverse_of(factor: Matrix) -> Matrix:
    """Return the inverse of A. The factor is overwritten."""
    if len(factor) < DEAR_SIZE:
        return np.asarray(np.linalg.inv(factor), np.float64)
    inverse, _ = _lapack().dpotri(factor, lower=1, overwrite_c=1)
    # Row by row: a transposed copy would be a second matrix.
    for n in range(len(inverse)):
        inverse[n, n + 1 :] = inverse[n + 1 :, n]
    return np.asarray(inverse)


def _lapack() -> Any:  # noqa: ANN401  # scipy has no types
    return import_module("scipy.linalg.lapack")
