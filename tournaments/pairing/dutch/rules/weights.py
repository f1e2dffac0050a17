"""The criteria of a bracket as one integer per pair: the better pairing has the larger sum (C.04.3 2.4).

Every criterion has its own digits in the sum, those of the earlier criterion above those of the
later. They are wide enough never to carry. Therefore comparing sums is comparing the values of the
criteria in their order.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from tournaments.pairing.dutch.rules.criterion import Attribute, QualityCriterion, Scope, Unit
from tournaments.pairing.dutch.rules.digits import Digits
from tournaments.pairing.dutch.rules.values import scopes_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tournaments.pairing.dutch.rules.bracket import Bracket
    from tournaments.pairing.dutch.rules.criterion import Amount
    from tournaments.pairing.dutch.rules.player import DutchPlayer

_LISTED = (Unit.POINTS, Unit.PLAYERS_AND_POINTS)
_OF_MDPS = (Scope.MDPS, Scope.MDP_PAIRS)


class _Cost(NamedTuple):
    """A criterion's amount, and its digits: for each one that is counted, and for each that is listed, by its points."""

    amount: Amount
    each: int
    by_points: dict[int, int]


class BracketWeights:
    """The values of the pairs of one bracket.

    A pair is worth the cost of its players as floaters, less the cost of the pair itself. The costs
    are the amounts of the criteria. `below` is the next score group, if it is solved together with
    the bracket (C8). Criteria about players who float have no digits if the caller says that such
    players will all be paired.
    """

    def __init__(
        self,
        bracket: Bracket,
        below: Sequence[int] = (),
        *,
        mdps_may_float: bool = True,
        residents_may_float: bool = True,
    ) -> None:
        self._bracket = bracket
        self._players = bracket.field.players
        self._mdps = frozenset(bracket.mdps)
        most = _Most(bracket, below, mdps=mdps_may_float, residents=residents_may_float)
        digits = Digits()
        costs: list[list[_Cost]] = [[] for _ in range(len(Scope) + 1)]
        counted = []
        for criterion in most.criteria:
            levels = digits.levels(most.levels(criterion))
            count = digits.take(most.count(criterion))
            if count or levels:
                costs[criterion.scope].append(_Cost(criterion.amount, count, levels))
                counted.append(criterion)
        self._costs = costs
        self._attributes = _attributes(counted, is_mdp=False), _attributes(counted, is_mdp=True)
        self._kind_numbers: dict[tuple[object, ...], int] = {}
        self._kinds: dict[int, int] = {}
        self._floater_costs: dict[int, int] = {}
        self._worth: dict[tuple[int, int], int] = {}

    def pair(self, higher: int, lower: int) -> int:
        """Return the worth of a pair inside the bracket. The lower is a resident."""
        kinds = self.kind(higher), self.kind(lower)
        worth = self._worth.get(kinds)
        if worth is None:
            worth = self._floater_cost(higher) + self._floater_cost(lower)
            worth -= self._sum(higher, lower)
            self._worth[kinds] = worth
        return worth

    def pair_below(self, higher: int, lower: int) -> int:
        """Return the worth of a pair of the next bracket: two players fewer who are left over there (C8)."""
        one, two = self._players[higher].score_halves, self._players[lower].score_halves
        return sum(
            2 * cost.each + cost.by_points[one] + cost.by_points[two]
            for cost in self._costs[Scope.NEXT_BRACKET]
        )

    def bye(self, place: int) -> int:
        """Return the worth of this player having the bye, if it falls into the bracket (C9)."""
        return -self._cost(Scope.BYE, self._players[place], None)

    def kind(self, place: int) -> int:
        """Return the number of a kind of players.

        All in it are alike in the inputs of the worth (`QualityCriterion.depends_on`).
        """
        number = self._kinds.get(place)
        if number is None:
            player, is_mdp = self._players[place], place in self._mdps
            key = is_mdp, *(attribute(player) for attribute in self._attributes[is_mdp])
            number = self._kind_numbers.setdefault(key, len(self._kind_numbers))
            self._kinds[place] = number
        return number

    def _floater_cost(self, place: int) -> int:
        """Return the cost of this player as a floater."""
        kind = self._kinds[place]
        cost = self._floater_costs.get(kind)
        if cost is None:
            cost = self._sum(place, None)
            self._floater_costs[kind] = cost
        return cost

    def _sum(self, place: int, opponent: int | None) -> int:
        """Return the cost of this player as a floater, or of a meeting with a lower one."""
        one = self._players[place]
        two = None if opponent is None else self._players[opponent]
        scopes = scopes_of(one, two, is_mdp=place in self._mdps)
        return sum([self._cost(scope, one, two) for scope in scopes])

    def _cost(self, scope: Scope, player: DutchPlayer, opponent: DutchPlayer | None) -> int:
        """Return the cost of one floater or one pair in the criteria of a scope."""
        total = 0
        for cost in self._costs[scope]:
            amount = cost.amount(self._bracket, player, opponent)
            if amount is not None:
                total += cost.by_points[amount] if cost.by_points else amount * cost.each
        return total


def _attributes(
    counted: Iterable[QualityCriterion], *, is_mdp: bool
) -> list[Callable[[DutchPlayer], object]]:
    """Return the attributes of an MDP, or of a resident, on which the criteria with digits depend."""
    attributes: set[Attribute] = set()
    for criterion in counted:
        if is_mdp or criterion.scope not in _OF_MDPS:
            attributes.update(criterion.depends_on)
        if not is_mdp:
            attributes.update(criterion.depends_on_opponent)
    return [attribute.of for attribute in sorted(attributes)]


class _Most:
    """The largest possible value of each criterion, for which its digits need room.

    Attributes:
        criteria: those that can tell two pairings of the bracket apart, the least important first.
    """

    def __init__(
        self, bracket: Bracket, below: Sequence[int], *, mdps: bool, residents: bool
    ) -> None:
        self._bracket = bracket
        self._players = bracket.field.players
        self._members = bracket.members
        self._near = (*self._members, *below) if below else ()
        self._floating_mdps = bracket.mdps if mdps else ()
        self._floating_residents = bracket.residents if residents else ()
        # If all MDPs are paired, all fall to the bracket's score with any opponents.
        in_question = {
            Scope.NEXT_BRACKET: bool(below),
            Scope.BYE: bracket.bye_falls_here,
            Scope.ABSOLUTE_CLASHES: bracket.has_topscorer,
            Scope.RESIDENT_FLOATERS: residents,
            Scope.MDPS: mdps and bool(bracket.mdps),
            Scope.MDP_PAIRS: bool(bracket.mdps),
        }
        self.criteria = [
            c
            for c in reversed(bracket.field.criteria)
            if isinstance(c, QualityCriterion) and in_question.get(c.scope, True)
        ]

    def count(self, criterion: QualityCriterion) -> int:
        """Return the largest sum of the amounts, or 0 for points, which are listed."""
        scope = criterion.scope
        if scope is Scope.NEXT_BRACKET:
            return len(self._near)
        if criterion.unit in _LISTED:
            return 0
        if scope in (Scope.CLASHES, Scope.ABSOLUTE_CLASHES):
            return len(self._members) // 2
        if scope is Scope.BYE:
            return max(self._amounts(criterion, self._members), default=0)
        return sum(level * n for level, n in self._most(criterion).items())

    def levels(self, criterion: QualityCriterion) -> Counter[int]:
        """Return the largest count of each number of points, or an empty result for amounts that are added up."""
        return self._most(criterion) if criterion.unit in _LISTED else Counter()

    def _most(self, criterion: QualityCriterion) -> Counter[int]:
        match criterion.scope:
            case Scope.NEXT_BRACKET:
                return Counter(self._amounts(criterion, self._near))
            case Scope.RESIDENT_FLOATERS:
                return Counter(self._amounts(criterion, self._floating_residents))
            case Scope.MDPS:
                opponent = self._players[self._bracket.residents.start]
                floating = self._amounts(criterion, self._floating_mdps)
                return Counter([*floating, *self._amounts(criterion, self._bracket.mdps, opponent)])
            case Scope.MDP_PAIRS:
                return self._most_mdp_pairs(criterion)
            case Scope.EVERYBODY:
                return self._most_of_everybody(criterion)
            case _:
                return Counter(self._amounts(criterion, self._members))

    def _most_mdp_pairs(self, criterion: QualityCriterion) -> Counter[int]:
        """Return one for each MDP, of each amount that an MDP with some opponent can have."""
        attributes = [a.of for a in criterion.depends_on_opponent]
        residents = [self._players[p] for p in self._bracket.residents]
        opponents = {tuple(of(player) for of in attributes): player for player in residents}
        most: Counter[int] = Counter()
        for opponent in opponents.values():
            most |= Counter(self._amounts(criterion, self._bracket.mdps, opponent))
        return most

    def _most_of_everybody(self, criterion: QualityCriterion) -> Counter[int]:
        """Return every member as a floater, and half that number of pairs of each amount that some two can have."""
        attributes = [a.of for a in criterion.depends_on]
        members = [self._players[p] for p in self._members]
        kinds = {tuple(of(player) for of in attributes): player for player in members}
        most = Counter(self._amounts(criterion, self._members))
        for opponent in kinds.values():
            places = [p.place for p in kinds.values() if p.score_halves >= opponent.score_halves]
            for amount in set(self._amounts(criterion, places, opponent)):
                most[amount] += len(members) // 2
        return most

    def _amounts(
        self,
        criterion: QualityCriterion,
        places: Iterable[int],
        opponent: DutchPlayer | None = None,
    ) -> list[int]:
        bracket, players, amount = self._bracket, self._players, criterion.amount
        return [a for p in places if (a := amount(bracket, players[p], opponent)) is not None]
