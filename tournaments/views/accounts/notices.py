"""Notices of an account, and the choice of those that are mailed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.errors import RefusedError, TournamentError
from tournaments.models import Inbox
from tournaments.services.accounts import addresses
from tournaments.services.notifications import email, inbox, push_devices, web_push
from tournaments.services.notifications.kinds import CHOICES, Choice
from tournaments.text import refusals as refusal_text
from tournaments.views import refusals
from tournaments.views.access import members_only, signed_in


@login_required
@never_cache
def notices(request: HttpRequest) -> HttpResponse:
    """Return the notices of the account. The notices on the page count as read afterwards."""
    user = signed_in(request)
    box = inbox.of_user(user)
    context = {
        "notices": inbox.notices(user),
        "inbox": box,
        "choices": _choices(box),
        "devices": push_devices.of(user),
        "push_key": web_push.site_key() if web_push.is_possible() else "",
        "is_possible": email.is_possible(),
        "is_shown_here": email.is_shown_here(),
    }
    inbox.mark_read(user)
    return render(request, "notifications/notices.html", context)


@login_required
@never_cache
def message(request: HttpRequest, seq: int) -> HttpResponse:
    """Return the message about one piece of news for an open page."""
    notice = inbox.notice(signed_in(request), seq)
    if notice is None:
        raise Http404
    return render(request, "notifications/_message.html", {"notice": notice})


@members_only
@refusals.refusal_as_message
def ask(request: HttpRequest) -> HttpResponse:
    """Send a confirmation to the address that a user claims to own."""
    if not email.is_possible():
        raise RefusedError("no-mail")
    address = request.POST.get("address", "")[:300]
    addresses.ask(signed_in(request), address, language=get_language() or "en")
    messages.success(request, _("We have sent you a confirmation e-mail."))
    return redirect("notices")


@never_cache
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """Ask for a confirmation of the address, since programs that open links must not confirm it."""
    if request.method != "POST":
        return render(request, "notifications/email_confirm.html", {"token": token})
    try:
        addresses.confirm(token)
    except TournamentError as refusal:
        messages.error(request, refusal_text.sentence(refusal))
    else:
        messages.success(request, _("The address was confirmed."))
    return redirect("notices")


@members_only
def choose(request: HttpRequest) -> HttpResponse:
    """Store the user's choice of e-mails, of messages to devices, or of both."""
    by_email, by_push = (
        [choice for choice in Choice if f"{prefix}{choice}" in request.POST]
        if f"has-{way}" in request.POST
        else None
        for way, prefix in (("email", ""), ("push", "push-"))
    )
    inbox.choose(
        signed_in(request), emails=by_email, pushes=by_push, language=get_language() or "en"
    )
    messages.success(request, _("Saved."))
    return redirect("notices")


def _choices(box: Inbox) -> Sequence[Mapping[str, object]]:
    """Return the rows of the table of choices."""
    by_email, by_push = inbox.wanted_by_email(box), inbox.wanted_by_push(box)
    return [
        {
            "name": choice,
            "words": words,
            "is_by_email": choice in by_email,
            "is_by_push": choice in by_push,
        }
        for choice, words in CHOICES.items()
    ]


@members_only
def forget(request: HttpRequest) -> HttpResponse:
    addresses.forget(signed_in(request))
    messages.success(request, _("E-mails were switched off."))
    return redirect("notices")
