"""The field before a round: everybody to be paired, ranked, with what the rules ask about each (C.04.3 1)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import groupby
from typing import TYPE_CHECKING

from tournaments.pairing.colours import Preference, Strength, preference
from tournaments.pairing.problem import RoundKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tournaments.pairing.problem import Contestant, PairingProblem


class Float(Enum):
    """Whether a contestant floated in a round (C.04.3 1.4)."""

    NONE = "none"
    DOWN = "down"
    UP = "up"


@dataclass(frozen=True, slots=True)
class Entrant:
    """A contestant as the Dutch system sees it.

    Attributes:
        place: in the ranking of those who are paired, from 0 (1.2).
        halves: the pairing score: points with virtual points, in half points.
        floats: of the last round and of the one before it.
        unplayed: past rounds without a game (C9).
        is_topscorer: more than half of the points possible, before the last round (1.8).
    """

    place: int
    contestant: Contestant
    halves: int
    preference: Preference
    floats: tuple[Float, Float]
    may_have_bye: bool
    unplayed: int
    is_topscorer: bool

    @property
    def tpn(self) -> int:
        """The tournament pairing number."""
        return self.contestant.tpn

    @property
    def colours(self) -> tuple[RoundKind, ...]:
        """Sides of the games played, oldest first."""
        return self.contestant.colours


@dataclass(frozen=True, slots=True)
class Field:
    """Everybody to be paired in ranking order, who may meet whom, and the score groups.

    Attributes:
        legal: for each place the places it may meet (C1, C3, forbidden pairs), as bits of an integer.
        groups: places of each score group, the highest first (1.3).
    """

    entrants: tuple[Entrant, ...]
    legal: tuple[int, ...]
    groups: tuple[range, ...]

    def may_meet(self, one: int, other: int) -> bool:
        """Whether the two places may be paired."""
        return bool(self.legal[one] >> other & 1)


def field_of(problem: PairingProblem) -> Field:
    """The field of `problem`."""
    everybody = {c.tpn: c for c in (*problem.contestants, *problem.absent)}
    scores = _scores(everybody, problem.round_number)
    ranked = sorted(problem.contestants, key=lambda c: (-scores[c.tpn][-1], c.tpn))  # 1.2
    entrants = tuple(_entrant(problem, place, c, scores) for place, c in enumerate(ranked))
    groups = tuple(
        range(members[0].place, members[-1].place + 1)
        for members in (list(group) for _, group in groupby(entrants, key=lambda e: e.halves))
    )
    return Field(entrants, _legal(problem, entrants), groups)


def _scores(everybody: Mapping[int, Contestant], rounds: int) -> dict[int, tuple[int, ...]]:
    """Pairing scores by TPN before each of the rounds up to the one to pair."""
    found = {}
    for tpn, contestant in everybody.items():
        virtual = contestant.virtual_halves
        total, scores = 0, []
        for r in range(rounds):
            scores.append(total + (virtual[r] if r < len(virtual) else 0))
            total += contestant.records[r].score_halves if r < rounds - 1 else 0
        found[tpn] = tuple(scores)
    return found


def _entrant(
    problem: PairingProblem,
    place: int,
    contestant: Contestant,
    scores: Mapping[int, tuple[int, ...]],
) -> Entrant:
    past = problem.round_number - 1
    # 1.8: only when the last round is paired.
    is_last = problem.round_number >= problem.rounds_total
    is_topscorer = is_last and 2 * contestant.score_halves > past * problem.points.win
    return Entrant(
        place=place,
        contestant=contestant,
        halves=scores[contestant.tpn][-1],
        preference=preference(contestant),
        floats=(
            _float(problem, contestant, past, scores),
            _float(problem, contestant, past - 1, scores),
        ),
        may_have_bye=contestant.may_have_bye,
        unplayed=sum(not r.kind.is_played for r in contestant.records),
        is_topscorer=is_topscorer,
    )


def _float(
    problem: PairingProblem,
    contestant: Contestant,
    number: int,
    scores: Mapping[int, tuple[int, ...]],
) -> Float:
    """The float of that past round (1.4.2-1.4.4)."""
    if number < 1:
        return Float.NONE
    record = contestant.records[number - 1]
    if not record.kind.is_played:
        is_down = record.kind is RoundKind.PAIRING_BYE or record.score_halves > problem.points.loss
        return Float.DOWN if is_down else Float.NONE
    if record.opponent is None or record.opponent not in scores:
        return Float.NONE  # the opponent is not in the problem, so nobody knows its score
    mine, theirs = scores[contestant.tpn][number - 1], scores[record.opponent][number - 1]
    if mine == theirs:
        return Float.NONE
    return Float.DOWN if mine > theirs else Float.UP


def _legal(problem: PairingProblem, entrants: tuple[Entrant, ...]) -> tuple[int, ...]:
    everybody = (1 << len(entrants)) - 1
    places = {e.tpn: e.place for e in entrants}
    barred = [1 << e.place for e in entrants]
    for entrant in entrants:
        for tpn in entrant.contestant.met:  # C1
            if tpn in places:  # one of two records is enough
                barred[entrant.place] |= 1 << places[tpn]
                barred[places[tpn]] |= 1 << entrant.place
    for pair in problem.forbidden:
        here = [places[tpn] for tpn in pair if tpn in places]
        if len(here) == 2:
            barred[here[0]] |= 1 << here[1]
            barred[here[1]] |= 1 << here[0]
    for side in (RoundKind.FIRST, RoundKind.SECOND):  # C3
        same = [e for e in entrants if _is_bound_to(e, side)]
        mask = sum(1 << e.place for e in same)
        for entrant in same:
            barred[entrant.place] |= mask
    return tuple(everybody & ~b for b in barred)


def _is_bound_to(entrant: Entrant, side: RoundKind) -> bool:
    """Whether C3 keeps the entrant from others who are bound to the same side: topscorers are free."""
    due = entrant.preference
    return due.strength is Strength.ABSOLUTE and due.side is side and not entrant.is_topscorer
