"""Final places by an ordered list of tie-breaks (C.07 4.1, 4.2)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from tournaments.standings.catalogue import TieBreak, tie_breaks
from tournaments.standings.columns import Column, column
from tournaments.standings.encounter import Encounter, encounters
from tournaments.standings.entry import Combination

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tournaments.standings.field import Field


@dataclass(frozen=True, slots=True)
class Place:
    """A participant's row in the table.

    Attributes:
        rank: the place, from 1, shared by participants without a difference.
        id: the participant.
        points_halves: its score.
        values: by tie-break name, in points or rating points, or None if undefined, or if no tie
            needed direct encounter.
        separated_by: the tie-break that put it behind the row above, or None at the top and if the
            place is shared.
    """

    rank: int
    id: int
    points_halves: int
    values: Mapping[str, Fraction | None]
    separated_by: str | None

    @property
    def points(self) -> Fraction:
        """Return the score, in points."""
        return Fraction(self.points_halves, 2)


@dataclass(frozen=True, slots=True)
class Ranking:
    """The table, best first.

    `encounters` has, by name (`DE`, `DE/P`) and id, the score of each of the tied among them when
    direct encounter was first applied to their tie.
    """

    tie_breaks: tuple[TieBreak, ...]
    places: tuple[Place, ...]
    encounters: Mapping[str, Mapping[int, Encounter]]


def ranking(field: Field, names: Iterable[str]) -> Ranking:
    """Return all places by the tie-breaks in this order.

    Points come first unless `names` places them.

    Each tie-break is applied to each group that is still tied (4.2). Participants who remain tied
    share the place, in the order of the ids. The order in which participants were entered has no
    effect.

    Raises:
        UnknownTieBreakError: for a name that is no tie-break, or comes twice.
    """
    chosen = tie_breaks(names, of_teams=bool(field.primary))
    columns = {t.name: column(field, t) for t in chosen}
    met: dict[str, dict[int, Encounter]] = {
        t.name: {} for t in chosen if t.entry.combination is Combination.ENCOUNTER
    }
    ties = [_Tie(range(len(field.ids)), None)] if field.ids else []
    for each in chosen:
        ties = [part for tie in ties for part in _split(field, tie, columns[each.name], met)]
    return Ranking(chosen, tuple(_places(field, ties, columns, met)), met)


class _Tie(NamedTuple):
    """Positions that are not separated yet, and the tie-break that put them behind those before them."""

    members: Sequence[int]
    behind: str | None


def _split(
    field: Field, tie: _Tie, values: Column, met: Mapping[str, dict[int, Encounter]]
) -> list[_Tie]:
    if len(tie.members) == 1:
        return [tie]
    chosen = values.tie_break
    if chosen.name in met:
        forfeits = chosen.modifiers.forfeits
        by_member = encounters(field, tie.members, forfeits=forfeits)
        met[chosen.name].update({field.ids[n]: e for n, e in by_member.items()})
        parts = chosen.entry.split(field, tie.members, forfeits)
    else:
        parts = _by_value(tie.members, values)
    return [_Tie(part, chosen.name if number else tie.behind) for number, part in enumerate(parts)]


def _by_value(members: Sequence[int], values: Column) -> list[list[int]]:
    """Return the members by value, best first, with those without a value last."""
    units = values.units
    by_value: dict[int | None, list[int]] = {}
    for n in members:
        by_value.setdefault(units[n], []).append(n)
    undefined = by_value.pop(None, None)
    is_descending = values.tie_break.is_higher_better
    order = sorted((u for u in by_value if u is not None), reverse=is_descending)
    return [by_value[u] for u in order] + ([undefined] if undefined else [])


def _places(
    field: Field,
    ties: Sequence[_Tie],
    columns: Mapping[str, Column],
    met: Mapping[str, Mapping[int, Encounter]],
) -> Iterator[Place]:
    known = {name: c.values() for name, c in columns.items()}
    rank = 1
    for tie in ties:
        for number, n in enumerate(sorted(tie.members)):
            values = {name: of[n] for name, of in known.items()}
            for name, encounters_of_name in met.items():
                encounter = encounters_of_name.get(field.ids[n])
                values[name] = encounter.points if encounter else None
            behind = None if number else tie.behind
            yield Place(rank, field.ids[n], field.points[n], values, behind)
        rank += len(tie.members)
