"""The games and their rules, in our own words, with figures drawn by the code that plays them."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

import games
from games.presentation import Figure
from tournaments.errors import TournamentError
from tournaments.models import Game, Pool
from tournaments.text import help_pages, rulesets
from tournaments.views import csp, preferences, refusals
from tournaments.views.games import move_selection
from tournaments.views.rules import cards, course, figures, tryout

# The rules of a game change with a version of the site.
_KEPT_S = 86_400


def index(request: HttpRequest) -> HttpResponse:
    rows = [
        (card, Game.objects.finished().filter(ruleset__startswith=f"{card.family}(").count())
        for card in cards.of_all(preferences.of(request).look)
    ]
    return render(request, "rules/index.html", {"rows": rows})


def rules(request: HttpRequest, family: str) -> HttpResponse:
    if family not in {known.name for known in games.available()}:
        raise Http404
    presentation = games.family_of(family).presentation
    look = preferences.of(request).look
    context = {
        "family": family,
        "name": rulesets.family_name(family),
        "nutshell": [_(sentence) for sentence in presentation.nutshell],
        "demonstration": figures.demonstration(family),
        "definitions": figures.definitions(family, look),
        "figures": figures.of_rules(family, look),
        "lobby_board": games.load(presentation.lobby_board).key,
        "boards_of_course": len(course.of_family(family)),
        "pools": Pool.objects.filter(family=family),
        "help_page": page if (page := f"games/{family}") in help_pages.names() else "",
    }
    return render(request, f"rules/{family}.html", context)


def figure(request: HttpRequest, family: str, name: str) -> HttpResponse:
    """Return a figure of the rules with pieces to move. A refused move is shown with its paragraph.

    The reader asked to see a refusal, so its page answers 200.
    """
    if family not in {known.name for known in games.available()}:
        raise Http404
    figure_of_page = figures.of_family(family).get(name)
    if figure_of_page is None:
        raise Http404
    url, look = reverse("figure", args=[family, name]), preferences.of(request).look
    moves = tryout.moves_of(request.GET.get("moves", ""))
    moves_text = request.GET.get("try", "").strip()[:200]
    refusal: TournamentError | None = None
    try:
        tried = tryout.tried(
            figure_of_page, url, [*moves, moves_text] if moves_text else moves, _path(request), look
        )
    except TournamentError as error:
        refusal = error
        tried = tryout.tried(
            figure_of_page,
            url,
            moves if moves_text and _is_legal(figure_of_page, moves) else [],
            (),
            look,
        )
    context = {
        "family": family,
        "name": rulesets.family_name(family),
        "figure": figures.of_rules(family, look)[name],
        "page": tried,
        "is_position": bool(request.GET),
        "typed": moves_text if refusal else "",
        **refusals.context(refusal),
    }
    return render(request, "rules/figure.html", context)


def animated_figure(_request: HttpRequest, family: str, name: str) -> HttpResponse:
    """Return the move of a figure as an animated picture. Its policy allows its one style sheet by hash."""
    if family not in {known.name for known in games.available()}:
        raise Http404
    figure_of_page = figures.of_family(family).get(name)
    if figure_of_page is None or not figure_of_page.move:
        raise Http404
    picture = figures.animated(figure_of_page)
    response = HttpResponse(picture.text, content_type="image/svg+xml")
    response["Cache-Control"] = f"public, max-age={_KEPT_S}"
    return csp.allow(response, "style-src", csp.hash_of(picture.style))


def _path(request: HttpRequest) -> tuple[str, ...]:
    return move_selection.path_of(request.GET.get("path", ""))


def _is_legal(figure_of_page: Figure, moves: list[str]) -> bool:
    """Return whether the rules allow the moves before the last one."""
    try:
        tryout.played(figure_of_page, moves)
    except TournamentError:
        return False
    return True
