"""The values of a bracket, as they are stored with the round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.pairing.dutch.rules.values import criteria_values
from tournaments.pairing.solution import BracketEvidence

if TYPE_CHECKING:
    from tournaments.pairing.dutch.rules.bracket import BracketPairing


def bracket_evidence(pairing: BracketPairing) -> BracketEvidence:
    """Return the evidence of a bracket with these pairs.

    C8 is the result of the next bracket in its C6 and C7.
    """
    bracket, players = pairing.bracket, pairing.bracket.field.players
    return BracketEvidence(
        halves=bracket.resident_score,
        mdps=tuple(players[p].tpn for p in bracket.mdps),
        residents=tuple(players[p].tpn for p in bracket.residents),
        pairs=tuple((one.tpn, two.tpn) for one, two in pairing.games),
        floaters=tuple(players[p].tpn for p in pairing.floaters),
        criteria=criteria_values(pairing),
    )
