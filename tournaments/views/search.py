"""The page of the search."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.queries import search as queries
from tournaments.views.access import user_of

LENGTH = 80


def search(request: HttpRequest) -> HttpResponse:
    """Return the players, the events and the game that the words name."""
    words = request.GET.get("q", "").strip()[:LENGTH]
    matches = queries.find(words, user_of(request))
    return render(request, "search.html", {"words": words, "length": LENGTH, "matches": matches})
