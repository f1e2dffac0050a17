"""Pictures for posters and rules pages: real positions, drawn by the code that plays them."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

import games
from games import animation, svg
from games.presentation import Figure
from tournaments.templatetags.rayuela import ruleset_name
from tournaments.text import descriptions

_PLAIN = svg.Look()
# Begins the ids of `definitions`.
_SHARED = "f"


def drawn(figure: Figure, look: svg.Look, *, shared_prefix: str = "") -> SafeString:
    """Return the figure as SVG. The figure's name makes its ids unique.

    With `shared_prefix` it refers to the definitions of the page, unless it has a look of its own.

    Raises IllegalMoveError when the rules do not allow the move it shows.
    """
    ruleset = figure.position.ruleset
    after = figure.position.play(figure.move) if figure.move else figure.position
    path = ruleset.move_path(figure.move) if figure.move else ()
    arrows = [] if figure.is_after else [svg.Arrow(*pair) for pair in _links(path)]
    # Arrows would hide the signs on the corners.
    is_joined = bool(figure.frame) and not figure.signs
    corners = _links([*figure.frame, figure.frame[0]]) if is_joined else []
    changed = animation.changed_cells(figure.position.cells(), after.cells(), path)
    marks = svg.Marks(
        last=figure.frame if figure.signs else path if figure.is_after else (),
        captured=changed if figure.is_after else (),
        targets=figure.targets,
        selected=figure.selected,
        arrows=arrows + [svg.Arrow(*pair) for pair in corners],
        signs=figure.signs,
    )
    # The numbers of bands would be under the figure's own.
    own_look = replace(look, has_numbers=False) if figure.signs else look
    position = after if figure.is_after else figure.position
    picture = svg.board_svg(
        position.cells(),
        ruleset.goals,
        marks=marks,
        look=own_look,
        title=ruleset_name(ruleset.key),
        id_prefix=f"figure-{figure.name}",
        shared_prefix=shared_prefix if own_look == look else "",
    )
    return mark_safe(picture)  # noqa: S308 - drawn by games.svg, which escapes what it is given


@dataclass(frozen=True, slots=True)
class Demonstration:
    """The figure whose move is animated beside the summary, and the move in words."""

    name: str
    sentence: str


def demonstration(family: str) -> Demonstration | None:
    """Return the demonstration of a game, or None without one."""
    name = games.family_of(family).presentation.demonstration
    if not name:
        return None
    figure = of_family(family)[name]
    position = figure.position
    path = position.ruleset.move_path(figure.move)
    cells = position.cells(), position.play(figure.move).cells()
    sentence = descriptions.move_sentence(
        position.ruleset,
        figure.move,
        name=descriptions.colour_name(position.colour_of(position.side_to_move)),
        flipped=animation.changed_cells(*cells, path),
    )
    return Demonstration(name, sentence)


def animated(figure: Figure) -> animation.Animation:
    """Return the move of the figure as a picture that repeats it, and stands still without motion."""
    positions = [figure.position, figure.position.play(figure.move)]
    return animation.replay_svg(positions, [figure.move], title=figure.move)


def _links(cells: Sequence[str]) -> list[tuple[str, str]]:
    return list(itertools.pairwise(cells))


@dataclass(frozen=True, slots=True)
class RulesFigure:
    """A figure on a rules page.

    It has its name, the picture, its content in words, and the address of a board to try it out.
    """

    name: str
    picture: SafeString
    caption: str
    url: str


def of_rules(family: str, look: svg.Look = _PLAIN) -> Mapping[str, RulesFigure]:
    """Return the figures of a game's rules page by name. They refer to `definitions` on the page."""
    return _of_rules(family, look, get_language())


@cache
def definitions(family: str, look: svg.Look) -> SafeString:
    """Return what the figures of a game's rules page refer to, once for all of them."""
    of_game = of_family(family).values()
    positions = [figure.position for figure in of_game]
    positions += [each.position.play(each.move) for each in of_game if each.move and each.is_after]
    boards = [position.cells() for position in positions]
    picture = svg.definitions_svg(boards, look=look, id_prefix=_SHARED)
    return mark_safe(picture)  # noqa: S308 - drawn by games.svg, which escapes what it is given


@cache
def _of_rules(family: str, look: svg.Look, language: str) -> Mapping[str, RulesFigure]:
    return {
        name: RulesFigure(
            name,
            drawn(figure, look, shared_prefix=_SHARED),
            _(figure.caption),
            reverse("figure", args=[family, name]),
        )
        for name, figure in of_family(family).items()
    }


@cache
def of_family(family: str) -> Mapping[str, Figure]:
    """The figures of a game by name, not yet drawn."""
    return {figure.name: figure for figure in games.family_of(family).presentation.figures()}
