"""The laws of actions and observations, for every game and several boards."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import games
from games.learning import STOP, IllegalActionError, Stage, encoding_of, reward
from games.record import Record

KEYS = (
    "morelli(size=5)",
    "morelli(size=9)",
    "morelli(size=7,setup=placement)",
    "morelli(edition=original,size=7)",
    "morelli(edition=original,size=5,setup=free)",
    "morlox(size=2)",
    "morlox(size=5)",
    "morlox(size=11,swap=off)",
    "perfect()",
    "perfect(first=blue,limit=30)",
)
every_key = pytest.mark.parametrize("key", KEYS)
seeds = st.integers(0, 2**32)


def random_position(key: str, seed: int) -> games.Position:
    """Return a position before the end of a random game, any of them equally likely."""
    rng = random.Random(seed)
    positions = [games.load(key).initial(seed=seed)]
    while positions[-1].outcome() is None:
        positions.append(positions[-1].play(positions[-1].random_move(rng)))
    return rng.choice(positions[:-1])


def played(stage: Stage, actions: tuple[int, ...]) -> Stage:
    for action in actions:
        stage = stage.play(action)
    return stage


@every_key
@given(seed=seeds)
def test_the_actions_of_each_legal_move_play_this_move(key: str, seed: int) -> None:
    position = random_position(key, seed)
    stage, moves = Stage(position), position.legal_moves()
    spelled = {move: tuple(stage.actions_of(move)) for move in moves}
    assert len(set(spelled.values())) == len(moves)
    for move, actions in spelled.items():
        assert len(actions) <= stage.encoding.longest_word
        after = played(stage, actions)
        assert (after.last_move, after.chosen) == (move, ())
        assert after.position == position.play(move)


@every_key
@given(seed=seeds)
def test_the_mask_allows_exactly_the_beginnings_of_legal_moves(key: str, seed: int) -> None:
    position = random_position(key, seed)
    stage, rng = Stage(position), random.Random(seed)
    words = {tuple(stage.actions_of(move)) for move in position.legal_moves()}
    prefix: tuple[int, ...] = ()
    while stage.position == position:
        allowed = {word[len(prefix)] for word in words if word[: len(prefix)] == prefix}
        assert set(np.flatnonzero(stage.mask()).tolist()) == allowed
        forbidden = rng.randrange(len(stage.encoding.actions))
        if forbidden not in allowed:
            with pytest.raises(IllegalActionError):
                stage.play(forbidden)
        prefix = (*prefix, rng.choice(sorted(allowed)))
        stage = stage.play(prefix[-1])
    assert prefix in words


@every_key
@given(seed=seeds)
def test_a_position_and_its_record_have_one_observation(key: str, seed: int) -> None:
    rng, moves = random.Random(seed), []
    stage = Stage(games.load(key).initial(seed=seed))
    setup = games.setup_of(stage.position)
    for _ in range(rng.randrange(60)):
        if stage.position.outcome() is None:
            moves.append(stage.position.random_move(rng))
            stage = stage.play_move(moves[-1])
    *_, last = Record(stage.position.ruleset.key, setup, tuple(moves)).positions()
    assert np.array_equal(Stage(last).planes(), stage.planes())
    parsed = last.ruleset.parse(last.text())
    assert np.array_equal(Stage(parsed).planes(), stage.planes())


_PERFECT = (
    "frrbbfBBBB/frbbfbbBBB/rbfbbbbrBB/rbfffffbbB/rbbbbbbbrr/frrrbbrrrb/Rrbbbbrbbb/RRrrrrrbrr/"
    "RRRbrrrrfr/RRRRffrrfr ......bbb./....b.b.bb/.......b.b/.........b/.r......../r........./"
    "r........./........../rrr......./rrrr...... blue men {} 0,0,0,0"
)
_MORELLI = "4b2/1bw1b2/bb1wb2/b1w1w1w/wwwww1w/2w4/bw1bw1w b {} play 16 - ring=BWWBBWBBBWBB"


@pytest.mark.parametrize(
    ("key", "text", "values"),
    [
        ("morlox(size=5)", "...../...../...../...../b.... w {} -", ("1", "3")),
        ("morelli(size=7)", _MORELLI, ("w", "b")),
        ("perfect()", _PERFECT, ("100", "102")),
    ],
    ids=["pie rule", "King on the Throne", "turns left"],
)
def test_facts_beside_the_board_are_observed(key: str, text: str, values: tuple[str, str]) -> None:
    one, other = (Stage(games.load(key).parse(text.format(value))).planes() for value in values)
    assert not np.array_equal(one, other)


@every_key
def test_actions_are_distinct_and_independent_of_the_set_up(key: str) -> None:
    encoding = encoding_of(key)
    assert len(set(encoding.actions)) == len(encoding.actions)
    planes = Stage(games.load(key).initial(seed=1)).planes()
    assert planes.shape == encoding.shape
    assert (planes.min(), planes.max()) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("key", "actions"),
    [
        ("morlox(size=5)", 52),
        ("morlox(size=11)", 244),
        ("morelli(size=7)", 280),
        ("morelli(size=13)", 2288),
        ("morelli(edition=original,size=13)", 2410),
        ("perfect()", 718),
    ],
)
def test_the_number_of_actions_is_that_of_the_board(key: str, actions: int) -> None:
    assert len(encoding_of(key).actions) == actions


def test_captures_of_the_original_edition_are_chosen_one_by_one() -> None:
    position = next(
        position
        for seed in range(100)
        for position in [random_position("morelli(edition=original,size=7)", seed)]
        if any(" x" in move for move in position.legal_moves())
    )
    move = next(move for move in position.legal_moves() if " x" in move)
    step, _, captured = move.removesuffix("*").partition(" x")
    stage = Stage(position)
    number_of = stage.encoding.number_of
    after_step = stage.play(number_of[step])
    assert after_step.position == position
    end = after_step.planes()[stage.encoding.channels.index("end")]
    file, rank = ord(step.split("-")[1][0]) - ord("A"), int(step.split("-")[1][1:]) - 1
    assert [*map(tuple, np.argwhere(end))] == [(rank, file)]
    assert after_step.play(number_of[STOP]).last_move == step
    captured_one = after_step.play(number_of[f"x{captured[:2]}"])
    assert captured_one.chosen or captured_one.last_move == f"{step} x{captured[:2]}"


def test_a_series_of_jumps_is_an_action_for_each_jump() -> None:
    position = games.load("perfect()").initial()
    rng = random.Random(3)
    while not any(move.count("-") > 1 for move in position.legal_moves()):
        position = position.play(position.random_move(rng))
    series = next(move for move in position.legal_moves() if move.count("-") > 1)
    stage = Stage(position)
    names = [stage.encoding.actions[action] for action in stage.actions_of(series)]
    squares = series.replace("x", "-").split("-")
    jumps = [f"{start}-{end}" for start, end in itertools.pairwise(squares)]
    assert names[: len(jumps)] == jumps
    half = stage.play(stage.actions_of(series)[0])
    planes = dict(zip(half.encoding.channels, half.planes(), strict=True))
    assert planes["start"].sum() == planes["end"].sum() == planes["jumped"].sum() == 1


def test_a_stage_plays_on_after_the_last_ply_only_by_an_error() -> None:
    stage = Stage(games.load("morlox(size=2,swap=off)").initial())
    while stage.legal_actions:
        stage = stage.play(stage.legal_actions[0])
    outcome = stage.position.outcome()
    assert outcome is not None
    assert sorted(reward(outcome, side) for side in games.Side) == [-1.0, 1.0]
    with pytest.raises(IllegalActionError):
        stage.play(0)
