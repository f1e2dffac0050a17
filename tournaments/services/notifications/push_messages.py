"""Messages of Web Push: unread news, sent to the devices of the account.

A message is a row until it was sent or given up, as an e-mail is.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from tournaments import database_time, public_hosts
from tournaments.models import Inbox, PushDevice, PushMessage, User
from tournaments.services.notifications import inbox as inboxes
from tournaments.services.notifications import push_devices, web_push
from tournaments.services.notifications.inbox import Notice
from tournaments.services.notifications.kinds import KINDS, Choice, Page

log = logging.getLogger(__name__)

# A reader at the page sees the news there, and a turn that is taken soon needs no message.
PATIENCE = timedelta(seconds=10)
_TRIES = 5
# After the first try, doubled after each further one.
_PAUSE = timedelta(seconds=30)
_AT_MOST = 100
_AT_ONCE = 8
_WORDS_LENGTH = 300


@dataclass(frozen=True, slots=True)
class _Terms:
    """The time for which messages of a choice are worth delivering, and their urgency (RFC 8030 5.3)."""

    ttl: timedelta
    urgency: str


_TERMS: Mapping[str, _Terms] = {
    Choice.TURNS: _Terms(timedelta(days=3), "normal"),
    Choice.REMINDERS: _Terms(timedelta(hours=1), "high"),
    Choice.GAMES: _Terms(timedelta(hours=1), "high"),
    Choice.EVENTS: _Terms(timedelta(hours=12), "high"),
    Choice.MESSAGES: _Terms(timedelta(days=3), "normal"),
}
_TEST = _Terms(timedelta(minutes=5), "high")


def is_any_device() -> bool:
    """Return whether any device gets notifications."""
    return PushDevice.objects.exists()


def write_due(now: datetime) -> None:
    """Write the messages about news that are still unread after some seconds."""
    if not web_push.is_possible():
        return
    devices = PushDevice.objects.filter(user=OuterRef("user"))
    with_devices = Inbox.objects.filter(Exists(devices))
    for inbox in inboxes.with_pending(
        with_devices, "pushed_seq", now - PATIENCE, with_live_starts=True
    ):
        with transaction.atomic():
            _write_news(inbox.pk, now)


def _write_news(inbox_id: int, now: datetime) -> None:
    inbox = (
        Inbox.objects.select_for_update(of=("self",), no_key=True)
        .select_related("user")
        .get(pk=inbox_id)
    )
    fresh = inboxes.pending(inbox, inbox.pushed_seq, now - PATIENCE, with_live_starts=True)
    choices = inboxes.wanted_by_push(inbox)
    notices = [
        notice
        for notice in fresh
        if notice.choice in choices and notice.is_worth_sending and not _is_seen(notice, inbox)
    ]
    for device in inbox.user.push_devices.all():
        with translation.override(device.language):
            for notice in notices:
                _write(device, _topic(notice), _content(notice), notice.choice, now)
    inbox.pushed_seq = max([inbox.pushed_seq, *(notice.item.seq for notice in fresh)])
    inbox.save(update_fields=["pushed_seq"])


def _is_seen(notice: Notice, inbox: Inbox) -> bool:
    """Return whether the news needs no message because the reader sits at the board of a live game."""
    if notice.game is None:
        return False
    if notice.item.payload.get("is_live"):
        return notice.item.seq <= inbox.received_seq or notice.game.result is not None
    is_slow = notice.game.is_over_days or notice.game.is_unlimited
    return notice.choice is Choice.TURNS and not is_slow


def _topic(notice: Notice) -> str:
    """Return the topic of a message: newer words about one's turn in a game, or of one writer, replace older ones."""
    if notice.line is not None:
        return f"player-{notice.line.author_id}"
    if notice.game is not None and notice.choice in {Choice.TURNS, Choice.REMINDERS}:
        return f"game-{notice.game.pk}"
    return f"news-{notice.item.seq}"


def _content(notice: Notice) -> dict[str, object]:
    """Return the words, and whether every open page of the reader shows the news."""
    return {
        "words": notice.sentence[:_WORDS_LENGTH],
        "path": notice.get_absolute_url(),
        "isOnPages": Page.ACCOUNT in KINDS[notice.item.kind].pages,
    }


def test(*, user: User, device_id: int) -> None:
    """Write a test message to a device of `user`, if it exists."""
    device = user.push_devices.filter(pk=device_id).first()
    if device is None:
        return
    with translation.override(device.language):
        words = _("Notifications arrive on this device.")
    content = {"words": words, "path": reverse("notices"), "isOnPages": False, "isTest": True}
    _write(device, "test", content, "", database_time.now())


def _write(
    device: PushDevice, topic: str, content: Mapping[str, object], choice: str, now: datetime
) -> None:
    """Write a message, which replaces one with the same topic that waits."""
    body = json.dumps({**content, "topic": topic}, ensure_ascii=False, separators=(",", ":"))
    PushMessage.objects.update_or_create(
        device=device,
        topic=topic,
        defaults={
            "choice": choice,
            "body": body,
            "tries": 0,
            "due_at": now,
            "expires_at": now + _TERMS.get(choice, _TEST).ttl,
        },
    )


def send_due(now: datetime) -> None:
    """Send the messages that wait, each tried five times at most."""
    if not web_push.is_possible():
        return
    PushMessage.objects.filter(expires_at__lte=now).delete()
    # The push services of these know another key of the site.
    PushDevice.objects.exclude(site_key=web_push.site_key()).delete()
    # The last worker of these was lost before it could report their result.
    PushMessage.objects.filter(tries__gte=_TRIES, due_at__lte=now).delete()
    for user in User.objects.filter(push_devices__messages__due_at__lte=now).distinct():
        push_devices.remove_signed_out(user)
    waiting = PushMessage.objects.filter(due_at__lte=now).select_related("device")
    messages = [each for each in waiting[:_AT_MOST] if _claim(each, now)]
    with ThreadPoolExecutor(_AT_ONCE) as threads:
        answers = threads.map(lambda message: _deliver(message, now), messages)
        for message, answer in zip(messages, answers, strict=True):
            _conclude(message, answer, now)


def _claim(message: PushMessage, now: datetime) -> bool:
    """Return whether this worker sends the message. Another try follows if it is lost meanwhile."""
    message.tries += 1
    message.due_at = now + _PAUSE * 2 ** (message.tries - 1)
    same = PushMessage.objects.filter(pk=message.pk, tries=message.tries - 1, body=message.body)
    return same.update(tries=message.tries, due_at=message.due_at) == 1


def _deliver(message: PushMessage, now: datetime) -> public_hosts.Answer:
    """Send a message. Runs in a thread without the database."""
    device = message.device
    return web_push.deliver(
        device.endpoint,
        web_push.Keys(device.p256dh, device.auth),
        web_push.Message(
            body=message.body.encode(),
            topic=message.topic,
            urgency=_TERMS.get(message.choice, _TEST).urgency,
            ttl_s=int((message.expires_at - now).total_seconds()),
        ),
    )


def _conclude(message: PushMessage, answer: public_hosts.Answer, now: datetime) -> None:
    """Store the result of a try. A newer message that replaced this one is left as it is."""
    same = PushMessage.objects.filter(pk=message.pk, tries=message.tries, body=message.body)
    if answer.is_success:
        PushDevice.objects.filter(pk=message.device_id).update(reached_at=now)
        same.delete()
    elif answer.is_gone:
        log.info("push.gone device=%s", message.device_id)
        PushDevice.objects.filter(pk=message.device_id).delete()
    elif answer.is_final or message.tries >= _TRIES:
        log.warning("push.given-up message=%s status=%s", message.pk, answer.status)
        same.delete()
    elif answer.retry_after_s is not None:
        same.update(due_at=max(message.due_at, now + timedelta(seconds=answer.retry_after_s)))
