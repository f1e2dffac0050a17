"""The e-mail address of an account: its changes are security events."""

from __future__ import annotations

from django.db import transaction

from tournaments.models import Inbox, User
from tournaments.services import security
from tournaments.services.notifications import email, inbox


def ask(user: User, address: str, *, language: str) -> None:
    """Send an e-mail that asks the reader of `address` to confirm it.

    Raises RefusedError as `email.ask_to_confirm`.
    """
    with transaction.atomic():
        former = _confirmed(user)
        email.ask_to_confirm(user, address, language=language)
        if former and former != address.strip():
            security.note(security.EMAIL_CHANGE, user, address=former)


def confirm(token: str) -> None:
    """Confirm the address that the token was sent to. Raises RefusedError `token-bad`."""
    with transaction.atomic():
        security.note(security.EMAIL_CONFIRM, inbox.confirm_address(token).user)


def forget(user: User) -> None:
    """Stop e-mails to the address. The last one says so."""
    with transaction.atomic():
        former = _confirmed(user)
        inbox.forget_address(user)
        if former:
            security.note(security.EMAIL_CHANGE, user, address=former)


def _confirmed(user: User) -> str:
    """Return the confirmed address of `user`, or an empty text."""
    confirmed = Inbox.objects.filter(user=user, is_confirmed=True)
    return confirmed.values_list("address", flat=True).first() or ""
