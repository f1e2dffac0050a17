"""Tune numbers of a program by games: simultaneous perturbation stochastic approximation (SPSA).

In iteration k all numbers are moved together, each up or down by its c_k at random. A pair of games
is played with the raised values, where each number has moved by its sign, and one with the lowered
values, where each has moved the other way. Both meet the same opponent from the same start. The
difference of their scores moves every number.

Spall, "Multivariate stochastic approximation using a simultaneous perturbation gradient
approximation" (1992), and "Implementation of the simultaneous perturbation algorithm for stochastic
optimization" (1998), whose exponents these are. The gains are given by their values in the last
iteration, as in fishtest:

    c_k = c_end (N / k)^gamma
    R_k = r_end (c_end / c_k)^2 ((A + N) / (A + k))^alpha,  A = N / 10
    theta += sign R_k c_k (raised half points - lowered half points)

Fishtest plays the raised values against the lowered ones, and takes the wins less the losses of a
pair. Against an opponent of equal strength the difference here has the same mean and twice the
variance.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

ALPHA, GAMMA = 0.602, 0.101
# A as a share of the iterations.
_STABILITY = 0.1
# Half of one: then the raised and the lowered value of a whole number are different.
LEAST_WHOLE_C = 0.5
# For some thousand pairs. Fishtest's usual 0.002 is for ten times as many.
USUAL_R_END = 0.02
_USUAL_C_SHARE = 0.05
MOST = 1e9


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number to tune.

    Attributes:
        name: of the program's option.
        start: its value before the first iteration.
        low: its least value.
        high: its largest value.
        is_whole: it is rounded when a program gets it. The estimate is not.
        c_end: the perturbation in the last iteration.
        r_end: the gain in the last iteration.
    """

    name: str
    start: float
    low: float
    high: float
    is_whole: bool
    c_end: float
    r_end: float = USUAL_R_END

    def __post_init__(self) -> None:
        """Raise ValueError for numbers that cannot be tuned so."""
        numbers = (self.start, self.low, self.high, self.c_end, self.r_end)
        if not all(abs(number) <= MOST for number in numbers) or not self.low < self.high:
            raise ValueError(f"{self.name}: {self.low} is not below {self.high}")
        if not self.low <= self.start <= self.high:
            raise ValueError(f"{self.name}: {self.start} is not from {self.low} to {self.high}")
        if not 0 < self.c_end <= self.high - self.low or not 0 < self.r_end <= 1:
            raise ValueError(f"{self.name}: c_end {self.c_end}, r_end {self.r_end}")
        if self.is_whole and self.c_end < LEAST_WHOLE_C:
            raise ValueError(f"{self.name}: c_end {self.c_end} of a whole number")
        if self.is_whole and not all(map(float.is_integer, map(float, (self.low, self.high)))):
            raise ValueError(f"{self.name}: bounds {self.low} and {self.high} of a whole number")

    def bounded(self, value: float) -> float:
        """Return `value`, or the bound that it is beyond."""
        return min(max(value, self.low), self.high)

    def text(self, value: float) -> str:
        """Return `value` as a program gets it: the nearest whole number, or all digits of a real one."""
        return str(math.floor(value + 0.5)) if self.is_whole else repr(float(value))


def usual_c_end(low: float, high: float, *, is_whole: bool) -> float:
    """Return a twentieth of the range, of a whole number at least a half."""
    share = _USUAL_C_SHARE * (high - low)
    return max(share, LEAST_WHOLE_C) if is_whole else share


@dataclass(frozen=True, slots=True)
class Spsa:
    """A tuning: everything that decides its course but the results of the games.

    Iterations count from 1.
    """

    parameters: Sequence[Parameter]
    iterations: int
    seed: int

    @property
    def start(self) -> tuple[float, ...]:
        """Return the estimate before the first result."""
        return tuple(parameter.start for parameter in self.parameters)

    def signs(self, iteration: int) -> tuple[int, ...]:
        """Return for each parameter 1 or -1: the bits of the SHA-256 of `SEED:ITERATION`, lowest first."""
        digest = hashlib.sha256(f"{self.seed}:{iteration}".encode("ascii")).digest()
        bits = int.from_bytes(digest)
        return tuple(1 if bits >> place & 1 else -1 for place in range(len(self.parameters)))

    def values(
        self, estimate: Sequence[float], iteration: int, *, is_raised: bool
    ) -> tuple[float, ...]:
        """Return the raised or the lowered values around `estimate`, within their bounds."""
        scale = self._widening(iteration) if is_raised else -self._widening(iteration)
        return tuple(
            parameter.bounded(value + sign * scale * parameter.c_end)
            for parameter, value, sign in zip(
                self.parameters, estimate, self.signs(iteration), strict=True
            )
        )

    def texts(
        self, estimate: Sequence[float], iteration: int, *, is_raised: bool
    ) -> dict[str, str]:
        """Return the values of an iteration as a program gets them, by the names of the parameters."""
        values = self.values(estimate, iteration, is_raised=is_raised)
        pairs = zip(self.parameters, values, strict=True)
        return {parameter.name: parameter.text(value) for parameter, value in pairs}

    def step(
        self, estimate: Sequence[float], iteration: int, difference_halves: int
    ) -> tuple[float, ...]:
        """Return the estimate after an iteration: the raised half points less the lowered ones."""
        stability = _STABILITY * self.iterations
        decay = math.pow((stability + self.iterations) / (stability + iteration), ALPHA)
        # R_k c_k is this scale times r_end c_end.
        scale = difference_halves * decay / self._widening(iteration)
        return tuple(
            parameter.bounded(value + sign * scale * parameter.r_end * parameter.c_end)
            for parameter, value, sign in zip(
                self.parameters, estimate, self.signs(iteration), strict=True
            )
        )

    def _widening(self, iteration: int) -> float:
        """Return c_k / c_end."""
        return math.pow(self.iterations / iteration, GAMMA)
