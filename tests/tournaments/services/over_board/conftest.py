"""An event over the board, and its organiser's actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from tournaments.models import Event, Round, User
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.queries.events.player_lists import ListedPlayer
from tournaments.services.arbiter import results
from tournaments.services.events import listed_players
from tournaments.services.rounds import lifecycle, publication


@pytest.fixture
def board_event(new_event: Callable[..., Event]) -> Callable[..., Event]:
    """Return a function that creates Ana's events over the board: Swiss, five rounds.

    Change settings by keyword.
    """

    def make(**changes: object) -> Event:
        plan = {
            "is_over_the_board": True,
            "clock": Clock.read("unlimited"),
            "admits": Event.Admits.PEOPLE,
            "is_rated": False,
            "is_automatic": False,
            "rounds_total": 5,
        }
        return new_event(**{**plan, **changes})

    return make


@pytest.fixture
def enter_listed(ana: User) -> Callable[..., None]:
    """Enters players without accounts by their names, the first with the highest rating."""

    def do(event: Event, *names: str) -> None:
        players = [ListedPlayer(name, 2000 - 10 * n) for n, name in enumerate(names)]
        listed_players.enter_all(event_id=event.pk, actor=ana, players=players)

    return do


@pytest.fixture
def next_round(ana: User) -> Callable[[Event], Round]:
    """Return a function that drafts and publishes the next round, and starts the event before the first."""

    def do(event: Event) -> Round:
        event.refresh_from_db()
        if event.state == Event.State.REGISTRATION:
            lifecycle.start_event(event_id=event.pk, actor=ana)
        lifecycle.draft_next(event_id=event.pk, actor=ana)
        return publication.publish_round(event_id=event.pk, actor=ana)

    return do


@pytest.fixture
def type_results(ana: User) -> Callable[..., None]:
    """Return a function that types the results of boards by their numbers, and of all others by `rest`, if given."""

    def do(event: Event, entered: Mapping[int, str] | None = None, *, rest: str = "") -> None:
        round_ = results.open_round(event)
        assert round_ is not None
        for pairing in round_.pairings.order_by("board"):
            result = (entered or {}).get(pairing.board, rest)
            results.enter_result(
                event_id=event.pk,
                actor=ana,
                round_number=round_.number,
                board=pairing.board,
                result=result,
            )

    return do


@pytest.fixture
def close(ana: User) -> Callable[[Event], Round]:
    """Closes the open round."""

    def do(event: Event) -> Round:
        round_ = results.open_round(event)
        assert round_ is not None
        return results.close_round(event_id=event.pk, actor=ana, round_number=round_.number)

    return do
