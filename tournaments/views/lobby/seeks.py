"""Quick pairing: sit down, wait at a page that says so, and go to the board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.forms import QuickForm
from tournaments.models import Seek
from tournaments.services.clocks import game_clocks
from tournaments.services.errors import RefusedError
from tournaments.services.lobby import bot_levels, seeks
from tournaments.views import refusals
from tournaments.views.access import player_of, players_only

if TYPE_CHECKING:
    from django.http import HttpRequest

    from tournaments.models import Player


@players_only
@refusals.refusal_as_message
def create(request: HttpRequest, player: Player) -> HttpResponse:
    """Wait for an opponent, or begin at once with one who waits."""
    form = QuickForm(request.POST)
    if not form.is_valid():
        raise RefusedError("quick-bad", "; ".join(form.errors))
    data = form.cleaned_data
    seek = seeks.create(
        player=player,
        ruleset=data["ruleset"],
        clock=data["clock"],
        is_rated=data["is_rated"],
    )
    return redirect(seek.game or "seek")


@players_only
def cancel(_request: HttpRequest, player: Player) -> HttpResponse:
    seeks.cancel(player)
    return redirect("lobby")


@never_cache
def waiting(request: HttpRequest) -> HttpResponse:
    """The waiting page, which renews the seek; with an opponent it leads to the game."""
    return _waiting(request, "lobby/seek.html")


@never_cache
def waiting_live(request: HttpRequest) -> HttpResponse:
    """The part of the page that changes; 205 when there is nothing to wait for any more."""
    return _waiting(request, "lobby/_seek.html")


def _waiting(request: HttpRequest, template: str) -> HttpResponse:
    player = player_of(request)
    seek = seeks.heartbeat(player) if player else None
    is_script = template == "lobby/_seek.html"
    if seek is None or seek.state != Seek.State.WAITING:
        if is_script:
            return HttpResponse(status=205)
        # Mostly it is the other's request that has begun the game.
        return redirect((player and seeks.current_game(player)) or "lobby")
    now = timezone.now()
    context = {
        "seek": seek,
        "window_elo": seeks.window_elo(seek, now),
        "waited_s": int((now - seek.made_at).total_seconds()),
        "rating_elo": seek.centielo // 100,
        "levels": bot_levels.levels(player),
        "clock": game_clocks.clock_of(seek).text(),
        "words": _("Looking for an opponent"),
    }
    return render(request, template, context)
