"""Standing ladders: one in every pool of bots, owned by the site, which never end.

A ladder is created when the first bot wants to enter it, with the site's own bots in it. It lasts
four weeks, to limit the size of its table and its games. Then the next ladder of the pool begins
with all of its players. The rating pool does not change.
"""

from __future__ import annotations

import logging

from django.db import transaction
from django.utils import translation

from tournaments.errors import RefusedError, StaleError
from tournaments.models import Bot, Entry, Event, Player, User
from tournaments.queries.bots import ladder_offers
from tournaments.queries.events import plans
from tournaments.services.accounts import house_account
from tournaments.services.events import entries, registration
from tournaments.services.rounds import lifecycle
from tournaments.text import house, rulesets

log = logging.getLogger(__name__)

_LASTS_S = 28 * 24 * 3600
_MAX_ENTRIES = 300
_AT_MOST = 20


def enter(*, pool: str, player: Player, actor: User) -> Entry:
    """Enter a bot in the standing ladder of a pool, which begins with its second bot.

    Raises:
        NotAllowedError, RefusedError: as `entries.enter`, or `no-such-ladder`.
    """
    offer = ladder_offers.offers().get(pool)
    if offer is None:
        raise RefusedError("no-such-ladder", pool)
    with transaction.atomic():
        event = _event(offer)
        entry = entries.enter(event_id=event.pk, player=player, actor=actor)
    _start(event)
    return entry


def keep() -> None:
    """Start the ladders that a lost process has left unstarted, and continue those whose time is over."""
    for event in ladder_offers.open_events().filter(state=Event.State.REGISTRATION)[:_AT_MOST]:
        _start(event)
    over = Event.objects.filter(state=Event.State.FINISHED).exclude(standing_pool="")
    over = over.exclude(standing_pool__in=ladder_offers.open_events().values("standing_pool"))
    latest = {event.standing_pool: event for event in over.order_by("finished_at", "pk")}
    for event in list(latest.values())[:_AT_MOST]:
        _continue(event)


def _event(offer: ladder_offers.Offer) -> Event:
    """Return the open event of the ladder.

    Create a missing one, with the site's own bots. In a transaction.
    """
    owner = house_account.account()
    # If two processes want the first place, one creates the event, and the other finds it.
    User.objects.select_for_update(no_key=True).get(pk=owner.pk)
    event = ladder_offers.open_events().filter(standing_pool=offer.pool).first()
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


def _plan(offer: ladder_offers.Offer) -> plans.EventPlan:
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
    offer = ladder_offers.offers().get(over.standing_pool)
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
