"""The built-in players of the kernel: levels by nodes, the search by the clock."""

from __future__ import annotations

import itertools
import random
import statistics

import pytest

import games
from engine import players, referee
from engine.clock import Fischer, PerMove
from engine.fork_server import of_thread
from engine.kernel import LEVELS
from engine.kernel.host import KernelTrapError
from engine.match import Ending, MatchSpec
from engine.players import kernel
from engine.players.core import Budget
from tests.engine.nim import Heap

SMALL = "morlox(size=5)"


def unbounded(nodes=1 << 62, *, clock=lambda: 0):
    return Budget(deadline_ns=1 << 62, nodes=nodes, clock=clock)


class Scripted:
    """A kernel whose levels take a given number of nanoseconds of `now`, or more fuel than available."""

    def __init__(self, costs):
        self.costs = costs
        self.now = 0
        self.levels = []

    def load(self, _position):
        return self

    def evaluation(self):
        return 500

    def level_move(self, level, _seed):
        self.levels.append(level)
        if self.costs[level] is None:
            raise KernelTrapError("level_move: all fuel consumed")
        self.now += self.costs[level]
        return f"move of {level}"


@pytest.fixture
def scripted(monkeypatch):
    def make(costs):
        desk = Scripted(costs)
        monkeypatch.setattr(kernel, "_new_kernel", lambda: desk)
        return desk

    return make


def moves_of_level(number, desk, *, latest_ns):
    """Yield the moves of a level when it is called several times, each time with a given remaining time."""
    player = kernel.KernelLevel(number)
    for span in latest_ns:
        budget = Budget(0, 1, lambda: desk.now, desk.now + span)
        yield player.choose(Heap(3), budget=budget, rng=random.Random(1)).move


def test_a_level_plays_its_own_moves_however_little_time_it_aims_at(scripted):
    desk = scripted({5: 100, 4: 10})
    spans = [1_000, 100, 101]
    assert [*moves_of_level(5, desk, latest_ns=spans)] == ["move of 5"] * 3


def test_a_level_gives_way_to_the_next_lower_one_where_its_flag_would_fall(scripted):
    desk = scripted({5: 100, 4: 30, 3: 10})
    spans = [1_000, 99, 29, 5, 1_000]
    words = [f"move of {level}" for level in (5, 4, 3, 2, 5)]
    desk.costs[2] = 1
    assert [*moves_of_level(5, desk, latest_ns=spans)] == words


def test_a_board_too_large_for_a_level_is_played_by_a_lower_one_from_then_on(scripted):
    desk = scripted({8: None, 7: None, 6: 10})
    assert [*moves_of_level(8, desk, latest_ns=[1_000] * 2)] == ["move of 6"] * 2
    assert desk.levels == [8, 7, 6, 6]


@pytest.mark.parametrize("name", [*(f"level:{n}" for n in LEVELS), "kernel:10"])
def test_a_game_that_the_kernel_does_not_play_is_played_all_the_same(name):
    choice = players.create(name).player.choose(
        Heap(5), budget=Budget(1 << 62, 50), rng=random.Random(1)
    )
    assert choice.move in Heap(5).legal_moves()


def test_a_level_tells_what_the_position_looks_like_at_a_glance():
    position = games.load(SMALL).initial(seed=1)
    choice = players.create("level:3").player.choose(
        position, budget=unbounded(1), rng=random.Random(1)
    )
    assert choice.score is not None
    assert -1 <= choice.score <= 1


def test_the_search_tells_its_chances_its_depth_and_its_line():
    position = games.load(SMALL).initial(seed=1)
    choice = players.create("kernel").player.choose(
        position, budget=unbounded(500), rng=random.Random(1)
    )
    assert choice.score is not None
    assert -1 <= choice.score <= 1
    assert choice.depth
    assert choice.nodes in range(500, 1_001)
    for move in (choice.move, *choice.expected):
        position = position.play(move)


def test_the_search_stops_by_its_clock():
    # Each look at it takes twice the time of a slice, so that slices shrink to one node.
    ticks = itertools.count(0, 20_000_000)
    budget = Budget(1_000_000_000, 1 << 62, lambda: next(ticks))
    position = games.load("morelli(size=9)").initial(seed=1)
    choice = players.create("kernel").player.choose(position, budget=budget, rng=random.Random(1))
    assert choice.move in position.legal_moves()
    # A slice looks four times at most.
    assert 1_000_000_000 < next(ticks) <= 1_000_000_000 + 4 * 20_000_000


def test_slices_grow_to_ten_milliseconds_and_shrink_towards_the_end():
    assert kernel._next_slice(16, 1_000, 1 << 40) == 32
    assert kernel._next_slice(1_000, 20_000_000, 1 << 40) == 500
    assert kernel._next_slice(1_000, 10_000_000, 1_000_000) == 100
    assert kernel._next_slice(1_000, 10_000_000, 0) == 1


@pytest.mark.long
@pytest.mark.engine
def test_kernel_players_play_each_other_in_processes_and_their_evaluations_are_kept():
    pair = (players.spec("kernel:20", seed=1), players.spec("level:4", seed=2))
    report = referee.play_match(MatchSpec(games.load(SMALL).key, "", pair, Fischer(5_000, 100)))
    assert [game.ending for game in report.games] == [Ending.RULES] * 2, report
    infos = [ply.info for game in report.games for ply in game.plies if ply.info]
    assert all(info.score_cp is not None for info in infos)
    of_search = [info for info in infos if info.depth]
    assert 0 < len(of_search) < len(infos), "a level looks at the position and tells no depth"
    assert all(info.nodes for info in of_search)


@pytest.mark.engine
def test_a_forked_player_finds_the_kernel_loaded():
    """The first move costs no more than any other: no module is compiled, and no library is read."""
    if "engine.players.server" not in of_thread.servers:
        referee.play_match(_short_match())
    report = referee.play_match(_short_match())
    first = [game.plies[0].span.cpu_ns or 0 for game in report.games]
    assert statistics.fmean(first) < 30_000_000, first


def _short_match():
    pair = (players.spec("level:1", seed=1), players.spec("level:1", seed=2))
    return MatchSpec(games.load("morlox(size=3)").key, "", pair, PerMove(5_000))
