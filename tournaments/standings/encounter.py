"""Direct encounter (C.07 6): the games of the tied among themselves."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from math import lcm
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.standings.field import Field


@dataclass(frozen=True, slots=True)
class Meeting:
    """A game of two who were tied: the round from 1, the opponent's id, and points, the average of their games counted once.

    `share` is this game's part of that average, in points.
    """

    round_number: int
    opponent: int
    share: Fraction


@dataclass(frozen=True, slots=True)
class Encounter:
    """A participant's part in a direct encounter as it was first applied.

    Attributes:
        tied: ids of all who were tied, ascending.
        points: points from the games among them.
        missing: how many of them were not met. Each could have been a win (6.3).
        meetings: the games.
    """

    tied: tuple[int, ...]
    points: Fraction
    missing: int
    meetings: tuple[Meeting, ...]


def encounters(field: Field, tied: Sequence[int], *, forfeits: bool) -> dict[int, Encounter]:
    """Return the score of each of the tied positions among them.

    A pair's games count once, as their average (6.1).
    """
    members = set(tied)
    ids = tuple(sorted(field.ids[n] for n in tied))
    by_member = {}
    for n in tied:
        rounds = _rounds(field, n, members, forfeits=forfeits)
        meetings = tuple(
            Meeting(
                r + 1,
                field.ids[opponent],
                Fraction(field.scores[n][r], 2 * len(together)),
            )
            for opponent, together in rounds.items()
            for r in together
        )
        points = sum((m.share for m in meetings), Fraction())
        by_member[n] = Encounter(ids, points, len(tied) - 1 - len(rounds), meetings)
    return by_member


def _rounds(
    field: Field, position: int, members: set[int], *, forfeits: bool
) -> dict[int, list[int]]:
    """Return the rounds against each of the members that was met."""
    rounds_by_opponent: dict[int, list[int]] = {}
    kinds, games = field.kinds[position], field.game_kinds(forfeits=forfeits)
    for r, opponent in enumerate(field.opponents[position]):
        if opponent in members and kinds[r] in games:
            rounds_by_opponent.setdefault(opponent, []).append(r)
    return rounds_by_opponent


def separated(field: Field, tied: Sequence[int], *, forfeits: bool) -> list[list[int]]:
    """Return the tied positions as direct encounter orders them, best first, with one list for each remaining tie.

    When all have met, the order is by points, and again within every smaller tie (6.2). Otherwise a
    participant is placed only if no other can reach it by winning the missing games, then the next.
    The rest begins again without them (6.3).
    """
    rest = list(tied)
    groups: list[list[int]] = []
    while len(rest) > 1:
        scores, missing = _scores(field, rest, forfeits=forfeits)
        if not any(missing.values()):
            return groups + _all_met(field, rest, scores, forfeits=forfeits)
        placed = _placed(rest, scores, missing)
        if not placed:
            return [*groups, rest]
        groups += [[n] for n in placed]
        rest = [n for n in rest if n not in set(placed)]
    return [*groups, rest] if rest else groups


def separated_by_points(field: Field, tied: Sequence[int], forfeits: bool) -> list[list[int]]:
    """`separated` as the split of a tie-break."""
    return separated(field, tied, forfeits=forfeits)


def _all_met(
    field: Field, tied: Sequence[int], scores: dict[int, int], *, forfeits: bool
) -> list[list[int]]:
    groups = [
        [n for n in tied if scores[n] == s] for s in sorted(set(scores.values()), reverse=True)
    ]
    if len(groups) == 1:
        return groups
    return [
        part
        for group in groups
        for part in (separated(field, group, forfeits=forfeits) if len(group) > 1 else [group])
    ]


def _placed(tied: Sequence[int], scores: dict[int, int], missing: dict[int, int]) -> list[int]:
    """Return the positions that are sure of the first place, then of the second, with any missing games."""
    most = sorted(tied, key=lambda n: scores[n] + missing[n], reverse=True)
    placed: dict[int, None] = {}
    first = 0  # in `most`, everybody before it is placed
    for n in sorted(tied, key=lambda n: scores[n], reverse=True):
        while first < len(most) and most[first] in placed:
            first += 1
        other = next((m for m in islice(most, first, None) if m != n and m not in placed), None)
        if other is not None and scores[n] <= scores[other] + missing[other]:
            break
        placed[n] = None
    return list(placed)


def _scores(
    field: Field, tied: Sequence[int], *, forfeits: bool
) -> tuple[dict[int, int], dict[int, int]]:
    """Return points among the tied and the possible points of the missing games.

    Both are in one unit that makes averages whole.
    """
    members = set(tied)
    met = {n: _rounds(field, n, members, forfeits=forfeits) for n in tied}
    unit = lcm(*{len(together) for rounds in met.values() for together in rounds.values()})
    scores, missing = {}, {}
    for n, rounds in met.items():
        halves = field.scores[n]
        scores[n] = sum(
            sum(halves[r] for r in together) * unit // len(together) for together in rounds.values()
        )
        missing[n] = (len(tied) - 1 - len(rounds)) * field.scoring.win * unit
    return scores, missing
