"""The cookie by which the browser of a guest is known."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token

from tournaments.models import Player
from tournaments.services.accounts import guests

# The row of the guest decides when it ends, sooner than this.
_AGE_S = 365 * 24 * 3600
_GUEST = "_guest"


def of(request: HttpRequest) -> Player | None:
    """Return the guest who looks, or None. A signed-in visitor is not a guest."""
    if request.user.is_authenticated:
        return None
    if not hasattr(request, _GUEST):
        setattr(request, _GUEST, guests.of_cookie(request))
    guest: Player | None = getattr(request, _GUEST)
    return guest


def enter(request: HttpRequest) -> Player:
    """Return the guest who looks, created at the first game.

    Two tabs that send their first form at one moment share the secret behind the tokens of forms.
    Each visitor who has passed the check of a form has a secret.

    Raises RefusedError as `services.accounts.guests.enter`.
    """
    guest = of(request)
    if guest is not None:
        guests.note_visit(guest)
        return guest
    browser = browser_of(request)
    guest = guests.enter(browser=browser, address=request.META.get("REMOTE_ADDR", ""))
    setattr(request, _GUEST, guest)
    return guest


def returning(request: HttpRequest) -> Player | None:
    """The guest that this browser is already, with or without its cookie."""
    return of(request) or guests.returning(browser=browser_of(request))


def browser_of(request: HttpRequest) -> str:
    """Return the secret behind the tokens of the browser's forms."""
    get_token(request)
    secret: str = request.META["CSRF_COOKIE"]
    return secret


def remember(response: HttpResponse, guest: Player) -> None:
    """Store the guest's number, signed, in a cookie of the browser that scripts cannot read."""
    response.set_signed_cookie(
        settings.GUEST_COOKIE_NAME,
        str(guest.pk),
        salt=guests.COOKIE_SALT,
        max_age=_AGE_S,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def forget(response: HttpResponse) -> None:
    """Delete the cookie of the guest, who has an account now."""
    response.delete_cookie(settings.GUEST_COOKIE_NAME, samesite="Lax")
