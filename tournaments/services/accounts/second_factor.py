"""The second factor of an account: codes of an app (TOTP, RFC 6238), and codes on paper for its loss.

django-otp stores the keys, accepts each code once, and slows down guesses. An account with a
confirmed app is signed in by password and code. Django's admin requires the second factor.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence

from django.db import transaction
from django_otp import match_token, user_has_device
from django_otp.models import Device
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from tournaments.errors import RefusedError
from tournaments.models import User
from tournaments.services import security
from tournaments.services.accounts import passwords, throttles

RECOVERY_CODES = 10
_APP, _PAPER = "app", "paper"


def is_on(user: User) -> bool:
    """Return whether the account is signed in by a second factor too."""
    return bool(user_has_device(user))


def propose(user: User) -> TOTPDevice:
    """Return the app that is being set up, with its own key.

    It does not change until it is confirmed.
    """
    device, _ = TOTPDevice.objects.get_or_create(user=user, name=_APP, confirmed=False)
    return device


def app_of(user: User) -> Device:
    """The confirmed app of an account that has one."""
    return TOTPDevice.objects.get(user=user, confirmed=True)


def key_of(device: TOTPDevice) -> str:
    """The key as apps take it by hand: base 32 in groups of four."""
    text = base64.b32encode(device.bin_key).decode().rstrip("=")
    return " ".join(text[start : start + 4] for start in range(0, len(text), 4))


def turn_on(*, user: User, password: str, code: str) -> Sequence[str]:
    """Confirm the proposed app, and return the recovery codes. All other sessions end.

    Raises RefusedError `factor-on` if an app is confirmed already, `factor-code-wrong`, and as
    `passwords.require`.
    """
    # Before the transaction, in which a wrong password would not be counted.
    passwords.require(user, password)
    with transaction.atomic():
        device = (
            TOTPDevice.objects.select_for_update(no_key=True)
            .filter(user=user, confirmed=False)
            .first()
        )
        if device is None or is_on(user):
            raise RefusedError("factor-on")
        if not device.verify_token(_plain(code)):
            raise RefusedError("factor-code-wrong")
        device.confirmed = True
        device.save(update_fields=["confirmed"])
        passwords.store_again(user, password)
        security.note(security.FACTOR_ON, user)
        return _new_recovery_codes(user)


def turn_off(*, user: User, password: str, code: str) -> None:
    """Sign in by password alone again. Raises RefusedError as `verify` and `passwords.require`."""
    passwords.require(user, password)
    verify(user, code)
    with transaction.atomic():
        forget(user)
        security.note(security.FACTOR_OFF, user)


def forget(user: User) -> None:
    """Remove the app and the recovery codes of an account."""
    TOTPDevice.objects.filter(user=user).delete()
    StaticDevice.objects.filter(user=user).delete()


def renew_recovery_codes(*, user: User, password: str, code: str) -> Sequence[str]:
    """Return new recovery codes. The former are void. Raises RefusedError as `turn_off`."""
    passwords.require(user, password)
    verify(user, code)
    with transaction.atomic():
        security.note(security.RECOVERY_CODES, user)
        return _new_recovery_codes(user)


def verify(user: User, code: str) -> Device:
    """Accept a code of the app or a recovery code, each once, and return its device.

    Raises RefusedError `factor-code-wrong`, or TooManyError after too many wrong ones.
    """
    attempt = throttles.password(user.pk)
    device: Device | None = match_token(user, _plain(code))
    if device is None:
        attempt.fail(security.CODE_WRONG, user)
        raise RefusedError("factor-code-wrong")
    attempt.forgive()
    if isinstance(device, StaticDevice):
        security.note(security.RECOVERY_CODE, user)
    return device


def _plain(code: str) -> str:
    """The code without the blanks and hyphens that people and apps put in."""
    return "".join(code.split()).replace("-", "").lower()


def _new_recovery_codes(user: User) -> Sequence[str]:
    device, _ = StaticDevice.objects.get_or_create(user=user, name=_PAPER)
    device.token_set.all().delete()
    codes = [StaticToken.random_token() for _ in range(RECOVERY_CODES)]
    StaticToken.objects.bulk_create(StaticToken(device=device, token=code) for code in codes)
    return codes
