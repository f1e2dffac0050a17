"""The preview of a merge of two entries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from tournaments.errors import TournamentError
from tournaments.forms.entries import ListedPlayerForm, MergeForm
from tournaments.models import Entry, Event
from tournaments.services.arbiter import merging
from tournaments.services.arbiter.merging import Merge
from tournaments.text import refusals as refusal_text
from tournaments.views.events.entries import desk_user

_FIELDS = {"listed_centielo": "rating", "national_centielo": "national_rating"}


@dataclass(frozen=True, slots=True)
class Line:
    """A value of the preview: of the entry that stays, of the other one, and after the merge."""

    name: str
    own: str
    other: str
    merged: str


@login_required
def page(request: HttpRequest, event: Event) -> HttpResponse:
    """Return the preview of a merge of the entries `entry` and `other`. The desk's form confirms it."""
    user = desk_user(request, event)
    form = MergeForm(request.GET or None, event=event)
    plan, refusal = None, ""
    if form.is_valid():
        try:
            plan = merging.preview(event_id=event.pk, actor=user, **form.ids())
        except TournamentError as error:
            refusal = refusal_text.sentence(error)
    if plan is not None:
        form = MergeForm.of(plan.entry, plan.other)
    lines = list(_lines(plan)) if plan else []
    context = {"event": event, "form": form, "plan": plan, "refusal": refusal, "lines": lines}
    return render(request, "events/entries_merge.html", context)


def _lines(plan: Merge) -> Iterator[Line]:
    name = plan.entry.player.name
    yield Line(_("Name"), name, plan.other.player.name, name)
    for each in plan.values:
        values = [_text(each.column, value) for value in (each.own, each.other, each.merged)]
        yield Line(_label(each.column), *values)
    if plan.byes:
        numbers = ", ".join(map(str, plan.byes))
        yield Line(_("Byes in rounds"), "", numbers, numbers)


def _label(column: str) -> str:
    if column == "listed_seed":
        return _("Pairing number")
    return str(ListedPlayerForm.base_fields[_FIELDS.get(column, column)].label)


def _text(column: str, value: object) -> str:
    if value in (None, ""):
        return ""
    if column == "sex":
        return str(Entry.Sex(str(value)).label)
    if column in _FIELDS:
        assert isinstance(value, int), "a rating in hundredths"
        return str(round(value / 100))
    return str(value)
