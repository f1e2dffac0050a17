"""The table of a series, computed at each request from the standings of its events (law 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tournaments.models import Entry, Event, Player, Series
from tournaments.queries.events import series as queries
from tournaments.services.results import stored_table
from tournaments.services.results.computations import ComputingError
from tournaments.standings import series as standings
from tournaments.standings.prizes import Category, Kind, labels_in
from tournaments.standings.series import Row, Rules

_PLAYED = {Event.State.RUNNING, Event.State.FINISHED}


@dataclass(frozen=True, slots=True)
class Placed:
    """A row of an event's standings. `person` is None if the entry has no result in the series."""

    entry: Entry
    rank: int
    points_halves: int
    person: str | None


@dataclass(frozen=True, slots=True)
class SeriesEvent:
    """An event of the series with its standings. They are empty before its start and after a cancellation."""

    event: Event
    possible_halves: int
    is_final: bool
    rows: Sequence[Placed]


@dataclass(frozen=True, slots=True)
class Person:
    """A person as entered in the last event. `player` has the page of an account or a bot.

    `entries` are those of the person by the number of the event, from 0.
    """

    key: str
    name: str
    player: Player
    club: str
    labels: Sequence[str]
    entries: Mapping[int, Entry]


@dataclass(frozen=True, slots=True)
class SeriesTable:
    """The table of a series with its events and people. `rows` are those of a category if one was chosen."""

    series: Series
    rules: Rules
    events: Sequence[SeriesEvent]
    people: Mapping[str, Person]
    rows: Sequence[Row]

    def of_category(self, *, label: str = "", club: str = "") -> Sequence[Row]:
        """Return the rows of a label, of a club or of both, with their own ranks."""

        def belongs(person: Person) -> bool:
            is_labelled = Category(Kind.LABEL, text=label).has_label(" ".join(person.labels))
            is_of_club = Category(Kind.CLUB, text=club).is_text(person.club)
            return (not label or is_labelled) and (not club or is_of_club)

        if not label and not club:
            return self.rows
        return standings.ranked([row for row in self.rows if belongs(self.people[row.person])])


def of(series: Series) -> SeriesTable:
    """Return the table for a visitor. Raises ComputingError while a large event has no standings."""
    same_as = dict(series.people.values_list("key", "same_as"))
    events = _events(series, same_as)
    rules = queries.rules_of(series)
    rows = standings.table([input_of(each) for each in events], rules)
    return SeriesTable(series, rules, events, _people(events), rows)


def _events(series: Series, same_as: Mapping[str, str]) -> list[SeriesEvent]:
    """Return the events. If several are being computed, workers compute them simultaneously."""
    events, computing = [], None
    for event in queries.events_of(series):
        try:
            events.append(_event(event, same_as))
        except ComputingError as error:
            computing = error
    if computing is not None:
        raise computing
    return events


def _event(event: Event, same_as: Mapping[str, str]) -> SeriesEvent:
    rows = stored_table.of(event).rows if event.state in _PLAYED else ()
    played = queries.with_games(event) if rows else set()
    counting = [
        row.entry
        for row in rows
        if row.entry.pk in played and not row.is_annulled and not row.entry.is_expelled
    ]
    persons = standings.persons(map(queries.signature, counting), same_as)
    return SeriesEvent(
        event,
        queries.possible_halves(event, len(rows)),
        event.state == Event.State.FINISHED,
        [
            Placed(row.entry, row.rank, row.points_halves, persons.get(f"entry:{row.entry.pk}"))
            for row in rows
        ],
    )


def input_of(event: SeriesEvent) -> standings.Event:
    """Return the event as the rules of series read it."""
    return standings.Event(
        [
            standings.Result(row.person, row.rank, Fraction(row.points_halves, 2))
            for row in event.rows
            if row.person is not None
        ],
        Fraction(event.possible_halves, 2),
        event.is_final,
    )


def _people(events: Sequence[SeriesEvent]) -> Mapping[str, Person]:
    entries: dict[str, dict[int, Entry]] = {}
    for number, event in enumerate(events):
        for row in event.rows:
            if row.person is not None:
                entries.setdefault(row.person, {})[number] = row.entry
    return {key: _person(key, own) for key, own in entries.items()}


def _person(key: str, entries: Mapping[int, Entry]) -> Person:
    entry = entries[max(entries)]
    # A joined row has the page of an account, if any of its entries has one.
    player = next((each.player for each in entries.values() if _has_page(each)), entry.player)
    labels = labels_in(entry.category)
    return Person(key, entry.player.name, player, entry.club, labels, entries)


def _has_page(entry: Entry) -> bool:
    return entry.player.kind in {Player.Kind.PERSON, Player.Kind.BOT, Player.Kind.REMOTE}
