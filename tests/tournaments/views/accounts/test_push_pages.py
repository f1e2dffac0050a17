"""Devices on the page of notifications."""

from __future__ import annotations

import pytest
from django.conf import LazySettings
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from tests.tournaments import pages
from tests.tournaments.frozen_clock import FrozenClock
from tests.tournaments.push_service import Browser
from tournaments.models import Inbox, PushDevice, PushMessage, User

pytestmark = pytest.mark.usefixtures("push_key")

BROWSER = Browser("https://push.example/1")


@pytest.fixture
def of_ben(ben: User) -> Client:
    """Ben's browser, with notifications turned on."""
    client = pages.member(ben)
    client.post(
        reverse("push-add"), BROWSER.fields, headers={"user-agent": "Mozilla Firefox/140 Android"}
    )
    return client


def _page(client: Client) -> str:
    return client.get(reverse("notices")).content.decode()


def test_the_page_lists_the_device_by_its_browser(of_ben: Client) -> None:
    assert "<strong>Firefox, Android</strong>" in _page(of_ben)
    of_ben.post(reverse("push-remove", args=[PushDevice.objects.get().pk]))
    assert "Firefox, Android" not in _page(of_ben)


def test_the_table_stores_both_columns(of_ben: Client, ben: User) -> None:
    of_ben.post(reverse("email-digest"), {"has-push": "on", "push-turns": "on", "events": "on"})
    inbox = Inbox.objects.get(user=ben)
    assert (inbox.pushes_turns, inbox.pushes_events) == (True, False)
    # The column of e-mails was not on the page.
    assert inbox.wants_turns


@pytest.mark.parametrize("name", ["push-test", "push-remove"])
def test_a_device_of_another_account_is_out_of_reach(of_ben: Client, ana: User, name: str) -> None:
    device = PushDevice.objects.get()
    pages.member(ana).post(reverse(name, args=[device.pk]))
    assert PushDevice.objects.get() == device
    assert not PushMessage.objects.exists()


def test_a_browser_that_signs_out_gets_no_more_messages(of_ben: Client, ben: User) -> None:
    pages.member(ben).post(reverse("push-add"), Browser("https://push.example/2").fields)
    of_ben.post(reverse("sign-out"))
    assert PushDevice.objects.get().endpoint == "https://push.example/2"


def test_a_device_goes_with_the_session_that_another_browser_ends(
    clock: FrozenClock, of_ben: Client, ben: User
) -> None:
    clock.wait(minutes=2)
    laptop = pages.member(ben)
    page = laptop.get(reverse("account"))
    (phone,) = [row for row in page.context["devices"] if not row["is_this"]]
    laptop.post(reverse("session-end", args=[phone["name"]]))
    assert not PushDevice.objects.exists()


def test_a_browser_keeps_its_device_when_its_password_changes(
    clock: FrozenClock, of_ben: Client, ben: User
) -> None:
    clock.wait(minutes=2)
    of_ben.post(reverse("sessions-end"), {"password": "rayuela-1963"})
    assert "Firefox, Android" in _page(of_ben)


@pytest.mark.parametrize(
    "fields",
    [{}, {**BROWSER.fields, "endpoint": "https://[::1]/"}, {**BROWSER.fields, "auth": "é"}],
)
def test_a_subscription_that_cannot_be_used_is_refused(ben: User, fields: dict[str, str]) -> None:
    answer = pages.member(ben).post(reverse("push-add"), fields)
    assert [str(each) for each in get_messages(answer.wsgi_request)]
    assert not PushDevice.objects.exists()


def test_a_browser_replaces_its_subscription_without_a_session(of_ben: Client) -> None:
    fresh = Browser("https://push.example/3")
    former = {"former_endpoint": BROWSER.endpoint, "former_auth": BROWSER.fields["auth"]}
    address = reverse("push-replace")
    csrf_client = Client(enforce_csrf_checks=True)
    assert csrf_client.post(address, {**fresh.fields, **former}).status_code == 204
    assert csrf_client.post(address, {**fresh.fields, **former}).status_code == 422
    assert PushDevice.objects.get().endpoint == fresh.endpoint


def test_a_site_without_a_key_offers_no_notifications(ben: User, settings: LazySettings) -> None:
    settings.PUSH_KEY = ""
    assert "devices.js" not in _page(pages.member(ben))


def test_no_other_page_loads_the_script_of_devices(of_ben: Client) -> None:
    assert "devices.js" in _page(of_ben)
    for name in ("home", "account", "settings", "lobby"):
        assert "devices.js" not in of_ben.get(reverse(name)).content.decode()
