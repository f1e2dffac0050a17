"""Passwords: forgotten ones, and those that are required before final actions."""

from __future__ import annotations

from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext as _

from tournaments.errors import RefusedError
from tournaments.models import Inbox, Player, User
from tournaments.services import security
from tournaments.services.accounts import throttles
from tournaments.services.notifications import email

_RESETS_A_DAY = 5


class ResetTokens(PasswordResetTokenGenerator):
    """Tokens of reset links.

    Django's end with time, a sign-in and a change of the password. These also end with a change of
    the confirmed address.
    """

    def _make_hash_value(self, user: User, timestamp: int) -> str:
        address = Inbox.objects.filter(user=user.pk, is_confirmed=True).values_list("address")
        return f"{super()._make_hash_value(user, timestamp)}{list(address)}"


reset_tokens = ResetTokens()


def require(user: User, password: str) -> None:
    """Raise RefusedError `password-wrong`, or TooManyError after too many wrong ones."""
    attempt = throttles.password(user.pk)
    if not user.check_password(password):
        attempt.fail(security.PASSWORD_WRONG, user)
        raise RefusedError("password-wrong")
    attempt.forgive()


def send_resets(address: str) -> None:
    """Send a reset link to a confirmed address, for each account that has it.

    The caller does not learn whether there is such an account, nor whether it had too many links
    lately.
    """
    confirmed = Inbox.objects.filter(is_confirmed=True, user__is_active=True)
    for inbox_id in confirmed.filter(address__iexact=address.strip()).values_list("pk", flat=True):
        with transaction.atomic():
            _send_reset(inbox_id)


def end_other_sessions(*, user: User, password: str) -> None:
    """End all sessions of `user`. The caller may renew its own. Raises RefusedError as `require`."""
    require(user, password)
    with transaction.atomic():
        store_again(user, password)
        security.note(security.SESSIONS_END, user)


def store_again(user: User, password: str) -> None:
    """Store the password with another salt.

    A session holds a hash of the stored password, so that this ends every session.
    """
    user.set_password(password)
    user.save(update_fields=["password"])


def _send_reset(inbox_id: int) -> None:
    # Locked, so that two simultaneous requests are counted one after the other.
    rows = Inbox.objects.select_for_update(of=("self",), no_key=True).select_related("user")
    inbox = rows.get(pk=inbox_id)
    user = inbox.user
    place = reverse("password-reset-confirm", args=["-", "-"]).removesuffix("-/-/")
    if not user.has_usable_password() or email.written_lately(user, place) >= _RESETS_A_DAY:
        return
    token = reset_tokens.make_token(user)
    path = reverse("password-reset-confirm", args=[_uid(user), token])
    with translation.override(inbox.language):
        context = {"link": email.link(path), "name": _name(user)}
        body = render_to_string("notifications/email/reset.txt", context)
        email.write(user, inbox.address, _("A new password"), body)


def _name(user: User) -> str:
    names = Player.objects.filter(user=user).values_list("name", flat=True)
    return names.first() or user.get_username()


def _uid(user: User) -> str:
    return urlsafe_base64_encode(force_bytes(user.pk))
