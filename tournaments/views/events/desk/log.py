"""The public log of an event, and the undoing of its actions."""

from __future__ import annotations

from functools import partial

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tournaments.models import Event
from tournaments.services.arbiter import undo
from tournaments.services.events import act_warnings
from tournaments.text import audit_log
from tournaments.views import questions, refusals
from tournaments.views.access import members_only, signed_in
from tournaments.views.events.desk.page import typed_count
from tournaments.views.events.pages import tab_context

_PER_PAGE = 100


def log(request: HttpRequest, event: Event) -> HttpResponse:
    """Return all actions in the event, the latest first, for all visitors."""
    context = tab_context(request, event, "log")
    entries = event.audit.select_related("actor__player", "undone_by", "undoes")
    page = Paginator(entries, _PER_PAGE).get_page(request.GET.get("page"))
    words = audit_log.Words.of(event, page.object_list)
    context |= {
        "page": page,
        "lines": [
            (entry, words.sentence(entry), words.conflict(entry), undo.may_undo(entry, event))
            for entry in page
        ],
        "typed_count": typed_count(context["current_round"]),
    }
    return render(request, "events/log.html", context)


@members_only
@refusals.refusal_as_message
def undo_action(request: HttpRequest, event: Event, pk: int) -> HttpResponse:
    user, reason = signed_in(request), request.POST.get("reason", "")
    act = partial(undo.undo, event_id=event.pk, actor=user, entry_id=pk, reason=reason)
    question = questions.page(request, event, act_warnings.of_leaving(event, act))
    if question is not None:
        return question
    act()
    messages.success(request, _("Undone. The log keeps both entries."))
    return redirect("event-log", slug=event.slug)
