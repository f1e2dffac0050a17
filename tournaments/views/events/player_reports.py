"""The page on which players report the result of their board, which a QR code leads to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.errors import TournamentError
from tournaments.forms.desk import ReportForm
from tournaments.models import Entry, Event, Game, Pairing, Round, User
from tournaments.queries.events import staff
from tournaments.queries.events.staff import Task
from tournaments.queries.results import report_links
from tournaments.queries.results.player_reports import ReportedLine, reported_lines
from tournaments.services.arbiter import player_reports
from tournaments.text import refusals
from tournaments.views import guest_cookie
from tournaments.views.access import user_of
from tournaments.views.events.pages import colours_of


@dataclass(frozen=True, slots=True)
class Side:
    """A game as one of its players sees it.

    Attributes:
        reported: the game with its reports.
        me: the player, or None before the visitor has chosen a side.
        opponent: the other player, or None.
        mine: the words for the player's report, empty without one.
        theirs: those for the report of the opponent.
        confirms: the result that the opponent has reported, if the player has not.
        choices: the results that the player can report, with their words.
        needs_account: whether the player has an account that is not the visitor's.
    """

    reported: ReportedLine
    me: Entry | None
    opponent: Entry | None
    mine: str
    theirs: str
    confirms: str
    choices: Sequence[tuple[str, str]]
    needs_account: bool


@never_cache
def page(request: HttpRequest, token: str) -> HttpResponse:
    """Return the games of a board, or the boards of a round. A POST reports a result."""
    row = report_links.find(token)
    if row is None:
        raise Http404
    if isinstance(row, Round):
        boards = row.pairings.with_lines(row.event).select_related("round").order_by("board")
        links = [(board, report_links.token_of(board)) for board in boards]
        return render(
            request, "events/report.html", {"event": row.event, "round": row, "boards": links}
        )
    if request.method == "POST":
        return _report(request, row)
    chosen = request.GET.get("as", "")
    pairings = row.round.pairings.filter(pk=row.pk).select_related("round")
    user = user_of(request)
    sides = [_side(each, chosen, user) for each in reported_lines(row.event, pairings)]
    context = {
        "event": row.event,
        "round": row.round,
        "sides": sides,
        "colours": colours_of(row.event),
        "is_open": row.round.state == Round.State.PUBLISHED or row.is_postponed,
    }
    return render(request, "events/report.html", context)


def _report(request: HttpRequest, pairing: Pairing) -> HttpResponse:
    form = ReportForm(request.POST)
    path = request.path
    if not form.is_valid():
        messages.error(request, refusals.sentence_of("form-bad"))
        return redirect(path)
    cleaned = form.cleaned_data
    try:
        is_entered = player_reports.report(
            pairing_id=pairing.pk,
            game=cleaned["game"],
            entry_id=cleaned["entry"],
            result=cleaned["result"],
            browser=guest_cookie.browser_of(request),
            account=user_of(request),
        )
    except TournamentError as refusal:
        messages.error(request, refusals.sentence(refusal))
    else:
        if is_entered:
            messages.success(request, _("Both players have reported it. The result is entered."))
    return redirect(f"{path}?as={cleaned['entry']}")


def _side(reported: ReportedLine, chosen: str, user: User | None) -> Side:
    first, second = reported.line.first, reported.line.second
    assert first is not None, "of games with both players"
    assert second is not None, "of games with both players"
    words = {
        Game.Result.FIRST.value: _("%(player)s won") % {"player": first.player.name},
        Game.Result.DRAW.value: _("Draw"),
        Game.Result.SECOND.value: _("%(player)s won") % {"player": second.player.name},
    }
    both = (first, second)
    own = next((each for each in both if user and each.player.user_id == user.pk), None)
    me = next((each for each in both if str(each.pk) == chosen), own)
    opponent = None if me is None else second if me == first else first
    mine = reported.of(me) if me else ""
    theirs = reported.of(opponent) if opponent else ""
    choices = [(each.value, words[each.value]) for each in player_reports.REPORTED]
    return Side(
        reported,
        me,
        opponent,
        words.get(mine, ""),
        words.get(theirs, ""),
        "" if mine else theirs,
        choices,
        needs_account=me is not None and me.player.user_id is not None and me != own,
    )


def address_of_round(request: HttpRequest, event: Event, round_: Round | None) -> str:
    """Return the address at which the boards of a round are reported; empty for all but its staff."""
    if round_ is None or round_.state != Round.State.PUBLISHED or not reports_at(request, event):
        return ""
    return request.build_absolute_uri(report_links.path_of(round_))


def reports_at(request: HttpRequest, event: Event) -> str:
    """Return the site's address for codes on sheets and screens.

    Empty for visitors without the task of results: the codes are secrets of the hall.
    """
    if not event.has_player_reports or not isinstance(request.user, User):
        return ""
    if Task.RESULTS not in staff.tasks_of(event, request.user):
        return ""
    return request.build_absolute_uri("/").removesuffix("/")
