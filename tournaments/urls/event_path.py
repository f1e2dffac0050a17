"""The address of an event. Each such address respects that events can be private."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpResponse
from django.urls import URLPattern
from django.urls import path as any_path

from tournaments.views.access import unless_private
from tournaments.views.events.answers import conditional


def path(route: str, view: Callable[..., HttpResponse], name: str) -> URLPattern:
    """Return the pattern of an event's page or file, which a private event shows to few."""
    if "<slug:slug>" in route:
        view = unless_private(conditional(view))
    return any_path(route, view, name=name)
