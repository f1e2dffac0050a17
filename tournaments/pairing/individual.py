"""The individual FIDE Swiss systems besides the Dutch one (C.04.4): what they share.

Each gives the bye first and then pairs bracket after bracket. Basic rules, preferences and sides are those of the Dutch system.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from tournaments.pairing.colours import NO_PREFERENCE, Allocation, Preference, allocate, preference
from tournaments.pairing.dutch import Dutch
from tournaments.pairing.dutch.rules.criteria import BY_CODE, bound_to_one_side
from tournaments.pairing.dutch.rules.criterion import (
    CountedCriterion,
    Criterion,
    PairCriterion,
    Unit,
)
from tournaments.pairing.dutch.rules.field import field_of
from tournaments.pairing.dutch.search.bits import matching
from tournaments.pairing.dutch.search.completion import can_be_left_out, induced
from tournaments.pairing.problem import BadProblemError, NoPairingError
from tournaments.pairing.refusals import Reason, Refusal, is_granted
from tournaments.pairing.solution import (
    Board,
    BoardEvidence,
    BracketEvidence,
    CriterionValue,
    Solution,
)
from tournaments.pairing.solution_builder import refuse_pool

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tournaments.pairing.dutch.rules.field import DutchField
    from tournaments.pairing.dutch.rules.player import DutchPlayer
    from tournaments.pairing.explained import Explainer
    from tournaments.pairing.problem import Contestant, FormatOptions, PairingProblem

Edge = tuple[int, int]


def _bound(players: Sequence[DutchPlayer]) -> list[int]:
    return bound_to_one_side(players, len(players))


# C1 to C3 of the Dutch system, but no player is free of C3.
ABSOLUTE = (
    BY_CODE["C1"].cited(article="2.1.1"),
    BY_CODE["C2"].cited(article="2.1.2"),
    PairCriterion(
        code="C3",
        article="2.1.3",
        quote="Two players with the same absolute preference do not meet.",
        barred=_bound,
    ),
    Criterion(
        code="C4", article="2.2.1", quote="The players who are left can all be paired legally."
    ),
)
BYE_SCORE = CountedCriterion("B1", "3.1.3", "The bye goes to the lowest score.", Unit.POINTS)
_BYE_PLAYED = CountedCriterion("B2", "3.1.4", "The bye goes to the most games played.", Unit.ROUNDS)
BYE = (BYE_SCORE, _BYE_PLAYED)


@dataclass(frozen=True, slots=True)
class PairedBracket:
    """A bracket with its pairs, by place.

    Attributes:
        residents: of the score group.
        guests: players from another score group.
        pairs: the higher place first.
        floaters: players not paired here.
        criteria: what the pairs reached.
        order: what the articles compare among pairings that are as good in the criteria, by article.
        is_upward: whether it was paired from the lowest number up.
        score_halves: of the residents; None: ask them.
    """

    residents: tuple[int, ...]
    guests: tuple[int, ...]
    pairs: tuple[Edge, ...]
    floaters: tuple[int, ...]
    criteria: tuple[CriterionValue, ...]
    order: tuple[CriterionValue, ...]
    is_upward: bool = False
    score_halves: int | None = None


@dataclass(frozen=True, slots=True)
class PairedRound:
    """A round by place: the bye with its worth, and the brackets in the order of pairing."""

    bye: int | None
    bye_criteria: tuple[CriterionValue, ...]
    brackets: tuple[PairedBracket, ...]


class IndividualSwiss(ABC):
    """A system of C.04.4; the class says how a bracket is paired."""

    name: ClassVar[str]
    version: ClassVar[str]
    handbook: ClassVar[str]  # the chapter whose articles the evidence cites
    criteria: ClassVar[tuple[Criterion, ...]]
    completion: ClassVar[str] = "C4"  # the criterion that the others can all be paired
    unplayed: ClassVar[Preference] = NO_PREFERENCE
    # The articles of C.04.3 5.2 as this chapter numbers them.
    colour_articles: ClassVar[Mapping[str, str]] = {
        "5.2.5": "5.2.1",
        "5.2.1": "5.2.2",
        "5.2.2": "5.2.3",
        "5.2.3": "5.2.4",
        "5.2.4": "5.2.5",
    }

    def rounds(self, players: int, options: FormatOptions) -> None:  # noqa: B027  # no system of these says more
        """None: the number is declared beforehand (C.04.1 1)."""

    def is_dutch(self, problem: PairingProblem) -> bool:
        """Return whether the Dutch system pairs this round."""
        return False

    def pair(self, problem: PairingProblem) -> Solution:
        """The pairing that the rules single out. Raises NoPairingError."""
        refuse_pool(problem, self.name)
        if self.is_dutch(problem):
            return Dutch().pair(problem)
        field = self.field(problem)
        return self._solution(field, self.paired(field))

    def field(self, problem: PairingProblem) -> DutchField:
        """Everybody to be paired, and who may meet whom."""
        return field_of(problem, self.criteria)

    def explanation(
        self, problem: PairingProblem, solution: Solution
    ) -> tuple[BracketEvidence, ...]:
        """The brackets as they are stored with the round: each has its criteria. Raises BadProblemError."""
        if self.is_dutch(problem):
            return Dutch().explanation(problem, solution)
        again = self.pair(problem)
        if again.boards != solution.boards or again.bye != solution.bye:
            raise BadProblemError("the solution is not one of the problem")
        return again.brackets

    def due(self, contestant: Contestant) -> Preference:
        """The side that is due to a player."""
        return preference(contestant) if contestant.colours else self.unplayed

    @abstractmethod
    def paired(self, field: DutchField, bye: int | None = None) -> PairedRound:
        """The round; this place has the bye if one is named. Raises NoPairingError."""

    def ranking(self, field: DutchField) -> Sequence[int]:
        """The places from the highest ranked, where that decides about sides."""
        return range(len(field.players))

    def _solution(self, field: DutchField, round_: PairedRound) -> Solution:
        players = field.players
        rank = {place: n for n, place in enumerate(self.ranking(field))}
        pairs = [
            (sorted(pair, key=lambda place: rank[place]), bracket.is_upward)
            for bracket in round_.brackets
            for pair in bracket.pairs
        ]
        seated = [
            self._board(field, players[one], players[two], is_upward=is_upward)
            for (one, two), is_upward in pairs
        ]
        by_tpn = {player.tpn: player for player in players}
        seated.sort(
            key=lambda each: self.board_order(by_tpn[each[0].first], by_tpn[each[0].second])
        )
        return Solution(
            boards=tuple(b for b, _ in seated),
            bye=None if round_.bye is None else players[round_.bye].tpn,
            evidence=tuple(e for _, e in seated),
            brackets=tuple(_evidence(field, bracket) for bracket in round_.brackets),
        )

    def _board(
        self, field: DutchField, higher: DutchPlayer, lower: DutchPlayer, *, is_upward: bool
    ) -> tuple[Board, BoardEvidence]:
        sides = self.sides(field, higher, lower, is_upward=is_upward)
        first, second = (higher, lower) if sides.first == higher.tpn else (lower, higher)
        evidence = BoardEvidence(
            first.tpn,
            second.tpn,
            first.contestant.score_halves,
            second.contestant.score_halves,
            sides.rule,
        )
        return Board(first.tpn, second.tpn), evidence

    def board_order(self, one: DutchPlayer, other: DutchPlayer) -> tuple[int, ...]:
        """C.04.2 3.6; in accelerated rounds the scores have the virtual points in them (C.04.7 1.5)."""
        higher, lower = sorted((one, other), key=lambda player: player.place)
        return -higher.score_halves, -lower.score_halves, higher.tpn

    def explainer(self, problem: PairingProblem, solution: Solution) -> Explainer:
        """Return the explanations of the round. Raises BadProblemError."""
        if self.is_dutch(problem):
            return Dutch().explainer(problem, solution)
        return _Explainer(self, problem, self.explanation(problem, solution), solution)

    def sides(
        self, field: DutchField, higher: DutchPlayer, lower: DutchPlayer, *, is_upward: bool
    ) -> Allocation:
        """The sides of two, the higher ranked first, with the article (5.2)."""
        sides = allocate(field.problem, higher.contestant, lower.contestant, unplayed=self.unplayed)
        return sides._replace(rule=f"{self.handbook} {self.colour_articles[sides.rule]}")


class _Explainer:
    """An `Explainer` of a round of a system of C.04.4."""

    def __init__(
        self,
        system: IndividualSwiss,
        problem: PairingProblem,
        brackets: Sequence[BracketEvidence],
        solution: Solution,
    ) -> None:
        self._system = system
        self._brackets = brackets
        self._solution = solution
        self.system = system.name
        self.field = system.field(problem)
        self._round = system.paired(self.field)

    def bracket(self, number: int) -> BracketEvidence:
        """The bracket with its criteria; the search reaches the least in each."""
        bracket = self._brackets[number]
        criteria = (
            c._replace(bound=c.value, proof="weighted-matching" if any(c.value) else "zero")
            for c in bracket.criteria
        )
        return bracket._replace(criteria=tuple(criteria))

    def due(self, contestant: Contestant) -> Preference:
        """The side that was due to a player (1.5, 1.6)."""
        return self._system.due(contestant)

    def sides(self, one: int, other: int) -> Allocation:
        """The sides that 5.2 gives two TPNs."""
        ranked = [self.field.players[place] for place in self._system.ranking(self.field)]
        higher, lower = (player for player in ranked if player.tpn in (one, other))
        is_upward = any(
            bracket.is_upward
            and {higher.place, lower.place} <= {*bracket.residents, *bracket.guests}
            for bracket in self._round.brackets
        )
        return self._system.sides(self.field, higher, lower, is_upward=is_upward)

    def why_not(self, tpn: int, opponent: int | None) -> Refusal:
        """Return the reason for which two did not meet, or one did not have the bye: pair again and compare.

        Raises BadProblemError when the two are one, or unknown.
        """
        field, solution = self.field, self._solution
        problem = field.problem
        known = {c.tpn for c in (*problem.contestants, *problem.absent)}
        if tpn == opponent or not {tpn, tpn if opponent is None else opponent} <= known:
            raise BadProblemError(f"no question about TPN {tpn} and {opponent}")
        if is_granted(solution, tpn, opponent):
            return Refusal(tpn, opponent, Reason.GRANTED)
        places = {p.tpn: p.place for p in field.players}
        for one in (tpn, opponent):
            if one is not None and one not in places:
                return Refusal(tpn, opponent, Reason.ABSENT, absent=one)
        had = solution.bye if solution.bye in (tpn, opponent) else None
        plain = Refusal(tpn, opponent, Reason.ORDER, bye=had)
        one, other = places[tpn], None if opponent is None else places[opponent]
        return self._barred(plain, one, other) or self._compared(plain, one, other)

    def _barred(self, plain: Refusal, one: int, other: int | None) -> Refusal | None:
        """Return the absolute criterion (C1-C3) that forbids the pair, or None."""
        field = self.field
        if other is None:
            if len(field.players) % 2 == 0:
                return replace(plain, reason=Reason.EVEN)
            return None if field.may_have_bye(one) else self._cited(plain, Reason.BYE_HAD, "C2")
        if field.may_meet(one, other):
            return None
        rounds = [
            number
            for number, record in enumerate(field.players[one].contestant.records, start=1)
            if record.kind.is_meeting and record.opponent == plain.opponent
        ]
        if rounds:
            return replace(self._cited(plain, Reason.MET, "C1"), round_number=rounds[-1])
        if frozenset((plain.tpn, plain.opponent)) in field.problem.forbidden:
            return replace(plain, reason=Reason.FORBIDDEN)
        return self._cited(plain, Reason.COLOUR, "C3")

    def _cited(self, plain: Refusal, reason: Reason, code: str) -> Refusal:
        article = next(c.article for c in self._system.criteria if c.code == code)
        return replace(plain, reason=reason, criterion=code, article=article)

    def _compared(self, plain: Refusal, one: int, other: int | None) -> Refusal:
        """The first criterion that is worse when the two must meet, in the first bracket that is another one then."""
        field = self.field
        actual = self._round
        try:
            otherwise = self._system.paired(
                _together(field, one, other), one if other is None else None
            )
        except NoPairingError:
            return self._cited(plain, Reason.COMPLETION, self._system.completion)
        if actual.bye != otherwise.bye and actual.bye_criteria:
            return _worse(plain, actual.bye_criteria, otherwise.bye_criteria)
        for now, then in zip(actual.brackets, otherwise.brackets, strict=False):
            if now.pairs != then.pairs:
                halves = field.players[now.residents[0]].score_halves if now.residents else None
                plain = replace(plain, halves=halves)
                return _worse(plain, (*now.criteria, *now.order), (*then.criteria, *then.order))
        raise BadProblemError("the pairing is as the question asks")


def _worse(
    plain: Refusal, actual: Sequence[CriterionValue], otherwise: Sequence[CriterionValue]
) -> Refusal:
    """The first criterion that is worse otherwise, else the article by which the other comes later.

    A procedure such as Lim's breaks pairs again, and may end with more floaters than another way would have had.
    """
    others = {value.criterion or value.article: value for value in otherwise}
    for now in actual:
        then = others.get(now.criterion or now.article, now)
        if now.criterion and then.value > now.value:
            return replace(
                plain,
                reason=Reason.CRITERION,
                criterion=now.criterion,
                article=now.article,
                value=now.value,
                other=then.value,
            )
        if now.value != then.value and not now.criterion:
            return replace(plain, article=now.article)
    raise AssertionError("the order tells any two pairings apart")


def _together(field: DutchField, one: int, other: int | None) -> DutchField:
    """The field in which these two can do nothing but meet each other."""
    if other is None:
        return field
    legal = [mask & ~(1 << one | 1 << other) for mask in field.legal]
    legal[one], legal[other] = 1 << other, 1 << one
    return field.with_legal(legal)


def _evidence(field: DutchField, bracket: PairedBracket) -> BracketEvidence:
    def tpns(places: Sequence[int]) -> tuple[int, ...]:
        return tuple(field.players[place].tpn for place in places)

    score = bracket.score_halves
    return BracketEvidence(
        halves=field.players[bracket.residents[0]].score_halves if score is None else score,
        mdps=tpns(bracket.guests),
        residents=tpns(bracket.residents),
        pairs=tuple((field.players[a].tpn, field.players[b].tpn) for a, b in bracket.pairs),
        floaters=tpns(bracket.floaters),
        criteria=bracket.criteria,
    )


def can_be_paired(legal: Sequence[int], places: Sequence[int]) -> bool:
    """Return whether all these places can be paired with each other."""
    return len(places) % 2 == 0 and min(matching(induced(legal, places)), default=0) >= 0


def bye_values(
    field: DutchField, ranking: Sequence[int]
) -> Callable[[int], tuple[CriterionValue, ...]]:
    """Return a place's unfitness for the bye (3.1): score, games, rank; `ranking` begins with the highest."""
    rank = {place: number for number, place in enumerate(ranking)}

    def values(place: int) -> tuple[CriterionValue, ...]:
        player = field.players[place]
        return (
            BYE_SCORE.value(player.score_halves),
            _BYE_PLAYED.value(player.unplayed),
            CriterionValue("", "3.1.5", (-rank[place],)),
        )

    return values


def first_bye(
    field: DutchField, values: Callable[[int], tuple[CriterionValue, ...]], bye: int | None
) -> tuple[int | None, tuple[CriterionValue, ...]]:
    """The place that has the bye, the one of the least values without which the others can be paired.

    None in an even field. Raises NoPairingError.
    """
    n = len(field.players)
    mate = matching(field.legal)
    free = [v for v, other in enumerate(mate) if other < 0]
    if len(free) > n % 2:
        raise NoPairingError(
            f"{n} contestants cannot all be paired: at most {(n - len(free)) // 2} boards are possible without"
            " a rematch, a forbidden pair or two equal absolute colour preferences"
        )
    if not free:
        return None, ()
    places = [
        p.place for p in field.players if field.may_have_bye(p.place) and bye in (None, p.place)
    ]
    for place in sorted(places, key=lambda each: [value.value for value in values(each)]):
        if can_be_left_out(field, mate, free[0], place):
            return place, values(place)
    raise NoPairingError(
        f"{n} contestants cannot all be paired: all who could be left over have had a bye or a win without playing"
    )


def mask_of(places: Sequence[int]) -> int:
    """The places as bits."""
    return sum(1 << place for place in places)
