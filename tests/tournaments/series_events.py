"""Events over the board that end in the order of the players' names, and series of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tournaments.models import Event, Game, Series, User
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.queries.events import plans
from tournaments.queries.events.player_lists import ListedPlayer
from tournaments.services.arbiter import results
from tournaments.services.events import listed_players, registration
from tournaments.services.rounds import lifecycle, publication, rounds
from tournaments.services.series import changes
from tournaments.standings.series import Rules

RULES = Rules(place_points=(10, 6, 4, 3))


def registered(
    organiser: User, name: str, players: Sequence[ListedPlayer] = (), **settings: Any
) -> Event:
    """Return a round robin over the board with players of a list, which has not begun."""
    plan: dict[str, Any] = {
        "name": name,
        "ruleset": "morlox(size=5)",
        "format": "round-robin",
        "rounds_total": 3,
        "clock": Clock.read("unlimited"),
        "is_rated": False,
        "is_automatic": False,
        "is_over_the_board": True,
        "seed": 7,
    }
    event = registration.create_event(
        organiser=organiser, plan=plans.EventPlan(**{**plan, **settings})
    )
    if players:
        listed_players.enter_all(event_id=event.pk, actor=organiser, players=players)
    return event


def play_round(event: Event) -> Event:
    """Play the next round: the earlier name wins each game."""
    organiser = event.organiser
    if event.state == Event.State.REGISTRATION:
        lifecycle.start_event(event_id=event.pk, actor=organiser)
    rounds.draft_round(event_id=event.pk, actor=organiser)
    round_ = publication.publish_round(event_id=event.pk, actor=organiser)
    for pairing in round_.pairings.select_related("first__player", "second__player"):
        is_first = pairing.first.player.name < pairing.second.player.name
        results.enter_result(
            event_id=event.pk,
            actor=organiser,
            round_number=round_.number,
            board=pairing.board,
            result=Game.Result.FIRST if is_first else Game.Result.SECOND,
        )
    results.close_round(event_id=event.pk, actor=organiser, round_number=round_.number)
    event.refresh_from_db()
    return event


def finished(organiser: User, name: str, *players: ListedPlayer | str, **settings: Any) -> Event:
    """Return an event that is over. Its places are the order of the names."""
    listed = [ListedPlayer(each) if isinstance(each, str) else each for each in players]
    event = play_round(registered(organiser, name, listed, **settings))
    while event.state != Event.State.FINISHED:
        play_round(event)
        lifecycle.advance_event(event.pk)
        event.refresh_from_db()
    return event


def series_of(organiser: User, *events: Event, rules: Rules = RULES, name: str = "Cup") -> Series:
    """Return a series with these events."""
    series = changes.create(organiser=organiser, about=changes.About(name), rules=rules)
    for event in events:
        act(series, "add", event.slug)
    return series


def act(series: Series, code: str, slug: str = "", *, person: str = "", other: str = "") -> None:
    """Act on the series as its organiser."""
    arguments = changes.Arguments(slug, person, other)
    changes.run(code=code, series_id=series.pk, actor=series.organiser, arguments=arguments)
