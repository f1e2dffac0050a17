"""How an address of an event is made, so that none forgets that events can be private."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import path as any_path

from tournaments.views.access import unless_private

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpResponse
    from django.urls import URLPattern


def path(route: str, view: Callable[..., HttpResponse], name: str) -> URLPattern:
    """An address of an event's page or file, which a private event shows to few."""
    return any_path(route, unless_private(view) if "<slug:slug>" in route else view, name=name)
