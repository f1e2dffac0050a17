"""The analysis board: access, trees in addresses and under short links, pasted texts."""

from __future__ import annotations

import html
import json
from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.db import IntegrityError, transaction
from django.http.response import HttpResponseBase
from django.test import Client
from django.urls import reverse

import games
from games import variations
from tests.tournaments import pages
from tournaments import limits
from tournaments.errors import NotAllowedError, TooManyError
from tournaments.models import Game, Study, User
from tournaments.models.studies import MAX_TREE_TEXT
from tournaments.queries.records import analyses, game_records
from tournaments.services.accounts import throttles
from tournaments.services.games import game_creation, play
from tournaments.services.records import studies

KEY = "morelli(edition=revised,size=5,setup=random)"
START = games.load(KEY).initial(ring="BBBBBBBB")
URL = "/analysis/"
DAY_MS = 86_400_000


def fields(tree: str = "", at: int = 0) -> dict[str, str]:
    return {"rules": KEY, "start": START.text(), "tree": tree, "at": str(at)}


def page_fields(answer: HttpResponseBase) -> dict[str, str]:
    """Return the fields in the address to which an answer leads."""
    assert answer.status_code == 302
    query = parse_qs(urlsplit(answer["Location"]).query)
    return {name: values[0] for name, values in query.items()}


@pytest.mark.parametrize(("largest_kept", "plays"), [(3, 1), (2, 2)], ids=["kept", "too large"])
def test_the_moves_of_an_analysis_are_played_once(
    monkeypatch: pytest.MonkeyPatch, largest_kept: int, plays: int
) -> None:
    """A tree of three nodes."""
    trees: list[variations.Tree] = []
    positions = variations.positions

    def counted(tree: variations.Tree, *arguments: Any) -> Sequence[games.Position]:
        trees.append(tree)
        return positions(tree, *arguments)

    analyses._kept_positions.cache_clear()
    monkeypatch.setattr(variations, "positions", counted)
    monkeypatch.setattr(analyses, "_LARGEST_KEPT", largest_kept)
    for _ in range(2):
        analysis = analyses.analyse(analyses.new(KEY, START.text()), tree="A1-B2;E1-D2", at=2)
        assert analysis.position == START.play("A1-B2").play("E1-D2")
    assert len(trees) == plays


def test_equal_trees_of_different_starts_have_positions_of_their_own() -> None:
    starts = [START, games.load(KEY).initial(ring="WWWWWWWW")]
    for start in starts:
        assert analyses.analyse(analyses.new(KEY, start.text()), tree="").position == start


@pytest.fixture
def over(ana: User, ben: User) -> Game:
    game_of_two = pages.new_game(ana.player, ben.player)
    pages.play_out(game_of_two)
    return game_of_two


def running(ana: User, ben: User, *, is_rated: bool, initial_ms: int = 600_000) -> Game:
    return game_creation.create_game(
        ruleset=KEY,
        setup="ring=BBBBBBBB",
        first=ana.player,
        second=ben.player,
        clock=game_creation.Clock(initial_ms, 0),
        is_rated=is_rated,
    )


def test_moves_of_both_sides_grow_into_a_tree(client: Client, db: None) -> None:
    query = fields()
    for move in ("A1-B2", "E1-D2"):
        query = page_fields(client.post(URL, {**query, "move": move}))
    assert (query["tree"], query["at"]) == ("A1-B2;E1-D2", "2")
    query = page_fields(client.post(URL, {**query, "at": "1", "move": "E2-D3"}))
    assert (query["tree"], query["at"]) == ("A1-B2;E1-D2(E2-D3)", "3")
    page = client.get(URL, query).context["page"]
    assert page.position == START.play("A1-B2").play("E2-D3")
    assert page.is_side_line


def test_lines_are_named_promoted_and_deleted(client: Client, db: None) -> None:
    query = fields("A1-B2;E1-D2(E2-D3)", 3)
    named = page_fields(client.post(URL, {**query, "do": "name", "name": "quieter {x}"}))
    assert named["tree"] == "A1-B2;E1-D2(E2-D3{quieter x})"
    promoted = page_fields(client.post(URL, {**query, "do": "promote"}))
    assert (promoted["tree"], promoted["at"]) == ("A1-B2;E2-D3(E1-D2)", "2")
    deleted = page_fields(client.post(URL, {**query, "do": "delete"}))
    assert (deleted["tree"], deleted["at"]) == ("A1-B2;E1-D2", "1")


def test_the_name_of_a_line_is_text(client: Client, db: None) -> None:
    page = client.get(URL, fields("A1-B2;E1-D2(E2-D3{<b>quiet</b>})", 3)).content.decode()
    assert '<span class="line-name">&lt;b&gt;quiet&lt;/b&gt;</span><button' in page
    assert "<b>quiet" not in page


def test_illegal_move_is_refused_with_its_paragraph_and_the_board_stays(
    client: Client, db: None
) -> None:
    answer = client.post(URL, {**fields("A1-B2", 1), "move": "E1-E5"})
    assert answer.status_code == 422
    assert "/games/morelli/#morelli-2015-" in answer.content.decode()
    assert answer.context["page"].at == 1
    assert 'value="E1-E5"' in answer.content.decode()


def test_a_move_is_two_links_and_a_button_without_a_script(client: Client, db: None) -> None:
    page = client.get(URL, fields()).content.decode()
    cells = [html.unescape(part.partition('"')[0]) for part in page.split('cell-link" href="')[1:]]
    first = next(cell for cell in cells if "path=A1" in cell)
    page = client.get(first.partition("#")[0]).content.decode()
    assert "path=A1,B2" in page
    page = client.get(URL, {**fields(), "path": "A1,B2"}).content.decode()
    assert 'name="move" value="A1-B2"' in page


def test_game_is_analysed_from_any_ply_and_its_moves_need_no_room(
    client: Client, over: Game
) -> None:
    page = client.get(URL, {"game": over.pk, "at": 1}).context["page"]
    assert page.shown_move.startswith("1. ")
    assert page.back == 0
    moves = game_records.record_of(over).moves
    other = next(m for m in START.__class__.legal_moves(page.position) if m != moves[1])
    query = page_fields(
        client.post(URL, {"game": over.pk, "tree": f"={over.ply}", "at": 1, "move": other})
    )
    assert query["game"] == str(over.pk)
    assert query["tree"] == f"=2({other.replace(' ', '_')});={over.ply - 2}"


def test_own_game_waits_until_it_is_over_unless_it_is_casual_or_by_correspondence(
    ana: User, ben: User, over: Game
) -> None:
    live = running(ana, ben, is_rated=True)
    with pytest.raises(NotAllowedError, match="analysis-own-game"):
        analyses.of_game(live, ana.player)
    assert analyses.may_analyse(live, None)
    assert analyses.may_analyse(over, "first")
    assert analyses.may_analyse(running(ana, ben, is_rated=False), "first")
    assert analyses.may_analyse(running(ana, ben, is_rated=True, initial_ms=DAY_MS), "second")
    play.resign(game_id=live.pk, player=ana.player)
    live.refresh_from_db()
    assert analyses.may_analyse(live, "first")


def test_page_refuses_the_own_game_and_its_panel_does_not_lead_there(
    client: Client, ana: User, ben: User
) -> None:
    live = running(ana, ben, is_rated=True)
    link = f"{URL}?game={live.pk}"
    assert link in html.unescape(client.get(live.get_absolute_url()).content.decode())
    assert link not in html.unescape(
        pages.member(ana).get(live.get_absolute_url()).content.decode()
    )
    assert client.get(link).status_code == 200
    answer = pages.member(ana).get(link)
    assert answer.status_code == 403
    assert "when it is over" in answer.content.decode()


def test_short_link_keeps_the_tree_the_place_and_the_game(client: Client, over: Game) -> None:
    tree = f"={over.ply}"
    answer = client.post(URL, {"game": over.pk, "tree": tree, "at": 2, "do": "share"})
    study = Study.objects.get()
    assert answer["Location"] == f"/a/{study.key}/"
    page = client.get(answer["Location"])
    assert page.context["page"].shown_move.startswith("1... ")
    assert page.context["game"] == over
    assert 'property="og:title" content="Morelli 5×5: Ana – Ben"' in page.content.decode()
    assert f"/preview/analysis/{study.key}.png" in page.content.decode()
    assert client.get(f"/a/{study.key}/board.svg")["Content-Type"] == "image/svg+xml"


def test_the_same_is_kept_once_and_something_else_under_another_key(db: None) -> None:
    def study_of(tree: str, at: int) -> Study:
        return studies.keep(
            analyses.analyse(analyses.new(KEY, START.text()), tree=tree, at=at),
            visitor=throttles.Visitor(),
        )

    assert study_of("A1-B2", 1) == study_of("A1-B2", 1)
    assert len({study_of("A1-B2", 1).key, study_of("A1-B2", 0).key, study_of("", 0).key}) == 3
    assert Study.objects.count() == 3


def test_what_was_kept_is_changed_under_another_address(client: Client, db: None) -> None:
    study = studies.keep(
        analyses.analyse(analyses.new(KEY, START.text()), tree="A1-B2;E1-D2", at=2),
        visitor=throttles.Visitor(),
    )
    query = page_fields(
        client.post(URL, {"study": study.key, "tree": "=2", "at": 1, "move": "E2-D3"})
    )
    assert query == {"study": study.key, "tree": "=2(E2-D3)", "at": "3"}
    study.refresh_from_db()
    assert study.tree == "A1-B2;E1-D2"


def test_a_tree_too_long_for_an_address_is_kept_under_a_short_one(client: Client, db: None) -> None:
    moves = START.legal_moves()
    tree = moves[0] + "".join(f"({move}{{{'x' * 60}}})" for move in moves[1:])
    replies = START.play(moves[0]).legal_moves()
    tree += ";" + replies[0] + "".join(f"({m}{{{'y' * 60}}})" for m in replies[1:-1])
    tree = tree.replace(" ", "_")
    answer = client.post(URL, {**fields(tree, 1), "move": replies[-1]})
    study = Study.objects.get()
    assert answer["Location"] == f"/a/{study.key}/"
    assert client.get(answer["Location"]).context["page"].shown_move.startswith("1... ")


def test_looking_keeps_nothing(client: Client, over: Game) -> None:
    for query in (fields("A1-B2;E1-D2", 1), {"game": str(over.pk)}):
        assert client.get(URL, query).status_code == 200
    assert not Study.objects.exists()


def test_no_more_is_kept_in_a_day_than_people_share(
    db: None, with_limits: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_place = limits.Limit("studies", limits.By.NETWORK, 1, timedelta(days=1))
    monkeypatch.setattr(limits, "STUDIES_OF_PLACE", of_place)
    one, other = (throttles.Visitor(address=f"192.0.2.{n}") for n in (1, 2))
    first = analyses.analyse(analyses.new(KEY, START.text()), tree="A1-B2")
    second = analyses.analyse(analyses.new(KEY, START.text()), tree="A2-B3")
    assert studies.keep(first, visitor=one) == studies.keep(first, visitor=one)
    with pytest.raises(TooManyError, match="studies-by-network"):
        studies.keep(second, visitor=one)
    studies.keep(second, visitor=other)


@pytest.mark.parametrize("changes", [{"key": "short"}, {"start": ""}, {"tree": "x" * 60_001}])
def test_database_refuses_studies_of_another_form(db: None, changes: dict[str, str]) -> None:
    study = studies.keep(
        analyses.analyse(analyses.new(KEY, START.text())), visitor=throttles.Visitor()
    )
    with pytest.raises(IntegrityError), transaction.atomic():
        Study.objects.filter(pk=study.key).update(**changes)


PASTED = games.Record(KEY, "ring=BBBBBBBB", ("A1-B2", "E1-D2"))


@pytest.mark.parametrize(
    "text",
    [
        PASTED.text(),
        PASTED.text().replace("\n", "\r\n"),
        f"\ufeff\n{PASTED.text().strip()}   ",
        json.dumps(
            {
                "schema": "rayuela-record/1",
                "ruleset": KEY,
                "setup": "ring=BBBBBBBB",
                "result": None,
                "ending": None,
                "plies": [{"number": 1, "move": "A1-B2"}, {"number": 2, "move": "E1-D2"}],
            }
        ),
    ],
    ids=["text", "windows", "stripped", "json"],
)
def test_records_are_loaded_however_the_clipboard_has_them(
    client: Client, db: None, text: str
) -> None:
    query = page_fields(client.post("/analysis/load/", {"text": text, "ruleset": "perfect()"}))
    assert query == fields("A1-B2;E1-D2")


def test_position_is_loaded_for_the_chosen_game(client: Client, db: None) -> None:
    position = START.play("A1-B2")
    query = page_fields(client.post("/analysis/load/", {"text": position.text(), "ruleset": KEY}))
    assert client.get(URL, query).context["page"].position == position


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "Paste a position"),
        ("garbage", "not a position of the chosen game"),
        ("<script>alert(1)</script>", "not a position of the chosen game"),
        ("[Game", "line 1"),
        (PASTED.text().replace("E1-D2", "E1-E5"), "line 7"),
        (PASTED.text().replace("2. ", "7. "), "line 7"),
        (PASTED.text().replace("morelli", "chess"), "chess"),
        ("{\n  oops", "line 2, column 3"),
        ("{" * 100_000, "column"),
        ("x" * 500_000, "not a position of the chosen game"),
    ],
    ids=range(10),
)
def test_what_cannot_be_loaded_is_named_and_stays_in_the_field(
    client: Client, db: None, text: str, named: str
) -> None:
    answer = client.post("/analysis/load/", {"text": text, "ruleset": KEY})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert named in html.unescape(page)
    assert html.escape(text[:1000]).replace("&#x27;", "&#39;")[:900] in page.replace(
        "&#x27;", "&#39;"
    )
    assert "<script>alert" not in page


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ({"rules": "chess"}, "Unknown game or option"),
        ({"rules": "morelli(size=6)"}, "Unknown game or option"),
        ({"rules": KEY, "start": "garbage"}, "not a position"),
        (fields("A1-B2;"), "column 6"),
        (fields("A1-B2;E1-E5"), "column 7"),
        (fields("x" * 70_000), "longer than"),
        (fields("A1-B2", 7), "no such move"),
        ({"study": "nothing"}, "Nothing is saved"),
        ({"study": "x" * 5_000}, "Nothing is saved"),
        (fields("A1-B2{a\x07name}"), "column 6"),
    ],
    ids=range(10),
)
@pytest.mark.parametrize("method", ["get", "post"])
def test_addresses_that_say_nonsense_are_answered_with_what_is_wrong(
    client: Client, db: None, query: dict[str, str], named: str, method: str
) -> None:
    answer = getattr(client, method)(URL, query)
    assert answer.status_code == 422
    assert named in html.unescape(answer.content.decode())


@pytest.mark.parametrize(
    "path", ["analysis/?game=999", "analysis/?game=x", "a/nothing/", "a/nothing/board.svg"]
)
def test_what_does_not_exist_is_not_found(client: Client, db: None, path: str) -> None:
    assert client.get(f"/{path}").status_code == 404


def test_place_in_a_study_that_it_does_not_have_is_told(client: Client, db: None) -> None:
    study = studies.keep(
        analyses.analyse(analyses.new(KEY, START.text())), visitor=throttles.Visitor()
    )
    answer = client.get(reverse("study", args=[study.key]), {"at": "5"})
    assert answer.status_code == 422


def test_loading_takes_posts_only(client: Client, db: None) -> None:
    assert client.get("/analysis/load/").status_code == 405


def test_longest_games_fit_into_a_tree_and_a_study() -> None:
    assert MAX_TREE_TEXT >= variations.MAX_TREE
    assert (
        max(games.load(key).max_plies for key in ("morelli(size=31)", "perfect()"))
        < variations.MAX_NODES
    )
