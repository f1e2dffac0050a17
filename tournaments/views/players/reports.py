"""Reports about players, from their pages to the moderators' one."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _

from tournaments.edges.access import get_player
from tournaments.models import Player, PlayerReport
from tournaments.services.accounts import introductions
from tournaments.services.games import player_reports
from tournaments.views import refusals
from tournaments.views.access import members_only, players_only, signed_in


@players_only
@refusals.refusal_as_message
def report(request: HttpRequest, player: Player, pk: int) -> HttpResponse:
    reported = get_player(pk)
    player_reports.report(player=player, reported=reported, text=request.POST.get("text", ""))
    messages.success(request, _("Thank you. A moderator will look at it."))
    return redirect(reported)


@members_only
@refusals.refusal_as_message
def resolve(request: HttpRequest, pk: int) -> HttpResponse:
    row = get_object_or_404(PlayerReport, pk=pk)
    player_reports.resolve(report_id=row.pk, actor=signed_in(request))
    return redirect("moderation-chat")


@members_only
@refusals.refusal_as_message
def hide_introduction(request: HttpRequest, pk: int) -> HttpResponse:
    """Hide a player's line about themselves."""
    player = get_player(pk)
    introductions.hide(player=player, actor=signed_in(request))
    messages.success(request, _("The line of %(name)s is hidden.") % {"name": player.name})
    return redirect(refusals.return_path(request))
