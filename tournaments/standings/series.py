"""The table of a series of events: places and points of its events give totals. Pure and exact."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import assert_never

from tournaments.standings.errors import StandingsError

MAX_PLACES = 200
MAX_PLACE_POINTS = 10_000
MAX_BEST = 200


class BadRulesError(StandingsError):
    """Rules that give no table: points that increase down the places, or numbers beyond the limits."""

    code = "series-rules"


class Method(StrEnum):
    """Source of the points of one event."""

    PLACES = "places"  # a list of points by place
    POINTS = "points"  # the points scored in the event
    PERCENT = "percent"  # these in percent of the points that were possible


class Shared(StrEnum):
    """Points of players who share a place, by a list of places."""

    SHARE = "share"  # the mean of the places that they occupy
    HIGHER = "higher"  # each has the points of the shared place


class Fate(StrEnum):
    """Part of a result in the total."""

    COUNTS = "counts"
    DROPPED = "dropped"  # others are better, and only a number of them counts
    PROVISIONAL = "provisional"  # the event is not finished


class Separator(StrEnum):
    """Criterion that put a row behind the one above it, in the order of the criteria."""

    TOTAL = "total"
    WINS = "wins"
    BEST = "best"
    LAST = "last"


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a series.

    Attributes:
        place_points: the points of the first places, best first. Later places get no points. They are read by
            `Method.PLACES` only.
        best: the number of results that count. 0 for all.
    """

    method: Method = Method.PLACES
    place_points: tuple[int, ...] = ()
    shared: Shared = Shared.SHARE
    best: int = 0

    def check(self) -> None:
        """Raise BadRulesError for rules that give no table."""
        points = self.place_points
        if list(points) != sorted(points, reverse=True) or len(points) > MAX_PLACES:
            raise BadRulesError(f"points by place: {points}")
        if points and not 0 <= points[-1] <= points[0] <= MAX_PLACE_POINTS:
            raise BadRulesError(f"points by place: {points}")
        if self.method is Method.PLACES and not any(points):
            raise BadRulesError("no points by place")
        if not 0 <= self.best <= MAX_BEST:
            raise BadRulesError(f"best {self.best}")


@dataclass(frozen=True, slots=True)
class Result:
    """The place and the score of a person in one event. Equal persons share a row of the table."""

    person: str
    rank: int
    score: Fraction


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a series. `possible` is the score of a player who wins every game."""

    results: Sequence[Result]
    possible: Fraction
    is_final: bool = True


@dataclass(frozen=True, slots=True)
class Term:
    """The result of one event in a row: `event` counts from 0, and `sharers` have the place together."""

    event: int
    rank: int
    sharers: int
    score: Fraction
    points: Fraction
    fate: Fate


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table.

    Attributes:
        wins: the number of finished events in which the person is first, shared places included.
        best: the most points in a finished event.
        last: the points in the last finished event. None for an absent person.
        separated_by: the criterion that decided against the row above. None for the first row and a shared rank.
    """

    rank: int
    person: str
    total: Fraction
    wins: int
    best: Fraction
    last: Fraction | None
    separated_by: Separator | None
    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Signature:
    """An entry of an event: a key of its own, and the key of the person by the data of the entry."""

    entry: str
    person: str


def persons(entries: Iterable[Signature], same_as: Mapping[str, str]) -> dict[str, str]:
    """Return the person of each entry of one event, by the key of the entry.

    `same_as` maps a key to the key that the organiser has joined it to. An entry that maps to itself is
    separate. If two entries of the event would be one person, each of them is separate, but an entry that
    the organiser has joined comes first.
    """
    roots = {each.entry: _root(each, same_as) for each in entries}
    decided = Counter(root for entry, root in roots.items() if entry in same_as)
    others = Counter(root for entry, root in roots.items() if entry not in same_as)

    def is_alone(entry: str, root: str) -> bool:
        return decided[root] == 1 if entry in same_as else not decided[root] and others[root] == 1

    return {entry: root if is_alone(entry, root) else entry for entry, root in roots.items()}


def _root(signature: Signature, same_as: Mapping[str, str]) -> str:
    key = signature.entry if signature.entry in same_as else signature.person
    visited: set[str] = set()
    while key in same_as and key not in visited:
        visited.add(key)
        key = same_as[key]
    return key


def place_points(rules: Rules, rank: int, sharers: int) -> Fraction:
    """Return the points of a place that this number of players share."""
    points = rules.place_points
    match rules.shared:
        case Shared.HIGHER:
            return Fraction(points[rank - 1] if rank <= len(points) else 0)
        case Shared.SHARE:
            return Fraction(sum(points[rank - 1 : rank - 1 + sharers]), sharers)
        case _:
            assert_never(rules.shared)


def table(events: Sequence[Event], rules: Rules) -> list[Row]:
    """Return the table, best first. The order of the results in an event has no effect."""
    terms: dict[str, list[Term]] = defaultdict(list)
    for number, event in enumerate(events):
        sharers = Counter(result.rank for result in event.results)
        for result in event.results:
            terms[result.person].append(_term(number, event, result, sharers[result.rank], rules))
    last = max((n for n, event in enumerate(events) if event.is_final), default=None)
    rows = [_row(person, own, last, rules) for person, own in terms.items()]
    return ranked(sorted(rows, key=lambda row: (*(-each for each in _order(row)), row.person)))


def _term(number: int, event: Event, result: Result, sharers: int, rules: Rules) -> Term:
    match rules.method:
        case Method.PLACES:
            points = place_points(rules, result.rank, sharers)
        case Method.POINTS:
            points = result.score
        case Method.PERCENT:
            points = 100 * result.score / event.possible if event.possible else Fraction(0)
        case _:
            assert_never(rules.method)
    fate = Fate.COUNTS if event.is_final else Fate.PROVISIONAL
    return Term(number, result.rank, sharers, result.score, points, fate)


def _row(person: str, terms: Sequence[Term], last: int | None, rules: Rules) -> Row:
    final = [term for term in terms if term.fate is Fate.COUNTS]
    # If results are equal, the earlier ones count.
    best_first = sorted(final, key=lambda term: (-term.points, term.event))
    counting = best_first[: rules.best or None]
    dropped = {term.event for term in best_first[len(counting) :]}
    return Row(
        rank=1,
        person=person,
        total=sum((term.points for term in counting), Fraction(0)),
        wins=sum(term.rank == 1 for term in final),
        best=max((term.points for term in final), default=Fraction(0)),
        last=next((term.points for term in final if term.event == last), None),
        separated_by=None,
        terms=tuple(_with_fate(term, is_dropped=term.event in dropped) for term in terms),
    )


def _with_fate(term: Term, *, is_dropped: bool) -> Term:
    return replace(term, fate=Fate.DROPPED) if is_dropped else term


def _order(row: Row) -> tuple[Fraction, ...]:
    """Return the values that rank a row, in the order of `Separator`. A person absent at the end comes last."""
    return (row.total, Fraction(row.wins), row.best, Fraction(-1) if row.last is None else row.last)


def ranked(rows: Sequence[Row]) -> list[Row]:
    """Return the rows, which are in order, with their ranks. Rows that no criterion separates share a rank."""
    result: list[Row] = []
    for number, row in enumerate(rows, start=1):
        separator, rank = None, number
        if result:
            above = result[-1]
            pairs = zip(Separator, _order(above), _order(row), strict=True)
            separator = next((each for each, one, other in pairs if one != other), None)
            rank = number if separator else above.rank
        result.append(replace(row, rank=rank, separated_by=separator))
    return result
