"""Screens: a page for a projector that turns automatically, and standings in a frame on other sites."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache

from tournaments import database_time
from tournaments.models import Event, Round
from tournaments.queries import formats
from tournaments.queries.results import tables
from tournaments.services.notifications import news
from tournaments.services.results import stored_table
from tournaments.services.results.computations import computable
from tournaments.views import csp, qr_code
from tournaments.views.events import player_reports, printing
from tournaments.views.events.for_all import slim_rounds
from tournaments.views.events.pages import colours_of

# Number of rows that can be read from the last row of a room.
_BOARDS_A_SLIDE = 10
_PLACES_A_SLIDE = 10
_EMBEDDED_PLACES = 100


@dataclass(frozen=True, slots=True)
class Slide:
    """One page of a list: its rows, its number from 1, and how many there are."""

    rows: Sequence[Any]
    number: int
    count: int


@never_cache
def screen(request: HttpRequest, event: Event) -> HttpResponse:
    """The event for a projector: pairings, standings and the clock to the next round, in turn."""
    topic, reached = _news_of(event)
    # Read after the news: the page gets events between the two reads twice, and never misses
    # one.
    open_round = slim_rounds(event).filter(state=Round.State.PUBLISHED).first()
    report_address = player_reports.address_of_round(request, event, open_round)
    context = {
        **_slides_of(event),
        "report_code": qr_code.svg(report_address) if report_address else "",
        "stream": f"?t={topic}&after={topic}={reached}",
        "code": qr_code.svg(request.build_absolute_uri(event.get_absolute_url())),
        "now": database_time.now(),
        "next_at": _next_start(event),
    }
    return render(request, "events/screen.html", context)


def _slides_of(event: Event) -> dict[str, Any]:
    drawn = _drawn_slides.of(event, translation.get_language())
    return {**drawn, "event": event, "slides": mark_safe(drawn["slides"])}  # noqa: S308 - a template drew it


@computable(may_lag=True)
def _drawn_slides(event: Event, language: str | None) -> dict[str, Any]:
    """The slides of pairings and standings, equal for every projector of a language, and how far the round is."""
    context = {**_tables(event), "colours": colours_of(event)}
    round_ = context["round"]
    with translation.override(language):
        slides = render_to_string("events/_slides.html", context)
    return {
        "slides": slides,
        "round": {"number": round_.number} if round_ else None,
        "boards": context["boards"],
        "boards_over": context["boards_over"],
    }


@never_cache
def embed(request: HttpRequest, event: Event) -> HttpResponse:
    """Return the standings in a frame for any site's page, without any form."""
    topic, reached = _news_of(event)
    context = {
        "event": event,
        "table": stored_table.of(event),
        "places": _EMBEDDED_PLACES,
        "sections": tables.sections(event),
        "traits": formats.of(event),
        "address": request.build_absolute_uri(event.get_absolute_url()),
        "stream": f"?t={topic}&after={topic}={reached}",
    }
    return csp.allow_frames(render(request, "events/embed.html", context))


def _news_of(event: Event) -> tuple[str, int]:
    topic = news.of_event(event.pk)
    return topic, news.last_seq(topic)


def _tables(event: Event) -> dict[str, Any]:
    table = stored_table.current(event)
    # A continuous format has no round whose pairings could be shown.
    round_ = None
    if not formats.of(event).is_continuous:
        public_rounds = slim_rounds(event).exclude(state=Round.State.DRAFT)
        round_ = public_rounds.order_by("number").last()
    boards = printing.boards_of(event, round_) if round_ is not None else []
    return {
        "event": event,
        "round": round_,
        "table": table,
        "board_slides": _slides(boards, _BOARDS_A_SLIDE),
        "place_slides": _slides(table.rows, _PLACES_A_SLIDE),
        "boards_over": sum(bool(board.result) for board in boards),
        "boards": len(boards),
    }


def _slides(rows: Sequence[Any], size: int) -> list[Slide]:
    """The rows on as few slides as hold them, each about as full as the others."""
    count = -(-len(rows) // size)
    length = -(-len(rows) // count) if count else 0
    return [
        Slide(rows[number * length : (number + 1) * length], number + 1, count)
        for number in range(count)
    ]


def _next_start(event: Event) -> datetime | None:
    """Return the start of the next games if it is known and in the future, or None."""
    waiting = slim_rounds(event).filter(
        state=Round.State.PUBLISHED, started_at=None, starts_at__isnull=False
    )
    scheduled = waiting.values_list("starts_at", flat=True).first()
    moment = scheduled or (event.next_step_at if event.is_automatic else None)
    return moment if moment is not None and moment > database_time.now() else None
