"""The games and their rules, in our own words, with figures drawn by the code that plays them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.http import Http404
from django.shortcuts import render

import games
from tournaments.models import Game, Pool
from tournaments.services import menu
from tournaments.views import boards, figures, settings

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse
    from django.utils.safestring import SafeString


@dataclass(frozen=True, slots=True)
class FamilyCard:
    """A game in the index: its name, and a board that shows it."""

    family: str
    name: str
    board: SafeString
    games_played: int


def index(request: HttpRequest) -> HttpResponse:
    cards = [
        FamilyCard(
            family.name,
            menu.family_name(family.name),
            boards.draw(figures.poster(family.name), look=settings.of(request).look),
            Game.objects.finished().filter(ruleset__startswith=family.name).count(),
        )
        for family in games.available()
    ]
    return render(request, "games.html", {"cards": cards})


def rules(request: HttpRequest, family: str) -> HttpResponse:
    if family not in {known.name for known in games.available()}:
        raise Http404
    context = {
        "family": family,
        "name": menu.family_name(family),
        "figures": figures.of_rules(family),
        "pools": Pool.objects.filter(family=family),
    }
    return render(request, f"rules/{family}.html", context)
