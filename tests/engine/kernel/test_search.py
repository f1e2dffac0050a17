"""The kernel's search: its answers against brute force over `games`, its reports, its limits."""

from __future__ import annotations

import functools
import itertools
import random

import pytest

import games
from engine.kernel.host import (
    Kernel,
    KernelGameOverError,
    KernelWordError,
    NoPositionError,
    NoSearchError,
)
from engine.kernel.host import Kernel as FreshKernel
from games.core import Outcome, Position, Side
from tests.engine.kernel.best_play import value_of
from tests.engine.kernel.rulesets import KEYS, some_position

_TREE, _PRINCIPAL = 1, 2
_METHODS = pytest.mark.parametrize("method", [_TREE, _PRINCIPAL], ids=["tree", "principal"])
_LEVELS = range(1, 9)


@functools.cache
def _values(_key: str) -> dict[str, int]:
    """Return the values of positions of a rule set by their texts, known to the tests of both methods."""
    return {}


def _late_position(key: str, seed: int, plies_left: int) -> Position:
    """Return a position of a random game, `plies_left` plies before its end."""
    rng = random.Random(seed)
    positions = [games.load(key).initial(seed=seed)]
    while positions[-1].outcome() is None:
        positions.append(positions[-1].play(positions[-1].random_move(rng)))
    return positions[max(0, len(positions) - 1 - plies_left)]


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


@_METHODS
@pytest.mark.parametrize(
    ("key", "plies_left"),
    [("morlox(size=3,swap=off)", 6), ("morlox(size=3,swap=on)", 6), ("morelli(size=5)", 4),
     ("morelli(edition=original,size=5)", 3), ("perfect(limit=2)", 2)],
    ids=["morlox", "morlox with swap", "revised", "original", "perfect"],
)  # fmt: skip
@pytest.mark.part(0.3)
@pytest.mark.long
def test_proof_is_what_brute_force_says(
    kernel: Kernel, key: str, plies_left: int, method: int
) -> None:
    values = _values(key)
    for seed in range(6):
        position = _late_position(key, seed, plies_left)
        report = kernel.load(position).search(30_000, method=method)
        forced = _sign(report.lines[0].forced_plies)
        assert report.is_finished or not forced, position.text()
        assert forced == value_of(position, values), position.text()


@_METHODS
def test_side_that_wins_by_force_wins_in_so_many_plies(kernel: Kernel, method: int) -> None:
    position = games.load("morlox(size=3,swap=off)").initial()
    kernel.load(position)
    plies, rng = [], random.Random(1)
    while kernel.outcome() is None:
        if kernel.side_to_move is Side.FIRST:
            best = kernel.search(30_000, method=method).lines[0]
            plies.append(best.forced_plies)
            kernel.play(best.moves[0])
        else:
            kernel.play(rng.choice(kernel.legal_moves()))
    assert kernel.outcome() is Outcome.FIRST
    assert min(plies) > 0
    assert all(after <= before - 2 for before, after in itertools.pairwise(plies))


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.part(0.3)
def test_lines_are_legal_and_of_different_first_moves(kernel: Kernel, key: str) -> None:
    for seed in range(3):
        position = some_position(key, seed)
        report = kernel.load(position).search(300, lines=3, seed=seed)
        assert len(report.lines) == min(3, len(kernel.legal_moves()))
        assert len({line.moves[0] for line in report.lines}) == len(report.lines)
        for line in report.lines:
            assert 0 <= line.win_permille <= 1000
            kernel.load(position)
            for move in line.moves:
                kernel.play(move)


@pytest.mark.parametrize("key", KEYS)
def test_every_level_makes_a_legal_move(kernel: Kernel, key: str) -> None:
    position = some_position(key, 5)
    kernel.load(position)
    if kernel.outcome() is not None:
        with pytest.raises(KernelGameOverError):
            kernel.level_move(1, 0)
        return
    legal = kernel.legal_moves()
    # The master's nodes take seconds on the largest boards, and the rules are equal.
    for level in _LEVELS[:5]:
        assert kernel.level_move(level, 3) in legal


@_METHODS
@pytest.mark.parametrize("key", ["morelli(size=9)", "morlox(size=9)", "perfect()"])
def test_same_seed_and_nodes_give_the_same_report_in_any_slices(key: str, method: int) -> None:
    position = some_position(key, 2)
    at_once, sliced = (FreshKernel().load(position) for _ in range(2))
    report = at_once.search(600, seed=7, lines=2, method=method)
    sliced.begin_search(seed=7, lines=2, method=method)
    for _ in range(59):
        sliced.search_on(10)
    last = sliced.search_on(10)
    assert last.lines[0] == report.lines[0]
    assert abs(last.nodes - report.nodes) <= 60


@pytest.mark.parametrize(
    ("key", "method", "other"),
    [("morelli(size=9,setup=placement)", _TREE, _PRINCIPAL), ("morelli(size=9)", _PRINCIPAL, _TREE)],
    ids=["while the ring is laid", "after that"],
)  # fmt: skip
def test_morelli_is_searched_by_random_games_until_the_ring_is_laid(
    key: str, method: int, other: int
) -> None:
    position = games.load(key).initial(seed=1)
    own, same, different = (
        FreshKernel().load(position).search(300, **words)
        for words in ({}, {"method": method}, {"method": other})
    )
    assert own == same
    assert own != different


@_METHODS
def test_weights_count_in_both_ways_to_search_and_are_forgotten_after(method: int) -> None:
    """The tree judges a game that is cut short by the evaluation too."""
    start = games.load("morlox(size=9)").initial()
    words = {"seed": 1, "method": method}
    own = FreshKernel().load(start).search(300, **words)
    kernel = FreshKernel().load(start)
    assert kernel.search(300, **words, w0=1, w1=1, w2=1001) != own
    assert kernel.search(300, **words) == own


def _king(kernel: Kernel) -> str:
    """Return the side whose King sits on the Throne: b, w or a hyphen."""
    return kernel.text().split()[2]


def test_no_leaf_is_judged_before_the_frame_that_can_be_completed(kernel: Kernel) -> None:
    """At depth 1 a line is one turn long, except if the reply enthrones a King."""
    replies = 0
    for seed in range(12):
        kernel.load(position := some_position("morelli(size=9)", seed))
        kernel.begin_search(lines=16, method=_PRINCIPAL)
        while (report := kernel.search_on(1)).depth < 1 and not report.is_finished:
            pass
        for line in report.lines:
            kernel.load(position)
            kings = [_king(kernel)]
            for move in line.moves:
                kernel.play(move)
                kings.append(_king(kernel))
            assert all(before != after for before, after in itertools.pairwise(kings[1:]))
            replies += len(line.moves) - 1
    assert replies > 3


def test_finished_game_has_no_lines(kernel: Kernel) -> None:
    position = games.load("morlox(size=3,swap=off)").parse("b.w/b.w/b.w b 6 -")
    report = kernel.load(position).search(100)
    assert report.is_finished
    assert not report.lines
    with pytest.raises(KernelGameOverError):
        kernel.level_move(8, 1)


@pytest.mark.parametrize(
    "words",
    [{"lines": 0}, {"lines": 17}, {"depth": 3}, {"level": 9}, {"method": 3}, {"seed": 10**9}],
    ids=str,
)
def test_unknown_word_and_value_out_of_range_are_refused(
    kernel: Kernel, words: dict[str, int]
) -> None:
    kernel.load(some_position("morlox(size=3,swap=off)", 0))
    with pytest.raises(KernelWordError):
        kernel.begin_search(**words)


def test_search_ends_with_the_position_that_it_began_from() -> None:
    kernel = FreshKernel()
    with pytest.raises(NoPositionError):
        kernel.begin_search()
    kernel.load(some_position("morlox(size=3,swap=off)", 0))
    with pytest.raises(NoSearchError):
        kernel.search_on(1)
    kernel.begin_search()
    kernel.load(some_position("morelli(size=5)", 0))
    with pytest.raises(NoSearchError):
        kernel.search_on(1)


@pytest.mark.parametrize("key", ["morelli(size=9)", "morlox(size=9)", "perfect()"])
def test_evaluation_is_the_other_sides_complement_at_most(kernel: Kernel, key: str) -> None:
    for seed in range(5):
        assert 0 <= kernel.load(some_position(key, seed)).evaluation() <= 1000
