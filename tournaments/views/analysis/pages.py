"""The analysis board: legal moves of both sides in a tree, kept in the address or a short link."""

from __future__ import annotations

import re

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

import games
from games.variations import ROOT
from tournaments.edges import answers
from tournaments.errors import NotAllowedError, RefusedError, TournamentError
from tournaments.forms.games import PasteForm
from tournaments.models import Game, Study
from tournaments.queries.games import openings
from tournaments.queries.records import analyses
from tournaments.queries.records.analyses import Analysis, Source
from tournaments.services.games import conditional_moves
from tournaments.services.records import studies
from tournaments.text import rulesets
from tournaments.views import csp, preferences, refusals
from tournaments.views.access import get_game, player_of, visitor_of
from tournaments.views.analysis import tree
from tournaments.views.games import boards, engine_cards, move_selection

# A longer address is stored under a short one. Proxies and chats cut much longer addresses.
MAX_ADDRESS = 2_000


def index(request: HttpRequest) -> HttpResponse:
    """Return the board of the address, or the choice of a start for an address without parameters."""
    if request.method == "POST":
        return _act(request)
    if not {"game", "study", "rules"} & set(request.GET):
        return _choice(request)
    try:
        return _board_page(request, _analysis(request, request.GET), "analysis/board.html")
    except TournamentError as refusal:
        return _choice(request, refusal)


def study(request: HttpRequest, key: str) -> HttpResponse:
    """Return the analysis that was stored under a short link."""
    source = analyses.of_study(get_object_or_404(Study.objects.select_related("game"), key=key))
    try:
        opened = analyses.analyse(source, at=_number(request.GET.get("at", "")))
    except TournamentError as refusal:
        return _choice(request, refusal)
    return _board_page(request, opened, "analysis/board.html")


def study_board(request: HttpRequest, key: str) -> HttpResponse:
    """The board of a short link as a picture."""
    opened = analyses.analyse(analyses.of_study(get_object_or_404(Study, key=key)))
    board = boards.draw(
        opened.position,
        last_move=tree.last_move(opened),
        captured=tree.changed_cells(opened),
    )
    return HttpResponse(board, content_type="image/svg+xml")


@require_POST
def load(request: HttpRequest) -> HttpResponse:
    """Set the board up from a text: a position, or a record."""
    form = PasteForm(request.POST)
    if not form.is_valid():
        return _choice(request, RefusedError("paste-empty"), form)
    data = form.cleaned_data
    try:
        return redirect(
            _kept_address(request, analyses.analyse_text(data["text"], data["ruleset"]))
        )
    except TournamentError as refusal:
        return _choice(request, refusal, form)


def _act(request: HttpRequest) -> HttpResponse:
    """Carry out the request of a form on the page and redirect to the changed tree."""
    fields = request.POST
    try:
        before = _analysis(request, fields)
    except TournamentError as refusal:
        return _choice(request, refusal)
    try:
        if fields.get("do") == "plan":
            return _planned(request, before)
        return redirect(_done(request, before))
    except TournamentError as refusal:
        return _board_page(request, before, "analysis/board.html", refusal)


def _planned(request: HttpRequest, before: Analysis) -> HttpResponse:
    """Give the lines after the position on the board as replies in advance."""
    game, player = before.source.game, player_of(request)
    if game is None or player is None:
        raise NotAllowedError("not-your-game")
    conditional_moves.keep(game_id=game.pk, player=player, tree=before.tree)
    messages.success(
        request, _("Your conditional moves are saved and will be played automatically.")
    )
    return redirect(game)


def _may_plan(request: HttpRequest, game: Game | None) -> bool:
    """Return whether the lines of this analysis can be saved as conditional moves."""
    if game is None or game.result is not None:
        return False
    side = game.side_of(player_of(request))
    return side is not None and side != game.side_to_move


def _done(request: HttpRequest, before: Analysis) -> str:
    """Return the address of the next page."""
    fields = request.POST
    more = {"flip": "1"} if "flip" in fields else {}
    match fields.get("do", ""):
        case "delete":
            return _kept_address(request, analyses.delete(before), **more)
        case "promote":
            return _kept_address(request, analyses.promote(before), **more)
        case "name":
            return _kept_address(request, analyses.rename(before, fields.get("name", "")), **more)
        case "share":
            return _keep(request, before).get_absolute_url()
        case "play":
            openings.of_analysis(before)
            return f"{reverse('lobby')}?{tree.query({'study': _keep(request, before).key})}"
        case _:
            return _kept_address(
                request, analyses.play(before, fields.get("move", "").strip()[:200]), **more
            )


def _analysis(request: HttpRequest, fields: QueryDict) -> Analysis:
    return analyses.analyse(
        _source(request, fields), tree=fields.get("tree"), at=_number(fields.get("at", ""))
    )


def _source(request: HttpRequest, fields: QueryDict) -> Source:
    if "game" in fields:
        number = _number(fields.get("game", ""))
        if number is None:
            raise Http404
        return analyses.of_game(get_game(request, number), player_of(request))
    if "study" in fields:
        key = fields.get("study", "")
        study = (
            Study.objects.select_related("game").filter(key=key).first() if _is_key(key) else None
        )
        if study is None:
            raise RefusedError("no-such-study")
        return analyses.of_study(study)
    return analyses.new(fields.get("rules", ""), fields.get("start", ""))


def _is_key(text: str) -> bool:
    """Return whether `text` can be the key of a study."""
    return re.fullmatch(r"[0-9a-z]{1,40}", text) is not None


def _number(text: str) -> int | None:
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else None


def _kept_address(request: HttpRequest, analysis: Analysis, **more: str) -> str:
    """Return the address of this analysis.

    An analysis too long for an address is stored under a short one.
    """
    target = tree.address(analysis, **more)
    if len(target) <= MAX_ADDRESS:
        return target
    study_url = _keep(request, analysis).get_absolute_url()
    return f"{study_url}?{tree.query(more)}" if more else study_url


def _keep(request: HttpRequest, analysis: Analysis) -> Study:
    return studies.keep(analysis, visitor=visitor_of(request))


def _board_page(
    request: HttpRequest,
    analysis: Analysis,
    template: str,
    refusal: TournamentError | None = None,
) -> HttpResponse:
    fields = request.POST if request.method == "POST" else request.GET
    path, look = move_selection.path_of(fields.get("path", "")), preferences.of(request).look
    page = tree.page_of(analysis, path, look, is_flipped="flip" in fields)
    context = {
        "page": page,
        "game": analysis.source.game,
        "study": analysis.source.study,
        "flip_url": tree.address(analysis, **({} if page.is_flipped else {"flip": "1"})),
        "may_play": openings.is_possible(analysis),
        "may_plan": _may_plan(request, analysis.source.game),
        "typed": fields.get("move", "")[:200] if refusal else "",
        "engine": engine_cards.card(
            player=player_of(request),
            ruleset=analysis.position.ruleset.key,
            game=analysis.source.game,
            positions=[analysis.positions[at] for at in (ROOT, *analysis.tree.path(analysis.at))],
            plays_lines=True,
        ),
        **refusals.context(refusal),
    }
    status = answers.status(refusal) if refusal else 200
    return csp.allow_engine(render(request, template, context, status=status))


def _choice(
    request: HttpRequest,
    refusal: TournamentError | None = None,
    form: PasteForm | None = None,
) -> HttpResponse:
    """Return the page on which a user chooses a position or game to analyse."""
    cards = [
        (
            rulesets.family_name(family.name),
            _keys(family.name),
            boards.draw(
                rulesets.poster(family.name),
                look=preferences.of(request).look,
                id_prefix=f"poster-{family.name}",
            ),
        )
        for family in games.available()
    ]
    context = {"cards": cards, "form": form or PasteForm(), **refusals.context(refusal)}
    status = answers.status(refusal) if refusal else 200
    return render(request, "analysis/new.html", context, status=status)


def _keys(family: str) -> list[tuple[str, str]]:
    """The rule sets of one game on offer, each with the address of its board."""
    return [
        (name, f"{reverse('analysis')}?{tree.query({'rules': key})}")
        for group in rulesets.ruleset_choices()
        for key, name in group[1]
        if key.startswith(family)
    ]
