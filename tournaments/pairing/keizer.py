"""The Keizer system of clubs: from the top of its table, each meets the nearest one below who is free to meet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.pairing.club_field import club_field
from tournaments.pairing.dutch.search.bits import PerfectMatching, bits, left_free, matching
from tournaments.pairing.dutch.search.completion import induced
from tournaments.pairing.problem import NoPairingError, RoundKind
from tournaments.pairing.solution import PairsAgain
from tournaments.pairing.solution_builder import SolutionBuilder, refuse_pool
from tournaments.standings.club_systems import keizer_ranking

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tournaments.pairing.problem import Contestant, FormatOptions, PairingProblem
    from tournaments.pairing.solution import Solution


class Keizer(PairsAgain):
    """The Keizer system. Its parameters are house rules."""

    name = "keizer"
    version = "keizer-1"

    def rounds(self, players: int, options: FormatOptions) -> None:
        """Return None: the organiser chooses the number of rounds."""

    def pair(self, problem: PairingProblem) -> Solution:
        """Pair the first of the table with the nearest below, then the next unpaired player.

        No player meets an opponent of the last rounds again. If that is impossible, the number of
        those rounds is reduced by the least possible. The bye goes to the lowest of those who had
        the fewest.

        Raises:
            NoPairingError: when forbidden pairs leave a player without an opponent.
        """
        refuse_pool(problem, self.name)
        places = _places(problem)
        ranked = sorted(problem.contestants, key=lambda c: places[c.tpn])
        for gap in reversed(range(problem.options.house_rules.rematch_gap + 1)):
            legal = _legal(problem, ranked, gap)
            if (bye := _bye(ranked, legal)) is not None:
                return _solution(problem, ranked, legal, bye, places)
        raise NoPairingError(
            f"round {problem.round_number}: {len(ranked)} contestants cannot all be paired without a forbidden pair"
        )


def _places(problem: PairingProblem) -> dict[int, int]:
    """Return the place of each player in the table of all, by TPN."""
    field = club_field(problem)
    return {field.ids[n]: place for place, n in enumerate(keizer_ranking(field), start=1)}


def _legal(problem: PairingProblem, ranked: Sequence[Contestant], gap: int) -> list[int]:
    """Return each player's legal opponents, as bits: no opponent of the last `gap` rounds, and no forbidden one."""
    barred = problem.forbidden | {
        frozenset((one.tpn, record.opponent))
        for one in ranked
        for record in one.records[max(0, len(one.records) - gap) :]
        if record.kind.is_meeting
    }
    return [
        sum(
            1 << place
            for place, other in enumerate(ranked)
            if other is not one and frozenset((one.tpn, other.tpn)) not in barred
        )
        for one in ranked
    ]


def _bye(ranked: Sequence[Contestant], legal: Sequence[int]) -> int | None:
    """Return the place of the bye, -1 in an even field, or None if the others cannot all be paired."""
    if len(ranked) % 2 == 0:
        return -1 if not ranked or min(matching(legal)) >= 0 else None
    places = list(bits(left_free(legal)))
    return min(places, key=lambda place: (_byes(ranked[place]), -place), default=None)


def _byes(contestant: Contestant) -> int:
    return sum(r.kind is RoundKind.PAIRING_BYE for r in contestant.records)


def _solution(
    problem: PairingProblem,
    ranked: Sequence[Contestant],
    legal: Sequence[int],
    bye: int,
    places: Mapping[int, int],
) -> Solution:
    playing = [place for place in range(len(ranked)) if place != bye]
    graph = induced(legal, playing)
    pairing = PerfectMatching(graph, matching(graph))
    builder = SolutionBuilder(problem)
    seated: set[int] = set()
    for number, place in enumerate(playing):
        if number in seated:
            continue
        partner = pairing.choose(number, -1)
        pairing.close(number, partner)
        seated.add(partner)
        one, other = ranked[place], ranked[playing[partner]]
        details = {"place": places[one.tpn], "next_place": places[other.tpn]}
        builder.meet_alternating(one, other, meeting="keizer", details=lambda *_, own=details: own)
    solution = builder.solution(others=RoundKind.FREE)
    return solution._replace(bye=ranked[bye].tpn if bye >= 0 else None, idle=())
