"""All finished games, with a search."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.forms import ArchiveForm
from tournaments.queries.events import conditions
from tournaments.queries.records import archive as games_archive
from tournaments.views import preferences
from tournaments.views.access import user_of
from tournaments.views.games import board_cards

CARDS = 20  # boards make such a page 20 KB heavier, compressed


@dataclass(frozen=True, slots=True)
class Chip:
    """A criterion of the search in words, and the query without it."""

    words: str
    query: str


def _chips(form: ArchiveForm, query: QueryDict) -> list[Chip]:
    """Return the criteria of a valid search."""
    chips = []
    for field in form.visible_fields():
        value = form.cleaned_data[field.name]
        if not value:
            continue
        rest = query.copy()
        for name in (field.name, "before"):
            rest.pop(name, None)
        choices = dict(getattr(field.field, "choices", ()))
        words = "" if value is True else f": {choices.get(value, value)}"
        chips.append(Chip(f"{field.label}{words}", rest.urlencode()))
    return chips


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
        before = form.cleaned_data["before"]
        page = games_archive.page_of(selection, before=before, most=CARDS)
        query = request.GET.copy()
        query.pop("before", None)
        if before is not None:
            context["latest"] = query.urlencode()
        if page.older is not None:
            query["before"] = str(page.older)
            context["older"] = query.urlencode()
        look = replace(preferences.of(request).look, has_coordinates=False)
        context["games"] = page.games
        context["cards"] = [board_cards.card(game, look) for game in page.games]
        context["chips"] = _chips(form, query)
        status = 200
    return render(request, "games/archive.html", context, status=status)
