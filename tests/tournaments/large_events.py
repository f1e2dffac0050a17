"""Events of many players, for tests of what their pages cost."""

from __future__ import annotations

from django.utils import timezone

from tournaments.models import Entry, Event, Player
from tournaments.services.accounts import players
from tournaments.services.clocks import game_clocks
from tournaments.services.events import plans, registration
from tournaments.services.rounds import lifecycle, publication, rounds


def published(count: int, name: str) -> Event:
    """A Swiss of so many people of a list, whose first round is published."""
    organiser = players.sign_up(name=f"Organiser of {name}", password="rayuela-73")
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
    now = timezone.now()
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
        Entry(event=event, player=player, entered_at=now, listed_centielo=240_000 - 60 * n)
        for n, player in enumerate(people)
    )
    lifecycle.start_event(event_id=event.pk, actor=organiser)
    rounds.draft_round(event_id=event.pk)
    publication.publish_round(event_id=event.pk)
    return Event.objects.get(pk=event.pk)
