"""Parts of the standings: tables of the event's categories, and a visitor's filters."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournaments.errors import RefusedError
from tournaments.models import Entry, Event
from tournaments.queries import formats
from tournaments.queries.events import prizes
from tournaments.queries.results.standings import EventRow, EventTable
from tournaments.standings.prizes import BadFundError, Category, Kind, Member, labels_in

# The parameters of addresses with a text, in the order of the form, and the criterion of each.
TEXT_FILTERS: Mapping[str, Kind] = {
    "age": Kind.AGE,
    "sex": Kind.SEX,
    "club": Kind.CLUB,
    "federation": Kind.FEDERATION,
    "category": Kind.LABEL,
}
BAND = ("rating_from", "rating_below")
# The parameter `players` has the name of one of these criteria.
PLAYERS = "players"
_PLAYERS = {Kind.PEOPLE, Kind.BOTS, Kind.UNRATED}
FILTERS = (*TEXT_FILTERS, *BAND, PLAYERS)
# Age groups that the form offers: those of the World Championships.
AGE_GROUPS = ("U8", "U10", "U12", "U14", "U16", "U18", "U20", "S50", "S65")


@dataclass(frozen=True, slots=True)
class CategoryRow:
    """A row of a part of the standings. `place` counts the rows of the part, and equal players share it."""

    place: int
    row: EventRow


@dataclass(frozen=True, slots=True)
class Part:
    """The rows of the standings that belong to all of some categories, which are built when they are cut.

    Attributes:
        places: the place in the part and the index in the table of each row.
    """

    table: EventTable
    places: Sequence[tuple[int, int]]

    def __len__(self) -> int:
        return len(self.places)

    def rows(self, start: int = 0, end: int | None = None) -> list[CategoryRow]:
        """Return some of the rows, by their indices in the part."""
        chosen = self.places[start:end]
        rows = self.table.rows_at([index for _place, index in chosen])
        return [CategoryRow(place, row) for (place, _index), row in zip(chosen, rows, strict=True)]


@dataclass(frozen=True, slots=True)
class CategoryTable:
    """The standings of one category of the event."""

    category: Category
    part: Part

    @property
    def query(self) -> Mapping[str, str]:
        """The parameters of the standings that show these players."""
        return query_of(self.category)


@dataclass(frozen=True, slots=True)
class Choices:
    """The values that the entries of an event have."""

    clubs: Sequence[str]
    federations: Sequence[str]
    labels: Sequence[str]
    has_sexes: bool
    has_births: bool


def has_parts(event: Event) -> bool:
    """Return whether the standings can be filtered: a table of individuals in one list."""
    return not event.is_of_teams and not formats.of(event).has_groups


def declared(event: Event) -> list[Category]:
    """Return the categories that the prizes of the event are for, in their order, without all players."""
    if not has_parts(event):
        return []
    return [each for each in prizes.fund_of(event).by_category() if each.kind is not Kind.OVERALL]


def tables(event: Event, table: EventTable) -> list[CategoryTable]:
    """Return the table of each category that the event declares."""
    categories = declared(event)
    members = _members(event) if categories else {}
    return [CategoryTable(each, part_of(table, members, [each])) for each in categories]


def part(event: Event, table: EventTable, categories: Sequence[Category]) -> Part:
    """Return the rows of the players who belong to all of the categories."""
    return part_of(table, _members(event), categories)


def part_of(
    table: EventTable, members: Mapping[int, Member], categories: Sequence[Category]
) -> Part:
    """Return the rows of `part` from the players by the ids of their entries, without the database."""
    indices = [
        index
        for index, pk in enumerate(table.entry_ids)
        if pk in members and all(each.has(members[pk]) for each in categories)
    ]
    ranks = [table.ranks[index] for index in indices]
    return Part(
        table,
        [(bisect_left(ranks, rank) + 1, index) for rank, index in zip(ranks, indices, strict=True)],
    )


def _members(event: Event) -> dict[int, Member]:
    year = year_of(event)
    rows = event.entries.exclude(tpn=None).select_related("player")
    return {entry.pk: member_of(entry, year) for entry in rows}


def member_of(entry: Entry, year: int) -> Member:
    """Return the player in the form of the rules of categories. `year` is that of the event."""
    return Member(
        rating=entry.seed_elo,
        is_bot=entry.player.is_bot,
        club=entry.club,
        federation=entry.federation,
        labels=entry.category,
        sex=entry.sex,
        age=year - int(entry.birth[:4]) if entry.birth else None,
    )


def year_of(event: Event) -> int:
    """The year in which the event begins, which age groups depend on."""
    begin = event.started_at or event.starts_at or event.created_at
    return (event.first_day or begin.date()).year


def choices(event: Event) -> Choices:
    """Return the values that a filter can have. Only these are answered."""
    rows = list(
        event.entries.exclude(tpn=None)
        .order_by()
        .values_list("club", "federation", "category", "sex", "birth")
    )
    clubs = {" ".join(row[0].split()) for row in rows if row[0]}
    return Choices(
        clubs=sorted(clubs, key=str.casefold),
        federations=sorted({row[1] for row in rows if row[1]}),
        labels=sorted({label for row in rows for label in labels_in(row[2])}),
        has_sexes=any(row[3] for row in rows),
        has_births=any(row[4] for row in rows),
    )


def chosen(parameters: Mapping[str, str], choices: Choices) -> list[Category]:
    """Return the categories that the parameters of an address name; empty without a filter.

    Raises:
        RefusedError: `filter-age`, `filter-sex`, `filter-rating` or `filter-players` for a value
            that cannot be, `filter-club`, `filter-federation` or `filter-category` for a value that
            no player of the event has.
    """
    given = {name: text for name in FILTERS if (text := parameters.get(name, "").strip()[:80])}
    categories = [
        _checked(name, Category(kind, text=given[name]))
        for name, kind in TEXT_FILTERS.items()
        if name in given
    ]
    _require_known(given, choices)
    if any(name in given for name in BAND):
        categories.append(_band(given))
    if players := given.get(PLAYERS):
        if players not in _PLAYERS:
            raise RefusedError("filter-players", players)
        categories.append(Category(Kind(players)))
    return categories


def _checked(name: str, category: Category) -> Category:
    try:
        category.check()
    except BadFundError as error:
        raise RefusedError(f"filter-{name}", error.detail) from error
    return category


def _require_known(given: Mapping[str, str], choices: Choices) -> None:
    """Raise RefusedError for a club, a federation or a label that no player has."""
    known = {
        "club": choices.clubs,
        "federation": choices.federations,
        "category": choices.labels,
    }
    for name, values in known.items():
        category = Category(TEXT_FILTERS[name], text=given.get(name, ""))
        if category.text and not any(map(category.is_text, values)):
            raise RefusedError(f"filter-{name}", category.text)


def _band(given: Mapping[str, str]) -> Category:
    numbers = {}
    for name in BAND:
        text = given.get(name, "")
        if text and not (text.isascii() and text.isdigit() and int(text) <= prizes.MAX_RATING):
            raise RefusedError("filter-rating", text)
        numbers[name] = int(text) if text else None
    low, high = (numbers[name] for name in BAND)
    return _checked("rating", Category(Kind.RATING, low, high))


def query_of(category: Category) -> Mapping[str, str]:
    """Return the parameters that name the category; empty for all players."""
    if category.kind in _PLAYERS:
        return {PLAYERS: category.kind.value}
    band = {name: getattr(category, name) for name in BAND}
    texts = {name: category.text for name, kind in TEXT_FILTERS.items() if kind is category.kind}
    return {**texts, **{name: str(each) for name, each in band.items() if each is not None}}
