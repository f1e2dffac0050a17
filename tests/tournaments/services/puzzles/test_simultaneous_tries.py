"""Solutions that a player sends in several tabs at one moment count once."""

from __future__ import annotations

import pytest

from tests.tournaments import puzzle_rows
from tests.tournaments.api.at_once import at_once
from tournaments.models import Puzzle, PuzzleRating, PuzzleTry
from tournaments.services.accounts import players
from tournaments.services.puzzles import tries

pytestmark = [
    pytest.mark.engines,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("erasable"),
]

_TABS = 4


def test_a_solution_in_several_tabs_is_one_rated_try() -> None:
    player = players.sign_up(name="Ana", password="rayuela-1963").player
    puzzle = puzzle_rows.stored()
    answers = at_once(lambda _: tries.play(player, puzzle, (), puzzle.line[0]).first, _TABS)
    assert {row.pk for row in answers} == {PuzzleTry.objects.get().pk}
    assert Puzzle.objects.get().tries == 1
    assert PuzzleRating.objects.get().tries == 1


def test_the_first_tries_at_several_puzzles_are_all_rated() -> None:
    player = players.sign_up(name="Ana", password="rayuela-1963").player
    rows = [puzzle_rows.stored(number) for number in range(_TABS)]
    at_once(lambda n: tries.play(player, rows[n], (), rows[n].line[0]), _TABS)
    rating = PuzzleRating.objects.get()
    assert (rating.tries, rating.solved) == (_TABS, _TABS)
    chain = PuzzleTry.objects.order_by("before_centielo").values_list(
        "before_centielo", "after_centielo"
    )
    assert [after for _, after in chain[: _TABS - 1]] == [before for before, _ in chain[1:]]
