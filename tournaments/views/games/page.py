"""The page of a game: the board to look at and to play on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache

import games
from tournaments import database_time
from tournaments.edges import answers
from tournaments.edges.files import attachment
from tournaments.errors import RefusedError, TournamentError
from tournaments.forms.desk import GameActForm
from tournaments.forms.games import MoveForm
from tournaments.models import Correction, Game, Player, RatedResult, User, statements
from tournaments.queries import formats
from tournaments.queries.events import staff
from tournaments.queries.games import attendance
from tournaments.queries.matches import fuel_records
from tournaments.queries.ratings import seat_ratings
from tournaments.queries.records import engine_use
from tournaments.queries.records.game_plies import PlyRow
from tournaments.services.accounts import guests
from tournaments.services.arbiter import (
    board_records,
    corrections,
    exchanged_sides,
    game_acts,
    rated_results,
)
from tournaments.services.games import (
    absence_claims,
    game_end,
    offers,
    play,
    presence,
    takebacks,
)
from tournaments.services.games.attendance import Seat, note_request
from tournaments.services.matches import replies
from tournaments.services.notifications import inbox, news
from tournaments.services.ratings import recomputations
from tournaments.text import endings
from tournaments.text import refusals as refusal_text
from tournaments.views import csp, once, preferences, refusals
from tournaments.views.access import (
    get_game,
    player_of,
    seats_only,
)
from tournaments.views.games import (
    arbiter,
    attendance_panel,
    boards,
    chat,
    engine_cards,
    evaluation_graph,
    questions,
    record,
    rules_drawer,
    seat_cards,
    sidebar,
)
from tournaments.views.games.boards import GamePage

_LONGEST_QUESTION = 60


@never_cache
def game(request: HttpRequest, pk: int) -> HttpResponse:
    return _page(request, pk, "games/game.html")


@never_cache
def live(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the part of the page that changes while the visitor looks."""
    return _page(request, pk, "games/_game.html")


def ask(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the board's answer to a question, in words and as traits, or the reason why `?move=` is illegal."""
    question = request.GET.get("q", "")[:_LONGEST_QUESTION]
    page = _game_page(request, get_game(request, pk))
    if "move" in request.GET:
        return _why_illegal(page.position, request.GET["move"][:_LONGEST_QUESTION])
    answer = {
        "answer": questions.answer(page, question),
        "traits": questions.pointed_out(page, question),
    }
    return JsonResponse(answer)


def _why_illegal(position: games.Position, move: str) -> JsonResponse:
    """Return the rule that forbids the move, as a refusal, or an empty one if the move is legal."""
    try:
        position.play(move)
    except games.IllegalMoveError as error:
        return JsonResponse(refusals.as_dict(RefusedError.of_move(error)))
    return JsonResponse({})


def choices(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the legal moves that begin on one cell, for a page that has only the first cells."""
    page = _game_page(request, get_game(request, pk))
    fitting = page.selection.beginning_with((request.GET.get("from", ""),))
    return JsonResponse({"choices": page.selection.data_of(fitting)})


def _game_page(request: HttpRequest, game: Game) -> boards.GamePage:
    return boards.game_page(
        game,
        viewer=player_of(request),
        now=database_time.now(),
        view=boards.View.of(request.GET.dict(), preferences.of(request).look),
    )


def _page(
    request: HttpRequest, pk: int, template: str, refusal: TournamentError | None = None
) -> HttpResponse:
    # Read before the game: the page gets events between the two reads twice, and never misses
    # one.
    topic = news.of_game(pk)
    reached = {topic: news.last_seq(topic)}
    game = get_game(request, pk)
    if game_end.decide_flag(game, database_time.now()):
        game = get_game(request, pk)
    if request.user.is_authenticated:
        inbox.mark_seen(request.user, game)
    game = _note_presence(request, game)
    page = _game_page(request, game)
    player = player_of(request)
    if page.side and game.pairing and not formats.of(game.pairing.event).is_continuous:
        topic = news.of_event(game.pairing.event_id)
        reached[topic] = news.last_seq(topic)
    corrected = _corrections_of.all(game=game.pk)
    of_result = [each for each in corrected if not each.is_exchange]
    context = {
        "page": page,
        "evaluation": evaluation_graph.panel(game, page.plies, page.shown_ply, page.position),
        "record": record.panel(game, page.plies, page.shown_ply, side=page.side),
        "premove_cells": cell_count(page),
        "cause": endings.cause(game, of_result),
        "verdict": endings.verdict(game, of_result, page.side) if page.side else "",
        "game": game,
        "ledger": seat_ratings.of_game.all(game=game.pk),
        "corrections": corrected,
        "is_corrected": bool(of_result),
        "may_exchange": exchanged_sides.is_possible(game),
        "recomputation": recomputations.current(game.pool_id) if game.result else None,
        "may_correct": _may_correct(request, game),
        "rated_result": _rated_result(game),
        "is_correction_open": _is_bare_result(game),
        "may_add_record": _may_add_record(request, game),
        "results": arbiter.results(page),
        "attendance": attendance_panel.panel(page, database_time.now()),
        **_arbiter_context(request, game),
        **_engine_context(request, game, page),
        **_bot_context(game),
        **refusals.context(refusal),
        "typed": request.POST.get("move", "")[:200],
        "answer": questions.answer(page, request.GET["q"][:_LONGEST_QUESTION])
        if "q" in request.GET
        else "",
        "stream": _stream(page, reached),
        **chat.panel(request, game),
        "sidebar": sidebar.player_sidebar(game, player),
        "event_card": sidebar.event_card(game, player),
    }
    if template == "games/game.html":
        context["drawer"] = rules_drawer.of_family(page.position.ruleset.family)
        context["cards"] = cards = seat_cards.of_game(game, player)
        context["opponent"] = next(
            (each for each in cards if page.side not in {None, each.side}), None
        )
    status = answers.status(refusal) if refusal else 200
    # For every game, since an unfinished one may end while the visitor looks at the page.
    return csp.allow_engine(render(request, template, context, status=status))


@statements.query
def _corrections_of(game: int) -> QuerySet[Correction]:
    rows = Correction.objects.filter(game=game).order_by("seq")
    return rows.select_related("actor__player")


def _stream(page: GamePage, reached: Mapping[str, int]) -> str:
    """Return the query of the page's stream. While it is open, the viewer with a seat is at the table."""
    query = news.stream_query(reached)
    return f"{query}&at={page.game.pk}" if page.side and attendance.is_watched(page.game) else query


def _bot_context(game: Game) -> dict[str, Any]:
    """The state of a bot that is to reply to a person: the page asks for it again after a while."""
    seat = game.player_on(game.side_to_move)
    if game.result is not None or game.match_id is not None or not seat.is_bot:
        return {}
    now = database_time.now()
    return {"is_bot_asked": True, "waits_for_machine": replies.waits_for_machine(game, now)}


def _engine_context(request: HttpRequest, game: Game, page: boards.GamePage) -> dict[str, Any]:
    """Return the context of the engine: whether it may hint, or for a game that is over the start of its moves."""
    if game.result is None:
        player = player_of(request)
        return {"may_hint": page.may_move and player and engine_use.may_hint(game, player)}
    start = games.starting_position(games.load(game.ruleset), game.setup)
    # The players of a game that is over have always a review of it.
    positions = () if page.side else _positions_after(start, page.plies)
    return {
        "engine": engine_cards.card(
            player=player_of(request), ruleset=game.ruleset, game=game, positions=positions
        ),
        "engine_start": start.text(),
    }


def _positions_after(start: games.Position, plies: Sequence[PlyRow]) -> Iterator[games.Position]:
    """Yield the position after each ply, without the start, which many games share."""
    position = start
    for ply in plies:
        position = position.play(ply.move)
        yield position


def _note_presence(request: HttpRequest, game: Game) -> Game:
    """Note that the player who looks is present. Return the game, read again if it waited for the player."""
    player = player_of(request)
    side = game.side_of(player)
    if side and attendance.is_watched(game):
        note_request(Seat(game.pk, side))
    if player is None or not presence.is_expected(game, player):
        return game
    presence.note(game_id=game.pk, player=player)
    return get_game(request, game.pk)


def _arbiter_context(request: HttpRequest, game: Game) -> dict[str, Any]:
    """Return the context of the arbiter's actions in a game of an event, for staff with its results as a task."""
    user = request.user
    if not user.is_authenticated or not game_acts.has_task(game, user):
        return {}
    if _is_conflicted(game, user):
        return {"is_arbiter_a_player": True}
    may_rate_as = rated_results.can_rate_as(game)
    return {"may_act": True, "may_rate_as": may_rate_as, "act_form": GameActForm()}


def _rated_result(game: Game) -> RatedResult | None:
    """Return the result that the rating report alone has."""
    if game.pairing is None or not game.pairing.event.is_over_the_board:
        return None
    return RatedResult.objects.filter(game=game).first()


def _is_conflicted(game: Game, user: User) -> bool:
    event = game.pairing.event if game.pairing is not None else None
    return staff.is_conflicted(event, user, (game.first, game.second))


def _may_correct(request: HttpRequest, game: Game) -> bool:
    user = request.user
    if game.result is None or not user.is_authenticated:
        return False
    # In this order: most visitors may correct nothing, and the conflict takes a query.
    return corrections.may_correct(game, user) and not _is_conflicted(game, user)


def _is_bare_result(game: Game) -> bool:
    """Return whether the game has a result from over the board and no record, so that its correction comes first."""
    return game.ply == 0 and game.pairing is not None and game.pairing.event.is_over_the_board


def _may_add_record(request: HttpRequest, game: Game) -> bool:
    return request.user.is_authenticated and board_records.may_add(game, request.user)


@seats_only
def move(request: HttpRequest, player: Player, pk: int) -> HttpResponse:
    """Play a move. The page's script gets JSON, a plain form the page again."""
    form = MoveForm(request.POST)
    try:
        if not form.is_valid():
            raise RefusedError("illegal-move", "a move and the ply it follows are needed")
        data = form.cleaned_data
        play.play_move(
            game_id=pk,
            player=player,
            ply=data["ply"],
            move=data["move"],
            attempt=data["attempt"],
            thought_ms=data["thought_ms"],
            client_key=data["client_key"] or None,
        )
    except TournamentError as refusal:
        return _refused(request, pk, refusal)
    except Game.DoesNotExist as missing:  # asked for once: half of a move's time goes into queries
        raise Http404 from missing
    return _done(request, pk)


@seats_only
def resign(request: HttpRequest, player: Player, pk: int) -> HttpResponse:
    return _act(request, pk, play.resign, player=player)


@seats_only
def agree(request: HttpRequest, player: Player, pk: int) -> HttpResponse:
    """Offer to end the game, or accept such an offer. With `answer`, make no new offer."""
    is_answer = "answer" in request.POST
    return _act(request, pk, offers.offer_end, player=player, is_answer=is_answer)


@seats_only
def abort(request: HttpRequest, player: Player, pk: int) -> HttpResponse:
    return _act(request, pk, play.abort, player=player)


@seats_only
def claim(request: HttpRequest, player: Player, pk: int) -> HttpResponse:
    """ClaimedResult the game against an opponent who has left: `result` is a win or a draw."""
    try:
        result = absence_claims.ClaimedResult(request.POST.get("result", ""))
    except ValueError:
        return _refused(request, pk, RefusedError("form-bad", "win or draw"))
    return _act(request, pk, absence_claims.claim, player=player, result=result)


@seats_only
def give_time(request: HttpRequest, player: Player, pk: int) -> HttpResponse:
    return _act(request, pk, offers.give_time, player=player)


@seats_only
def takeback(request: HttpRequest, player: Player, pk: int) -> HttpResponse:
    """Ask for the takeback of a ply, or grant it. With `answer`, make no new request."""
    is_answer = "answer" in request.POST
    return _act(request, pk, takebacks.offer_takeback, player=player, is_answer=is_answer)


@seats_only
def rematch(request: HttpRequest, player: Player, pk: int) -> HttpResponse:
    """Offer a rematch or, with `answer`, accept one. A plain form is led to the new game."""
    try:
        return _rematch(request, player, pk)
    except TournamentError as refusal:
        return _refused(request, pk, refusal)


@once.once
def _rematch(request: HttpRequest, player: Player, pk: int) -> HttpResponse:
    guests.require_room(player, address=request.META.get("REMOTE_ADDR", ""))
    new_game = offers.offer_rematch(
        game_id=get_game(request, pk).pk, player=player, is_answer="answer" in request.POST
    )
    return _done(request, pk if new_game is None else new_game.pk)


@seats_only
def decline(request: HttpRequest, player: Player, pk: int) -> HttpResponse:
    return _act(request, pk, offers.decline, player=player)


def _act(
    request: HttpRequest, pk: int, action: Callable[..., object], **arguments: object
) -> HttpResponse:
    try:
        action(game_id=get_game(request, pk).pk, **arguments)
    except TournamentError as refusal:
        return _refused(request, pk, refusal)
    return _done(request, pk)


def _refused(request: HttpRequest, pk: int, refusal: TournamentError) -> HttpResponse:
    if refusals.is_script(request):
        get_game(request, pk)  # for who may not look there is no game
        return refusals.as_json(refusal)
    return _page(request, pk, "games/game.html", refusal)


def _done(request: HttpRequest, pk: int) -> HttpResponse:
    if refusals.is_script(request):
        return HttpResponse(status=204)
    return redirect("game", pk=pk)


def fuel_record(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the record of a game decided under fuel, as text with which any reader can play the game again."""
    game = get_game(request, pk)
    try:
        text = fuel_records.record_of(game).text()
    except TournamentError as refusal:
        raise Http404(refusal_text.sentence(refusal)) from refusal
    return attachment(text, "text/plain; charset=utf-8", f"rayuela-{pk}-fuel.txt")


# A series of jumps begins with two cells as well, and is not chosen in advance.
_MOST_CELLS = 2


def cell_count(page: GamePage) -> int:
    """Return the number of cells the viewer clicks for a premove, as for the last move on the board.

    Return None without premoves: for spectators, on the viewer's own turn, in correspondence games,
    which have conditional moves, and before the first move.
    """
    game = page.game
    is_live = game.result is None and not game.is_over_days and game.match_id is None
    if page.side is None or page.may_move or not is_live or page.shown_ply < game.ply:
        return 0
    paths = (page.position.ruleset.move_path(ply.move) for ply in reversed(page.plies))
    return min(_MOST_CELLS, next((len(path) for path in paths if path), 0))
