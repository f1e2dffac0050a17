"""The record of a game on its page and in other people's: replay, files to keep, pictures, frames."""

from __future__ import annotations

import hashlib
import html
import json
import re
from base64 import b64encode
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse

import games
from games.json_record import SCHEMA
from games.record import replay as replayed
from tests.processes import ROOT
from tests.tournaments import pages
from tournaments.models import Game, Player, User
from tournaments.queries.records import game_records
from tournaments.queries.records.game_plies import PlyRow
from tournaments.services.games import play
from tournaments.text import move_numbers
from tournaments.views.games import record

RULESETS = ["morelli(size=5)", "morlox(size=5)", "perfect(limit=20)"]
DOWNLOADS = ["game-record", "game-record-json", "game-board-svg", "game-replay-svg"]


@pytest.fixture
def game(ana: User, ben: User) -> Game:
    """A finished game of Ana's and Ben's."""
    new = pages.new_game(ana.player, ben.player)
    pages.play_out(new)
    return new


@pytest.fixture
def running(ana: User, ben: User) -> Game:
    """Ana has made one move."""
    new = pages.new_game(ana.player, ben.player)
    play.play_move(game_id=new.pk, player=ana.player, ply=0, move=pages.legal(new))
    new.refresh_from_db()
    return new


@pytest.mark.long
@pytest.mark.parametrize("ruleset", RULESETS)
def test_both_files_of_a_game_read_back_to_its_end(
    client: Client, ana: User, ben: User, ruleset: str
) -> None:
    game = pages.new_game(ana.player, ben.player, ruleset)
    pages.play_out(game)
    text = client.get(reverse("game-record", args=[game.pk])).content.decode()
    contents = client.get(reverse("game-record-json", args=[game.pk])).content.decode()
    parsed = games.parse_record(text)
    assert parsed == games.parse_json(contents) == game_records.record_of(game)
    assert parsed.text(with_terminal_mark=True) == text
    assert dict(parsed.headers)["Second"] == "Ben"
    assert text.endswith("//\n") == ruleset.startswith("morelli")
    assert replayed(parsed)[-1].text() == game.position


def test_json_tells_players_clocks_and_ratings(client: Client, game: Game) -> None:
    contents = json.loads(client.get(reverse("game-record-json", args=[game.pk])).content)
    assert (contents["schema"], contents["game"], contents["cause"]) == (
        SCHEMA,
        game.pk,
        game.ending,
    )
    assert (contents["first"]["name"], contents["second"]["name"]) == ("Ana", "Ben")
    entry = game.ledger.get(side="first")
    assert contents["first"]["rating_before"] == entry.before_centielo / 100
    assert contents["first"]["rating_after"] == entry.after_centielo / 100
    plies = list(game.plies.order_by("number"))
    assert [
        (ply["number"], ply["side"], ply["move"], ply["spent_ms"], ply["remaining_ms"])
        for ply in contents["plies"]
    ] == [(p.number, p.side, p.move, p.spent_ms, p.remaining_ms) for p in plies]


def test_json_of_a_game_that_goes_on_has_no_end(client: Client, running: Game) -> None:
    contents = json.loads(client.get(reverse("game-record-json", args=[running.pk])).content)
    assert (contents["result"], contents["ending"], contents["ended_at"]) == (None, None, None)
    assert contents["first"]["rating_before"] is None
    assert len(contents["plies"]) == 1


def test_documented_members_are_those_of_the_file(client: Client, game: Game) -> None:
    contents = json.loads(client.get(reverse("game-record-json", args=[game.pk])).content)
    document = (ROOT / "docs/reference/records.md").read_text()
    section = document.partition("## JSON")[2].partition("## Reading")[0]
    named = set(re.findall(r"`([a-z_]+)`", section))
    assert set(contents) <= named
    assert set(contents["plies"][0]) <= named
    assert set(contents["first"]) <= named


@pytest.mark.parametrize(
    ("name", "content_type", "file"),
    [
        ("game-record", "text/plain; charset=utf-8", "rayuela-{}.txt"),
        ("game-record-json", "application/json", "rayuela-{}.json"),
    ],
)
def test_files_have_their_type_and_name(
    client: Client, game: Game, name: str, content_type: str, file: str
) -> None:
    answer = client.get(reverse(name, args=[game.pk]))
    assert answer["Content-Type"] == content_type
    assert answer["Content-Disposition"] == f'attachment; filename="{file.format(game.pk)}"'


@pytest.mark.parametrize("name", [*DOWNLOADS, "embed-game", "embed-live"])
def test_of_a_game_that_does_not_exist_there_is_nothing(
    client: Client, db: None, name: str
) -> None:
    assert client.get(reverse(name, args=[999])).status_code == 404


def test_panel_leads_through_the_game_by_links(client: Client, game: Game) -> None:
    last = game.ply
    for ply_or_game, leads in (
        (0, {1, last}),
        (2, {0, 1, 3, last}),
        (last, {0, last - 1}),
    ):
        page = client.get(game.get_absolute_url(), {"ply": ply_or_game}).content.decode()
        steps = page.partition('class="replay-steps"')[2].partition("</div>")[0]
        assert {int(ply) for ply in re.findall(r'href="\?ply=(\d+)"', steps)} == leads
        assert f'name="ply" min="0" max="{last}" value="{ply_or_game}"' in page


def test_every_ply_has_its_address_and_a_bar_of_its_time(client: Client, game: Game) -> None:
    page = client.get(game.get_absolute_url()).content.decode()
    listed = page.partition('<ol class="plies">')[2].partition("</ol>")[0]
    numbers = [str(number) for number in range(game.ply + 1)]
    assert re.findall(r'href="\?ply=(\d+)"', listed) == numbers
    bars = page.partition('class="clock-use"')[2].partition("</figure>")[0]
    assert len(re.findall(r'<rect class="bar (?:first|second)', bars)) == game.ply


@pytest.mark.parametrize(("plies", "has_times"), [(7, False), (8, True)])
def test_the_times_are_drawn_from_the_fourth_move_of_each_side_on(
    client: Client, ana: User, ben: User, plies: int, has_times: bool
) -> None:
    game = pages.new_game(ana.player, ben.player)
    for _ in range(plies):
        pages.move(game)
    page = client.get(game.get_absolute_url()).content.decode()
    assert ('class="clock-use"' in page) is has_times


@pytest.mark.parametrize(
    ("sides", "rows"),
    [
        ("", []),
        ("f", ["1 A1"]),
        ("fsf", ["1 A1 A2", "2 A3"]),
        ("ffs", ["1 A1 …", "2 A2 A3"]),
        ("fssf", ["1 A1 A2", "2 … A3", "3 A4"]),
        ("sfs", ["1 … A1", "2 A2 A3"]),
    ],
)
def test_the_move_list_has_a_row_for_every_pair(sides: str, rows: list[str]) -> None:
    names = {"f": "first", "s": "second"}
    plies = [
        PlyRow(number, names[side], f"A{number}", 0) for number, side in enumerate(sides, start=1)
    ]
    numbers = move_numbers.move_numbers(ply.side for ply in plies)
    listed = record.move_list(plies, numbers, shown_ply=0, given=0)
    items = re.findall(r'<li class="turn">(.*?)</li>', listed)
    assert [pages.text_of(item.encode()) for item in items] == rows
    assert re.sub(r'<li class="turn">.*?</li>', "", listed) == ""


def test_moves_are_escaped_in_the_move_list() -> None:
    plies = [PlyRow(1, "first", "A1>B2", 0), PlyRow(2, "second", "<i>", 0)]
    numbers = move_numbers.move_numbers(ply.side for ply in plies)
    listed = record.move_list(plies, numbers, shown_ply=0, given=0)
    assert re.findall(r">([^<>]+)</a>", listed) == ["A1&gt;B2", "&lt;i&gt;"]


def test_start_and_every_pair_are_rows_of_their_own(client: Client, game: Game) -> None:
    page = client.get(game.get_absolute_url()).content.decode()
    listed = page.partition('<ol class="plies">')[2].partition("</ol>")[0]
    start, first, *_ = [
        re.findall(r'href="\?ply=(\d+)"', row) for row in re.findall(r"<li.*?</li>", listed, re.S)
    ]
    assert (start, first) == (["0"], ["1", "2"])


def test_an_earlier_position_carries_neither_result_nor_ratings(client: Client, game: Game) -> None:
    def parts(query: str) -> tuple[str, str, str]:
        page = client.get(game.get_absolute_url() + query).content.decode()
        above = page.partition('data-part="top"')[2].partition('data-part="type"')[0]
        listed = page.partition('<ol class="plies">')[2].partition("</ol>")[0]
        heading = re.findall(r'<p class="status".*?</p>', page, re.DOTALL)[0]
        return tuple(pages.text_of(part.encode()) for part in (above, heading, listed))  # type: ignore[return-value]  # three

    result = "Draw" if game.result == "draw" else " won on the board"
    assert result in parts("")[1]
    assert "provisional: about" in parts("")[0]
    above, heading, listed = parts("?ply=1")
    first = game.plies.get(attempt=game.attempt, number=1).move
    assert heading == f"You are looking at the position after 1. {first}."
    assert not re.search("→|provisional|Draw|won|cannot move", above)
    assert result in listed


@pytest.mark.parametrize("ply", ["x", "-1", "99999", "9" * 50, "²"])
def test_plies_that_are_none_show_the_end(client: Client, game: Game, ply: str) -> None:
    for url in (game.get_absolute_url(), reverse("embed-game", args=[game.pk])):
        page = client.get(url, {"ply": ply})
        assert page.status_code == 200
        assert page.context["page"].shown_ply == game.ply


def test_still_picture_shows_the_ply_it_is_asked_for(client: Client, game: Game) -> None:
    url = reverse("game-board-svg", args=[game.pk])
    pictures = [client.get(url, {"ply": ply}).content for ply in (0, 1, game.ply)]
    assert len(set(pictures)) == 3
    assert client.get(url).content == pictures[2]
    for picture in pictures:
        assert ElementTree.fromstring(picture).get("viewBox")  # noqa: S314 - our own


def test_pictures_of_what_cannot_change_may_be_kept(
    client: Client, game: Game, running: Game
) -> None:
    def download(name: str, ply_or_game: Game) -> str:
        return client.get(reverse(name, args=[ply_or_game.pk]))["Cache-Control"]

    assert download("game-replay-svg", game) == "public, max-age=86400"
    assert download("game-replay-svg", running) == "public, max-age=0"
    assert download("game-board-svg", running) == "public, max-age=0"


def test_moving_picture_is_allowed_its_own_style_and_no_other(client: Client, game: Game) -> None:
    answer = client.get(reverse("game-replay-svg", args=[game.pk]))
    style = re.search(r"<style>(.*)</style>", answer.content.decode())
    assert style is not None
    digest = b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in answer["Content-Security-Policy"]
    assert "<script" not in answer.content.decode()


def test_moving_picture_follows_the_game(client: Client, ana: User, ben: User) -> None:
    game = pages.new_game(ana.player, ben.player)
    url = reverse("game-replay-svg", args=[game.pk])
    before = client.get(url).content
    move = pages.legal(game)
    play.play_move(game_id=game.pk, player=ana.player, ply=0, move=move)
    after = client.get(url).content
    assert f"1. {move}" in html.unescape(after.decode())
    assert after != before


def test_names_are_text_in_pictures_and_snippets(client: Client, game: Game, ana: User) -> None:
    hostile = "<script>\"'&"
    Player.objects.filter(pk=ana.player.pk).update(name=hostile)
    for name in ("game-replay-svg", "game-board-svg", "embed-game"):
        page = client.get(reverse(name, args=[game.pk])).content.decode()
        assert '<script>"' not in page
    page = client.get(game.get_absolute_url()).content.decode()
    snippet = html.unescape(re.findall(r'<textarea id="embed"[^>]*>(.*?)</textarea>', page)[0])
    # The snippet is HTML itself, in which the name is text once more.
    assert f'title="{html.escape(hostile)}'.replace("&#x27;", "&#39;") in snippet.replace(
        "&#x27;", "&#39;"
    )


def test_only_the_page_for_frames_may_be_framed(client: Client, game: Game) -> None:
    for name in ("embed-game", "embed-live"):
        answer = client.get(reverse(name, args=[game.pk]))
        assert "X-Frame-Options" not in answer
        assert "frame-ancestors *" in answer["Content-Security-Policy"]
    for name in ("game", "game-live", *DOWNLOADS):
        answer = client.get(reverse(name, args=[game.pk]))
        assert answer["X-Frame-Options"] == "DENY"
        assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]


def test_nothing_can_be_sent_from_a_frame(running: Game, ben: User) -> None:
    """A signed-in player who is to move can only look: a page in a foreign frame must not act."""
    page = pages.member(ben).get(reverse("embed-game", args=[running.pk])).content.decode()
    assert 'method="post"' not in page
    assert "cell-link" not in page
    assert 'id="choices"' not in page


def test_snippet_is_the_page_for_frames(client: Client, game: Game) -> None:
    page = client.get(game.get_absolute_url()).content.decode()
    snippet = html.unescape(re.findall(r'<textarea id="embed"[^>]*>(.*?)</textarea>', page)[0])
    address = re.findall(r'^<iframe src="http://[^/]+(/embed/[^"]+)"', snippet)[0]
    framed = client.get(address).content.decode()
    assert f'href="{game.get_absolute_url()}"' in framed
    assert "Ana" in framed


def test_every_part_of_the_page_numbers_moves_as_the_list_does(client: Client, game: Game) -> None:
    moves = [ply.move for ply in game.plies.filter(attempt=game.attempt).order_by("number")]
    page = client.get(f"{game.get_absolute_url()}?ply=4").content.decode()
    assert f"the position after 2... {moves[3]}." in page
    assert f"<title>2... {moves[3]}: " in page, "the bars of the clocks"
    links = re.findall(r'data-step="(\d)" data-number="([\d.]+)"', page)
    assert links[:4] == [("1", "1."), ("2", "1..."), ("3", "2."), ("4", "2...")]
    start = client.get(f"{game.get_absolute_url()}?ply=0").content.decode()
    assert "You are looking at the start of the game." in start
    tree = client.get(reverse("analysis"), {"game": game.pk}).content.decode()
    assert re.findall(r'<span class="n">([\d.]+)</span>', tree)[:4] == ["1.", "1...", "2.", "2..."]
