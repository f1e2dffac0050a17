"""Webhooks of accounts, for their news or those of an event: made with the password, changed, tested and deleted."""

from __future__ import annotations

import secrets
from base64 import b64encode
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from django.db import transaction
from django.db.models import QuerySet

from tournaments import database_time
from tournaments.errors import RefusedError
from tournaments.models import Event, EventTopic, Topic, User, Webhook, WebhookDelivery
from tournaments.services import audit, enqueue
from tournaments.services.accounts import passwords
from tournaments.services.notifications import kinds as news_kinds
from tournaments.services.notifications import webhook_deliveries

MOST_WEBHOOKS: Final = 20
_PREFIX: Final = "whsec_"
_SECRET_BYTES = 32


@dataclass(frozen=True, slots=True)
class NewWebhook:
    """A webhook and its secret, which is never shown again."""

    webhook: Webhook
    secret: str


def create(
    *,
    user: User,
    password: str,
    address: str,
    kinds: Collection[str],
    event: Event | None = None,
) -> NewWebhook:
    """Store a webhook of `user` for news of these kinds, or for all news if there are none.

    With `event` the kinds are of `EventTopic`.

    The password is asked for, so that a stolen session or token leaves no address behind that
    continues to read after both have ended.

    Raises:
        RefusedError: `password-wrong`, `webhook-address`, `webhook-kinds`, `webhooks-many`,
            `webhook-event` for a private event that the account has no part in.
        TooManyError: too many wrong passwords.
    """
    passwords.require(user, password)
    try:
        webhook_deliveries.parts_of(address)
    except ValueError as error:
        raise RefusedError("webhook-address", address[:80]) from error
    secret = secrets.token_bytes(_SECRET_BYTES)
    with transaction.atomic():
        # Locked, so that webhooks made at one moment are counted one after the other.
        user = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if user.webhooks.count() >= MOST_WEBHOOKS:
            raise RefusedError("webhooks-many", str(MOST_WEBHOOKS))
        webhook = Webhook(
            user=user,
            event=event,
            address=address,
            kinds=_checked(event, kinds),
            secret=secret,
            made_at=database_time.now(),
        )
        if not webhook_deliveries.may_see(webhook):
            raise RefusedError("webhook-event")
        webhook_deliveries.skip_earlier(webhook)
        webhook.save()
        _wake_at_news(webhook)
        audit.note("webhook-create", actor=user, webhook=webhook.pk, address=address)
    return NewWebhook(webhook, text_of(secret))


def of(user: User) -> QuerySet[Webhook]:
    """Return the webhooks of an account with their events, the oldest first."""
    return user.webhooks.select_related("event")


def text_of(secret: bytes) -> str:
    """Return a secret as libraries of Standard Webhooks read it."""
    return _PREFIX + b64encode(secret).decode()


def change(webhook: Webhook, *, kinds: Collection[str], is_active: bool) -> None:
    """Choose the kinds, and switch the webhook off or on. Earlier news are not sent when it is on again.

    Raises RefusedError `webhook-kinds`.
    """
    rows = Webhook.objects.filter(pk=webhook.pk)
    rows.update(kinds=_checked(webhook.event, kinds))
    if not is_active:
        rows.update(is_active=False)
        return
    with transaction.atomic():
        webhook_deliveries.skip_earlier(webhook)
        rows.filter(is_active=False).update(
            is_active=True, seq=webhook.seq, audit_id=webhook.audit_id, failing_since=None
        )
        _wake_at_news(webhook)


def delete(webhook: Webhook) -> None:
    """Remove a webhook with its deliveries."""
    with transaction.atomic():
        audit.note("webhook-delete", actor=webhook.user, webhook=webhook.pk)
        webhook.delete()


def send_test(webhook: Webhook) -> WebhookDelivery:
    """Write a message that says that the webhook works."""
    delivery = webhook_deliveries.write(webhook, webhook_deliveries.TEST, {}, database_time.now())
    enqueue.webhooks(webhook_deliveries.topic_of(webhook))
    return delivery


def send_again(delivery: WebhookDelivery) -> None:
    """Send a delivery again, with its `webhook-id`, whatever its result was."""
    WebhookDelivery.objects.filter(pk=delivery.pk).update(
        state=WebhookDelivery.State.WAITING, tries=0, due_at=database_time.now()
    )
    enqueue.webhooks(webhook_deliveries.topic_of(delivery.webhook))


def _wake_at_news(webhook: Webhook) -> None:
    """Let news of the topic send for a worker. In the caller's transaction, after the webhook's row."""
    name = webhook_deliveries.topic_of(webhook)
    Topic.objects.update_or_create(name=name, defaults={"has_webhooks": True})


def _checked(event: Event | None, kinds: Collection[str]) -> str:
    known = news_kinds.codes_of_accounts() if event is None else EventTopic.values
    if not set(kinds) <= set(known):
        raise RefusedError("webhook-kinds", " ".join(sorted(set(kinds) - set(known)))[:80])
    return " ".join(code for code in known if code in kinds)
