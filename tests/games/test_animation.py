"""A game as one animated file: its picture at each time, and the end without motion."""

from __future__ import annotations

import random
import re
from xml.etree import ElementTree

import pytest

import games
from games.animation import END_S, PLY_S, changed_cells, replay_svg

NAMESPACE = "{http://www.w3.org/2000/svg}"


def played(key: str) -> tuple[list[games.Position], list[str]]:
    rng, moves = random.Random(3), []
    positions = [games.load(key).initial(seed=3)]
    while positions[-1].outcome() is None:
        moves.append(positions[-1].random_move(rng))
        positions.append(positions[-1].play(moves[-1]))
    return positions, moves


@pytest.fixture(params=["morelli(size=5)", "morlox(size=5)", "perfect(limit=20)"])
def game(request) -> tuple[list[games.Position], list[str]]:
    return played(request.param)


def seen(element: ElementTree.Element, ply: int) -> bool:
    """Return whether an element of the file is visible while the position after `ply` is shown."""
    span = re.search(r"t(\d+)-(\d+)", element.get("class", ""))
    return span is None or int(span[1]) <= ply < int(span[2])


def test_pieces_of_every_position_are_seen_at_its_time(game):
    positions, moves = game
    root = ElementTree.fromstring(replay_svg(positions, moves, title="Test").text)  # noqa: S314
    pieces = root.findall(f"{NAMESPACE}g")[2].findall(f"{NAMESPACE}use")
    for ply, position in enumerate(positions):
        tokens = sorted(use.get("href", "")[3:] for use in pieces if seen(use, ply))
        assert tokens == sorted(cell.piece for cell in position.cells() if cell.piece)


def test_each_ply_has_its_number_and_its_text_under_the_board(game):
    positions, moves = game
    root = ElementTree.fromstring(replay_svg(positions, moves, title="Test").text)  # noqa: S314
    captions = [text for text in root.iter(f"{NAMESPACE}text") if text.get("class")]
    for ply, move in enumerate(moves, start=1):
        assert [text.text for text in captions if seen(text, ply)] == [f"{ply}. {move}"]


def test_without_motion_the_end_remains(game):
    positions, moves = game
    animation = replay_svg(positions, moves, title="Test")
    root = ElementTree.fromstring(animation.text)  # noqa: S314
    for element in root.iter():
        if element.get("class", "").startswith("t "):
            assert (element.get("visibility") != "hidden") == seen(element, len(moves))
    assert animation.style.startswith("@media (prefers-reduced-motion:no-preference){")


def test_every_span_has_its_frames_and_every_picture_its_definition(game):
    text = replay_svg(*game, title="Test").text
    assert set(re.findall(r'class="t (t[\d-]+)"', text)) <= set(
        re.findall(r"@keyframes (t[\d-]+)", text)
    )
    assert set(re.findall(r'href="#([^"]+)"', text)) <= set(re.findall(r'id="([^"]+)"', text))
    assert set(re.findall(r"url\(#([^)]+)\)", text)) <= set(re.findall(r'id="([^"]+)"', text))


def test_the_frames_of_a_span_begin_and_end_when_its_positions_do(game):
    positions, moves = game
    style = replay_svg(positions, moves, title="Test").style
    duration_s = PLY_S * len(moves) + END_S

    def at(ply: int) -> float:
        return 100 * ply * PLY_S / duration_s

    frames = re.findall(r"@keyframes t(\d+)-(\d+)\{((?:[^{}]+\{[^{}]*\})+)\}", style)
    assert len(frames) > 2
    for first, end, steps in frames:
        times = [
            (float(moment.removesuffix("%")), visibility)
            for moments, visibility in re.findall(r"([^{}]+)\{visibility:(\w+)\}", steps)
            for moment in moments.replace("to", "100%").split(",")
        ]
        expected = [(at(int(first)), "visible")]
        if int(first):
            expected.insert(0, (0, "hidden"))
        if int(end) <= len(moves):
            expected += [(at(int(end)), "hidden"), (100, "hidden")]
        assert [name for _, name in times] == [name for _, name in expected]
        assert [moment for moment, _ in times] == pytest.approx([m for m, _ in expected], abs=1e-3)


def test_file_has_no_script_and_a_title_as_text():
    text = replay_svg(*played("morelli(size=5)"), title="<script>&").text
    assert "<script" not in text
    assert "&lt;script&gt;&amp;" in text


def test_game_without_moves_stands_still():
    positions = [games.load("morlox(size=5)").initial()]
    assert "@keyframes" not in replay_svg(positions, [], title="Test").text


def test_long_game_is_of_moderate_size():
    """The longest game of the Perfect Game has 480 plies. Its file has the size of a photograph."""
    positions, moves = played("perfect()")
    assert len(moves) == 480
    assert len(replay_svg(positions, moves, title="Test").text) < 400_000


def test_what_a_move_turned_is_changed_and_its_own_cells_are_not():
    before = games.load("morlox(size=5)").parse("...../..b../.bwb./...../..... b 4 -")
    after = before.play("c3x")
    assert changed_cells(before.cells(), after.cells(), ["c3"]) == []
    assert changed_cells(before.cells(), after.cells(), []) == ["c3"]
