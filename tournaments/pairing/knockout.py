"""Single elimination: seeds by TPN, the next power of two, byes for the top seeds.

The loser of a tie is out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from tournaments.pairing.brackets import (
    Bracket,
    Fixture,
    Source,
    bracket_size,
    places_by_exit,
    resolve,
    rounds_of_loss,
    winners_fixtures,
)
from tournaments.pairing.colours import alternate
from tournaments.pairing.problem import EventDecidedError, RoundKind
from tournaments.pairing.solution import IdleReason
from tournaments.pairing.solution_builder import SolutionBuilder, refuse_pool, starters

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tournaments.pairing.brackets import Draw, Tie
    from tournaments.pairing.problem import FormatOptions, PairingProblem
    from tournaments.pairing.solution import Solution

# The word for a tie in the evidence of its board.
MEETINGS = {
    Bracket.WINNERS: "tie",
    Bracket.THIRD: "third-place",
    Bracket.LOSERS: "losers-tie",
    Bracket.FINAL: "final",
    Bracket.RESET: "reset-final",
}
# The words for all ties, of brackets and of a match of two players.
TIES = frozenset((*MEETINGS.values(), "match"))


class Knockout:
    """A knock-out on TPNs.

    A tie that was level in the records goes to the player that a record names, else to the higher
    seed. Replays come before that, inside the pairing. The opponent of an absent player goes
    through. A tie that neither has played eliminates both, unless a record names one.
    """

    name = "knockout"
    version = "knockout-2"
    meetings: ClassVar[Mapping[Bracket, str]] = MEETINGS

    def rounds(self, players: int, options: FormatOptions) -> int:
        """Return the binary logarithm of the field, rounded up.

        Raises BadProblemError for fewer than two players.
        """
        return rounds_of_elimination(players)

    def pair(self, problem: PairingProblem) -> Solution:
        """Return the round's ties, in seeding order of the bracket.

        Raises:
            EventDecidedError: when there is a champion.
            NoPairingError: when the draw lets two meet who must not.
        """
        refuse_pool(problem, self.name)
        builder = SolutionBuilder(problem)
        seat_ties(builder, problem, draw(problem), losses=1, meetings=self.meetings)
        return builder.solution(others=RoundKind.OUT)


def rounds_of_elimination(players: int) -> int:
    """Return how many rounds a single elimination of this number takes.

    Raises BadProblemError for fewer than two.
    """
    return bracket_size(players).bit_length() - 1


def draw(problem: PairingProblem) -> Draw:
    """Return the whole draw of a knock-out after the records of `problem`, with the ties still to come."""
    return elimination(problem, starters(problem), rounds_before=0)


def places(problem: PairingProblem) -> list[list[int]]:
    """TPNs that share a place, best first: the champion (or all still in it), the finalist, the semi-finalists, ..."""
    return places_by_exit(draw(problem), losses=1)


def elimination(
    problem: PairingProblem, seeds: Sequence[int | None], *, rounds_before: int
) -> Draw:
    """Return the draw of a single elimination of `seeds` that begins after this number of rounds of the event.

    A seed of None is an empty place.
    """
    count = rounds_of_elimination(len(seeds))
    fixtures = winners_fixtures(1 << count, range(1, count + 1))
    if problem.options.has_third_place and count > 1:
        final = fixtures[-1]
        both = (Source(tie=of.tie, takes_loser=True) for of in (final.upper, final.lower))
        fixtures.insert(-1, Fixture(Bracket.THIRD, count, 1, *both))
    return resolve(fixtures, seeds, problem, rounds_before=rounds_before, both_may_lose=True)


def seat_ties(
    builder: SolutionBuilder,
    problem: PairingProblem,
    bracket: Draw,
    *,
    losses: int,
    meetings: Mapping[Bracket, str] = MEETINGS,
) -> None:
    """Seat the ties of the draw that are due, with the words of their brackets in the evidence.

    Other remaining players go through, and players with `losses` are out.

    Raises EventDecidedError when there is a champion, or no player is left to become it.
    """
    if bracket.champion is not None:
        raise EventDecidedError(f"TPN {bracket.champion} has won")
    final = bracket.ties[-1]
    if len(final.losers) > 1 or (final.upper.is_bye and final.lower.is_bye):
        raise EventDecidedError("no player is left")
    # The final has the first board.
    due = bracket.due(problem.round_number)
    for tie in sorted(due, key=lambda tie: tie.bracket is Bracket.THIRD):
        _seat_tie(builder, problem, tie, meetings[tie.bracket])
    for tpn, lost in rounds_of_loss(bracket).items():
        is_out = len(lost) >= losses
        if is_out:
            builder.idle_if_unseated(tpn, RoundKind.OUT)
        else:
            reason = _reason_to_go_through(bracket, tpn, problem.round_number)
            builder.idle_if_unseated(tpn, RoundKind.THROUGH, reason=reason)


def _reason_to_go_through(bracket: Draw, tpn: int, round_number: int) -> IdleReason:
    has_place = any(
        tie.round_number == round_number and tpn in (tie.upper.tpn, tie.lower.tpn)
        for tie in bracket.ties
    )
    return IdleReason.EMPTY_PLACE if has_place else IdleReason.LATER_TIE


def _seat_tie(builder: SolutionBuilder, problem: PairingProblem, tie: Tie, meeting: str) -> None:
    high, low = sorted((tie.upper, tie.lower), key=lambda slot: slot.seed or 0)
    assert high.tpn is not None, "a due tie has two players"
    assert low.tpn is not None, "a due tie has two players"
    higher, lower = builder.present(high.tpn), builder.present(low.tpn)
    first, second, rule = high.tpn, low.tpn, ""
    if higher is not None and lower is not None:
        sides = alternate(problem, higher, lower)
        first, second, rule = sides.first, sides.second, sides.rule
    builder.meet(
        first=first,
        second=second,
        colour_rule=rule,
        meeting=meeting,
        details={
            "tie": tie.index,
            "place": tie.place,
            "higher_seed": high.seed or 0,
            "lower_seed": low.seed or 0,
        },
    )
