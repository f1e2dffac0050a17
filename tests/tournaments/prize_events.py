"""Events with prizes, for tests of services, pages and archives."""

from __future__ import annotations

from tests.tournaments.conftest import enter
from tests.tournaments.services.results.scripted import Script, play_rounds, stronger_wins
from tournaments.models import Event, Player, User
from tournaments.services.events import prize_changes
from tournaments.services.rounds import lifecycle
from tournaments.standings.prizes import Category, Kind, Rules

OVERALL = Category()
BOTS = Category(Kind.BOTS)


def give_fund(event: Event, organiser: User, rules: Rules | None = None) -> None:
    """300 euros in three overall prizes and a cup for the best bot."""
    if rules is not None:
        prize_changes.set_rules(
            owner=prize_changes.OfEvent(event.pk), actor=organiser, currency="EUR", rules=rules
        )
    prize_changes.divide(
        owner=prize_changes.OfEvent(event.pk), actor=organiser, total=30_000, percents=[60, 30, 10]
    )
    prize_changes.add(
        owner=prize_changes.OfEvent(event.pk), actor=organiser, category=BOTS, words="a cup"
    )


def play(
    event: Event,
    organiser: User,
    players: list[Player],
    script: Script = stronger_wins,
    rounds: int = 20,
) -> Event:
    """Return the event with these players after this number of rounds, or at its end."""
    enter(event, *players)
    lifecycle.start_event(event_id=event.pk, actor=organiser)
    return play_rounds(event, rounds, script)
