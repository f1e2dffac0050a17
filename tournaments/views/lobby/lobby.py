"""Challenges: make one, take one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.db.models import Q
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

import games
from tournaments.forms import ChallengeForm, InvitationForm, QuickForm
from tournaments.models import Challenge, Game, Player
from tournaments.models.players import canonical_name
from tournaments.services.accounts import players
from tournaments.services.lobby import bot_levels, challenges, seeks
from tournaments.services.matches import matches
from tournaments.text import rulesets
from tournaments.views import preferences, refusals
from tournaments.views.access import player_of, players_only
from tournaments.views.games import boards

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest, HttpResponse

_WATCHED = 12
# A stream follows no more than that.
_FOLLOWED = 10


def lobby(request: HttpRequest) -> HttpResponse:
    initial = _initial_values(request)
    form = ChallengeForm(initial=initial)
    form.offer(initial["ruleset"])
    return _lobby(request, form)


def _initial_values(request: HttpRequest) -> dict[str, str]:
    """The fields that a link to the lobby fills in, and the most popular board size."""
    parameters = {
        name: request.GET[name] for name in ("opponent", "ruleset") if name in request.GET
    }
    ruleset = rulesets.canonical_key(parameters.get("ruleset", ""))
    return {**parameters, "ruleset": ruleset or _default_board()}


def _default_board() -> str:
    """The board that the lobby proposes: that of the first game."""
    return games.load(games.available()[0].presentation.lobby_board).key


def _lobby(request: HttpRequest, form: ChallengeForm, status: int = 200) -> HttpResponse:
    player = player_of(request)
    visible = Q(opponent__isnull=True)
    if player is not None:
        visible |= Q(opponent=player) | Q(challenger=player)
    rows = Challenge.objects.open().filter(visible).select_related("challenger", "opponent")
    ruleset = str(form["ruleset"].value() or "")
    quick_form = QuickForm(initial={"ruleset": ruleset}, auto_id="quick_%s")
    invitation = InvitationForm(initial={"ruleset": ruleset, "seats": "mine"}, auto_id="invite_%s")
    for other in (quick_form, invitation):
        other.offer(ruleset)
    context = {
        "form": form,
        "quick": quick_form,
        "invitation": invitation,
        "player": player,
        "challenges": rows[:50],
        "levels": bot_levels.levels(player),
        "bots": players.built_in_bots(),
        "crowds": seeks.seek_groups(timezone.now()),
        "watched": Game.objects.ongoing().filter(ply__gt=0).count(),
    }
    return render(request, "lobby/lobby.html", context, status=status)


def watch(request: HttpRequest) -> HttpResponse:
    """Games being played, people's first; of one game when `?family=` says so."""
    family, rows = _watched(request)
    look = preferences.of(request).look
    context = {
        "cards": [boards.card(game, look) for game in rows],
        "stream": boards.stream(rows[:_FOLLOWED]),
        "families": [(each.name, rulesets.family_name(each.name)) for each in games.available()],
        "family": family,
    }
    return render(request, "lobby/watch.html", context)


@never_cache
def watch_live(request: HttpRequest) -> HttpResponse:
    """The boards of that page as they are now."""
    _family, rows = _watched(request)
    look = preferences.of(request).look
    cards = [boards.card(game, look) for game in rows]
    return render(request, "games/_live_boards.html", {"live_games": cards})


def _watched(request: HttpRequest) -> tuple[str, Sequence[Game]]:
    """The game asked for, empty for all, and what is played of it now."""
    matches.repeat_exhibitions()
    known = {each.name for each in games.available()}
    family = request.GET.get("family", "")
    under_way = Game.objects.ongoing().with_players().filter(ply__gt=0)
    if family in known:
        under_way = under_way.filter(ruleset__startswith=f"{family}(")
    else:
        family = ""
    among_bots = Q(first__kind=Player.Kind.BOT, second__kind=Player.Kind.BOT)
    rows = list(under_way.exclude(among_bots).order_by("-turn_started_at", "-pk")[:_WATCHED])
    if len(rows) < _WATCHED:
        more = under_way.filter(among_bots).order_by("-match__pace_ms", "-pk")
        rows += more[: _WATCHED - len(rows)]
    return family, rows


@players_only
@refusals.refusal_as_message
def challenge(request: HttpRequest, player: Player) -> HttpResponse:
    form = ChallengeForm(request.POST)
    if not form.is_valid():
        return _lobby(request, form, status=422)
    data = form.cleaned_data
    opponent = None
    if data["opponent"]:
        opponent = Player.objects.filter(canonical=canonical_name(data["opponent"])).first()
        if opponent is None:
            form.add_error("opponent", _("There is no player of this name."))
            return _lobby(request, form, status=422)
    row = challenges.challenge(
        challenger=player,
        opponent=opponent,
        ruleset=data["ruleset"],
        clock=data["clock"],
        is_rated=data["is_rated"],
        side=data["side"],
        vote=data["vote"],
    )
    if row.game is not None:
        return redirect(row.game)
    messages.success(request, _("Your challenge is open. The game starts when it is accepted."))
    return redirect("lobby")


@players_only
@refusals.refusal_as_message
def accept(request: HttpRequest, player: Player, pk: int) -> HttpResponse:
    row = get_object_or_404(Challenge, pk=pk)
    vote = request.POST.get("vote", "")
    return redirect(challenges.accept(challenge_id=row.pk, player=player, vote=vote))


@players_only
@refusals.refusal_as_message
def decline(request: HttpRequest, player: Player, pk: int) -> HttpResponse:
    row = get_object_or_404(Challenge, pk=pk)
    challenges.decline(challenge_id=row.pk, player=player)
    return redirect("lobby")
