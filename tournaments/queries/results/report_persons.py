"""Titles, sexes, birth dates and national ratings of the players of a report file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tournaments import trf
from tournaments.models import Entry, Event
from tournaments.queries.events import personal_data


def with_persons(event: Event, report: trf.Report, *, has_birth_dates: bool) -> trf.Report:
    """Return the report of the event with the personal data of the players, birth dates as years unless `has_birth_dates`.

    A player with a national rating or number has a record of the federation.
    """
    entries = _entries(event)
    players = tuple(
        player._replace(
            sex=entries[player.id].sex,
            title=entries[player.id].title,
            born=personal_data.report_birth(entries[player.id].birth, is_full=has_birth_dates),
        )
        for player in report.players
    )
    nationals = tuple(_nationals(event, players, entries))
    return report._replace(players=players, headers=(*report.headers, *nationals))


def _entries(event: Event) -> Mapping[int, Entry]:
    """Return the players by their numbers in the file: those of teams count on from team to team."""
    if not event.is_of_teams:
        return {each.tpn or 0: each for each in event.entries.exclude(tpn=None)}
    return dict(enumerate(event.entries.members(), start=1))


def _nationals(
    event: Event, players: tuple[trf.Player, ...], entries: Mapping[int, Entry]
) -> Iterator[trf.Header]:
    for player in players:
        entry = entries[player.id]
        code = event.federation or entry.federation
        if code and (entry.national_centielo or entry.national_id):
            rating = entry.national_centielo and round(entry.national_centielo / 100)
            national = player._replace(
                rating=rating,
                fide_id=entry.national_id[:11],
                points_halves=None,
                place=None,
            )
            yield trf.national_header(code, national)
