"""The demo, made by the services that people use."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from datetime import datetime, timedelta

from django.db import connection

from tournaments import database_time
from tournaments.models import AuditEntry, Event, Match, Player, User
from tournaments.models.players import canonical_name
from tournaments.queries.events import plans
from tournaments.services import audit, house
from tournaments.services.accounts import players
from tournaments.services.games import game_creation
from tournaments.services.matches import matches
from tournaments.services.rounds import lifecycle
from tournaments.text import house as house_text

SEED = 20151
_ORGANISER = "Casa Rayuela"
_SMALL = "morelli(edition=revised,size=7)"
_AT_ONCE = 2
_FAULT_PAUSE_S = 0.5
_STARTED, _LOADED = "demo-begun", "demo-loaded"
# Longer than it takes on any machine: one that was interrupted is not being loaded any more.
_LONGEST = timedelta(minutes=5)


def is_wanted() -> bool:
    """Return whether the database is empty, or was when a demo began that was interrupted."""
    if AuditEntry.objects.filter(action=_LOADED).exists():
        return False
    oldest = Player.objects.order_by("pk").first()
    return oldest is None or oldest.name == _ORGANISER


def is_loading(now: datetime) -> bool:
    """Return whether the demo began to load not long ago and is not complete."""
    # In a database that was empty it is the first thing that was done, so this is a look at one
    # row.
    first = AuditEntry.objects.order_by("pk").first()
    if first is None or first.action != _STARTED or first.done_at < now - _LONGEST:
        return False
    return not AuditEntry.objects.filter(action=_LOADED).exists()


def load() -> Iterator[str]:
    """Load the demo, and yield a line for each part that exists.

    The results of an interrupted call are used.
    """
    if not AuditEntry.objects.exists():
        audit.note(_STARTED)
    organiser = _organiser()
    yield from house.set_up()
    bots = house.add_bots()
    strong, quick = bots[:2], bots[2:]
    # Bots are processes of their own, so two matches use two cores.
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        finished = _finished_swiss(organiser, quick, pool)
        yield f"a finished Swiss: {finished.name}"
        also = [_match_that_counts(bot, quick[0]) for bot in strong]
        running = _running_swiss(organiser, quick[1:], pool, also=also)
        yield f"a running one to join: {running.name}"
        ladder = _running_ladder(organiser, quick, pool)
        yield f"a ladder that bots can enter: {ladder.name}"
    _exhibitions(quick)
    audit.note(_LOADED)
    yield "two games that are played while you watch: Morlox and The Perfect Game?"


def _organiser() -> User:
    user = User.objects.filter(username=canonical_name(_ORGANISER)).first()
    return user or players.sign_up(name=_ORGANISER, password=secrets.token_urlsafe(24))


def _start(organiser: User, plan: plans.EventPlan, bots: Sequence[Player]) -> Event:
    """Enter the bots in the event of `plan`, start the event if it has not started, and return it."""
    event = house.enter_all(organiser, plan, bots)
    if event.state == Event.State.REGISTRATION:
        event = lifecycle.start_event(event_id=event.pk, actor=organiser)
    return event


def _finished_swiss(organiser: User, bots: Sequence[Player], pool: Executor) -> Event:
    """A Swiss in Morelli 9x9, played to its end here and now."""
    event = _start(
        organiser,
        plans.EventPlan(
            name="Club de la Serpiente Open",
            description=house_text.FINISHED_SWISS,
            ruleset="morelli(edition=revised,size=9)",
            rounds_total=4,
            clock=game_creation.Clock(20_000, 200),
            admits=Event.Admits.BOTS,
            pause_s=0,
            seed=SEED,
        ),
        bots,
    )
    while event.state == Event.State.RUNNING:
        if not _play_due(event, pool):
            time.sleep(_FAULT_PAUSE_S)
        lifecycle.advance_event(event.pk)
        event.refresh_from_db()
    return event


def _running_swiss(
    organiser: User, bots: Sequence[Player], pool: Executor, *, also: Sequence[int]
) -> Event:
    """Return a Swiss in Morelli 7x7 whose first round is over.

    The next begins when a guest has joined.

    The matches `also` are played beside it.
    """
    event = _start(
        organiser,
        plans.EventPlan(
            name="Open House",
            description=house_text.OPEN_SWISS,
            ruleset=_SMALL,
            rounds_total=7,
            format=Event.Format.SWISS,  # seven rounds of eight players: everybody meets everybody
            clock=game_creation.Clock(900_000, 10_000),
            admits=Event.Admits.BOTH,
            pause_s=10,
            min_guests=1,
            seed=SEED + 1,
        ),
        bots,
    )
    _play_due(event, pool, also=also)
    lifecycle.advance_event(event.pk)
    return event


def _running_ladder(organiser: User, bots: Sequence[Player], pool: Executor) -> Event:
    """A ladder in Morlox 7x7 with its first round played, which new bots can enter at any time."""
    event = _start(
        organiser,
        plans.EventPlan(
            name="Escalera",
            description=house_text.LADDER,
            ruleset="morlox(size=7)",
            format=Event.Format.LADDER,
            clock=game_creation.Clock(10_000, 100),
            admits=Event.Admits.BOTS,
            min_guests=1,
            seed=SEED + 2,
        ),
        bots,
    )
    if not event.rounds.exists():
        lifecycle.advance_event(event.pk)
    _play_due(event, pool)
    lifecycle.advance_event(event.pk)
    return event


def _play_due(event: Event, pool: Executor, *, also: Sequence[int] = ()) -> bool:
    """Play these matches and then the due ones.

    Return whether any was played: after a fault a match waits.
    """
    due = Match.objects.due(database_time.now()).filter(games__pairing__event=event)
    match_ids = [*also, *due.values_list("pk", flat=True)]
    list(pool.map(_play_match, match_ids))
    return bool(match_ids)


def _play_match(match_id: int) -> None:
    try:
        matches.play_match(match_id)
    finally:
        connection.close()  # this thread's own


def _exhibitions(bots: Sequence[Player]) -> None:
    """Create games of bots at a pace that people can follow.

    They begin again when a viewer watches.
    """
    for ruleset, pair in (
        ("morlox(size=11)", (bots[0], bots[1])),
        ("perfect()", (bots[2], bots[0])),
    ):
        matches.schedule(
            ruleset=ruleset,
            setup=game_creation.draw_setup(ruleset, SEED),
            players=pair,
            clock=game_creation.Clock(600_000, 2_000),
            is_rated=False,
            pace_ms=1_500,
            repeats_left=10_000,
        )


def _match_that_counts(bot: Player, opponent: Player) -> int:
    """Return a match of a bot that plays in no event here.

    Opponents there would wait for its moves.
    """
    match = Match.objects.filter(games__first=bot).first() or matches.schedule(
        ruleset=_SMALL,
        setup=game_creation.draw_setup(_SMALL, SEED),
        players=(bot, opponent),
        clock=game_creation.Clock(20_000, 200),
        games_count=2,
    )
    return match.pk
