"""Awards of every prize of a fund by the standings, with the reason for each award."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby
from types import MappingProxyType
from typing import TYPE_CHECKING

from tournaments.standings.prizes import pools
from tournaments.standings.prizes.categories import Member
from tournaments.standings.prizes.choice import Choice, Offer
from tournaments.standings.prizes.fund import Prize, Sharing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from fractions import Fraction

    from tournaments.standings.prizes.categories import Category
    from tournaments.standings.prizes.fund import Fund, Rules

_NO_FUNDS: Mapping[int, Fund] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Candidate(Member):
    """A player of the event, as far as prizes depend on it.

    Attributes:
        id: the pairing number. Among those who share a rank the smaller one comes first.
        rank: the place in the standings.
        score: the measure of equality, more is better: half points, or another number in formats
            whose places do not follow from points.
        points_halves: half points.
        games: games that were played.
        is_out: withdrawn or expelled, and therefore without a prize.
        section: the number of the section of a festival.
    """

    id: int
    rank: int
    score: int
    points_halves: int
    games: int
    is_out: bool = False
    section: int = 0


@dataclass(frozen=True, slots=True)
class Award:
    """One player's prize in one category, and its reason.

    Attributes:
        id: the player.
        category: the category it was won in.
        place: the place in the category, from 1. Players who have won elsewhere are not counted.
        first_place: the first of the places whose prizes are shared.
        amount: the money, in minor units.
        words: prizes that are no money.
        sharers: all equals with a part in the prizes of these places, the player included, best
            first. The player alone without sharing.
        pool: the prizes of these places.
        exact, by_order, by_points: the money before rounding, and its two parts.
        elsewhere: better placed players of the category who have won in another one.
    """

    id: int
    category: Category
    place: int
    first_place: int
    amount: int
    words: tuple[str, ...]
    sharers: tuple[int, ...]
    pool: tuple[Prize, ...]
    exact: Fraction
    by_order: Fraction
    by_points: Fraction
    elsewhere: tuple[int, ...] = ()

    @property
    def is_rounded(self) -> bool:
        """Return whether the money differs from the exact amount."""
        return self.exact != self.amount


@dataclass(frozen=True, slots=True)
class Awards:
    """All awards, the better placed player first, and the prizes without an entitled player."""

    awards: tuple[Award, ...]
    remaining: tuple[tuple[Category, int, Prize], ...]

    @property
    def total(self) -> int:
        """Return all that is paid, in minor units."""
        return sum(award.amount for award in self.awards)


def awards(
    fund: Fund, candidates: Iterable[Candidate], section_funds: Mapping[int, Fund] = _NO_FUNDS
) -> Awards:
    """Return the awards of `fund` by the standings. The order of the candidates has no effect.

    Equals win together, the better ones before the others. Among those who share a place the
    smaller number comes first. With accumulation every category is given out separately. Without it
    each of the equals wins in the category with the largest share for them, and the places of the
    others move up (`choice`).

    A player whose share in a fund of `section_funds`, of their section by its number, is at least as
    large wins there. The awards do not contain these prizes. Accumulation ignores them.

    Raises:
        BadFundError: as `Fund.check`.
    """
    funds = [fund] if fund.rules.is_cumulative else [*section_funds.values(), fund]
    for each in funds:
        each.check()
    entitled = [
        each for each in sorted(candidates, key=lambda c: (c.rank, c.id)) if not each.is_out
    ]
    purses = [] if fund.rules.is_cumulative else list(_section_purses(section_funds))
    purses += [_Purse(*item, fund.rules) for item in fund.by_category().items()]
    given: list[tuple[_Purse, Award]] = []
    for _, group in groupby(entitled, key=_level(funds)):
        equals = list(group)
        open_purses = [purse for purse in purses if purse.left]
        parts = (_every if fund.rules.is_cumulative else _one_each)(open_purses, equals)
        for purse, members in zip(open_purses, parts, strict=True):
            given += ((purse, award) for award in purse.give(members))
    if not fund.rules.is_cumulative:
        given = _with_others(given, entitled)
    order = {each.id: number for number, each in enumerate(entitled)}
    own = [award for purse, award in given if purse.section is None]
    remaining = tuple(
        item for purse in purses if purse.section is None for item in purse.remaining()
    )
    return Awards(tuple(sorted(own, key=lambda award: order[award.id])), remaining)


def _section_purses(funds: Mapping[int, Fund]) -> Iterator[_Purse]:
    for section, fund in funds.items():
        for category, prizes in fund.by_category().items():
            yield _Purse(category, prizes, fund.rules, section)


def _level(funds: Sequence[Fund]) -> Callable[[Candidate], int]:
    """Return the function whose value is common to equals."""
    if all(fund.rules.sharing is Sharing.NONE for fund in funds):
        return lambda candidate: candidate.rank
    return lambda candidate: candidate.score


def _every(purses: Sequence[_Purse], equals: Sequence[Candidate]) -> list[list[Candidate]]:
    return [[c for c in equals if purse.has(c)] for purse in purses]


def _one_each(purses: Sequence[_Purse], equals: Sequence[Candidate]) -> list[list[Candidate]]:
    ranks = [each.rank for each in equals]
    offers = [
        Offer(
            purse.left,
            {n for n, each in enumerate(equals) if purse.has(each)},
            ranks,
            purse.rules.sharing,
        )
        for purse in purses
    ]
    Choice(offers, len(equals), {purse.rules.sharing for purse in purses})
    return [[equals[number] for number in offer.members] for offer in offers]


def _with_others(
    given: Sequence[tuple[_Purse, Award]], entitled: Sequence[Candidate]
) -> list[tuple[_Purse, Award]]:
    """Return the awards with the better placed players of their categories who have won elsewhere."""
    won = {award.id: purse for purse, award in given}
    order = {each.id: number for number, each in enumerate(entitled)}
    return [
        (
            purse,
            replace(
                award,
                elsewhere=tuple(
                    each.id
                    for each in entitled[: order[award.id]]
                    if won.get(each.id, purse) is not purse and purse.has(each)
                ),
            ),
        )
        for purse, award in given
    ]


class _Purse:
    """The prizes of one category, given out from the first place on."""

    def __init__(
        self,
        category: Category,
        prizes: Sequence[Prize],
        rules: Rules,
        section: int | None = None,
    ) -> None:
        """Take the prizes of all players, or of those of a section."""
        self.category = category
        self.rules = rules
        self.section = section
        self._prizes = prizes
        self._next = 0

    def has(self, candidate: Candidate) -> bool:
        """Return whether the player may win one of the prizes."""
        return (
            self.section in (None, candidate.section)
            and candidate.points_halves >= self.rules.least_points_halves
            and candidate.games >= self.rules.least_games
            and self.category.has(candidate)
        )

    @property
    def left(self) -> Sequence[Prize]:
        """Return the prizes of the places that are still to be won."""
        return self._prizes[self._next :]

    def give(self, members: Sequence[Candidate]) -> list[Award]:
        """Return the shares of equals in the next places. Empty shares are no awards."""
        if not members:
            return []
        first, places = self._next + 1, tuple(self.left[: len(members)])
        self._next += len(places)
        shares = pools.shares([each.rank for each in members], places, self.rules)
        return [
            Award(
                id=candidate.id,
                category=self.category,
                place=first + number,
                first_place=first,
                amount=share.amount,
                words=share.words,
                sharers=tuple(each.id for each in members),
                pool=places,
                exact=share.exact,
                by_order=share.by_order,
                by_points=share.by_points,
            )
            for number, (candidate, share) in enumerate(zip(members, shares, strict=True))
            if share.amount or share.words
        ]

    def remaining(self) -> Iterable[tuple[Category, int, Prize]]:
        """Yield the prizes without a winner, with their places."""
        for number, prize in enumerate(self.left, start=self._next + 1):
            yield self.category, number, prize
