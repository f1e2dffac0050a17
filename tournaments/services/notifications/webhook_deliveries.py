"""Deliveries of webhooks: news of an account or an event, signed by the scheme of Standard Webhooks.

A delivery is a row, which is claimed, tried and tried again as an e-mail is. No transaction is open
while it is sent. News of an event are written and sent only while the account may see the event.
"""

from __future__ import annotations

import hmac
import json
import logging
import secrets
import time
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import SplitResult

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.db.models import Q, QuerySet

from tournaments import database_time, public_hosts
from tournaments.models import AuditEntry, Event, NewsItem, Topic, Webhook, WebhookDelivery
from tournaments.models.webhooks import ADDRESS_LENGTH, ANSWER_LENGTH
from tournaments.queries.events import conditions
from tournaments.services import audit
from tournaments.services.notifications import kinds, news
from tournaments.text import audit_log

log = logging.getLogger(__name__)

TEST: Final = "test"
# After the first try, doubled after each further one: the last try is 25 hours after the first.
_PAUSE = timedelta(seconds=90)
_TRIES = 11
# The time without a success after which an address is switched off.
PATIENCE: Final = timedelta(days=3)
_STATUS_OF_END = 410
# With 15 s for each, eight at a time, a run takes 45 s at most.
_AT_MOST = 24
_AT_ONCE = 8
# One slow address does not take the places of all others.
_AT_MOST_OF_ONE = 4
_LOOKED_AT = 500
# With this number of deliveries that wait, further news of a webhook are read later.
_MOST_WAITING = 200
_QUICK_MS = 2_000
_LONGEST_WAIT_S = 24 * 3600


@dataclass(frozen=True, slots=True)
class _Try:
    answer: public_hosts.Answer
    took_ms: int


def parts_of(address: str) -> SplitResult:
    """Return the parts of the address of a webhook. Raise ValueError for one that gets no messages."""
    parts = public_hosts.parts_of(address)
    is_allowed = parts.scheme == "https" or _is_plain(parts)
    if not is_allowed or len(address) > ADDRESS_LENGTH:
        raise ValueError(address[:80])
    return parts


def _is_plain(parts: SplitResult) -> bool:
    """Return whether an address of this machine may be used without TLS, for tests."""
    is_own = settings.DEBUG and parts.hostname == "127.0.0.1"
    return parts.scheme == "http" and (is_own or parts.netloc in settings.PUSH_TEST_HOSTS)


def topic_of(webhook: Webhook) -> str:
    """Return the name of the topic whose news a webhook gets."""
    event_id = webhook.event_id
    return news.of_user(webhook.user_id) if event_id is None else news.of_event(event_id)


def active() -> QuerySet[Webhook]:
    """Return the webhooks that get messages."""
    return Webhook.objects.filter(is_active=True, user__is_active=True)


def is_any_webhook() -> bool:
    """Return whether there is a webhook, be it switched off."""
    return Webhook.objects.exists()


def call_quick(topic: str) -> None:
    """Write and send the deliveries of the webhooks of one topic, as far as their addresses are quick."""
    kind, _, number = topic.partition(":")
    place = Q(event=int(number)) if kind == "event" else Q(event=None, user=int(number))
    hooks = active().filter(place)
    if not hooks.exists():
        _wake_no_more(topic, hooks)
        return
    quick = hooks.filter(is_quick=True)
    write_due(quick)
    send_due(database_time.now(), Q(webhook__in=quick))


def _wake_no_more(topic: str, hooks: QuerySet[Webhook]) -> None:
    """Send for no worker at news of a topic without webhooks. A new webhook waits for its row."""
    with transaction.atomic():
        row = Topic.objects.select_for_update(no_key=True).filter(name=topic).first()
        if row is not None and not hooks.exists():
            Topic.objects.filter(pk=row.pk).update(has_webhooks=False)


def write_due(webhooks: QuerySet[Webhook]) -> None:
    """Write a delivery to each of these webhooks for each of its news."""
    hooks = list(webhooks)
    last_seqs = news.last_seqs({topic_of(each) for each in hooks})
    for webhook in hooks:
        if last_seqs[topic_of(webhook)] > webhook.seq:
            with transaction.atomic():
                _write_news(webhook.pk)


def skip_earlier(webhook: Webhook) -> None:
    """Let a webhook, which is not saved, begin after the present news."""
    topic = topic_of(webhook)
    webhook.seq = news.last_seq(topic)
    webhook.audit_id = audit.mark(webhook.event) if webhook.event is not None else 0


def _write_news(webhook_id: int) -> None:
    rows = Webhook.objects.select_for_update(of=("self",), no_key=True)
    rows = rows.select_related("event", "user")
    webhook = rows.filter(pk=webhook_id, is_active=True).first()
    if webhook is None:
        return
    room = _MOST_WAITING - webhook.deliveries.filter(state=WebhookDelivery.State.WAITING).count()
    if room <= 0:
        return
    if not may_see(webhook):
        skip_earlier(webhook)
    elif webhook.event is None:
        _write_items(webhook, room, lambda item: item.kind, {})
    else:
        # The log first: what it has was committed with the news, or before them.
        _write_log(webhook, webhook.event)
        about = {"event": webhook.event.slug}
        _write_items(webhook, room, lambda item: kinds.topic_of(item.kind), about)
    webhook.save(update_fields=["seq", "audit_id"])


def _write_items(
    webhook: Webhook,
    room: int,
    kind_of: Callable[[NewsItem], str | None],
    about: Mapping[str, object],
) -> None:
    """Write the news of the webhook's topic. `kind_of` returns None for news that are not sent."""
    items = NewsItem.objects.filter(topic__name=topic_of(webhook), seq__gt=webhook.seq)
    for item in items.order_by("seq")[:room]:
        webhook.seq = item.seq
        kind = kind_of(item)
        if kind is not None and _is_wanted(webhook, kind):
            # The data of the line that a stream has.
            what = {**about, "kind": item.kind} if about else {}
            write(webhook, kind, {**what, **item.payload, "seq": item.seq}, item.happened_at)


def _write_log(webhook: Webhook, event: Event) -> None:
    """Write the entries of the event's log that have a topic."""
    rows = AuditEntry.objects.filter(event=event, pk__gt=webhook.audit_id)
    for row in rows.order_by("pk"):
        webhook.audit_id = row.pk
        topic = audit_log.topic_of(row.action)
        if topic is not None and _is_wanted(webhook, topic):
            players = row.detail.get("players", [row.detail.get("player")])
            numbers = [number for number in players if number is not None]
            data = {"event": event.slug, "kind": row.action, "players": numbers}
            write(webhook, topic, data, row.done_at)


def _is_wanted(webhook: Webhook, kind: str) -> bool:
    return not webhook.kind_set or kind in webhook.kind_set


def may_see(webhook: Webhook) -> bool:
    """Return whether the account of a webhook may see the event, if it is of one."""
    event = webhook.event
    return event is None or conditions.may_see(event, webhook.user, code="")


def write(
    webhook: Webhook, kind: str, data: Mapping[str, object], happened_at: datetime
) -> WebhookDelivery:
    """Write a delivery, which is sent after the caller's transaction."""
    now = database_time.now()
    content = {"type": kind, "timestamp": happened_at, "data": data}
    return WebhookDelivery.objects.create(
        webhook=webhook,
        message_id=f"msg_{secrets.token_urlsafe(18)}",
        kind=kind,
        body=json.dumps(content, cls=DjangoJSONEncoder, ensure_ascii=False, separators=(",", ":")),
        due_at=now,
        made_at=now,
    )


def send_due(now: datetime, chosen: Q = Q()) -> None:  # noqa: B008 - Q is not changed
    """Send the deliveries that wait, of which `chosen` may choose some."""
    waiting = WebhookDelivery.objects.filter(
        chosen, state=WebhookDelivery.State.WAITING, due_at__lte=now
    ).select_related("webhook__event", "webhook__user")
    # The last worker of these was lost before it could report their result.
    waiting.filter(tries__gte=_TRIES).update(state=WebhookDelivery.State.FAILED)
    deliveries = [
        each for each in _chosen(waiting.order_by("due_at", "pk")[:_LOOKED_AT]) if _claim(each, now)
    ]
    with ThreadPoolExecutor(_AT_ONCE) as threads:
        tries = threads.map(lambda delivery: _deliver(delivery, now), deliveries)
        for delivery, result in zip(deliveries, tries, strict=True):
            _conclude(delivery, result, now)


def _chosen(waiting: Iterable[WebhookDelivery]) -> Sequence[WebhookDelivery]:
    """Return the first deliveries, with few of one webhook."""
    counts: Counter[int] = Counter()
    chosen = []
    for delivery in waiting:
        counts[delivery.webhook_id] += 1
        if counts[delivery.webhook_id] <= _AT_MOST_OF_ONE:
            chosen.append(delivery)
    return [each for each in chosen[:_AT_MOST] if _is_visible(each)]


def _is_visible(delivery: WebhookDelivery) -> bool:
    """Return whether the account may still see the event. If not, the delivery is given up."""
    is_visible = may_see(delivery.webhook)
    if not is_visible:
        WebhookDelivery.objects.filter(pk=delivery.pk).update(state=WebhookDelivery.State.FAILED)
    return is_visible


def _claim(delivery: WebhookDelivery, now: datetime) -> bool:
    """Return whether this worker sends the delivery. Another try follows if the worker is lost meanwhile."""
    same = WebhookDelivery.objects.filter(
        pk=delivery.pk, state=WebhookDelivery.State.WAITING, tries=delivery.tries
    )
    delivery.due_at = now + _PAUSE * 2**delivery.tries
    delivery.tries += 1
    return same.update(tries=delivery.tries, due_at=delivery.due_at, tried_at=now) == 1


def _deliver(delivery: WebhookDelivery, now: datetime) -> _Try:
    """Send a delivery. Runs in a thread without the database."""
    body = delivery.body.encode()
    began = time.perf_counter()
    try:
        parts = parts_of(delivery.webhook.address)
    except ValueError:  # allowed when it was made, under other settings
        return _Try(public_hosts.Answer(0), 0)
    answer = public_hosts.post(
        parts,
        body,
        {
            "Content-Type": "application/json",
            "User-Agent": "Rayuela-Webhooks",
            **signature_headers(bytes(delivery.webhook.secret), delivery.message_id, body, now),
        },
        is_plain=_is_plain(parts),
        read_bytes=ANSWER_LENGTH,
    )
    return _Try(answer, int((time.perf_counter() - began) * 1000))


def signature_headers(secret: bytes, message_id: str, body: bytes, now: datetime) -> dict[str, str]:
    """Return the headers by which a receiver verifies a message (Standard Webhooks, HMAC-SHA256)."""
    timestamp = int(now.timestamp())
    signed = f"{message_id}.{timestamp}.".encode() + body
    signature = b64encode(hmac.digest(secret, signed, "sha256")).decode()
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": f"v1,{signature}",
    }


def _conclude(delivery: WebhookDelivery, result: _Try, now: datetime) -> None:
    """Store the result of a try."""
    answer = result.answer
    state = WebhookDelivery.State.WAITING
    if answer.is_success:
        state = WebhookDelivery.State.DELIVERED
    elif delivery.tries >= _TRIES:
        state = WebhookDelivery.State.FAILED
    wait = timedelta(seconds=min(answer.retry_after_s or 0, _LONGEST_WAIT_S))
    WebhookDelivery.objects.filter(pk=delivery.pk, tries=delivery.tries).update(
        state=state,
        due_at=max(delivery.due_at, now + wait),
        status=answer.status,
        took_ms=result.took_ms,
        answer=answer.start.decode(errors="replace").replace("\x00", "")[:ANSWER_LENGTH],
    )
    hooks = Webhook.objects.filter(pk=delivery.webhook_id)
    is_quick = answer.is_success and result.took_ms < _QUICK_MS
    hooks.exclude(is_quick=is_quick).update(is_quick=is_quick)
    if answer.is_success:
        hooks.exclude(failing_since=None).update(failing_since=None)
        return
    log.info(
        "webhook.failed delivery=%s tries=%s status=%s", delivery.pk, delivery.tries, answer.status
    )
    hooks.filter(failing_since=None).update(failing_since=now)
    if answer.status == _STATUS_OF_END or hooks.filter(failing_since__lte=now - PATIENCE).exists():
        _switch_off(delivery.webhook)


def _switch_off(webhook: Webhook) -> None:
    """Send no more to an address, and notify its owner."""
    with transaction.atomic():
        if Webhook.objects.filter(pk=webhook.pk, is_active=True).update(is_active=False) != 1:
            return
        webhook.deliveries.filter(state=WebhookDelivery.State.WAITING).update(
            state=WebhookDelivery.State.FAILED
        )
        news.announce(news.of_user(webhook.user_id), "webhook-off", {"address": webhook.address})
