"""The laws of every game, independent of its rules.

A new game is covered as soon as the registry knows it.
"""

from __future__ import annotations

import functools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import games
from games.perft import perft, slow_perft
from games.record import MAX_MOVE, Record, parse_record, replay
from tests.games.rulesets import KEYS

pytestmark = pytest.mark.parametrize("key", KEYS)


@functools.lru_cache(maxsize=8)
def random_game(key: str, seed: int) -> list[games.Position]:
    """Return the positions of a random game, first and last included.

    The tests of a rule set share a few.
    """
    rng = random.Random(seed)
    positions = [games.load(key).initial(seed=seed)]
    while positions[-1].outcome() is None:
        positions.append(positions[-1].play(positions[-1].random_move(rng)))
    return positions


def random_record(key: str, seed: int) -> Record:
    rng = random.Random(seed)
    position = games.load(key).initial(seed=seed)
    setup = position.ruleset.setup_text(position)
    moves = []
    while position.outcome() is None:
        moves.append(position.random_move(rng))
        position = position.play(moves[-1])
    return Record(position.ruleset.key, setup, tuple(moves), position.outcome(), "rules")


def sampled(positions: list[games.Position], count: int = 25) -> list[games.Position]:
    """Return the first and last positions and some between."""
    step = max(1, len(positions) // count)
    return [*positions[:-1:step], positions[-1]]


def test_key_is_canonical(key):
    ruleset = games.load(key)
    assert games.load(ruleset.key) == ruleset
    assert games.load(ruleset.key).key == ruleset.key
    options = ",".join(f"{name}={value}" for name, value in ruleset.options.items())
    assert ruleset.key == f"{ruleset.family}({options})"


def test_options_may_come_in_any_order(key):
    ruleset = games.load(key)
    options = [f"{name}={value}" for name, value in reversed(list(ruleset.options.items()))]
    assert games.load(f"{ruleset.family}({','.join(options)})") == ruleset


def test_first_side_makes_the_first_ply(key):
    position = games.load(key).initial(seed=1)
    assert position.ply == 0
    assert position.side_to_move is games.Side.FIRST
    assert position.outcome() is None


def test_one_seed_gives_one_start(key):
    ruleset = games.load(key)
    assert ruleset.initial(seed=5) == ruleset.initial(seed=5)
    assert hash(ruleset.initial(seed=5)) == hash(ruleset.initial(seed=5))


def test_setup_text_reproduces_the_start_from_any_position_of_the_game(key):
    for position in sampled(random_game(key, 2), 4):
        ruleset = position.ruleset
        assert ruleset.start(ruleset.setup_text(position)) == ruleset.initial(seed=2)


@pytest.mark.parametrize("seed", [1, 2])
def test_legal_moves_are_unique_sorted_and_never_none_before_the_end(key, seed):
    for position in sampled(random_game(key, seed)):
        moves = position.legal_moves()
        assert moves == sorted(set(moves))
        assert bool(moves) == (position.outcome() is None)


def test_play_leaves_the_position_unchanged(key):
    for position in sampled(random_game(key, 3), 8):
        before = position.text()
        for move in position.legal_moves()[:5]:
            after = position.play(move)
            assert after.ply == position.ply + 1
            assert after != position
        assert position.text() == before


def test_every_listed_move_can_be_played_and_is_canonical(key):
    for position in sampled(random_game(key, 1), 6):
        for move in position.legal_moves():
            position.play(move)
            assert position.canonical(move) == move


def test_random_move_is_a_listed_one(key):
    rng = random.Random(6)
    for position in sampled(random_game(key, 2), 12)[:-1]:
        assert position.random_move(rng) in position.legal_moves()


def test_random_move_raises_when_the_game_is_over(key):
    with pytest.raises(ValueError, match=r".") as caught:
        random_game(key, 3)[-1].random_move(random.Random(1))
    assert not isinstance(caught.value, games.RulesError)


@pytest.mark.parametrize("seed", [7, 8, 9])
def test_random_games_end_within_the_bound(key, seed):
    positions = random_game(key, seed)
    assert len(positions) - 1 <= positions[0].ruleset.max_plies
    assert [position.ply for position in positions] == list(range(len(positions)))


def test_no_move_is_longer_than_a_record_allows(key):
    for position in sampled(random_game(key, 4), 12):
        assert max(map(len, position.legal_moves()), default=0) <= MAX_MOVE


def test_playout_is_reproducible_and_ends(key):
    start = games.load(key).initial(seed=1)
    outcome = start.playout(random.Random(11))
    assert outcome in set(games.Outcome)
    assert start.playout(random.Random(11)) == outcome


def test_playout_of_a_finished_game_is_its_outcome(key):
    last = random_game(key, 1)[-1]
    assert last.playout(random.Random(1)) == last.outcome()


def test_nothing_can_be_played_when_the_game_is_over(key):
    positions = random_game(key, 3)
    last_move = positions[-2].legal_moves()[0]
    for move in (last_move, "agree", ""):
        with pytest.raises(games.IllegalMoveError):
            positions[-1].play(move)


def test_text_reads_back(key):
    for position in sampled(random_game(key, 1)):
        text = position.text()
        assert len(text) <= 4096
        assert text.isascii()
        assert text.isprintable()
        assert position.ruleset.parse(text) == position


@given(damage=st.text(max_size=3), at=st.floats(0, 1), seed=st.integers(0, 3))
@settings(max_examples=25)
def test_damaged_text_is_refused_or_is_a_position(key, damage, at, seed):
    position = games.load(key).initial(seed=seed)
    text = position.text()
    cut = int(at * len(text))
    damaged = text[:cut] + damage + text[cut + 1 :]
    try:
        parsed = position.ruleset.parse(damaged)
    except games.BadPositionError:
        return
    assert parsed.text() == damaged


GARBAGE = [
    "",
    " ",
    "-",
    "x" * 10_240,
    "A1" * 5_000,
    "\0",
    "A1-B2\n",
    "\uff211-B2",
    "\u0663",
    "agree//",
    "a1-b2-c3-" * 1000,
    "+",
    "@",
]


@pytest.mark.parametrize("garbage", GARBAGE, ids=lambda text: repr(text[:8]))
def test_garbage_is_an_illegal_move_that_names_a_paragraph(key, garbage):
    position = games.load(key).initial(seed=1)
    for refused in (position.play, position.canonical):
        with pytest.raises(games.IllegalMoveError) as caught:
            refused(garbage)
        error = caught.value
        assert error.move == garbage
        assert error.rule.startswith(position.ruleset.family)
        assert "/" in error.rule
        assert error.detail
        assert len(str(error)) < 300


@given(text=st.text(max_size=12), seed=st.integers(0, 2))
@settings(max_examples=40)
def test_any_text_is_listed_or_refused_or_another_spelling(key, text, seed):
    position = games.load(key).initial(seed=seed)
    try:
        canonical = position.canonical(text)
    except games.IllegalMoveError:
        with pytest.raises(games.IllegalMoveError):
            position.play(text)
        return
    assert canonical == "agree" or canonical in position.legal_moves()


@pytest.mark.parametrize("garbage", GARBAGE, ids=lambda text: repr(text[:8]))
def test_garbage_is_no_position_and_no_setup(key, garbage):
    ruleset = games.load(key)
    with pytest.raises(games.BadPositionError):
        ruleset.parse(garbage)
    if garbage:
        with pytest.raises(games.BadSetupError):
            ruleset.start(garbage)
        with pytest.raises(games.BadSetupError):
            ruleset.initial(nonsense=garbage)
    with pytest.raises(games.BadSetupError):
        ruleset.initial(seed="x")


def test_agreement_ends_the_game_where_the_rules_know_it(key):
    for position in sampled(random_game(key, 2), 4)[:-1]:
        if not position.ruleset.has_agreement:
            with pytest.raises(games.IllegalMoveError):
                position.play("agree")
            continue
        assert "agree" not in position.legal_moves()
        assert position.canonical("agree") == "agree"
        ended = position.play("agree")
        assert ended.outcome() is not None
        assert ended.legal_moves() == []
        assert ended.ruleset.parse(ended.text()) == ended


def test_record_reads_back_and_replays(key):
    record = random_record(key, 3)
    assert parse_record(record.text()) == record
    positions = replay(record)
    assert positions == random_game(key, 3)
    assert positions[-1].outcome() == record.outcome


def test_cells_cover_the_board_in_reading_order(key):
    for position in sampled(random_game(key, 1), 3):
        size = position.ruleset.size
        cells = position.cells()
        assert [(cell.row, cell.column) for cell in cells] == [
            (row, column) for row in reversed(range(size)) for column in range(size)
        ]
        assert len({cell.name for cell in cells}) == size * size
        assert all(cell.name and cell.ground for cell in cells)


def test_move_path_names_cells_of_the_board(key):
    for position in sampled(random_game(key, 2), 5):
        names = {cell.name for cell in position.cells()}
        for move in position.legal_moves():
            assert set(position.ruleset.move_path(move)) <= names
    assert position.ruleset.move_path("agree") == ()


def test_what_a_move_takes_is_told_for_each_step_and_is_what_changes(key):
    for position in sampled(random_game(key, 3), 5):
        ruleset = position.ruleset
        looks = {cell.name: cell.piece for cell in position.cells()}
        for move in position.legal_moves()[:40]:
            path, takes = ruleset.move_path(move), ruleset.move_takes(move)
            assert len(takes) in (0, len(path) - 1)
            after = {cell.name: cell.piece for cell in position.play(move).cells()}
            taken = {cell for cells in takes for cell in cells}
            named = {cell for cell in looks if looks[cell] and looks[cell] != after[cell]}
            kings = {cell.name for cell in position.cells() if cell.ground == "throne"}
            assert taken - set(path) == named - set(path) - kings


def test_traits_are_on_cells_of_the_board_and_those_of_a_cell_are_about_it(key):
    for position in sampled(random_game(key, 1), 5):
        names = [cell.name for cell in position.cells()]
        assert all(set(trait.cells) <= set(names) for trait in position.traits())
        for name in names[::7]:
            assert all(name in trait.cells for trait in position.traits(name))
        assert position.traits("A99") == []


def test_notices_name_what_they_count(key):
    for position in sampled(random_game(key, 3), 4):
        for notice in position.notices():
            assert notice.code
            assert notice.count >= 0


def test_evaluation_is_exact_at_the_end_and_bounded_before(key):
    positions = random_game(key, 1)
    for position in sampled(positions, 8):
        assert -1 <= position.evaluation() <= 1
    last = positions[-1]
    expected = {last.side_to_move.value: 1, last.side_to_move.opponent.value: -1, "draw": 0}
    assert last.evaluation() == expected[str(last.outcome())]


def test_sides_have_different_colours(key):
    position = games.load(key).initial(seed=1)
    assert position.colour_of(games.Side.FIRST) != position.colour_of(games.Side.SECOND)


@pytest.mark.part(0.3)
def test_fast_count_agrees_with_playing_every_move(key):
    for position in random_game(key, 2)[-4:]:
        for depth in range(4):
            assert perft(position, depth) == slow_perft(position, depth)
