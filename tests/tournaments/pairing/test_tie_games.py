"""The game that decides a tie of a knock-out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.pairing.tie_games import TieRules, deciding_game

MARGINS = st.lists(st.sampled_from([-1, 0, 1]), max_size=20)


@pytest.mark.parametrize(
    ("margins", "games", "number"),
    [
        ([1], 1, 1),
        ([0], 1, None),
        ([0, 0, -1], 1, 3),
        ([1, 0], 2, 2),
        ([1, 1], 3, 2),
        ([1, 0], 3, None),
        ([1, 0, 0], 3, 3),
        ([1, -1, 0, 1], 3, 4),
        ([0, 1, 1, 1, 1], 4, 3),
    ],
)
def test_a_tie_is_decided_by_this_game(margins: list[int], games: int, number: int | None) -> None:
    assert deciding_game(margins, games) == number


@pytest.mark.parametrize(
    ("margins", "games", "number"),
    [
        ([0, 1, 0], 1, 3),
        ([0, 1, -1, 0, 1], 1, 5),
        ([0, 1, -1, 1], 1, None),
        ([1, 1], 2, 2),
    ],
)
def test_a_pair_of_extra_games_is_played_to_its_end(
    margins: list[int], games: int, number: int | None
) -> None:
    assert deciding_game(margins, games, in_pairs=True) == number


def test_an_armageddon_game_has_no_second_one() -> None:
    assert deciding_game([0, 0, 0, -1], 1, in_pairs=True, armageddon=4) == 4
    assert deciding_game([0, 0, 0, -1], 1, in_pairs=True) is None


@pytest.mark.parametrize(
    ("rules", "kinds"),
    [
        (TieRules(games=2), "regular regular"),
        (TieRules(games=1, extra_games=2), "regular extra extra"),
        (TieRules(games=1, extra_games=3, in_pairs=True), "regular extra extra extra extra"),
        (TieRules(games=1, has_armageddon=True), "regular armageddon"),
        (
            TieRules(games=1, extra_games=2, in_pairs=True, has_armageddon=True),
            "regular extra extra armageddon",
        ),
    ],
)
def test_the_games_of_a_tie_come_in_this_order(rules: TieRules, kinds: str) -> None:
    names = kinds.split()
    for number, name in enumerate(names, start=1):
        kind = rules.kind_of(number)
        assert kind is not None
        assert kind.value == name
    if not rules.has_armageddon:
        assert rules.kind_of(len(names) + 1) is None


@given(MARGINS, st.integers(1, 9))
def test_games_after_the_deciding_one_change_nothing(margins: list[int], games: int) -> None:
    number = deciding_game(margins, games)
    if number is not None:
        assert deciding_game(margins[:number], games) == number
        assert deciding_game(margins[: number - 1], games) is None
        lead = sum(margins[:number])
        others = [-1 if lead > 0 else 1] * (games - number)
        assert (sum([*margins[:number], *others]) > 0) == (lead > 0)


@given(MARGINS, st.integers(1, 9))
def test_both_players_are_treated_alike(margins: list[int], games: int) -> None:
    assert deciding_game([-each for each in margins], games) == deciding_game(margins, games)
