"""A round of an event: its pairings, their reasons, their input and a verification."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from tournaments.models import Round, Seat, User
from tournaments.services.arbiter import round_verification
from tournaments.services.events import formats, staff
from tournaments.services.results import result_corrections, standings
from tournaments.services.rounds.lifecycle import LARGE_FIELD
from tournaments.views.access import get_event
from tournaments.views.events import explanations
from tournaments.views.events.pages import LISTED, slim_rounds, tab_context

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.http import HttpRequest

    from tournaments.models import Entry, Event


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
    context["shown"] = round_
    if round_ is not None:
        paired = round_.pairings.select_related("first__player", "second__player")
        context["pairings"] = paired = paired.prefetch_related("games__first", "games__second")
        context["explained"] = explanations.explained(round_, paired)
        context["byes"] = _seats_without_board(event, round_)
        context["points_before"] = _points_before(event, round_)
        context["corrected_games"] = result_corrections.game_ids(event)
        context["may_pair_again"] = _may_pair_again(round_, context)
    return render(request, "events/pairings.html", context)


def _may_pair_again(round_: Round, context: Mapping[str, Any]) -> bool:
    """In large fields only the organiser may, as it takes its time."""
    return bool(context["is_organiser"]) or round_.seats.count() <= LARGE_FIELD


def _points_before(event: Event, round_: Round) -> dict[int, int]:
    """What each entry (by id) had scored in the rounds before that one, in half points."""
    return {
        pk: sum(one.score_halves or 0 for n, one in own.items() if n < round_.number)
        for pk, own in standings.histories(event).items()
    }


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
        (seat, scores.get(Seat.Kind(seat.kind)))
        for seat in seats.select_related("entry__player", "absent__player").order_by("entry__tpn")
    ]


def board(request: HttpRequest, slug: str, number: int, board: int) -> HttpResponse:
    event = get_event(slug)
    context = tab_context(request, event, "pairings")
    round_ = _visible_round(request, event, number)
    paired = round_.pairings.select_related("first__player", "second__player")
    pairing = paired.prefetch_related("games").filter(board=board).first()
    if pairing is None:
        raise Http404
    by_tpn, speech = speech_of(event, context)
    both = [pairing.first, pairing.second]
    context |= {"shown": round_, "pairing": pairing}
    context["correction_sentences"] = _later_corrections(event, round_, both)
    context |= explanations.board_page(round_, pairing, by_tpn, speech, request.GET)
    return render(request, "events/board.html", context)


def bye(request: HttpRequest, slug: str, number: int, tpn: int) -> HttpResponse:
    event = get_event(slug)
    context = tab_context(request, event, "pairings")
    round_ = _visible_round(request, event, number)
    seats = round_.seats.filter(pairing=None, entry__tpn=tpn)
    seat = seats.select_related("entry__player", "absent").first()
    if seat is None:
        raise Http404
    by_tpn, speech = speech_of(event, context)
    context |= {"shown": round_, "seat": seat}
    context["correction_sentences"] = _later_corrections(event, round_, [seat.entry])
    context |= explanations.bye_page(round_, seat, by_tpn, speech, request.GET)
    return render(request, "events/board.html", context)


def _visible_round(request: HttpRequest, event: Event, number: int) -> Round:
    """The round with what it was paired from; a draft for the organiser only. Raises Http404."""
    round_ = event.rounds.filter(number=number).first()
    is_staff = isinstance(request.user, User) and bool(staff.tasks_of(event, request.user))
    if round_ is None or (round_.state == Round.State.DRAFT and not is_staff):
        raise Http404
    return round_


def speech_of(
    event: Event, context: Mapping[str, Any]
) -> tuple[dict[int, Entry], explanations.Speech]:
    """The entries by TPN, and how explanations call them for the one who looks."""
    by_tpn = {e.tpn: e for e in event.entries.exclude(tpn=None).select_related("player") if e.tpn}
    me = context["entry"].tpn if context["entry"] else None
    names = {tpn: entry.player.name for tpn, entry in by_tpn.items()}
    return by_tpn, explanations.Speech(names, me, context["colours"])


def problem(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The stored input of the round: a FIDE report file with the pairings in comments, or JSON."""
    played = _visible_round(request, get_event(slug), number)
    name = f"{slug}-{number}"
    if played.report:
        text, kind, ending = played.report, "text/plain; charset=utf-8", "trf"
    else:
        whole = {
            "engine": played.engine,
            "problem": played.problem,
            "answer": played.evidence,
        }
        text, kind, ending = json.dumps(whole, indent=1), "application/json", "json"
    response = HttpResponse(text, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{name}.{ending}"'
    return response


def again(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The round paired once more."""
    event = get_event(slug)
    played = _visible_round(request, event, number)
    context = tab_context(request, event, "pairings")
    if not _may_pair_again(played, context):
        raise PermissionDenied
    verdict = round_verification.verify(played)
    names = dict(event.entries.exclude(tpn=None).values_list("tpn", "player__name"))
    context |= {
        "shown": played,
        "verdict": verdict,
        "only_then": [_named(d, names) for d in verdict.only_then],
        "only_now": [_named(d, names) for d in verdict.only_now],
    }
    return render(request, "events/round_verification.html", context)


def _named(difference: round_verification.Difference, names: dict[Any, str]) -> tuple[str, str]:
    second = difference.second
    return names[difference.first], names[second] if second is not None else ""
