"""Pools: games that are rated together."""

from __future__ import annotations

from functools import lru_cache

from django.db.models import QuerySet

import games
from tournaments.models import Event, Game, Pool, statements

# Boards up to that size are of the class. Larger boards are giants.
_SMALL_UPTO = 9
_LARGE_UPTO = 13
# FIDE's bounds (B.02 0.1 and 0.2): a player's time for 60 moves, in minutes. A day and more is
# correspondence.
_MOVES = 60
_BLITZ_UPTO_MS = 10 * 60_000
_RAPID_BELOW_MS = 60 * 60_000
_CORRESPONDENCE_FROM_MS = 24 * 3_600_000

_KINDS_OF_EVENTS = {
    Event.Admits.PEOPLE: Pool.Kind.EVENTS,
    Event.Admits.BOTS: Pool.Kind.BOTS,
    Event.Admits.BOTH: Pool.Kind.MIXED,
}


def time_class(initial_ms: int, increment_ms: int) -> Pool.TimeClass:
    """Return the time class of games with such a clock."""
    if initial_ms >= _CORRESPONDENCE_FROM_MS or increment_ms >= _CORRESPONDENCE_FROM_MS // 24:
        return Pool.TimeClass.CORRESPONDENCE
    allowed_ms = initial_ms + _MOVES * increment_ms
    if allowed_ms <= _BLITZ_UPTO_MS:
        return Pool.TimeClass.BLITZ
    return Pool.TimeClass.RAPID if allowed_ms < _RAPID_BELOW_MS else Pool.TimeClass.STANDARD


def key_of(event: Event) -> str:
    """Return the key of the pool of the event's games, which need not exist yet."""
    kind = kind_of_event(event)
    return key_for(event.ruleset, event.clock_initial_ms, event.clock_increment_ms, kind)


def key_for(ruleset_key: str, initial_ms: int, increment_ms: int, kind: Pool.Kind) -> str:
    """Return the key of the pool of such games, which need not exist yet."""
    return _key(ruleset_key, time_class(initial_ms, increment_ms), kind)


def game_name(ruleset_key: str) -> str:
    """The name of a rule set's game, edition and size class, in the reader's language."""
    family, edition, size_class = game_class(ruleset_key)
    return Pool(family=family, edition=edition, size_class=size_class).game_name


def kind_of_event(event: Event) -> Pool.Kind:
    """Return the kind of pool for all games of the event."""
    if event.admits_remote:
        return Pool.Kind.REMOTE
    return _KINDS_OF_EVENTS[Event.Admits(event.admits)]


def key_of_game(game: Game) -> str:
    """The key of the pool of such games, whether or not this one is rated, and whether or not there is one yet."""
    return key_for(game.ruleset, game.clock_initial_ms, game.clock_increment_ms, kind_of_game(game))


def kind_of_game(game: Game) -> Pool.Kind:
    """Return the kind of pool for the game, rated or not."""
    if game.pairing is not None:
        return kind_of_event(game.pairing.event)
    if game.first.is_remote or game.second.is_remote:
        return Pool.Kind.REMOTE
    bots = game.first.is_bot + game.second.is_bot
    return (Pool.Kind.PEOPLE, Pool.Kind.MIXED, Pool.Kind.BOTS)[bots]


def _key(ruleset_key: str, time: Pool.TimeClass, kind: Pool.Kind) -> str:
    return "-".join(filter(None, [*game_class(ruleset_key), time.value, kind.value]))


def pools_of_game(ruleset_key: str, kind: Pool.Kind) -> list[Pool]:
    """Return the pools of a rule set's game, edition and size class, of all time classes."""
    family, edition, size_class = game_class(ruleset_key)
    return _of_class.all(family=family, edition=edition, size_class=size_class, kind=kind.value)


@statements.query
def _of_class(family: str, edition: str, size_class: str, kind: str) -> QuerySet[Pool]:
    return Pool.objects.filter(family=family, edition=edition, size_class=size_class, kind=kind)


@lru_cache(maxsize=1024)  # asked for each of thousands of games at once
def game_class(ruleset_key: str) -> tuple[str, str, str]:
    """Return family, edition and size class; empty without one."""
    ruleset = games.load(ruleset_key)
    size_class = ""
    if "size" in ruleset.options:
        size_class = Pool.SizeClass.SMALL.value
        if ruleset.size > _SMALL_UPTO:
            is_large = ruleset.size <= _LARGE_UPTO
            size_class = (Pool.SizeClass.LARGE if is_large else Pool.SizeClass.GIANT).value
    return ruleset.family, str(ruleset.options.get("edition", "")), size_class
