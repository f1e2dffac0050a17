"""The comparison of the entries with a rating list, and the form that takes values over."""

from __future__ import annotations

import re

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.errors import RefusedError
from tournaments.forms.entries import ListedPlayerForm
from tournaments.models import Event
from tournaments.queries.events import rating_comparison, rating_lists
from tournaments.services.arbiter import rating_updates
from tournaments.views import refusals
from tournaments.views.access import members_only
from tournaments.views.events.entries import desk_user

_START = "start"
_FIELDS = {"rating_elo": "rating", "national_elo": "national_rating"}


@login_required
def page(request: HttpRequest, event: Event) -> HttpResponse:
    """The values in which entries and the list `list` differ, by default the first list of the event.

    `start` names the ratings that the lists had at the start.
    """
    desk_user(request, event)
    lists = rating_lists.order_of(event).every
    list_text = request.GET.get("list", "")
    chosen = next(
        (each for each in lists if str(each.pk) == list_text), lists[0] if lists else None
    )
    context = {"event": event, "lists": lists, "chosen": chosen}
    if list_text == _START:
        comparison = rating_comparison.compared_with_start(event)
        rows = [(each, _label(each.column)) for each in comparison.differences]
        context |= {"is_start": True, "comparison": comparison, "rows": rows}
    elif chosen is not None:
        comparison = rating_comparison.compared(event, chosen)
        context |= {
            "comparison": comparison,
            "rows": [(each, _label(each.column)) for each in comparison.differences],
            "has_begun": event.state != Event.State.REGISTRATION,
        }
    return render(request, "events/entries_compare.html", context)


@members_only
@refusals.refusal_as_message
def take_over(request: HttpRequest, event: Event) -> HttpResponse:
    """Store the ticked values of the list in the entries."""
    user = desk_user(request, event)
    list_text = request.POST.get("list", "")
    list_id = int(list_text) if re.fullmatch(r"[0-9]{1,18}", list_text) else 0
    address = f"{reverse('event-entries-compare', args=[event.slug])}?list={list_id}"
    chosen = request.POST.getlist("values")
    if not chosen:
        messages.error(request, _("Please choose at least one value."))
        return redirect(address)
    round_text = request.POST.get("from_round", "") or "1"
    if not re.fullmatch(r"[0-9]{1,3}", round_text):
        raise RefusedError("no-such-round")
    count = rating_updates.take_over(
        event_id=event.pk,
        actor=user,
        list_id=list_id,
        chosen=chosen,
        from_round=int(round_text),
    )
    done = ngettext("%(count)d value was changed.", "%(count)d values were changed.", count)
    messages.success(request, done % {"count": count})
    return redirect(address)


def _label(column: str) -> str:
    return str(ListedPlayerForm.base_fields[_FIELDS.get(column, column)].label)
