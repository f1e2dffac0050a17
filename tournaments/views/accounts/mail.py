"""E-mails of a site without a mail server, for its administrators."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from tournaments.services.notifications import email
from tournaments.views.access import signed_in

_LIST_LENGTH = 50


@never_cache
@login_required
def mail(request: HttpRequest) -> HttpResponse:
    """Return the latest e-mails, for administrators, and only if no server delivers them.

    The e-mails contain links that reset passwords. If a server sends them, no administrator may
    read them.
    """
    if not (signed_in(request).is_superuser and email.is_shown_here()):
        raise Http404
    return render(request, "accounts/mail.html", {"emails": email.shown_here(_LIST_LENGTH)})
