"""Emails: news that their reader has not seen on the site within some minutes.

Each is sent at least once. django-mailer sends inside a transaction, django-post-office without a
claim (docs/decisions/0017).
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from smtplib import SMTPRecipientsRefused

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments import database_time
from tournaments.errors import RefusedError
from tournaments.models import Email, Inbox, User
from tournaments.services.notifications import inbox as inboxes

log = logging.getLogger(__name__)

# A reader at the page sees the news there. E-mails are for absent readers.
PATIENCE = timedelta(minutes=5)
_LEASE = timedelta(minutes=10)
_TRIES = 5
_AT_MOST = 20
# After so long a run leaves the rest to the next one: a slow mail server must not occupy every process
# of the queue `post`, in which devices and webhooks wait too.
_LONGEST_RUN_S = 9.0
_DAY = timedelta(days=1)
_CONFIRMATIONS_A_DAY = 5


def is_possible() -> bool:
    """Return whether this installation sends emails at all."""
    return not settings.EMAIL_BACKEND.endswith("dummy.EmailBackend")


def is_shown_here() -> bool:
    """Return whether e-mails appear in the terminal of the site and on a page instead of mailboxes."""
    return settings.EMAIL_BACKEND.endswith("console.EmailBackend")


def shown_here(limit: int) -> Sequence[Email]:
    """Return the latest e-mails that the site showed instead of sending them, or no e-mails with a mail server."""
    if not is_shown_here():
        return []
    return list(Email.objects.select_related("user").order_by("-made_at", "-pk")[:limit])


def ask_to_confirm(user: User, address: str, *, language: str) -> None:
    """Send an e-mail that asks the reader of an address to confirm it.

    Raises:
        RefusedError: `address-bad`, or `emails-many`, which protects the mailboxes of others.
    """
    with transaction.atomic():
        token = inboxes.ask_address(user, address, language=language)
        _require_patience(user)
        with translation.override(language):
            context = {"link": link(reverse("email-confirm", args=[token])), "user": user}
            body = render_to_string("notifications/email/confirm.txt", context)
            write(user, address.strip(), _("Please confirm your address"), body)


def write_due(now: datetime) -> None:
    """Write an email to each inbox with wanted news that stayed unread for some minutes."""
    confirmed = Inbox.objects.filter(is_confirmed=True)
    for inbox in inboxes.with_pending(confirmed, "emailed_seq", now - PATIENCE):
        with transaction.atomic():
            _write_news(inbox.pk, now)


def is_any_waiting() -> bool:
    """Return whether an email waits, now or for its next try."""
    return Email.objects.filter(state=Email.State.WAITING).exists()


def send_due(now: datetime) -> None:
    """Send the emails that wait, each tried five times at most, for some seconds."""
    began_s = time.monotonic()
    waiting = Email.objects.filter(state=Email.State.WAITING, due_at__lte=now)
    # The last worker of these was lost before it could report their result.
    waiting.filter(tries__gte=_TRIES).update(state=Email.State.FAILED)
    for email in waiting.order_by("due_at", "pk")[:_AT_MOST]:
        if time.monotonic() - began_s > _LONGEST_RUN_S:
            return
        updated_rows = waiting.filter(pk=email.pk, tries=email.tries).update(
            tries=email.tries + 1, due_at=now + _LEASE * 2**email.tries
        )
        if not updated_rows:
            continue  # another worker is at it
        try:
            send_mail(email.subject, email.body, None, [email.address])
        except (
            ValueError
        ) as error:  # no email at all: a header or an address that cannot be written
            log.warning("email.bad email=%s %s", email.pk, error)
            Email.objects.filter(pk=email.pk).update(state=Email.State.FAILED)
        except OSError as error:
            log.warning("email.failed email=%s tries=%s %s", email.pk, email.tries + 1, error)
            if email.tries + 1 >= _TRIES:
                Email.objects.filter(pk=email.pk).update(state=Email.State.FAILED)
            if not isinstance(error, SMTPRecipientsRefused):
                return  # a server that is away would be waited for with each email
        else:
            Email.objects.filter(pk=email.pk).update(state=Email.State.SENT)


def _require_patience(user: User) -> None:
    """Raise RefusedError `emails-many` for too many confirmations in a day.

    The inbox is locked, so that two requests of one account come one after the other.
    """
    place = reverse("email-confirm", args=["-"]).removesuffix("-/")
    if written_lately(user, place) >= _CONFIRMATIONS_A_DAY:
        raise RefusedError("emails-many", str(_CONFIRMATIONS_A_DAY))


def written_lately(user: User, path: str) -> int:
    """Return the number of e-mails with a link below `path` to `user` in the last day."""
    lately = user.emails.filter(made_at__gt=database_time.now() - _DAY, body__contains=link(path))
    return lately.count()


def _write_news(inbox_id: int, now: datetime) -> None:
    inbox = (
        Inbox.objects.select_for_update(of=("self",), no_key=True)
        .select_related("user")
        .get(pk=inbox_id)
    )
    if not inbox.is_confirmed:
        return  # nothing is wanted any more, since a moment ago
    choices = inboxes.wanted_by_email(inbox)
    fresh = inboxes.pending(inbox, inbox.emailed_seq, now - PATIENCE)
    notices = [notice for notice in fresh if notice.choice in choices and notice.is_worth_sending]
    if notices:
        with translation.override(inbox.language):
            count = len(notices)
            subject = ngettext(
                "Rayuela: %(count)d notification",
                "Rayuela: %(count)d notifications",
                count,
            )
            context = {
                "notices": [(notice, link(notice.get_absolute_url())) for notice in notices],
                "settings_link": link(reverse("notices")),
            }
            body = render_to_string("notifications/email/news.txt", context)
            write(inbox.user, inbox.address, subject % {"count": count}, body)
    inbox.emailed_seq = max([inbox.emailed_seq, *(notice.item.seq for notice in fresh)])
    inbox.save(update_fields=["emailed_seq"])


def link(path: str) -> str:
    """The address of a page as an email names it."""
    return f"{settings.SITE_URL}{path}"


def write(user: User, address: str, subject: str, body: str) -> None:
    """Write an email, which is sent after the caller's transaction."""
    now = database_time.now()
    Email.objects.create(
        user=user, address=address, subject=subject, body=body, due_at=now, made_at=now
    )
