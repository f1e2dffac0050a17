"""Events of many players, for tests and benches of their costs."""

from __future__ import annotations

import random

from tournaments import database_time
from tournaments.models import Entry, Event, Game, Player
from tournaments.queries.clocks import game_clocks
from tournaments.queries.events import plans
from tournaments.services.accounts import players
from tournaments.services.events import registration
from tournaments.services.rounds import lifecycle, publication, rounds


def published(count: int, name: str) -> Event:
    """Return a Swiss by the Dutch system of this number of people of a list, whose first round is published.

    Their ratings fall from the first to the last.
    """
    organiser = players.sign_up(name=f"Organiser of {name}", password="rayuela-1963")
    plan = plans.EventPlan(
        name=name,
        ruleset="morelli(size=5)",
        rounds_total=9,
        clock=game_clocks.Clock(600_000, 5_000),
        max_entries=count,
        is_automatic=False,
        is_rated=False,
        seed=7,
    )
    event = registration.create_event(organiser=organiser, plan=plan)
    now = database_time.now()
    people = Player.objects.bulk_create(
        Player(
            kind=Player.Kind.LISTED,
            name=f"{name} {n:03}",
            canonical=f"{name} {n:03}".lower(),
            created_at=now,
        )
        for n in range(count)
    )
    Entry.objects.bulk_create(
        Entry(
            event=event,
            player=player,
            entered_at=now,
            listed_centielo=240_000 - 120_000 * n // count,
        )
        for n, player in enumerate(people)
    )
    lifecycle.start_event(event_id=event.pk, actor=organiser)
    rounds.draft_round(event_id=event.pk)
    publication.publish_automatically(event_id=event.pk)
    return Event.objects.get(pk=event.pk)


def decide(event: Event, number: int, most: int | None = None) -> None:
    """Give the games of the round, or the first `most`, a random result, as if they had been played."""
    chance = random.Random(number)
    results = [Game.Result.FIRST, Game.Result.DRAW, Game.Result.SECOND]
    going_on = list(Game.objects.ongoing().filter(pairing__event=event).order_by("pk")[:most])
    for game in going_on:
        game.stop_turn()
        game.result, game.ending = chance.choice(results), Game.Ending.RULES
        game.ended_at = database_time.now()
    columns = [*Game.RESULT_COLUMNS, *Game.TURN_COLUMNS]
    Game.objects.bulk_update(going_on, columns, batch_size=500)
