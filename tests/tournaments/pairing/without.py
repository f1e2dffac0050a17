"""The engine with one criterion left out, to see that this criterion decides."""

from __future__ import annotations

from collections.abc import Sequence

from tournaments.pairing import PairingProblem
from tournaments.pairing.dutch.rules.bracket import Bracket, BracketPairing, top_bracket
from tournaments.pairing.dutch.rules.criteria import without
from tournaments.pairing.dutch.rules.field import field_of
from tournaments.pairing.dutch.search.completion import Completion, bye_candidates
from tournaments.pairing.dutch.search.exact import exact_pairs


class _Careless(Completion):
    """A completion that never looks below: C4 left out."""

    def takes_left(self, left: Sequence[int], bracket: Bracket) -> bool:
        return True


def boards_without(problem: PairingProblem, code: str) -> set[frozenset[int]]:
    """Boards as sets of TPNs, the bye as a set of one, paired without that criterion.

    By `exact` alone: the other two ways know C4 and C6 to C8 by counting, not by weights.
    """
    field = field_of(problem, without(code))
    bye = bye_candidates(field)
    completion = (_Careless if code == "C4" else Completion)(field, bye)
    bracket = top_bracket(field, bye)
    boards = set()
    while True:
        pairing = BracketPairing(bracket, exact_pairs(bracket, completion))
        boards |= {frozenset((one.tpn, two.tpn)) for one, two in pairing.games}
        if not bracket.below:
            return boards | {frozenset((field.players[p].tpn,)) for p in pairing.floaters}
        bracket = bracket.next(pairing.floaters)
