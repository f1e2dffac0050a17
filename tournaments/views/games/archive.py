"""All finished games, with a search."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from games import svg
from tournaments.forms import ArchiveForm
from tournaments.models import User
from tournaments.queries.events import conditions
from tournaments.queries.records import archive as games_archive
from tournaments.views import common_lists, preferences
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


def _drawn(form: ArchiveForm, query: QueryDict, reader: User | None, look: svg.Look) -> SafeString:
    """Return the boards of a valid search, with the links to other pages."""
    selection = conditions.visible_games(games_archive.games_of(form.search()), reader)
    before = form.cleaned_data["before"]
    page = games_archive.page_of(selection, before=before, most=CARDS)
    rest = query.copy()
    rest.pop("before", None)
    context = {
        "latest": None if before is None else rest.urlencode(),
        "games": page.games,
        "cards": [board_cards.card(game, look) for game in page.games],
    }
    if page.older is not None:
        rest["before"] = str(page.older)
        context["older"] = rest.urlencode()
    return render_to_string("games/_archive_cards.html", context)


@require_safe
def archive(request: HttpRequest) -> HttpResponse:
    """Return a page of the games that match the query, or 400 with the reasons if the query is invalid."""
    form = ArchiveForm(request.GET)
    context: dict[str, object] = {"form": form}
    status = 400
    if form.is_valid():
        reader = conditions.reader_of_lists(user_of(request))
        look = replace(preferences.of(request).look, has_coordinates=False)
        if request.GET:
            part = _drawn(form, request.GET, reader, look)
        else:
            part = common_lists.recall(
                "archive", reader, lambda: _drawn(form, request.GET, reader, look), look
            )
        context |= {"part": part, "chips": _chips(form, request.GET)}
        status = 200
    return render(request, "games/archive.html", context, status=status)
