"""The front page: for guests three doors and a live board, for players what waits for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import render

from tournaments.models import Challenge, Event, Game
from tournaments.views import boards
from tournaments.views.access import player_of

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

_SHOWN = 6


def home(request: HttpRequest) -> HttpResponse:
    player = player_of(request)
    ongoing = Game.objects.ongoing().with_players()
    live = ongoing.filter(ply__gt=0).order_by("-match__pace_ms", "-pk")[:3]
    context: dict[str, Any] = {
        "player": player,
        "live_games": [boards.card(game) for game in live],
        "events": Event.objects.open().select_related("organiser")[:_SHOWN],
        "recent_games": Game.objects.finished().with_players().order_by("-ended_at")[:_SHOWN],
    }
    if player is not None:
        mine = list(ongoing.of(player).order_by("deadline_at"))
        context["my_turn"] = [g for g in mine if g.side_of(player) == g.side_to_move]
        context["waiting"] = [g for g in mine if g.side_of(player) != g.side_to_move]
        context["challenges"] = (
            Challenge.objects.open().filter(opponent=player).select_related("challenger")
        )
    return render(request, "home.html", context)
