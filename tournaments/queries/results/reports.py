"""Events as FIDE report files (TRF), from which any program can pair the rounds again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from tournaments import trf
from tournaments.models import ByeRequest, Entry, Event, Round
from tournaments.queries.events import personal_data
from tournaments.queries.results import (
    rated_results,
    report_comments,
    report_records,
    standings,
    tables,
    ties,
)
from tournaments.queries.results.report_records import Final
from tournaments.queries.results.standings import EventTable
from tournaments.standings import tie_breaks

# The date of round 1 is in column 92 of record 132, each further date ten columns later.
_DATES_COLUMN = 92
_HEADER_COLUMN = 5


def trf_of(event: Event) -> str:
    """Return the event's rounds that have all their results as TRF-2026 text.

    The side with the first ply is the file's White.

    It contains requested byes of rounds to come, so that another program can pair the next round.
    Ranks are those of the event's page. Corrections of results are comments (`###`).
    """
    return trf.write(_report(event))


def full_trf_of(event: Event) -> str:
    """Return the rating report for the federation: TRF-2026 with birth dates and the results for ratings."""
    report = _report(event, has_birth_dates=True)
    return trf.write(rated_results.with_rated_results(event, report))


def trf_2025_of(event: Event) -> str:
    """Return the TRF-2026 report with the older code of the Dutch system, for engines that do not know `FIDE_DUTCH_2026`."""
    return trf.write(_report(event), is_code_2025=True)


def trf16_of(event: Event) -> str:
    """The event as TRF16 with the extensions of JaVaFo and bbpPairings, for older programs."""
    return trf.write16(_report(event))


def _report(event: Event, *, has_birth_dates: bool = False) -> trf.Report:
    closed_rounds = _rounds_with_results(event)
    table = tables.event_table(event, rounds=closed_rounds)
    bye_requests = ByeRequest.objects.filter(
        entry__event=event, entry__tpn__isnull=False, round_number__gt=closed_rounds
    )
    final = Final(
        {row.entry.pk: row.place for row in table.rows if row.place is not None},
        [
            *_dates(event, closed_rounds),
            *_comments(report_comments.departures(event)),
            *_tie_breaks(event, table),
            *_comments(report_comments.of_event(event, table, closed_rounds)),
        ],
    )
    report = report_records.report(
        event, closed_rounds, list(bye_requests.order_by("round_number", "entry__tpn")), final
    )
    return _with_persons(event, report, has_birth_dates=has_birth_dates)


def _rounds_with_results(event: Event) -> int:
    """The closed rounds, and the one over the board whose results have all been entered."""
    closed_rounds = event.rounds.filter(state=Round.State.CLOSED).count()
    if not event.is_over_the_board:
        return closed_rounds
    last = event.rounds.filter(state=Round.State.PUBLISHED).first()
    if last is None:
        return closed_rounds
    missing = last.pairings.without_entered_result(event)
    return closed_rounds + (not missing.exists() and not ties.open_ties(event, last))


def _dates(event: Event, rounds_total: int) -> Iterator[trf.Header]:
    """Return record 132: the days on which the rounds of the file began, in UTC, as YY/MM/DD.

    A round that was paired elsewhere began before it was stored. Otherwise its day is not known.
    """
    rounds = event.rounds.filter(number__lte=rounds_total).order_by("number")
    days = [
        day
        for each in rounds.defer("report", "problem", "evidence")
        for day in [_day(each)] * report_comments.columns_of_a_round(event)
    ]
    if any(days):
        words = "  ".join(f"{day:%y/%m/%d}" if day else " " * 8 for day in days)
        yield trf.Header("132", " " * (_DATES_COLUMN - _HEADER_COLUMN) + words)


def _day(round_: Round) -> datetime | None:
    day = round_.started_at or round_.published_at
    is_elsewhere = round_.engine == Round.PAIRED_ELSEWHERE
    return None if is_elsewhere and day and day >= round_.drafted_at else day


def _tie_breaks(event: Event, table: EventTable) -> Iterator[trf.Header]:
    """Records 202 and 212: the tie-breaks, and the whole order of the standings."""
    names = [each.name for each in table.tie_breaks]
    if names:
        yield trf.Header("202", ",".join(names))
        order = tie_breaks(standings.tie_break_names(event), of_teams=event.is_of_teams)
        yield trf.Header("212", ",".join(each.name for each in order))


def _comments(texts: Iterable[str]) -> Iterator[trf.Header]:
    return (trf.Header("###", text) for text in texts)


def _with_persons(event: Event, report: trf.Report, *, has_birth_dates: bool) -> trf.Report:
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
