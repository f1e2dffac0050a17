"""What authors of bots need to know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404
from django.shortcuts import render

from tournaments.text import guides

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


def guide(request: HttpRequest, name: str) -> HttpResponse:
    """One page, with the others beside it."""
    if name not in guides.PAGES:
        raise Http404
    others = [(other, guides.guide(other).title) for other in guides.PAGES]
    context = {"guide": guides.guide(name), "name": name, "others": others}
    return render(request, "bots/guide.html", context)
