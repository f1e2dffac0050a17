"""Tuning of evaluations by self-play: one weight after the other, each change tested by SPRT."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.kernel.matches import Match, Way, outcomes_of, weight_words
from engine.stats.sprt import Sprt, SprtVerdict, log_likelihood_ratio

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.kernel.host import Kernel
    from engine.stats.outcomes import Outcomes

_FACTORS = (1.6, 0.6)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One change of one weight, and the result of its match.

    Attributes:
        weight: its place in the list of the game's `Weight`.
        value, before: of the weight.
        ratio: the log-likelihood ratio at the end.
    """

    weight: int
    value: int
    before: int
    outcomes: Outcomes
    ratio: float
    is_accepted: bool


def attempts(
    ruleset: str,
    kernel: Kernel,
    weights: Sequence[int],
    *,
    nodes: int,
    most_pairs: int,
    test: Sprt,
    seed: int = 1,
) -> Iterator[Attempt]:
    """Yield each attempt of one round over all weights: a change that is accepted stays for those after it.

    Args:
        ruleset: the key.
        kernel: plays the games.
        weights: those in play, in the order of the game's `Weight`.
        nodes: of each search.
        most_pairs: a match without a verdict is no ground for a change.
        test: the bounds.
        seed: of all games.
    """
    current = list(weights)
    for place, before in enumerate(weights):
        for factor in _FACTORS:
            changed = [*current]
            changed[place] = round(before * factor) if before else 1
            player, opponent = (_way(nodes, values) for values in (changed, current))
            match = Match(ruleset, player, opponent, seed + place)
            outcomes = outcomes_of(match, kernel, test=test, most_pairs=most_pairs)
            is_accepted = test.verdict(outcomes) is SprtVerdict.ACCEPTED
            ratio = log_likelihood_ratio(test, outcomes)
            yield Attempt(place, changed[place], before, outcomes, ratio, is_accepted)
            if is_accepted:
                current = changed
                break


def _way(nodes: int, weights: Sequence[int]) -> Way:
    return Way(nodes, tuple(weight_words(weights).items()))
