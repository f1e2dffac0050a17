"""The prize fund at the desk: rows, rules, a total by percentages, and the award."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.forms import Form
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tournaments.errors import RefusedError
from tournaments.forms.prizes import DivisionForm, PrizeForm, RulesForm, minor
from tournaments.models import Event, Prize, PrizeFund, User
from tournaments.queries.events import prizes
from tournaments.queries.events.prizes import Owner
from tournaments.queries.events.staff import Task
from tournaments.queries.results import festival_awards
from tournaments.services.arbiter import prize_awards
from tournaments.services.events import prize_changes
from tournaments.services.events.prize_changes import FundOwner, OfEvent
from tournaments.views import refusals
from tournaments.views.access import members_only, signed_in
from tournaments.views.events.desk.page import context_of
from tournaments.views.events.prizes import context_of as prizes_context


@login_required
def prize_fund(request: HttpRequest, event: Event) -> HttpResponse:
    """Return the fund with its forms, for staff who have the settings of the event as a task."""
    context = context_of(request, event)
    if Task.SETTINGS not in context["may"]:
        raise PermissionDenied
    context |= prizes_context(event) | forms_context(event)
    context["is_editable"] = context["confirmed"] is None and event.state != event.State.CANCELLED
    festival = festival_awards.festival_before(event)
    if festival is not None and prizes.standing_awards(festival) is None:
        context["festival_first"] = festival
    return render(request, "events/desk/prizes.html", context)


def forms_context(owner: Owner) -> dict[str, Any]:
    """Return the prizes of an event or a festival with the forms that change them."""
    row = prizes.row_of(owner)
    return {
        "fund": row,
        "rows": list(_with_places(row)),
        "prize_form": PrizeForm(prefix="prize"),
        "division_form": DivisionForm(prefix="division"),
        "rules_form": RulesForm.of_fund(row),
    }


def _with_places(row: PrizeFund) -> Iterator[tuple[int, Prize]]:
    """The prizes in their order, each with its place in its category."""
    places: dict[object, int] = {}
    for prize in row.prizes.all() if row.pk else []:
        category = prizes.category_of(prize)
        places[category] = places.get(category, 0) + 1
        yield places[category], prize


@members_only
@refusals.refusal_as_message
def act(request: HttpRequest, event: Event) -> HttpResponse:
    """One change of the fund, or the award: the button's name says which."""
    user = signed_in(request)
    if request.POST.get("action") == "award":
        prize_awards.confirm(event_id=event.pk, actor=user)
        messages.success(request, prize_awards.confirm.done)
    else:
        change(request, OfEvent(event.pk), prizes.row_of(event).currency)
    return redirect("event-desk-prizes", slug=event.slug)


def change(request: HttpRequest, owner: FundOwner, currency: str) -> None:
    """Change a fund by the form whose button was used. Raises RefusedError `form-bad` and those of the change."""
    action = request.POST.get("action", "")
    if action not in _CHANGES:
        raise RefusedError("form-bad")
    _CHANGES[action](owner, signed_in(request), request.POST, currency)
    messages.success(request, _("The prize fund was changed."))


def _checked(form: Form) -> None:
    if not form.is_valid():
        raise RefusedError("form-bad")


def _add(owner: FundOwner, user: User, data: QueryDict, currency: str) -> None:
    form = PrizeForm(data, prefix="prize")
    _checked(form)
    prize_changes.add(
        owner=owner,
        actor=user,
        category=form.category(),
        amount=minor(form.cleaned_data["amount"], currency),
        words=form.cleaned_data["words"],
    )


def _divide(owner: FundOwner, user: User, data: QueryDict, currency: str) -> None:
    form = DivisionForm(data, prefix="division")
    _checked(form)
    total = minor(form.cleaned_data["total"], currency)
    prize_changes.divide(owner=owner, actor=user, total=total, percents=form.parts())


def _rules(owner: FundOwner, user: User, data: QueryDict, _currency: str) -> None:
    form = RulesForm(data)
    _checked(form)
    prize_changes.set_rules(
        owner=owner, actor=user, currency=form.currency_code(), rules=form.rules()
    )


def _remove(owner: FundOwner, user: User, data: QueryDict, _currency: str) -> None:
    prize_changes.remove(owner=owner, actor=user, prize_id=_prize_id(data))


def _move(owner: FundOwner, user: User, data: QueryDict, _currency: str) -> None:
    is_up = data["action"] == "up"
    prize_changes.move(owner=owner, actor=user, prize_id=_prize_id(data), is_up=is_up)


def _prize_id(data: QueryDict) -> int:
    text = data.get("prize", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else 0


_CHANGES: dict[str, Callable[[FundOwner, User, QueryDict, str], None]] = {
    "add": _add,
    "divide": _divide,
    "rules": _rules,
    "remove": _remove,
    "up": _move,
    "down": _move,
}
