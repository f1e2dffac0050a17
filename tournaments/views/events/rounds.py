"""A round of an event: its pairings, their reasons, their input and a verification."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import Prefetch, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.safestring import mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournaments.edges import access
from tournaments.edges.files import attachment
from tournaments.models import Entry, Event, Game, Pairing, Round, Seat
from tournaments.queries.arbiter import round_verification
from tournaments.queries.results import histories, result_corrections
from tournaments.queries.results.board_lines import board_lines, match_scores
from tournaments.services.archives import event_files
from tournaments.services.results import computations, round_scores
from tournaments.services.results.computations import computable
from tournaments.views.access import user_of
from tournaments.views.events import explanations, for_all, live_boards, windows
from tournaments.views.events.for_all import slim_rounds
from tournaments.views.events.pages import LISTED, colours_of, tab_context
from tournaments.views.events.round_setup import round_setup

# Columns that the page shows of a board. Whole rows of both players and the game took a third of
# its time.
_OF_ENTRY = ("tpn", "seed_centielo", "title", "player__name", "player__kind")
_BOARD_COLUMNS = (
    *("event", "round", "board", "entered_result", "entered_second_result", "tie_games"),
    "is_postponed",
    *(f"{side}__{column}" for side in ("first", "second") for column in _OF_ENTRY),
)
_GAME_COLUMNS = (
    *("pairing", "number", "first", "result", "ending", "match"),
    "armageddon_percent",
)


def pairings(request: HttpRequest, event: Event, number: int | None = None) -> HttpResponse:
    context = tab_context(request, event, "pairings")
    if context["traits"].is_continuous and number is None:
        add = partial(_add_latest, event, context)
        context["tables"] = for_all.tables(request, context, "events/_pool.html", add)
        return render(request, "events/pool.html", context)
    add = partial(_add_round, request, event, context, number)
    context["tables"] = for_all.tables(request, context, "events/_pairings.html", add, number)
    return render(request, "events/pairings.html", context)


def _add_latest(event: Event, context: dict[str, Any]) -> None:
    """Add the latest pairings of a continuous format to the context."""
    latest = event.pairings.order_by("-pk").select_related(
        "first__player", "second__player", "round"
    )
    context["latest"] = latest.prefetch_related("games__first", "games__second")[:LISTED]


def _add_round(
    request: HttpRequest, event: Event, context: dict[str, Any], number: int | None
) -> None:
    """Add the round of this number, or the last one, to the context. Raises Http404."""
    visible = slim_rounds(event)
    if not context["is_organiser"]:
        visible = visible.exclude(state=Round.State.DRAFT)
    # With the data it was paired from, which the page shows.
    whole = visible.defer(None)
    round_ = whole.filter(number=number).first() if number else whole.order_by("number").last()
    if number and round_ is None:
        raise Http404
    context["rounds"] = visible
    context["shown_round"] = round_
    if round_ is None:
        return
    context["window"] = part = _boards_window(request, round_)
    context["setup"] = round_setup(event, round_)
    context["lines"] = lines = list(board_lines(event, part.rows))
    if event.is_of_teams:
        context["match_scores"] = match_scores(event, lines)
    context["explained"] = explanations.explained(round_, part.rows)
    context["byes"] = _seats_without_board(event, round_) if part.is_last else []
    context["points_before"] = round_scores.stored_points_before(event, round_, context["state"])
    context["corrected_games"] = result_corrections.game_ids(event)
    context["may_pair_again"] = round_verification.may_verify(
        round_, is_staff=bool(context["is_organiser"])
    )


def _boards_window(request: HttpRequest, round_: Round) -> windows.Window[Pairing]:
    """The boards of the round, a hundred of them."""
    paired = round_.pairings.with_lines(round_.event).only(*_BOARD_COLUMNS)
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
    """Return the corrections of these players' earlier games since the round was paired."""
    pks = {entry.pk for entry in entries}
    return [
        (
            _(
                "The colours of %(first)s and %(second)s in round %(number)d were corrected "
                "after this round had been paired. The pairing was not changed."
            )
            if each.is_exchange
            else _(
                "The result of %(first)s and %(second)s in round %(number)d was corrected "
                "after this round had been paired. The pairing was not changed. The scores "
                "here are those of the time of pairing."
            )
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


# Kinds of seats without a board that may give points.
_SCORED = (
    Seat.Kind.PAIRING_BYE,
    Seat.Kind.HALF_BYE,
    Seat.Kind.FULL_BYE,
    Seat.Kind.ZERO_BYE,
    Seat.Kind.FORFEIT_WIN,
)


def _seats_without_board(event: Event, round_: Round) -> list[tuple[Seat, int | None]]:
    """Return the seats without an opponent, with the half points they gave.

    Withdrawn players are left out.
    """
    seats = round_.seats.filter(pairing=None).exclude(kind=Seat.Kind.OUT)
    return [
        (
            seat,
            histories.seat_of(event, seat).score_halves if seat.kind in _SCORED else None,
        )
        for seat in seats.select_related("entry__player", "absent__player").order_by("entry__tpn")
    ]


def board(request: HttpRequest, event: Event, number: int, board: int) -> HttpResponse:
    context = tab_context(request, event, "pairings")
    round_ = _visible_round(request, event, number)
    pairing = _boards(round_).prefetch_related("games").filter(board=board).first()
    if pairing is None:
        raise Http404
    both = [pairing.first, pairing.second]
    question = _question(request, round_, both)
    context |= {"shown_round": round_, "pairing": pairing}
    context |= live_boards.of_match(request, event, pairing)
    context["correction_sentences"] = _later_corrections(event, round_, both)
    why = _why_board.of(event, number, board, *_last_arguments(round_, context, question))
    context["why"] = mark_safe(why)  # noqa: S308 - a template drew it
    return render(request, "events/board.html", context)


def bye(request: HttpRequest, event: Event, number: int, tpn: int) -> HttpResponse:
    context = tab_context(request, event, "pairings")
    round_ = _visible_round(request, event, number)
    seat = _seats_alone(round_).filter(entry__tpn=tpn).first()
    if seat is None:
        raise Http404
    question = _question(request, round_, [seat.entry])
    context |= {"shown_round": round_, "seat": seat}
    context["correction_sentences"] = _later_corrections(event, round_, [seat.entry])
    why = _why_bye.of(event, number, tpn, *_last_arguments(round_, context, question))
    context["why"] = mark_safe(why)  # noqa: S308 - a template drew it
    return render(request, "events/board.html", context)


def _boards(round_: Round) -> QuerySet[Pairing]:
    return round_.pairings.select_related("first__player", "second__player")


def _seats_alone(round_: Round) -> QuerySet[Seat]:
    return round_.seats.filter(pairing=None).select_related("entry__player", "absent")


def _last_arguments(
    round_: Round, context: Mapping[str, Any], question: explanations.Question
) -> tuple[str, str, int | None, str | None]:
    """The last arguments of an explanation: the question, the player called "you", and the language."""
    return question.who, question.other, _me(round_, context), get_language()


def _me(round_: Round, context: Mapping[str, Any]) -> int | None:
    """Return the visitor's pairing number of the round. In a large event all visitors read equal sentences."""
    entry = context["entry"]
    if entry is None or entry.tpn is None or computations.is_large(round_.event):
        return None
    return round_.numbers.then(entry.tpn)


def _mark_of_why(event: Event, number: int, *_arguments: object) -> str:
    """Return a mark that changes when the round is paired again or a player has another name or number."""
    columns = ("pk", "drafted_at", "edits", "state", "renumbered")
    round_ = event.rounds.only(*columns).get(number=number)
    values = [getattr(round_, column) for column in columns]
    return computations.hash_of((values, _names(round_), colours_of(event)))


@computable(_mark_of_why, is_one_of_many=True)
def _why_board(
    event: Event,
    number: int,
    board: int,
    who: str,
    other: str,
    me: int | None,
    language: str | None,
) -> str:
    round_ = event.rounds.get(number=number)
    pairing = _boards(round_).get(board=board)
    speech = explanations.Speech(_names(round_), me, colours_of(event))
    context = {"event": event, "shown_round": round_, "pairing": pairing, "colours": speech.colours}
    with translation.override(language):
        question = explanations.Question(who, other)
        context |= explanations.board_page(round_, pairing, speech, question)
        return render_to_string("events/_why.html", context)


@computable(_mark_of_why, is_one_of_many=True)
def _why_bye(
    event: Event,
    number: int,
    tpn: int,
    who: str,
    other: str,
    me: int | None,
    language: str | None,
) -> str:
    round_ = event.rounds.get(number=number)
    seat = _seats_alone(round_).get(entry__tpn=tpn)
    speech = explanations.Speech(_names(round_), me, colours_of(event))
    with translation.override(language):
        page = explanations.bye_page(round_, seat, speech, explanations.Question(who, other))
        return render_to_string("events/_why.html", {"event": event, "shown_round": round_, **page})


def _question(
    request: HttpRequest, round_: Round, askers: Sequence[Entry]
) -> explanations.Question:
    """Return the question "why not another opponent?" of the form.

    Any other text is no question and has no page.
    """
    who, other = request.GET.get("who", ""), request.GET.get("other", "")
    numbers = round_.numbers
    if who not in {str(numbers.then(entry.tpn or 0)) for entry in askers} or who == other:
        return explanations.Question()
    if other != explanations.BYE:
        is_number = re.fullmatch(r"[1-9][0-9]{0,4}", other)
        if is_number is None:
            return explanations.Question()
        if not round_.seats.filter(entry__tpn=numbers.now(int(other))).exists():
            return explanations.Question()
    return explanations.Question(who, other)


def _visible_round(request: HttpRequest, event: Event, number: int) -> Round:
    """Return the round if the visitor may see it. Raise Http404."""
    user = user_of(request)
    return access.get_round_for(user, event, number)


def speech_of(round_: Round, context: Mapping[str, Any]) -> explanations.Speech:
    """Return the names of the players for the visitor in explanations of the round."""
    return explanations.Speech(_names(round_), _me(round_, context), context["colours"])


def _names(round_: Round) -> dict[int, str]:
    """Return the names by the pairing numbers of the round, without those of players who entered later."""
    rows = round_.event.entries.exclude(tpn=None).values_list("tpn", "player__name")
    names = {round_.numbers.then(tpn or 0): name for tpn, name in rows}
    names.pop(0, None)
    return names


def problem(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """The stored input of the round: a FIDE report file with the pairings in comments, or JSON."""
    file = event_files.input_of(event, _visible_round(request, event, number))
    return attachment(file.content, file.media_type, file.name)


def again(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """The round paired once more."""
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
