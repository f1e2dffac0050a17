"""Winners of the prizes of a festival, among the players of all its sections."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from tournaments.models import Award, AwardList, Entry, Event, Festival, PrizeFund
from tournaments.queries.events import prizes, series
from tournaments.queries.results import tables
from tournaments.queries.results.prize_outcomes import (
    EventAwards,
    Winner,
    candidates,
    history_for,
)
from tournaments.queries.results.round_seats import History
from tournaments.queries.results.standings import EventTable
from tournaments.standings.prizes import Candidate, Fund
from tournaments.standings.prizes import awards as awards_of_fund

_NO_TABLES: Mapping[int, EventTable] = {}


@dataclass(frozen=True, slots=True)
class SectionTable:
    """A section with its standings and its own prizes.

    Attributes:
        history: the rounds of each player, read if one of the funds requires games.
        fund: the prizes of the section that are not awarded yet.
        awarded: the entries (ids) with a confirmed award of the section. They win no other prize.
    """

    event: Event
    table: EventTable
    history: History
    fund: Fund
    awarded: Collection[int]


class _Key(NamedTuple):
    """The order among the players of all sections: the points, then the place in the section."""

    points: Fraction
    rank: int


class _Player(NamedTuple):
    event: Event
    entry: Entry
    candidate: Candidate
    key: _Key


def has_part(event: Event) -> bool:
    """Return whether players of the section can win prizes of the festival.

    Its standings are public, it is one of individuals, and their points have one maximum.
    """
    is_public = not event.is_private and event.state != Event.State.CANCELLED
    return is_public and not event.is_of_teams and series.has_maximum(event)


def sections_of(festival: Festival) -> list[Event]:
    """Return the sections whose players can win prizes of the festival, in their order."""
    events = Event.objects.filter(section__festival=festival).order_by("section__position")
    return [event for event in events if has_part(event)]


def of_festival(festival: Festival) -> EventAwards | None:
    """Return the prizes by the current standings; None in a festival without prizes."""
    row = prizes.row_of(festival)
    return _of_fund(festival, row, prizes.standing_awards(festival))


def _of_fund(
    festival: Festival,
    row: PrizeFund,
    confirmed: AwardList | None,
    known: Mapping[int, EventTable] = _NO_TABLES,
) -> EventAwards | None:
    """Return the prizes of the festival's fund. `known` has standings by the ids of the events."""
    fund = prizes.fund_in(row)
    if not fund.prizes:
        return None
    sections = []
    for event in sections_of(festival):
        first = prizes.standing_awards(event)
        if first and confirmed and first.made_at > confirmed.made_at:
            first = None
        sections.append(_section(event, known.get(event.pk), row, first))
    return of_sections(fund, row.currency, Festival.PrizesBy(festival.prizes_by), sections)


def _section(
    event: Event, table: EventTable | None, row: PrizeFund, first: AwardList | None
) -> SectionTable:
    """Return a section of the festival with the fund of `row`.

    `first` are awards of the section that were confirmed before those of the festival.
    """
    own_row = prizes.row_of(event)
    own = prizes.fund_in(own_row)
    is_open = first is None and own_row.currency == row.currency
    return SectionTable(
        event,
        table or tables.event_table(event),
        history_for(event, prizes.fund_in(row), own),
        own if is_open else replace(own, prizes=()),
        set(first.awards.values_list("entry", flat=True)) if first else (),
    )


def of_sections(
    fund: Fund, currency: str, prizes_by: Festival.PrizesBy, sections: Sequence[SectionTable]
) -> EventAwards:
    """Return the prizes by the given tables, without the database."""
    players = list(_players(fund, prizes_by, sections))
    funds = {number: each.fund for number, each in enumerate(sections)}
    outcome = awards_of_fund(fund, _ranked(players), funds)
    by_id = {each.candidate.id: each for each in players}
    return EventAwards(
        fund,
        currency,
        [Winner(by_id[award.id].entry, award, by_id[award.id].event) for award in outcome.awards],
        outcome.remaining,
        {number: each.entry for number, each in by_id.items()},
    )


def _players(
    fund: Fund, prizes_by: Festival.PrizesBy, sections: Sequence[SectionTable]
) -> Iterator[_Player]:
    """Yield the players with their keys. Ids count through the sections, by pairing number."""
    start = 0
    for number, section in enumerate(sections):
        entries = {row.entry.tpn or 0: row.entry for row in section.table.rows}
        is_percent = prizes_by == Festival.PrizesBy.PERCENT
        possible = series.possible_halves(section.event, len(entries)) if is_percent else 2
        least: Fraction | None = None
        rows = candidates(section.event, section.table, section.history)
        for each in sorted(rows, key=lambda candidate: (candidate.rank, candidate.id)):
            points = Fraction(each.points_halves, possible or 1)
            # No player passes a better placed one of the section, also where places do not follow
            # from points.
            least = points if least is None else min(least, points)
            entry = entries[each.id]
            is_out = each.is_out or (entry.pk in section.awarded and not fund.rules.is_cumulative)
            candidate = replace(each, id=start + each.id, section=number, is_out=is_out)
            yield _Player(section.event, entry, candidate, _Key(-least, each.rank))
        start += max(entries, default=0)


def _ranked(players: Sequence[_Player]) -> list[Candidate]:
    """Return the players with their places among all. Equals have equal points."""
    keys = sorted(each.key for each in players)
    points = [key.points for key in keys]
    return [
        replace(
            each.candidate,
            rank=bisect_left(keys, each.key) + 1,
            score=-bisect_left(points, each.key.points),
        )
        for each in players
    ]


def festival_before(event: Event) -> Festival | None:
    """Return the festival whose prizes come before those of this section; None without such prizes."""
    fund = prizes.festival_fund(event)
    return fund.festival if fund is not None and has_part(event) else None


def winners_in(event: Event, table: EventTable) -> Collection[int] | None:
    """Return the entries (ids) of a section that win a prize of the festival, and so none of the section.

    Return None without such prizes.
    """
    fund = prizes.festival_fund(event)
    if fund is None or fund.festival is None or not has_part(event):
        return None
    confirmed = prizes.standing_awards(fund.festival)
    if confirmed is not None:
        rows = Award.objects.filter(list=confirmed, entry__event=event)
        return set(rows.values_list("entry", flat=True))
    outcome = _of_fund(fund.festival, fund, confirmed, {event.pk: table})
    won = outcome.winners if outcome else ()
    return {winner.entry.pk for winner in won if winner.event == event}
