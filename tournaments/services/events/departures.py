"""Departures from FIDE's rules by acts, which stay."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tournaments.models import Event, Round
from tournaments.queries.results import fide_rules


@contextmanager
def stored(event: Event) -> Iterator[None]:
    """Store the departures of the event before and after an act, so that they stay when it is taken back.

    Before its start an event that has not followed the rules may still come to follow them. In the
    caller's transaction, `event` locked.
    """
    before, number = fide_rules.departures(event), next_round(event)
    yield
    if before and not event.departures and event.state == Event.State.REGISTRATION:
        return
    after = fide_rules.departures(event)
    rounds = {each.name: 0 for each in before}
    rounds = {each.name: number for each in after} | rounds | event.departures
    if rounds != event.departures:
        event.departures = rounds
        Event.objects.filter(pk=event.pk).update(departures=rounds)


def next_round(event: Event) -> int:
    """Return the number of the first round that is not published."""
    return event.rounds.exclude(state=Round.State.DRAFT).count() + 1
