"""Checks of a round robin with rounds made by hand: equal colours in a row, and meetings that are missing (C.05)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from tournaments.models import Entry, Round
from tournaments.queries import formats

_MOST_IN_A_ROW = 2


@dataclass(frozen=True, slots=True)
class TableFaults:
    """The faults of a round robin up to a draft.

    Attributes:
        third_colours: players whose game in the draft is the third in a row with one side.
        same_sides: pairs who meet in the second cycle with the sides of the first.
        missing: pairs who meet less often than the cycles, in the draft of the last round.
    """

    third_colours: Sequence[Entry] = ()
    same_sides: Sequence[tuple[Entry, Entry]] = ()
    missing: Sequence[tuple[Entry, Entry]] = ()


def faults(draft: Round) -> TableFaults:
    """Return the faults of the draft of a round robin. Other formats, and unchanged drafts, have none."""
    event = draft.event
    is_changed = event.rounds.exclude(edits=[]).exists()
    if not formats.of(event).is_table or event.is_of_teams or not is_changed:
        return TableFaults()
    entries = {each.pk: each for each in event.entries.exclude(tpn=None).select_related("player")}
    rows = event.pairings.order_by("round__number").values_list("round", "first", "second")
    sides: dict[int, list[int]] = defaultdict(list)
    for _, first, second in rows:
        sides[first].append(0)
        sides[second].append(1)
    here = [(first, second) for round_id, first, second in rows if round_id == draft.pk]
    boards = Counter((first, second) for _, first, second in rows)
    return TableFaults(
        third_colours=[
            entries[pk]
            for pair in here
            for pk in pair
            if len(sides[pk]) > _MOST_IN_A_ROW and len(set(sides[pk][-_MOST_IN_A_ROW - 1 :])) == 1
        ],
        same_sides=[(entries[one], entries[two]) for one, two in here if boards[one, two] > 1],
        missing=[
            (entries[one], entries[two])
            for one, two in combinations(entries, 2)
            if draft.number == event.rounds_total
            and boards[one, two] + boards[two, one] < event.cycles
        ],
    )
