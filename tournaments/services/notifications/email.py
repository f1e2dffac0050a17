"""Mail: what somebody has not read on the site within some minutes, in one letter, sent at least once."""

from __future__ import annotations

import logging
from datetime import timedelta
from smtplib import SMTPRecipientsRefused
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.models import Inbox, Mail
from tournaments.services.errors import RefusedError
from tournaments.services.notifications import inbox as inboxes

if TYPE_CHECKING:
    from datetime import datetime

    from tournaments.models import User

log = logging.getLogger(__name__)

# Who sits at the page reads it there; a letter is for those who are away.
PATIENCE = timedelta(minutes=5)
_LEASE = timedelta(minutes=10)
_TRIES = 5
_AT_MOST = 20
_DAY = timedelta(days=1)
_CONFIRMATIONS_A_DAY = 5


def is_possible() -> bool:
    """Whether this installation sends mail at all."""
    return not settings.EMAIL_BACKEND.endswith("dummy.EmailBackend")


def ask_to_confirm(user: User, address: str, *, language: str) -> None:
    """Write to an address that its reader should confirm.

    Raises:
        RefusedError: `address-bad`; `mails-many`, for nobody's mailbox is filled by way of us.
    """
    with transaction.atomic():
        token = inboxes.ask_address(user, address, language=language)
        _require_patience(user)
        with translation.override(language):
            context = {"link": _link(reverse("email-confirm", args=[token])), "user": user}
            body = render_to_string("notifications/email/confirm.txt", context)
            _write(user, address.strip(), _("Please confirm your address"), body)


def write_due(now: datetime) -> None:
    """Write a letter to everybody who has wanted news from some minutes ago that are not read yet."""
    for inbox in inboxes.to_mail(now - PATIENCE):
        with transaction.atomic():
            _write_news(inbox.pk, now)


def send_due(now: datetime) -> None:
    """Send what waits; what fails is tried again later, five times in all, and so is what comes after it."""
    waiting = Mail.objects.filter(state=Mail.State.WAITING, due_at__lte=now)
    # Whose last worker did not live to say what had become of it.
    waiting.filter(tries__gte=_TRIES).update(state=Mail.State.FAILED)
    for mail in waiting.order_by("due_at")[:_AT_MOST]:
        claimed = waiting.filter(pk=mail.pk, tries=mail.tries).update(
            tries=mail.tries + 1, due_at=now + _LEASE * 2**mail.tries
        )
        if not claimed:
            continue  # another worker is at it
        try:
            send_mail(mail.subject, mail.body, None, [mail.address])
        except ValueError as error:  # no mail at all: a header or an address that cannot be written
            log.warning("mail.bad mail=%s %s", mail.pk, error)
            Mail.objects.filter(pk=mail.pk).update(state=Mail.State.FAILED)
        except OSError as error:
            log.warning("mail.failed mail=%s tries=%s %s", mail.pk, mail.tries + 1, error)
            if mail.tries + 1 >= _TRIES:
                Mail.objects.filter(pk=mail.pk).update(state=Mail.State.FAILED)
            if not isinstance(error, SMTPRecipientsRefused):
                return  # who asks a server that is away for each letter waits for each
        else:
            Mail.objects.filter(pk=mail.pk).update(state=Mail.State.SENT)


def _require_patience(user: User) -> None:
    """The inbox is locked by now: who asks twice at once waits here for himself."""
    place = reverse("email-confirm", args=["-"]).removesuffix("-/")
    lately = user.mails.filter(made_at__gt=timezone.now() - _DAY, body__contains=place)
    if lately.count() >= _CONFIRMATIONS_A_DAY:
        raise RefusedError("mails-many", str(_CONFIRMATIONS_A_DAY))


def _write_news(inbox_id: int, now: datetime) -> None:
    inbox = (
        Inbox.objects.select_for_update(of=("self",), no_key=True)
        .select_related("user")
        .get(pk=inbox_id)
    )
    if not inbox.is_confirmed:
        return  # nothing is wanted any more, since a moment ago
    kinds = inboxes.wanted(inbox)
    fresh = inboxes.unmailed(inbox, now - PATIENCE)
    told = [
        notice
        for notice in fresh
        if notice.item.kind in kinds and notice.is_unread and not notice.is_stale
    ]
    if told:
        with translation.override(inbox.language):
            count = len(told)
            subject = ngettext(
                "Rayuela: %(count)d notification",
                "Rayuela: %(count)d notifications",
                count,
            )
            context = {
                "notices": [(notice, _link(_place(notice))) for notice in told],
                "settings_link": _link(reverse("notices")),
            }
            body = render_to_string("notifications/email/news.txt", context)
            _write(inbox.user, inbox.address, subject % {"count": count}, body)
    inbox.mailed_seq = max([inbox.mailed_seq, *(notice.item.seq for notice in fresh)])
    inbox.save(update_fields=["mailed_seq"])


def _place(notice: inboxes.Notice) -> str:
    return notice.game.get_absolute_url() if notice.game else reverse("lobby")


def _link(path: str) -> str:
    return f"{settings.SITE_URL}{path}"


def _write(user: User, address: str, subject: str, body: str) -> None:
    now = timezone.now()
    Mail.objects.create(
        user=user, address=address, subject=subject, body=body, due_at=now, made_at=now
    )
