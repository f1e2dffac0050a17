"""The tables of events: standings with their terms, crosstable, groups, the draw of a knock-out."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import Http404
from django.http.response import HttpResponseBase
from ninja import Query
from pydantic import BaseModel, Field

from tournaments.api import paging, routes
from tournaments.api.callers import ApiRequest
from tournaments.api.events import shared
from tournaments.api.operations import Operations
from tournaments.api.paging import Page, PageQuery
from tournaments.api.shapes import Shape
from tournaments.models import Event
from tournaments.queries import formats
from tournaments.queries.events import prizes
from tournaments.queries.results import (
    categories,
    club_tables,
    histories,
    result_corrections,
    standings,
    tables,
)
from tournaments.queries.results.categories import FILTERS
from tournaments.queries.results.round_seats import RoundSeat
from tournaments.queries.results.standings import EventRow, EventTable
from tournaments.queries.results.tables import DrawnSlot
from tournaments.services.results import stored_table
from tournaments.services.results.computations import computable
from tournaments.standings import Breakdown, decimal_text

operations = Operations("Standings", shared.ROUTER)


class Value(BaseModel):
    """A tie-break of a row, or null if it is undefined or was not needed."""

    name: Annotated[str, Field(description="As C.07 abbreviates it, such as BH/C1.")]
    value: str | None


class StandingsRow(shared.EntryName):
    """A row of the standings."""

    rank: Annotated[int | None, Field(description="Null for an expelled player.")]
    points_halves: int
    wins: int
    tie_breaks: list[Value]
    separated_by: Annotated[
        str,
        Field(
            description="The tie-break that put it behind the one above, `hand` for the arbiter; or empty."
        ),
    ]
    games: Annotated[int | None, Field(description="In formats without common rounds.")]
    rating_elo: Annotated[
        float | None,
        Field(description="In a ladder: that of today; null before the first rated game."),
    ]
    is_annulled: bool
    place: Annotated[
        int | None,
        Field(description="The rank among the players of the filter; null without a filter."),
    ] = None


class StandingsQuery(PageQuery):
    """The page of the standings, and a filter: players who fit all of these values."""

    age: Annotated[str, Field(max_length=80, description="`U18` or `S50`.")] = ""
    sex: Annotated[str, Field(max_length=80, description="`w` or `m`.")] = ""
    club: Annotated[str, Field(max_length=80)] = ""
    federation: Annotated[str, Field(max_length=80)] = ""
    category: Annotated[str, Field(max_length=80, description="A category of entries.")] = ""
    rating_from: Annotated[str, Field(max_length=80, description="A whole number.")] = ""
    rating_below: Annotated[str, Field(max_length=80, description="A whole number.")] = ""
    players: Annotated[str, Field(max_length=80, description="people, bots or unrated")] = ""


class CategoryPlace(shared.EntryName):
    """A player in the table of a category. `place` is the rank in the category."""

    place: int
    rank: int
    points_halves: int


class CategoryStandings(BaseModel):
    """The table of a category, best first. The category is named as in the prizes of the event."""

    kind: str
    rating_from: int | None
    rating_below: int | None
    text: str
    rows: list[CategoryPlace]


class Term(BaseModel):
    """A contribution to a value. Numbers are decimal texts.

    `strength` and `score` are the factors of the contribution. `reason` explains a difference from
    the actual result, and `cut` a contribution that does not count, each with the article of C.07.
    """

    round: int | None
    opponent: Annotated[int | None, Field(description="A pairing number.")]
    contribution: str
    strength: str | None
    score: str | None
    reason: str | None
    reason_article: str | None
    cut: str | None
    cut_article: str | None


class OpenedValue(BaseModel):
    """A value of the standings with its contributions: a sum, a mean, or another combination."""

    name: str
    article: str
    combination: str
    value: str | None
    bonus: int
    terms: list[Term]


class OpenedRow(StandingsRow):
    """A row of the standings with the terms of every value. `values` begin with the points."""

    values: list[OpenedValue]


class Cell(BaseModel):
    """A round of a player: at a board or without an opponent."""

    round: int
    opponent: Annotated[int | None, Field(description="A pairing number.")]
    side: Annotated[str | None, Field(description="first or second, in the first game")]
    kind: Annotated[str, Field(description="first, second, or the kind of the bye")]
    outcome: Annotated[
        str | None,
        Field(
            description="win, draw, loss, forfeit-win, forfeit-loss, void; null while it is open"
        ),
    ]
    points_halves: int | None
    games: list[int]
    is_corrected: bool


class CrossRow(shared.EntryName):
    """A row of the crosstable, in the order of the standings. `cells` are the rounds of the player."""

    rank: int
    points_halves: int
    cells: list[Cell]


class SectionRow(shared.EntryName):
    """A row of a group or a division."""

    rank: int
    points_halves: int
    sonneborn_quarters: int
    wins: int
    movement: Annotated[str, Field(description="up, down, qualified or empty")]
    is_by_number: bool


class Section(Shape):
    """A group, or a division of a season. `season` is 0 for groups."""

    number: int
    season: int
    rows: list[SectionRow]


class Slot(Shape):
    """One half of a tie, as far as it is known. `from_tie` is the tie whose winner takes it."""

    entry: shared.EntryName | None
    seed: int | None
    score_halves: int | None
    is_winner: bool
    is_bye: bool
    from_tie: int | None
    takes_loser: bool


class Tie(Shape):
    """Two who play until one of them is out."""

    number: int
    upper: Slot
    lower: Slot


class DrawRound(Shape):
    """The ties of a bracket in a round of the event."""

    bracket: Annotated[str, Field(description="winners, third, losers, final or reset")]
    round: int
    ties: list[Tie]


class ClubStanding(Shape):
    """A club with its players, by entry: those that count, and its others."""

    rank: int
    club: str
    points_halves: int
    places: Annotated[int, Field(description="The sum of the places of the players that count.")]
    counting: list[int]
    others: list[int]


@operations.get("/events/{slug:event}/clubs", "event-clubs", routes.OPEN)
def event_clubs(request: ApiRequest, event: str) -> list[ClubStanding]:
    """Return the table of clubs, best first; empty if the event has none."""
    row = shared.event_of(request, event)
    if not club_tables.has_table(row):
        return []
    clubs = club_tables.of_rows(stored_table.of(row).rows, row.club_players)
    return [
        ClubStanding.of(
            club,
            counting=[each.entry.pk for each in club.counting],
            others=[each.entry.pk for each in club.others],
        )
        for club in clubs
    ]


@operations.get("/events/{slug:event}/categories", "event-categories", routes.OPEN)
def event_categories(request: ApiRequest, event: str) -> list[CategoryStandings]:
    """Return the table of each category of the prizes; empty if the event has none."""
    row = shared.event_of(request, event)
    if not categories.declared(row):
        return []
    return [
        CategoryStandings.model_validate(
            {
                **prizes.columns_of(each.category),
                "rows": [
                    CategoryPlace.of(
                        line.row,
                        **shared.entry_name(line.row.entry).model_dump(),
                        place=line.place,
                    )
                    for line in each.part.rows()
                ],
            }
        )
        for each in categories.tables(row, stored_table.of(row))
    ]


@operations.get_later(
    "/events/{slug:event}/standings", "event-standings", routes.OPEN, answer=Page[StandingsRow]
)
def event_standings(
    request: ApiRequest, event: str, query: Query[StandingsQuery]
) -> HttpResponseBase:
    """Return the standings, best first, without the results of unfinished games.

    The terms of a row's values are at `standings/` with its pairing number.
    """
    row = shared.event_of(request, event)
    table = stored_table.of(row)
    chosen = []
    if categories.has_parts(row):
        chosen = categories.chosen(query.model_dump(include=set(FILTERS)), categories.choices(row))
    if chosen:
        part = categories.part(row, table, chosen).rows()
        rows = [_row(table, each.row, place=each.place) for each in part]
    else:
        rows = [_row(table, each) for each in table.rows]
    return paging.answer_all(request, rows, query)


@operations.get_later(
    "/events/{slug:event}/standings/{int:number}", "event-standing", routes.COMPUTED
)
def standing(request: ApiRequest, event: str, number: int) -> OpenedRow:
    """Return a row of the standings by pairing number, with the terms of each of its values."""
    row = shared.event_of(request, event)
    if not row.entries.filter(tpn=number).exists():
        raise Http404
    return OpenedRow.model_validate(_opened_row.of(row, number))


@operations.get_later(
    "/events/{slug:event}/crosstable", "event-crosstable", routes.OPEN, answer=Page[CrossRow]
)
def crosstable(request: ApiRequest, event: str, query: Query[PageQuery]) -> HttpResponseBase:
    """Return the opponents and results by round, or 404 in formats without common rounds."""
    row = shared.event_of(request, event)
    if formats.of(row).is_continuous:
        raise Http404
    table = stored_table.of(row)
    history = histories.of_event(row)
    corrected = result_corrections.game_ids(row)
    rows = [
        CrossRow.of(
            each,
            **shared.entry_name(each.entry).model_dump(),
            cells=[
                _cell(number, seat, corrected)
                for number, seat in sorted(history.get(each.entry.pk, {}).items())
            ],
        )
        for each in table.rows
    ]
    return paging.answer_all(request, rows, query)


@operations.get_later(
    "/events/{slug:event}/sections", "event-sections", routes.OPEN, answer=Page[Section]
)
def sections(request: ApiRequest, event: str, query: Query[PageQuery]) -> HttpResponseBase:
    """Return the groups, or the divisions of a league in every season, the latest first."""
    row = shared.event_of(request, event)
    rows = [
        Section.of(
            section,
            rows=[
                SectionRow.of(each, **shared.entry_name(each.entry).model_dump())
                for each in section.rows
            ],
        )
        for section in tables.sections(row)
    ]
    return paging.answer_all(request, rows, query)


@operations.get_later(
    "/events/{slug:event}/draw", "event-draw", routes.OPEN, answer=Page[DrawRound]
)
def draw(request: ApiRequest, event: str, query: Query[PageQuery]) -> HttpResponseBase:
    """Return the draw of a knock-out with the ties to come, or 404 in other formats."""
    row = shared.event_of(request, event)
    if not tables.has_draw(row):
        raise Http404
    rows = [
        DrawRound.of(
            each,
            round=each.round_number,
            ties=[Tie.of(tie, upper=_slot(tie.upper), lower=_slot(tie.lower)) for tie in each.ties],
        )
        for each in tables.draw(row)
    ]
    return paging.answer_all(request, rows, query)


@computable(is_one_of_many=True)
def _opened_row(event: Event, number: int) -> dict[str, Any]:
    table = stored_table.current(event)
    own = next(each for each in table.rows if each.entry.tpn == number)
    values = []
    if not formats.of(event).is_continuous:
        field = standings.event_field(event)
        for name in ["PTS", *standings.tie_break_names(event)]:
            opened = standings.value_breakdown(event, number, name, field=field)
            values += [] if opened is None else [_opened(event, name, opened)]
    return OpenedRow(**_row(table, own).model_dump(), values=values).model_dump(mode="json")


def _row(table: EventTable, row: EventRow, *, place: int | None = None) -> StandingsRow:
    rating = row.rating_centielo
    values = row.values or [""] * len(table.tie_breaks)
    return StandingsRow.of(
        row,
        **shared.entry_name(row.entry).model_dump(),
        rank=row.place,
        tie_breaks=[
            Value(name=each.name, value=value or None)
            for each, value in zip(table.tie_breaks, values, strict=True)
        ],
        rating_elo=None if rating is None else rating / 100,
        place=place,
    )


def _opened(event: Event, name: str, opened: Breakdown) -> OpenedValue:
    count = event.games_per_pairing
    terms = []
    for each in opened.terms:
        number, reason, cut = each.round_number, each.reason, each.cut
        terms.append(
            Term(
                # In mini-matches each game is a round of the field.
                round=None if number is None else -(-number // count),
                opponent=each.opponent,
                contribution=decimal_text(each.contribution),
                strength=None if each.strength is None else decimal_text(each.strength),
                score=None if each.score is None else decimal_text(each.score),
                reason=reason.value if reason else None,
                reason_article=reason.article if reason else None,
                cut=cut.value if cut else None,
                cut_article=cut.article if cut else None,
            )
        )
    entry = opened.tie_break.entry
    return OpenedValue(
        name=name,
        article=entry.article,
        combination=entry.combination.value,
        value=None if opened.value is None else decimal_text(opened.value),
        bonus=opened.bonus,
        terms=terms,
    )


def _cell(number: int, seat: RoundSeat, corrected: frozenset[int]) -> Cell:
    games = [game.pk for game in seat.games if game is not None and game.pk]
    has_board = seat.game is not None
    return Cell(
        round=number,
        opponent=seat.opponent_tpn,
        side=("first" if seat.is_first else "second") if has_board else None,
        kind=seat.seat.kind,
        outcome=seat.outcome.value if has_board and seat.outcome else None,
        points_halves=seat.score_halves,
        games=games,
        is_corrected=not corrected.isdisjoint(games),
    )


def _slot(slot: DrawnSlot) -> Slot:
    return Slot.of(slot, entry=shared.entry_name(slot.entry) if slot.entry else None)
