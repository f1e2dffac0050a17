"""Standing ladders: one in every pool of bots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product

import games
from tournaments.models import Bot, Event, Pool
from tournaments.models.events import EventQuerySet
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.queries.events import open_events as open_lists
from tournaments.queries.ratings import pools
from tournaments.text import rulesets

# A bot that has left placement rests for this time after a pair. A ladder runs for years and shares
# the workers with all other work.
_REST_OF_BLITZ_S = 15 * 60
_REST_OF_RAPID_S = 2 * 3600
# In our box, and for those that are asked over the network.
_BOXED_CLOCKS = {"10+0.1": _REST_OF_BLITZ_S, "600+10": _REST_OF_RAPID_S}
_REMOTE_CLOCKS = {"180+2": _REST_OF_BLITZ_S, "600+10": _REST_OF_RAPID_S}


@dataclass(frozen=True, slots=True)
class Offer:
    """A standing ladder, whether it has entries or not.

    Attributes:
        pool: the key of its rating pool, which is its name.
        ruleset: the board that represents the pool's.
        clock_initial_ms, clock_increment_ms: Fischer's clock, as the games have it.
        rest_s: the rest after a pair of a bot that has left placement.
        admits_remote: whether remote bots may enter.
    """

    pool: str
    ruleset: str
    clock_initial_ms: int
    clock_increment_ms: int
    rest_s: int
    admits_remote: bool

    @property
    def clock(self) -> Clock:
        """The clock of its games."""
        return Clock(self.clock_initial_ms, self.clock_increment_ms)


@dataclass(frozen=True, slots=True)
class Ladder:
    """A standing ladder as it is now: its event, None before the first bot, and its players."""

    offer: Offer
    event: Event | None
    bots: int


@cache
def offers() -> Mapping[str, Offer]:
    """All standing ladders by pool: every game, edition and size class, blitz and rapid, boxed and remote."""
    offered: dict[str, Offer] = {}
    for kind, clocks in ((Pool.Kind.BOTS, _BOXED_CLOCKS), (Pool.Kind.REMOTE, _REMOTE_CLOCKS)):
        for (text, rest_s), ruleset in product(clocks.items(), _boards()):
            clock = Clock.read(text)
            clock_ms = clock.initial_ms, clock.increment_ms
            key = pools.key_for(ruleset, *clock_ms, kind)
            is_remote = kind == Pool.Kind.REMOTE
            offered.setdefault(key, Offer(key, ruleset, *clock_ms, rest_s, is_remote))
    return offered


def for_bot(bot: Bot) -> list[Ladder]:
    """The ladders that a version can enter now, those with most bots first."""
    if not bot.is_active or bot.state != Bot.State.READY:
        return []
    entered = set(
        bot.player.entries.active()
        .filter(event__in=open_events())
        .values_list("event__standing_pool", flat=True)
    )
    ladders = [
        ladder
        for ladder in listing()
        if ladder.offer.pool not in entered
        and bot.plays(ladder.offer.ruleset)
        and (ladder.offer.admits_remote or not bot.is_remote)
    ]
    return sorted(ladders, key=lambda ladder: -ladder.bots)


def listing() -> list[Ladder]:
    """All standing ladders, in the order of the games."""
    rows = {event.standing_pool: event for event in open_lists.with_playing(open_events())}
    ladders = ((offer, rows.get(key)) for key, offer in offers().items())
    return [Ladder(offer, event, getattr(event, "playing", 0)) for offer, event in ladders]


def _boards() -> Iterator[str]:
    """Every board of the menus, those of each game in the order of how near they are to the lobby's."""
    for _name, choices in rulesets.ruleset_choices():
        keys = [key for key, _words in choices]
        family = games.family_of(games.load(keys[0]).family)
        usual = games.load(family.presentation.lobby_board).size
        yield from sorted(keys, key=lambda key: abs(games.load(key).size - usual))


def open_events() -> EventQuerySet:
    """Return the current events of the ladders."""
    return Event.objects.open().exclude(standing_pool="")
