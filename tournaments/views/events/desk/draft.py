"""A draft by board and by name, and changes of it by hand with the pairing system's objections."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from tournaments.errors import RefusedError, StaleError, TournamentError
from tournaments.forms.desk import EditForm, PublicationForm
from tournaments.models import Event, Round, Seat, User
from tournaments.queries.arbiter import table_checks
from tournaments.queries.results import hand_pairings
from tournaments.services.arbiter import board_evidence
from tournaments.services.events import act_warnings
from tournaments.services.rounds import typed_results
from tournaments.services.rounds.edits import EDITS
from tournaments.text import refusals as refusal_text
from tournaments.views import questions
from tournaments.views.access import signed_in
from tournaments.views.events import explanations
from tournaments.views.events.desk.page import context_of
from tournaments.views.events.rounds import speech_of


@login_required
def draft(request: HttpRequest, event: Event) -> HttpResponse:
    """Return the draft. A POST shows the effect of a change, and with `confirm` makes the change."""
    user = signed_in(request)
    context = context_of(request, event)
    round_ = event.rounds.filter(state=Round.State.DRAFT).first()
    if round_ is None:
        messages.error(request, refusal_text.sentence(StaleError("no-draft")))
        return redirect("event-desk", slug=event.slug)
    if request.method == "POST":
        try:
            form = EditForm(request.POST)
            if not form.is_valid():
                raise RefusedError("form-bad")
            if "confirm" in request.POST:
                return _change(request, event, user, form)
            context["change"] = form.cleaned_data
            context["warnings"] = _warnings(event, user, form)
            context["proposed"], context["objections"] = _preview(
                request, event, user, form, context
            )
        except TournamentError as refusal:
            messages.error(request, refusal_text.sentence(refusal))
    seats = _seats(round_)
    context |= {
        "shown_round": round_,
        "has_reasons": bool(round_.evidence.get("brackets")),
        "boards": _boards(round_),
        "by_hand": hand_pairings.boards_by_hand(round_),
        "seats": sorted(seats, key=lambda seat: seat.entry.player.canonical),
        "typed_results": typed_results.of_draft(event, round_),
        "alone": [seat for seat in seats if seat.pairing is None],
        "publication_form": PublicationForm(),
        "table_faults": table_checks.faults(round_),
    }
    return render(request, "events/desk/draft.html", context)


def _change(request: HttpRequest, event: Event, user: User, form: EditForm) -> HttpResponse:
    kind = form.cleaned_data["kind"]
    own = EDITS.own(kind, form.arguments())
    if (question := questions.ask(request, event, EDITS.by_code[kind], own)) is not None:
        return question
    EDITS.run(kind, event.pk, user, form.arguments())
    messages.success(request, EDITS.by_code[kind].done)
    return redirect("event-draft", slug=event.slug)


def _warnings(event: Event, user: User, form: EditForm) -> list[str]:
    """Return the warnings before a change, with that of leaving FIDE's rules, which is asked twice."""
    kind = form.cleaned_data["kind"]
    own = EDITS.own(kind, form.arguments())
    warnings = act_warnings.before(EDITS.by_code[kind], event, user, own)
    return [str(each.sentence) for each in warnings]


def _boards(round_: Round) -> list[Any]:
    return list(round_.pairings.select_related("first__player", "second__player"))


def _seats(round_: Round) -> list[Seat]:
    seats = round_.seats.select_related(
        "entry__player", "pairing__first__player", "pairing__second__player"
    )
    rows = list(seats.order_by("entry__tpn"))
    for seat in rows:
        if seat.pairing is not None:
            seat.pairing.round = round_
    return rows


def _preview(
    request: HttpRequest, event: Event, user: User, form: EditForm, context: dict[str, Any]
) -> tuple[list[str], list[Any]]:
    """Return the boards and byes after a change, with the objections of the pairing system.

    The change is made, read and rolled back.
    """
    with transaction.atomic():
        before = board_evidence.places(_draft(event))
        EDITS.run(form.cleaned_data["kind"], event.pk, user, form.arguments())
        after = board_evidence.places(_draft(event))
        transaction.set_rollback(True)
    changed = [place for place in after if place not in before]
    speech = speech_of(_draft(event), context)
    sentences = [
        f"{speech.name(first)} – {speech.name(second)}"
        if second
        else f"{speech.name(first)}: {Seat.Kind(bye).label}"
        for first, second, bye in changed
    ]
    pairs = board_evidence.pairs_of(changed)
    return sentences, explanations.objections(_draft(event), pairs, speech)


def _draft(event: Event) -> Round:
    return event.rounds.get(state=Round.State.DRAFT)
