"""Winners of the prizes of an event by its standings, and the organiser's confirmed awards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from tournaments.models import Award as AwardRow
from tournaments.models import AwardList, Entry, Event
from tournaments.queries import formats
from tournaments.queries.events import prizes
from tournaments.queries.results import categories, standings, tables
from tournaments.queries.results.round_seats import History, RoundSeat
from tournaments.queries.results.standings import EventTable
from tournaments.standings.field import PLAYED
from tournaments.standings.prizes import Award, Candidate, Category, Fund, Prize
from tournaments.standings.prizes import awards as awards_of_fund


@dataclass(frozen=True, slots=True)
class Winner:
    """An award with the entry that gets it."""

    entry: Entry
    award: Award


@dataclass(frozen=True, slots=True)
class EventAwards:
    """The prizes by the standings.

    Attributes:
        fund: the prizes and their rules.
        currency: that of all sums, which are in its minor units.
        winners: the awards, the better placed player first.
        remaining: prizes without an entitled player, with their category and place.
        entries: all players of the standings, by pairing number.
    """

    fund: Fund
    currency: str
    winners: Sequence[Winner]
    remaining: Sequence[tuple[Category, int, Prize]]
    entries: Mapping[int, Entry]

    @property
    def total(self) -> int:
        """All that is paid, in minor units."""
        return sum(winner.award.amount for winner in self.winners)

    def rows(self) -> list[AwardRow]:
        """The awards as rows, not saved and in no list."""
        return [
            AwardRow(
                entry=winner.entry,
                position=position,
                place=winner.award.place,
                amount=winner.award.amount,
                words="; ".join(winner.award.words),
                **prizes.columns_of(winner.award.category),
            )
            for position, winner in enumerate(self.winners, start=1)
        ]


def of_event(event: Event, table: EventTable | None = None) -> EventAwards | None:
    """Return the prizes by the current standings, or by `table`; None in an event without prizes."""
    row = prizes.row_of(event)
    fund = prizes.fund_in(row)
    if not fund.prizes:
        return None
    table = table or tables.event_table(event)
    # Games are counted only if the fund requires some.
    has_rounds = not formats.of(event).is_continuous
    history = standings.histories(event) if has_rounds and fund.rules.least_games else {}
    return of_table(event, fund, row.currency, table, history)


def of_table(
    event: Event, fund: Fund, currency: str, table: EventTable, history: History
) -> EventAwards:
    """Return the prizes by the given table, without the database."""
    entries = {row.entry.tpn or 0: row.entry for row in table.rows}
    outcome = awards_of_fund(fund, candidates(event, table, history))
    return EventAwards(
        fund,
        currency,
        [Winner(entries[award.id], award) for award in outcome.awards],
        outcome.remaining,
        entries,
    )


def candidates(event: Event, table: EventTable, history: History) -> list[Candidate]:
    """Return all players of the standings in the form of the rules of prizes.

    Ratings are whole points at the start.
    """
    is_by_points = formats.of(event).is_ranked_by_points
    year = categories.year_of(event)
    return [
        Candidate(
            id=row.entry.tpn or 0,
            rank=row.rank,
            score=row.points_halves if is_by_points else -row.rank,
            points_halves=row.points_halves,
            games=_games(row.games, history.get(row.entry.pk, {})),
            is_out=row.is_annulled or row.entry.state == Entry.State.WITHDRAWN,
            **asdict(categories.member_of(row.entry, year)),
        )
        for row in table.rows
    ]


def _games(count: int | None, history: Mapping[int, RoundSeat]) -> int:
    """Return the number of games that were played to an end, without byes, forfeits and games in progress."""
    if count is not None:
        return count
    return sum(each.outcome in PLAYED for seat in history.values() for each in seat.by_game)


def confirmed_rows(awards: AwardList) -> list[AwardRow]:
    """The rows of a confirmed list, with entries and players."""
    return list(awards.awards.select_related("entry__player"))


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
