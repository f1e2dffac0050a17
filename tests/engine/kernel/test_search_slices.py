"""Slices of a search by units of work, which take about equal times."""

from __future__ import annotations

import pytest

import games
from engine.kernel.host import Kernel, NoSearchError


@pytest.mark.parametrize("key", ["morelli(size=13)", "morelli(size=31)", "perfect()"])
def test_slices_of_as_many_units_cost_about_as_much(key):
    """By nodes they differ by a factor of a hundred: some look at all their moves, most at no move."""
    kernel = Kernel().load(games.load(key).initial(seed=1))
    kernel.begin_search(seed=1)
    units = 2 * len(kernel.legal_moves())
    costs = [fuel_of(kernel, units) for _ in range(30)]
    assert max(costs) < 8 * min(costs), sorted(costs)


def fuel_of(kernel, units):
    """Return the instructions of one slice."""
    kernel._number("search_slice", units)
    return kernel._fuel - kernel._store.get_fuel()


def test_a_search_in_slices_goes_on_where_it_was():
    kernel = Kernel().load(games.load("morelli(size=7)").initial(seed=1))
    kernel.begin_search(seed=1)
    nodes = [kernel.search_slice(500).nodes for _ in range(3)]
    assert 0 < nodes[0] < nodes[1] < nodes[2] <= 1_500


def test_a_slice_needs_a_search():
    with pytest.raises(NoSearchError):
        Kernel().load(games.load("morelli(size=7)").initial(seed=1)).search_slice(10)
