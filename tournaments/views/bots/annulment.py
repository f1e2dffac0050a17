"""Actions of the site's administrators on bots."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import ngettext

from tournaments.models import Player
from tournaments.services.arbiter import annulment
from tournaments.views import refusals
from tournaments.views.access import members_only, signed_in


@members_only
@refusals.refusal_as_message
def annul(request: HttpRequest, pk: int) -> HttpResponse:
    bot = get_object_or_404(Player.objects.bots().select_related("bot"), pk=pk)
    progress = annulment.annul(
        bot_id=bot.bot.pk, actor=signed_in(request), reason=request.POST.get("reason", "")
    )
    if progress.finished_at is None:
        sentence = ngettext(
            "%(count)d game is being annulled.",
            "%(count)d games are being annulled.",
            progress.games_total,
        )
        messages.info(request, sentence % {"count": progress.games_total})
    else:
        sentence = ngettext(
            "%(count)d game was annulled.", "%(count)d games are annulled.", progress.games_voided
        )
        messages.success(request, sentence % {"count": progress.games_voided})
    return redirect(bot)
