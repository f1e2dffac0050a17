"""Limits on what may be tried again and again: passwords, requests for reset links, guests.

Counts are rows, so that they hold for all processes of the site and survive a restart. A try is
counted before it is made: tries at one moment cannot all pass by reading the same count.

django-axes does the same with four times the statements and one limit for names, addresses and
pairs alike (docs/decisions/0017).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from ipaddress import IPv6Network, ip_address
from typing import TYPE_CHECKING

from django.db.models import F
from django.utils import timezone
from django.utils.crypto import salted_hmac

from tournaments.models import Throttle

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

_QUARTER = timedelta(minutes=15)
_HOUR = timedelta(hours=1)
_SALT = "tournaments.throttles"
_V6_PREFIX = 64


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `most` tries under one key within `window`, counted from the first of them."""

    kind: str
    most: int
    window: timedelta


# One visitor who has forgotten the password of one account.
NAME_AND_NETWORK = Limit("name-and-network", 10, _QUARTER)
# A list of names tried from one place. Places such as a club share an address, hence so many.
NETWORK = Limit("network", 100, _QUARTER)
# One account tried from many places.
NAME = Limit("name", 100, _QUARTER)
# The password that is asked for again inside an account.
ACCOUNT = Limit("account", 10, _QUARTER)
# Reset links asked for from one place.
RESETS = Limit("resets", 10, _HOUR)
# New guests of one place: a class behind one address, and no flood.
GUESTS = Limit("guests", 40, _HOUR)
# New guests of all places together, should somebody have many addresses.
GUESTS_OF_ALL = Limit("guests-of-all", 2_000, _HOUR)
# Games, seeks and invitations that guests of one place begin.
GUEST_GAMES = Limit("guest-games", 120, _HOUR)


@dataclass(frozen=True, slots=True)
class Try:
    """One counted try under several limits, which can be taken back when it was no guess."""

    keys: Sequence[str]
    is_allowed: bool

    def forgive(self) -> None:
        """Count the try no more."""
        Throttle.objects.filter(key__in=self.keys, tries__gte=1).update(tries=F("tries") - 1)


def sign_in(name: str, address: str) -> Try:
    """A try to sign in to the account `name` from the network address `address`."""
    network = network_of(address)
    limits = [(NAME_AND_NETWORK, f"{name} {network}"), (NAME, name)]
    # Without an address, as behind a socket, all visitors would be one.
    return _begin([*limits, (NETWORK, network)] if network else limits)


def password(user_id: int) -> Try:
    """A try to give the password of the account that is signed in."""
    return _begin([(ACCOUNT, str(user_id))])


def reset(address: str) -> Try:
    """A request for a reset link from the network address `address`."""
    return _begin([(RESETS, network_of(address))])


def new_guest(address: str) -> Try:
    """A visitor without an account who is about to become a guest."""
    network = network_of(address)
    of_place = [(GUESTS, network)] if network else []
    return _begin([*of_place, (GUESTS_OF_ALL, "")])


def guest_game(address: str) -> Try:
    """A game, a seek or an invitation that a guest is about to begin."""
    network = network_of(address)
    return _begin([(GUEST_GAMES, network)] if network else [])


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


def _begin(limits: Sequence[tuple[Limit, str]]) -> Try:
    now = timezone.now()
    keys: list[str] = []
    for limit, what in limits:
        key = f"{limit.kind}:{salted_hmac(_SALT, what, algorithm='sha256').hexdigest()}"
        if not _count(key, limit, now):
            return Try(keys, is_allowed=False)
        keys.append(key)
    return Try(keys, is_allowed=True)


def _count(key: str, limit: Limit, now: datetime) -> bool:
    """Count a try; whether it is within the limit."""
    rows = Throttle.objects.filter(key=key)
    within = rows.filter(tries__lt=limit.most)
    if within.filter(until__gt=now).update(tries=F("tries") + 1) == 1:
        return True
    rows.filter(until__lte=now).delete()
    Throttle.objects.bulk_create(
        [Throttle(key=key, until=now + limit.window)], ignore_conflicts=True
    )
    return within.update(tries=F("tries") + 1) == 1
