"""Security events: one line of the log each, a row for the owner, and an e-mail about the gravest.

A line names accounts by their numbers and has no text of a visitor, so that no name can forge one.
Requests beyond a limit are no events: the last permitted try is one (`TRIES_OVER`), and a flood
does not fill the log.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.db.models import F
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments import database_time
from tournaments.models import Inbox, SecurityEvent, User
from tournaments.services.notifications import email
from tournaments.text.browsers import browser_name

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

log = logging.getLogger("rayuela.security")

_MOST_SHOWN = 100
_LONGEST_DETAIL = 60
_ONE_ROW = timedelta(hours=1)
_V4_PREFIX, _V6_PREFIX = 24, 48


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of security events.

    Attributes:
        code: the name in the log, in rows and in figures.
        words: the event as a sentence for the owner.
        is_failure: the line is a warning, and equal events of an hour are one row.
        is_mailed: the owner gets an e-mail.
        is_by_administrator: the owner does not see the network and the browser, which are another
            person's.
    """

    code: str
    words: _StrPromise
    is_failure: bool = False
    is_mailed: bool = False
    is_by_administrator: bool = False


SIGN_IN: Final = Kind("sign-in", _("A known browser signed in."))
SIGN_IN_NEW: Final = Kind("sign-in-new", _("A new browser signed in."), is_mailed=True)
SIGN_IN_FAILED: Final = Kind(
    "sign-in-failed", _("A sign-in failed, because the password was wrong."), is_failure=True
)
CODE_WRONG: Final = Kind("code-wrong", _("A code of the second factor was wrong."), is_failure=True)
PASSWORD_WRONG: Final = Kind(
    "password-wrong", _("A signed-in browser gave a wrong password."), is_failure=True
)
TRIES_OVER: Final = Kind(
    "tries-over",
    _("There were too many wrong passwords or codes. Further tries were refused for a while."),
    is_failure=True,
)
SESSION_END: Final = Kind("session-end", _("Another device was signed out."))
SESSIONS_END: Final = Kind("sessions-end", _("All other devices were signed out."))
PASSWORD_CHANGE: Final = Kind("password-change", _("The password was changed."), is_mailed=True)
PASSWORD_RESET: Final = Kind(
    "password-reset", _("The password was reset by a link from an e-mail."), is_mailed=True
)
PASSWORD_SET: Final = Kind(
    "password-set",
    _("An administrator set the password."),
    is_mailed=True,
    is_by_administrator=True,
)
FACTOR_ON: Final = Kind(
    "second-factor-on", _("Two-factor authentication was turned on."), is_mailed=True
)
FACTOR_OFF: Final = Kind(
    "second-factor-off", _("Two-factor authentication was turned off."), is_mailed=True
)
RECOVERY_CODES: Final = Kind("recovery-codes", _("The recovery codes were renewed."))
RECOVERY_CODE: Final = Kind("recovery-code", _("A recovery code was used."))
TOKEN_CREATE: Final = Kind("token-create", _("An access token was created."))
TOKEN_ROTATE: Final = Kind("token-rotate", _("An access token was exchanged for a new one."))
TOKEN_REVOKE: Final = Kind("token-revoke", _("An access token was revoked."))
APPLICATION_CREATE: Final = Kind("application-create", _("An application was created."))
APPLICATION_SECRET: Final = Kind(
    "application-secret", _("The secret of an application was renewed.")
)
APPLICATION_DELETE: Final = Kind("application-delete", _("An application was deleted."))
AUTHORIZE: Final = Kind("authorize", _("An application got permission to act for the account."))
AUTHORIZATION_REVOKE: Final = Kind(
    "authorization-revoke", _("The permission of an application was revoked.")
)
EMAIL_CHANGE: Final = Kind(
    "email-change", _("The e-mail address was changed or removed."), is_mailed=True
)
EMAIL_CONFIRM: Final = Kind("email-confirm", _("An e-mail address was confirmed."))
ROLE_GIVE: Final = Kind(
    "role-give", _("An administrator gave the account more rights."), is_by_administrator=True
)
ROLE_TAKE: Final = Kind(
    "role-take", _("An administrator took rights from the account."), is_by_administrator=True
)

KINDS: Final = {each.code: each for each in dict(globals()).values() if isinstance(each, Kind)}


@dataclass(frozen=True, slots=True)
class Visit:
    """The network address and the browser of the current request."""

    address: str = ""
    user_agent: str = ""


# Set by a middleware. Empty in workers and commands.
visit: ContextVar[Visit] = ContextVar("visit", default=Visit())  # noqa: B039 - it is frozen


def note(
    kind: Kind, user: User | None, *, actor: User | None = None, detail: str = "", address: str = ""
) -> None:
    """Record an event of an account, or of none if a visitor named none.

    In a transaction it is recorded only if the transaction is committed.

    `actor` is an administrator who acted on the account of another person. The e-mail goes to
    `address` instead of the confirmed one if it is given.
    """
    here = visit.get()
    network = shortened(here.address)
    transaction.on_commit(partial(_log, kind, network, user_id=_pk(user), actor_id=_pk(actor)))
    if user is None:
        return
    now = database_time.now()
    if kind.is_failure and _count_again(kind, user, now):
        return
    event = SecurityEvent.objects.create(
        user=user,
        kind=kind.code,
        detail=detail[:_LONGEST_DETAIL],
        network="" if kind.is_by_administrator else network,
        browser="" if kind.is_by_administrator else browser_name(here.user_agent),
        happened_at=now,
    )
    if kind.is_mailed:
        _write(kind, event, address)


def of(user: User) -> Sequence[SecurityEvent]:
    """Return the latest events of `user`, the newest first, at most 100."""
    return list(user.security_events.all()[:_MOST_SHOWN])


def shortened(address: str) -> str:
    """Return the network of an address, which many people share: /24 for IPv4, /48 for IPv6."""
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return ""
    ip = getattr(ip, "ipv4_mapped", None) or ip
    prefix = _V4_PREFIX if ip.version == 4 else _V6_PREFIX
    return str(ip_network((ip, prefix), strict=False))


def _log(kind: Kind, network: str, *, user_id: int | None, actor_id: int | None) -> None:
    facts = {"kind": kind.code, "user": user_id, "network": network or None, "by": actor_id}
    words = [f"{name}={facts[name] or '-'}" for name in ("user", "network")]
    if actor_id is not None:
        words.append(f"by={actor_id}")
    level = logging.WARNING if kind.is_failure else logging.INFO
    log.log(level, "security.%s %s", kind.code, " ".join(words), extra=facts)


def _count_again(kind: Kind, user: User, now: datetime) -> bool:
    """Count a failure in the row of an equal one, and return whether there is such a row."""
    rows = user.security_events.filter(kind=kind.code, happened_at__gt=now - _ONE_ROW)
    return bool(rows.update(times=F("times") + 1))


def _write(kind: Kind, event: SecurityEvent, address: str) -> None:
    """Write to the address, or to the confirmed one if there is one."""
    inbox = Inbox.objects.filter(user=event.user).first()
    if inbox is None or not (address or inbox.is_confirmed) or not email.is_possible():
        return
    with translation.override(inbox.language):
        context = {
            "name": event.user.get_username(),
            "sentence": kind.words,
            "event": event,
            "link": email.link(reverse("account-security")),
        }
        body = render_to_string("notifications/email/security.txt", context)
        subject = gettext("Security of your Rayuela account")
        email.write(event.user, address or inbox.address, subject, body)


def _pk(user: User | None) -> int | None:
    return user.pk if user is not None else None
