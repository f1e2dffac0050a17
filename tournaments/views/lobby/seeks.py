"""Quick pairing: sit down, wait at a page that says so, and go to the board."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments import database_time
from tournaments.forms.lobby import QuickForm
from tournaments.models import Player, Seek
from tournaments.queries.clocks import game_clocks
from tournaments.queries.lobby import open_seeks
from tournaments.queries.ratings import certainty
from tournaments.services.lobby import seeks
from tournaments.templatetags.ratings import rating_text
from tournaments.views import once, refusals
from tournaments.views.access import guests_too, player_of, seats_only
from tournaments.views.lobby import lobby


@refusals.refusal_as_message
@once.once
@guests_too
def create(request: HttpRequest, player: Player) -> HttpResponse:
    """Wait for an opponent, or begin immediately with one who waits.

    Enter in the field of a name presses the first button of the form, which is this one's: a
    visitor who has written a name has meant it.
    """
    form = QuickForm(request.POST, is_guest=player.is_guest)
    if request.POST.get("opponent", "").strip() and not player.is_guest:
        return lobby.challenge(request)
    if not form.is_valid():
        return lobby.page(request, form, status=422)
    data = form.cleaned_data
    seek = seeks.create(
        player=player,
        ruleset=data["ruleset"],
        clock=data["clock"],
        is_rated=data.get("is_rated", False),
    )
    return redirect(seek.game or "seek")


@seats_only
def cancel(_request: HttpRequest, player: Player) -> HttpResponse:
    seeks.cancel(player)
    return redirect("lobby")


@never_cache
def waiting(request: HttpRequest) -> HttpResponse:
    """Return the waiting page, which renews the seek. With an opponent it leads to the game."""
    return _waiting(request, "lobby/seek.html")


@never_cache
def waiting_live(request: HttpRequest) -> HttpResponse:
    """Return the part of the page that changes, or 205 without a pending seek."""
    return _waiting(request, "lobby/_seek.html")


def _waiting(request: HttpRequest, template: str) -> HttpResponse:
    player = player_of(request)
    seek = seeks.heartbeat(player) if player else None
    is_script = template == "lobby/_seek.html"
    if seek is None or seek.state != Seek.State.WAITING:
        if is_script:
            return HttpResponse(status=205)
        # Mostly it is the other's request that has begun the game.
        return redirect((player and open_seeks.current_game(player)) or "lobby")
    now = database_time.now()
    clock = game_clocks.clock_of(seek)
    own = seeks.own_rating(seek.player, seek.ruleset, clock)
    context = {
        "seek": seek,
        "window_elo": open_seeks.window_elo(seek, now),
        "waited_s": int((now - seek.made_at).total_seconds()),
        "rating_text": rating_text(seek.centielo, certainty.of_rating(own, now)) if own else "",
        **lobby.level_choice(request, seek.ruleset, clock),
        "clock": clock.text(),
        "words": _("Looking for an opponent"),
    }
    return render(request, template, context)
