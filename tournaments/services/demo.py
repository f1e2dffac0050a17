"""The demo, made by the services that people use."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from datetime import datetime, timedelta

from django.db import connection
from django.utils import translation

import games
from tournaments import database_time
from tournaments.models import AuditEntry, Event, Match, Player, User
from tournaments.models.players import canonical_name
from tournaments.queries.events import plans
from tournaments.services import audit
from tournaments.services.accounts import players
from tournaments.services.events import entries, registration
from tournaments.services.games import game_creation
from tournaments.services.matches import matches
from tournaments.services.puzzles import mining
from tournaments.services.rounds import lifecycle, schedules
from tournaments.text import house, rulesets

SEED = 20151
_ORGANISER = "Casa Rayuela"
_SMALL = "morelli(edition=revised,size=7)"
_AT_ONCE = 2
_FAULT_PAUSE_S = 0.5
_STARTED, _LOADED = "demo-begun", "demo-loaded"
# Longer than it takes on any machine: one that was interrupted is not being loaded any more.
_LONGEST = timedelta(minutes=5)
# The names are those of the novel the games' motto comes from. The eight levels, the strongest
# first, and two by which authors measure their first bots.
BOTS = [
    ("Oliveira", "level:8", house.LEVELS[7]),
    ("La Maga", "level:7", house.LEVELS[6]),
    ("Morelli", "level:6", house.LEVELS[5]),
    ("Gregorovius", "level:5", house.LEVELS[4]),
    ("Traveler", "level:4", house.LEVELS[3]),
    ("Talita", "level:3", house.LEVELS[2]),
    ("Etienne", "level:2", house.LEVELS[1]),
    ("Pola", "level:1", house.LEVELS[0]),
    ("Guy Monod", "greedy", house.ONE_MOVE),
    ("Berthe Trépat", "random", house.ANY_MOVE),
]
_LEVELS = len(house.LEVELS)
# The levels play each other when the first guests have had a look, and leave the workers to people
# between two rounds.
_LEVELS_BEGIN = timedelta(minutes=10)
_LEVELS_PAUSE_S = 5 * 60


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
    bots = [
        _player(name) or players.add_bot(name=name, engine=engine, description=description)
        for name, engine, description in BOTS
    ]
    yield f"{len(bots)} bots"
    count = sum(mining.load_stock(family.name) for family in games.available())
    yield f"{count} puzzles"
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
    for event in _events_of_levels(organiser, bots[:_LEVELS]):
        yield f"games of the levels among themselves, from which their ratings come: {event.name}"
    yield f"{schedules.add_usual()} schedules of daily and weekly events"
    _exhibitions(quick)
    audit.note(_LOADED)
    yield "two games that are played while you watch: Morlox and The Perfect Game?"


def _player(name: str) -> Player | None:
    return Player.objects.filter(canonical=canonical_name(name)).first()


def _organiser() -> User:
    user = User.objects.filter(username=canonical_name(_ORGANISER)).first()
    return user or players.sign_up(name=_ORGANISER, password=secrets.token_urlsafe(24))


def _enter(organiser: User, plan: plans.EventPlan, bots: Sequence[Player]) -> Event:
    """The event of `plan` with its bots entered, as far as it had not come yet."""
    event = Event.objects.filter(organiser=organiser, name=plan.name).first()
    event = event or registration.create_event(organiser=organiser, plan=plan)
    if event.state == Event.State.REGISTRATION:
        player_ids = set(event.entries.values_list("player", flat=True))
        for bot in bots:
            if bot.pk not in player_ids:
                entries.enter(event_id=event.pk, player=bot, actor=organiser)
    return event


def _start(organiser: User, plan: plans.EventPlan, bots: Sequence[Player]) -> Event:
    """Enter the bots in the event of `plan`, start the event if it has not started, and return it."""
    event = _enter(organiser, plan, bots)
    if event.state == Event.State.REGISTRATION:
        event = lifecycle.start_event(event_id=event.pk, actor=organiser)
    return event


def _finished_swiss(organiser: User, bots: Sequence[Player], pool: Executor) -> Event:
    """A Swiss in Morelli 9x9, played to its end here and now."""
    event = _start(
        organiser,
        plans.EventPlan(
            name="Club de la Serpiente Open",
            description=house.FINISHED_SWISS,
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
            description=house.OPEN_SWISS,
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
            description=house.LADDER,
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


def _events_of_levels(organiser: User, levels: Sequence[Player]) -> Iterator[Event]:
    """Yield a league of the levels on the lobby's board of each game, which begins automatically.

    Its games count in the pools in which people play bots. A level has a rating there before its
    first game with a person: 42 games leave it with about ±170. Lists of events leave it out.
    """
    for family in games.available():
        ruleset = games.load(family.presentation.lobby_board).key
        with translation.override("en"):
            name = f"The levels: {rulesets.ruleset_name(ruleset)}"
        plan = plans.EventPlan(
            name=name,
            description=house.ROUND_ROBIN_OF_LEVELS,
            ruleset=ruleset,
            format=Event.Format.LEAGUE,
            groups=1,
            cycles=2,
            seasons=3,
            clock=game_creation.Clock(900_000, 10_000),
            admits=Event.Admits.BOTH,
            max_entries=_LEVELS,
            pause_s=_LEVELS_PAUSE_S,
            starts_at=database_time.now() + _LEVELS_BEGIN,
            is_listed=False,
            seed=SEED + 3,
        )
        yield _enter(organiser, plan, levels)


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
