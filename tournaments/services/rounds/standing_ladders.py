"""Standing ladders: one in every pool of bots, owned by the site, which never end.

A ladder is created when the first bot wants to enter it, with the site's own bots in it. It lasts
four weeks, to limit the size of its table and its games. Then the next ladder of the pool begins
with all of its players. The rating pool does not change.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product

from django.db import transaction
from django.utils import translation

import games
from tournaments.errors import RefusedError, StaleError
from tournaments.models import Bot, Entry, Event, Player, Pool, User
from tournaments.models.events import EventQuerySet
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.queries.events import plans
from tournaments.queries.ratings import pools
from tournaments.services.accounts import house_account
from tournaments.services.events import entries, registration
from tournaments.services.rounds import lifecycle
from tournaments.text import house, rulesets

log = logging.getLogger(__name__)

_LASTS_S = 28 * 24 * 3600
_MAX_ENTRIES = 300
_AT_MOST = 20
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
        .filter(event__in=_open_events())
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
    rows = {event.standing_pool: event for event in entries.with_playing(_open_events())}
    ladders = ((offer, rows.get(key)) for key, offer in offers().items())
    return [Ladder(offer, event, getattr(event, "playing", 0)) for offer, event in ladders]


def enter(*, pool: str, player: Player, actor: User) -> Entry:
    """Enter a bot in the standing ladder of a pool, which begins with its second bot.

    Raises:
        NotAllowedError, RefusedError: as `entries.enter`, or `no-such-ladder`.
    """
    offer = offers().get(pool)
    if offer is None:
        raise RefusedError("no-such-ladder", pool)
    with transaction.atomic():
        event = _event(offer)
        entry = entries.enter(event_id=event.pk, player=player, actor=actor)
    _start(event)
    return entry


def keep() -> None:
    """Start the ladders that a lost process has left unstarted, and continue those whose time is over."""
    for event in _open_events().filter(state=Event.State.REGISTRATION)[:_AT_MOST]:
        _start(event)
    over = Event.objects.filter(state=Event.State.FINISHED).exclude(standing_pool="")
    over = over.exclude(standing_pool__in=_open_events().values("standing_pool"))
    latest = {event.standing_pool: event for event in over.order_by("finished_at", "pk")}
    for event in list(latest.values())[:_AT_MOST]:
        _continue(event)


def _boards() -> Iterator[str]:
    """Every board of the menus, those of each game in the order of how near they are to the lobby's."""
    for _name, choices in rulesets.ruleset_choices():
        keys = [key for key, _words in choices]
        family = games.family_of(games.load(keys[0]).family)
        usual = games.load(family.presentation.lobby_board).size
        yield from sorted(keys, key=lambda key: abs(games.load(key).size - usual))


def _open_events() -> EventQuerySet:
    return Event.objects.open().exclude(standing_pool="")


def _event(offer: Offer) -> Event:
    """Return the open event of the ladder.

    Create a missing one, with the site's own bots. In a transaction.
    """
    owner = house_account.account()
    # If two processes want the first place, one creates the event, and the other finds it.
    User.objects.select_for_update(no_key=True).get(pk=owner.pk)
    event = _open_events().filter(standing_pool=offer.pool).first()
    if event is not None:
        return event
    event = registration.create_event(organiser=owner, plan=_plan(offer))
    event.standing_pool = offer.pool
    event.save(update_fields=["standing_pool"])
    own = Bot.objects.filter(line=None, is_active=True, state=Bot.State.READY)
    for bot in own.select_related("player").order_by("pk"):
        if bot.plays(offer.ruleset):
            entries.enter(event_id=event.pk, player=bot.player, actor=owner)
    return event


def _plan(offer: Offer) -> plans.EventPlan:
    with translation.override("en"):
        words = [rulesets.ruleset_name(offer.ruleset), offer.clock.text()]
        name = ", ".join(["Ladder", *words, *(["remote bots too"] if offer.admits_remote else [])])
    return plans.EventPlan(
        name=name,
        description=house.STANDING_LADDER,
        ruleset=offer.ruleset,
        clock=offer.clock,
        format=Event.Format.LADDER,
        admits=Event.Admits.BOTS,
        admits_remote=offer.admits_remote,
        max_entries=_MAX_ENTRIES,
        pause_s=offer.rest_s,
        duration_s=_LASTS_S,
    )


def _start(event: Event) -> None:
    """Start the ladder, if it has not started and there are two to play."""
    if event.state != Event.State.REGISTRATION or event.entries.active().count() < 2:
        return
    try:
        lifecycle.start_event(event_id=event.pk, actor=event.organiser)
    except (StaleError, RefusedError) as error:  # somebody was quicker, or has left
        log.info("ladders.start event=%s %s", event.pk, error)


def _continue(over: Event) -> None:
    """Begin the next ladder of a pool with the bots of authors that were in the last one."""
    offer = offers().get(over.standing_pool)
    guests = over.entries.active().guests().select_related("player").order_by("pk")
    if offer is None or not guests.exists():
        return
    with transaction.atomic():
        event = _event(offer)
        for entry in guests:
            try:
                entries.enter(event_id=event.pk, player=entry.player, actor=over.organiser)
            except RefusedError as refusal:
                log.info(
                    "ladders.continue event=%s player=%s %s", event.pk, entry.player_id, refusal
                )
    _start(event)
