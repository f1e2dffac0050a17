"""Notifications of a device: the page that turns them on, and the service worker that shows them."""

from __future__ import annotations

import json
from itertools import count
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, Page, Worker, expect

from tests.browser.conftest import RunningSite
from tests.browser.test_calendar import TONIGHT
from tests.browser.visitors import await_board, sign_up
from tests.tournaments import push_service

# The build without windows has neither permissions nor a push service.
_STAND_INS = """(fields) => {
  const toJSON = () => ({ endpoint: fields.endpoint, keys: { p256dh: fields.p256dh, auth: fields.auth } });
  Object.defineProperty(Notification, "permission", { get: () => "default" });
  Notification.requestPermission = async () => "granted";
  PushManager.prototype.subscribe = async (options) => {
    localStorage.setItem("key", [...options.applicationServerKey]);
    return { ...fields, toJSON, options };
  };
  PushManager.prototype.getSubscription = async () => {
    if (!localStorage.getItem("key")) return null;
    const applicationServerKey = Uint8Array.from(localStorage.getItem("key").split(","));
    const unsubscribe = async () => localStorage.removeItem("key");
    return { ...fields, toJSON, unsubscribe, options: { applicationServerKey } };
  };
}"""
_RECORDING = """() => {
  self.calls = [];
  self.registration.constructor.prototype.showNotification = async (title, options) => { self.calls.push({ title, ...options }); };
}"""

_NUMBERS = count(1)
_CLICK = """async (data) => {
  const opened = new Promise((done) => { self.clients.openWindow = done; });
  const click = new Event("notificationclick");
  click.notification = { data, close() {} };
  click.waitUntil = (promise) => promise;
  self.dispatchEvent(click);
  return opened;
}"""


@pytest.fixture
def notices(page: Page) -> Page:
    """The page of notifications, in a browser that can subscribe."""
    fields = push_service.Browser("https://push.example/of-a-test").fields
    page.add_init_script(f"({_STAND_INS})({json.dumps(fields)})")
    sign_up(page, f"Remedios {next(_NUMBERS)}")
    page.goto("/notices/")
    return page


class _Pushes:
    """Messages that Chromium gives to the service worker, and the notifications that it shows."""

    def __init__(self, page: Page, worker: Worker) -> None:
        self._page, self._worker = page, worker
        self._session: CDPSession = page.context.new_cdp_session(page)
        registrations: list[dict[str, Any]] = []
        self._session.on(
            "ServiceWorker.workerRegistrationUpdated",
            lambda update: registrations.extend(update["registrations"]),
        )
        self._session.send("ServiceWorker.enable")
        while not registrations:
            page.wait_for_timeout(20)
        self._to = {
            "origin": page.evaluate("location.origin"),
            "registrationId": registrations[0]["registrationId"],
        }
        worker.evaluate(_RECORDING)

    def give(self, **changes: object) -> list[dict[str, Any]]:
        """The notifications that the message and a last one, which is always shown, lead to."""
        content = {"words": "Your turn", "path": "/game/1/", "isOnPages": True, "topic": "game-1"}
        for one in ({**content, **changes}, {**content, "words": "end", "isTest": True}):
            self._session.send(
                "ServiceWorker.deliverPushMessage", {**self._to, "data": json.dumps(one)}
            )
        self._worker.evaluate(
            "async () => { while (self.calls.at(-1)?.body !== 'end') await new Promise((done) => setTimeout(done, 10)); }"
        )
        notifications: list[dict[str, Any]] = self._worker.evaluate("() => self.calls.splice(0)")
        return notifications[:-1]


def test_a_device_is_turned_on_and_shows_what_no_visible_page_shows(notices: Page) -> None:
    page = notices
    assert page.context.service_workers == []  # no page registers one unasked
    with page.context.expect_event("serviceworker") as registered:
        page.get_by_role("button", name="Turn on notifications").click()
    expect(page.get_by_text("Notifications of this device are on.")).to_be_visible()
    expect(page.get_by_text("this one")).to_be_visible()
    pushes = _Pushes(page, registered.value)
    assert pushes.give() == []  # a page in front shows the news
    assert pushes.give(isOnPages=False, path="/notices/") == []
    (notification,) = pushes.give(isOnPages=False)
    assert (notification["body"], notification["tag"]) == ("Your turn", "game-1")
    assert notification["data"] == {"path": "/game/1/"}
    page.get_by_role("button", name="Remove").click()
    expect(page.get_by_text("The device was removed.")).to_be_visible()
    assert page.evaluate("localStorage.getItem('key')") is None


@pytest.mark.long
def test_a_message_about_tonights_arena_leads_to_its_page_where_one_joins(
    notices: Page, running_site: RunningSite
) -> None:
    page = notices
    running_site.run(TONIGHT)
    with page.context.expect_event("serviceworker") as registered:
        page.get_by_role("button", name="Turn on notifications").click()
    expect(page.get_by_text("Notifications of this device are on.")).to_be_visible()
    worker = registered.value
    rows = page.request.get("/api/v1/calendar").json()
    path = next(each["event"] for each in rows if each["name"] == "Tonight")
    pushes = _Pushes(page, worker)
    (notification,) = pushes.give(
        words="Tonight starts", path=f"/events/{path}/", isOnPages=False, topic="event"
    )
    # The build without windows opens none: the page goes where the click leads.
    target = worker.evaluate(_CLICK, notification["data"])
    page.goto(target)
    page.get_by_role("button", name="Join", exact=True).click()
    await_board(page)


def test_without_a_network_the_stored_page_is_shown_and_no_other(
    site: str, chromium: Browser
) -> None:
    context = chromium.new_context(base_url=site)
    page = context.new_page()
    page.goto("/")
    page.evaluate(
        "navigator.serviceWorker.register('/service-worker.js').then(() => navigator.serviceWorker.ready)"
    )
    page.goto("/play/")
    stored = "caches.keys().then((names) => Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).map((one) => new URL(one.url).pathname))))"
    assert page.evaluate(stored) == [["/offline/"]]
    context.set_offline(True)
    page.goto("/play/")
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    context.close()
