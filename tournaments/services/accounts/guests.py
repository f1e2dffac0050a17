"""Guests: visitors who play without an account.

A guest is a player without an account. The browser has a signed cookie with its number. The row
`Guest` permits its return. Guests play casual games with bots, in quick pairing and by invitations.
Other actions need an account (docs/decisions/0018). `services/lobby/guest_games.py` treats their
games.
"""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from tournaments import database_time, limits
from tournaments.errors import NotAllowedError, RefusedError
from tournaments.models import Game, Guest, Player
from tournaments.services.accounts import throttles
from tournaments.services.accounts.players import GUEST_NAME, add_player

# The time after which an inactive guest cannot return.
STAYS = timedelta(days=30)
# The precision of `Guest.seen_at`.
_SEEN_STEP = timedelta(hours=1)
_MAX_GAMES = 6
_SALT = "tournaments.guests"
COOKIE_SALT = "tournaments.guests.cookie"
# Digits of a name, at first and after each name that is taken.
_DIGITS = (4, 4, 5, 6, 8, 10)


def find(player_id: int) -> Player | None:
    """The guest of this number while it may come back."""
    since = database_time.now() - STAYS
    return Player.objects.filter(pk=player_id, guest__seen_at__gt=since).first()


def of_cookie(request: HttpRequest) -> Player | None:
    """Return the guest of the browser, also if an account is signed in."""
    number = request.get_signed_cookie(settings.GUEST_COOKIE_NAME, default="", salt=COOKIE_SALT)
    return find(int(number)) if number else None


def enter(*, browser: str, address: str) -> Player:
    """Return the guest of a browser that has no guest yet.

    `browser` is a secret that all tabs of the browser share: two simultaneous requests get one
    guest.

    Raises:
        TooManyError: too many new guests have come from one place.
        RefusedError: `guests-many`, all names are taken.
    """
    player = returning(browser=browser)
    if player is not None:
        return player
    digest = _digest(browser)
    throttles.count(throttles.Visitor(address=address), limits.GUESTS, limits.GUESTS_OF_ALL)
    return _create(digest) or Player.objects.get(guest__browser=digest)


def returning(*, browser: str) -> Player | None:
    """The guest of a browser, if the tick has not begun to forget it."""
    digest = _digest(browser)
    rows = Guest.objects.filter(browser=digest)
    if not rows.update(seen_at=database_time.now()):
        return None
    return Player.objects.filter(guest__browser=digest).first()


def _digest(browser: str) -> str:
    return salted_hmac(_SALT, browser, algorithm="sha256").hexdigest()


def _create(digest: str) -> Player | None:
    """A new guest, or None when another tab of the browser was faster."""
    for digits in _DIGITS:
        try:
            with transaction.atomic():
                # First the browser's row could not be: it belongs to its player.
                player = add_player(_name(digits), Player.Kind.GUEST, None)
                Guest.objects.create(player=player, browser=digest, seen_at=player.created_at)
        except IntegrityError:
            if Guest.objects.filter(browser=digest).exists():
                return None
        else:
            return player
    raise RefusedError("guests-many", "no name is left")


def _name(digits: int) -> str:
    return f"{GUEST_NAME} {secrets.randbelow(16**digits):0{digits}X}"


def note_visit(player: Player) -> None:
    """Note the visit of a guest: its data is not pruned for another month."""
    now = database_time.now()
    Guest.objects.filter(player=player, seen_at__lt=now - _SEEN_STEP).update(seen_at=now)


def require_room(player: Player, *, address: str) -> None:
    """Raise an error unless a guest may begin another game, seek or invitation.

    People have other limits.

    Raises:
        RefusedError: `guest-games` with six games in progress.
        TooManyError: too many were begun from one place.
    """
    if not player.is_guest:
        return
    if Game.objects.ongoing().of(player).count() >= _MAX_GAMES:
        raise RefusedError("guest-games", str(_MAX_GAMES))
    throttles.count(throttles.Visitor(address=address), limits.GUEST_GAMES)


def require_account(player: Player) -> None:
    """Raise NotAllowedError `account-needed` for guests."""
    if player.is_guest:
        raise NotAllowedError("account-needed")
