"""C8: how much the next bracket is hurt by those who move down to it (C.04.3 2.4.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.pairing.dutch.bracket import Bracket
from tournaments.pairing.dutch.evidence import criteria_values
from tournaments.pairing.dutch.exact import best_pairs
from tournaments.pairing.solution import CriterionValue

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.pairing.dutch.completion import Completion
    from tournaments.pairing.dutch.field import Field
    from tournaments.pairing.problem import PairingProblem

ARTICLE = "2.4.3"


def following(bracket: Bracket, floaters: Sequence[int]) -> Bracket:
    """The next bracket when these move down to it."""
    group = bracket.below[0]
    return Bracket(
        mdps=tuple(floaters),
        residents=group,
        below=bracket.below[1:],
        bye=bracket.bye,
        bye_falls_here=bool(bracket.bye) and max(bracket.bye) <= group[-1],
    )


def next_left(
    problem: PairingProblem,
    field: Field,
    bracket: Bracket,
    completion: Completion,
    floaters: Sequence[int],
) -> tuple[int, ...]:
    """Whom the next bracket leaves over at the least with these floaters, by place."""
    after = following(bracket, floaters)
    left = completion.least_left(after)
    if left is not None:
        return left
    pairs = best_pairs(problem, field, after, completion)
    paired = {place for pair in pairs for place in pair}
    return tuple(place for place in after.members if place not in paired)


def c8_value(field: Field, left: Sequence[int]) -> tuple[int, ...]:
    """C8 as numbers to be as small as possible: how many the next bracket leaves over, then their scores."""
    return (len(left), *sorted((field.entrants[p].halves for p in left), reverse=True))


def judged(
    problem: PairingProblem,
    field: Field,
    bracket: Bracket,
    completion: Completion,
    pairs: Sequence[tuple[int, int]],
) -> tuple[CriterionValue, ...]:
    """C6 to C21 of these pairs, C8 among them where there is a next bracket."""
    values = criteria_values(problem, field, bracket, pairs)
    if not bracket.below:
        return values
    paired = {place for pair in pairs for place in pair}
    floaters = [place for place in bracket.members if place not in paired]
    left = next_left(problem, field, bracket, completion, floaters)
    return with_c8(values, c8_value(field, left))


def with_c8(values: tuple[CriterionValue, ...], c8: tuple[int, ...]) -> tuple[CriterionValue, ...]:
    """The values with C8 in its place after C6 and C7."""
    return (*values[:2], CriterionValue("C8", ARTICLE, c8), *values[2:])
