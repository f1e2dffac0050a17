"""Tie-breaks of teams (C.07 11 to 13): two scores, match points and game points, and the boards of matches."""

from __future__ import annotations

from math import lcm
from typing import TYPE_CHECKING

from tournaments.standings.buchholz import opposition
from tournaments.standings.encounter import separated
from tournaments.standings.field import PLAYED, Row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tournaments.standings.entry import Split
    from tournaments.standings.field import Field
    from tournaments.standings.names import Modifiers

MATCH, GAME = "MP", "GP"
_OTHER = {MATCH: GAME, GAME: MATCH}
_MOST_K = 100
# The parts in which SSSC counts, so that Buchholz divided by any K is whole.
SSSC_SCALE = 2 * lcm(*range(1, _MOST_K + 1))


def other_score(field: Field, _: Modifiers) -> list[Row]:
    """MPvGP (13.1): the score that is not the primary one, in half points."""
    other = field.by_score(_OTHER[field.primary])
    everything = range(field.rounds)
    return [
        Row(everything, opponents, scores, scores)
        for opponents, scores in zip(other.opponents, other.scores, strict=True)
    ]


def sonneborn_of(theirs: str, own: str) -> Callable[[Field, Modifiers], list[Row]]:
    """Return ESB (13.2), in quarter points.

    It is the sum of the opponents' final scores, each times the own score against that opponent.
    """

    def rows(field: Field, modifiers: Modifiers) -> list[Row]:
        strengths = opposition(field.by_score(theirs), forfeits=modifiers.forfeits)
        scores = field.by_score(own).scores
        answer = []
        for position, row in enumerate(strengths):
            points = [scores[position][r] for r in row.rounds]
            worth = [p * s for p, s in zip(points, row.strength, strict=True)]
            answer.append(row._replace(worth=worth, points=points))
        return answer

    return rows


def secondary_and_buchholz(field: Field, modifiers: Modifiers) -> list[Row]:
    """SSSC (13.4): the secondary score and the Buchholz of the primary one divided by K.

    K is the highest primary score of an event by the highest secondary score of a match, rounded down, if it is not given.
    """
    second = field.by_score(_OTHER[field.primary])
    highest = field.scoring.win * field.rounds_total
    divisor = modifiers.divisor or max(1, min(_MOST_K, highest // (second.scoring.win or 1)))
    rows = opposition(field, fore=modifiers.fore, forfeits=modifiers.forfeits)
    answer = []
    for position, row in enumerate(rows):
        own = [score * SSSC_SCALE // 2 for score in second.scores[position]]
        theirs = [score * SSSC_SCALE // 2 // divisor for score in row.worth]
        worth = [*own, *theirs]
        rounds = [*range(field.rounds), *row.rounds]
        opponents = [*([-1] * field.rounds), *row.opponents]
        answer.append(Row(rounds, opponents, worth, worth))
    return answer


def board_count(field: Field, _: Modifiers) -> list[Row]:
    """Return BC (12.1), in half points: the number of each board times the points on it.

    Lower is better.
    """
    everything = range(field.rounds)
    rows = []
    for position, opponents in enumerate(field.opponents):
        worth = [_board_count(boards) for boards in field.boards[position]]
        rows.append(Row(everything, opponents, worth, worth))
    return rows


def _board_count(boards: Sequence[int]) -> int:
    return sum(number * halves for number, halves in enumerate(boards, start=1))


def nothing(field: Field, _: Modifiers) -> list[Row]:
    """Return no rows, because the counting games depend on the tied teams."""
    return [Row((), (), (), ())] * len(field.ids)


def count(boards: Sequence[int]) -> list[int]:
    """BC (12.1) as a key: the lower the better (K1)."""
    return [-_board_count(boards)]


def top_boards(boards: Sequence[int]) -> list[int]:
    """TBR (12.2): the points on board 1, then on board 2, and so on."""
    return list(boards)


def bottom_boards(boards: Sequence[int]) -> list[int]:
    """BBE (12.3): the points without the last board, then without the last two, and so on."""
    return [sum(boards[:end]) for end in range(len(boards) - 1, 0, -1)]


def by_boards(key: Callable[[Sequence[int]], list[int]]) -> Split:
    """Return the tied by the points of their boards in the whole event."""

    def split(field: Field, tied: Sequence[int], forfeits: bool) -> list[list[int]]:
        del forfeits  # individual forfeits are standard results (12)
        return _grouped(tied, {n: key(_sums(field.boards[n])) for n in tied})

    return split


def extended_encounter(*chain: Callable[[Sequence[int]], list[int]]) -> Split:
    """EDE (13.3): direct encounter by the primary score, then by the secondary one, then of two the boards of their matches.

    Each smaller tie begins with the primary score again.
    """

    def split(field: Field, tied: Sequence[int], forfeits: bool) -> list[list[int]]:
        for score in (field.primary, _OTHER[field.primary]):
            groups = separated(field.by_score(score), tied, forfeits=forfeits)
            if len(groups) > 1:
                return [
                    part
                    for group in groups
                    for part in (split(field, group, forfeits) if len(group) > 1 else [group])
                ]
        if len(tied) == 2 and chain:
            boards = {n: _sums(_mutual(field, n, tied)) for n in tied}
            return _grouped(tied, {n: [v for key in chain for v in key(boards[n])] for n in tied})
        return [list(tied)]

    return split


def _mutual(field: Field, position: int, tied: Sequence[int]) -> list[Sequence[int]]:
    """Return the boards of the matches against the others of a tie. All of several matches count."""
    return [
        field.boards[position][r]
        for r, opponent in enumerate(field.opponents[position])
        if opponent in tied and field.kinds[position][r] in PLAYED
    ]


def _sums(matches: Iterable[Sequence[int]]) -> list[int]:
    """Return the points of each board in all these matches."""
    total: list[int] = []
    for boards in matches:
        total += [0] * (len(boards) - len(total))
        for number, halves in enumerate(boards):
            total[number] += halves
    return total


def _grouped(tied: Sequence[int], keys: dict[int, list[int]]) -> list[list[int]]:
    """Return the tied by descending key."""
    ordered = sorted({tuple(keys[n]) for n in tied}, reverse=True)
    return [[n for n in tied if tuple(keys[n]) == key] for key in ordered]
