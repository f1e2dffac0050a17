"""Forecasts for an event that continues and for an event that an organiser plans."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments import database_time
from tournaments.errors import RefusedError
from tournaments.forms.forecasts import ForecastForm
from tournaments.models import Event, Forecast
from tournaments.queries.clocks import game_clocks
from tournaments.queries.forecasts import courses, plans
from tournaments.services.forecasts import requests
from tournaments.services.notifications import news
from tournaments.services.results import computations
from tournaments.text import refusals as refusal_text
from tournaments.views.events.pages import tab_context

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    from django.http import HttpRequest, HttpResponse

    from tournaments.models import Entry

    class Interval(Protocol):
        """A figure with its bounds."""

        @property
        def value(self) -> float: ...
        @property
        def low(self) -> float: ...
        @property
        def high(self) -> float: ...


_HOUR, _DAY = 60, 24 * 60


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure as the page shows it, with its bounds, and in per cent for a share."""

    text: str
    bounds: str
    percent: int = 0


@dataclass(frozen=True, slots=True)
class ChanceRow:
    """A player's chances."""

    entry: Entry
    win: Figure
    first_three: Figure
    points: Figure


def event(request: HttpRequest, event: Event) -> HttpResponse:
    """Everybody's chances in an event."""
    if not courses.has_forecast(event):
        raise Http404
    context = tab_context(request, event, "forecast")
    forecast = context["forecast"] = _forecast(event, context["state"])
    if forecast is not None:
        context |= _chances(event, forecast)
    elif event.state == Event.State.REGISTRATION:
        context["plan_query"] = _plan_query(event, context["playing"])
    return render(request, "events/forecast.html", context)


def _forecast(event: Event, state: str) -> Forecast | None:
    """Return the forecast of the event, whose course is not read again in the same state."""
    forecast_id = computations.recall(_forecast_id, event, state)
    # It may have been deleted meanwhile.
    same = Forecast.objects.filter(pk=forecast_id).first() if forecast_id else None
    return same or requests.of_event(event, database_time.now())


def _forecast_id(event: Event) -> int:
    """Return the number of the forecast, 0 without one."""
    forecast = requests.of_event(event, database_time.now())
    return 0 if forecast is None else forecast.pk


def _plan_query(event: Event, players: int) -> str:
    """Return the form of the plan, filled in with the event's settings and its number of entries."""
    return urlencode(
        {
            "format": event.format,
            "ruleset": event.ruleset,
            "players": max(2, players),
            "rounds_total": event.rounds_total,
            "spread_elo": 200,
            "deviation_elo": 100,
            "clock": game_clocks.clock_of(event).text(),
            "pause_s": event.pause_s,
            "games_per_pairing": event.games_per_pairing,
            "cycles": event.cycles,
            "groups": event.groups,
            "qualifiers": event.qualifiers,
        }
    )


def _chances(event: Event, forecast: Forecast) -> dict[str, Any]:
    answer = requests.answer_of_event(forecast)
    course = forecast.request["course"]
    context: dict[str, Any] = {
        "closed_rounds": course["problem"]["round_number"] - 1,
        "is_round_public": course["open_round"] is not None,
        "model": course["model"],
        "draw_percent": round(100 * course["model"]["draw_share"]),
        "simulated_events": forecast.request["events"],
    }
    if answer is not None:
        entries = {e.tpn: e for e in event.entries.exclude(tpn=None).select_related("player")}
        context["chances"] = [
            ChanceRow(
                entries[chance.tpn],
                share(chance.win),
                share(chance.first_three),
                number(chance.points),
            )
            for chance in answer.chances
        ]
    return context


@login_required
def plan(request: HttpRequest) -> HttpResponse:
    """Return a form to plan with, and its result."""
    form = ForecastForm(request.GET or None)
    context: dict[str, Any] = {"form": form}
    if request.GET and form.is_valid():
        try:
            forecast = requests.of_plan(plans.plan_of(form.idea()), database_time.now())
        except RefusedError as refusal:
            form.add_error(None, refusal_text.sentence(refusal))
        else:
            context |= _plan_context(forecast)
    return render(request, "events/plan.html", context)


@login_required
def plan_live(request: HttpRequest, key: str) -> HttpResponse:
    """Return the part of the page that changes when the answer arrives."""
    forecast = Forecast.objects.filter(key=key, event=None).first()
    if forecast is None:
        raise Http404
    return render(request, "events/_plan.html", _plan_context(forecast))


def _plan_context(forecast: Forecast) -> dict[str, Any]:
    topic = news.of_forecast(forecast.pk)
    reached = news.last_seq(topic)
    # Read after the news: the page gets events between the two reads twice, and never misses
    # one.
    forecast.refresh_from_db()
    plan = forecast.request["plan"]
    context: dict[str, Any] = {
        "forecast": forecast,
        "stream": f"?t={topic}&after={topic}={reached}",
        "draw_percent": round(100 * plan["model"]["draw_share"]),
        "model": plan["model"],
        "plies": plan["timing"]["plies"] if plan["timing"] else None,
        "simulated_events": forecast.request["events"],
    }
    answer = requests.answer_of_plan(forecast)
    if answer is not None:
        context["shares"] = [
            (_("The strongest player wins"), share(answer.strongest_wins)),
            (_("The strongest player is among the first three"), share(answer.strongest_in_three)),
            (_("The player with the highest rating wins"), share(answer.favourite_wins)),
            (_("The rounds cannot all be paired"), share(answer.stuck)),
        ]
        context["means"] = [
            (
                _("Agreement of the final order with the strengths (Kendall's tau)"),
                number(answer.order),
            ),
            (
                _("Players who do not get the colour they are due absolutely"),
                number(answer.absolute),
            ),
            (_("Players with one colour in three consecutive games"), number(answer.third)),
            (_("Rounds without an opponent"), number(answer.idle)),
            (_("Players who meet an opponent again"), number(answer.rematches)),
        ]
        context["rounds"] = _range([answer.rounds.median, answer.rounds.low, answer.rounds.high])
        if answer.minutes is not None:
            minutes = answer.minutes
            texts = [_time(each) for each in (minutes.median, minutes.low, minutes.high)]
            context["duration"] = Figure(texts[0], f"{texts[1]} – {texts[2]}")
    return context


def share(interval: Interval) -> Figure:
    """Return a probability in per cent, in tenths if it is below one per cent or nearly certain."""
    low, high = (_percent(each) for each in (interval.low, interval.high))
    return Figure(f"{_percent(interval.value)} %", f"{low}–{high} %", round(100 * interval.value))


def _percent(value: float) -> str:
    per_cent = 100 * value
    is_edge = 0 < per_cent < 1 or 99 < per_cent < 100
    return f"{per_cent:.1f}" if is_edge else f"{per_cent:.0f}"


def number(interval: Interval) -> Figure:
    """Return a mean with the number of decimals that a few hundred events can determine."""
    texts = [_decimal(each) for each in (interval.value, interval.low, interval.high)]
    return Figure(texts[0], f"{texts[1]} – {texts[2]}")


def _decimal(value: float) -> str:
    # Adding 0 removes the sign of a value rounded to 0.
    return f"{round(value, 2) + 0.0:.2f}".replace("-", "\N{MINUS SIGN}")


def _range(numbers: Sequence[float]) -> Figure:
    median, low, high = (f"{each:g}" for each in numbers)
    return Figure(median, f"{low}–{high}" if low != high else low)


def _time(minutes: float) -> str:
    whole = round(minutes)
    if whole >= 2 * _DAY:
        days = round(whole / _DAY)
        return ngettext("%(count)d day", "%(count)d days", days) % {"count": days}
    hours, rest = divmod(whole, _HOUR)
    if not hours:
        return _("%(count)d min") % {"count": rest}
    return _("%(hours)d h %(minutes)d min") % {"hours": hours, "minutes": rest}
