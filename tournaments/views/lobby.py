"""Challenges: make one, take one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.db.models import Q
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

import games
from tournaments.forms import ChallengeForm
from tournaments.models import Challenge, Player
from tournaments.models.players import canonical_name
from tournaments.services import challenges, menu, players
from tournaments.views import refusals
from tournaments.views.access import player_of, players_only

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


def lobby(request: HttpRequest) -> HttpResponse:
    wished = _wished(request)
    form = ChallengeForm(initial=wished)
    form.offer(wished["ruleset"])
    return _lobby(request, form)


def _wished(request: HttpRequest) -> dict[str, str]:
    """What a link to the lobby asks for, `?opponent=...&ruleset=...`, and the size people play most."""
    asked = {name: request.GET[name] for name in ("opponent", "ruleset") if name in request.GET}
    wished = menu.canonical_key(asked.get("ruleset", ""))
    return {**asked, "ruleset": wished or games.load("morelli(size=9)").key}


def _lobby(request: HttpRequest, form: ChallengeForm, status: int = 200) -> HttpResponse:
    player = player_of(request)
    visible = Q(opponent__isnull=True)
    if player is not None:
        visible |= Q(opponent=player) | Q(challenger=player)
    shown = Challenge.objects.open().filter(visible).select_related("challenger", "opponent")
    context = {
        "form": form,
        "player": player,
        "challenges": shown[:50],
        "bots": players.house_bots(),
    }
    return render(request, "lobby.html", context, status=status)


@players_only
@refusals.told
def challenge(request: HttpRequest, player: Player) -> HttpResponse:
    form = ChallengeForm(request.POST)
    if not form.is_valid():
        return _lobby(request, form, status=422)
    data = form.cleaned_data
    opponent = None
    if data["opponent"]:
        opponent = Player.objects.filter(canonical=canonical_name(data["opponent"])).first()
        if opponent is None:
            form.add_error("opponent", _("Nobody here has this name."))
            return _lobby(request, form, status=422)
    made = challenges.challenge(
        challenger=player,
        opponent=opponent,
        ruleset=data["ruleset"],
        clock=data["clock"],
        is_rated=data["is_rated"],
        side=data["side"],
    )
    if made.game is not None:
        return redirect(made.game)
    messages.success(request, _("Your challenge is open. The game begins when it is accepted."))
    return redirect("lobby")


@players_only
@refusals.told
def accept(request: HttpRequest, player: Player, pk: int) -> HttpResponse:
    made = get_object_or_404(Challenge, pk=pk)
    return redirect(challenges.accept(challenge_id=made.pk, player=player))


@players_only
@refusals.told
def decline(request: HttpRequest, player: Player, pk: int) -> HttpResponse:
    made = get_object_or_404(Challenge, pk=pk)
    challenges.decline(challenge_id=made.pk, player=player)
    return redirect("lobby")
