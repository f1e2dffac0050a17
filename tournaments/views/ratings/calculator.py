"""The rating calculator: a page of three forms, each answered below it with every step."""

from __future__ import annotations

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from tournaments.forms.ratings import CasualChangeForm, FideChangeForm, LedgerChangeForm
from tournaments.queries.ratings import calculator as rating_calculator
from tournaments.queries.ratings.calculator import CasualChange, FideChange, LedgerChange


def calculator(request: HttpRequest) -> HttpResponse:
    ledger_form = _form(request, LedgerChangeForm, "ledger")
    casual_form = _form(request, CasualChangeForm, "casual")
    fide_form = _form(request, FideChangeForm, "fide")
    context = {
        "ledger_form": ledger_form,
        "casual_form": casual_form,
        "fide_form": fide_form,
        "ledger": _ledger_change(ledger_form) if ledger_form.is_valid() else None,
        "casual": _casual_change(casual_form) if casual_form.is_valid() else None,
        "fide": _fide_change(fide_form) if fide_form.is_valid() else None,
    }
    return render(request, "ratings/calculator.html", context)


def _form(request: HttpRequest, kind: type[forms.Form], prefix: str) -> forms.Form:
    """Return the form as it was sent, or empty. Each form has separate field names."""
    was_sent = any(name.startswith(f"{prefix}-") for name in request.GET)
    return kind(request.GET if was_sent else None, prefix=prefix)


def _ledger_change(form: forms.Form) -> LedgerChange:
    values = form.cleaned_data
    return rating_calculator.ledger_change(
        rating_centielo=int(100 * values["rating"]),
        opponent_centielo=int(100 * values["opponent"]),
        score_halves=values["result"],
        k=values["k"],
        day=timezone.localdate(),
    )


def _casual_change(form: forms.Form) -> CasualChange:
    values = form.cleaned_data
    return rating_calculator.casual_change(
        rating_centielo=int(100 * values["rating"]),
        deviation_centielo=int(100 * values["deviation"]),
        opponent_centielo=int(100 * values["opponent"]),
        opponent_deviation_centielo=int(100 * values["opponent_deviation"]),
        score_halves=values["result"],
    )


def _fide_change(form: forms.Form) -> FideChange:
    values = form.cleaned_data
    return rating_calculator.fide_change(
        rating_elo=values["rating"],
        k=values["k"],
        games=values["games"],
        time_class=values["time_class"],
        day=timezone.localdate(),
    )
