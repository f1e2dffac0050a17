"""The field before a round: all players to be paired in ranking order, and their legal opponents (C.04.3 1.2, 1.3, 2.1)."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from tournaments.pairing.dutch.rules.criteria import CRITERIA
from tournaments.pairing.dutch.rules.criterion import ByeCriterion, PairCriterion
from tournaments.pairing.dutch.rules.player import dutch_player
from tournaments.pairing.floats import pairing_scores

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tournaments.pairing.dutch.rules.criterion import Criterion
    from tournaments.pairing.dutch.rules.player import DutchPlayer
    from tournaments.pairing.problem import PairingProblem


class DutchField:
    """All players to be paired in ranking order, their legal opponents, and the score groups.

    Attributes:
        legal: for each place the places it may meet (C1, C3, forbidden pairs), as bits of an
            integer.
        groups: places of each score group, the highest first (1.3).
        criteria: those that count: the declared ones, except for those that a test leaves out.
    """

    __slots__ = ("criteria", "groups", "legal", "players", "problem")

    def __init__(
        self,
        problem: PairingProblem,
        players: Iterable[DutchPlayer],
        legal: Iterable[int],
        groups: tuple[range, ...],
        criteria: tuple[Criterion, ...] = CRITERIA,
    ) -> None:
        self.problem = problem
        self.players = tuple(players)
        self.legal = tuple(legal)
        self.groups = groups
        self.criteria = criteria

    def with_legal(self, legal: Iterable[int]) -> DutchField:
        """Return the field with these legal opponents."""
        return DutchField(self.problem, self.players, legal, self.groups, self.criteria)

    def may_meet(self, one: int, other: int) -> bool:
        """Return whether the two places may be paired."""
        return bool(self.legal[one] >> other & 1)

    def may_have_bye(self, place: int) -> bool:
        """Return whether this one may have the pairing-allocated bye (C2)."""
        contestant = self.players[place].contestant
        return all(c.allows(contestant) for c in self.criteria if isinstance(c, ByeCriterion))


def field_of(problem: PairingProblem, criteria: tuple[Criterion, ...] = CRITERIA) -> DutchField:
    """Return the field of `problem`."""
    everybody = {c.tpn: c for c in (*problem.contestants, *problem.absent)}
    scores = pairing_scores(everybody, problem.round_number)
    ranked = sorted(problem.contestants, key=lambda c: (-scores[c.tpn][-1], c.tpn))  # 1.2
    players = tuple(dutch_player(problem, place, c, scores) for place, c in enumerate(ranked))
    groups = tuple(
        range(members[0].place, members[-1].place + 1)
        for members in (list(group) for _, group in groupby(players, key=lambda p: p.score_halves))
    )
    return DutchField(problem, players, _legal(problem, players, criteria), groups, criteria)


def _legal(
    problem: PairingProblem, players: Sequence[DutchPlayer], criteria: Sequence[Criterion]
) -> tuple[int, ...]:
    """Return each player's legal opponents, as bits: others who are not forbidden or barred by C1 or C3."""
    everybody = (1 << len(players)) - 1
    barred = [1 << p.place for p in players]
    rules = [c.barred for c in criteria if isinstance(c, PairCriterion)]
    for masks in (_forbidden(problem, players), *(rule(players) for rule in rules)):
        barred = [a | b for a, b in zip(barred, masks, strict=True)]
    return tuple(everybody & ~b for b in barred)


def _forbidden(problem: PairingProblem, players: Sequence[DutchPlayer]) -> list[int]:
    places = {p.tpn: p.place for p in players}
    masks = [0] * len(players)
    for pair in problem.forbidden:
        here = [places[tpn] for tpn in pair if tpn in places]
        if len(here) == 2:
            masks[here[0]] |= 1 << here[1]
            masks[here[1]] |= 1 << here[0]
    return masks
