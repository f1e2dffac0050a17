"""Deliveries of webhooks: news of an account, signed by the scheme of Standard Webhooks.

A delivery is a row, which is claimed, tried and tried again as an e-mail is. No transaction is open
while it is sent.
"""

from __future__ import annotations

import hmac
import json
import logging
import secrets
import time
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import SplitResult

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction

from tournaments import database_time, public_hosts
from tournaments.models import NewsItem, Webhook, WebhookDelivery
from tournaments.models.webhooks import ADDRESS_LENGTH, ANSWER_LENGTH
from tournaments.services.notifications import news

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
_MAX_READ = 500
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


def write_due() -> None:
    """Write a delivery to each webhook for each news of its account."""
    active = Webhook.objects.filter(is_active=True, user__is_active=True)
    hooks = list(active.values_list("pk", "user_id", "seq"))
    last_seqs = news.last_seqs({news.of_user(user_id) for _, user_id, _ in hooks})
    for pk, user_id, seq in hooks:
        if last_seqs[news.of_user(user_id)] > seq:
            with transaction.atomic():
                _write_news(pk)


def _write_news(webhook_id: int) -> None:
    rows = Webhook.objects.select_for_update(of=("self",), no_key=True)
    webhook = rows.filter(pk=webhook_id, is_active=True).first()
    if webhook is None:
        return
    items = NewsItem.objects.filter(
        topic__name=news.of_user(webhook.user_id), seq__gt=webhook.seq
    ).order_by("seq")[:_MAX_READ]
    for item in items:
        webhook.seq = item.seq
        if not webhook.kind_set or item.kind in webhook.kind_set:
            # The data of the line that a stream of the account has.
            write(webhook, item.kind, {**item.payload, "seq": item.seq}, item.happened_at)
    webhook.save(update_fields=["seq"])


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


def send_due(now: datetime) -> None:
    """Send the deliveries that wait."""
    waiting = WebhookDelivery.objects.filter(
        state=WebhookDelivery.State.WAITING, due_at__lte=now
    ).select_related("webhook")
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
    return chosen[:_AT_MOST]


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
