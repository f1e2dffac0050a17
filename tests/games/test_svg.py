"""The drawing of a board: well-formed, named, labelled, small, and safe for a strict policy."""

from __future__ import annotations

import itertools
import random
import re
from xml.etree import ElementTree as ET

import pytest

import games
from games.highlights import highlights_svg
from games.palette import DARK_INK, LIGHT_INK, PALETTES
from games.svg import Arrow, Look, Marks, board_svg, corners, definitions_svg, token_svg
from games.svg_defs import MARKS, grounds, pieces
from games.view import Cell, Goal, Shape, Trait
from tests import colours
from tests.games.rulesets import KEYS

SVG = "{http://www.w3.org/2000/svg}"


def parsed(svg):
    return ET.fromstring(svg)  # noqa: S314


def cells_in(svg):
    return [group for group in parsed(svg).iter() if group.get("data-cell")]


def ids_in(svg):
    return [element.get("id") for element in parsed(svg).iter() if element.get("id")]


def corner_of(svg, name):
    (group,) = (group for group in cells_in(svg) if group.get("data-cell") == name)
    return int(group[0].get("x")), int(group[0].get("y"))


@pytest.fixture(scope="module")
def position():
    position = games.load("morelli").initial(seed=1)
    rng = random.Random(1)
    for _ in range(40):
        position = position.play(position.random_move(rng))
    return position


def test_what_a_figure_writes_on_cells_stands_in_their_middle(position):
    svg = board_svg(position.cells(), marks=Marks(signs={"E5": "5<"}))
    (text,) = parsed(svg).iterfind(f"{SVG}g[@class='signs']/{SVG}text")
    left, _top = corner_of(svg, "E5")
    assert text.text == "5<"
    assert int(text.get("x")) == left + 20


@pytest.mark.parametrize("key", KEYS)
def test_every_ruleset_can_be_drawn_at_start_and_end(key):
    start = games.load(key).initial(seed=1)
    rng, end = random.Random(1), start
    while end.outcome() is None:
        end = end.play(end.random_move(rng))
    for position in (start, end):
        cells = position.cells()
        assert {cell.ground for cell in cells} <= set(grounds("safe"))
        assert {cell.piece for cell in cells} - {None} <= set(pieces("safe"))
        svg = board_svg(cells, position.ruleset.goals)
        assert [group.get("data-cell") for group in cells_in(svg)] == [cell.name for cell in cells]


def test_an_arrow_leads_from_the_middle_of_a_cell_to_a_little_before_that_of_the_other(position):
    svg = board_svg(position.cells(), marks=Marks(arrows=(Arrow("A1", "E1"),)))
    (arrow,) = (group for group in parsed(svg).iter() if group.get("class") == "arrow")
    (left, top), (right, _) = corner_of(svg, "A1"), corner_of(svg, "E1")
    for line in arrow:
        x1, y1, x2, y2 = (float(line.get(name)) for name in ("x1", "y1", "x2", "y2"))
        assert (x1, y1, y2) == (left + 20, top + 20, top + 20)
        assert right + 20 - 18 == x2


def test_every_reference_has_its_definition_and_ids_are_unique(position):
    everything = Marks(("A1",), ("B2",), "C3", ("D4",), (Arrow("A1", "C3"),))
    svg = board_svg(position.cells(), marks=everything, id_prefix="left")
    ids = ids_in(svg)
    assert len(ids) == len(set(ids))
    references = set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', svg))
    assert {"".join(reference) for reference in references} <= set(ids)
    assert all(name.startswith("left-") for name in ids)


def test_boards_that_share_definitions_refer_to_them_alone(position):
    everything = Marks(("A1",), ("B2",), "C3", ("D4",), (Arrow("A1", "C3"),))
    boards = [
        board_svg(position.cells(), marks=everything, id_prefix=name, shared_prefix="all")
        for name in ("left", "right")
    ]
    page = f"<div>{definitions_svg([position.cells()], id_prefix='all')}{''.join(boards)}</div>"
    ids = ids_in(page)
    assert len(ids) == len(set(ids))
    references = re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', page)
    assert {"".join(reference) for reference in references} <= set(ids)
    assert "<defs>" not in "".join(boards)


def test_boards_that_share_definitions_draw_only_what_lies_on_their_ground(position):
    cells = position.cells()
    svg = board_svg(cells, marks=Marks(last=("E5",)), shared_prefix="all")
    lying = {cell.name for cell in cells if cell.piece} | {"E5"}
    assert {group.get("data-cell") for group in cells_in(svg)} == lying
    (ground,) = parsed(svg).iterfind(f"{SVG}use")
    (shared,) = (
        group
        for group in parsed(definitions_svg([cells], id_prefix="all")).iter(f"{SVG}g")
        if f"#{group.get('id')}" == ground.get("href")
    )
    x, y = (int(ground.get(key)) for key in ("x", "y"))
    placed = {(int(use.get("x")) + x, int(use.get("y")) + y) for use in shared}
    assert placed == set(corners(cells).values())


def test_nothing_needs_inline_style_or_script(position):
    svg = board_svg(position.cells(), marks=Marks(selected="A1"))
    assert not re.search(r"style|<script|\son\w+=", svg)
    assert "~" not in svg


def test_regulation_board_is_small(position):
    names = tuple(cell.name for cell in position.cells())
    assert (
        len(board_svg(position.cells(), marks=Marks(last=names[:2], targets=names[2:40]))) <= 40_000
    )


def test_cells_have_words_for_people_who_cannot_see_them(position):
    labels = {cell.name: f"{cell.name} & what is on it" for cell in position.cells()}
    svg = board_svg(position.cells(), title="Black & White, move <40>", labels=labels)
    assert parsed(svg).get("role") == "grid"
    assert parsed(svg).findtext(f"{SVG}title") == "Black & White, move <40>"
    rows = [group for group in parsed(svg).iter(f"{SVG}g") if group.get("role") == "row"]
    assert [len(row) for row in rows] == [13] * 13
    assert [cell.get("data-cell") for cell in rows[0]][:2] == ["A13", "B13"]
    for cell in cells_in(svg):
        assert cell.get("role") == "gridcell"
        assert cell.get("aria-label") == labels[cell.get("data-cell")]


def test_a_cell_that_can_be_followed_is_a_link_within_a_cell_of_the_grid(position):
    svg = board_svg(
        position.cells(),
        labels={cell.name: f"words of {cell.name}" for cell in position.cells()},
        links={"C4": "/there/?a&b"},
    )
    (link,) = parsed(svg).iter(f"{SVG}a")
    (around,) = (group for group in parsed(svg).iter() if [*group] and group[0].tag == link.tag)
    assert link.get("role") is None
    assert (link.get("href"), link.get("aria-label")) == ("/there/?a&b", "words of C4")
    assert link.get("data-cell") == "C4"
    assert dict(around.attrib) == {"role": "gridcell"}


def test_without_words_the_board_is_one_picture(position):
    svg = board_svg(position.cells(), title="Morelli")
    assert parsed(svg).get("role") == "img"
    assert "aria-label=" not in svg


@pytest.mark.parametrize("is_flipped", [False, True])
def test_rows_are_told_in_the_order_in_which_they_are_seen(position, is_flipped):
    labels = {cell.name: cell.name for cell in position.cells()}
    svg = board_svg(position.cells(), labels=labels, is_flipped=is_flipped)
    corners = [corner_of(svg, cell.get("data-cell")) for cell in cells_in(svg)]
    assert corners == sorted(corners, key=lambda corner: (corner[1], corner[0]))


def test_coordinates_and_band_numbers_are_shown_as_asked(position):
    bare = board_svg(position.cells(), look=Look(has_coordinates=False))
    numbered = board_svg(position.cells(), look=Look(has_numbers=True))
    assert "coordinates" not in bare
    assert "band-number" not in bare
    assert "coordinates" in numbered
    # The Throne has no number.
    assert numbered.count("band-number") == 6


@pytest.mark.parametrize(
    "trait",
    [
        Trait("frame", Shape.FRAME, ("B2", "B12", "L12", "L2"), "black", "Orange 1"),
        Trait("controlled", Shape.SPOT, ("C3", "D4"), "white"),
        Trait("in-danger", Shape.SPOT, ("C3",), "red", is_firm=False),
        Trait("seen", Shape.LINE, ("A1", "A9")),
    ],
    ids=lambda trait: trait.code,
)
def test_what_is_pointed_out_is_drawn_over_the_board(position, trait):
    svg = board_svg(position.cells(), traits=[trait])
    (group,) = (g for g in parsed(svg).iter(f"{SVG}g") if g.get("class") == "traits")
    assert len(group)
    assert trait.name in svg
    assert not re.search(r"style|<script", svg)


def test_second_side_sees_the_board_turned_by_half(position):
    normal, flipped = board_svg(position.cells()), board_svg(position.cells(), is_flipped=True)
    assert corner_of(normal, "A1") == corner_of(flipped, "M13")
    assert corner_of(normal, "C2") == corner_of(flipped, "K12")


@pytest.mark.parametrize("is_flipped", [False, True])
def test_goal_edges_turn_with_the_board(is_flipped):
    cells = [Cell("a1", 0, 0, "light", None)]
    svg = board_svg(cells, [Goal("top", "black"), Goal("left", "white")], is_flipped=is_flipped)
    goals = [rect for rect in parsed(svg).iter(f"{SVG}rect") if rect.get("class") == "goal"]
    x, y = corner_of(svg, "a1")
    assert (float(goals[0].get("y")) > y) is is_flipped
    assert (float(goals[1].get("x")) > x) is is_flipped


def test_marks_are_drawn_on_their_cells(position):
    svg = board_svg(position.cells(), marks=Marks(("A1",), ("B2",), "C3", ("D4",)))
    drawn = {
        group.get("data-cell"): group[-1].get("href").removeprefix("#board-i-")
        for group in cells_in(svg)
    }
    assert {name: drawn[name] for name in ("A1", "B2", "C3", "D4")} == {
        "A1": "last",
        "B2": "target",
        "C3": "selected",
        "D4": "captured",
    }
    assert not set(MARKS) & {drawn[name] for name in drawn if name not in {"A1", "B2", "C3", "D4"}}


def test_unknown_tokens_are_drawn_plainly():
    svg = board_svg([Cell("a1", 0, 0, "swamp", "<frog>")])
    assert parsed(svg) is not None
    assert "&lt;" in svg


@pytest.mark.parametrize("palette", PALETTES)
def test_every_token_is_a_picture_of_its_own_with_what_it_refers_to(palette):
    for token in [*grounds(palette), *pieces(palette)]:
        picture = token_svg(token, look=Look(palette=palette), id_prefix="one")
        ET.fromstring(picture)  # noqa: S314
        assert "~" not in picture
        assert set(re.findall(r"url\(#([^)]+)\)", picture)) <= set(
            re.findall(r'id="([^"]+)"', picture)
        )


def test_no_two_pieces_and_no_two_grounds_look_the_same():
    for palette in PALETTES:
        drawn, lying = pieces(palette), grounds(palette, has_numbers=True)
        assert len(set(drawn.values())) == len(drawn)
        assert len(set(lying.values())) == len(lying)


def test_names_of_frames_lie_neither_on_one_another_nor_on_stones():
    cells = games.load("morelli(size=13)").initial(seed=1).cells()
    corner_of_cell = corners(cells)
    columns = "DEFGHI"
    # Six frames of one band, with their upper corners side by side.
    traits = [
        Trait("frame", Shape.FRAME, frame_corners(f"{column}10", 13), "black", f"Green {number}")
        for number, column in enumerate(columns, start=1)
    ]
    picture = ET.fromstring(f"<svg>{highlights_svg(traits, corners=corner_of_cell)}</svg>")  # noqa: S314
    boxes = []
    for text in picture.iter("text"):
        size, x, y = (float(text.get(name, "")) for name in ("font-size", "x", "y"))
        half = len(text.text or "") * size * 0.29
        boxes.append((x - half, y - size * 0.75, x + half, y))
    assert len(boxes) == len(columns)
    for one, other in itertools.combinations(boxes, 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
    for left, top, right, bottom in boxes:
        for x, y in corner_of_cell.values():
            # A stone fills its cell but for 5.6 units.
            is_beside = right <= x + 6 or left >= x + 34 or bottom <= y + 6 or top >= y + 34
            assert is_beside, (left, top, x, y)


def frame_corners(cell, size):
    """Return a cell and its quarter-turns about the middle."""
    file, rank = ord(cell[0]) - ord("A") - size // 2, int(cell[1:]) - 1 - size // 2
    turned = [(file, rank), (rank, -file), (-file, -rank), (-rank, file)]
    return tuple(f"{chr(ord('A') + f + size // 2)}{r + 1 + size // 2}" for f, r in turned)


def test_a_chosen_stone_keeps_its_colour():
    assert set(re.findall(r'fill="([^"]+)"', MARKS["selected"])) == {"none"}


@pytest.mark.parametrize("name", sorted(PALETTES))
def test_the_throne_lies_on_the_colour_of_the_innermost_band(name):
    assert f'fill="{PALETTES[name].band(0)}"' in grounds(name)["throne"]


@pytest.mark.parametrize("name", sorted(PALETTES))
def test_numbers_are_written_in_the_ink_that_differs_most_from_their_band(name):
    palette = PALETTES[name]
    for depth in (0, 6):
        band = palette.band(depth)
        picture = grounds(name, has_numbers=True)[f"band-{depth}"]
        used, other = (DARK_INK, LIGHT_INK) if DARK_INK in picture else (LIGHT_INK, DARK_INK)
        assert colours.contrast(band, used) > colours.contrast(band, other) - 1.5
