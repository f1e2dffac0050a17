"""A round of an event: its pairings, their reasons, their input and a verification."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Any

from django.core.exceptions import PermissionDenied
from django.db.models import Prefetch
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournaments.edges import access
from tournaments.models import Game, Round, Seat
from tournaments.services.arbiter import round_verification
from tournaments.services.archives import event_files
from tournaments.services.events import formats
from tournaments.services.results import memory, result_corrections, round_scores
from tournaments.services.results.board_lines import board_lines
from tournaments.views.access import get_event, user_of
from tournaments.views.events import explanations, windows
from tournaments.views.events.pages import LISTED, slim_rounds, tab_context
from tournaments.views.events.round_setup import round_setup

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from django.http import HttpRequest

    from tournaments.models import Entry, Event, Pairing


# What the page shows of a board: whole rows of both players and the game took a third of its time.
_OF_ENTRY = ("tpn", "seed_centielo", "player__name", "player__kind")
_BOARD_COLUMNS = (
    *("event", "round", "board", "entered_result", "entered_second_result"),
    *(f"{side}__{column}" for side in ("first", "second") for column in _OF_ENTRY),
)
_GAME_COLUMNS = ("pairing", "number", "first", "result", "ending", "match")


def pairings(request: HttpRequest, slug: str, number: int | None = None) -> HttpResponse:
    event = get_event(slug)
    context = tab_context(request, event, "pairings")
    visible = slim_rounds(event)
    if not context["is_organiser"]:
        visible = visible.exclude(state=Round.State.DRAFT)
    # With what it was paired from, which the page tells.
    whole = visible.defer(None)
    round_ = whole.filter(number=number).first() if number else whole.order_by("number").last()
    if number and round_ is None:
        raise Http404
    if context["traits"].is_continuous and number is None:
        latest = event.pairings.order_by("-pk").select_related(
            "first__player", "second__player", "round"
        )
        context["latest"] = latest.prefetch_related("games__first", "games__second")[:LISTED]
        return render(request, "events/pool.html", context)
    context["rounds"] = visible
    context["shown_round"] = round_
    if round_ is not None:
        context["window"] = part = _boards_window(request, round_)
        context["setup"] = round_setup(event, round_)
        context["lines"] = board_lines(event, part.rows)
        context["explained"] = explanations.explained(round_, part.rows)
        byes = _seats_without_board(event, round_) if part.is_last else []
        context["byes"] = byes
        entry_ids = {pk for pairing in part.rows for pk in (pairing.first_id, pairing.second_id)}
        entry_ids |= {seat.entry_id for seat, _halves in byes}
        context["points_before"] = round_scores.points_before(
            event, round_, entry_ids if part.count > 1 else None
        )
        context["corrected_games"] = result_corrections.game_ids(event)
        context["may_pair_again"] = round_verification.may_verify(
            round_, is_staff=bool(context["is_organiser"])
        )
    return render(request, "events/pairings.html", context)


def _boards_window(request: HttpRequest, round_: Round) -> windows.Window[Pairing]:
    """The boards of the round, a hundred of them."""
    paired = round_.pairings.select_related("first__player", "second__player")
    paired = paired.only(*_BOARD_COLUMNS)
    games = Game.objects.select_related("match").only(*_GAME_COLUMNS)
    paired = paired.prefetch_related(Prefetch("games", queryset=games))
    index = None
    if find := windows.find_of(request.GET):
        names = paired.values_list("first__player__name", "second__player__name")
        name_index = windows.first_index((name for both in names for name in both), find)
        index = None if name_index is None else name_index // 2
    return windows.window_at(
        paired.count(), request.GET, index=index, cut=lambda start, end: list(paired[start:end])
    )


def _later_corrections(event: Event, round_: Round, entries: Sequence[Entry]) -> list[str]:
    """What has been corrected of these players' earlier results since the round was paired."""
    pks = {entry.pk for entry in entries}
    return [
        _(
            "The result of %(first)s and %(second)s in round %(number)d was corrected after this "
            "round had been paired. The pairing stands; the scores here are those it was made by."
        )
        % {
            "first": each.first.player.name,
            "second": each.second.player.name,
            "number": each.round_number,
        }
        for each in result_corrections.of_event(event)
        if each.round_number < round_.number
        and each.made_at > round_.drafted_at
        and pks & {entry.pk for entry in each.entries}
    ]


def _seats_without_board(event: Event, round_: Round) -> list[tuple[Seat, int | None]]:
    """The seats without an opponent, with the half points they gave; withdrawn players are left out."""
    worth = formats.points(event)
    scores = {
        Seat.Kind.PAIRING_BYE: worth.pairing_bye,
        Seat.Kind.HALF_BYE: worth.half_bye,
        Seat.Kind.FULL_BYE: worth.full_bye,
        Seat.Kind.ZERO_BYE: worth.zero_bye,
        Seat.Kind.FORFEIT_WIN: worth.forfeit_win,
    }
    seats = round_.seats.filter(pairing=None).exclude(kind=Seat.Kind.OUT)
    return [
        (seat, event.games_per_pairing * scores[kind] if kind in scores else None)
        for seat in seats.select_related("entry__player", "absent__player").order_by("entry__tpn")
        for kind in [Seat.Kind(seat.kind)]
    ]


def board(request: HttpRequest, slug: str, number: int, board: int) -> HttpResponse:
    event = get_event(slug)
    context = tab_context(request, event, "pairings")
    round_ = _visible_round(request, event, number)
    paired = round_.pairings.select_related("first__player", "second__player")
    pairing = paired.prefetch_related("games").filter(board=board).first()
    if pairing is None:
        raise Http404
    speech = speech_of(event, context)
    both = [pairing.first, pairing.second]
    question = _question(request, round_, both)
    context |= {"shown_round": round_, "pairing": pairing}
    context["correction_sentences"] = _later_corrections(event, round_, both)
    context["why"] = _why(
        context,
        speech,
        f"board {board} {question.who} {question.other}",
        lambda: explanations.board_page(round_, pairing, speech, question),
    )
    return render(request, "events/board.html", context)


def bye(request: HttpRequest, slug: str, number: int, tpn: int) -> HttpResponse:
    event = get_event(slug)
    context = tab_context(request, event, "pairings")
    round_ = _visible_round(request, event, number)
    seats = round_.seats.filter(pairing=None, entry__tpn=tpn)
    seat = seats.select_related("entry__player", "absent").first()
    if seat is None:
        raise Http404
    speech = speech_of(event, context)
    question = _question(request, round_, [seat.entry])
    context |= {"shown_round": round_, "seat": seat}
    context["correction_sentences"] = _later_corrections(event, round_, [seat.entry])
    context["why"] = _why(
        context,
        speech,
        f"bye {tpn} {question.who} {question.other}",
        lambda: explanations.bye_page(round_, seat, speech, question),
    )
    return render(request, "events/board.html", context)


def _why(
    context: Mapping[str, Any],
    speech: explanations.Speech,
    subject: str,
    explain: Callable[[], Mapping[str, Any]],
) -> SafeString:
    """The explanation, of a large event kept until the round is paired again or somebody is called otherwise."""
    event, round_ = context["event"], context["shown_round"]

    def draw() -> str:
        return render_to_string("events/_why.html", {**context, **explain()})

    words = [str(round_.pk), str(round_.drafted_at), str(round_.edits), round_.state]
    names = hashlib.sha256(repr((words, speech)).encode(errors="replace")).hexdigest()
    kind = f"why {round_.number} {subject} {get_language()}"
    text = memory.recall(event, kind, draw, depends_on=names, is_one_of_many=True)
    return mark_safe(text)  # noqa: S308 - a template drew it


def _question(
    request: HttpRequest, round_: Round, askers: Sequence[Entry]
) -> explanations.Question:
    """Why not another opponent? As the form asks; any other text asks nothing, and is no page of its own."""
    who, other = request.GET.get("who", ""), request.GET.get("other", "")
    if who not in {str(entry.tpn) for entry in askers} or who == other:
        return explanations.Question()
    if other != explanations.BYE:
        is_number = re.fullmatch(r"[1-9][0-9]{0,4}", other)
        if is_number is None or not round_.seats.filter(entry__tpn=int(other)).exists():
            return explanations.Question()
    return explanations.Question(who, other)


def _visible_round(request: HttpRequest, event: Event, number: int) -> Round:
    """The round, as far as whoever looks may see it. Raises Http404."""
    user = user_of(request)
    return access.get_round_for(user, event, number)


def speech_of(event: Event, context: Mapping[str, Any]) -> explanations.Speech:
    """How explanations call the players of the event for the one who looks."""
    numbered = event.entries.exclude(tpn=None).values_list("tpn", "player__name")
    names = {tpn: name for tpn, name in numbered if tpn is not None}
    # In a large event the same sentences are kept for all, and nobody is called "you".
    is_own = context["entry"] is not None and not memory.is_large(event)
    return explanations.Speech(names, context["entry"].tpn if is_own else None, context["colours"])


def problem(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The stored input of the round: a FIDE report file with the pairings in comments, or JSON."""
    event = get_event(slug)
    file = event_files.input_of(event, _visible_round(request, event, number))
    response = HttpResponse(file.content, content_type=file.media_type)
    response["Content-Disposition"] = f'attachment; filename="{file.name}"'
    return response


def again(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The round paired once more."""
    event = get_event(slug)
    played = _visible_round(request, event, number)
    context = tab_context(request, event, "pairings")
    if not round_verification.may_verify(played, is_staff=bool(context["is_organiser"])):
        raise PermissionDenied
    verdict = round_verification.verify(played)
    names = dict(event.entries.exclude(tpn=None).values_list("tpn", "player__name"))
    context |= {
        "shown_round": played,
        "verdict": verdict,
        "only_then": [_named(d, names) for d in verdict.only_then],
        "only_now": [_named(d, names) for d in verdict.only_now],
    }
    return render(request, "events/round_verification.html", context)


def _named(difference: round_verification.Difference, names: dict[Any, str]) -> tuple[str, str]:
    second = difference.second
    return names[difference.first], names[second] if second is not None else ""
