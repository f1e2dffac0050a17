"""The site's own bots, the leagues that rate them, puzzles and schedules of events.

Every part is added once. A second call finds them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta

from django.utils import translation

import games
from tournaments import database_time
from tournaments.models import Event, Player, User
from tournaments.models.players import canonical_name
from tournaments.queries.events import plans
from tournaments.services.accounts import house_account, players
from tournaments.services.events import entries, registration
from tournaments.services.games import game_creation
from tournaments.services.puzzles import mining
from tournaments.services.rounds import schedules
from tournaments.text import house, rulesets

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
_SEED = 20154
# The levels play each other when the first guests have had a look, and leave the workers to people
# between two rounds.
_LEVELS_BEGIN = timedelta(minutes=10)
_LEVELS_PAUSE_S = 5 * 60


def set_up() -> Iterator[str]:
    """Create the missing parts, and yield a line for each part."""
    bots = add_bots()
    yield f"{len(bots)} bots"
    yield f"{sum(mining.load_stock(family.name) for family in games.available())} puzzles"
    leagues = add_leagues(bots[:_LEVELS])
    yield f"{len(leagues)} leagues of the levels, from which their ratings come"
    yield f"{schedules.add_usual()} schedules of daily and weekly events"


def add_bots() -> Sequence[Player]:
    """Return the site's own bots in the order of `BOTS`, and add the missing ones."""
    return [
        Player.objects.filter(canonical=canonical_name(name)).first()
        or players.add_bot(name=name, engine=engine, description=description)
        for name, engine, description in BOTS
    ]


def add_leagues(levels: Sequence[Player]) -> Sequence[Event]:
    """Return a league of the levels for the lobby's board of each game, and add the missing ones.

    A league begins automatically. Its games count in the pools in which people play bots. A level
    has a rating there before its first game with a person: 42 games leave it with about ±170. Lists
    of events leave it out.
    """
    owner = house_account.account()
    return [_league(owner, family.presentation.lobby_board, levels) for family in games.available()]


def _league(owner: User, board: str, levels: Sequence[Player]) -> Event:
    ruleset = games.load(board).key
    with translation.override("en"):
        name = f"The levels: {rulesets.ruleset_name(ruleset)}"
    return enter_all(
        owner,
        plans.EventPlan(
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
            seed=_SEED,
        ),
        levels,
    )


def enter_all(organiser: User, plan: plans.EventPlan, bots: Sequence[Player]) -> Event:
    """Return the organiser's event of that name, with these bots entered while it can be entered.

    A missing event is created from the plan.
    """
    event = Event.objects.filter(organiser=organiser, name=plan.name).first()
    event = event or registration.create_event(organiser=organiser, plan=plan)
    if event.state == Event.State.REGISTRATION:
        player_ids = set(event.entries.values_list("player", flat=True))
        for bot in bots:
            if bot.pk not in player_ids:
                entries.enter(event_id=event.pk, player=bot, actor=organiser)
    return event
