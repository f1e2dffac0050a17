"""All finished games, with a search."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from games import svg
from tournaments.forms.archive import ArchiveForm
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


@dataclass(frozen=True, slots=True)
class _Cards:
    """The boards of a page, drawn or empty, and the parameter of the next page, if there is one."""

    html: SafeString
    older: int | None


def _cards(form: ArchiveForm, reader: User | None, look: svg.Look) -> _Cards:
    """Return the boards of a valid search."""
    selection = conditions.visible_games(games_archive.games_of(form.search()), reader)
    page = games_archive.page_of(selection, before=form.cleaned_data["before"], most=CARDS)
    cards = board_cards.cards(page.games, look)
    if not cards:
        return _Cards(SafeString(), None)
    context = {"cards": cards}
    return _Cards(render_to_string("games/_archive_cards.html", context), page.older)


def _links(form: ArchiveForm, query: QueryDict, older: int | None) -> dict[str, str]:
    """Return the queries of the latest page and of the next one, as far as there are links to them."""
    links = {}
    rest = query.copy()
    rest.pop("before", None)
    if form.cleaned_data["before"] is not None:
        links["latest"] = rest.urlencode()
    if older is not None:
        rest["before"] = str(older)
        links["older"] = rest.urlencode()
    return links


@require_safe
def archive(request: HttpRequest) -> HttpResponse:
    """Return a page of the games that match the query, or 400 with the reasons if the query is invalid."""
    form = ArchiveForm(request.GET)
    context: dict[str, object] = {"form": form}
    status = 400
    if form.is_valid():
        reader = conditions.reader_of_lists(user_of(request))
        look = replace(preferences.of(request).look, has_coordinates=False)
        facts = {name for name, value in form.cleaned_data.items() if value}
        if facts <= {"family"}:
            family = form.cleaned_data["family"]
            cards = common_lists.recall(
                "archive", reader, lambda: _cards(form, reader, look), look, family
            )
        else:
            cards = _cards(form, reader, look)
        context |= {"cards": cards.html, "chips": _chips(form, request.GET)}
        context |= _links(form, request.GET, cards.older)
        status = 200
    return render(request, "games/archive.html", context, status=status)
