"""Forecasts of events whose pairings are two games: Double-Swiss (C.04.5), and a Swiss of mini-matches."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from random import Random

import pytest
from django.test import Client

from tests.tournaments.over_board import close, enter_listed, event_of, next_round, type_games
from tournaments import database_time
from tournaments.forecasts import Course
from tournaments.forecasts.play import play
from tournaments.forecasts.ranks import final_groups
from tournaments.models import Event, User
from tournaments.pairing import RoundKind
from tournaments.queries.forecasts import courses
from tournaments.queries.results import standings
from tournaments.services.arbiter import entry_acts
from tournaments.services.forecasts import computing, requests

NAMES = ("Alba", "Bruno", "Celia", "Dario", "Elena", "Fermín", "Gala", "Hugo", "Inés")
_BOTH = [
    *(("first", "second"), ("first", "first"), ("first", "draw"), ("draw", "second")),
    *(("draw", "draw"), ("first-forfeit", "first"), ("first-forfeit", "second-forfeit")),
    *(("second-forfeit", "second-forfeit"), ("second", "draw")),
]
KINDS = [
    pytest.param({"format": "double-swiss"}, id="double-swiss"),
    pytest.param({"format": "dutch", "games_per_pairing": 2}, id="mini-matches"),
]


@pytest.fixture
def start_matches(ana: User) -> Callable[..., Event]:
    """Return a function that makes an event of nine players for four rounds and publishes the first."""

    def make(**plan: object) -> Event:
        event = event_of(ana, rounds_total=4, **plan)
        enter_listed(event, *NAMES)
        next_round(event)
        return event

    return make


def _course(event: Event) -> Course:
    event.refresh_from_db()
    course = courses.course_of(event)
    assert course is not None
    assert Course.from_json(course.to_json()) == course
    return course


@pytest.mark.long
@pytest.mark.part(0.3)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("tie_breaks", ["WIN,BWG,SB", "BH/C1,BH,DE", "PS,WON,REP,ARO"])
@pytest.mark.parametrize(
    "points", [{}, {"win_halves": 6, "draw_halves": 2, "bye_halves": 6}, {"bye_halves": 1}]
)
def test_a_forecast_of_given_results_has_the_ranks_of_the_standings(
    start_matches: Callable[..., Event],
    ana: User,
    kind: dict[str, object],
    tie_breaks: str,
    points: dict[str, int],
) -> None:
    event = start_matches(**kind, **points, tie_breaks=tie_breaks)
    rng = Random(7)
    for number in (1, 2, 3):
        if number > 1:
            entry_acts.grant_bye(
                event_id=event.pk,
                actor=ana,
                entry_id=event.entries.get(player__name=NAMES[number]).pk,
                round_number=number,
                kind="half",
                reason="late",
            )
            next_round(event)
        type_games(event, {board: rng.choice(_BOTH) for board in range(1, 5)})
        close(event)
    course = _course(event)
    assert course.problem.round_number == 4
    rows = standings.event_table(event).rows
    ranked = [
        [row.entry.tpn or 0 for row in rows] for _, rows in groupby(rows, key=lambda r: r.rank)
    ]
    assert len(ranked) > 4
    groups = final_groups(course, course.problem)
    assert [sorted(group) for group in groups] == [sorted(group) for group in ranked]
    everybody = (*course.problem.contestants, *course.problem.absent)
    points_by_tpn = {row.entry.tpn: row.points_halves for row in rows}
    assert {c.tpn: c.score_halves for c in everybody} == points_by_tpn


@pytest.mark.parametrize("kind", KINDS)
def test_a_simulated_match_is_two_games_and_a_bye_counts_in_both(
    start_matches: Callable[..., Event], kind: dict[str, object]
) -> None:
    event = start_matches(**kind)
    course = _course(event)
    played = play(course, dict.fromkeys(range(1, 10), 1500.0), Random(1))
    assert played.games == [2, 2, 2, 2]
    everybody = {c.tpn: c for c in (*played.problem.contestants, *played.problem.absent)}
    for contestant in everybody.values():
        for number, record in enumerate(contestant.records):
            if record.opponent is None:
                assert record.kind is RoundKind.PAIRING_BYE
                # C.04.5 1.4: a win and a draw.
                second = 1 if course.system == "double-swiss" else 2
                assert (record.score_halves, record.second_halves) == (2 + second, second)
            else:
                other = everybody[record.opponent].records[number]
                assert other.opponent == contestant.tpn
                assert record.score_halves + other.score_halves == 4
                assert record.second_halves + other.second_halves == 2


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_a_worker_computes_the_forecast_of_a_page_and_the_api(
    start_matches: Callable[..., Event],
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    kind: dict[str, object],
) -> None:
    monkeypatch.setattr(requests, "events_for", lambda *_a, **_k: 20)
    event = start_matches(**kind)
    type_games(event, {1: ("first", "second"), 2: ("first", "first")})
    close(event)
    event.refresh_from_db()
    forecast = requests.of_event(event, database_time.now())
    assert forecast is not None
    assert computing.compute(forecast.pk)
    page = client.get(f"{event.get_absolute_url()}forecast/")
    assert len(page.context["chances"]) == len(NAMES)
    chances = client.get(f"/api/v1/events/{event.slug}/forecast").json()["chances"]
    assert sum(each["win"]["value"] for each in chances) == pytest.approx(1, abs=0.002)
    # Nine players: four matches of two games a round, and a bye.
    bye = 3 if event.format == "double-swiss" else 4
    expected = 4 * (4 * 4 + bye) / 2
    assert sum(each["points"]["value"] for each in chances) == pytest.approx(expected, abs=0.01)
