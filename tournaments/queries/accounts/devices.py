"""Browsers that have signed in to an account before, each known by a signed cookie.

Wrong passwords from them have a count of their own, so that strangers who use up the count of an
account do not lock its owner out (OWASP, "Slow Down Online Guessing Attacks with Device Cookies").
The signature depends on the stored password: a change of the password, and the end of all other
sessions, make all cookies of the account void.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from django.core import signing

from tournaments.models import User

LIFE: Final = timedelta(days=365)
_SALT = "tournaments.devices"
_SEPARATOR = "~"
# Accounts that one browser is known to. The one that signed in the longest ago is dropped.
_MOST = 5
_NAME_BYTES = 12


def known(user: User, cookie: str) -> str:
    """Return the random name of the browser if `cookie` proves a sign-in to `user`, else an empty text."""
    return next((name for name in (_name(user, part) for part in _parts(cookie)) if name), "")


def remembered(user: User, cookie: str) -> str:
    """Return `cookie` with a proof for `user`. A known browser keeps its name, and so its count."""
    name = known(user, cookie) or secrets.token_urlsafe(_NAME_BYTES)
    others = [part for part in _parts(cookie) if not _name(user, part)]
    return _SEPARATOR.join([signing.dumps(name, salt=_salt(user)), *others][:_MOST])


def _parts(cookie: str) -> Sequence[str]:
    return [part for part in cookie.split(_SEPARATOR)[:_MOST] if part]


def _name(user: User, part: str) -> str:
    try:
        name = signing.loads(part, salt=_salt(user), max_age=LIFE)
    except (signing.BadSignature, ValueError):
        return ""
    return name if isinstance(name, str) else ""


def _salt(user: User) -> str:
    return f"{_SALT}.{user.pk}.{user.password}"
