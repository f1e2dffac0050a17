"""Asking for forecasts: a question is asked once, and its answer kept until the event changes."""

from __future__ import annotations

import hashlib
import json
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from tournaments.errors import RefusedError
from tournaments.forecasts import (
    EventForecast,
    Plan,
    PlanForecast,
    course_of,
    events_for,
    most_players,
)
from tournaments.models import Event, Forecast
from tournaments.pairing import BadProblemError
from tournaments.queries.forecasts import courses
from tournaments.services import enqueue

# The limit of plans that wait for a worker, of all users together.
MOST_OPEN_PLANS = 20
# Plans are deleted after this time. They can be requested again.
PLANS_LAST = timedelta(days=7)
# The seed is taken from this number of hexadecimal digits of the key, so that it fits into the
# column.
_SEED_DIGITS = 12


def of_event(event: Event, now: datetime) -> Forecast | None:
    """Return the forecast of the event in its present state, answered or requested now, or None without one.

    It starts after the last closed round: the pairings of a published round are known, and its
    results are not. Any change of these makes another forecast, and the earlier ones are deleted.
    """
    course = courses.course_of(event)
    if course is None:
        return None
    rounds = max(1, course.problem.rounds_total - course.problem.round_number + 1)
    events = events_for(course.system, players=len(course.priors), rounds=rounds)
    request = {"course": course.to_json(), "events": events}
    return _ask(request, now, event=event)


def of_plan(plan: Plan, now: datetime) -> Forecast:
    """Return the forecast of the plan, answered or requested now.

    Raises RefusedError `options-bad` if the format's options do not fit the number of players,
    `forecast-large` for a field that would take too long, `forecasts-many` while too many wait.
    """
    if plan.players > most_players(plan.system):
        raise RefusedError("forecast-large", str(plan.players))
    try:
        course = course_of(plan)
    except BadProblemError as error:
        raise RefusedError("options-bad", str(error)) from error
    rounds = course.problem.rounds_total
    events = events_for(plan.system, players=plan.players, rounds=rounds)
    return _ask({"plan": plan.to_json(), "events": events}, now, event=None)


def key_of(request: dict[str, Any]) -> str:
    """The name of a request: equal requests have equal names, and different ones different names."""
    text = json.dumps(request, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _ask(request: dict[str, Any], now: datetime, *, event: Event | None) -> Forecast:
    key = key_of(request)
    forecast = Forecast.objects.filter(key=key).first()
    if forecast is not None:
        return forecast
    if event is None:
        waiting_plans = Forecast.objects.open().filter(event=None).count()
        if waiting_plans >= MOST_OPEN_PLANS:
            raise RefusedError("forecasts-many", str(waiting_plans))
    with transaction.atomic():
        # Two simultaneous requests share one row.
        forecast, is_new = Forecast.objects.get_or_create(
            key=key,
            defaults={
                "event": event,
                "request": request,
                "seed": int(key[:_SEED_DIGITS], 16),
                "asked_at": now,
                "woken_at": now,
            },
        )
        if event is not None:
            Forecast.objects.filter(event=event).exclude(pk=forecast.pk).delete()
        if is_new:
            enqueue.forecast(forecast.pk)
    return forecast


def forget_old(now: datetime) -> None:
    """Delete the forecasts of plans that were asked for long ago."""
    Forecast.objects.filter(event=None, asked_at__lt=now - PLANS_LAST).delete()


def answer_of_event(forecast: Forecast) -> EventForecast | None:
    """Return the answer of a forecast of an event, or None before it is computed."""
    return None if forecast.answer is None else EventForecast.from_json(forecast.answer)


def answer_of_plan(forecast: Forecast) -> PlanForecast | None:
    """Return the answer of a forecast of a plan, or None before it is computed."""
    return None if forecast.answer is None else PlanForecast.from_json(forecast.answer)
