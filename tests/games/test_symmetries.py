"""A start that is turned or mirrored has its games turned or mirrored: once for each family of rules."""

from __future__ import annotations

import random

import pytest

import games
from tests.games import families


@pytest.mark.parametrize("family", [family.name for family in games.available()])
def test_symmetric_starts_have_symmetric_games(family: str) -> None:
    rng = random.Random(21)
    for symmetry in families.of(family).symmetries(21):
        position, image = symmetry.start, symmetry.image
        while position.outcome() is None:
            assert sorted(map(symmetry.map_move, position.legal_moves())) == image.legal_moves(), (
                symmetry.name
            )
            move = position.random_move(rng)
            position, image = position.play(move), image.play(symmetry.map_move(move))
        assert image.outcome() == position.outcome()
