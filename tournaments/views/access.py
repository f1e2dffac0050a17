"""The visitor of a request and the objects that the visitor may see: one function for each kind of object."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import Concatenate, ParamSpec

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from tournaments.edges.access import (
    code_key,
    get_event,
    get_game_for,
    get_line_for,
    get_sprt_test,
    get_suite,
    get_version_for,
)
from tournaments.models import Event, Game, Player, User
from tournaments.queries.events import conditions
from tournaments.services.accounts import guests, throttles
from tournaments.views import guest_cookie, refusals

P = ParamSpec("P")

# Names that pages and programs share, so that a view imports them from one module.
__all__ = [
    "access_code",
    "account_player_of",
    "get_event",
    "get_game",
    "get_line_for",
    "get_sprt_test",
    "get_suite",
    "get_version_for",
    "guests_too",
    "members_only",
    "player_of",
    "players_only",
    "seats_only",
    "signed_in",
    "user_of",
    "visitor_of",
]


def player_of(request: HttpRequest) -> Player | None:
    """The player who looks: of the account, or a guest.

    None for visitors who have not played, and for accounts that do not play.
    """
    return account_player_of(request) or guest_cookie.of(request)


def account_player_of(request: HttpRequest) -> Player | None:
    """The player of the account that looks, or None: guests have no account."""
    # An account that does not play raises an AttributeError, and guests have no such attribute.
    player: Player | None = getattr(request.user, "player", None)
    return player


def signed_in(request: HttpRequest) -> User:
    """The account behind a request that has passed `login_required`."""
    assert isinstance(request.user, User)
    return request.user


def check_event(request: HttpRequest, event: Event) -> None:
    """Raise Http404 unless the visitor may see the event, whatever the request method is.

    An access code in the address is kept in the session. Other visitors of a private event get the
    answer for a missing event.
    """
    if not event.access_code:
        return
    if "code" in request.GET and conditions.is_code(event, request.GET["code"]):
        request.session[code_key(event.slug)] = request.GET["code"]
    if not conditions.may_see(event, user_of(request), access_code(request, event.slug)):
        raise Http404


def visitor_of(request: HttpRequest) -> throttles.Visitor:
    """Return the visitor for the limits: REMOTE_ADDR, which only headers of trusted proxies can change."""
    address = request.META.get("REMOTE_ADDR", "")
    return throttles.Visitor(request.user.pk, address)


def access_code(request: HttpRequest, slug: str) -> str:
    """Return the access code that came with an invitation to the event, or an empty text without a code."""
    return str(request.session.get(code_key(slug), ""))


def user_of(request: HttpRequest) -> User | None:
    """Return the account of the visitor, or None for visitors without one and guests."""
    return request.user if isinstance(request.user, User) else None


def get_game(request: HttpRequest, pk: int) -> Game:
    """The game, for whom its event lets look. Raises Http404."""
    return get_game_for(user_of(request), pk, partial(access_code, request))


def players_only(
    view: Callable[Concatenate[HttpRequest, Player, P], HttpResponse],
) -> Callable[..., HttpResponse]:
    """Allow only POSTs of players with an account. `view` gets the player as its second argument."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not request.user.is_authenticated:
            return refusals.sign_in_first(request)
        return view(request, _player_or_404(request), *args, **kwargs)

    return require_POST(wrapped)


def seats_only(
    view: Callable[Concatenate[HttpRequest, Player, P], HttpResponse],
) -> Callable[..., HttpResponse]:
    """Allow only POSTs of players, with an account or as guests: of all who may sit at a board."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        guest = guest_cookie.of(request)
        if guest is not None:
            guests.note_visit(guest)
            return view(request, guest, *args, **kwargs)
        if not request.user.is_authenticated:
            return refusals.sign_in_first(request)
        return view(request, _player_or_404(request), *args, **kwargs)

    return require_POST(wrapped)


def guests_too(
    view: Callable[Concatenate[HttpRequest, Player, P], HttpResponse],
) -> Callable[..., HttpResponse]:
    """Allow POSTs of all visitors. A visitor without an account becomes a guest, within the limits.

    Use it under `refusal_as_message`.
    """

    @wraps(view)
    def wrapped(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, _player_or_404(request), *args, **kwargs)
        player = guest_cookie.enter(request)
        guests.require_room(player, address=request.META.get("REMOTE_ADDR", ""))
        response = view(request, player, *args, **kwargs)
        guest_cookie.remember(response, player)
        return response

    return require_POST(wrapped)


def _player_or_404(request: HttpRequest) -> Player:
    player = account_player_of(request)
    if player is None:
        raise Http404  # an account without a player: nothing here is for it
    return player


def members_only(
    view: Callable[Concatenate[HttpRequest, P], HttpResponse],
) -> Callable[..., HttpResponse]:
    """Allow only POSTs of signed-in accounts."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not request.user.is_authenticated:
            return refusals.sign_in_first(request)
        return view(request, *args, **kwargs)

    return require_POST(wrapped)
