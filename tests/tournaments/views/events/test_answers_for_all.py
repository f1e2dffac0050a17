"""What is dear of a large event: a worker computes it once, and every process finds it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse

from tests.tournaments import large_events
from tournaments import tasks
from tournaments.models import Event, Player, Round, Throttle
from tournaments.services import enqueue, limits
from tournaments.services.account_data import deletion
from tournaments.services.accounts import players
from tournaments.services.notifications import news
from tournaments.services.results import (
    builds,
    drawing,
    event_document,
    memory,
    shared_store,
    sheets,
    tables,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(monkeypatch: pytest.MonkeyPatch) -> Event:
    monkeypatch.setattr(memory, "SMALL", 10)
    monkeypatch.setattr(memory, "LARGE", 20)
    return large_events.published(30, "Large")


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was sent for a worker, and has not been done."""
    sent: list[str] = []
    monkeypatch.setattr(enqueue, "drawing", sent.append)
    return sent


def _address(event: Event, name: str, *args: object) -> str:
    return reverse(name, args=[event.slug, *args])


def _work(keys: list[str]) -> None:
    """Do it as another process does: nothing that it keeps for itself is at hand afterwards."""
    while keys:
        tasks.draw_page(keys.pop(0))
    memory.forget()


def test_a_thousand_visitors_send_for_one_worker_and_then_find_its_answer(
    event: Event, keys: list[str], monkeypatch: pytest.MonkeyPatch
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
    assert (len(keys), computed) == (1, [])
    _work(keys)
    for _ in range(20):
        memory.forget()  # each visitor comes to another process
        answer = Client().get(address)
        assert answer.status_code == 200
        assert len(json.loads(answer.content)["players"]) == 30
    assert len(computed) == 1


def test_a_table_is_the_same_for_all_processes_however_it_was_kept(
    event: Event, keys: list[str]
) -> None:
    address = _address(event, "event-standings")
    assert Client().get(address).status_code == 202
    _work(keys)
    table = tables.kept_table(event)
    computed = tables.event_table(event)
    # Of the store, as nothing else is at hand.
    assert isinstance(table.rows, shared_store.StoredRows)
    assert [repr(row) for row in table.rows] == [repr(row) for row in computed.rows]
    assert table.rows[3] == computed.rows[3]
    assert (table.rounds, table.tie_breaks) == (computed.rounds, tuple(computed.tie_breaks))
    assert (table.entry_ids, table.ranks) == (computed.entry_ids, computed.ranks)


def test_members_find_what_a_worker_computed_for_a_guest(event: Event, keys: list[str]) -> None:
    address = _address(event, "event-board", 1, 3)
    assert Client().get(address).status_code == 202
    _work(keys)
    member = Client()
    member.force_login(players.sign_up(name="Ana", password="rayuela-73"))
    answer = member.get(address)
    assert (answer.status_code, keys) == (200, [])
    assert "Why not another opponent?" in answer.content.decode()
    assert reverse("sign-out") in answer.content.decode()


def test_what_has_changed_is_computed_anew(event: Event, keys: list[str]) -> None:
    address = _address(event, "event-json")
    Client().get(address)
    _work(keys)
    assert Client().get(address).status_code == 200
    Event.objects.filter(pk=event.pk).update(name="Renamed")
    assert Client().get(address).status_code == 202
    _work(keys)
    assert json.loads(Client().get(address).content)["event"]["name"] == "Renamed"


def test_a_deleted_name_is_in_no_kept_table(event: Event, keys: list[str]) -> None:
    user = players.sign_up(name="Ana", password="rayuela-73")
    event.entries.filter(tpn=5).update(player=Player.objects.get(user=user))
    address = _address(event, "event-standings")
    Client().get(address)
    _work(keys)
    assert "Ana" in Client().get(address).content.decode()
    deletion.delete_account(user=user, password="rayuela-73")
    Client().get(_address(event, "event-standings-csv"))
    _work(keys)
    for name in ("event-standings", "event-standings-csv"):
        answer = Client().get(_address(event, name))
        assert answer.status_code == 200
        assert "Ana" not in answer.content.decode()


def test_without_a_worker_the_request_computes_by_itself(
    event: Event, keys: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    address = _address(event, "event-json")
    assert Client().get(address).status_code == 202
    assert Client().get(address).status_code == 202
    later = shared_store.now_s() + 20
    monkeypatch.setattr(shared_store, "now_s", lambda: later)
    assert Client().get(address).status_code == 200


def test_whoever_asks_while_the_event_keeps_changing_gets_an_answer(
    event: Event, keys: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    address = _address(event, "event-json")
    began = shared_store.now_s()
    statuses = []
    for seconds in range(0, 14, 2):
        monkeypatch.setattr(shared_store, "now_s", lambda: began + seconds)  # noqa: B023 - used before the next
        news.announce(news.of_event(event.pk), "result", {})
        statuses.append(Client().get(address).status_code)
        _work(keys)
    assert statuses[0] == 202
    assert 200 in statuses


def test_a_worker_may_compute_of_a_private_event_what_is_shown_to_its_members_only(
    event: Event, keys: list[str]
) -> None:
    Event.objects.filter(pk=event.pk).update(is_private=True, access_code="sesame")
    address = _address(event, "event-json")
    assert Client().get(address).status_code == 404
    assert keys == []
    invited = Client()
    assert invited.get(address, {"code": "sesame"}).status_code == 202
    _work(keys)
    assert invited.get(address, {"code": "sesame"}).status_code == 200
    assert Client().get(address).status_code == 404


def test_a_worker_leaves_no_page_to_visitors(event: Event, keys: list[str]) -> None:
    """It sees drafts, which no guest may, and may be a thread of the process that answers guests."""
    Round.objects.filter(event=event).update(
        state=Round.State.DRAFT, published_at=None, started_at=None
    )
    organiser = Client()
    organiser.force_login(event.organiser)
    addresses = [_address(event, "event-board", 1, 3), _address(event, "event-pairings")]
    for address in addresses:
        organiser.get(address)
    assert keys
    while keys:
        tasks.draw_page(keys.pop())
    draft, pairings = (Client().get(address) for address in addresses)
    assert draft.status_code == 404
    assert "Large 003" not in pairings.content.decode()
    assert organiser.get(addresses[0]).status_code == 200


def test_the_head_of_a_kept_page_costs_no_drawing(
    event: Event, keys: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    address = _address(event, "event-standings")
    Client().get(address)
    _work(keys)
    tag = Client().get(address).headers["ETag"]
    monkeypatch.setattr(memory, "_compute", lambda *_: pytest.fail("drawn again"))
    answer = Client().head(address)
    assert (answer.status_code, answer.headers["ETag"], answer.content) == (200, tag, b"")


def test_a_drawing_that_fails_is_left_to_the_request(event: Event, keys: list[str]) -> None:
    address = drawing.Address("/events/nothing/", "testserver", "http", "en", ())
    need = memory.Need("nothing", "1", is_one_of_many=False)
    assert drawing.ask(address, need, event_id=event.pk)
    _work(keys)
    assert not drawing.ask(address, need, event_id=event.pk)


def test_what_an_earlier_build_kept_is_computed_anew(
    event: Event, keys: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    address = _address(event, "event-standings")
    Client().get(address)
    _work(keys)
    assert Client().get(address).status_code == 200
    memory.forget()
    monkeypatch.setattr(builds, "BUILD", "the next")
    assert Client().get(address).status_code == 202
    assert len(keys) == 1
    _work(keys)
    assert Client().get(address).status_code == 200


@pytest.mark.parametrize("name", ["event-standings", "event-json"])
def test_what_cannot_be_read_is_computed_anew(
    event: Event, keys: list[str], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    address = _address(event, name)
    Client().get(address)
    stored: list[str] = []
    write = shared_store.write

    def note_key(key: str, answer: shared_store.StoredAnswer, lasts_s: float) -> None:
        stored.append(key)
        write(key, answer, lasts_s)

    monkeypatch.setattr(shared_store, "write", note_key)
    _work(keys)
    assert stored
    for key in stored:
        caches["kept"].set(key, b"cut", 60)
    assert Client().get(address).status_code in (200, 202)


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
    event: Event, keys: list[str], query: Mapping[str, str]
) -> None:
    """While a worker is sent for, and when it is done."""
    address = _address(event, "event-board", 1, 3)
    Client().get(address)
    assert Client().get(address, query).status_code == 202
    assert len(keys) == 1
    _work(keys)
    assert Client().get(address, query).status_code == 200
    assert keys == []


def test_a_question_of_the_form_is_computed_and_answered(event: Event, keys: list[str]) -> None:
    address = _address(event, "event-board", 1, 3)
    query = {"who": "3", "other": "6"}
    Client().get(address)
    _work(keys)
    assert Client().get(address, query).status_code == 202
    _work(keys)
    content = Client().get(address, query).content.decode()
    assert content.count("Why not Large 002 against Large 005?") == 1
    assert '<option value="6" selected>' in content


def test_a_value_of_nobody_is_not_sent_for(event: Event, keys: list[str]) -> None:
    address = _address(event, "event-standings")
    Client().get(address)
    _work(keys)
    assert Client().get(address, {"of": "999", "by": "PTS"}).status_code == 200
    assert keys == []
    assert Client().get(address, {"of": "9", "by": "PTS"}).status_code == 202


def test_only_so_many_explanations_of_an_event_are_sent_for(
    event: Event, keys: list[str], with_limits: None
) -> None:
    def explained(board: int) -> int:
        return Client().get(_address(event, "event-board", 1, board)).status_code

    explained(1)
    Throttle.objects.filter(key__startswith=limits.COMPUTATIONS_OF_EVENT.name).update(
        tries=limits.COMPUTATIONS_OF_EVENT.most
    )
    refused = Client().get(_address(event, "event-board", 1, 2))
    assert (refused.status_code, len(keys)) == (429, 1)
    assert 290 <= int(refused.headers["Retry-After"]) <= 300
    # What was sent for comes, and what there are few of is computed.
    assert Client().get(_address(event, "event-standings")).status_code == 202
    _work(keys)
    assert explained(1) == 200
    assert Client().get(_address(event, "event-standings")).status_code == 200
    Throttle.objects.all().delete()
    assert explained(2) == 202
    _work(keys)
    assert explained(2) == 200


def test_who_looks_whether_a_worker_has_begun_takes_no_work_from_it(
    event: Event, keys: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    address = _address(event, "event-json")
    Client().get(address)
    later = shared_store.now_s() + 20
    monkeypatch.setattr(shared_store, "now_s", lambda: later)
    claimed: list[str] = []
    claim = shared_store.claim

    def noted(key: str) -> bytes | None:
        claimed.append(key)
        return claim(key)

    monkeypatch.setattr(shared_store, "claim", noted)
    assert Client().get(address).status_code == 200
    assert claimed
    assert not set(claimed) & set(keys)


def test_who_waits_for_another_worker_takes_no_work_from_it(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "_LOOK_EVERY_S", 0)
    claims: list[bytes | None] = []
    claim, is_claimed = shared_store.claim, shared_store.is_claimed
    answers = iter([True, True, True, False])

    def noted(key: str) -> bytes | None:
        claims.append(claim(key))
        return None  # another worker has it

    monkeypatch.setattr(shared_store, "claim", noted)
    monkeypatch.setattr(shared_store, "is_claimed", lambda key: is_claimed(key) and next(answers))
    with memory.working():
        assert memory.recall(event, "slow", lambda: "computed") == "computed"
    assert len(claims) == 1
    assert next(answers, None) is None


def test_what_a_worker_computed_is_kept_however_little_it_cost(
    event: Event, keys: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "_LEAST_COST_S", 60)
    address = _address(event, "event-standings-csv")
    assert Client().get(address).status_code == 202
    _work(keys)
    monkeypatch.setattr(sheets, "standings", lambda _: pytest.fail("computed by a request"))
    assert Client().get(address).status_code == 200
