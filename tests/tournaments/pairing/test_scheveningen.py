"""The Scheveningen tables: all meet, and the colours are fair."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from tournaments.pairing import BadProblemError, Contestant, PairingProblem, system
from tournaments.pairing.problem import FormatOptions, RoundKind, RoundRecord
from tournaments.pairing.scheveningen import line_ups, table_round

SIZES = range(2, 11)


def colours(boards: int) -> dict[tuple[str, int], str]:
    """Return the sides of each player in the order of the rounds: `+` for the first side."""
    sides: dict[tuple[str, int], str] = {}
    for round_number in range(1, boards + 1):
        for each in table_round(boards, round_number):
            both = (("one", each.one), ("other", each.other))
            for player, is_first in zip(
                both, (each.one_is_first, not each.one_is_first), strict=True
            ):
                sides[player] = sides.get(player, "") + "-+"[is_first]
    return sides


@pytest.mark.parametrize("boards", SIZES)
def test_every_player_meets_every_player_of_the_other_team_once(boards: int) -> None:
    rounds = [table_round(boards, number) for number in range(1, boards + 1)]
    everybody = {(one, other) for one in range(1, boards + 1) for other in range(1, boards + 1)}
    assert {(each.one, each.other) for meetings in rounds for each in meetings} == everybody
    for meetings in rounds:
        assert len({each.one for each in meetings}) == len({m.other for m in meetings}) == boards


@pytest.mark.parametrize("boards", SIZES)
def test_no_player_has_one_side_more_often_than_needed_or_four_times_in_a_row(boards: int) -> None:
    unfair = {
        player
        for player, sides in colours(boards).items()
        if abs(sides.count("+") - sides.count("-")) > boards % 2 or re.search(r"(.)\1\1\1", sides)
    }
    assert unfair == ({("other", 1), ("other", 2)} if boards == 2 else set())


@pytest.mark.parametrize("boards", SIZES)
def test_line_ups_give_the_table_with_first_sides_at_alternate_boards(boards: int) -> None:
    for number in range(1, boards + 1):
        named_first, named_second = line_ups(boards, number)
        played = set()
        for board, (first, second) in enumerate(zip(named_first, named_second, strict=True), 1):
            is_named_first_first = board % 2 == 1
            one, other = (first, second) if number % 2 else (second, first)
            played.add((one, other, is_named_first_first == (number % 2 == 1)))
        assert played == {(m.one, m.other, m.one_is_first) for m in table_round(boards, number)}


def test_the_teams_are_named_first_in_turn() -> None:
    named = []
    records: tuple[RoundRecord, ...] = ()
    for number in (1, 2, 3):
        other = tuple(RoundRecord(r.kind, 1, r.score_halves) for r in records)
        problem = PairingProblem(
            number, 4, (Contestant(1, records), Contestant(2, other)), most_meetings=4
        )
        named += [
            (board.first, board.second) for board in system("scheveningen").pair(problem).boards
        ]
        records = (*records, RoundRecord(RoundKind.FIRST, 2, 1))
    assert named == [(1, 2), (2, 1), (1, 2)]
    assert all(one != two for one, two in pairwise(named))


def test_three_teams_and_eleven_boards_have_no_table() -> None:
    with pytest.raises(BadProblemError, match="needs two"):
        system("scheveningen").rounds(3, FormatOptions())
    with pytest.raises(BadProblemError, match="11 boards"):
        table_round(11, 1)
