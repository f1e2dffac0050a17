"""Claims of entries: by whom they are, and answered by the organiser."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournaments.models import Event, Player
from tournaments.services.events import claims
from tournaments.views import refusals
from tournaments.views.access import members_only, players_only, signed_in


@players_only
@refusals.refusal_as_message
def claim(request: HttpRequest, player: Player, event: Event) -> HttpResponse:
    """Say that an entry of the list is one's own."""
    entry = request.POST.get("entry", "")
    if not (entry.isascii() and entry.isdigit() and len(entry) < 18):
        messages.error(request, _("Please choose a name."))
        return redirect(event)
    claims.claim(event_id=event.pk, player=player, entry_id=int(entry))
    messages.success(request, _("The organiser will look whether this is you."))
    return redirect(event)


@members_only
@refusals.refusal_as_message
def answer(request: HttpRequest, event: Event, pk: int) -> HttpResponse:
    """Accept a claim, or refuse it: the button's name says which."""
    is_accepted = request.POST.get("action") == "accept"
    claims.answer(event_id=event.pk, actor=signed_in(request), claim_id=pk, is_accepted=is_accepted)
    words = (
        _("The entry and its games belong to the account now.")
        if is_accepted
        else _("The claim was refused.")
    )
    messages.success(request, words)
    return redirect("event-entries", slug=event.slug)
