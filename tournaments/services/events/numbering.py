"""Pairing numbers after the start: of late entries, and after corrections (C.04.2 2.3-2.5).

A round that was paired before keeps the numbers of its time in its input, which never changes.
`Round.renumbered` tells the present ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Max

from tournaments.models import Entry, Event, Round
from tournaments.queries import formats
from tournaments.services.events import seeding

# The numbers are fixed when this round is paired (C.04.2 2.3).
FIXED_BY_ROUND = 4
_BATCH = 500


@dataclass(frozen=True, slots=True)
class NumberChange:
    """An entry that would have another number."""

    entry: Entry
    before: int
    after: int


def number_late(event: Event, entry: Entry) -> None:
    """Give a late entry its number. In the caller's transaction, `event` locked. The row is not saved.

    In a Swiss it is the number that rating, title and name ask for. The entries below move down by
    one (C.04.2 2.4). The last player of Baku's group A is still the last one (C.04.7 1.3). Other
    formats, whose tables were drawn by the numbers, give the number after the last.
    """
    seeding.seed(event, [entry])
    last = event.entries.aggregate(last=Max("tpn"))["last"] or 0
    entry.tpn = last + 1
    if not formats.of(event).is_swiss:
        return
    rows = event.entries.exclude(tpn=None).select_related("player").order_by("tpn")
    below = _below(list(rows), entry)
    if not below:
        return
    entry.tpn = below[0].tpn
    _shift(event, below, 1)


def number_again(event: Event, entry: Entry) -> None:
    """Give a late entry of a Swiss the number that its present rating asks for, until it is paired.

    A team enters before its members, whose ratings are its own. In the caller's transaction, `event`
    locked.
    """
    is_late = entry.tpn is not None and entry.joined_round > 1
    if not is_late or not formats.of(event).is_swiss:
        return
    if entry.seats.filter(round__number__gte=entry.joined_round).exists():
        return
    number, entry.tpn = entry.tpn, None
    entry.save(update_fields=["tpn"])
    close_gap(event, number)
    number_late(event, entry)
    entry.save(update_fields=["tpn", "seed_centielo"])


def close_gap(event: Event, number: int | None) -> None:
    """Move the entries below the number of a removed late entry of a Swiss up by one, as before its entry.

    In the caller's transaction, `event` locked.
    """
    if number is not None and formats.of(event).is_swiss:
        _shift(event, list(event.entries.filter(tpn__gt=number)), -1)


def _shift(event: Event, below: Sequence[Entry], by: int) -> None:
    """Move the entries, the last ones of the event, and the end of group A if it is among them."""
    numbers = {each.tpn or 0: (each.tpn or 0) + by for each in below}
    _store(event, below, numbers)
    last_of_a = event.accelerated_upto_tpn
    if last_of_a in numbers:
        event.accelerated_upto_tpn = numbers[last_of_a]
        event.save(update_fields=["accelerated_upto_tpn"])


def _below(rows: Sequence[Entry], entry: Entry) -> Sequence[Entry]:
    """Return the entries after the place of a late one. Numbers of the organiser's choice are no measure."""
    if entry.listed_seed is not None:
        return [each for each in rows if (each.tpn or 0) >= entry.listed_seed]
    own = seeding.rank(entry)
    ranked = (each for each in rows if each.listed_seed is None)
    first = next((each.tpn for each in ranked if seeding.rank(each)[:3] > own[:3]), None)
    return [] if first is None else [each for each in rows if (each.tpn or 0) >= first]


def changes(event: Event) -> list[NumberChange]:
    """Return the entries that would have other numbers by their present ratings and titles.

    Entries with one rating and one title stay in their order. It is empty if the numbers are fixed.
    """
    if not may_change(event):
        return []
    rows = list(event.entries.exclude(tpn=None).select_related("player").order_by("tpn"))
    ranked = seeding.order(sorted(rows, key=lambda each: seeding.rank(each)[:2]))
    numbers = [row.tpn or 0 for row in rows]
    moved = zip(ranked, numbers, strict=True)
    return [NumberChange(each, each.tpn or 0, new) for each, new in moved if each.tpn != new]


def may_change(event: Event) -> bool:
    """Return whether the numbers of a running Swiss may still change: until round 4 is paired."""
    if event.state != Event.State.RUNNING or not formats.of(event).is_swiss:
        return False
    published = event.rounds.exclude(state=Round.State.DRAFT)
    return not published.filter(number__gte=FIXED_BY_ROUND).exists()


def change(event: Event, moved: Sequence[NumberChange]) -> None:
    """Give the entries their other numbers. In the caller's transaction, `event` locked."""
    _store(event, [each.entry for each in moved], {each.before: each.after for each in moved})


def _store(event: Event, entries: Sequence[Entry], new_numbers: Mapping[int, int]) -> None:
    # Two entries cannot have one number, not even on the way.
    event.entries.filter(pk__in=[each.pk for each in entries]).update(tpn=None)
    for each in entries:
        each.tpn = new_numbers[each.tpn or 0]
    Entry.objects.bulk_update(entries, ["tpn"], batch_size=_BATCH)
    rounds = list(event.rounds.only("pk", "renumbered"))
    for round_ in rounds:
        round_.renumbered = list(round_.numbers.followed_by(new_numbers).moved.items())
    Round.objects.bulk_update(rounds, ["renumbered"], batch_size=_BATCH)
