"""Counts of limited tries: passwords, sign-ups, games, and all others that `limits` declares.

Counts are rows, so that they are shared by all processes of the site and survive a restart. A try
is counted before it is made, by one conditional update: simultaneous tries cannot all pass by
reading one count. Inside a transaction a try counts only if the transaction is committed.

The reason for rows without a library is in docs/decisions/0017.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from ipaddress import IPv6Network, ip_address
from typing import assert_never

from django.conf import settings
from django.db.models import F, QuerySet
from django.utils.crypto import salted_hmac

from tournaments import database_time, limits
from tournaments.errors import TooManyError
from tournaments.limits import By, Limit
from tournaments.models import Throttle, User, statements
from tournaments.services import security

_SALT = "tournaments.throttles"
_V6_PREFIX = 64
# Digits of a hash, 192 bits.
_DIGITS = 48


@dataclass(frozen=True, slots=True)
class Visitor:
    """A visitor: the account, or None before signing in, the network address, and the event concerned.

    Attributes:
        device: the name of the browser if it has signed in to the account `name` before.
    """

    user_id: int | None = None
    address: str = ""
    name: str = ""
    event_id: int | None = None
    device: str = ""


@dataclass(frozen=True, slots=True)
class Left:
    """The number of remaining tries of `most` under a limit, and the seconds for which they are valid."""

    limit: Limit
    most: int
    tries: int
    seconds: int


@dataclass(frozen=True, slots=True)
class Try:
    """One counted try under several limits, which can be taken back when it was no guess."""

    keys: Sequence[str]
    limits: Sequence[Limit] = ()

    def left(self) -> list[Left]:
        """Return the remaining tries under each limit, with a query for each."""
        now = database_time.now()
        rows = [_of_key.one(key=key) for key in self.keys]
        both = zip(self.limits, rows, strict=True)
        return [_left(limit, row, now) for limit, row in both if row is not None]

    def fail(self, kind: security.Kind, user: User | None) -> None:
        """Record the failure, and whether it was the last permitted one."""
        security.note(kind, user)
        if any(not left.tries for left in self.left()):
            security.note(security.TRIES_OVER, user)

    def forgive(self) -> None:
        """Count the try no more."""
        Throttle.objects.filter(key__in=self.keys, tries__gte=1).update(tries=F("tries") - 1)


def count(visitor: Visitor, *of: Limit) -> Try:
    """Return a try of `visitor`, counted under each limit that applies to it.

    A limit by account does not apply to a visitor without one. A limit by network does not apply
    without an address, as behind a socket, because all visitors would share one there.

    Raises:
        TooManyError: a limit is reached.
    """
    now = database_time.now()
    keys: list[str] = []
    counted: list[Limit] = []
    for limit in of:
        most = most_of(limit)
        what = _counted_by(limit.by, visitor)
        if most is None or what is None:
            continue
        key = f"{limit.name}:{salted_hmac(_SALT, what, algorithm='sha256').hexdigest()[:_DIGITS]}"
        if not _count(key, most, limit, now):
            raise TooManyError(limit, _retry_after_s(key, limit, now))
        keys.append(key)
        counted.append(limit)
    return Try(keys, counted)


def sign_in(name: str, address: str, *, device: str = "") -> Try:
    """A try to sign in to the account `name` from `address`. Raises TooManyError.

    A browser that is known to the account (`devices.known`) has a count of its own.
    """
    if device:
        return count(Visitor(name=name, device=device), limits.SIGN_INS_OF_DEVICE)
    visitor = Visitor(address=address, name=name)
    return count(visitor, limits.SIGN_INS_OF_ONE, limits.SIGN_INS_OF_NAME, limits.SIGN_INS_OF_PLACE)


def password(user_id: int) -> Try:
    """A try to give the password of the account that is signed in. Raises TooManyError."""
    return count(Visitor(user_id), limits.PASSWORDS)


def network_of(address: str) -> str:
    """The network that one visitor has to himself: an IPv4 address, or the /64 of an IPv6 one."""
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return ""
    if ip.version == 4:
        return str(ip)
    return str(ip.ipv4_mapped or IPv6Network((ip, _V6_PREFIX), strict=False))


def forget_expired(now: datetime) -> None:
    """Remove counts that hold no longer."""
    Throttle.objects.filter(until__lte=now).delete()


def most_of(limit: Limit) -> int | None:
    """Return the number of tries that this site allows, or None for no limit."""
    factor = settings.LIMITS_FACTOR
    if limit.is_guard or factor == 1:
        return limit.most
    return max(1, round(limit.most * factor)) if factor else None


def _counted_by(by: By, visitor: Visitor) -> str | None:
    network = network_of(visitor.address)
    match by:
        case By.ACCOUNT:
            return None if visitor.user_id is None else str(visitor.user_id)
        case By.NETWORK:
            return network or None
        case By.NAME:
            return visitor.name
        case By.NAME_AND_NETWORK:
            return f"{visitor.name} {network}"
        case By.DEVICE:
            return visitor.device or None
        case By.EVENT:
            return None if visitor.event_id is None else str(visitor.event_id)
        case By.ALL:
            return ""
        case _:
            assert_never(by)


def _count(key: str, most: int, limit: Limit, now: datetime) -> bool:
    """Count a try, and return whether it is within the limit."""
    if Throttle.objects.count_within(key, most, now):
        return True
    Throttle.objects.filter(key=key, until__lte=now).delete()
    Throttle.objects.bulk_create(
        [Throttle(key=key, until=now + limit.window)], ignore_conflicts=True
    )
    return Throttle.objects.count_within(key, most, now)


@statements.query
def _of_key(key: str) -> QuerySet[Throttle]:
    return Throttle.objects.filter(key=key)


def _left(limit: Limit, row: Throttle, now: datetime) -> Left:
    most = most_of(limit) or limit.most
    seconds = max(0, math.ceil((row.until - now).total_seconds()))
    return Left(limit, most, max(0, most - row.tries), seconds)


def _retry_after_s(key: str, limit: Limit, now: datetime) -> int:
    """Return the seconds until the count restarts, at least 1."""
    until = Throttle.objects.filter(key=key).values_list("until", flat=True).first()
    left = limit.window if until is None else until - now
    return max(1, math.ceil(left.total_seconds()))
