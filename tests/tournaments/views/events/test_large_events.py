"""Pages of a large event: windows of long lists, work that does not grow, answers that are kept and tagged."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments import large_events
from tests.tournaments.frozen_clock import freeze
from tournaments import database_time
from tournaments.models import Event, Game
from tournaments.services.notifications import news
from tournaments.services.results import stored_table
from tournaments.services.results.computations import ComputingError

pytestmark = pytest.mark.django_db


@pytest.fixture
def large() -> Event:
    return large_events.published(250, "Large")


def _address(event: Event, name: str, *args: object) -> str:
    return reverse(name, args=[event.slug, *args])


@pytest.mark.long
@pytest.mark.parametrize("name", ["event-standings", "event-crosstable"])
def test_a_long_list_is_shown_a_hundred_rows_at_a_time(large: Event, name: str) -> None:
    address = _address(large, name)
    first, last = (Client().get(address, {"page": page}).content.decode() for page in (1, 3))
    assert "Page 1 of 3" in first
    assert "Large 000" in first
    assert "Large 249" not in first
    assert "Large 249" in last
    assert "Large 000" not in last


@pytest.mark.long
def test_every_board_is_on_one_of_the_pages(large: Event) -> None:
    address = _address(large, "event-round", 1)
    pages = [Client().get(address, {"page": page}).content.decode() for page in (1, 2)]
    for board in (1, 100, 101, 125):
        mark = f'/boards/{board}/"'
        assert [mark in page for page in pages] == [board <= 100, board > 100]


@pytest.mark.long
def test_a_player_is_found_on_the_page_where_the_name_stands(large: Event) -> None:
    address = _address(large, "event-standings")
    page = Client().get(address, {"find": "large 177"}).content.decode()
    assert "Large 177" in page
    assert "Page 2 of 3" in page
    assert "No one in this list" in Client().get(address, {"find": "Nemo"}).content.decode()


@pytest.mark.long
def test_an_unchanged_page_is_answered_304_and_a_changed_or_old_one_is_not(
    large: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = freeze(monkeypatch)
    address = _address(large, "event-standings")
    tag = Client().get(address).headers["ETag"]
    again = Client().get(address, headers={"if-none-match": tag})
    assert (again.status_code, again.content) == (304, b"")
    clock.sleep(seconds=30)
    later = Client().get(address, headers={"if-none-match": tag})
    assert later.status_code == 200
    news.announce(news.of_event(large.pk), "result", {})
    changed = Client().get(address, headers={"if-none-match": later.headers["ETag"]})
    assert changed.status_code == 200


@pytest.mark.long
def test_a_result_is_in_the_file_at_once(large: Event) -> None:
    address = _address(large, "event-pairings-csv")
    before = Client().get(address).content
    game = Game.objects.filter(pairing__event=large).order_by("pk")[0]
    game.stop_turn()
    game.result, game.ending, game.ended_at = "first", Game.Ending.RULES, database_time.now()
    game.save()
    news.announce(news.of_event(large.pk), "result", {"game": game.pk})
    assert Client().get(address).content != before


def test_nothing_of_a_private_event_is_tagged(large: Event) -> None:
    Event.objects.filter(pk=large.pk).update(access_code="sesame")
    answer = Client().get(_address(large, "event-standings"), {"code": "sesame"})
    assert "ETag" not in answer.headers
    assert "public" not in answer.headers.get("Cache-Control", "")


@pytest.mark.long
def test_a_page_that_is_being_computed_says_so_and_renews_itself(
    large: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_args: object, **_kwargs: object) -> None:
        raise ComputingError("table")

    monkeypatch.setattr(stored_table, "answer", busy)
    answer = Client().get(_address(large, "event-standings"))
    assert (answer.status_code, answer.headers["Retry-After"]) == (202, "2")
    assert "being computed" in answer.content.decode()
    assert '<meta http-equiv="refresh"' in answer.content.decode()


@pytest.mark.long
def test_members_see_their_own_page_and_not_a_kept_one(large: Event) -> None:
    address = _address(large, "event-standings")
    Client().get(address)
    member = Client()
    member.force_login(large.organiser)
    answer = member.get(address)
    assert "ETag" not in answer.headers
    assert reverse("sign-out") in answer.content.decode()
    assert reverse("sign-out") not in Client().get(address).content.decode()
