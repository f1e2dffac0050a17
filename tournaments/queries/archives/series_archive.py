"""A series as a file: its rules, the standings used of each event, and the totals, which are computed again.

`docs/reference/event-archive.md` describes the file.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction

from tournaments.queries.archives import archive_file
from tournaments.queries.archives.archive_data import Archive, ArchiveError
from tournaments.queries.archives.differences import Difference
from tournaments.queries.archives.verification import Check
from tournaments.standings import StandingsError, series

SCHEMA = "rayuela-series/1"
_PLACE = "series"


@dataclass(frozen=True, slots=True)
class ArchivedRules:
    """The rules, as `standings.series.Rules` explains them."""

    method: str
    place_points: tuple[int, ...]
    shared: str
    best: int


@dataclass(frozen=True, slots=True)
class ArchivedPlace:
    """A row of an event's standings by pairing number. `person` is null without a result in the series."""

    number: int
    name: str
    rank: int
    points_halves: int
    person: str | None


@dataclass(frozen=True, slots=True)
class ArchivedSeriesEvent:
    """An event with the standings that were used."""

    slug: str
    name: str
    url: str
    is_final: bool
    possible_halves: int
    standings: tuple[ArchivedPlace, ...]


@dataclass(frozen=True, slots=True)
class ArchivedTerm:
    """The result of one event, counted from 1, in a total. Points are exact fractions, such as `61/3`."""

    event: int
    rank: int
    sharers: int
    points: str
    fate: str


@dataclass(frozen=True, slots=True)
class ArchivedTotal:
    """A row of the table with its terms."""

    rank: int
    person: str
    name: str
    total: str
    wins: int
    best: str
    separated_by: str | None
    terms: tuple[ArchivedTerm, ...]


@dataclass(frozen=True, slots=True)
class SeriesArchive:
    """Everything of a series that is needed to compute its totals again."""

    schema: str
    name: str
    slug: str
    url: str
    rules: ArchivedRules
    events: tuple[ArchivedSeriesEvent, ...]
    totals: tuple[ArchivedTotal, ...]


def rules_of(rules: series.Rules) -> ArchivedRules:
    """Return the rules as a file has them."""
    return ArchivedRules(rules.method.value, rules.place_points, rules.shared.value, rules.best)


def total_of(row: series.Row, name: str) -> ArchivedTotal:
    """Return a row as a file has it."""
    terms = tuple(
        ArchivedTerm(each.event + 1, each.rank, each.sharers, str(each.points), each.fate.value)
        for each in row.terms
    )
    separator = row.separated_by.value if row.separated_by else None
    total, best = str(row.total), str(row.best)
    return ArchivedTotal(row.rank, row.person, name, total, row.wins, best, separator, terms)


def text_of(archive: SeriesArchive) -> str:
    """Return the file."""
    return json.dumps(asdict(archive), ensure_ascii=False, indent=1) + "\n"


def is_series(data: bytes) -> bool:
    """Return whether a file is JSON, as the archive of a series is. That of an event is a ZIP file."""
    return data.lstrip()[:1] == b"{"


def read(data: bytes) -> SeriesArchive:
    """Return the archive in a file. Raises ArchiveError."""
    if len(data) > archive_file.MAX_FILE_BYTES:
        raise ArchiveError("file", f"larger than {archive_file.MAX_FILE_BYTES} bytes")
    return archive_file.read_record(SeriesArchive, data, SCHEMA, _PLACE)


def verify(archive: SeriesArchive, events: Sequence[Archive]) -> list[Check]:
    """Return the checks of the totals, and of the standings of each event whose archive is given.

    Raises ArchiveError for rules that give no table, and for the archive of an event of another series.
    """
    return [
        Check("people", sum(len(each.standings) for each in archive.events), list(_twice(archive))),
        Check("totals", len(archive.totals), list(_totals(archive))),
        *(_standings(archive, each) for each in events),
    ]


def _twice(archive: SeriesArchive) -> Iterator[Difference]:
    """Yield the people with two results in one event."""
    for event in archive.events:
        counts = Counter(row.person for row in event.standings if row.person is not None)
        for person, count in counts.items():
            if count > 1:
                yield Difference(f"{event.slug}, {person}", "one result", f"{count}")


def _totals(archive: SeriesArchive) -> Iterator[Difference]:
    rules = archive.rules
    try:
        checked = series.Rules(
            series.Method(rules.method),
            rules.place_points,
            series.Shared(rules.shared),
            rules.best,
        )
        checked.check()
    except (ValueError, StandingsError) as error:
        raise ArchiveError(f"{_PLACE}, rules", str(error)[:200]) from error
    rows = series.table([_event(each) for each in archive.events], checked)
    computed = {row.person: total_of(row, "") for row in rows}
    archived = {row.person: row for row in archive.totals}
    if len(archived) != len(archive.totals):
        yield Difference("totals", "one row for each person", "more than one")
    for person in sorted(computed.keys() | archived.keys()):
        right, stored = computed.get(person), archived.get(person)
        if right is None or stored is None:
            words = ("no row" if each is None else "a row" for each in (right, stored))
            yield Difference(f"totals, {person}", *words)
            continue
        for name in ("rank", "total", "wins", "best", "separated_by", "terms"):
            mine, theirs = getattr(right, name), getattr(stored, name)
            if mine != theirs:
                yield Difference(f"totals, {person}, {name}", str(mine), str(theirs))


def _event(event: ArchivedSeriesEvent) -> series.Event:
    results = [
        series.Result(row.person, _rank(event, row), Fraction(row.points_halves, 2))
        for row in event.standings
        if row.person is not None
    ]
    return series.Event(results, Fraction(event.possible_halves, 2), event.is_final)


def _rank(event: ArchivedSeriesEvent, row: ArchivedPlace) -> int:
    if row.rank < 1:
        raise ArchiveError(f"{event.slug}, player {row.number}", f"no rank: {row.rank}")
    return row.rank


def _standings(archive: SeriesArchive, event: Archive) -> Check:
    """Return the check of the standings used of an event against those in its archive."""
    slug = event.event.slug
    used = next((each for each in archive.events if each.slug == slug), None)
    if used is None:
        raise ArchiveError(slug, "the archive of an event that is not in the series")
    right = {row.tpn: (row.rank, row.points_halves) for row in event.standings}
    stored = {row.number: (row.rank, row.points_halves) for row in used.standings}
    differences = [
        Difference(f"{slug}, player {number}", _text(right.get(number)), _text(stored.get(number)))
        for number in sorted(right.keys() | stored.keys())
        if right.get(number) != stored.get(number)
    ]
    return Check(f"standings of {slug}", len(used.standings), differences)


def _text(row: tuple[int, int] | None) -> str:
    return "no row" if row is None else f"rank {row[0]}, {row[1]} half points"
