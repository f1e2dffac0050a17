"""The record of a game: the move list, the files to download, and pictures for other pages."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

import games
from games import animation, svg
from tournaments.edges import answers
from tournaments.edges.files import attachment
from tournaments.models import Game
from tournaments.models.games import Side
from tournaments.queries.records import analyses, game_records
from tournaments.queries.records.game_plies import PlyRow
from tournaments.text import ballots, rulesets
from tournaments.text.move_numbers import MoveNumber, move_numbers
from tournaments.views import csp
from tournaments.views.access import get_game

BARS_WIDTH, BARS_HEIGHT = 320, 56
_FLOOR = 2
_ELLIPSIS = '<span class="soft">…</span>'
# A bar is never wider, so that a short game is no wall.
_WIDEST = 12
# Four moves of each side. Fewer times say nothing about a game.
_BARS_FROM_PLY = 8
_KEPT_S = 24 * 3600
_EMBED_WIDTH, _EMBED_HEIGHT = 420, 660


@dataclass(frozen=True, slots=True)
class Panel:
    """The navigation of a game: the targets of the four buttons, the clocks, and the ways to export the game.

    Attributes:
        shown_move: the move that led to the position shown, with its number, or empty at the start.
        moves: the items of the move list.
        back, forward: numbers of plies, or None at either end.
        analysis_url: the analysis board with this position, or empty for visitors who may not use
            it yet.
        ballot: the result of the vote on the set-up, or None without a vote.
    """

    shown_ply: int
    shown_move: str
    last_ply: int
    bars: SafeString
    moves: SafeString
    embed_code: SafeString
    permalink: str
    analysis_url: str
    ballot: ballots.BallotResult | None

    @property
    def ballot_url(self) -> str:
        return answers.rule_url(self.ballot.rule) if self.ballot else ""

    @property
    def back(self) -> int | None:
        return self.shown_ply - 1 if self.shown_ply else None

    @property
    def forward(self) -> int | None:
        return self.shown_ply + 1 if self.shown_ply < self.last_ply else None


def panel(game: Game, plies: Sequence[PlyRow], shown_ply: int, *, side: str | None = None) -> Panel:
    """The record panel of `game` for the player of `side`, or a spectator, at `shown_ply`."""
    analysis = f"{reverse('analysis')}?game={game.pk}&at={shown_ply}"
    numbers = move_numbers(ply.side for ply in plies)
    return Panel(
        shown_ply=shown_ply,
        shown_move=f"{numbers[shown_ply - 1]} {plies[shown_ply - 1].move}" if shown_ply else "",
        last_ply=len(plies),
        bars=_bars(plies, numbers, shown_ply) if len(plies) >= _BARS_FROM_PLY else SafeString(),
        moves=move_list(plies, numbers, shown_ply=shown_ply, given=game.opening_plies),
        embed_code=embed_code(game),
        permalink=f"{settings.SITE_URL}{game.get_absolute_url()}?ply={shown_ply}",
        analysis_url=analysis if analyses.may_analyse(game, side) else "",
        ballot=ballots.result(game),
    )


def embed_code(game: Game) -> SafeString:
    """Return the code with which a reader shows the game in a page of another site."""
    return format_html(
        '<iframe src="{}{}" width="{}" height="{}" title="{} – {}" loading="lazy"></iframe>',
        settings.SITE_URL,
        reverse("embed-game", args=[game.pk]),
        _EMBED_WIDTH,
        _EMBED_HEIGHT,
        game.first.name,
        game.second.name,
    )


def _bars(plies: Sequence[PlyRow], numbers: Sequence[MoveNumber], shown_ply: int) -> SafeString:
    """Return the bars of the time chart. Their heights are the square roots of the times.

    The bars are drawn in Python and not by a template, which takes 50 ms for the longest game, nor
    by `format_html`, which takes 10. All values but the move are figures and the site's own words,
    so only the move is escaped.
    """
    most = max((ply.spent_ms for ply in plies), default=0) or 1
    unit = min(_WIDEST, BARS_WIDTH / max(1, len(plies)))
    width, middle = f"{unit * 0.85:.2f}", BARS_HEIGHT / 2
    bars = []
    rows = zip(plies, numbers, _escaped_moves(plies), strict=True)
    for place, ((number, side, _move, spent_ms), move_number, move) in enumerate(rows):
        kind = f"{side} shown" if number == shown_ply else side
        height = _FLOOR + (middle - _FLOOR) * math.sqrt(spent_ms / most)
        top = middle - (height if side == "first" else 0)
        bars.append(
            f'<a href="?ply={number}" data-step="{number}" tabindex="-1">'
            f'<rect class="bar {kind}" x="{place * unit:.2f}" y="{top:.1f}"'
            f' width="{width}" height="{height:.1f}">'
            f"<title>{move_number} {move}: {spent_ms / 1000:.1f} s</title></rect></a>"
        )
    return mark_safe("".join(bars))  # noqa: S308 - the move is escaped


def move_list(
    plies: Sequence[PlyRow], numbers: Sequence[MoveNumber], *, shown_ply: int, given: int
) -> SafeString:
    """Return the moves as items of a list, a row for each turn. The first `given` plies are marked as of the opening.

    A side that plays twice in a row begins a row with each ply. An ellipsis replaces a ply that a row lacks, but
    not at its end in the last row: the game may continue there.

    Drawn here and not by a template, which takes 20 ms for the longest game.
    """
    items: list[str] = []
    previous = MoveNumber()
    for (number, side, _move, _spent), move_number, move in zip(
        plies, numbers, _escaped_moves(plies), strict=True
    ):
        if move_number.turn != previous.turn:
            if items:
                items.append("</li>" if previous.side == Side.SECOND else f"{_ELLIPSIS}</li>")
            items.append(f'<li class="turn"><span class="n">{move_number.turn}</span>')
            if side == Side.SECOND:
                items.append(_ELLIPSIS)
        marks = ' class="given"' if number <= given else ""
        marks += ' aria-current="true"' if number == shown_ply else ""
        items.append(
            f'<a href="?ply={number}" data-step="{number}" data-number="{move_number}"{marks}>{move}</a>'
        )
        previous = move_number
    return mark_safe("".join([*items, "</li>"] if items else []))  # noqa: S308 - the moves are escaped


def _escaped_moves(plies: Sequence[PlyRow]) -> list[str]:
    """Return the moves for a page. One call for all of them takes a tenth of the time of a call for each."""
    return escape("\n".join(ply.move for ply in plies)).split("\n") if plies else []


def record(request: HttpRequest, pk: int) -> HttpResponse:
    """The game's record as text, in the notation of the rules."""
    text = game_records.text_of(get_game(request, pk))
    return attachment(text, "text/plain; charset=utf-8", f"rayuela-{pk}.txt")


def record_json(request: HttpRequest, pk: int) -> HttpResponse:
    """The record with players, clocks and ratings, as `docs/reference/records.md` describes it."""
    text = game_records.document_of(get_game(request, pk)).text()
    return attachment(text, "application/json", f"rayuela-{pk}.json")


def board_svg(request: HttpRequest, pk: int) -> HttpResponse:
    """A still of the board after `?ply=`, the present one without."""
    game = get_game(request, pk)
    positions = list(game_records.record_of(game).positions())
    ply = wished_ply(request)
    shown_ply = len(positions) - 1 if ply is None else min(ply, len(positions) - 1)
    picture = still(
        positions[: shown_ply + 1], game_records.record_of(game).moves[:shown_ply], _title(game)
    )
    return _picture(picture, game, is_final=ply is not None and ply == shown_ply)


def replay_svg(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the game as an animated picture. Its policy allows its one style sheet by hash."""
    game = get_game(request, pk)
    key = f"replay-svg/{game.pk}/{game.attempt}/{game.ply}"
    animated = cache.get(key)
    if animated is None:
        record = game_records.record_of(game)
        animated = animation.replay_svg(list(record.positions()), record.moves, title=_title(game))
        cache.set(key, animated, _KEPT_S)
    response = _picture(animated.text, game, is_final=game.result is not None)
    return csp.allow(response, "style-src", csp.hash_of(animated.style))


def still(positions: Sequence[games.Position], moves: Sequence[str], title: str) -> str:
    """Return the last of `positions`, with the effect of the last of `moves`."""
    position = positions[-1]
    marks = svg.Marks()
    if moves:
        path = position.ruleset.move_path(moves[-1])
        turned = animation.changed_cells(positions[-2].cells(), position.cells(), path)
        marks = svg.Marks(last=path, captured=turned)
    return svg.board_svg(position.cells(), position.ruleset.goals, marks=marks, title=title)


def _title(game: Game) -> str:
    return f"{game.first.name} – {game.second.name}, {rulesets.ruleset_name(game.ruleset)}"


def _picture(picture: str, game: Game, *, is_final: bool) -> HttpResponse:
    response = HttpResponse(picture, content_type="image/svg+xml")
    is_private = game.pairing is not None and game.pairing.event.is_private
    scope = "private" if is_private else "public"
    response["Cache-Control"] = f"{scope}, max-age={_KEPT_S if is_final else 0}"
    return response


def wished_ply(request: HttpRequest) -> int | None:
    """Return the number in `?ply=`, or None without a possible number."""
    ply = request.GET.get("ply", "")
    return int(ply) if re.fullmatch(r"[0-9]{1,5}", ply) else None
