"""Sessions of accounts: the engine that keeps them, and the list from which their owners end them.

A name of a session, which may be shown on a page, is a keyed hash of its key: a person with the key
is signed in.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib import auth
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.db import DatabaseError
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare, salted_hmac

from tournaments import database_time
from tournaments.errors import RefusedError
from tournaments.models import Session, User, statements

log = logging.getLogger(__name__)

# The number of the browser's device for Web Push.
DEVICE = "push_device"
_ORIGIN = "signed-in"
_SALT = "tournaments.sessions"
_LONGEST = 300
_HAS_PERMISSIONS = "has_permissions"


class SessionStore(DatabaseStore):
    """Django's sessions in the database, with the account and the day in columns (SESSION_ENGINE).

    Attributes:
        seen_on: as the row had it when it was read, or None before.
        account: the signed-in account, with the player, as it was read with the row, or None before
            the read and without an account.
    """

    seen_on: date | None = None
    account: User | None = None

    @classmethod
    def get_model_class(cls) -> type[Session]:
        """The rows that are read and written."""
        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        """The row that holds `data`."""
        row = super().create_model_instance(data)
        assert isinstance(row, Session), "see get_model_class"
        row.user_id = data.get(SESSION_KEY)
        row.seen_on = self.seen_on = database_time.now().date()
        return row

    def _get_session_from_db(self) -> Session | None:
        row = _living.one(key=self.session_key, now=database_time.now())
        if row is None:
            self._session_key = None  # as Django's own
            return None
        self.seen_on, self.account = row.seen_on, row.user
        if row.user is not None:
            row.user.has_permissions = bool(getattr(row, _HAS_PERMISSIONS, True))
        return row


@statements.query
def _living(key: str, now: datetime) -> QuerySet[Session]:
    """The session with its account and the player, for whom every page asks: one statement for two of Django's.

    With it comes whether the account has permissions, which takes no statement of a page then.
    """
    own = User.user_permissions.through.objects.filter(user=OuterRef("user"))
    of_groups = User.groups.through.objects.filter(user=OuterRef("user"))
    rows = Session.objects.annotate(**{_HAS_PERMISSIONS: Exists(own) | Exists(of_groups)})
    return rows.select_related("user__player").filter(session_key=key, expire_date__gt=now)


def user_of(request: HttpRequest) -> AbstractBaseUser | AnonymousUser:
    """Return the account that is signed in with the session of the request.

    It is the account that was read with the session, if that is still valid. Django decides all
    other cases: visitors, closed accounts, changed passwords and keys.
    """
    session = request.session
    assert isinstance(session, SessionStore), "SESSION_ENGINE"
    account = _account(session)
    if account is None or session.get(BACKEND_SESSION_KEY) not in settings.AUTHENTICATION_BACKENDS:
        return auth.get_user(request)
    session_hash = session.get(HASH_SESSION_KEY, "")
    is_current = constant_time_compare(session_hash, account.get_session_auth_hash())
    return account if is_current else auth.get_user(request)


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A session of an account, as its owner sees it.

    Attributes:
        name: the name for `end`, not its key.
        user_agent, address: of the browser that signed in, empty when they are not known.
        began_at: the time of the sign-in, or None when that is not known.
        seen_on: the last day (UTC) on which it asked for a page.
        is_this: whether it is the session of the request.
    """

    name: str
    user_agent: str
    address: str
    began_at: datetime | None
    seen_on: date | None
    is_this: bool


def begin(session: SessionBase, *, user_agent: str, address: str) -> None:
    """Store the place of a new sign-in."""
    session[_ORIGIN] = {
        "at": database_time.now().isoformat(),
        "user_agent": user_agent[:_LONGEST],
        "address": address,
    }


def renew(session: SessionStore) -> bool:
    """Extend a session in use: it ends a fixed time after the last day with a page.

    Returns whether this was the first page of a day. It is one statement, which does not change
    data that another request puts into the session. Without write access to the database, the
    session is not renewed.
    """
    now = database_time.now()
    if session.seen_on == now.date():
        return False
    rows = Session.objects.filter(pk=session.session_key, expire_date__gt=now)
    ends_at = now + timedelta(seconds=session.get_session_cookie_age())
    try:
        return bool(rows.update(seen_on=now.date(), expire_date=ends_at))
    except DatabaseError as error:
        log.warning("sessions.not-renewed %s", error)
        return False


def of(user: User, current_key: str | None) -> Sequence[SignedIn]:
    """All sessions that `user` is signed in with: this one first, then the one seen last."""
    rows = [_signed_in(row, data, current_key) for row, data in _valid(user)]
    return sorted(rows, key=lambda row: (row.is_this, row.seen_on or date.min), reverse=True)


def end(*, user: User, name: str, current_key: str | None) -> None:
    """Sign out one of the other sessions of `user`.

    Raises RefusedError `session-over` when there is no such session, or it is the one that asks.
    """
    keys = [row.pk for row, _ in _valid(user) if row.pk != current_key]
    key = next((key for key in keys if constant_time_compare(_name(key), name)), None)
    if key is None or not Session.objects.filter(pk=key).delete()[0]:
        raise RefusedError("session-over")


def device_ids(user: User) -> set[int]:
    """Return the numbers of the devices of browsers that `user` is signed in with."""
    return {data[DEVICE] for _, data in _valid(user) if DEVICE in data}


def holder(session_key: str) -> User | None:
    """Return the account that the session is signed in with.

    Return None when it has ended, also by a change of the password.
    """
    session = SessionStore(session_key=session_key or None)
    account = _account(session)
    return account if account is not None and _is_of(account, session) else None


def value_of(session_key: str, name: str) -> object:
    """Return the value that the session keeps under `name`, or None without one."""
    value: object = SessionStore(session_key=session_key or None).get(name)
    return value


def _account(session: SessionStore) -> User | None:
    """The account that the session names, if it was read with it and may sign in."""
    user_id: str | None = session.get(SESSION_KEY)
    account = session.account
    is_its_own = account is not None and str(account.pk) == user_id
    return account if account is not None and is_its_own and account.is_active else None


def _valid(user: User) -> list[tuple[Session, Mapping[str, Any]]]:
    rows = Session.objects.filter(user=user, expire_date__gt=database_time.now())
    both = [(row, row.get_decoded()) for row in rows]
    return [(row, data) for row, data in both if _is_of(user, data)]


def _is_of(user: User, data: Mapping[str, Any] | SessionBase) -> bool:
    """Return whether a session was begun with the password that the account has now."""
    valid_hashes = [user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()]
    session_hash = data.get(HASH_SESSION_KEY, "")
    return any(constant_time_compare(session_hash, valid) for valid in valid_hashes)


def _signed_in(row: Session, data: Mapping[str, Any], current_key: str | None) -> SignedIn:
    origin = data.get(_ORIGIN, {})
    at = origin.get("at")
    return SignedIn(
        _name(row.pk),
        origin.get("user_agent", ""),
        origin.get("address", ""),
        datetime.fromisoformat(at) if at else None,
        row.seen_on,
        row.pk == current_key,
    )


def _name(key: str) -> str:
    return salted_hmac(_SALT, key, algorithm="sha256").hexdigest()[:32]
