"""Devices of accounts for Web Push."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.db.models import Q

from tournaments import database_time
from tournaments.errors import RefusedError
from tournaments.models import Inbox, PushDevice, User
from tournaments.models.push import NAME_LENGTH
from tournaments.services import sessions
from tournaments.services.notifications import inbox as inboxes
from tournaments.services.notifications import news, web_push

MOST_DEVICES = 10
# The session of a new device is stored a moment after it.
_NEW = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Subscription:
    """The permission of a browser to send it messages, as its script tells it."""

    endpoint: str
    keys: web_push.Keys


def add(*, user: User, subscription: Subscription, name: str, language: str) -> PushDevice:
    """Store a device of `user`, or store it again with a new name and language.

    A browser has one account: if another account signs in there, the device changes its owner.

    Raises:
        RefusedError: `no-push`, `push-device` for an endpoint or keys that cannot be used,
            `push-devices-many`.
    """
    if not web_push.is_possible():
        raise RefusedError("no-push")
    _check(subscription)
    inbox = inboxes.of_user(user)
    with transaction.atomic():
        Inbox.objects.select_for_update(no_key=True).get(pk=inbox.pk)
        # Its secret proves that the request comes from the same browser.
        PushDevice.objects.filter(
            endpoint=subscription.endpoint, auth=subscription.keys.auth
        ).delete()
        if PushDevice.objects.filter(endpoint=subscription.endpoint).exists():
            raise RefusedError("push-device")
        remove_signed_out(user)
        count = user.push_devices.count()
        if count >= MOST_DEVICES:
            raise RefusedError("push-devices-many", str(MOST_DEVICES))
        if not count:  # earlier news are not sent
            topic = news.of_user(user.pk)
            Inbox.objects.filter(pk=inbox.pk).update(pushed_seq=news.last_seq(topic))
        return PushDevice.objects.create(
            user=user,
            name=name[:NAME_LENGTH],
            endpoint=subscription.endpoint,
            p256dh=subscription.keys.p256dh,
            auth=subscription.keys.auth,
            site_key=web_push.site_key(),
            language=language,
            made_at=database_time.now(),
        )


def replace(*, former_endpoint: str, former_auth: str, subscription: Subscription) -> None:
    """Store the new subscription of a device whose browser has changed it.

    The former endpoint with its secret proves that the browser asks.

    Raises:
        RefusedError: `push-device`.
    """
    _check(subscription)
    with transaction.atomic():
        former = PushDevice.objects.filter(endpoint=former_endpoint, auth=former_auth)
        is_known = PushDevice.objects.filter(endpoint=subscription.endpoint).exists()
        if is_known or not former.update(
            endpoint=subscription.endpoint,
            p256dh=subscription.keys.p256dh,
            auth=subscription.keys.auth,
            site_key=web_push.site_key(),
        ):
            raise RefusedError("push-device")


def _signed_in(user: User) -> Q:
    """Return the condition for devices whose browser is signed in, or that are new."""
    return Q(pk__in=sessions.device_ids(user)) | Q(made_at__gt=database_time.now() - _NEW)


def of(user: User) -> Sequence[PushDevice]:
    """Return the devices of `user` that get messages."""
    return list(user.push_devices.filter(_signed_in(user)))


def remove_signed_out(user: User) -> None:
    """Remove the devices of browsers whose session has ended in any way, with the messages that wait for them.

    A session ends by a sign-out here or elsewhere, a new password, another second step, or time.
    """
    user.push_devices.exclude(_signed_in(user)).delete()


def remove(*, user: User, device_id: int) -> None:
    """Remove a device of `user`, if it exists, with the messages that wait for it."""
    user.push_devices.filter(pk=device_id).delete()


def _check(subscription: Subscription) -> None:
    try:
        web_push.checked_endpoint(subscription.endpoint)
        web_push.check_keys(subscription.keys)
    except web_push.BadSubscriptionError as error:
        raise RefusedError("push-device", str(error)) from error
