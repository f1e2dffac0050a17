"""The players who may have the pairing-allocated bye (C2), with the lowest possible score (C5)."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from tournaments.pairing.dutch.rules.criterion import ByeScoreCriterion

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tournaments.pairing.dutch.rules.field import DutchField


def bye_choices(field: DutchField) -> Iterator[list[int]]:
    """Yield the places that may have the bye (2.1.2), grouped by equality in C5, the best first (2.3.1).

    Within a choice the lowest ranked comes first. The first choice with a member who can be left
    out counts.
    """
    amounts = [c.amount for c in field.criteria if isinstance(c, ByeScoreCriterion)]

    def order(place: int) -> list[int]:
        return [amount(field.players[place]) for amount in amounts]

    places = [p.place for p in reversed(field.players) if field.may_have_bye(p.place)]
    for _, choice in groupby(sorted(places, key=order), key=order):
        yield list(choice)
