"""Matches of the kernel: ways to search against each other, and modules against each other."""

from __future__ import annotations

import itertools
import shutil

import pytest

import games
from engine.kernel import __main__ as command
from engine.kernel.build import BOT, MODULE
from engine.kernel.host import Kernel, KernelModuleError
from engine.kernel.matches import Match, MatchWordError, Way, outcomes_of

SMALL = "morlox(size=4)"


class Witness(Kernel):
    """A kernel that remembers how it was asked, and the slices of its searches."""

    def __init__(self):
        super().__init__()
        self.words, self.slices = [], 0

    def begin_search(self, **words):
        self.words.append({name: value for name, value in words.items() if name != "seed"})
        super().begin_search(**words)

    def go_on(self, units):
        self.slices += 1
        return super().go_on(units)


@pytest.mark.parametrize(
    "text", ["", "amaf=1", "nodes=5 ms=5", "level=3 ms=5", "ms=0", "nodes=0", "ms=1 ms=2", "ms=x"]
)
def test_a_way_has_one_of_nodes_time_and_level(text):
    with pytest.raises(MatchWordError):
        Way.read(text)


def test_a_match_by_nodes_is_the_same_again():
    match = Match(SMALL, Way.read("nodes=40"), Way.read("nodes=10"), seed=3)
    first, again = (
        outcomes_of(match, Kernel(), Kernel(), test=None, most_pairs=3) for _ in range(2)
    )
    assert first == again
    assert first.games == 6


@pytest.mark.long
def test_a_deeper_search_wins():
    match = Match("morelli(size=7)", Way.read("nodes=2000"), Way.read("level=1"))
    outcomes = outcomes_of(match, Kernel(), test=None, most_pairs=6)
    assert sum(halves * count for halves, count in enumerate(outcomes.counts)) > 12


@pytest.mark.parametrize(("milliseconds", "slices"), [(3, 3), (8, 8)])
def test_a_search_by_time_ends_with_the_time_of_the_processor(monkeypatch, milliseconds, slices):
    ticks = itertools.count(step=1_000_000)
    monkeypatch.setattr("engine.kernel.matches.time.process_time_ns", lambda: next(ticks))
    kernel = Witness().load(games.load("morlox(size=9)").initial())
    assert Way.read(f"ms={milliseconds}").move(kernel, 1) in kernel.legal_moves()
    assert kernel.slices == slices


def test_each_side_asks_its_own_kernel():
    own, opponents = Witness(), Witness()
    match = Match(SMALL, Way.read("nodes=20 exploration=5"), Way.read("ms=1 lines=2"))
    outcomes_of(match, own, opponents, test=None, most_pairs=1)
    assert {tuple(words.items()) for words in own.words} == {(("exploration", 5),)}
    assert {tuple(words.items()) for words in opponents.words} == {(("lines", 2),)}
    assert own.text() == opponents.text()


@pytest.mark.long
def test_the_command_plays_against_another_module(tmp_path, capsys):
    other = tmp_path / "older.wasm"
    shutil.copy(MODULE, other)
    words = ["match", SMALL, "nodes=30", "ms=1", "--opponent-module", str(other), "--pairs", "2"]
    assert command.main([*words, "--elo", "0", "50"]) == 0
    line = capsys.readouterr().out
    assert "| 2 pairs " in line
    assert "SPRT 0 50" in line


@pytest.mark.long
def test_a_file_that_is_no_kernel_is_refused(tmp_path, capsys):
    junk = tmp_path / "junk.wasm"
    junk.write_bytes(b"nothing of ours")
    for path in (junk, tmp_path / "missing.wasm", BOT):
        with pytest.raises(KernelModuleError, match=path.name):
            Kernel(module=path)
    words = ["match", SMALL, "nodes=5", "nodes=5", "--opponent-module", str(junk)]
    assert command.main(words) == 2
    assert "junk.wasm" in capsys.readouterr().err
