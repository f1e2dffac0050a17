"""First choices of different columns, against all choices of small tables."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.pairing.dutch.search.bits import first_transversal

pytestmark = pytest.mark.long

_tables = st.integers(1, 6).flatmap(
    lambda size: st.lists(st.integers(1, 2**size - 1), min_size=size, max_size=size)
)


@settings(max_examples=200)
@given(_tables)
def test_no_other_choice_comes_before_it(rows: list[int]) -> None:
    possible = [
        list(choice)
        for choice in itertools.permutations(range(len(rows)))
        if all(row >> column & 1 for row, column in zip(rows, choice, strict=True))
    ]
    assert first_transversal(rows) == min(possible, default=None)
