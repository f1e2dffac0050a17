"""The address of an event. Each such address respects that events can be private."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern
from django.urls import path as any_path

from tournaments.views.access import check_event, get_event
from tournaments.views.events import answers


def path(route: str, view: Callable[..., HttpResponse], name: str) -> URLPattern:
    """Return the pattern of an event's page or file, which a private event shows to few."""
    if "<slug:slug>" in route:
        view = _of_event(view)
    return any_path(route, view, name=name)


def _of_event(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    @wraps(view)
    def wrapped(request: HttpRequest, *, slug: str, **words: Any) -> HttpResponse:  # noqa: ANN401 - of the address
        event = get_event(slug)
        check_event(request, event)
        return answers.respond(request, event, partial(view, request, event=event, **words))

    return wrapped
