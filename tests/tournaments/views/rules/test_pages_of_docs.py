"""The pages of the games in `docs/games`: their figures are drawn by the code, their examples are legal.

`WRITE_PICTURES=1 python3 manage.py test tests/tournaments/views/rules/test_pages_of_docs.py` writes the figures.
"""

from __future__ import annotations

import os
import re

import pytest
from django.conf import settings

import games
from games import svg
from tournaments.views.rules import figures

_DOCS = settings.BASE_DIR / "docs"
_PAGES = [each.name for each in games.available() if (_DOCS / f"games/{each.name}.md").exists()]
_PLACES = [
    place
    for path in sorted((_DOCS / "games").glob("*.md"))
    for place in re.findall(r"\(\.\./img/figure-([a-z]+)-(\w+)\.svg\)", path.read_text())
]


@pytest.mark.parametrize(("family", "name"), _PLACES)
def test_a_figure_of_the_docs_is_that_of_the_rules_page(family: str, name: str) -> None:
    path = _DOCS / f"img/figure-{family}-{name}.svg"
    drawing = str(figures.drawn(figures.of_family(family)[name], svg.Look())) + "\n"
    if os.environ.get("WRITE_PICTURES"):
        path.write_text(drawing)
    assert path.read_text() == drawing


@pytest.mark.parametrize("family", _PAGES)
def test_a_page_of_a_game_has_figures(family: str) -> None:
    assert family in {each for each, _name in _PLACES}


@pytest.mark.parametrize("family", _PAGES)
def test_the_moves_of_the_notation_are_legal_in_a_figure_or_at_a_start(family: str) -> None:
    text = (_DOCS / f"games/{family}.md").read_text().partition("## Notation by example")[2]
    examples = re.findall(r"^\| `([^`]+)` \|", text, re.MULTILINE)
    positions = [figure.position for figure in figures.of_family(family).values()]
    starts = ("morelli(edition=original,size=13)", "morelli(size=9,setup=placement)")
    positions += [games.load(key).initial() for key in starts if key.startswith(family)]
    legal = {move for position in positions for move in position.legal_moves()}
    assert examples
    assert set(examples) <= legal
