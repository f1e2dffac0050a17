"""The figures of the rules pages: the code that plays the games confirms each caption."""

from __future__ import annotations

import pytest

import games
from tests.games import families
from tournaments.views.rules import figures

FAMILIES = [family.name for family in games.available()]
ALL = [(family, name) for family in FAMILIES for name in figures.of_family(family)]


@pytest.mark.parametrize(("family", "name"), ALL, ids=[f"{f}-{n}" for f, n in ALL])
def test_what_the_caption_says_is_so(family: str, name: str) -> None:
    families.of(family).CLAIMS[name](figures.of_family(family)[name])


def test_every_figure_has_its_caption_and_its_claim() -> None:
    for family in FAMILIES:
        named = games.family_of(family).presentation.figures()
        assert len({figure.name for figure in named}) == len(named)
        assert {figure.name for figure in named} == set(families.of(family).CLAIMS)
        assert all(figure.caption for figure in named)


@pytest.mark.parametrize(("family", "name"), ALL, ids=[f"{f}-{n}" for f, n in ALL])
def test_every_move_to_click_through_is_legal_and_written_out(family: str, name: str) -> None:
    figure = figures.of_family(family)[name]
    for move in figure.moves:
        assert figure.position.canonical(move) == move
    for line in figure.lines:
        position = figure.position
        for move in line:
            assert position.canonical(move) == move
            position = position.play(move)
