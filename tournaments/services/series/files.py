"""The files of a series: the table as CSV, and the archive that `verify` computes again."""

from __future__ import annotations

from collections.abc import Iterator

from django.conf import settings

from tournaments.queries.archives import series_archive
from tournaments.queries.archives.series_archive import (
    ArchivedPlace,
    ArchivedSeriesEvent,
    SeriesArchive,
)
from tournaments.services.results import sheets
from tournaments.services.results.sheets import Value
from tournaments.services.series.tables import SeriesEvent, SeriesTable
from tournaments.standings import decimal_text
from tournaments.standings.series import Fate, Row

_FATES = {Fate.COUNTS: "1", Fate.DROPPED: "0", Fate.PROVISIONAL: "?"}


def csv_of(table: SeriesTable) -> str:
    """Return one row for each person, and three columns for each event: place, points and `counts`.

    `counts` is 1, 0 for a dropped result, or `?` while the event is not finished.
    """
    heads = ["rank", "player", "club", "category", "total", "wins", "best"]
    for event in table.events:
        heads += [f"{event.event.slug} {word}" for word in ("place", "points", "counts")]
    return sheets.text(heads, (list(_cells(table, row)) for row in table.rows))


def _cells(table: SeriesTable, row: Row) -> Iterator[Value]:
    person = table.people[row.person]
    yield from (row.rank, person.name, person.club, ", ".join(person.labels))
    yield from (decimal_text(row.total), row.wins, decimal_text(row.best))
    terms = {term.event: term for term in row.terms}
    for number in range(len(table.events)):
        term = terms.get(number)
        if term is None:
            yield from ("", "", "")
        else:
            yield from (term.rank, decimal_text(term.points), _FATES[term.fate])


def archive_of(table: SeriesTable) -> SeriesArchive:
    """Return the archive of the series in its current state."""
    series = table.series
    return SeriesArchive(
        schema=series_archive.SCHEMA,
        name=series.name,
        slug=series.slug,
        url=settings.SITE_URL + series.get_absolute_url(),
        rules=series_archive.rules_of(table.rules),
        events=tuple(_event(each) for each in table.events),
        totals=tuple(
            series_archive.total_of(row, table.people[row.person].name) for row in table.rows
        ),
    )


def _event(each: SeriesEvent) -> ArchivedSeriesEvent:
    event = each.event
    return ArchivedSeriesEvent(
        slug=event.slug,
        name=event.name,
        url=settings.SITE_URL + event.get_absolute_url(),
        is_final=each.is_final,
        possible_halves=each.possible_halves,
        standings=tuple(
            ArchivedPlace(
                row.entry.tpn or 0, row.entry.player.name, row.rank, row.points_halves, row.person
            )
            for row in each.rows
        ),
    )
