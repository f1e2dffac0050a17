"""The courses of the games: boards with one task each, ending in a game against the weakest bot.

The address contains the moves made so far. Completed exercises are stored for players with an
account and for guests, and in a cookie for visitors who have not played.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

import games
from games.presentation import Exercise, Figure
from tournaments.edges.answers import rule_url
from tournaments.errors import TournamentError
from tournaments.queries import drills
from tournaments.queries.lobby import bot_levels
from tournaments.services.accounts import exercises
from tournaments.services.accounts.exercises import Key
from tournaments.text import rulesets
from tournaments.views import preferences, refusals
from tournaments.views.access import player_of
from tournaments.views.games import boards, move_selection
from tournaments.views.rules import tryout

COOKIE = "learned"
_LONGEST_COOKIE = 3_000
_AGE_S = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Line:
    """An exercise in a list: its title in the visitor's language, and whether it is done."""

    name: str
    title: str
    is_done: bool


@dataclass(frozen=True, slots=True)
class Course:
    """The course of a game for a visitor.

    `next_name` is the first exercise that is not done, or empty.
    """

    family: str
    name: str
    lines: Sequence[Line]

    @property
    def done(self) -> int:
        """The number of exercises done."""
        return sum(line.is_done for line in self.lines)

    @property
    def next_name(self) -> str:
        return next((line.name for line in self.lines if not line.is_done), "")


@cache
def of_family(family: str) -> Mapping[str, Exercise]:
    """Return the exercises of a game by name, in their order."""
    return {each.name: each for each in games.family_of(family).presentation.exercises()}


def index(request: HttpRequest) -> HttpResponse:
    """Return the courses of all games, with the exercises that the visitor has done."""
    done = _done(request)
    look = preferences.of(request).look
    courses = [
        (_course(family.name, done), boards.draw(rulesets.poster(family.name), look=look))
        for family in games.available()
        if of_family(family.name)
    ]
    return render(request, "learn/index.html", {"courses": courses})


def exercise(request: HttpRequest, family: str, name: str) -> HttpResponse:
    """Return a board with its task, after the moves in `?moves=` and the attempt in `?try=`.

    The reader asked to see a refusal, so its page answers 200.
    """
    chosen = _find(family, name)
    attempt = tryout.attempt_of(chosen, request.GET)
    moves = attempt.moves
    typed = "" if chosen.is_done_by(moves) else attempt.typed
    refusal, is_wrong = None, False
    try:
        right = drills.right_move(chosen, moves, typed) if typed else ""
    except TournamentError as error:
        refusal = error
    else:
        is_wrong = bool(typed and not right)
        if right:
            moves = [*moves, right]
            reply = chosen.next_move(moves)
            moves += [reply] if reply else []
    is_done = chosen.is_done_by(moves)
    url = reverse("exercise", args=[family, name])
    figure = Figure(name=name, caption=chosen.task, position=chosen.position)
    page = tryout.tried(
        figure,
        url,
        moves,
        () if typed else move_selection.path_of(request.GET.get("path", "")),
        preferences.of(request).look,
        is_live=not is_done,
    )
    context = {
        "course": _course(family, _done(request)),
        "exercise": chosen,
        **{name: _(getattr(chosen, name)) for name in ("title", "task", "hint", "done")},
        "number": list(of_family(family)).index(name) + 1,
        "following": _following(family, name),
        "page": page,
        "is_done": is_done,
        "is_wrong": is_wrong,
        "solution": tryout.address_of(url, moves, chosen.next_move(moves)),
        "colour": chosen.position.colour_of(chosen.position.side_to_move),
        "paragraph": chosen.paragraph.partition("/")[2],
        "rule_of_task": rule_url(chosen.paragraph),
        "is_position": bool(request.GET),
        "typed": typed if refusal or is_wrong else "",
        **refusals.context(refusal),
    }
    return render(request, "learn/exercise.html", context)


@require_POST
def complete(request: HttpRequest, family: str, name: str) -> HttpResponse:
    """Store that the visitor has done the exercise, and lead to the next one."""
    chosen = _find(family, name)
    if not chosen.is_done_by(tryout.attempt_of(chosen, request.POST).moves):
        return redirect("exercise", family, name)
    following = _following(family, name)
    response = redirect("exercise", family, following) if following else redirect("course", family)
    keys = {*_of_cookie(request), (family, name)}
    player = player_of(request)
    if player is not None:
        exercises.note(player, keys)
        response.delete_cookie(COOKIE, samesite="Lax")
    else:
        response.set_cookie(
            COOKIE,
            "|".join(".".join(key) for key in sorted(keys)),
            max_age=_AGE_S,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    return response


def course(request: HttpRequest, family: str) -> HttpResponse:
    """Return the end of a course: its exercises, and a first game against the weakest bot."""
    if family not in {each.name for each in games.available()} or not of_family(family):
        raise Http404
    presentation = games.family_of(family).presentation
    ruleset = games.load(presentation.lobby_board).key
    levels = bot_levels.levels(player_of(request), ruleset=ruleset)
    context = {
        "course": _course(family, _done(request)),
        "board": boards.draw(rulesets.poster(family), look=preferences.of(request).look),
        "ruleset": ruleset,
        "level": levels[0] if levels else None,
    }
    return render(request, "learn/course.html", context)


def _find(family: str, name: str) -> Exercise:
    """Return the exercise. Raises Http404."""
    if family not in {each.name for each in games.available()} or name not in of_family(family):
        raise Http404
    return of_family(family)[name]


def _following(family: str, name: str) -> str:
    """Return the name of the next exercise, or an empty text after the last one."""
    names = list(of_family(family))
    return next(iter(names[names.index(name) + 1 :]), "")


def _course(family: str, done: set[Key]) -> Course:
    return Course(
        family,
        rulesets.family_name(family),
        [
            Line(each.name, _(each.title), (family, each.name) in done)
            for each in of_family(family).values()
        ],
    )


def _done(request: HttpRequest) -> set[Key]:
    player = player_of(request)
    return _of_cookie(request) | (exercises.done_by(player) if player else set())


def _of_cookie(request: HttpRequest) -> set[Key]:
    """Return the exercises in the visitor's cookie, without those that do not exist."""
    text = request.COOKIES.get(COOKIE, "")[:_LONGEST_COOKIE]
    known = {(each.name, name) for each in games.available() for name in of_family(each.name)}
    return {key for entry in text.split("|") if (key := entry.partition(".")[::2]) in known}
