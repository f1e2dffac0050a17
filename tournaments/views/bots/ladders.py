"""Standing ladders of bots: all of them, and entering one."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from tournaments.queries.bots import ladder_offers
from tournaments.services.rounds import standing_ladders
from tournaments.text.house import event_name
from tournaments.views import access, refusals


@require_GET
def ladders(request: HttpRequest) -> HttpResponse:
    """The ladder of each pool, with how many bots are in it."""
    return render(request, "bots/ladders.html", {"ladders": ladder_offers.listing()})


@access.members_only
@refusals.refusal_as_message
def enter(request: HttpRequest, pk: int) -> HttpResponse:
    """Enter a version in the ladder of a pool."""
    user = access.signed_in(request)
    bot = access.get_version_for(user, pk)
    entry = standing_ladders.enter(pool=request.POST.get("pool", ""), player=bot.player, actor=user)
    words = {"name": bot.player.name, "event": event_name(entry.event)}
    messages.success(request, _("%(name)s has entered %(event)s.") % words)
    return redirect(entry.event)
