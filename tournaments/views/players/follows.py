"""The page of the players whom the visitor follows."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.edges.access import get_player
from tournaments.models import Player
from tournaments.queries.events import followed
from tournaments.services.accounts import follows
from tournaments.views import preferences, refusals
from tournaments.views.access import account_player_of, players_only, user_of
from tournaments.views.games import board_cards


@never_cache
@login_required
def following(request: HttpRequest) -> HttpResponse:
    """Return the games and events of the players whom the visitor follows."""
    player = account_player_of(request)
    if player is None:
        raise Http404
    activity = followed.activity(player, user_of(request))
    look = preferences.of(request).look
    context = {
        "activity": activity,
        "live_games": board_cards.cards(activity.ongoing, look),
    }
    return render(request, "players/following.html", context)


@players_only
@refusals.refusal_as_message
def follow(request: HttpRequest, player: Player, pk: int) -> HttpResponse:
    """Follow a player, or with `again` undo that."""
    other = get_player(pk)
    if "again" in request.POST:
        follows.unfollow(player=player, followed=other)
        sentence = _("You no longer follow %(name)s.")
    else:
        follows.follow(player=player, followed=other)
        sentence = _("You follow %(name)s.")
    messages.success(request, sentence % {"name": other.name})
    return redirect(refusals.return_path(request))
