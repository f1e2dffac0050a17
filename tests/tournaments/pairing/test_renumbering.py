"""Pairing numbers of a round after its players got others."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tournaments.pairing.problem import RoundKind, RoundRecord
from tournaments.pairing.renumbering import Renumbering, with_opponents

# Each step puts a newcomer at a place, or sorts the field in another order.
_STEPS = st.lists(st.one_of(st.integers(0, 8), st.randoms(use_true_random=False)), max_size=6)


@given(st.integers(1, 6), _STEPS)
def test_every_player_of_the_round_is_found_by_both_numbers(size: int, steps: list[object]) -> None:
    then = list(range(1, size + 1))  # a player is called by the number in the round
    players, numbers = list(then), Renumbering({})
    for name, step in enumerate(steps, start=100):
        before = {player: place for place, player in enumerate(players, start=1)}
        if isinstance(step, int):
            players.insert(step, name)
        else:
            step.shuffle(players)  # type: ignore[attr-defined]  # a Random
        after = {player: place for place, player in enumerate(players, start=1)}
        changed = {before[p]: after[p] for p in before if before[p] != after[p]}
        numbers = numbers.followed_by(changed)
    for place, player in enumerate(players, start=1):
        if player in then:
            assert (numbers.now(player), numbers.then(place)) == (place, player)
        else:
            assert numbers.then(place) not in then


def test_opponents_are_renamed_and_byes_are_not() -> None:
    game = RoundRecord(RoundKind.FIRST, 3, 2)
    bye = RoundRecord(RoundKind.PAIRING_BYE, None, 2)
    renamed = with_opponents([game, bye], Renumbering({3: 5}).now)
    assert renamed == (RoundRecord(RoundKind.FIRST, 5, 2), bye)
