"""The page on which the results of a round over the board are typed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.errors import RefusedError, TournamentError
from tournaments.forms.desk import KEYS, LineForm, ResultForm
from tournaments.models import Event, Game, Round, User
from tournaments.models.setting_types import Level
from tournaments.queries.events import staff
from tournaments.queries.events.staff import Task
from tournaments.queries.results.board_lines import board_lines
from tournaments.queries.results.player_reports import reported_lines
from tournaments.services.arbiter import results
from tournaments.services.arbiter.results import EnteredResult
from tournaments.services.events.acts import ActWarning
from tournaments.services.rounds import lifecycle, rounds
from tournaments.templatetags.rayuela import score_of
from tournaments.text import refusals as refusal_text
from tournaments.views import qr_code, questions, refusals
from tournaments.views.access import members_only, signed_in
from tournaments.views.events import player_reports
from tournaments.views.events.pages import tab_context


@login_required
def desk(request: HttpRequest, event: Event) -> HttpResponse:
    """Return the boards of the open round, or of the last closed round without an open one."""
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
        context["reported"] = [
            each for each in reported_lines(event, round_.pairings.all()) if each.is_reported
        ]
        address = player_reports.address_of_round(request, event, round_)
        context["report_address"] = address
        context["report_code"] = qr_code.svg(address) if address else ""
    context["is_by_board"] = request.GET.get("by") == "board"
    context["choices"] = [(key, result, result.label) for key, result in KEYS.items()]
    context["postponed"] = list(board_lines(event, rounds.postponed(event)))
    context["may_draft"] = not event.rounds.exclude(state=Round.State.CLOSED).exists()
    return render(request, "events/results.html", context)


@members_only
def enter(request: HttpRequest, event: Event) -> HttpResponse:
    """Put down one result: for the page's script, and as a form of the page without it."""
    line = request.POST.get("line")
    try:
        cleaned = _typed(request, event, line)
        if not refusals.is_script(request) and (question := _question(request, event, cleaned)):
            return question
        entered_result = results.enter_result(
            event_id=event.pk,
            actor=signed_in(request),
            round_number=cleaned["round_number"],
            board=cleaned["board"],
            game=cleaned["game"] or 1,
            result=cleaned["result"],
            page_result=cleaned["page_result"],
        )
    except TournamentError as refusal:
        if refusals.is_script(request):
            return refusals.as_json(refusal)
        sentence = refusal_text.sentence(refusal)
        messages.error(request, sentence if line is None else f"{line[:20]}: {sentence}")
        return redirect(
            _by_board(event) if line is not None else reverse("event-results", args=[event.slug])
        )
    notice = _notice(entered_result, is_line=line is not None)
    if refusals.is_script(request):
        return JsonResponse(
            {
                "board": entered_result.pairing.board_number,
                "game": entered_result.game,
                "is_tie": entered_result.pairing.tie_games is not None,
                "result": entered_result.after,
                "score": score_of(entered_result.after),
                "missing": entered_result.missing,
                "notice": notice,
            }
        )
    if notice:
        messages.warning(request, notice)
    if line is not None:
        return redirect(_by_board(event))
    return redirect(f"{request.path.removesuffix('enter/')}#board-{_name(event, entered_result)}")


def _name(event: Event, entered_result: EnteredResult) -> str:
    """Return the name of the line of a result on the page."""
    pairing = entered_result.pairing
    name = results.board_name(event, pairing, entered_result.game)
    return str(name).replace(str(pairing.board), str(pairing.board_number), 1)


def _by_board(event: Event) -> str:
    """Return the address of the page with the cursor in the field for a board and its result."""
    return f"{reverse('event-results', args=[event.slug])}?by=board"


def _typed(request: HttpRequest, event: Event, line: str | None) -> dict[str, Any]:
    """Return the fields of a `ResultForm` from the buttons of a board or from a typed line.

    Raises RefusedError `no-such-result`, `line-bad`, or `line-game` for a line without the game of
    a board with several.
    """
    if line is None:
        form = ResultForm(request.POST)
        if not form.is_valid():
            raise RefusedError("no-such-result", str(form.errors.as_data()))
        is_known = "page_result" in request.POST
        return {**form.cleaned_data, **({} if is_known else {"page_result": None})}
    line_form = LineForm(request.POST)
    if not line_form.is_valid():
        raise RefusedError("line-bad", line[:20])
    if line_form.cleaned_data["game"] is None and max(event.games_per_pairing, event.tie_games) > 1:
        raise RefusedError("line-game", line[:20])
    typed = line_form.cleaned_data
    rounds_ = event.rounds.filter(number=typed["round_number"])
    first_board = rounds_.values_list("first_board", flat=True).first() or 1
    return {**typed, "board": typed["board"] - first_board + 1}


def _question(request: HttpRequest, event: Event, typed: Mapping[str, Any]) -> HttpResponse | None:
    """Return the question before the result of an adjourned game whose round is closed, if it is no draw."""
    round_ = event.rounds.filter(number=typed["round_number"], state=Round.State.CLOSED).first()
    if round_ is None or typed["result"] in {"", Game.Result.DRAW}:
        return None
    words = _(
        "The game has counted as a draw, also in the pairings of round %(number)d and later. "
        "These pairings stay. The result will be final."
    )
    sentence = words % {"number": round_.number + 1}
    back = reverse("event-results", args=[event.slug])
    return questions.page(request, event, [ActWarning(Level.CONFIRM, sentence)], back=back)


def _notice(entered_result: EnteredResult, *, is_line: bool) -> str:
    """Return the notice for the person who types that another result was there."""
    if not entered_result.is_overwritten:
        return ""
    words = _("Board %(board)d: another person had entered %(before)s. It is now %(after)s.")
    if is_line:  # the person may have typed the other slip
        words = _("Board %(board)d had another result: %(before)s. It is now %(after)s.")
    return words % {
        "board": entered_result.pairing.board_number,
        "before": score_of(entered_result.before),
        "after": score_of(entered_result.after),
    }


def _question_at_close(request: HttpRequest, event: Event, user: User) -> HttpResponse | None:
    """Return the question about adjourned games that stay open, without missing results."""
    round_ = results.open_round(event)
    if round_ is None or Task.RESULTS not in staff.tasks_of(event, user):
        return None
    postponed = [] if results.missing_count(round_) else rounds.postponed_at_close(event)
    games = [
        _("Round %(number)d, board %(board)d: %(first)s – %(second)s")
        % {
            "number": each.round.number,
            "board": each.board_number,
            "first": each.first.player.name,
            "second": each.second.player.name,
        }
        for each in postponed
    ]
    effect = _(
        "These games are adjourned. They will count as draws until their results, and the standings will not be final before."
    )
    warnings = [ActWarning(Level.CONFIRM, each) for each in (effect, *games)] if games else []
    back = reverse("event-results", args=[event.slug])
    return questions.page(request, event, warnings, back=back)


@members_only
def close(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Close the round if all its results are entered. With `then=draft`, draft the next one.

    A page asks first if adjourned games would stay open. A refused draft leaves the round closed.
    """
    user = signed_in(request)
    if (question := _question_at_close(request, event, user)) is not None:
        return question
    refused_to = "event-results"
    try:
        results.close_round(event_id=event.pk, actor=user, round_number=number)
        messages.success(request, _("Round %(number)d was closed.") % {"number": number})
        if request.POST.get("then") != "draft":
            return redirect("event-standings", slug=event.slug)
        refused_to = "event-desk"
        is_ready = lifecycle.draft_next(event_id=event.pk, actor=user, round_number=number + 1)
    except TournamentError as refusal:
        words = (refusal_text.sentence(refusal), refusal_text.particulars(refusal))
        messages.error(request, " ".join(filter(None, words)))
        return redirect(refused_to, slug=event.slug)
    if not is_ready:
        messages.success(request, lifecycle.draft_next.done)
    has_draft = event.rounds.filter(state=Round.State.DRAFT).exists()
    return redirect("event-draft" if has_draft else "event-desk", slug=event.slug)
