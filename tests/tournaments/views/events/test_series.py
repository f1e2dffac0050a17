"""The pages of series for visitors and the organiser."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.tournaments import pages, shared_rows
from tests.tournaments.series_events import RULES, finished, play_round, registered, series_of
from tournaments.models import Event, Series
from tournaments.queries.events.player_lists import ListedPlayer
from tournaments.services import enqueue
from tournaments.services.accounts import players
from tournaments.services.results import computations
from tournaments.services.series import tables
from tournaments.standings.series import Rules

_FORM = {"name": "League", "method": "places", "place_points": "9, 5 1", "shared": "higher"}


class _Rows:
    """A series of two finished events and a running one, of which the best result counts."""

    def __init__(self) -> None:
        self.ana = ana = players.sign_up(name="Ana", password="rayuela-1963")
        sur = [ListedPlayer("Al", category="U18"), ListedPlayer("Bo", club="Sur")]
        listed = [ListedPlayer(name) for name in ("Al", "Di")]
        self.event = finished(ana, "May", *sur)
        events = (self.event, finished(ana, "June", *reversed(sur)))
        running = registered(ana, "July", listed, cycles=2)
        rules = Rules(place_points=RULES.place_points, best=1)
        self.series = series_of(ana, *events, play_round(running), rules=rules)


@pytest.fixture(scope="module")
def rows_of_file(transaction_of_file: None) -> _Rows:
    return _Rows()


ana = shared_rows.part("ana")
series = shared_rows.part("series")
event = shared_rows.part("event")


@pytest.fixture
def organiser(rows: _Rows) -> Client:
    return pages.member(rows.ana)


def _text(client: Client, path: str) -> str:
    return " ".join(pages.text_of(client.get(path).content).split())


def test_the_page_has_the_table_the_events_and_the_rules_in_words(
    client: Client, series: Series
) -> None:
    text = _text(client, series.get_absolute_url())
    assert "1 Al 10 10 (1) 10 (1) 10 * (1) 2 Bo Sur 6 6 (2) 6 (2) 3 Di 0 6 * (2)" in text
    assert "Points by place in each event: 10, 6, 4, 3." in text
    assert "The best result of each player counts." in text
    assert "A result with * is provisional" in text


def test_a_total_opens_into_its_terms(client: Client, series: Series) -> None:
    (key,) = [p.key for p in tables.of(series).people.values() if p.name == "Al"]
    text = _text(client, f"{series.get_absolute_url()}?of={key}")
    assert "Al: 10 10 = 10" in text
    assert "May 1 10 place 1 counts" in text
    assert "June 1 10 place 1 dropped: The best result of each player counts." in text
    assert "July 1 10 place 1 provisional: the event is not finished" in text


def test_a_category_or_a_club_shows_its_players(client: Client, series: Series) -> None:
    text = _text(client, f"{series.get_absolute_url()}?club=sur")
    assert "Standings: sur" in text
    assert "1 Bo Sur 6 6 (2)" in text
    assert "Al 10" not in text
    assert "Bo Sur" not in _text(client, f"{series.get_absolute_url()}?category=U18")


def test_the_files_can_be_loaded(client: Client, series: Series) -> None:
    for name, kind in (("series.csv", "text/csv"), ("series.json", "application/json")):
        response = client.get(series.get_absolute_url() + name)
        assert response.status_code == 200
        assert response["Content-Type"].startswith(kind)


def test_events_and_their_list_lead_to_it(client: Client, series: Series, event: Event) -> None:
    for path in (event.get_absolute_url(), "/events/"):
        assert series.get_absolute_url() in client.get(path).content.decode()


def test_an_organiser_creates_one_and_changes_it(organiser: Client, event: Event) -> None:
    response = organiser.post("/series/new/", _FORM)
    assert response["Location"] == "/series/league/desk/"
    row = Series.objects.get(slug="league")
    assert (row.place_points, row.shared, row.best) == ("9 5 1", "higher", 0)
    organiser.post(
        "/series/league/act/", {"act": "add", "address": f"https://x.example/events/{event.slug}/"}
    )
    assert row.events.get().event == event
    form = {**_FORM, "method": "percent", "best": "2"}
    assert organiser.post("/series/league/desk/", form).status_code == 302
    row.refresh_from_db()
    assert (row.method, row.best) == ("percent", 2)
    response = organiser.post("/series/league/act/", {"act": "delete"})
    assert response["Location"] == "/events/"


@pytest.mark.parametrize("points", ["five", "1 2", "", "9.5"])
@pytest.mark.parametrize("path", ["/series/new/", "/series/cup/desk/"])
def test_bad_points_are_refused_on_the_form(organiser: Client, path: str, points: str) -> None:
    response = organiser.post(path, {**_FORM, "place_points": points})
    assert response.status_code == 422
    assert "Points by place are up to 200 whole numbers" in response.content.decode()


@pytest.mark.long
def test_rows_are_joined_and_restored_by_the_page(organiser: Client, series: Series) -> None:
    keys = {p.name: p.key for p in tables.of(series).people.values()}
    form = {"act": "join", "person": keys["Bo"], "other": keys["Di"], "next": "/series/cup/desk/"}
    organiser.post("/series/cup/act/", form)
    assert "Di is Bo." in _text(organiser, "/series/cup/desk/")
    organiser.post("/series/cup/act/", {"act": "restore", "person": keys["Di"]})
    assert not series.people.exists()
    form["other"] = keys["Al"]
    response = organiser.post("/series/cup/act/", form, follow=True)
    assert "so they are two people" in response.content.decode()


@pytest.mark.long
def test_a_series_of_large_events_waits_for_their_standings(
    organiser: Client, series: Series, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[int] = []
    monkeypatch.setattr(computations, "LARGE", 1)
    monkeypatch.setattr(enqueue, "computation", sent.append)
    for path in ("", "series.csv", "series.json", "desk/"):
        assert organiser.get(series.get_absolute_url() + path).status_code == 202
    # The first visitor has sent for a worker for each event.
    assert len(sent) == 3
    for pk in sent:
        computations.work(pk)
    response = organiser.get(series.get_absolute_url())
    assert response.status_code == 200
    assert "1 Al 10" in " ".join(pages.text_of(response.content).split())
