"""Players in the form of the rules of prizes, and the prizes that they win."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from tournaments.models import Award as AwardRow
from tournaments.models import Entry, Event
from tournaments.queries import formats
from tournaments.queries.events import prizes
from tournaments.queries.results import categories, histories
from tournaments.queries.results.round_seats import History, RoundSeat
from tournaments.queries.results.standings import EventTable
from tournaments.standings.field import PLAYED
from tournaments.standings.prizes import Award, Candidate, Category, Fund, Prize


@dataclass(frozen=True, slots=True)
class Winner:
    """An award with the entry that gets it, and its event."""

    entry: Entry
    award: Award
    event: Event


@dataclass(frozen=True, slots=True)
class EventAwards:
    """The prizes of an event, or of a festival, by the standings.

    Attributes:
        fund: the prizes and their rules.
        currency: that of all sums, which are in its minor units.
        winners: the awards, the better placed player first.
        remaining: prizes without an entitled player, with their category and place.
        entries: all players of the standings, by the number in the awards. In an event it is the
            pairing number.
        elsewhere: players of a section who win a prize of the festival instead.
        is_after_festival: whether the prizes of the festival come before these of its section.
    """

    fund: Fund
    currency: str
    winners: Sequence[Winner]
    remaining: Sequence[tuple[Category, int, Prize]]
    entries: Mapping[int, Entry]
    elsewhere: Sequence[Entry] = ()
    is_after_festival: bool = False

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


def history_for(event: Event, *funds: Fund) -> History:
    """Return the rounds of the event if one of the funds requires games. Else nothing reads them."""
    has_rounds = not formats.of(event).is_continuous
    needs_games = any(fund.rules.least_games for fund in funds)
    return histories.of_event(event) if has_rounds and needs_games else {}
