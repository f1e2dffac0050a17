"""Webhooks: a receiver of this machine verifies the messages, fails at first, or is hostile."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments import pages, webhook_server
from tests.tournaments.frozen_clock import FrozenClock
from tests.tournaments.webhook_server import Receiver
from tournaments import database_time, public_hosts
from tournaments.errors import RefusedError
from tournaments.models import User, WebhookDelivery
from tournaments.services import retention
from tournaments.services.accounts import webhooks
from tournaments.services.lobby import challenges
from tournaments.services.notifications import inbox, news, webhook_deliveries

pytestmark = pytest.mark.engines
_FAILURE: tuple[int, dict[str, str], bytes] = (500, {}, b"out of order")


def _challenge(ana: User, ben: User) -> None:
    """Let Ana have news of the kind `challenge`."""
    challenges.challenge(
        challenger=ben.player, opponent=ana.player, ruleset="morlox(size=5)", clock=pages.CLOCK
    )


def test_news_arrive_with_a_signature_that_the_guide_verifies(
    receiver: Receiver, ana: User, ben: User
) -> None:
    new = receiver.hook(ana)
    _challenge(ana, ben)
    webhook_server.run()
    [message] = receiver.messages
    assert message.content["type"] == "challenge"
    [item] = news.after(news.of_user(ana.pk), 0)
    assert message.content["data"] == {**item.payload, "seq": item.seq}
    assert webhook_server.is_genuine(new.secret, message.headers, message.body)
    assert not webhook_server.is_genuine(new.secret, message.headers, message.body + b" ")
    delivery = webhook_server.latest(new.webhook)
    assert (delivery.state, delivery.status, delivery.answer) == ("delivered", 200, "ok")
    webhook_server.run()
    assert len(receiver.messages) == 1


def test_chosen_kinds_alone_arrive_and_news_before_the_webhook_do_not(
    receiver: Receiver, ana: User, ben: User
) -> None:
    _challenge(ana, ben)
    receiver.hook(ana, ["turn", "challenge"])
    receiver.hook(ana, ["turn"])
    _challenge(ana, ben)
    webhook_server.run()
    assert [each.content["type"] for each in receiver.messages] == ["challenge"]


def test_a_failed_message_comes_again_later_with_its_number(
    receiver: Receiver, ana: User, clock: FrozenClock
) -> None:
    new = receiver.hook(ana)
    receiver.answers = [_FAILURE, _FAILURE]
    webhooks.send_test(new.webhook)
    for seconds in (0, 89, 1, 179, 1):
        clock.sleep(seconds=seconds)
        webhook_server.run()
    assert len(receiver.messages) == 3
    assert len({each.headers["webhook-id"] for each in receiver.messages}) == 1
    assert len({each.headers["webhook-timestamp"] for each in receiver.messages}) == 3
    delivery = webhook_server.latest(new.webhook)
    assert (delivery.state, delivery.tries) == ("delivered", 3)
    new.webhook.refresh_from_db()
    assert new.webhook.failing_since is None


def test_a_receiver_says_when_to_come_again(
    receiver: Receiver, ana: User, clock: FrozenClock
) -> None:
    receiver.answers = [(429, {"Retry-After": "3600"}, b"")]
    webhooks.send_test(receiver.hook(ana).webhook)
    for minutes in (0, 59, 1):
        clock.sleep(minutes=minutes)
        webhook_server.run()
    assert len(receiver.messages) == 2


@pytest.mark.long
def test_a_message_is_given_up_after_a_day_and_an_address_after_three(
    receiver: Receiver, ana: User, clock: FrozenClock
) -> None:
    new = receiver.hook(ana)
    receiver.answers = list(repeat(_FAILURE, 50))
    webhooks.send_test(new.webhook)
    for _ in range(11):
        clock.now = webhook_server.latest(new.webhook).due_at
        webhook_server.run()
    delivery = webhook_server.latest(new.webhook)
    assert (delivery.state, delivery.answer) == ("failed", "out of order")
    assert delivery.tried_at is not None
    assert timedelta(hours=20) < delivery.tried_at - delivery.made_at < timedelta(hours=30)
    clock.now = delivery.made_at + timedelta(days=3)
    webhooks.send_test(new.webhook)
    webhook_server.run()
    new.webhook.refresh_from_db()
    assert not new.webhook.is_active
    assert webhook_server.latest(new.webhook).state == "failed"
    [notice] = inbox.notices(ana)
    assert new.webhook.address in notice.sentence


def test_an_address_that_is_gone_is_switched_off_and_begins_again_without_earlier_news(
    receiver: Receiver, ana: User, ben: User
) -> None:
    new = receiver.hook(ana)
    receiver.answers = [(410, {}, b"")]
    webhooks.send_test(new.webhook)
    webhook_server.run()
    _challenge(ana, ben)
    webhook_server.run()
    assert len(receiver.messages) == 1
    webhooks.change(new.webhook, kinds=[], is_active=True)
    webhook_server.run()
    assert len(receiver.messages) == 1
    webhooks.send_again(webhook_server.latest(new.webhook))
    webhook_server.run()
    first, again = receiver.messages
    assert first.headers["webhook-id"] == again.headers["webhook-id"]


def test_a_redirect_is_not_followed(receiver: Receiver, ana: User) -> None:
    new = receiver.hook(ana)
    receiver.answers = [(307, {"Location": receiver.address}, b"")]
    webhooks.send_test(new.webhook)
    webhook_server.run()
    assert len(receiver.messages) == 1
    assert webhook_server.latest(new.webhook).status == 307


def _endless(send: Callable[[bytes], object]) -> None:
    send(b"HTTP/1.1 200 OK\r\n\r\n")
    for _ in range(10_000):
        send(b"\x00<b>" * 1_000)


def _dripping(send: Callable[[bytes], object]) -> None:
    for _ in range(100):
        send(b"H")
        time.sleep(0.02)


def test_a_slow_body_is_cut_if_the_answer_closes_the_connection(
    receiver: Receiver, ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def drip(send: Callable[[bytes], object]) -> None:
        send(b"HTTP/1.0 200 OK\r\n\r\n")
        for _ in range(600):
            send(b"H")
            time.sleep(0.02)

    monkeypatch.setattr(public_hosts, "_MAX_S", 0.2)
    new = receiver.hook(ana)
    receiver.misbehaviour = drip
    webhooks.send_test(new.webhook)
    webhook_server.run()
    delivery = webhook_server.latest(new.webhook)
    assert delivery.status == 200
    assert len(delivery.answer) < 500, "the first bytes of a whole body"


@pytest.mark.parametrize(
    ("misbehaviour", "status"),
    [
        (_endless, 200),
        (_dripping, 0),
        (lambda send: send(b"no HTTP at all\r\n\r\n"), 0),
        (lambda _send: None, 0),
    ],
    ids=["endless", "dripping", "no HTTP", "silent"],
)
def test_a_hostile_receiver_takes_neither_time_nor_memory(
    receiver: Receiver,
    ana: User,
    monkeypatch: pytest.MonkeyPatch,
    misbehaviour: Callable[[Callable[[bytes], object]], object],
    status: int,
) -> None:
    monkeypatch.setattr(public_hosts, "_MAX_S", 0.2)
    new = receiver.hook(ana)
    receiver.misbehaviour = misbehaviour
    webhooks.send_test(new.webhook)
    webhook_server.run()
    delivery = webhook_server.latest(new.webhook)
    assert delivery.status == status
    assert len(delivery.answer) <= 500
    assert "\x00" not in delivery.answer


def test_a_name_of_a_private_address_is_not_connected_to(
    db: None, ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.0.0.7", 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_kwargs: rows)
    tries: list[object] = []
    monkeypatch.setattr(socket, "create_connection", lambda *args: tries.append(args))
    new = webhooks.create(
        user=ana, password="rayuela-1963", address="https://hook.example/", kinds=[]
    )
    webhooks.send_test(new.webhook)
    webhook_deliveries.send_due(database_time.now())
    assert tries == []
    assert webhook_server.latest(new.webhook).status == 0


@pytest.mark.parametrize(
    "address",
    [
        "",
        "http://hook.example/",
        "http://127.0.0.1/",
        "https://user@hook.example/",
        "https://hook.example\\@evil.example/",
        "https://hook.example/\n",
        "https://[::1",
        "ftp://hook.example/",
        "https://hook.example/" + "a" * 500,
    ],
)
def test_addresses_are_of_public_hosts_by_tls(db: None, ana: User, address: str) -> None:
    with pytest.raises(RefusedError, match="webhook-address"):
        webhooks.create(user=ana, password="rayuela-1963", address=address, kinds=[])


def test_a_webhook_needs_the_password_and_there_are_twenty_at_most(db: None, ana: User) -> None:
    def create(password: str, *kinds: str) -> None:
        webhooks.create(user=ana, password=password, address="https://hook.example/", kinds=kinds)

    with pytest.raises(RefusedError, match="password-wrong"):
        create("guess")
    with pytest.raises(RefusedError, match="webhook-kinds"):
        create("rayuela-1963", "tea-break")
    for _ in range(20):
        create("rayuela-1963", "turn")
    with pytest.raises(RefusedError, match="webhooks-many"):
        create("rayuela-1963")


def test_a_claim_is_given_once_and_again_when_its_worker_is_lost(
    receiver: Receiver, ana: User, clock: FrozenClock
) -> None:
    webhooks.send_test(receiver.hook(ana).webhook)
    delivery, copy = (WebhookDelivery.objects.get() for _ in range(2))
    assert webhook_deliveries._claim(delivery, clock.now)
    assert not webhook_deliveries._claim(copy, clock.now)
    webhook_server.run()
    assert receiver.messages == []
    clock.sleep(seconds=90)
    webhook_server.run()
    assert len(receiver.messages) == 1


def test_one_address_does_not_take_all_places(receiver: Receiver, ana: User, ben: User) -> None:
    busy, other = receiver.hook(ana).webhook, receiver.hook(ben).webhook
    for _ in range(30):
        webhooks.send_test(busy)
    webhooks.send_test(other)
    webhook_server.run()
    assert len(receiver.messages) == 5
    assert webhook_server.latest(other).state == "delivered"


def test_deliveries_are_removed_after_two_weeks(
    receiver: Receiver, ana: User, clock: FrozenClock
) -> None:
    webhooks.send_test(receiver.hook(ana).webhook)
    webhook_server.run()
    clock.sleep(days=13)
    assert retention.prune(clock.now) == {}
    clock.sleep(days=2)
    assert retention.prune(clock.now) == {"webhooks": 1}


@pytest.mark.long
@given(
    st.binary(max_size=50),
    st.text("abc_-", min_size=1, max_size=9),
    st.binary(min_size=24, max_size=32),
)
def test_a_signature_fits_one_body_one_number_and_one_secret(
    body: bytes, number: str, secret: bytes
) -> None:
    now = datetime.fromtimestamp(time.time(), UTC)  # the guide reads the clock of its machine
    headers = webhook_deliveries.signature_headers(secret, number, body, now)
    key = webhooks.text_of(secret)
    assert webhook_server.is_genuine(key, headers, body)
    assert not webhook_server.is_genuine(key, headers, body + b"x")
    assert not webhook_server.is_genuine(key, {**headers, "webhook-id": number + "x"}, body)
    assert not webhook_server.is_genuine(webhooks.text_of(secret + b"x"), headers, body)
