"""Webhooks by the API."""

from __future__ import annotations

from tests.tournaments import webhook_server
from tests.tournaments.api.conftest import PASSWORD, program_of
from tests.tournaments.conftest import event_of
from tournaments.models import User

ADDRESS = "https://hook.example/rayuela"


def test_a_program_makes_tests_changes_and_repeats(ana: User) -> None:
    program = program_of(ana)
    body = {"address": ADDRESS, "kinds": ["turn"], "password": PASSWORD}
    created = program("POST", "/me/webhooks", body).json()
    assert created["secret"].startswith("whsec_")
    path = f"/me/webhooks/{created['webhook']['id']}"
    assert program("GET", path).json() == created["webhook"]
    delivery = program("POST", f"{path}/test").json()
    assert (delivery["kind"], delivery["state"]) == ("test", "waiting")
    [row] = program("GET", f"{path}/deliveries").json()["items"]
    assert row == delivery
    changed = program("PATCH", path, {"is_active": False}, If_Match="*").json()
    assert changed == {**created["webhook"], "is_active": False}
    again = program("POST", f"{path}/deliveries/{delivery['id']}/again")
    assert again.json()["message_id"] == delivery["message_id"]
    assert program("DELETE", path).status_code == 204
    assert program("GET", "/me/webhooks").json() == {"items": []}


def test_a_delivery_is_found_below_its_webhook_alone(ana: User, ben: User) -> None:
    one, other = webhook_server.delivered(ana), webhook_server.delivered(ben)
    path = f"/me/webhooks/{one.webhook_id}/deliveries/{other.pk}/again"
    assert program_of(ana)("POST", path).status_code == 404


def test_a_program_makes_a_webhook_for_an_event_that_its_account_may_see(
    ana: User, ben: User
) -> None:
    event = event_of(ana, is_private=True, access_code="open-sesame")
    body = {"address": ADDRESS, "event": event.slug, "kinds": ["round"], "password": PASSWORD}
    created = program_of(ana)("POST", "/me/webhooks", body).json()["webhook"]
    assert (created["event"], created["kinds"]) == (event.slug, ["round"])
    stranger = program_of(ben)
    answer = stranger("POST", "/me/webhooks", body, Event_Code="open-sesame")
    assert answer.status_code == 404
    path = f"/me/webhooks/{created['id']}"
    refused = program_of(ana)("PATCH", path, {"kinds": ["turn"]}, If_Match="*")
    assert (refused.status_code, refused.json()["code"]) == (422, "webhook-kinds")
