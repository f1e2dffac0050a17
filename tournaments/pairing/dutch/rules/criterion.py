"""Definition of a criterion: its scope, the amounts that it adds up, and their dependencies (C.04.3 2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum, IntEnum, auto
from typing import TYPE_CHECKING, Protocol, Self

from tournaments.pairing.colours import Strength
from tournaments.pairing.floats import Float
from tournaments.pairing.solution import CriterionValue

if TYPE_CHECKING:
    from tournaments.pairing.dutch.rules.player import DutchPlayer
    from tournaments.pairing.problem import Contestant, PairingProblem


class Unit(Enum):
    """Unit of the numbers of a value."""

    PLAYERS = auto()
    PAIRS = auto()
    ROUNDS = auto()
    RATING = auto()
    POINTS = auto()  # half points, compared in descending order
    PLAYERS_AND_POINTS = auto()  # a number of players, then their points


class Scope(IntEnum):
    """Over whom a criterion counts. A number, because it is an index where time matters."""

    FLOATERS = auto()
    NEXT_BRACKET = auto()  # the floaters that the next bracket will have at best
    BYE = auto()  # the one floater of a bracket in which the bye falls
    CLASHES = auto()  # pairs of two who are due the same side
    ABSOLUTE_CLASHES = (
        auto()
    )  # of these, the pairs of two absolute preferences: C3 leaves only those of topscorers
    RESIDENT_FLOATERS = auto()
    MDPS = auto()  # moved-down players, with an opponent or without
    MDP_PAIRS = auto()  # pairs of a moved-down player and its opponent
    EVERYBODY = auto()  # all pairs, and all floaters (edition of 2017)


class Attribute(IntEnum):
    """A property of one player on which an amount may depend."""

    SCORE = auto()
    SIDE = auto()  # the side that is due
    STRENGTH = auto()  # how strongly it is due
    IDENTITY = auto()  # who has an absolute preference: the sides of all rounds, and the TPN
    UNPLAYED = auto()
    DOWN_LAST = auto()  # a downfloat in the last round
    UP_LAST = auto()
    DOWN_BEFORE = auto()  # a downfloat in the round before the last
    UP_BEFORE = auto()

    @property
    def of(self) -> Callable[[DutchPlayer], object]:
        """Return the function that tells it of a player."""
        return _ATTRIBUTES[self]


_ATTRIBUTES: dict[Attribute, Callable[[DutchPlayer], object]] = {
    Attribute.SCORE: lambda player: player.score_halves,
    # Plain values: an enum is slow to hash.
    Attribute.SIDE: lambda player: player.preference.side and player.preference.side.name,
    Attribute.STRENGTH: lambda player: int(player.preference.strength),
    # Others need no identity: without an absolute preference there is no absolute clash.
    Attribute.IDENTITY: lambda player: (
        player.tpn if player.preference.strength is Strength.ABSOLUTE else None
    ),
    Attribute.UNPLAYED: lambda player: player.unplayed,
    Attribute.DOWN_LAST: lambda player: player.floats[0] is Float.DOWN,
    Attribute.UP_LAST: lambda player: player.floats[0] is Float.UP,
    Attribute.DOWN_BEFORE: lambda player: player.floats[1] is Float.DOWN,
    Attribute.UP_BEFORE: lambda player: player.floats[1] is Float.UP,
}


class BracketFacts(Protocol):
    """The facts about the bracket that an amount may use: a `Bracket`."""

    @property
    def problem(self) -> PairingProblem:
        """Return the round to pair."""

    @property
    def resident_score(self) -> int:
        """Return the score of the score group, in half points."""

    @property
    def lowest_score(self) -> int:
        """Return the lowest score in the bracket, in half points."""


# The addition of one floater (opponent None), or of one pair, to a criterion. None: it does not
# count at all.
Amount = Callable[["BracketFacts", "DutchPlayer", "DutchPlayer | None"], "int | None"]


class Criterion:
    """One criterion of the handbook.

    Attributes:
        code, article: `C14` and `2.4.9`, for example.
        quote: the rule in our own words.
    """

    def __init__(self, code: str, article: str, quote: str) -> None:
        self.code = code
        self.article = article
        self.quote = quote

    def cited(self, *, article: str, code: str = "") -> Self:
        """Return the criterion as another chapter cites it, with the same code if none is given."""
        cited = object.__new__(type(self))
        vars(cited).update(vars(self), article=article, code=code or self.code)
        return cited


class CountedCriterion(Criterion):
    """A criterion that has a value: as small as possible, the earlier before the later."""

    def __init__(self, code: str, article: str, quote: str, unit: Unit) -> None:
        super().__init__(code, article, quote)
        self.unit = unit

    def value(self, *numbers: int) -> CriterionValue:
        """Return the result of a pairing in it."""
        return CriterionValue(self.code, self.article, numbers)


class PairCriterion(Criterion):
    """An absolute criterion about two players (2.1): `barred` has for each the places it must not meet, as bits."""

    def __init__(
        self,
        code: str,
        article: str,
        quote: str,
        barred: Callable[[Sequence[DutchPlayer]], list[int]],
    ) -> None:
        super().__init__(code, article, quote)
        self.barred = barred


class ByeCriterion(Criterion):
    """The absolute criterion about the bye (2.1): whether this one may have it."""

    def __init__(
        self, code: str, article: str, quote: str, allows: Callable[[Contestant], bool]
    ) -> None:
        super().__init__(code, article, quote)
        self.allows = allows


class ByeScoreCriterion(Criterion):
    """The criterion about the bye that is decided before the first bracket (2.3): `amount` as small as possible."""

    unit = Unit.POINTS

    def __init__(
        self, code: str, article: str, quote: str, amount: Callable[[DutchPlayer], int]
    ) -> None:
        super().__init__(code, article, quote)
        self.amount = amount


class QualityCriterion(CountedCriterion):
    """A criterion of the quality of a bracket's pairing (2.4): as small as possible, the earlier before the later.

    Attributes:
        scope: the pairs or players that it counts.
        amount: the addition of one of them. Points are listed in descending order, everything else
            is added up.
        depends_on: everything in a floater, an MDP or either of a pair on which the amount, or
            membership in the scope, depends. Players of one kind are alike in all of it. A missing
            attribute makes the bounds of the search wrong.
        depends_on_opponent: everything in the opponent of an MDP that it depends on.
    """

    def __init__(
        self,
        code: str,
        article: str,
        quote: str,
        unit: Unit,
        scope: Scope,
        amount: Amount,
        depends_on: frozenset[Attribute] = frozenset(),
        depends_on_opponent: frozenset[Attribute] = frozenset(),
    ) -> None:
        super().__init__(code, article, quote, unit)
        self.scope = scope
        self.amount = amount
        self.depends_on = depends_on
        self.depends_on_opponent = depends_on_opponent
