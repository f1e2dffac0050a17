"""The page on which the results of a round over the board are typed."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tournaments.errors import RefusedError, TournamentError
from tournaments.forms.desk import KEYS, ResultForm
from tournaments.models import Round
from tournaments.queries.events import staff
from tournaments.queries.events.staff import Task
from tournaments.queries.results.board_lines import board_lines
from tournaments.services.arbiter import results
from tournaments.services.arbiter.results import EnteredResult
from tournaments.services.rounds import lifecycle, rounds
from tournaments.templatetags.rayuela import score_of
from tournaments.text import refusals as refusal_text
from tournaments.views import refusals
from tournaments.views.access import get_event, members_only, signed_in
from tournaments.views.events.pages import tab_context


@login_required
def desk(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the boards of the open round, or of the last closed round without an open one."""
    event = get_event(slug)
    if not event.is_over_the_board or Task.RESULTS not in staff.tasks_of(event, signed_in(request)):
        raise Http404
    context = tab_context(request, event, "results")
    round_ = results.open_round(event)
    context["shown_round"] = round_
    if round_ is not None:
        pairings = round_.pairings.with_lines(event)
        context["only_missing"] = request.GET.get("missing") == "1"
        lines = list(board_lines(event, pairings.prefetch_related("games").order_by("board")))
        context["missing"] = results.missing_count(round_)
        context["boards"] = [
            line for line in lines if not context["only_missing"] or not line.result
        ]
    context["choices"] = [(key, result, result.label) for key, result in KEYS.items()]
    context["postponed"] = list(board_lines(event, rounds.postponed(event)))
    context["may_draft"] = not event.rounds.exclude(state=Round.State.CLOSED).exists()
    return render(request, "events/results.html", context)


@members_only
def enter(request: HttpRequest, slug: str) -> HttpResponse:
    """Put down one result: for the page's script, and as a form of the page without it."""
    event = get_event(slug)
    form = ResultForm(request.POST)
    try:
        if not form.is_valid():
            raise RefusedError("no-such-result", str(form.errors.as_data()))
        cleaned = form.cleaned_data
        entered_result = results.enter_result(
            event_id=event.pk,
            actor=signed_in(request),
            round_number=cleaned["round_number"],
            board=cleaned["board"],
            game=cleaned["game"] or 1,
            result=cleaned["result"],
            page_result=cleaned["page_result"] if "page_result" in request.POST else None,
        )
    except TournamentError as refusal:
        if refusals.is_script(request):
            return refusals.as_json(refusal)
        messages.error(request, refusal_text.sentence(refusal))
        return redirect("event-results", slug=slug)
    notice = _notice(entered_result)
    if refusals.is_script(request):
        return JsonResponse(
            {
                "board": entered_result.pairing.board,
                "result": entered_result.after,
                "score": score_of(entered_result.after),
                "missing": entered_result.missing,
                "notice": notice,
            }
        )
    if notice:
        messages.warning(request, notice)
    game = f".{cleaned['game']}" if event.games_per_pairing > 1 else ""
    return redirect(f"{request.path.removesuffix('enter/')}#board-{cleaned['board']}{game}")


def _notice(entered_result: EnteredResult) -> str:
    """Return the notice for the person who types that another person had typed another result."""
    if not entered_result.is_overwritten:
        return ""
    pairing = entered_result.pairing
    return _("Board %(board)d: another person had entered %(before)s. It is now %(after)s.") % {
        "board": pairing.board,
        "before": score_of(entered_result.before),
        "after": score_of(entered_result.after),
    }


@members_only
def close(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Close the round if all its results are entered. With `then=draft`, draft the next one.

    A refused draft leaves the round closed.
    """
    event, user = get_event(slug), signed_in(request)
    refused_to = "event-results"
    try:
        results.close_round(event_id=event.pk, actor=user, round_number=number)
        messages.success(request, _("Round %(number)d was closed.") % {"number": number})
        if request.POST.get("then") != "draft":
            return redirect("event-standings", slug=slug)
        refused_to = "event-desk"
        is_ready = lifecycle.draft_next(event_id=event.pk, actor=user, round_number=number + 1)
    except TournamentError as refusal:
        words = (refusal_text.sentence(refusal), refusal_text.particulars(refusal))
        messages.error(request, " ".join(filter(None, words)))
        return redirect(refused_to, slug=slug)
    if not is_ready:
        messages.success(request, lifecycle.draft_next.done)
    has_draft = event.rounds.filter(state=Round.State.DRAFT).exists()
    return redirect("event-draft" if has_draft else "event-desk", slug=slug)
