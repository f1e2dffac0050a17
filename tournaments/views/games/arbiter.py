"""Actions of an arbiter on a game: acts while it is played, corrections with a preview, and replays."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tournaments.errors import RefusedError
from tournaments.forms.desk import GameActForm
from tournaments.models import Game
from tournaments.queries import formats
from tournaments.services.arbiter import (
    board_records,
    correction_preview,
    corrections,
)
from tournaments.services.arbiter.game_acts import GAME_ACTS
from tournaments.services.events import act_warnings
from tournaments.services.ratings import recomputations
from tournaments.text.descriptions import colour_name
from tournaments.views import questions, refusals
from tournaments.views.access import get_game, members_only, signed_in
from tournaments.views.games import boards


def results(page: boards.GamePage) -> list[tuple[str, str]]:
    """The results that an arbiter may give, with the names and colours of the winners."""
    won = _("%(name)s (%(colour)s) won")
    wins = [
        (seat.side, won % {"name": seat.player.name, "colour": colour_name(seat.colour)})
        for seat in page.seats
    ]
    forfeits = [
        (result.value, _("%(name)s won by forfeit") % {"name": page.game.player_on(side).name})
        for side, result in Game.FORFEITS.items()
        if page.game.pairing_id is not None
    ]
    if forfeits:
        forfeits.append((Game.Result.DOUBLE_FORFEIT.value, str(Game.Result.DOUBLE_FORFEIT.label)))
    draw, void = ((each.value, str(each.label)) for each in (Game.Result.DRAW, Game.Result.VOID))
    event = page.game.pairing.event if page.game.pairing is not None else None
    unusual = [
        (each.value, str(each.label))
        for each in Game.UNUSUAL
        if event is not None and event.is_over_the_board and not formats.of(event).has_draw
    ]
    return [*sorted(wins), draw, *forfeits, *unusual, void]


@members_only
@refusals.refusal_as_message
def act(request: HttpRequest, pk: int) -> HttpResponse:
    """One act in a game of an event: the button's name says which."""
    game, user = get_game(request, pk), signed_in(request)
    form = GameActForm(request.POST)
    if not form.is_valid():
        raise RefusedError("form-bad")
    code = request.POST.get("act", "")
    target = GAME_ACTS.run(code, game.pk, user, form.arguments())
    messages.success(request, GAME_ACTS.by_code[code].done)
    return redirect(target)


@members_only
@refusals.refusal_as_message
def add_record(request: HttpRequest, pk: int) -> HttpResponse:
    """Add the record of a game that was played over the board, or put another in its place."""
    board_records.add(
        game_id=get_game(request, pk).pk,
        actor=signed_in(request),
        text=request.POST.get("record", "").replace("\x00", ""),
        reason=request.POST.get("reason", ""),
    )
    messages.success(request, _("The record was added."))
    return redirect("game", pk=pk)


@members_only
@refusals.refusal_as_message
def correct(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the effect of a correction. With `confirm`, correct the result."""
    game, user = get_game(request, pk), signed_in(request)
    words = {"result": request.POST.get("result", ""), "reason": request.POST.get("reason", "")}
    if "confirm" in request.POST:
        if (question := _question(request, game, words)) is not None:
            return question
        corrections.correct(game_id=game.pk, actor=user, **words)
        done = _("The result was corrected. Standings and ratings follow.")
        if words["result"] == corrections.EXCHANGE:
            done = _("The colours were exchanged. The result has the same winner.")
        elif recomputations.current(game.pool_id) is not None:
            done = _("The result and the standings were corrected. The ratings will follow.")
        messages.success(request, done)
        return redirect("game", pk=pk)
    preview = correction_preview.preview(game_id=game.pk, actor=user, **words)
    context = {
        "game": game,
        "preview": preview,
        **words,
        "result_name": _("colours exchanged")
        if words["result"] == corrections.EXCHANGE
        else Game.Result(words["result"]).label,
    }
    return render(request, "games/correction.html", context)


def _question(request: HttpRequest, game: Game, words: Mapping[str, str]) -> HttpResponse | None:
    """Return the question before a correction by which the event leaves FIDE's rules."""
    if game.pairing is None:
        return None
    event, user = game.pairing.event, signed_in(request)
    act = partial(corrections.correct, game_id=game.pk, actor=user, **words)
    return questions.page(request, event, act_warnings.of_leaving(event, act))
