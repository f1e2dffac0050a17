"""The fees of an event: a page and a file for the staff, with one click an entry."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from tournaments.edges.files import attachment
from tournaments.errors import RefusedError
from tournaments.forms.desk import FeeForm
from tournaments.models import Entry, Event
from tournaments.queries.events import fees, staff
from tournaments.queries.events.fees import FeeTable
from tournaments.queries.events.staff import Task
from tournaments.services.events import fees as fee_states
from tournaments.services.results import sheets
from tournaments.views import refusals
from tournaments.views.access import members_only, signed_in
from tournaments.views.events.pages import tab_context


def _table(request: HttpRequest, event: Event) -> FeeTable | None:
    """Return the fees of the event. Raise Http404 for all but the staff of its entries."""
    if Task.ENTRIES not in staff.tasks_of(event, signed_in(request)):
        raise Http404
    return fees.table_of(event)


@login_required
def page(request: HttpRequest, event: Event) -> HttpResponse:
    """The entries with their fees. The cursor is in the row after `after`."""
    table = _table(request, event)
    context = tab_context(request, event, "desk")
    entries = table.entries if table else ()
    keys = [str(entry.pk) for entry in entries]
    after = request.GET.get("after", "")
    following = keys.index(after) + 1 if after in keys else 0
    context |= {
        "fees": table,
        "focus": entries[following].pk if following < len(entries) else None,
        "states": Entry.FeeState.choices,
    }
    return render(request, "events/desk/fees.html", context)


@login_required
def table_csv(request: HttpRequest, event: Event) -> HttpResponse:
    """The fees as a CSV file."""
    table = _table(request, event)
    if table is None:
        raise Http404
    content = sheets.text(
        ["number", "player", "club", "state", "amount", "currency"],
        (
            [
                *(entry.tpn, entry.player.name, entry.club, entry.fee_state),
                *(str(table.amount_of(entry)), table.fee.currency),
            ]
            for entry in table.entries
        ),
    )
    answer = attachment(content, "text/csv; charset=utf-8", f"{event.slug}-fees.csv")
    answer["Cache-Control"] = "private, no-store"
    return answer


@members_only
@refusals.refusal_as_message
def set_state(request: HttpRequest, event: Event) -> HttpResponse:
    """Note the fee of one entry."""
    form = FeeForm(request.POST)
    if not form.is_valid():
        raise RefusedError("form-bad")
    entry = fee_states.set_state(
        event_id=event.pk,
        actor=signed_in(request),
        entry_id=form.cleaned_data["entry"],
        state=form.cleaned_data["state"],
    )
    # Browsers move no cursor on a page with a fragment in its address.
    return redirect(f"{reverse('event-fees', args=[event.slug])}?after={entry.pk}")
