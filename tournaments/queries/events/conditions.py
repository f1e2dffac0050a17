"""Conditions of entry to an event: the deadline, the access code, ratings and games played."""

from __future__ import annotations

from collections.abc import Callable

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.crypto import constant_time_compare

from tournaments import database_time
from tournaments.errors import RefusedError
from tournaments.models import (
    Entry,
    Event,
    Festival,
    Game,
    Player,
    Rating,
    StaffMember,
    User,
    statements,
)
from tournaments.models.events import EventQuerySet
from tournaments.models.games import GameQuerySet
from tournaments.queries.ratings import pools
from tournaments.ratings import INITIAL_CENTIELO


def require(event: Event, player: Player, code: str) -> None:
    """Raise RefusedError unless `player` may enter by the organiser's conditions.

    Raises:
        RefusedError: `registration-closed`, `code-wrong`, `rating-low`, `rating-high`, `games-few`.
    """
    deadline = event.registration_closes_at
    if deadline is not None and database_time.now() > deadline:
        raise RefusedError("registration-closed")
    if event.access_code and not is_code(event, code):
        raise RefusedError("code-wrong")
    has_band = event.min_centielo is not None or event.max_centielo is not None
    if not has_band and not event.min_games:
        return
    rating = Rating.objects.filter(player=player, pool__key=pools.key_of(event)).first()
    centielo = rating.centielo if rating is not None else INITIAL_CENTIELO
    if event.min_centielo is not None and centielo < event.min_centielo:
        raise RefusedError("rating-low", str(event.min_centielo // 100))
    if event.max_centielo is not None and centielo > event.max_centielo:
        raise RefusedError("rating-high", str(event.max_centielo // 100))
    if (rating.games if rating is not None else 0) < event.min_games:
        raise RefusedError("games-few", str(event.min_games))


def is_code(event: Event, code: str) -> bool:
    """Return whether `code` is the event's access code; false without one."""
    return bool(event.access_code) and constant_time_compare(code.strip(), event.access_code)


def may_see(event: Event, user: User | None, code: str) -> bool:
    """Return whether the user may look at the event. Public events are open to all.

    A private event is open to its staff, its players, authors of its bots and visitors with its
    code.
    """
    if not event.is_private or is_code(event, code):
        return True
    if user is None:
        return False
    if user.is_superuser or event.organiser_id == user.pk:
        return True
    is_member = StaffMember.objects.filter(event=event, user=user).exists()
    return is_member or event.entries.filter(_is_of(user)).exists()


def may_see_game(game: Game, user: User | None, code: Callable[[str], str]) -> bool:
    """Return whether `user`, with the access code that `code` finds for the event's slug, may look at the game.

    A game of an event is as private as its event. Every other game is public.
    """
    event = game.pairing.event if game.pairing is not None else None
    return event is None or not event.is_private or may_see(event, user, code(event.slug))


def visible(events: EventQuerySet, user: User | None) -> EventQuerySet:
    """Return the events that lists show to `user`: public ones, and private ones with a part in them."""
    if user is None:
        return events.filter(is_private=False)
    entered = Entry.objects.filter(_is_of(user), event=OuterRef("pk"))
    helps = StaffMember.objects.filter(event=OuterRef("pk"), user=user)
    return events.filter(Q(is_private=False) | Q(organiser=user) | Exists(entered) | Exists(helps))


def reader_of_lists(user: User | None) -> User | None:
    """Return `user` if lists may show more to it than to visitors, else None.

    They show private events and their games to those with a part in them, and festivals to their organisers.
    """
    return user if user is not None and any(*_parts.all(user=user.pk)) else None


@statements.query
def _parts(user: int) -> QuerySet[User, tuple[bool, ...]]:
    """Return whether the user organises, plays in and helps with private events, and organises festivals."""
    private = Event.objects.filter(is_private=True)
    entries = Entry.objects.filter(event__is_private=True)
    return User.objects.filter(pk=user).values_list(
        Exists(private.filter(organiser=OuterRef("pk"))),
        Exists(entries.filter(player__user=OuterRef("pk"))),
        Exists(entries.filter(player__bot__owner=OuterRef("pk"))),
        Exists(StaffMember.objects.filter(user=OuterRef("pk"), event__is_private=True)),
        Exists(Festival.objects.filter(organiser=OuterRef("pk"))),
    )


def visible_games(games: GameQuerySet, user: User | None) -> GameQuerySet:
    """Return the part of `games` that lists show to `user`: no games of private events in which `user` has no part."""
    return games.filter(is_game_visible(user))


def is_game_visible(user: User | None, path: str = "") -> Q:
    """Return the condition of `visible_games` for rows that have their game at `path`, such as `game__`."""
    condition = Q(**{f"{path}pairing": None}) | Q(**{f"{path}pairing__event__is_private": False})
    if user is not None:
        private = visible(Event.objects.filter(is_private=True), user)
        condition |= Q(**{f"{path}pairing__event__in": private.values("pk")})
    return condition


def _is_of(user: User) -> Q:
    """The condition that an entry is of the account, or of a bot of the account's."""
    return Q(player__user=user) | Q(player__bot__owner=user)
