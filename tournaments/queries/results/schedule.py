"""The whole schedule of a round robin, known before the first move: Berger's tables (C.05 annex 1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.models import Event
from tournaments.pairing import Board
from tournaments.pairing.round_robin import scheduled, table_rounds
from tournaments.queries import formats


@dataclass(frozen=True, slots=True)
class ScheduledRound:
    """One round by pairing numbers: its boards, and the free player of an odd field."""

    number: int
    boards: Sequence[Board]
    free: int | None


def schedule(event: Event) -> list[ScheduledRound]:
    """All rounds of a round robin for those who play, or would if it began now.

    Empty for other formats, and for fewer than two players.
    """
    if not formats.of(event).is_table:
        return []
    has_begun = event.state not in (Event.State.REGISTRATION, Event.State.CANCELLED)
    # A player who leaves keeps the number: the table does not change.
    entries = event.entries.exclude(tpn=None) if has_begun else event.entries.active()
    players = entries.count()
    tables = (
        (
            number,
            scheduled(players, event.cycles, number, exchanges_rounds=event.exchanges_rounds),
        )
        for number in range(1, table_rounds(players, event.cycles) + 1)
    )
    return [ScheduledRound(number, table.boards, table.free) for number, table in tables]
