"""Permissions that an author gives others for a bot, and the author's answers to organisers."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournaments.edges.access import get_bot_request_for, get_own_line_for
from tournaments.errors import RefusedError
from tournaments.forms.bot_consents import ConsentForm
from tournaments.services.accounts import bot_consents
from tournaments.services.events import bot_requests
from tournaments.text import refusals as refusal_text
from tournaments.text.house import event_name
from tournaments.views import access, refusals

_FIELDS = {"clock-bad": "most", "consent-accounts": "refused_accounts"}


@login_required
@require_http_methods(["GET", "POST"])
def consent(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the form with the permissions of other users for the bot."""
    user = access.signed_in(request)
    line = get_own_line_for(user, pk)
    form = ConsentForm.of(bot_consents.of_line(line.pk), request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            bot_consents.change(line_id=line.pk, actor=user, consent=form.consent)
        except RefusedError as refusal:
            form.add_error(_FIELDS.get(refusal.code), refusal_text.sentence(refusal))
        else:
            messages.success(request, _("Saved."))
            return redirect("bot-line", line.pk)
    status = 422 if form.is_bound else 200
    return render(request, "bots/consent.html", {"form": form, "line": line}, status=status)


@access.members_only
@refusals.refusal_as_message
def answer(request: HttpRequest, pk: int) -> HttpResponse:
    """The answer to an organiser who has asked for a bot."""
    user = access.signed_in(request)
    row = get_bot_request_for(user, pk)
    is_granted = request.POST.get("answer") == "yes"
    bot_requests.answer(request_id=row.pk, actor=user, is_granted=is_granted)
    words = _("%(name)s has entered %(event)s.") if is_granted else _("The organiser was notified.")
    messages.success(request, words % {"name": row.bot.player.name, "event": event_name(row.event)})
    return redirect("bots-mine")
