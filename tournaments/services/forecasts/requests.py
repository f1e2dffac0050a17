"""Asking for forecasts: the same question is asked once, and its answer kept until the event changes."""

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

# Plans that wait for a worker at a time, of everybody together.
MOST_OPEN_PLANS = 20
# Plans are forgotten after so long; they can be asked for again.
PLANS_LAST = timedelta(days=7)
# The seed is taken from the key, in so many hexadecimal digits: it fits into the column.
_SEED_DIGITS = 12


def of_event(event: Event, now: datetime) -> Forecast | None:
    """The forecast of the event as it stands, answered or asked for now; None where there is none.

    It stands after the last closed round; the pairings of a published one are known, and its results
    are not. Whatever changes any of that makes another forecast, and the earlier ones are forgotten.
    """
    course = courses.course_of(event)
    if course is None:
        return None
    rounds = max(1, course.problem.rounds_total - course.problem.round_number + 1)
    events = events_for(course.system, players=len(course.priors), rounds=rounds)
    request = {"course": course.to_json(), "events": events}
    return _ask(request, now, event=event)


def of_plan(plan: Plan, now: datetime) -> Forecast:
    """The forecast of the plan, answered or asked for now.

    Raises RefusedError `options-bad` when the format's options make no sense for so many players,
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
        # Two who ask at once ask for one row.
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
    """What the forecast of an event says; None before it is computed."""
    return None if forecast.answer is None else EventForecast.from_json(forecast.answer)


def answer_of_plan(forecast: Forecast) -> PlanForecast | None:
    """What the forecast of a plan says; None before it is computed."""
    return None if forecast.answer is None else PlanForecast.from_json(forecast.answer)
