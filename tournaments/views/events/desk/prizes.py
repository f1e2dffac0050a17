"""The prize fund at the desk: rows, rules, a total by percentages, and the award."""

from __future__ import annotations

from collections.abc import Callable, Iterator

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
from tournaments.queries.events.staff import Task
from tournaments.services.arbiter import prize_awards
from tournaments.services.events import prize_changes
from tournaments.views import refusals
from tournaments.views.access import get_event, members_only, signed_in
from tournaments.views.events.desk.page import context_of
from tournaments.views.events.prizes import context_of as prizes_context


@login_required
def prize_fund(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the fund with its forms, for staff who have the settings of the event as a task."""
    event = get_event(slug)
    context = context_of(request, event)
    if Task.SETTINGS not in context["may"]:
        raise PermissionDenied
    row = prizes.row_of(event)
    context |= prizes_context(event)
    context |= {
        "fund": row,
        "rows": list(_with_places(row)),
        "prize_form": PrizeForm(prefix="prize"),
        "division_form": DivisionForm(prefix="division"),
        "rules_form": RulesForm.of_fund(row),
        "is_editable": context["confirmed"] is None and event.state != event.State.CANCELLED,
    }
    return render(request, "events/desk/prizes.html", context)


def _with_places(row: PrizeFund) -> Iterator[tuple[int, Prize]]:
    """The prizes in their order, each with its place in its category."""
    places: dict[object, int] = {}
    for prize in row.prizes.all() if row.pk else []:
        category = prizes.category_of(prize)
        places[category] = places.get(category, 0) + 1
        yield places[category], prize


@members_only
@refusals.refusal_as_message
def act(request: HttpRequest, slug: str) -> HttpResponse:
    """One change of the fund, or the award: the button's name says which."""
    event, user = get_event(slug), signed_in(request)
    action = request.POST.get("action", "")
    if action not in _ACTS:
        raise RefusedError("form-bad")
    _ACTS[action](event, user, request.POST)
    done = prize_awards.confirm.done if action == "award" else _("The prize fund was changed.")
    messages.success(request, done)
    return redirect("event-desk-prizes", slug=slug)


def _checked(form: Form) -> None:
    if not form.is_valid():
        raise RefusedError("form-bad")


def _add(event: Event, user: User, data: QueryDict) -> None:
    form = PrizeForm(data, prefix="prize")
    _checked(form)
    prize_changes.add(
        event_id=event.pk,
        actor=user,
        category=form.category(),
        amount=minor(form.cleaned_data["amount"], prizes.row_of(event).currency),
        words=form.cleaned_data["words"],
    )


def _divide(event: Event, user: User, data: QueryDict) -> None:
    form = DivisionForm(data, prefix="division")
    _checked(form)
    total = minor(form.cleaned_data["total"], prizes.row_of(event).currency)
    prize_changes.divide(event_id=event.pk, actor=user, total=total, percents=form.parts())


def _rules(event: Event, user: User, data: QueryDict) -> None:
    form = RulesForm(data)
    _checked(form)
    prize_changes.set_rules(
        event_id=event.pk, actor=user, currency=form.currency_code(), rules=form.rules()
    )


def _prize_id(data: QueryDict) -> int:
    text = data.get("prize", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else 0


_ACTS: dict[str, Callable[[Event, User, QueryDict], object]] = {
    "add": _add,
    "divide": _divide,
    "rules": _rules,
    "remove": lambda event, user, data: prize_changes.remove(
        event_id=event.pk, actor=user, prize_id=_prize_id(data)
    ),
    "up": lambda event, user, data: prize_changes.move(
        event_id=event.pk, actor=user, prize_id=_prize_id(data), is_up=True
    ),
    "down": lambda event, user, data: prize_changes.move(
        event_id=event.pk, actor=user, prize_id=_prize_id(data), is_up=False
    ),
    "award": lambda event, user, _data: prize_awards.confirm(event_id=event.pk, actor=user),
}
