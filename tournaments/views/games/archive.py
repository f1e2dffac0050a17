"""All finished games, with a search."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.forms import ArchiveForm
from tournaments.queries.events import conditions
from tournaments.queries.records import archive as games_archive
from tournaments.views.access import user_of


@require_safe
def archive(request: HttpRequest) -> HttpResponse:
    """Return a page of the games that match the query, or 400 with the reasons if the query is invalid."""
    form = ArchiveForm(request.GET)
    context: dict[str, object] = {"form": form}
    status = 400
    if form.is_valid():
        selection = conditions.visible_games(
            games_archive.games_of(form.search()), user_of(request)
        )
        page = games_archive.page_of(selection, before=form.cleaned_data["before"])
        query = request.GET.copy()
        query.pop("before", None)
        if form.cleaned_data["before"] is not None:
            context["latest"] = query.urlencode()
        if page.older is not None:
            query["before"] = str(page.older)
            context["older"] = query.urlencode()
        context["games"] = page.games
        status = 200
    return render(request, "games/archive.html", context, status=status)
