"""Computing a forecast: one worker at a time by lease, with no transaction open while it simulates."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F

from tournaments import database_time
from tournaments.forecasts import BadCourseError, Course, Plan
from tournaments.models import Forecast
from tournaments.models.forecasts import ForecastQuerySet
from tournaments.pairing import PairingError
from tournaments.services.notifications import news

log = logging.getLogger(__name__)

# A worker that is silent for this time is lost, and another may compute the forecast.
LEASE = timedelta(seconds=60)
_RENEWAL = timedelta(seconds=15)
MAX_ATTEMPTS = 3
_MAX_ERROR = 200


class LeaseLostError(Exception):
    """Another worker computes the forecast, or it is no longer wanted."""


class _Claim:
    """One worker's right to answer a forecast."""

    def __init__(self, forecast: Forecast) -> None:
        self._forecast = forecast
        self._renewed_at = database_time.now()

    def held(self) -> ForecastQuerySet:
        """The forecast, while it is this worker's."""
        open_ones = Forecast.objects.open()
        return open_ones.filter(pk=self._forecast.pk, attempts=self._forecast.attempts)

    def renew(self, _done: int) -> None:
        """Say now and then that this worker is at it. Raises LeaseLostError."""
        now = database_time.now()
        if now - self._renewed_at < _RENEWAL:
            return
        self._renewed_at = now
        if self.held().update(lease_until=now + LEASE) != 1:
            raise LeaseLostError(str(self._forecast.pk))


def compute(forecast_id: int) -> bool:
    """Answer a waiting forecast, and return whether this call did.

    A request that cannot be simulated fails permanently, and so does one whose workers were lost
    three times.
    """
    forecast = _claim(forecast_id, database_time.now())
    if forecast is None:
        return False
    claim = _Claim(forecast)
    if forecast.attempts > MAX_ATTEMPTS:
        return _close(forecast, claim, error="too many workers were lost")
    try:
        answer = _answer(forecast, claim)
    except (BadCourseError, PairingError) as error:
        log.exception("forecast.failed forecast=%s", forecast.pk)
        return _close(forecast, claim, error=repr(error)[:_MAX_ERROR])
    except LeaseLostError:
        log.info("forecast.lost forecast=%s", forecast.pk)
        return False
    return _close(forecast, claim, answer=answer)


def _claim(forecast_id: int, now: datetime) -> Forecast | None:
    rows = Forecast.objects.due(now).filter(pk=forecast_id)
    if rows.update(lease_until=now + LEASE, attempts=F("attempts") + 1) != 1:
        return None
    return Forecast.objects.get(pk=forecast_id)


def _answer(forecast: Forecast, claim: _Claim) -> dict[str, Any]:
    # Hidden, with numpy behind it, from all processes that compute no forecast.
    from tournaments.forecasts.simulation import event_forecast, plan_forecast

    request, seed = forecast.request, forecast.seed
    if "plan" in request:
        plan = Plan.from_json(request["plan"])
        ahead = plan_forecast(plan, seed=seed, events=request["events"], progress=claim.renew)
        return ahead.to_json()
    course = Course.from_json(request["course"])
    return event_forecast(
        course, seed=seed, events=request["events"], progress=claim.renew
    ).to_json()


def _close(
    forecast: Forecast, claim: _Claim, *, answer: dict[str, Any] | None = None, error: str = ""
) -> bool:
    state = Forecast.State.FAILED if error else Forecast.State.DONE
    with transaction.atomic():
        is_closed = (
            claim.held().update(
                state=state,
                answer=answer,
                error=error,
                lease_until=None,
                computed_at=None if error else database_time.now(),
            )
            == 1
        )
        if is_closed:
            topic = news.of_forecast(forecast.pk)
            if forecast.event_id is not None:
                topic = news.of_event(forecast.event_id)
            news.announce(topic, "forecast")
    return is_closed
