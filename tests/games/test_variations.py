"""Trees of moves: round trips of their text, edits, and flaws named with their column."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import games
from games import variations
from games.variations import MAX_NODES, MAX_TREE, ROOT, Tree, parse_tree

TEXT = "A1-B2;E1-D2(E2-D3{quieter};A2-B3);B2-D4_xD3"
TREE = parse_tree(TEXT).tree

moves = st.sampled_from(["A1", "B2 xC3", "C3", "pass"])
edits = st.lists(
    st.tuples(
        st.sampled_from(["add", "add", "add", "delete", "promote", "name"]),
        st.integers(0, 50),
        moves,
    ),
    max_size=25,
)


def edited(steps) -> Tree:
    tree = Tree()
    for action, number, move in steps:
        at = number % len(tree.nodes)
        if action == "add":
            tree = variations.add(tree, at, move).tree
        elif action == "delete":
            tree = variations.delete(tree, at).tree if number % 3 else tree
        elif action == "promote":
            tree = variations.promote(tree, at).tree
        else:
            tree = variations.rename(tree, at, "an idea")
    return tree


def lines(tree: Tree) -> set[tuple[str, ...]]:
    return {tuple(tree.moves(at)) for at in range(len(tree.nodes))}


def test_text_names_lines_and_what_they_replace():
    assert [node.move for node in TREE.nodes[1:]] == [
        "A1-B2",
        "E1-D2",
        "E2-D3",
        "A2-B3",
        "B2-D4 xD3",
    ]
    assert [node.parent for node in TREE.nodes[1:]] == [0, 1, 1, 3, 2]
    assert TREE.nodes[3].name == "quieter"
    assert TREE.text() == TEXT


@given(edits)
def test_any_tree_reads_back(steps):
    tree = edited(steps)
    assert parse_tree(tree.text()).tree == tree


@given(edits, st.lists(moves, max_size=6))
def test_any_tree_reads_back_over_a_base(steps, base):
    tree = edited(steps)
    assert parse_tree(tree.text(base), base).tree == tree


@given(edits)
def test_numbers_are_those_of_the_text_and_parents_come_first(steps):
    tree = edited(steps)
    assert [t for t in tree.tokens if isinstance(t, int)] == list(range(1, len(tree.nodes)))
    assert all(node.parent < number for number, node in enumerate(tree.nodes))


@given(edits, st.integers(0, 50), moves)
def test_adding_keeps_every_line_and_looks_at_the_new_one(steps, number, move):
    tree = edited(steps)
    at = number % len(tree.nodes)
    result = variations.add(tree, at, move)
    expected = (*tree.moves(at), move)
    assert lines(result.tree) == lines(tree) | {expected}
    assert tuple(result.tree.moves(result.at)) == expected


@given(edits, st.integers(0, 50))
def test_deleting_takes_away_what_follows_and_nothing_else(steps, number):
    tree = edited(steps)
    at = number % len(tree.nodes)
    prefix = tuple(tree.moves(at))
    result = variations.delete(tree, at)
    assert lines(result.tree) == {
        line for line in lines(tree) if line[: len(prefix)] != prefix or not line
    }


@given(edits, st.integers(0, 50))
def test_promoting_keeps_every_line_and_makes_this_the_main_one(steps, number):
    tree = edited(steps)
    at = number % len(tree.nodes)
    result = variations.promote(tree, at)
    assert lines(result.tree) == lines(tree)
    end = result.tree.end()
    assert tuple(result.tree.moves(end))[: len(tree.moves(at))] == tuple(tree.moves(at))


def test_runs_stand_for_moves_of_the_base():
    base = ["A1", "B2", "C3", "D4"]
    tree = variations.line(base)
    assert tree.text(base) == "=4"
    result = variations.add(tree, 2, "X1").tree
    assert result.text(base) == "=3(X1);=1"
    assert parse_tree("=3(X1);=1", base).tree == result


def test_a_game_longer_than_the_stack_is_deep_is_a_tree_too():
    tree = variations.line([f"A{number}" for number in range(2_500)])
    assert parse_tree(tree.text()).tree == tree


def test_names_are_cut_to_what_a_name_may_be():
    name = variations.rename(TREE, 3, "  {a}\n b " + "x" * 100).nodes[3].name
    assert name == ("a b " + "x" * 100)[:60]
    assert variations.rename(TREE, ROOT, "x") == TREE


def test_positions_follow_the_parents():
    start = games.load("morelli(size=5)").initial(ring="BBBBBBBB")
    tree = parse_tree("A1-B2;E1-D2(E2-D3);A2-B3").tree
    value = variations.positions(tree, start)
    assert value[3] == start.play("A1-B2").play("E2-D3")
    assert value[4] == start.play("A1-B2").play("E1-D2").play("A2-B3")


def test_illegal_move_is_named_by_column_and_paragraph():
    start = games.load("morelli(size=5)").initial(ring="BBBBBBBB")
    parsed = parse_tree("A1-B2;E1-E5")
    with pytest.raises(games.BadRecordError, match=r"column 7, ply 2: .*morelli-2015/") as caught:
        variations.positions(parsed.tree, start, parsed.columns)
    assert (caught.value.line, caught.value.column) == (1, 7)


@pytest.mark.parametrize(
    ("text", "column"),
    [
        (";", 1),
        ("A1;", 3),
        ("A1;;B2", 4),
        ("(A1)", 1),
        ("A1(B2", 4),
        ("A1)", 3),
        ("A1()", 4),
        ("A1(A1)", 4),
        ("A1 B2", 4),
        ("{name}A1", 1),
        ("A1{" + "x" * 61 + "}", 3),
        ("A1}", 3),
        ("=1", 1),
        ("A1;=99999", 4),
        ("A1;=", 4),
        ("A1(B2)C3", 7),
    ],
)
def test_flaw_is_named_by_its_column(text, column):
    with pytest.raises(games.BadRecordError) as caught:
        parse_tree(text)
    assert caught.value.column == column


def test_flaw_quotes_the_text_from_its_column_on():
    with pytest.raises(games.BadRecordError, match=r"^column 7: 'C3' "):
        parse_tree("A1(B2)C3")


@pytest.mark.parametrize(
    "text",
    ["A" * (MAX_TREE + 1), ";".join(f"A{n}" for n in range(MAX_NODES + 1)), "A1" + "(" * 1000],
    ids=["long", "many", "deep"],
)
def test_what_is_too_much_is_refused_in_few_words(text):
    with pytest.raises(games.BadRecordError) as caught:
        parse_tree(text)
    assert len(str(caught.value)) < 300


def test_tree_does_not_grow_for_ever():
    tree = variations.line([f"A{n}" for n in range(MAX_NODES)])
    with pytest.raises(games.BadRecordError, match="at most"):
        variations.add(tree, ROOT, "B1")


@given(edits)
def test_what_is_put_after_a_node_is_what_is_cut_off_there(steps):
    tree, other = edited(steps), TREE
    at = tree.end()
    both = variations.graft(tree, at, other)
    assert parse_tree(both.text()).tree == both
    assert lines(both) == lines(tree) | {(*tree.moves(at), *line) for line in lines(other)}
    value = next(n for n in range(len(both.nodes)) if both.moves(n) == tree.moves(at))
    assert variations.below(both, value, both.children) == other


def test_two_trees_are_no_more_than_one_may_be():
    full = variations.line([f"A{n}" for n in range(MAX_NODES)])
    with pytest.raises(games.BadRecordError, match="at most"):
        variations.graft(full, full.end(), TREE)
