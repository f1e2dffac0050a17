"""Puzzles: one of the day for each game, and more of them near the visitor's rating.

The address contains the moves made so far. A move is posted: the first try of a player is stored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

import games
from games import svg
from games.presentation import Drill, Figure
from tournaments import database_time
from tournaments.edges import access
from tournaments.errors import RefusedError, StaleError, TournamentError
from tournaments.models import Player, Puzzle, PuzzleRating, PuzzleTry
from tournaments.queries import drills
from tournaments.queries import puzzles as queries
from tournaments.services.puzzles import reports, tries
from tournaments.text import rulesets
from tournaments.views import common_lists, preferences, refusals
from tournaments.views.access import (
    account_player_of,
    members_only,
    player_of,
    players_only,
    signed_in,
)
from tournaments.views.games import move_selection
from tournaments.views.rules import tryout

_LONGEST_THEME = 60
_NO_QUERY: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Daily:
    """The puzzle of the day of a game: its board, and the visitor's rating in the game's puzzles.

    `themes` are the themes of the game: the name, and the words in the visitor's language.
    """

    family: str
    name: str
    puzzle: Puzzle
    context: dict[str, Any]
    rating: PuzzleRating | None
    themes: Sequence[tuple[str, str]]

    def of(self, rating: PuzzleRating | None, first: PuzzleTry | None) -> Daily:
        """Return the puzzle for a player with this rating and this first try."""
        context = (
            self.context if first is None else {**self.context, "first": first, "is_over": True}
        )
        return replace(self, context=context, rating=rating)


def index(request: HttpRequest) -> HttpResponse:
    """Return the puzzles of the day, with the ratings of the visitor and the days in a row."""
    player = player_of(request)
    now = database_time.now()
    look = preferences.of(request).look
    dailies = common_lists.recall(
        "puzzles-of-the-day", None, lambda: _dailies(now, look), now.astimezone(UTC).date(), look
    )
    if player is not None:
        ratings = {row.family: row for row in PuzzleRating.objects.filter(player=player)}
        own_tries = player.puzzle_tries.filter(puzzle__in=[each.puzzle for each in dailies])
        first = {row.puzzle_id: row for row in own_tries}
        dailies = [each.of(ratings.get(each.family), first.get(each.puzzle.pk)) for each in dailies]
    days = queries.days_in_a_row(player, now) if player else 0
    return render(request, "puzzles/index.html", {"dailies": dailies, "days": days})


def _dailies(now: datetime, look: svg.Look) -> list[Daily]:
    """Return the puzzles of the day for a visitor without an account."""
    return [
        Daily(
            family.name,
            rulesets.family_name(family.name),
            puzzle,
            context_for(None, puzzle, look),
            None,
            [(each, _(each)) for each in queries.offered_themes(family.name)],
        )
        for family in games.available()
        if (puzzle := queries.of_the_day(family.name, now))
    ]


def following(request: HttpRequest, family: str) -> HttpResponse:
    """Lead to an untried puzzle of the game near the visitor's rating, of the theme in `?theme=` if there is one."""
    if family not in {each.name for each in games.available()}:
        raise Http404
    after = request.GET.get("after", "")
    theme = request.GET.get("theme", "")
    puzzle = queries.next_for(
        family,
        player_of(request),
        after=int(after) if after.isdecimal() and len(after) < 10 else 0,
        theme=theme,
    )
    if puzzle is None:
        messages.info(request, _("There is no further puzzle of this kind."))
        return redirect("puzzles")
    return redirect(_address(puzzle, (), _theme(request.GET)))


def page(request: HttpRequest, pk: int) -> HttpResponse:
    """Return a puzzle after the moves in `?moves=`. An attempt in `?try=` is shown, with a button that posts it.

    The reader query to see a refusal, so its page answers 200.
    """
    puzzle = access.get_puzzle(pk)
    context = context_of(request, puzzle) | _reports(request, puzzle)
    return render(request, "puzzles/puzzle.html", context)


@require_POST
def attempt(request: HttpRequest, pk: int) -> HttpResponse:
    """Store a player's first try if it is over, and lead to the puzzle after the move."""
    puzzle = access.get_puzzle(pk)
    tried = tryout.attempt_of(queries.drill_of(puzzle), request.POST)
    player = player_of(request)
    theme = _theme(request.POST)
    if "give_up" in request.POST:
        return redirect(_address(puzzle, tries.give_up(player, puzzle).moves, theme))
    if not tried.is_of_line:
        return redirect(_address(puzzle, (), theme))
    try:
        answer = tries.play(player, puzzle, tried.moves, tried.typed)
    except RefusedError:
        return redirect(_address(puzzle, tried.moves, {"try": tried.typed, **theme}))
    except StaleError:
        return redirect(_address(puzzle, (), theme))
    wrong = {} if answer.is_right else {"wrong": tried.typed}
    return redirect(_address(puzzle, answer.moves, {**wrong, **theme}))


@players_only
@refusals.refusal_as_message
def report(request: HttpRequest, player: Player, pk: int) -> HttpResponse:
    """Report a wrong puzzle to the moderators."""
    puzzle = access.get_puzzle(pk)
    reports.report(puzzle_id=puzzle.pk, player=player, text=request.POST.get("text", ""))
    messages.success(request, _("Thank you. A moderator will look at it."))
    return redirect(puzzle)


@members_only
@refusals.refusal_as_message
def decide(request: HttpRequest, pk: int) -> HttpResponse:
    """Withdraw a puzzle with a reason, or keep it. Both close its reports."""
    puzzle = access.get_puzzle(pk)
    actor = signed_in(request)
    if "keep" in request.POST:
        reports.keep(puzzle_id=puzzle.pk, actor=actor)
        messages.success(request, _("The puzzle will be given to solvers."))
    else:
        reason = request.POST.get("reason", "")
        reports.withdraw(puzzle_id=puzzle.pk, actor=actor, reason=reason)
        messages.success(request, _("The puzzle was withdrawn."))
    return redirect(puzzle)


def context_of(request: HttpRequest, puzzle: Puzzle) -> dict[str, Any]:
    """Return the context of a puzzle's board, by the moves in the address if it is that of the puzzle."""
    is_own_page = bool(request.resolver_match and request.resolver_match.url_name == "puzzle")
    query: Mapping[str, str] = request.GET if is_own_page else {}
    return context_for(player_of(request), puzzle, preferences.of(request).look, query)


def context_for(
    player: Player | None, puzzle: Puzzle, look: svg.Look, query: Mapping[str, str] = _NO_QUERY
) -> dict[str, Any]:
    """Return the context of a puzzle's board for the player, by the moves in the query."""
    drill = queries.drill_of(puzzle)
    tried = tryout.attempt_of(drill, query)
    first = PuzzleTry.objects.filter(player=player, puzzle=puzzle).first() if player else None
    moves = tried.moves
    if player and not first and puzzle.withdrawn_at is None and drill.is_done_by(moves):
        # An address alone does not tell a player before the first try that its moves are right.
        moves = []
    is_done = drill.is_done_by(moves)
    typed = "" if is_done else tried.typed
    refusal = _refusal(drill, moves, typed) if typed else None
    board = tryout.tried(
        Figure(name=f"puzzle-{puzzle.pk}", caption="", position=drill.position),
        puzzle.get_absolute_url(),
        moves,
        () if typed else move_selection.path_of(query.get("path", "")),
        look,
        is_live=not is_done,
    )
    wrong = query.get("wrong", "")[:100]
    return {
        "puzzle": puzzle,
        "name": rulesets.family_name(puzzle.family),
        "page": board,
        "colour": drill.position.colour_of(drill.position.side_to_move),
        "is_done": is_done,
        "is_position": bool(query),
        "typed": typed,
        "is_legal": bool(typed) and refusal is None,
        "wrong": wrong if wrong and not is_done and not _refusal(drill, moves, wrong) else "",
        "first": first,
        "is_over": is_done or first is not None,
        "themes": [_(theme) for theme in (queries.themes_of(puzzle) if is_done else ())],
        "theme": query.get("theme", "")[:_LONGEST_THEME],
        "game": access.source_of(puzzle) if is_done else None,
        **refusals.context(refusal),
    }


def _refusal(drill: Drill, moves: Sequence[str], typed: str) -> TournamentError | None:
    """Return the refusal of the move if it is illegal."""
    try:
        drills.right_move(drill, moves, typed)
    except RefusedError as error:
        return error
    return None


def _reports(request: HttpRequest, puzzle: Puzzle) -> dict[str, Any]:
    """Return the context of the reports: the form for a player after the first try, the acts for moderators."""
    if request.user.has_perm("tournaments.moderate"):
        waiting = puzzle.reports.filter(resolved_at=None).select_related("reporter")
        return {"may_decide": True, "reports": waiting, "may_report": False}
    player = account_player_of(request)
    if player is None or puzzle.withdrawn_at is not None:
        return {}
    has_tried = player.puzzle_tries.filter(puzzle=puzzle).exists()
    has_reported = puzzle.reports.filter(reporter=player, resolved_at=None).exists()
    return {"may_report": has_tried and not has_reported, "has_reported": has_reported}


def _theme(query: Mapping[str, str]) -> dict[str, str]:
    """Return the theme of the puzzles that the visitor goes through, as a field of addresses."""
    theme = query.get("theme", "")[:_LONGEST_THEME]
    return {"theme": theme} if theme else {}


def _address(puzzle: Puzzle, moves: Sequence[str], more: Mapping[str, str]) -> str:
    fields = {**({"moves": tryout.moves_text(moves)} if moves else {}), **more}
    url = reverse("puzzle", args=[puzzle.pk])
    return f"{url}?{urlencode(fields)}" if fields else url
