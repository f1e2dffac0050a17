"""Parts of the standings: filters of visitors, and the tables of the categories of the prizes."""

from __future__ import annotations

import csv
import io

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments import over_board, pages
from tournaments.errors import RefusedError
from tournaments.models import Entry, Event, Player, User
from tournaments.queries.events.player_lists import ListedPlayer
from tournaments.queries.results import categories, tables
from tournaments.queries.results.standings import EventRow, EventTable
from tournaments.services.events import listed_players, prize_changes
from tournaments.services.results import sheets
from tournaments.services.rounds import lifecycle
from tournaments.standings.prizes import Category, Kind, Member

YEAR = 2026
FIELD = (
    ListedPlayer("Alba", 2000, club="Norte", federation="ESP", sex="w", birth="2008-12-31"),
    ListedPlayer("Bruno", 1900, club="Sur", federation="ESP", sex="m", birth="2007"),
    ListedPlayer("Carla", 1800, club="norte", federation="ITA", sex="w", birth="1976-12-31"),
    ListedPlayer("Dario", 1700, category="B", sex="m", birth="1977-01-01"),
    ListedPlayer("Elsa", None, sex="w"),
)


@pytest.fixture
def event(ana: User) -> Event:
    """An event of 2026 with five players that has begun: its standings have the order of the numbers."""
    event = over_board.event_of(ana, rounds_total=3)
    Event.objects.filter(pk=event.pk).update(first_day=f"{YEAR}-12-30")
    listed_players.enter_all(event_id=event.pk, actor=ana, players=FIELD)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    lifecycle.draft_next(event_id=event.pk, actor=ana)
    event.refresh_from_db()
    return event


def _chosen(event: Event, **parameters: str) -> list[tuple[int, int, str]]:
    chosen = categories.chosen(parameters, categories.choices(event))
    part = categories.part(event, tables.event_table(event), chosen)
    return [(each.place, each.row.rank, each.row.entry.player.name) for each in part.rows()]


@pytest.mark.parametrize(
    ("parameters", "names"),
    [
        # 17 or 18 in the year of the event: neither was 18 before 1 January.
        pytest.param({"age": "U18"}, ["Alba"], id="under 18 by the birth year"),
        pytest.param({"age": "u19"}, ["Alba", "Bruno"], id="under 19"),
        pytest.param({"age": "S50"}, ["Carla"], id="from 50 by the end of the year"),
        pytest.param({"sex": "w"}, ["Alba", "Carla", "Elsa"], id="sex"),
        pytest.param({"club": "NORTE"}, ["Alba", "Carla"], id="club without capitals"),
        pytest.param({"federation": "esp"}, ["Alba", "Bruno"], id="federation"),
        pytest.param({"category": "b"}, ["Dario"], id="category"),
        pytest.param({"rating_from": "1800"}, ["Alba", "Bruno", "Carla"], id="rating from"),
        pytest.param(
            {"rating_from": "1800", "rating_below": "2000"}, ["Bruno", "Carla"], id="band"
        ),
        pytest.param({"players": "unrated"}, ["Elsa"], id="unrated"),
        pytest.param({"sex": "w", "federation": "ITA"}, ["Carla"], id="both"),
        pytest.param({"players": "bots"}, [], id="none"),
    ],
)
def test_a_filter_leaves_the_players_who_fit_all_of_it(
    event: Event, parameters: dict[str, str], names: list[str]
) -> None:
    assert [name for _place, _rank, name in _chosen(event, **parameters)] == names


@pytest.mark.parametrize(
    ("parameters", "code"),
    [
        ({"age": "18"}, "filter-age"),
        ({"sex": "x"}, "filter-sex"),
        ({"club": "Oeste"}, "filter-club"),
        ({"federation": "FRA"}, "filter-federation"),
        ({"category": "C"}, "filter-category"),
        ({"rating_from": "-1"}, "filter-rating"),
        ({"rating_below": "9" * 30}, "filter-rating"),
        ({"rating_from": "1800", "rating_below": "1800"}, "filter-rating"),
        ({"players": "overall"}, "filter-players"),
    ],
)
def test_an_unknown_value_of_a_filter_is_named(
    event: Event, parameters: dict[str, str], code: str
) -> None:
    with pytest.raises(RefusedError, match=code):
        _chosen(event, **parameters)
    answer = Client().get(f"/events/{event.slug}/standings/", parameters)
    assert answer.status_code == 400
    assert 'role="alert"' in answer.content.decode()
    answer = Client().get(f"/api/v1/events/{event.slug}/standings", parameters)
    assert answer.json()["code"] == code


@given(
    ranks=st.lists(st.integers(0, 3), max_size=12).map(sorted),
    members=st.sets(st.integers(0, 11)),
)
def test_places_of_a_part_keep_order_and_ties_of_the_whole(
    ranks: list[int], members: set[int]
) -> None:
    shared = [ranks.index(rank) + 1 for rank in ranks]
    rows = [EventRow(Entry(pk=n), rank, 0, 0) for n, rank in enumerate(shared)]
    people = {n: Member(is_bot=n not in members) for n in range(len(ranks))}
    part = categories.part_of(EventTable(rows, 1), people, [Category(Kind.PEOPLE)])
    chosen = part.rows()
    assert {each.row.entry.pk for each in chosen} == members & set(range(len(ranks)))
    for each in chosen:
        assert each.place == 1 + sum(other.row.rank < each.row.rank for other in chosen)


def test_the_page_of_a_filter_shows_the_rank_in_the_list_and_in_the_whole(event: Event) -> None:
    text = pages.text_of(Client().get(f"/events/{event.slug}/standings/?sex=w").content)
    assert "3 players. The first column has the rank in this list." in text
    assert "Bruno" not in text
    assert _chosen(event, sex="w")[2][:2] in {(1, 1), (3, 5)}


@pytest.fixture
def with_prizes(event: Event, ana: User) -> Event:
    """The event with prizes for all, for women and for players under 18."""
    for kind, text in ((Kind.OVERALL, ""), (Kind.SEX, " W "), (Kind.AGE, "u18")):
        prize_changes.add(
            owner=prize_changes.OfEvent(event.pk),
            actor=ana,
            category=Category(kind, text=text),
            amount=1000,
        )
    return event


@pytest.mark.long
def test_each_category_of_the_prizes_has_a_table(with_prizes: Event) -> None:
    event = with_prizes
    text = pages.text_of(Client().get(f"/events/{event.slug}/categories/").content)
    assert "Women" in text
    assert "Under 18 years" in text
    rows = list(csv.DictReader(io.StringIO(sheets.category_tables(event).removeprefix("\ufeff"))))
    assert [(row["category"], row["name"], row["player"]) for row in rows] == [
        ("sex", "w", "Alba"),
        ("sex", "w", "Carla"),
        ("sex", "w", "Elsa"),
        ("age", "U18", "Alba"),
    ]
    women, youth = Client().get(f"/api/v1/events/{event.slug}/categories").json()
    assert [row["player"]["name"] for row in women["rows"]] == ["Alba", "Carla", "Elsa"]
    assert (youth["kind"], youth["text"], len(youth["rows"])) == ("age", "U18", 1)
    sheet = Client().get(f"/events/{event.slug}/print/categories/").content.decode()
    assert sheet.count("Alba") == 2


def test_an_address_names_the_players_of_a_table(with_prizes: Event) -> None:
    event = with_prizes
    for each in categories.tables(event, tables.event_table(event)):
        own = [(row.place, row.row.rank, row.row.entry.player.name) for row in each.part.rows()]
        assert _chosen(event, **each.query) == own


def test_an_event_without_categories_has_no_tables_of_them(event: Event) -> None:
    for path in ("categories/", "print/categories/"):
        assert Client().get(f"/events/{event.slug}/{path}").status_code == 404
    assert Client().get(f"/api/v1/events/{event.slug}/categories").json() == []


def test_members_are_read_as_the_prizes_read_them() -> None:
    entry = Entry(player=Player(kind=Player.Kind.BOT), sex="w", birth="2008-05-17", category="B")
    assert categories.member_of(entry, YEAR) == Member(is_bot=True, sex="w", age=18, labels="B")
