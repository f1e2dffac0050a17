"""The analysis board: both sides moved under the rules, variations as a tree, all of it in the address or under a short link."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from django.conf import settings as site
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

import games
from games import animation, svg
from games.variations import OPEN, ROOT
from tournaments.forms import PasteForm
from tournaments.models import Study
from tournaments.services import conditionals, menu, studies
from tournaments.services.errors import NotAllowedError, RefusedError, TournamentError
from tournaments.views import boards, figures, hands, refusals, settings, words
from tournaments.views.access import get_game, player_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest, QueryDict
    from django.utils.safestring import SafeString

    from tournaments.models import Game
    from tournaments.services.studies import Analysis, Source

# A longer address is kept under a short one: proxies and chats cut what is much longer.
MAX_ADDRESS = 2_000
_SAFE = "/;()*=,:@!"


@dataclass(frozen=True, slots=True)
class TreeItem:
    """Something in the tree as the page writes it: a move, or where a side line begins or ends.

    Attributes:
        kind: `move`, `open` or `close`.
        is_path: whether the move leads to what is looked at.
    """

    kind: str
    at: int = ROOT
    number: int = 0
    move: str = ""
    name: str = ""
    is_path: bool = False


@dataclass(frozen=True, slots=True)
class AnalysisPage:
    """Everything the page shows of an analysis.

    Attributes:
        back, forward: the nodes before and after, None at either end; `end` is the last of this line.
        siblings: what else was tried instead of the move that led here, the move itself among them.
        fields: the hidden fields by which a form says what the board shows.
    """

    analysis: Analysis
    hand: hands.Hand
    board: SafeString
    title: str
    items: Sequence[TreeItem]
    is_flipped: bool

    @property
    def position(self) -> games.Position:
        return self.analysis.position

    @property
    def at(self) -> int:
        return self.analysis.at

    @property
    def back(self) -> int | None:
        return None if self.at == ROOT else self.analysis.tree.nodes[self.at].parent

    @property
    def forward(self) -> int | None:
        return next(iter(self.analysis.tree.children[self.at]), None)

    @property
    def end(self) -> int:
        return self.analysis.tree.end(self.at)

    @property
    def depth(self) -> int:
        return self.analysis.tree.depths[self.at]

    @property
    def name(self) -> str:
        return self.analysis.tree.nodes[self.at].name

    @property
    def siblings(self) -> Sequence[int]:
        return [] if self.back is None else self.analysis.tree.children[self.back]

    @property
    def is_side_line(self) -> bool:
        """Whether what is looked at is not on the main line."""
        tree, at = self.analysis.tree, self.at
        return any(tree.children[tree.nodes[k].parent][0] != k for k in tree.path(at))

    @property
    def outcome(self) -> games.Outcome | None:
        return self.position.outcome()

    @property
    def colour(self) -> str:
        """The colour to move, or of the winner."""
        outcome = self.outcome
        side = self.position.side_to_move
        if outcome is not None and outcome is not games.Outcome.DRAW:
            side = games.Side(outcome.value)
        return self.position.colour_of(side)

    @property
    def fields(self) -> Sequence[tuple[str, str]]:
        return [*_source_fields(self.analysis.source), ("tree", self.analysis.tree_text)]

    @property
    def permalink(self) -> str:
        """The address of what is looked at."""
        return f"{site.SITE_URL}{address(self.analysis)}"


def index(request: HttpRequest) -> HttpResponse:
    """The board with what the address says; without anything the choice of what to begin with."""
    if request.method == "POST":
        return _act(request)
    if not {"game", "study", "rules"} & set(request.GET):
        return _choice(request)
    try:
        return _shown(request, _analysis(request, request.GET), "analysis.html")
    except TournamentError as refusal:
        return _choice(request, refusal)


def study(request: HttpRequest, key: str) -> HttpResponse:
    """What was kept under a short link."""
    source = studies.of_study(get_object_or_404(Study.objects.select_related("game"), key=key))
    try:
        opened = studies.opened(source, at=_number(request.GET.get("at", "")))
    except TournamentError as refusal:
        return _choice(request, refusal)
    return _shown(request, opened, "analysis.html")


def study_board(request: HttpRequest, key: str) -> HttpResponse:
    """The board of a short link as a picture."""
    opened = studies.opened(studies.of_study(get_object_or_404(Study, key=key)))
    drawn = svg.board_svg(
        opened.position.cells(),
        opened.position.ruleset.goals,
        marks=_marks(opened),
        title=menu.ruleset_name(opened.position.ruleset.key),
    )
    return HttpResponse(drawn, content_type="image/svg+xml")


@require_POST
def load(request: HttpRequest) -> HttpResponse:
    """Set the board up from a text: a position, or a record."""
    form = PasteForm(request.POST)
    if not form.is_valid():
        return _choice(request, RefusedError("paste-empty"), form)
    data = form.cleaned_data
    try:
        return redirect(_kept_address(studies.pasted(data["text"], data["ruleset"])))
    except TournamentError as refusal:
        return _choice(request, refusal, form)


def _act(request: HttpRequest) -> HttpResponse:
    """Do what a form on the page asks for, and go on with what has become of the tree."""
    asked = request.POST
    try:
        before = _analysis(request, asked)
    except TournamentError as refusal:
        return _choice(request, refusal)
    try:
        if asked.get("do") == "plan":
            return _planned(request, before)
        return redirect(_done(before, asked))
    except TournamentError as refusal:
        return _shown(request, before, "analysis.html", refusal)


def _planned(request: HttpRequest, before: Analysis) -> HttpResponse:
    """Give the lines after the position on the board as replies in advance."""
    game, player = before.source.game, player_of(request)
    if game is None or player is None:
        raise NotAllowedError("not-your-game")
    conditionals.keep(game_id=game.pk, player=player, tree=before.tree)
    messages.success(request, _("Your replies are kept, and played at once when their turn comes."))
    return redirect(game)


def _may_plan(request: HttpRequest, game: Game | None) -> bool:
    """Whether the lines of this analysis can be given as replies in advance: to an opponent who is to move."""
    if game is None or game.result is not None:
        return False
    side = game.side_of(player_of(request))
    return side is not None and side != game.side_to_move


def _done(before: Analysis, asked: QueryDict) -> str:
    """Where the page goes on."""
    more = {"flip": "1"} if "flip" in asked else {}
    match asked.get("do", ""):
        case "delete":
            return _kept_address(studies.delete(before), **more)
        case "promote":
            return _kept_address(studies.promote(before), **more)
        case "name":
            return _kept_address(studies.rename(before, asked.get("name", "")), **more)
        case "share":
            return studies.keep(before).get_absolute_url()
        case _:
            return _kept_address(studies.play(before, asked.get("move", "").strip()[:200]), **more)


def _analysis(request: HttpRequest, asked: QueryDict) -> Analysis:
    return studies.opened(
        _source(request, asked), tree=asked.get("tree"), at=_number(asked.get("at", ""))
    )


def _source(request: HttpRequest, asked: QueryDict) -> Source:
    if "game" in asked:
        number = _number(asked.get("game", ""))
        if number is None:
            raise Http404
        return studies.of_game(get_game(number), player_of(request))
    if "study" in asked:
        kept = Study.objects.select_related("game").filter(key=asked.get("study", "")[:40]).first()
        if kept is None:
            raise RefusedError("no-such-study")
        return studies.of_study(kept)
    return studies.new(asked.get("rules", ""), asked.get("start", ""))


def _number(text: str) -> int | None:
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else None


def address(analysis: Analysis, **more: str) -> str:
    """Where this is shown, with all of it in the address."""
    study = analysis.source.study
    if study is not None and not analysis.is_changed:
        return f"{study.get_absolute_url()}?{_query({'at': str(analysis.at), **more})}"
    fields = dict(_source_fields(analysis.source))
    if analysis.is_changed:
        fields["tree"] = analysis.tree_text
    return f"{reverse('analysis')}?{_query({**fields, 'at': str(analysis.at), **more})}"


def _kept_address(analysis: Analysis, **more: str) -> str:
    """Where this is shown; what would be too long for an address is kept under a short one."""
    found = address(analysis, **more)
    if len(found) <= MAX_ADDRESS:
        return found
    kept = studies.keep(analysis).get_absolute_url()
    return f"{kept}?{_query(more)}" if more else kept


def _query(fields: dict[str, str]) -> str:
    return urlencode(fields, safe=_SAFE, quote_via=quote)


def _source_fields(source: Source) -> list[tuple[str, str]]:
    if source.study is not None:
        return [("study", source.study.key)]
    if source.game is not None:
        return [("game", str(source.game.pk))]
    return [("rules", source.start.ruleset.key), ("start", source.start.text())]


def _shown(
    request: HttpRequest,
    analysis: Analysis,
    template: str,
    refusal: TournamentError | None = None,
) -> HttpResponse:
    asked = request.POST if request.method == "POST" else request.GET
    path, look = hands.path_of(asked.get("path", "")), settings.of(request).look
    page = _page(analysis, path, look, is_flipped="flip" in asked)
    context = {
        "page": page,
        "game": analysis.source.game,
        "study": analysis.source.study,
        "site_url": site.SITE_URL,
        "flip_url": address(analysis, **({} if page.is_flipped else {"flip": "1"})),
        "may_plan": _may_plan(request, analysis.source.game),
        "typed": asked.get("move", "")[:200] if refusal else "",
        **refusals.context(refusal),
    }
    return render(request, template, context, status=refusals.status(refusal) if refusal else 200)


def _page(
    analysis: Analysis, path: tuple[str, ...], look: svg.Look, *, is_flipped: bool
) -> AnalysisPage:
    position = analysis.position
    hand = hands.hand(position, path)
    ruleset = position.ruleset
    flip = {"flip": "1"} if is_flipped else {}
    drawn = svg.board_svg(
        position.cells(),
        ruleset.goals,
        marks=_marks(analysis, hand),
        look=look,
        title=menu.ruleset_name(ruleset.key),
        is_flipped=is_flipped,
        labels=words.labels(position),
        links=hand.links(lambda cells: f"{address(analysis, path=','.join(cells), **flip)}#board"),
        id_prefix="analysis",
    )
    return AnalysisPage(
        analysis=analysis,
        hand=hand,
        board=boards.safe(drawn),
        title=menu.ruleset_name(ruleset.key),
        items=list(_items(analysis)),
        is_flipped=is_flipped,
    )


def _marks(analysis: Analysis, hand: hands.Hand | None = None) -> svg.Marks:
    tree, at = analysis.tree, analysis.at
    path: Sequence[str] = ()
    turned: Sequence[str] = ()
    if at != ROOT:
        node = tree.nodes[at]
        before = analysis.positions[node.parent]
        path = before.ruleset.move_path(node.move)
        turned = animation.changed(before.cells(), analysis.position.cells(), path)
    return svg.Marks(
        last=path,
        captured=turned,
        targets=hand.targets if hand else (),
        selected=hand.selected if hand else None,
    )


def _items(analysis: Analysis) -> Sequence[TreeItem]:
    tree = analysis.tree
    leading = set(tree.path(analysis.at))
    items = []
    for token in tree.tokens():
        if isinstance(token, str):
            items.append(TreeItem("open" if token == OPEN else "close"))
            continue
        node = tree.nodes[token]
        items.append(
            TreeItem("move", token, tree.depths[token], node.move, node.name, token in leading)
        )
    return items


def _choice(
    request: HttpRequest,
    refusal: TournamentError | None = None,
    form: PasteForm | None = None,
) -> HttpResponse:
    """The page on which somebody chooses what to analyse."""
    cards = [
        (
            menu.family_name(family.name),
            _keys(family.name),
            boards.draw(
                figures.poster(family.name),
                look=settings.of(request).look,
                id_prefix=f"poster-{family.name}",
            ),
        )
        for family in games.available()
    ]
    context = {"cards": cards, "form": form or PasteForm(), **refusals.context(refusal)}
    status = refusals.status(refusal) if refusal else 200
    return render(request, "analysis_new.html", context, status=status)


def _keys(family: str) -> list[tuple[str, str]]:
    """The rule sets of one game on offer, each with the address of its board."""
    return [
        (name, f"{reverse('analysis')}?{_query({'rules': key})}")
        for group in menu.ruleset_choices()
        for key, name in group[1]
        if key.startswith(family)
    ]
