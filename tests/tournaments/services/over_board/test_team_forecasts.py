"""Forecasts of events of teams."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from tests.tournaments.over_board import close, event_of, next_round
from tournaments.forecasts import Course
from tournaments.forecasts.simulation import event_forecast
from tournaments.models import Event, TeamBoard, User
from tournaments.queries.events.player_lists import ListedPlayer
from tournaments.queries.forecasts import courses
from tournaments.services.arbiter import results
from tournaments.services.events import listed_players

pytestmark = pytest.mark.long

NAMES = ("Rayo", "Luna", "Mar", "Nube", "Piedra")


@pytest.fixture
def team_event(ana: User) -> Callable[..., Event]:
    """Return a function that makes an event of five teams for two boards. Piedra lacks one player."""

    def make(code: str) -> Event:
        event = event_of(ana, format=code, boards=2, rounds_total=3)
        players = [
            ListedPlayer(f"{name} {n}", 2400 - 200 * place - 10 * n, club=name)
            for place, name in enumerate(NAMES)
            for n in (1, 2, 3)
            if name != "Piedra" or n == 1
        ]
        listed_players.enter_all(event_id=event.pk, actor=ana, players=players)
        return event

    return make


@pytest.mark.parametrize("code", ["team", "team-round-robin", "team-knockout"])
@pytest.mark.parametrize("rounds", [0, 1], ids=["an open round", "a closed round"])
def test_the_strongest_team_has_the_best_chances(
    team_event: Callable[[str], Event], client: Client, ana: User, code: str, rounds: int
) -> None:
    event = team_event(code)
    round_ = next_round(event)
    boards = TeamBoard.objects.filter(pairing__round=round_).select_related("pairing")
    for board in boards.filter(entered_result="") if rounds else ():
        results.enter_result(
            event_id=event.pk,
            actor=ana,
            round_number=1,
            board=board.pairing.board,
            game=board.number,
            result="first" if board.number == 1 else "draw",
        )
    if rounds:
        close(event)
    event.refresh_from_db()
    course = courses.course_of(event)
    assert course is not None
    assert Course.from_json(course.to_json()) == course
    forecast = event_forecast(course, seed=1, events=60)
    names = dict(event.entries.exclude(tpn=None).values_list("tpn", "player__name"))
    assert sum(chance.win.value for chance in forecast.chances) == pytest.approx(1, abs=0.001)
    assert names[forecast.chances[0].tpn] in {"Rayo", "Luna"}
    assert names[forecast.chances[-1].tpn] in {"Nube", "Piedra"}
    assert client.get(f"{event.get_absolute_url()}forecast/").status_code == 200
