"""Bracket after bracket from the top score group down (C.04.3 1.9), each paired in the quickest way that is sure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tournaments.pairing.dutch.rules.bracket import BracketPairing, top_bracket
from tournaments.pairing.dutch.search.completion import Completion, bye_candidates
from tournaments.pairing.dutch.search.quick import pairs_without, quick_pairs
from tournaments.pairing.dutch.search.small import SmallBrackets, has_few_pairings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tournaments.pairing.dutch.rules.bracket import Bracket, Pairs
    from tournaments.pairing.dutch.rules.field import DutchField


class Step(NamedTuple):
    """A bracket with its pairs, and the groups below it that could be completed."""

    pairing: BracketPairing
    completion: Completion

    @property
    def bracket(self) -> Bracket:
        """Return the bracket that was paired."""
        return self.pairing.bracket

    @property
    def field(self) -> DutchField:
        """Return the field of the round."""
        return self.pairing.bracket.field


def brackets(field: DutchField) -> Iterator[Step]:
    """Yield every bracket from the top, paired. Raises NoPairingError."""
    bye = bye_candidates(field)
    if not field.groups:
        return
    completion = Completion(field, bye)
    bracket = top_bracket(field, bye)
    small = SmallBrackets(completion)
    while True:
        pairing = BracketPairing(bracket, _pairs(bracket, completion, small))
        yield Step(pairing, completion)
        if not bracket.below:
            return
        bracket = bracket.next(pairing.floaters)


def _pairs(bracket: Bracket, completion: Completion, small: SmallBrackets) -> Pairs:
    """Return the best pairs.

    `exact_pairs` is the definition. The other ways find its pairs sooner, or return None.
    """
    is_small = has_few_pairings(bracket)
    pairs = small.pairs(bracket) if is_small else None
    if pairs is None:
        pairs = quick_pairs(bracket, completion)
    if pairs is None and not is_small:
        pairs = small.pairs(bracket)
    if pairs is None and (floaters := small.only_floaters(bracket)):
        pairs = pairs_without(bracket, floaters)
    if pairs is not None:
        return pairs
    # Most rounds do not need it, and its modules take as long to load as a round of 100 to pair.
    from tournaments.pairing.dutch.search.exact import exact_pairs

    return exact_pairs(bracket, completion)
