"""Puzzles: one of the day for each game, and more of them near the visitor's rating.

The address contains the moves made so far. A move is posted: the first try of a player is stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

import games
from games.presentation import Drill, Figure
from tournaments import database_time
from tournaments.errors import TournamentError
from tournaments.models import Game, Player, Puzzle, PuzzleRating, PuzzleTry
from tournaments.queries import puzzles as queries
from tournaments.queries.events import conditions
from tournaments.services.puzzles import tries
from tournaments.text import rulesets
from tournaments.views import preferences, refusals
from tournaments.views.access import player_of
from tournaments.views.games import move_selection
from tournaments.views.rules import tryout


@dataclass(frozen=True, slots=True)
class Daily:
    """The puzzle of the day of a game: its board, and the visitor's rating in the game's puzzles."""

    family: str
    name: str
    puzzle: Puzzle
    context: dict[str, Any]
    rating: PuzzleRating | None


def index(request: HttpRequest) -> HttpResponse:
    """Return the puzzles of the day, with the ratings of the visitor and the days in a row."""
    player = player_of(request)
    now = database_time.now()
    context = {
        "dailies": [
            Daily(
                family.name,
                rulesets.family_name(family.name),
                puzzle,
                context_of(request, puzzle),
                queries.rating_of(player, family.name) if player else None,
            )
            for family in games.available()
            if (puzzle := queries.of_the_day(family.name, now))
        ],
        "days": queries.days_in_a_row(player, now) if player else 0,
    }
    return render(request, "puzzles/index.html", context)


def following(request: HttpRequest, family: str) -> HttpResponse:
    """Lead to an untried puzzle of the game near the visitor's rating."""
    if family not in {each.name for each in games.available()}:
        raise Http404
    after = request.GET.get("after", "")
    puzzle = queries.next_for(
        family, player_of(request), after=int(after) if after.isdecimal() and len(after) < 10 else 0
    )
    if puzzle is None:
        return redirect("puzzles")
    return redirect(puzzle)


def page(request: HttpRequest, pk: int) -> HttpResponse:
    """Return a puzzle after the moves in `?moves=`. An attempt in `?try=` is shown, with a button that posts it.

    The reader query to see a refusal, so its page answers 200.
    """
    puzzle = get_object_or_404(Puzzle, pk=pk)
    return render(request, "puzzles/puzzle.html", context_of(request, puzzle))


@require_POST
def attempt(request: HttpRequest, pk: int) -> HttpResponse:
    """Store a player's first try if it is over, and lead to the puzzle after the move."""
    puzzle = get_object_or_404(Puzzle, pk=pk)
    drill = _drill(puzzle)
    moves = tryout.moves_of(request.POST.get("moves", ""))
    typed = request.POST.get("try", "").strip()[:200]
    player = player_of(request)
    if not drill.begins_with(moves) or drill.is_done_by(moves):
        return redirect(puzzle)
    if "give_up" in request.POST:
        _note(player, puzzle, is_solved=False)
        return redirect(_address(puzzle, puzzle.line))
    try:
        right = tryout.right_move(drill, moves, typed)
    except TournamentError:
        return redirect(_address(puzzle, moves, {"try": typed}))
    if not right:
        _note(player, puzzle, is_solved=False)
        return redirect(_address(puzzle, moves, {"wrong": typed}))
    moves = [*moves, right]
    reply = drill.next_move(moves)
    moves += [reply] if reply else []
    if drill.is_done_by(moves):
        _note(player, puzzle, is_solved=True)
    return redirect(_address(puzzle, moves))


def context_of(request: HttpRequest, puzzle: Puzzle) -> dict[str, Any]:
    """Return the context of a puzzle's board, by the moves in the address if it is that of the puzzle."""
    drill = _drill(puzzle)
    query = (
        request.GET
        if request.resolver_match and request.resolver_match.url_name == "puzzle"
        else {}
    )
    moves = tryout.moves_of(query.get("moves", ""))
    if not drill.begins_with(moves):
        moves = []
    is_done = drill.is_done_by(moves)
    typed = tryout.typed_move(drill, moves, query)
    refusal: TournamentError | None = None
    is_legal = False
    if typed and not is_done:
        try:
            tryout.right_move(drill, moves, typed)
            is_legal = True
        except TournamentError as error:
            refusal = error
    figure = Figure(name=f"puzzle-{puzzle.pk}", caption="", position=drill.position)
    tried = tryout.tried(
        figure,
        puzzle.get_absolute_url(),
        moves,
        () if typed else move_selection.path_of(query.get("path", "")),
        preferences.of(request).look,
        is_live=not is_done,
    )
    player = player_of(request)
    first = PuzzleTry.objects.filter(player=player, puzzle=puzzle).first() if player else None
    presentation = games.family_of(puzzle.family).presentation
    side = drill.position.side_to_move
    return {
        "puzzle": puzzle,
        "name": rulesets.family_name(puzzle.family),
        "page": tried,
        "colour": drill.position.colour_of(side),
        "is_done": is_done,
        "is_position": bool(query),
        "typed": typed if not is_done else "",
        "is_legal": is_legal,
        "wrong": "" if is_done else query.get("wrong", "")[:100],
        "first": first,
        "is_over": is_done or first is not None,
        "themes": list(
            dict.fromkeys(
                _(theme) for move in puzzle.line[::2] if (theme := presentation.theme_of(move))
            )
        ),
        "game": _game(puzzle) if is_done else None,
        **refusals.context(refusal),
    }


def _game(puzzle: Puzzle) -> Game | None:
    """Return the game that the puzzle is from, if all may see it."""
    if puzzle.game_id is None:
        return None
    origin = Game.objects.filter(pk=puzzle.game_id).with_players()
    return conditions.visible_games(origin, None).first()


def _drill(puzzle: Puzzle) -> Drill:
    position = games.load(puzzle.ruleset).parse(puzzle.position)
    return Drill(position=position, lines=[puzzle.line])


def _note(player: Player | None, puzzle: Puzzle, *, is_solved: bool) -> None:
    if player is not None:
        tries.note(player, puzzle.pk, is_solved=is_solved)


def _address(puzzle: Puzzle, moves: Sequence[str], more: dict[str, str] | None = None) -> str:
    fields = {**({"moves": tryout.moves_text(moves)} if moves else {}), **(more or {})}
    return (
        f"{reverse('puzzle', args=[puzzle.pk])}?{urlencode(fields)}"
        if fields
        else puzzle.get_absolute_url()
    )
