"""E-mails of a site without a mail server, for whoever runs it."""

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
    """The latest e-mails, for administrators, and only where nobody else gets them.

    They carry links that reset passwords, so where a server sends them they are nobody's to read.
    """
    if not (signed_in(request).is_superuser and email.is_shown_here()):
        raise Http404
    return render(request, "accounts/mail.html", {"emails": email.shown_here(_LIST_LENGTH)})
