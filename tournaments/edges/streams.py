"""Access to the streams of pages, and the header by which an operation of the API opens a stream."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Final

from django.conf import settings
from django.http import Http404, HttpRequest

from tournaments.edges import access
from tournaments.models import Event, Forecast, Game, Gauntlet, Player, SprtTest
from tournaments.queries.events import conditions
from tournaments.queries.games import attendance
from tournaments.services import sessions
from tournaments.services.accounts import guests
from tournaments.services.games.attendance import Seat
from tournaments.services.notifications import news

# Never sent: `config.api_streams` removes it. Its JSON is the position of the stream, and its
# owner.
HEADER: Final = "X-Rayuela-Stream"
# The model of each public topic, by the first word of its name.
_PUBLIC: Mapping[str, type[Forecast | Gauntlet | SprtTest]] = {
    "forecast": Forecast,
    "gauntlet": Gauntlet,
    "sprt_test": SprtTest,
}


class Access(Enum):
    """The access of a visitor to some topics."""

    GRANTED = "granted"
    UNKNOWN = "unknown"
    FORBIDDEN = "forbidden"


def access_to(topics: Iterable[str], session_key: str) -> Access:
    """Return whether the session may follow all `topics`.

    Topics of users are for their owners. Topics of events and games are for all users who may see
    the event or the game. For other users they do not exist. All other topics are public.
    """
    each = (_access_to(topic, session_key) for topic in topics if topic != news.SITE)
    return next((answer for answer in each if answer is not Access.GRANTED), Access.GRANTED)


def seat_of(game_id: int, session_key: str, guest_cookie: str) -> Seat | None:
    """Return the seat of the account or the guest in a live game, whose attendance is watched."""
    game = Game.objects.ongoing().with_players().filter(pk=game_id).first()
    if game is None or not attendance.is_watched(game):
        return None
    side = game.side_of(_player_of(session_key, guest_cookie))
    return Seat(game_id, side) if side else None


def _player_of(session_key: str, guest_cookie: str) -> Player | None:
    user = sessions.holder(session_key)
    if user is None:
        request = HttpRequest()
        request.COOKIES[settings.GUEST_COOKIE_NAME] = guest_cookie
        return guests.of_cookie(request)
    player: Player | None = getattr(user, "player", None)
    return player


def _access_to(topic: str, session_key: str) -> Access:
    kind, _, number = topic.partition(":")
    if not number.isascii() or not number.isdigit() or len(number) > 18:
        return Access.UNKNOWN
    if kind == "user":
        user = sessions.holder(session_key)
        is_owner = user is not None and str(user.pk) == number
        return Access.GRANTED if is_owner else Access.FORBIDDEN
    return Access.GRANTED if _is_visible(kind, int(number), session_key) else Access.UNKNOWN


def _is_visible(kind: str, number: int, session_key: str) -> bool:
    def code(slug: str) -> str:
        return str(sessions.value_of(session_key, access.code_key(slug)) or "")

    match kind:
        case "event":
            event = Event.objects.filter(pk=number).first()
            return event is not None and (
                not event.is_private
                or conditions.may_see(event, sessions.holder(session_key), code(event.slug))
            )
        case "game":
            try:
                access.get_game_for(sessions.holder(session_key), number, code)
            except Http404:
                return False
            return True
        case _:
            subject = _PUBLIC.get(kind)
            return subject is not None and subject.objects.filter(pk=number).exists()
