"""Moves tried out on the figures of the rules: by clicks, by links, and the rules' answers to them."""

from __future__ import annotations

import re

import pytest
from django.test import Client

import games
from tournaments.errors import RefusedError
from tournaments.views.games.move_selection import MoveSelection
from tournaments.views.rules import figures, tryout

FAMILIES = [family.name for family in games.available()]
ALL = [(family, name) for family in FAMILIES for name in figures.of_family(family)]


@pytest.mark.parametrize(("family", "name"), ALL, ids=[f"{f}-{n}" for f, n in ALL])
@pytest.mark.part(0.3)
def test_every_figure_can_be_moved_on(client: Client, db: None, family: str, name: str) -> None:
    """Any legal move is played, and an illegal one is refused with a paragraph of this game's rules."""
    url = f"/games/{family}/figures/{name}/"
    position = figures.of_family(family)[name].position
    for move in position.legal_moves()[:1]:
        page = client.get(url, {"try": move})
        assert page.status_code == 200
        assert list(page.context["page"].moves) == [move]
    refused = client.get(url, {"try": "Z9-Z8"})
    assert refused.status_code == 200
    assert refused.context["rule_url"].startswith(f"/games/{family}/#{family}")


def clicked(position: games.Position, *cells: str) -> str:
    return tryout.attempted(position, MoveSelection.of(position, ()).choices, cells)


def test_clicks_mean_moves_that_the_rules_may_refuse() -> None:
    morelli = figures.of_family("morelli")
    assert clicked(morelli["capture"].position, "A7") == ""
    assert clicked(morelli["capture"].position, "A7", "D7") == "A7-D7 xE7"
    assert clicked(morelli["capture"].position, "A7", "A8") == "A7-A8"
    placement = games.load("morelli(size=5,setup=placement)").initial()
    assert clicked(placement, "C3") == "@C3"
    morlox = figures.of_family("morlox")
    assert clicked(morlox["three"].position, "d4") == "d4"
    assert clicked(morlox["three"].position, "b4") == "b4x"
    perfect = figures.of_family("perfect")
    assert clicked(perfect["start"].position, "a1") == "+a1"
    assert clicked(perfect["step"].position, "d4", "j4") == "d4-j4"
    caught = perfect["capture"].position.play("d4xf6")
    assert clicked(caught, "e5") == "@e5"


def test_a_figure_is_walked_by_links_alone(client: Client, db: None) -> None:
    url = "/games/morelli/figures/capture/"
    page = client.get(url, {"path": "A7"})
    assert "?try=A7-D7%20xE7" in page.content.decode()
    assert "?try=A7-A8" in page.content.decode()
    page = client.get(url, {"moves": "A7-D7_xE7", "try": "I6-H6"})
    assert page.context["page"].moves == ["A7-D7 xE7", "I6-H6"]
    assert page.context["page"].back_url == f"{url}?moves=A7-D7_xE7"


def test_a_study_is_played_through_by_links_alone(client: Client, db: None) -> None:
    url = "/games/morelli/figures/study_won/"
    figure = figures.of_family("morelli")["study_won"]
    for line in figure.lines:
        for count, move in enumerate(line):
            examples = client.get(url, {"moves": ";".join(line[:count])}).context["page"].examples
            onwards = next(example.url for example in examples if example.move == move)
            assert client.get(onwards).context["page"].moves == list(line[: count + 1])


def test_tried_moves_are_no_pages_for_search_engines(client: Client, db: None) -> None:
    url = "/games/morelli/figures/capture/"
    mark = '<meta name="robots" content="noindex, nofollow">'
    assert mark not in client.get(url).content.decode()
    for query in ({"try": "A7-A8"}, {"try": "Z9-Z8"}, {"moves": "A7-D7_xE7"}, {"path": "A7"}):
        page = client.get(url, query).content.decode()
        assert mark in page
        links = re.findall(r"<a\b[^>]*/figures/capture/\?[^>]*>", page)
        assert links
        assert all('rel="nofollow"' in link for link in links)


def test_a_refusal_keeps_what_was_played_before(client: Client, db: None) -> None:
    page = client.get("/games/morelli/figures/capture/", {"moves": "A7-D7_xE7", "try": "I6-I7"})
    assert page.context["page"].moves == ["A7-D7 xE7"]
    assert 'href="/games/morelli/#morelli-2015-4.2.1">4.2.1</a>' in page.content.decode()


@pytest.mark.parametrize(
    "query",
    [
        {"moves": "garbage"},
        {"moves": ";" * 20_000},
        {"moves": "A7-D7_xE7;" * 500},
        {"moves": "garbage", "try": "A7-D7 xE7"},
        {"path": "A7,A7,A7"},
        {"path": "Z99"},
        {"path": "<script>"},
        {"try": "x" * 5_000},
        {"try": "\x07"},
    ],
)
def test_what_is_no_move_at_all_leaves_the_figure_standing(
    client: Client, db: None, query: dict[str, str]
) -> None:
    page = client.get("/games/morelli/figures/capture/", query)
    assert page.status_code == 200
    assert page.context["page"].moves == []
    assert "<script>" not in page.content.decode()


def test_no_more_moves_are_tried_than_a_page_can_bear() -> None:
    figure = figures.of_family("morlox")["three"]
    with pytest.raises(RefusedError) as refused:
        tryout.played(figure, ["a1"] * 201)
    assert refused.value.code == "illegal-move"


@pytest.mark.parametrize("path", ["nix/figures/capture/", "morelli/figures/nix/"])
def test_figures_that_do_not_exist_are_not_found(client: Client, db: None, path: str) -> None:
    assert client.get(f"/games/{path}").status_code == 404
