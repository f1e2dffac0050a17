"""Starts of games: each set-up of each game, and any position."""

from __future__ import annotations

import pytest

import games
from tests.games.rulesets import KEYS


@pytest.mark.parametrize("key", KEYS)
def test_a_start_is_described_by_its_set_up_and_any_other_position_by_itself(key: str) -> None:
    ruleset = games.load(key)
    position = ruleset.initial(seed=3)
    assert games.setup_of(position) == ruleset.setup_text(position)
    for _ in range(4):
        assert games.starting_position(ruleset, games.setup_of(position)) == position
        position = position.play(position.legal_moves()[0])
    assert games.setup_of(position) == f"position={position.text()}"


def test_what_is_no_position_begins_no_game() -> None:
    ruleset = games.load("morlox(size=5)")
    with pytest.raises(games.BadSetupError, match="position"):
        games.starting_position(ruleset, "position=nonsense")
    with pytest.raises(games.BadSetupError):
        games.starting_position(ruleset, "ring=BW")
