"""Double elimination: two losses and out, by a winners' and a losers' bracket, a final and, if need be, a second one."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from tournaments.pairing.brackets import (
    Bracket,
    Fixture,
    Source,
    places_by_exit,
    resolve,
    winners_fixtures,
)
from tournaments.pairing.knockout import rounds_of_elimination, seat_ties
from tournaments.pairing.problem import RoundKind
from tournaments.pairing.solution_builder import SolutionBuilder, refuse_pool, starters

if TYPE_CHECKING:
    from tournaments.pairing.brackets import Draw
    from tournaments.pairing.problem import FormatOptions, PairingProblem
    from tournaments.pairing.solution import Solution


class DoubleKnockout:
    """A double elimination on TPNs. Ties are decided as in `Knockout`."""

    name = "double-knockout"
    version = "double-knockout-1"

    def rounds(self, players: int, options: FormatOptions) -> int:
        """Twice those of a knock-out and one, which falls away when the winners' champion wins the first final.

        Raises BadProblemError for fewer than two players.
        """
        return 2 * rounds_of_elimination(players) + 1

    def pair(self, problem: PairingProblem) -> Solution:
        """Return the round's ties, the winners' bracket before the losers'.

        Raises:
            EventDecidedError: when there is a champion.
            NoPairingError: when the draw lets two meet who must not.
        """
        refuse_pool(problem, self.name)
        builder = SolutionBuilder(problem)
        seat_ties(builder, problem, draw(problem), losses=2)
        return builder.solution(others=RoundKind.OUT)


def draw(problem: PairingProblem) -> Draw:
    """Return the whole draw of a double elimination after the records of `problem`, with the ties still to come."""
    seeds = starters(problem)
    return resolve(fixtures(rounds_of_elimination(len(seeds))), seeds, problem)


def places(problem: PairingProblem) -> list[list[int]]:
    """TPNs that share a place, best first: the champion (or all still in it), the finalist, then by the losers' round."""
    return places_by_exit(draw(problem), losses=2)


def fixtures(count: int) -> list[Fixture]:
    """Return the ties of a draw whose winners' bracket has `count` rounds.

    Round r > 1 of the winners' bracket is played in round 2r - 2 of the event, together with the
    losers' round whose players are known then. Therefore no player waits longer than a round.
    """
    numbers = [max(1, 2 * r - 2) for r in range(1, count + 1)]
    ties = winners_fixtures(1 << count, numbers)
    starts = _round_starts(count)
    champion = Source(tie=len(ties) - 1)
    survivors = [Source(tie=index, takes_loser=True) for index in range(1 << (count - 1))]
    for r in range(2, count + 1):
        survivors = _minor_round(ties, survivors, number=2 * r - 2)
        dropped = [
            Source(tie=starts[r - 1] + (place ^ crossing(r, count)), takes_loser=True)
            for place in range(len(survivors))
        ]
        survivors = _major_round(ties, dropped, survivors, number=2 * r - 1)
    ties.append(Fixture(Bracket.FINAL, 2 * count, 1, champion, survivors[0]))
    final = len(ties) - 1
    ties.append(
        Fixture(
            Bracket.RESET,
            2 * count + 1,
            1,
            Source(tie=final, takes_loser=True),
            Source(tie=final),
        )
    )
    return ties


def crossing(r: int, count: int) -> int:
    """Return the mask that gives the new place of a loser.

    The new place is the exclusive or of the mask with the place of the tie in winners' round `r`.
    The losers of one part of the draw are sent to another, each round's as far away as possible
    from the rounds before. The masks are r - 1 with its bits reversed (the sequence of van der
    Corput), cut to the number of bits of the round.
    """
    width = count - r
    return sum(1 << (width - 1 - bit) for bit in range(width) if (r - 1) >> bit & 1)


def _round_starts(count: int) -> list[int]:
    """Index of the first tie of each round of the winners' bracket."""
    starts = [0]
    for r in range(1, count):
        starts.append(starts[-1] + (1 << (count - r)))
    return starts


def _minor_round(ties: list[Fixture], survivors: list[Source], *, number: int) -> list[Source]:
    """Pair neighbours of the losers' bracket, and return the sources of the next round."""
    pairs = list(pairwise(survivors))[::2]
    return _major_round(ties, [a for a, _ in pairs], [b for _, b in pairs], number=number)


def _major_round(
    ties: list[Fixture], uppers: list[Source], lowers: list[Source], *, number: int
) -> list[Source]:
    """Pair the losers of the winners' bracket with the survivors, and return the sources of the next round."""
    begin = len(ties)
    ties += [
        Fixture(Bracket.LOSERS, number, place, upper, lower)
        for place, (upper, lower) in enumerate(zip(uppers, lowers, strict=True), start=1)
    ]
    return [Source(tie=index) for index in range(begin, len(ties))]
