"""Invitations: a link with two seats, and its QR code."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache

from tournaments import database_time
from tournaments.models import Invitation, Player
from tournaments.services.lobby import invitations
from tournaments.views import once, qr_code, refusals
from tournaments.views.access import guests_too, player_of, seats_only
from tournaments.views.lobby import lobby


@refusals.refusal_as_message
@once.once
@guests_too
def invite(request: HttpRequest, player: Player) -> HttpResponse:
    form = lobby.posted_form(request, player)
    if not form.is_valid():
        return lobby.page(request, form, status=422)
    data = form.cleaned_data
    invitation = invitations.invite(
        host=player,
        ruleset=data["ruleset"],
        clock=data["clock"],
        is_rated=data.get("is_rated", False),
        side=data["side"],
        is_player=data["seats"] == "mine",
        study=form.study,
    )
    return redirect(invitation)


@never_cache
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Return the page of an invitation. Its players are redirected to their game once it has begun."""
    row = get_object_or_404(
        Invitation.objects.select_related("host", "player", "game"), token=token
    )
    player = player_of(request)
    if row.game is not None and row.game.side_of(player):
        return redirect(row.game)
    # Use the name by which the visitor knows the site, so that a phone in the house finds it too.
    address = request.build_absolute_uri(row.get_absolute_url())
    context = {
        "invitation": row,
        "player": player,
        "has_joined": player is not None and row.player_id == player.pk,
        "address": address,
        "code": qr_code.svg(address),
        "is_open": invitations.stands(row, database_time.now()),
    }
    return render(request, "lobby/invitation.html", context)


@refusals.refusal_as_message
@guests_too
def join(_request: HttpRequest, player: Player, token: str) -> HttpResponse:
    _require(token)
    row = invitations.join(token=token, player=player)
    return redirect(row.game or row)


@seats_only
@refusals.refusal_as_message
def withdraw(_request: HttpRequest, player: Player, token: str) -> HttpResponse:
    _require(token)
    invitations.withdraw(token=token, player=player)
    return redirect("lobby")


def _require(token: str) -> None:
    if not Invitation.objects.filter(token=token).exists():
        raise Http404
