"""Computations about a large event: a worker computes each once, and every process reads its row."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from tests.tournaments import large_events
from tests.tournaments.frozen_clock import freeze
from tournaments import database_time, limits, tasks
from tournaments.models import Event, Player, Round, Throttle
from tournaments.queries.results import tables
from tournaments.services import enqueue
from tournaments.services.account_data import deletion
from tournaments.services.accounts import players
from tournaments.services.notifications import news
from tournaments.services.results import builds, computations, event_document, stored_table
from tournaments.views.events import pages

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def rows_of_file(transaction_of_file: None) -> Event:
    return large_events.published(30, "Large")


@pytest.fixture
def event(rows: Event, monkeypatch: pytest.MonkeyPatch) -> Event:
    monkeypatch.setattr(computations, "LARGE", 20)
    return rows


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The rows for which a worker was sent and has not come."""
    pks: list[int] = []
    monkeypatch.setattr(enqueue, "computation", pks.append)
    return pks


def _address(event: Event, name: str, *args: object) -> str:
    return reverse(name, args=[event.slug, *args])


def _work(sent: list[int]) -> None:
    while sent:
        tasks.compute(sent.pop(0))


def _later(monkeypatch: pytest.MonkeyPatch, seconds: int) -> None:
    moment = database_time.now() + timedelta(seconds=seconds)
    monkeypatch.setattr(database_time, "now", lambda: moment)


@pytest.mark.long
def test_a_thousand_visitors_send_for_one_worker_and_then_find_its_answer(
    event: Event, sent: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    computed: list[Event] = []
    compute = event_document.text_of

    def text_of(event: Event) -> str:
        computed.append(event)
        return compute(event)

    monkeypatch.setattr(event_document, "text_of", text_of)
    address = _address(event, "event-json")
    answers = [Client().get(address) for _ in range(20)]
    assert {(answer.status_code, answer.headers["Retry-After"]) for answer in answers} == {
        (202, "2")
    }
    assert (len(sent), computed) == (1, [])
    _work(sent)
    for _ in range(20):
        cache.clear()  # each visitor comes to another process
        answer = Client().get(address)
        assert answer.status_code == 200
        assert len(json.loads(answer.content)["players"]) == 30
    assert len(computed) == 1


def test_a_stored_table_is_the_computed_one(event: Event, sent: list[int]) -> None:
    address = _address(event, "event-standings")
    assert Client().get(address).status_code == 202
    _work(sent)
    table = stored_table.of(event)
    computed = tables.event_table(event)
    assert isinstance(table.rows, stored_table.StoredRows)
    assert [repr(row) for row in table.rows] == [repr(row) for row in computed.rows]
    assert table.rows[3] == computed.rows[3]
    assert (table.rounds, table.tie_breaks) == (computed.rounds, tuple(computed.tie_breaks))
    assert (table.entry_ids, table.ranks) == (computed.entry_ids, computed.ranks)


def test_members_find_what_a_worker_computed_for_a_guest(event: Event, sent: list[int]) -> None:
    address = _address(event, "event-board", 1, 3)
    assert Client().get(address).status_code == 202
    _work(sent)
    member = Client()
    member.force_login(players.sign_up(name="Ana", password="rayuela-1963"))
    answer = member.get(address)
    assert (answer.status_code, sent) == (200, [])
    assert "Why not another opponent?" in answer.content.decode()
    assert reverse("sign-out") in answer.content.decode()


def test_what_has_changed_is_computed_anew(event: Event, sent: list[int]) -> None:
    address = _address(event, "event-json")
    Client().get(address)
    _work(sent)
    assert Client().get(address).status_code == 200
    Event.objects.filter(pk=event.pk).update(name="Renamed")
    assert Client().get(address).status_code == 202
    _work(sent)
    assert json.loads(Client().get(address).content)["event"]["name"] == "Renamed"


@pytest.mark.long
def test_a_deleted_name_is_in_no_kept_table(event: Event, sent: list[int]) -> None:
    user = players.sign_up(name="Ana", password="rayuela-1963")
    event.entries.filter(tpn=5).update(player=Player.objects.get(user=user))
    address = _address(event, "event-standings")
    Client().get(address)
    _work(sent)
    assert "Ana" in Client().get(address).content.decode()
    deletion.delete_account(user=user, password="rayuela-1963")
    Client().get(_address(event, "event-standings-csv"))
    _work(sent)
    for name in ("event-standings", "event-standings-csv"):
        answer = Client().get(_address(event, name))
        assert answer.status_code == 200
        assert "Ana" not in answer.content.decode()


def test_without_a_worker_the_request_computes_by_itself(
    event: Event, sent: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    address = _address(event, "event-json")
    assert Client().get(address).status_code == 202
    assert Client().get(address).status_code == 202
    _later(monkeypatch, 20)
    assert Client().get(address).status_code == 200


@pytest.mark.long
def test_whoever_asks_while_the_event_keeps_changing_gets_an_answer(
    event: Event, sent: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    address = _address(event, "event-json")
    statuses = []
    for _ in range(7):
        _later(monkeypatch, 2)
        news.announce(news.of_event(event.pk), "result", {})
        statuses.append(Client().get(address).status_code)
        _work(sent)
    assert statuses[0] == 202
    assert 200 in statuses


@pytest.mark.parametrize("program", [False, True], ids=["page", "program"])
def test_strangers_are_refused_while_a_worker_computes_a_private_event(
    event: Event, sent: list[int], monkeypatch: pytest.MonkeyPatch, *, program: bool
) -> None:
    """No switch lets a worker, or a visitor in its thread, see more than a stranger."""
    Event.objects.filter(pk=event.pk).update(is_private=True, access_code="sesame")
    addresses = [_address(event, name) for name in ("event-json", "event-standings")]
    programs = [f"/api/v1/events/{event.slug}/{name}" for name in ("export/json", "standings")]
    statuses: list[int] = []
    compute = event_document.text_of

    def text_of(event: Event) -> str:
        statuses.extend(Client().get(each).status_code for each in [*addresses, *programs])
        return compute(event)

    monkeypatch.setattr(event_document, "text_of", text_of)
    address = programs[0] if program else addresses[0]
    assert Client().get(address).status_code == 404
    assert sent == []
    invited = Client()
    assert invited.get(address, {"code": "sesame"}).status_code == 202
    _work(sent)
    assert statuses == [404] * 4
    assert invited.get(address, {"code": "sesame"}).status_code == 200
    assert Client().get(address).status_code == 404


def test_a_computed_explanation_of_a_draft_is_shown_to_the_staff_alone(
    event: Event, sent: list[int]
) -> None:
    Round.objects.filter(event=event).update(
        state=Round.State.DRAFT, published_at=None, started_at=None
    )
    organiser = Client()
    organiser.force_login(event.organiser)
    addresses = [_address(event, "event-board", 1, 3), _address(event, "event-pairings")]
    for address in addresses:
        organiser.get(address)
    assert sent
    _work(sent)
    draft, pairings = (Client().get(address) for address in addresses)
    assert draft.status_code == 404
    assert "Large 003" not in pairings.content.decode()
    assert organiser.get(addresses[0]).status_code == 200


def test_a_result_has_the_stored_table_computed_again(
    event: Event, sent: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks.advance_event(event.pk)
    _work(sent)
    address = _address(event, "event-standings")
    assert Client().get(address).status_code == 200
    news.announce(news.of_event(event.pk), "result", {})
    monkeypatch.setattr(computations, "_SHARE", 0)
    tasks.advance_event(event.pk)
    assert len(sent) == 1
    assert "As of" in Client().get(address).content.decode()
    _work(sent)
    _later(monkeypatch, 31)  # a process keeps a page for half a minute
    assert "As of" not in Client().get(address).content.decode()


def test_the_head_of_a_kept_page_costs_no_drawing(
    event: Event, sent: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    freeze(monkeypatch)  # a process keeps a page until the next half minute
    address = _address(event, "event-standings")
    Client().get(address)
    _work(sent)
    tag = Client().get(address).headers["ETag"]
    monkeypatch.setattr(pages, "tab_context", lambda *_: pytest.fail("drawn again"))
    answer = Client().head(address)
    assert (answer.status_code, answer.headers["ETag"], answer.content) == (200, tag, b"")


def test_what_an_earlier_build_kept_is_computed_anew(
    event: Event, sent: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    address = _address(event, "event-standings")
    Client().get(address)
    _work(sent)
    assert Client().get(address).status_code == 200
    monkeypatch.setattr(builds, "BUILD", "the next")
    assert Client().get(address).status_code == 202
    assert len(sent) == 1
    _work(sent)
    assert Client().get(address).status_code == 200


@pytest.mark.parametrize(
    "query",
    [
        pytest.param({"who": "x", "other": "y"}, id="no numbers"),
        pytest.param({"who": "2", "other": "9999"}, id="nobody"),
        pytest.param({"who": "5", "other": "6"}, id="not of the board"),
        pytest.param({"other": "6"}, id="half a question"),
        pytest.param({"who": "3", "other": "06"}, id="written otherwise"),
        pytest.param({"again": "1"}, id="another word"),
    ],
)
def test_an_address_that_asks_nothing_new_is_no_computation_of_its_own(
    event: Event, sent: list[int], query: Mapping[str, str]
) -> None:
    """While a worker is sent for, and when it is done."""
    address = _address(event, "event-board", 1, 3)
    Client().get(address)
    assert Client().get(address, query).status_code == 202
    assert len(sent) == 1
    _work(sent)
    assert Client().get(address, query).status_code == 200
    assert sent == []


def test_a_question_of_the_form_is_computed_and_answered(event: Event, sent: list[int]) -> None:
    address = _address(event, "event-board", 1, 3)
    query = {"who": "3", "other": "6"}
    Client().get(address)
    _work(sent)
    assert Client().get(address, query).status_code == 202
    _work(sent)
    content = Client().get(address, query).content.decode()
    assert content.count("Why not Large 002 against Large 005?") == 1
    assert '<option value="6" selected>' in content


def test_a_value_of_nobody_is_not_sent_for(event: Event, sent: list[int]) -> None:
    address = _address(event, "event-standings")
    Client().get(address)
    _work(sent)
    assert Client().get(address, {"of": "999", "by": "PTS"}).status_code == 200
    assert sent == []
    assert Client().get(address, {"of": "9", "by": "PTS"}).status_code == 202


@pytest.mark.long
def test_only_so_many_explanations_of_an_event_are_sent_for(
    event: Event, sent: list[int], with_limits: None
) -> None:
    def explained(board: int) -> int:
        return Client().get(_address(event, "event-board", 1, board)).status_code

    explained(1)
    Throttle.objects.filter(key__startswith=limits.COMPUTATIONS_OF_EVENT.name).update(
        tries=limits.COMPUTATIONS_OF_EVENT.most
    )
    refused = Client().get(_address(event, "event-board", 1, 2))
    assert (refused.status_code, len(sent)) == (429, 1)
    assert 290 <= int(refused.headers["Retry-After"]) <= 300
    # A requested computation arrives, and small tables are computed.
    assert Client().get(_address(event, "event-standings")).status_code == 202
    _work(sent)
    assert explained(1) == 200
    assert Client().get(_address(event, "event-standings")).status_code == 200
    Throttle.objects.all().delete()
    assert explained(2) == 202
    _work(sent)
    assert explained(2) == 200
