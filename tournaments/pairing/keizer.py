"""The Keizer system of clubs: from the top of its table, each meets the nearest one below who is free to meet."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tournaments.pairing.club_field import club_field
from tournaments.pairing.dutch.search.bits import PerfectMatching, bits, left_free, matching
from tournaments.pairing.dutch.search.completion import induced
from tournaments.pairing.problem import BadProblemError, NoPairingError, RoundKind
from tournaments.pairing.refusals import Reason, last_meeting, refused_outright
from tournaments.pairing.solution import PairsAgain
from tournaments.pairing.solution_builder import SolutionBuilder, refuse_pool
from tournaments.standings.club_systems import keizer_ranking

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.pairing.problem import Contestant, FormatOptions, PairingProblem
    from tournaments.pairing.refusals import Refusal
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
        table = _Table(problem)
        builder = SolutionBuilder(problem)
        for one, other in table.pairs(table.legal, table.bye):
            details = {"place": table.places[one.tpn], "next_place": table.places[other.tpn]}
            builder.meet_alternating(
                one, other, meeting="keizer", details=lambda *_, own=details: own
            )
        solution = builder.solution(others=RoundKind.FREE)
        bye = table.ranked[table.bye].tpn if table.bye >= 0 else None
        return solution._replace(bye=bye, idle=())

    def why_not(
        self, problem: PairingProblem, solution: Solution, tpn: int, opponent: int | None
    ) -> Refusal:
        """Return the reason for which two did not meet, or one did not have the bye.

        With MET `gap` is the number of rounds before two may meet again. With CRITERION and ORDER
        `byes` are those that the player with the bye has had, then the place in the table. `place`
        is the first place whose opponent would be another, then the place of the opponent. Raises
        BadProblemError for a question without sense.
        """
        refusal = refused_outright(problem, solution, tpn, opponent)
        if refusal.reason is not Reason.ORDER:
            return refusal
        table = _Table(problem)
        if table.seats != {frozenset(board) for board in solution.boards}:
            raise BadProblemError(f"{self.version} pairs the round otherwise")
        one = table.place_of(tpn)
        other = None if opponent is None else table.place_of(opponent)
        if other is not None and not table.legal[one] >> other & 1:
            met = last_meeting(table.ranked[one], table.ranked[other].tpn)
            return replace(
                refusal, reason=Reason.MET, criterion="gap", value=(table.gap,), round_number=met
            )
        legal = _together(table.legal, one, other)
        bye = table.bye_of(legal) if other is not None else table.bye_if(one)
        if bye is None:
            return replace(refusal, reason=Reason.COMPLETION, criterion="gap", value=(table.gap,))
        if bye != table.bye:
            values = table.bye_facts(table.bye), table.bye_facts(bye)
            reason = Reason.ORDER if values[0][0] == values[1][0] else Reason.CRITERION
            return replace(
                refusal, reason=reason, criterion="byes", value=values[0], other=values[1]
            )
        ways = (table.pairs(each, bye) for each in (table.legal, legal))
        for now, then in zip(*ways, strict=True):
            if now != then:
                value, otherwise = (
                    tuple(table.places[c.tpn] for c in pair) for pair in (now, then)
                )
                return replace(refusal, criterion="place", value=value, other=otherwise)
        raise BadProblemError("the pairing is as the question asks")


class _Table:
    """The players of a round in the order of the table, with their legal opponents.

    Attributes:
        places: in the table of all, by TPN.
        ranked: the contestants, the first of the table first. Other numbers of players are indexes here.
        gap: the number of rounds before two may meet again. It is smaller than the organiser's if not all could
            be paired with that one.
        legal: each player's legal opponents, as bits.
        bye: the player with the bye, or -1.
    """

    def __init__(self, problem: PairingProblem) -> None:
        self.places = _places(problem)
        self.ranked = sorted(problem.contestants, key=lambda c: self.places[c.tpn])
        for gap in reversed(range(problem.options.house_rules.rematch_gap + 1)):
            self.gap, self.legal = gap, _legal(problem, self.ranked, gap)
            bye = self.bye_of(self.legal)
            if bye is not None:
                self.bye = bye
                return
        raise NoPairingError(
            f"round {problem.round_number}: {len(self.ranked)} contestants cannot all be paired without a forbidden pair"
        )

    @property
    def seats(self) -> set[frozenset[int]]:
        """Return the pairs of the round by TPN."""
        return {frozenset((one.tpn, two.tpn)) for one, two in self.pairs(self.legal, self.bye)}

    def place_of(self, tpn: int) -> int:
        """Return the index of a player."""
        return next(n for n, c in enumerate(self.ranked) if c.tpn == tpn)

    def bye_of(self, legal: Sequence[int]) -> int | None:
        """Return the player with the bye, -1 in an even field, or None if the others cannot all be paired."""
        if len(self.ranked) % 2 == 0:
            return -1 if not self.ranked or min(matching(legal)) >= 0 else None
        free = bits(left_free(legal))
        return min(free, key=lambda one: (self.bye_facts(one)[0], -one), default=None)

    def bye_if(self, one: int) -> int | None:
        """Return this player if the others can all be paired, else None."""
        return one if left_free(self.legal) >> one & 1 else None

    def bye_facts(self, one: int) -> tuple[int, int]:
        """Return the number of byes that a player has had, and the place in the table of all."""
        contestant = self.ranked[one]
        byes = sum(r.kind is RoundKind.PAIRING_BYE for r in contestant.records)
        return byes, self.places[contestant.tpn]

    def pairs(self, legal: Sequence[int], bye: int) -> list[tuple[Contestant, Contestant]]:
        """Return the pairs, that of the first of the table first."""
        playing = [place for place in range(len(self.ranked)) if place != bye]
        graph = induced(legal, playing)
        pairing = PerfectMatching(graph, matching(graph))
        pairs = []
        seated: set[int] = set()
        for number, place in enumerate(playing):
            if number in seated:
                continue
            partner = pairing.choose(number, -1)
            pairing.close(number, partner)
            seated.add(partner)
            pairs.append((self.ranked[place], self.ranked[playing[partner]]))
        return pairs


def _together(legal: Sequence[int], one: int, other: int | None) -> list[int]:
    """Return the legal opponents if these two meet."""
    if other is None:
        return list(legal)
    both = 1 << one | 1 << other
    rows = [near & ~both for near in legal]
    rows[one], rows[other] = 1 << other, 1 << one
    return rows


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
