"""The Scheveningen system: every player of one team meets every player of the other team."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.pairing.match import TeamMatch
from tournaments.pairing.problem import BadProblemError

# By the number of boards: for each round the opponents of the first team's players 1, 2, …, with `+` if
# that player has the first side. Every player has both sides equally often, or one of them once more if
# the number is odd, and no side more than three times in a row. Half of the first sides of a round
# belong to each team. With an odd number the first team has one more in odd rounds, the other in
# even ones. Two boards allow this to one team only. The tables of 4 and 8 follow from 2 x 2 blocks, the
# others were found by a search.
_TABLES = {
    2: ("1+ 2-", "2- 1+"),
    3: ("1+ 2- 3+", "2+ 3- 1-", "3- 1+ 2+"),
    4: ("1+ 2+ 3- 4-", "3- 4- 1+ 2+", "4+ 3+ 2- 1-", "2- 1- 4+ 3+"),
    5: (
        "1- 2- 3+ 4+ 5+",
        "2+ 3+ 4- 5- 1-",
        "3- 4- 5+ 1+ 2+",
        "4+ 5+ 1- 2- 3-",
        "5- 1+ 2+ 3+ 4-",
    ),
    6: (
        "1- 2+ 3- 4+ 5+ 6-",
        "5+ 6- 4+ 1- 2- 3+",
        "6+ 4- 2- 3+ 1+ 5-",
        "2+ 1+ 6- 5- 3- 4+",
        "4- 3+ 5+ 2- 6+ 1-",
        "3- 5- 1+ 6+ 4- 2+",
    ),
    7: (
        "1- 2+ 3+ 4- 5+ 6+ 7-",
        "7+ 1+ 2- 3- 4+ 5- 6-",
        "4- 5- 6+ 7+ 1- 2+ 3+",
        "5+ 6- 7- 1+ 2- 3- 4+",
        "2- 3+ 4+ 5- 6+ 7+ 1-",
        "6+ 7- 1- 2+ 3- 4- 5+",
        "3- 4+ 5+ 6- 7+ 1+ 2-",
    ),
    8: (
        "1+ 2+ 3+ 4+ 5- 6- 7- 8-",
        "5- 6- 7- 8- 1+ 2+ 3+ 4+",
        "6+ 7+ 8+ 5+ 2- 3- 4- 1-",
        "2- 3- 4- 1- 6+ 7+ 8+ 5+",
        "3+ 4+ 1+ 2+ 7- 8- 5- 6-",
        "7- 8- 5- 6- 3+ 4+ 1+ 2+",
        "8+ 5+ 6+ 7+ 4- 1- 2- 3-",
        "4- 1- 2- 3- 8+ 5+ 6+ 7+",
    ),
    9: (
        "1+ 2+ 3- 4+ 5- 6- 7+ 8- 9+",
        "8+ 9- 1- 2- 3+ 4- 5+ 6+ 7-",
        "5- 6+ 7+ 8+ 9+ 1+ 2- 3- 4-",
        "3+ 4+ 5+ 6- 7- 8- 9- 1- 2+",
        "4- 5- 6- 7+ 8+ 9+ 1+ 2+ 3-",
        "7- 8- 9+ 1- 2- 3+ 4- 5+ 6+",
        "2+ 3+ 4+ 5- 6+ 7- 8+ 9- 1-",
        "6- 7+ 8- 9+ 1+ 2- 3- 4+ 5-",
        "9- 1- 2+ 3+ 4- 5+ 6- 7+ 8+",
    ),
    10: (
        "1+ 2+ 3- 4+ 5+ 6- 7- 8- 9- 10+",
        "3- 4- 2+ 6- 8- 5+ 9+ 10- 7+ 1+",
        "8+ 10+ 1- 9- 2+ 7+ 4- 6+ 3- 5-",
        "6- 1- 4+ 7+ 10- 2- 8+ 3+ 5- 9+",
        "2- 8- 10+ 5+ 1+ 9+ 6+ 7- 4- 3-",
        "5- 3+ 9- 10- 7+ 8- 1- 2+ 6+ 4+",
        "9+ 5+ 8+ 1- 6- 10- 3+ 4+ 2- 7-",
        "4- 9- 7- 8+ 3- 1+ 2+ 5- 10+ 6+",
        "10+ 7- 6- 2- 4+ 3+ 5- 9+ 1+ 8-",
        "7+ 6+ 5+ 3+ 9- 4- 10- 1- 8+ 2-",
    ),
}


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two players by their places in their teams, from 1: `one` of the first team, `other` of the second.

    `one_is_first` says whether `one` has the first side.
    """

    one: int
    other: int
    one_is_first: bool


def table_round(boards: int, round_number: int) -> list[Meeting]:
    """Return the meetings of a round (from 1) of the table for this number of boards.

    Raises BadProblemError for a number without a table.
    """
    check_boards(boards)
    cells = _TABLES[boards][round_number - 1].split()
    return [Meeting(one, int(cell[:-1]), cell[-1] == "+") for one, cell in enumerate(cells, 1)]


def line_ups(boards: int, round_number: int) -> tuple[list[int], list[int]]:
    """Return the places of the members by board: of the team named first in the round, and of the other.

    The team named first is the first team in odd rounds. It has the first side at boards 1, 3, 5, …
    """
    is_odd = round_number % 2 == 1
    meetings = table_round(boards, round_number)
    places = [(each.one, each.other) if is_odd else (each.other, each.one) for each in meetings]
    named_first = [each.one_is_first == is_odd for each in meetings]
    at_odd = [both for both, is_first in zip(places, named_first, strict=True) if is_first]
    at_even = [both for both, is_first in zip(places, named_first, strict=True) if not is_first]
    boards_in_order = [(at_even if board % 2 else at_odd)[board // 2] for board in range(boards)]
    return [first for first, _ in boards_in_order], [second for _, second in boards_in_order]


def check_boards(boards: int) -> None:
    """Raise BadProblemError for a number of boards without a table."""
    if boards not in _TABLES:
        raise BadProblemError(f"no Scheveningen table for {boards} boards")


class Scheveningen(TeamMatch):
    """Two teams that meet in as many rounds as there are boards. The line-ups follow from the table."""

    name = "scheveningen"
    version = "scheveningen-1"
    meeting = "scheveningen"
