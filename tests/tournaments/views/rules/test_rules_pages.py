"""The rules pages: they contain each paragraph that refused moves cite, and their figures obey the rules they show."""

from __future__ import annotations

import gzip
import random
import re
from pathlib import Path

import pytest
from django.test import Client

import games
from games import palette
from games.morelli.editions import Edition, Law
from tournaments.edges import answers
from tournaments.errors import RefusedError
from tournaments.views import preferences
from tournaments.views.rules import figures

ROOT = Path(games.__file__).parent
FAMILIES = [family.name for family in games.available()]
RULESETS = [
    "morelli(size=5,setup=placement)",
    "morelli(edition=original,size=5)",
    "morelli(edition=original,size=5,setup=free)",
    *(family.presentation.check_board for family in games.available()),
]


def cited_in_sources() -> set[str]:
    """Every rule the sources of the games can cite: Morelli's by its table, the others as they are written."""
    rules = {edition.cite(law) for edition in Edition for law in Law}
    for family in FAMILIES:
        text = "".join(path.read_text() for path in (ROOT / family).glob("*.py"))
        rules |= set(re.findall(r'rule="([\w/.-]+)"', text))
        rules |= {f"{family}/{name}" for name in re.findall(r'refusal\(\s*"([\w-]+)"', text)}
    return rules


def refused_at_random(key: str, seed: int) -> set[str]:
    """The rules by which moves of one game are refused in another position of it, and nonsense at any time."""
    rng, position = random.Random(seed), games.load(key).initial(seed=seed)
    moves, rules = ["", "pass", "swap", "agree", "@A1", "@a1", "+e5", "a1-a2", "A1-A2 xB2*"], set()
    while position.outcome() is None:
        for move in rng.sample(moves, min(len(moves), 12)):
            if move == "agree":
                continue
            try:
                position.play(move)
            except games.IllegalMoveError as error:
                rules.add(error.rule)
        moves.append(position.random_move(rng))
        position = position.play(moves[-1])
    return rules


def anchors(client: Client, family: str) -> list[str]:
    return re.findall(r'\bid="([^"]+)"', client.get(f"/games/{family}/").content.decode())


@pytest.mark.django_db
def test_every_rule_the_sources_cite_has_its_anchor(client: Client) -> None:
    ids = {family: set(anchors(client, family)) for family in FAMILIES}
    for rule in sorted(cited_in_sources()):
        path, _, anchor = answers.rule_url(rule).partition("#")
        assert anchor in ids[path.split("/")[2]], rule


@pytest.mark.parametrize("key", RULESETS)
def test_rules_met_in_play_are_among_those_the_sources_cite(key: str) -> None:
    met = set.union(*(refused_at_random(key, seed) for seed in range(3)))
    assert met
    assert met <= cited_in_sources()


@pytest.mark.django_db
@pytest.mark.parametrize("family", FAMILIES)
def test_ids_on_a_rules_page_are_unique(client: Client, family: str) -> None:
    ids = anchors(client, family)
    assert sorted(ids) == sorted(set(ids))


@pytest.mark.django_db
@pytest.mark.parametrize("family", FAMILIES)
def test_links_within_a_rules_page_lead_somewhere(client: Client, family: str) -> None:
    page = client.get(f"/games/{family}/").content.decode()
    targets = set(re.findall(r'href="#([^"]+)"', page)) - {"main"}
    assert targets <= set(anchors(client, family))


@pytest.mark.django_db
def test_every_sign_of_a_decision_leads_to_its_text(client: Client) -> None:
    decisions = Path(ROOT.parent / "docs/games/decisions.md").read_text()
    page = client.get("/games/perfect/").content.decode()
    entries = re.findall(r'<li id="decision-(D-P\d+)"><span class="cite">\1</span> (\w+)', page)
    assert [sign for sign, _word in entries] == re.findall(r"^### (D-P\d+): ", decisions, re.M)
    signs = re.findall(r'<a class="cite" href="#([^"]+)">(D-P\d+)</a>', page)
    assert signs
    assert all(anchor == f"decision-{sign}" for anchor, sign in signs)


@pytest.mark.django_db
def test_paragraphs_of_the_set_up_that_no_refusal_cites_have_their_anchors(client: Client) -> None:
    paragraphs = {"2.5", "2.6", "5.3", "6.3.2"}
    assert {f"morelli-original-{number}" for number in paragraphs} <= set(
        anchors(client, "morelli")
    )


@pytest.mark.django_db
def test_the_table_of_colours_has_those_that_the_board_is_drawn_with(client: Client) -> None:
    page = client.get("/games/morelli/").content.decode()
    table = page.partition('id="colours"')[2].partition("</table>")[0]
    rows = re.findall(
        r'fill="(#\w{6})".*?<td class="number">(\d+)</td>' + r'<td class="number">(\d+)</td>' * 2,
        table,
    )
    bands = [*reversed(palette.PALETTES["official"].bands[:7])]
    assert [colour for colour, *_levels in rows] == bands
    assert [f"#{int(r):02x}{int(g):02x}{int(b):02x}" for _, r, g, b in rows] == bands


@pytest.mark.django_db
@pytest.mark.parametrize("family", FAMILIES)
def test_every_figure_is_shown(client: Client, family: str) -> None:
    page = client.get(f"/games/{family}/").content.decode()
    for name in figures.of_rules(family):
        assert f'id="figure-{name}-title"' in page


@pytest.mark.django_db
@pytest.mark.parametrize("has_numbers", [False, True])
@pytest.mark.parametrize("family", FAMILIES)
def test_the_figures_of_a_page_refer_to_definitions_that_exist_once(
    client: Client, family: str, has_numbers: bool
) -> None:
    client.cookies[preferences.COOKIE] = f"numbers={'on' if has_numbers else 'off'}"
    page = client.get(f"/games/{family}/").content.decode()
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    pictures = "".join(re.findall(r"<svg.*?</svg>", page, re.DOTALL))
    references = re.findall(r'<use href="#([^"]+)"|url\(#([^)]+)\)', pictures)
    assert {"".join(each) for each in references} <= set(ids)


@pytest.mark.django_db
@pytest.mark.parametrize("family", FAMILIES)
def test_a_rules_page_is_light(client: Client, family: str) -> None:
    """The page and the 90 kB that all pages share stay below 120 kB."""
    page = client.get(f"/games/{family}/", headers={"accept-encoding": "gzip"})
    assert page["Content-Encoding"] == "gzip"
    assert len(page.content) < 28_000


@pytest.mark.django_db
@pytest.mark.parametrize("family", FAMILIES)
def test_the_board_of_a_figure_is_the_link_that_makes_it_playable(
    client: Client, family: str
) -> None:
    page = client.get(f"/games/{family}/").content.decode()
    for figure in figures.of_rules(family).values():
        assert f'href="{figure.url}" data-try><svg' in page


def test_refusal_without_a_rule_has_no_address() -> None:
    assert answers.rule_url(RefusedError("game-over").rule) == ""
    assert RefusedError("game-over").paragraph == ""


@pytest.mark.parametrize(
    "family", [each.name for each in games.available() if each.presentation.nutshell]
)
def test_the_nutshell_has_a_small_animation_that_a_reader_can_close(
    family: str, client: Client, db: None
) -> None:
    page = client.get(f"/games/{family}/").content.decode()
    nutshell = page.partition('<div class="nutshell">')[2].partition("</div>")[0]
    assert "<details open>" in nutshell
    address = re.findall(r'<img src="([^"]+)"', nutshell)[0]
    answer = client.get(address)
    assert answer["Content-Type"] == "image/svg+xml"
    assert "prefers-reduced-motion:no-preference" in answer.content.decode()
    assert len(gzip.compress(answer.content)) < 15_000
    client.cookies["settings"] = "motion=reduced"
    assert "<details>" in client.get(f"/games/{family}/").content.decode()


@pytest.mark.parametrize(
    "path", ["chess/figures/capture", "morelli/figures/x", "morelli/figures/board"]
)
def test_a_figure_without_a_move_has_no_animation(path: str, client: Client) -> None:
    assert client.get(f"/games/{path}.svg").status_code == 404
