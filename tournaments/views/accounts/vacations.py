"""Vacations of a player: the days left in the year, the start and the early return."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments import database_time
from tournaments.errors import RefusedError
from tournaments.forms.games import VacationForm
from tournaments.models import Game, Player
from tournaments.queries.clocks import vacation_days
from tournaments.services.clocks import vacations
from tournaments.text import refusals as refusal_text
from tournaments.views import refusals
from tournaments.views.access import account_player_of, players_only

_HISTORY = 20


@never_cache
@login_required
def vacation(request: HttpRequest) -> HttpResponse:
    player = account_player_of(request)
    if player is None:
        raise Http404
    return _page(request, player, VacationForm())


def _page(
    request: HttpRequest, player: Player, form: VacationForm, status: int = 200
) -> HttpResponse:
    now = database_time.now()
    touched = Game.objects.ongoing().of(player).filter(allows_vacation=True)
    context = {
        "form": form,
        "running": vacation_days.running(player),
        "left": vacation_days.days_left(player, now),
        "budget": vacation_days.BUDGET_DAYS,
        "year": now.year,
        "touched": touched.count(),
        "history": [
            (each, vacation_days.days_used(each))
            for each in player.vacations.filter(ended_at__isnull=False)[:_HISTORY]
        ],
    }
    return render(request, "accounts/vacation.html", context, status=status)


@players_only
@refusals.refusal_as_message
def start(request: HttpRequest, player: Player) -> HttpResponse:
    form = VacationForm(request.POST)
    if not form.is_valid():
        return _page(request, player, form, status=422)
    try:
        vacations.start(player=player, days=form.cleaned_data["days"])
    except RefusedError as refusal:
        form.add_error("days", refusal_text.sentence(refusal))
        return _page(request, player, form, status=422)
    messages.success(request, _("You are on vacation. Your clocks are stopped."))
    return redirect("vacation")


@players_only
@refusals.refusal_as_message
def end(request: HttpRequest, player: Player) -> HttpResponse:
    vacations.end(player=player)
    messages.success(request, _("Welcome back: your clocks run again."))
    return redirect("vacation")
