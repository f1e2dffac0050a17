"""Forecasts of events: requested once, computed by one worker, and made again when the event changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import IntegrityError

from tests.tournaments.conftest import enter, event_of
from tournaments import database_time
from tournaments.errors import RefusedError
from tournaments.forecasts import ResultModel
from tournaments.forecasts.simulation import event_forecast
from tournaments.models import Event, Forecast, Game, NewsItem, Round, User
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.queries.forecasts import courses, plans
from tournaments.queries.results import pairing_input
from tournaments.services import tick
from tournaments.services.accounts import players
from tournaments.services.events import entries
from tournaments.services.forecasts import computing, requests
from tournaments.services.games import play
from tournaments.services.notifications import news
from tournaments.services.rounds import lifecycle, rounds

IDEA = plans.Idea(
    format="dutch",
    ruleset="morelli(size=5)",
    clock=Clock(600_000, 5_000),
    players=8,
    rounds_total=3,
    spread_elo=200,
    deviation_elo=100,
)


@pytest.fixture
def people(db: None) -> list[User]:
    names = ["Alba", "Bruno", "Cleo", "Dora", "Emil", "Flor", "Gil"]
    return [players.sign_up(name=name, password="rayuela-1963") for name in names]


@pytest.fixture
def start(people: list[User], ana: User) -> Callable[..., Event]:
    """Starts an event of some of the people, its first round published."""

    def do(count: int = 6, **plan: object) -> Event:
        event = event_of(ana, **plan)
        enter(event, *(user.player for user in people[:count]))
        lifecycle.start_event(event_id=event.pk, actor=ana)
        event.refresh_from_db()
        return event

    return do


@pytest.fixture
def few_events(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "events_for", lambda *_a, **_k: 20)


def _end_round(event: Event) -> None:
    """The second side of every game resigns, and the next round begins."""
    for _ in range(event.games_per_pairing):
        for game in Game.objects.ongoing().filter(pairing__event=event).with_players():
            play.resign(game_id=game.pk, player=game.second)
        lifecycle.advance_event(event.pk)  # starts the second games of mini-matches
    lifecycle.advance_event(event.pk)
    event.refresh_from_db()


def _ask(event: Event) -> Forecast:
    forecast = requests.of_event(event, database_time.now())
    assert forecast is not None
    return forecast


@pytest.mark.long
@pytest.mark.parametrize("format_", sorted(courses.FORMATS))
@pytest.mark.part(0.3)
def test_a_course_goes_on_as_the_event_does(format_: str, start: Callable[..., Event]) -> None:
    """The simulated next round has exactly the input that the site gives its pairing system."""
    _follow(start(2 if format_ == "match" else 6, format=format_, groups=2, qualifiers=2))


@pytest.mark.long
def test_a_course_of_mini_matches_goes_on_as_the_event_does(start: Callable[..., Event]) -> None:
    _follow(start(6, format="dutch", games_per_pairing=2))


def _follow(event: Event) -> None:
    course = courses.course_of(event)
    assert course is not None
    assert course.open_round is not None
    results = dict(course.open_round.records)
    _end_round(event)
    after = pairing_input.build(event, 2).problem
    everybody = {c.tpn: c for c in (*after.contestants, *after.absent)}
    results |= {tpn: c.records[0] for tpn, c in everybody.items() if tpn not in results}
    following = course.following(course.problem, results)
    assert following._replace(contestants=()) == after._replace(contestants=())
    for mine, real in zip(following.contestants, after.contestants, strict=True):
        assert mine._replace(virtual_halves=()) == real._replace(virtual_halves=())
        assert not any(real.virtual_halves)


@pytest.mark.long
def test_virtual_points_of_an_accelerated_event_go_on_as_in_its_report(
    start: Callable[..., Event],
) -> None:
    event = start(7, is_accelerated=True, rounds_total=4)
    course = courses.course_of(event)
    assert course is not None
    for number in (1, 2):
        problem = pairing_input.build(event, number).problem
        for contestant in problem.contestants:
            mine = course.virtual_halves(contestant.tpn, number)
            assert [*mine, *[0] * number][:number] == [*contestant.virtual_halves, *[0] * number][
                :number
            ]
        _end_round(event)
    assert any(course.virtual_halves(1, 1))


@pytest.mark.long
def test_byes_prohibitions_and_departures_are_part_of_the_course(
    start: Callable[..., Event], people: list[User]
) -> None:
    event = start(7, rounds_total=4)
    alba, bruno = people[0], people[1]
    entries.request_bye(
        event_id=event.pk, player=alba.player, actor=alba, round_number=2, kind="half"
    )
    entries.withdraw(event_id=event.pk, player=bruno.player, actor=bruno)
    course = courses.course_of(event)
    assert course is not None
    tpns = dict(event.entries.values_list("player__name", "tpn"))
    assert [(a.tpn, a.round_number, a.kind) for a in course.absences] == [
        (tpns["Alba"], 2, "half-bye")
    ]
    assert tpns["Bruno"] in course.departures
    forecast = event_forecast(course, seed=1, events=5)
    assert len(forecast.chances) == 7


@pytest.mark.long
def test_the_same_question_is_asked_once_and_answered_by_one_worker(
    start: Callable[..., Event], few_events: None
) -> None:
    event = start()
    forecast = _ask(event)
    assert _ask(event).pk == forecast.pk
    assert (forecast.state, forecast.answer) == (Forecast.State.OPEN, None)
    assert computing.compute(forecast.pk)
    assert not computing.compute(forecast.pk)
    forecast.refresh_from_db()
    assert forecast.state == Forecast.State.DONE
    assert forecast.computed_at is not None
    answer = requests.answer_of_event(forecast)
    assert answer is not None
    assert sum(c.win.value for c in answer.chances) == pytest.approx(1, abs=0.002)
    course = courses.course_of(event)
    assert course is not None
    assert answer == event_forecast(course, seed=forecast.seed, events=20)
    kinds = NewsItem.objects.filter(topic__name=news.of_event(event.pk)).values_list(
        "kind", flat=True
    )
    assert list(kinds).count("forecast") == 1


@pytest.mark.long
def test_a_result_of_the_round_under_way_changes_nothing_and_the_end_of_the_round_does(
    start: Callable[..., Event],
) -> None:
    event = start()
    first = _ask(event)
    game = Game.objects.ongoing().filter(pairing__event=event).with_players()[0]
    play.resign(game_id=game.pk, player=game.second)
    assert _ask(event).pk == first.pk
    _end_round(event)
    second = _ask(event)
    assert second.pk != first.pk
    # The earlier one is deleted, because no page will ask for it again.
    assert list(Forecast.objects.filter(event=event)) == [second]


def test_a_withdrawal_makes_another_forecast(
    start: Callable[..., Event], people: list[User]
) -> None:
    event = start()
    first = _ask(event)
    entries.withdraw(event_id=event.pk, player=people[0].player, actor=people[0])
    assert _ask(event).key != first.key


def test_there_is_no_forecast_before_the_start_after_the_end_and_of_arenas(
    start: Callable[..., Event], ana: User
) -> None:
    now = database_time.now()
    assert requests.of_event(event_of(ana), now) is None
    arena = event_of(ana, format="arena", duration_s=3600)
    assert not courses.has_forecast(arena)
    event = start(2, format="knockout")
    _end_round(event)
    assert event.state == Event.State.FINISHED
    assert requests.of_event(event, now) is None


def test_a_draft_is_nobodys_business(start: Callable[..., Event], ana: User) -> None:
    event = start(6, is_automatic=False)
    rounds.draft_round(event_id=event.pk, actor=ana)
    assert event.rounds.get().state == Round.State.DRAFT
    course = courses.course_of(event)
    assert course is not None
    assert course.open_round is None


def test_a_worker_that_is_lost_is_replaced_and_after_three_the_forecast_fails(db: None) -> None:
    forecast = requests.of_plan(plans.plan_of(IDEA), database_time.now())
    lost = database_time.now() - timedelta(seconds=1)
    for attempts in (1, 2, 3):
        Forecast.objects.filter(pk=forecast.pk).update(attempts=attempts, lease_until=lost)
        assert forecast in Forecast.objects.due(database_time.now())
    assert computing.compute(forecast.pk)
    forecast.refresh_from_db()
    assert (forecast.state, forecast.answer) == (Forecast.State.FAILED, None)
    assert forecast.error


def test_a_worker_at_it_is_left_alone(db: None) -> None:
    forecast = requests.of_plan(plans.plan_of(IDEA), database_time.now())
    soon = database_time.now() + timedelta(seconds=30)
    Forecast.objects.filter(pk=forecast.pk).update(attempts=1, lease_until=soon)
    assert not computing.compute(forecast.pk)


def test_a_request_that_cannot_be_read_fails_by_name(db: None) -> None:
    forecast = requests.of_plan(plans.plan_of(IDEA), database_time.now())
    Forecast.objects.filter(pk=forecast.pk).update(request={"plan": {}, "events": 5})
    assert computing.compute(forecast.pk)
    forecast.refresh_from_db()
    assert forecast.state == Forecast.State.FAILED
    assert "not a stored plan" in forecast.error


def test_a_plan_is_simulated(db: None, few_events: None) -> None:
    forecast = requests.of_plan(plans.plan_of(IDEA), database_time.now())
    assert computing.compute(forecast.pk)
    forecast.refresh_from_db()
    ahead = requests.answer_of_plan(forecast)
    assert ahead is not None
    assert ahead.events == 20
    assert ahead.strongest_wins.low > 0.1
    assert ahead.minutes is not None
    assert 30 < ahead.minutes.median < 120


@pytest.mark.parametrize("changes", [{"format": "double-swiss"}, {"games_per_pairing": 2}])
def test_a_plan_of_matches_of_two_games_takes_twice_the_time(
    db: None, few_events: None, changes: dict
) -> None:
    lengths = []
    for idea in (IDEA, replace(IDEA, **changes)):
        forecast = requests.of_plan(plans.plan_of(idea), database_time.now())
        assert computing.compute(forecast.pk)
        forecast.refresh_from_db()
        ahead = requests.answer_of_plan(forecast)
        assert ahead is not None
        assert ahead.minutes is not None
        lengths.append(ahead.minutes.median)
    assert lengths[1] == pytest.approx(2 * lengths[0], rel=0.1)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"players": 301}, "forecast-large"),
        ({"format": "swiss", "players": 101}, "forecast-large"),
        ({"format": "groups-knockout", "groups": 50}, "options-bad"),
    ],
)
def test_plans_that_make_no_sense_are_refused(db: None, changes: dict, code: str) -> None:
    with pytest.raises(RefusedError) as refusal:
        requests.of_plan(plans.plan_of(replace(IDEA, **changes)), database_time.now())
    assert refusal.value.code == code


def test_not_more_plans_wait_than_workers_have_time_for(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests, "MOST_OPEN_PLANS", 1)
    plan = plans.plan_of(IDEA)
    requests.of_plan(plan, database_time.now())
    requests.of_plan(plan, database_time.now())
    with pytest.raises(RefusedError) as refusal:
        requests.of_plan(replace(plan, players=10), database_time.now())
    assert refusal.value.code == "forecasts-many"


def test_the_tick_sends_for_a_worker_again_and_forgets_old_plans(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[int] = []
    monkeypatch.setattr("tournaments.services.enqueue.forecast", sent.append)
    now = database_time.now().replace(second=0)
    forecast = requests.of_plan(plans.plan_of(IDEA), now)
    assert sent == [forecast.pk]
    tick.tick(now + timedelta(seconds=60))
    assert sent == [forecast.pk]
    tick.tick(now + timedelta(seconds=120))
    assert sent == [forecast.pk] * 2
    tick.tick(now + timedelta(days=8))
    assert not Forecast.objects.exists()


def test_the_draws_of_a_game_are_those_known_beforehand_until_there_are_others(db: None) -> None:
    assert plans.plan_of(IDEA).model == ResultModel(0.04, 0)  # 45 of a thousand, by whole per cents
    assert plans.plan_of(replace(IDEA, ruleset="morlox(size=5)")).model == ResultModel(0, 80)


def test_an_answer_is_never_half_there(db: None) -> None:
    forecast = requests.of_plan(plans.plan_of(IDEA), database_time.now())
    with pytest.raises(IntegrityError, match="forecast_answer_when_done"):
        Forecast.objects.filter(pk=forecast.pk).update(state=Forecast.State.DONE)
