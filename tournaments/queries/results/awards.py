"""Winners of the prizes of an event by its standings, and the organiser's confirmed awards."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from tournaments.models import Award as AwardRow
from tournaments.models import AwardList, Event
from tournaments.queries.events import prizes
from tournaments.queries.events.prizes import Owner
from tournaments.queries.results import festival_awards, tables
from tournaments.queries.results.prize_outcomes import (
    EventAwards,
    Winner,
    candidates,
    history_for,
)
from tournaments.queries.results.round_seats import History
from tournaments.queries.results.standings import EventTable
from tournaments.standings.prizes import Fund
from tournaments.standings.prizes import awards as awards_of_fund


def of_event(event: Event, table: EventTable | None = None) -> EventAwards | None:
    """Return the prizes by the current standings, or by `table`; None in an event without prizes."""
    row = prizes.row_of(event)
    fund = prizes.fund_in(row)
    if not fund.prizes:
        return None
    table = table or tables.event_table(event)
    history = history_for(event, fund)
    elsewhere = festival_awards.winners_in(event, table)
    outcome = of_table(event, fund, row.currency, table, history, elsewhere or ())
    return replace(outcome, is_after_festival=elsewhere is not None)


def of_owner(owner: Owner) -> EventAwards | None:
    """Return the prizes of an event or a festival by the current standings; None without prizes."""
    return of_event(owner) if isinstance(owner, Event) else festival_awards.of_festival(owner)


def of_table(
    event: Event,
    fund: Fund,
    currency: str,
    table: EventTable,
    history: History,
    elsewhere: Collection[int] = (),
) -> EventAwards:
    """Return the prizes by the given table, without the database.

    `elsewhere` are the entries (ids) that win a prize of the festival, and therefore none here.
    """
    entries = {row.entry.tpn or 0: row.entry for row in table.rows}
    outcome = awards_of_fund(
        fund,
        [
            replace(each, is_out=each.is_out or entries[each.id].pk in elsewhere)
            for each in candidates(event, table, history)
        ],
    )
    return EventAwards(
        fund,
        currency,
        [Winner(entries[award.id], award, event) for award in outcome.awards],
        outcome.remaining,
        entries,
        [entry for entry in entries.values() if entry.pk in elsewhere],
    )


def confirmed_rows(awards: AwardList) -> list[AwardRow]:
    """Return the rows of a confirmed list, with entries and players.

    Winners of a festival in a section that has become private are left out.
    """
    rows = awards.awards.select_related("entry__player", "entry__event")
    return list(rows.exclude(entry__event__is_private=True) if awards.festival_id else rows)


def key(row: AwardRow) -> tuple[object, ...]:
    """Return the values in which two rows must agree to be one award."""
    return row.entry_id, *prizes.columns_of(prizes.category_of(row)).values(), row.amount, row.words


def differ(rows: Sequence[AwardRow], others: Sequence[AwardRow]) -> bool:
    """Return whether these awards are other ones."""
    return sorted(map(str, map(key, rows))) != sorted(map(str, map(key, others)))


def by_entry(rows: Sequence[AwardRow]) -> Mapping[int, Sequence[AwardRow]]:
    """The awards of each player, by the id of the entry."""
    own: dict[int, list[AwardRow]] = {}
    for row in rows:
        own.setdefault(row.entry_id, []).append(row)
    return own
