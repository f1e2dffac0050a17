"""The steps of an event and of its rounds: the acts of one form of the desk, and of the API."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from tournaments.services.arbiter import exchanged_sides, renumbering, results, tie_orders
from tournaments.services.events.acts import Acts
from tournaments.services.rounds import (
    deadlines,
    deletion,
    hand_drafts,
    interruptions,
    lifecycle,
    publication,
    rounds,
)


@dataclass(frozen=True, slots=True)
class StepArguments:
    """The arguments of the steps. Each step takes some of them."""

    reason: str = ""
    name: str = ""
    order: Sequence[int] = ()
    starts_at: datetime | None = None
    deadline_at: datetime | None = None
    round_number: int | None = None
    board: int | None = None
    first: int | None = None
    tpn: int | None = None
    is_postponed: bool | None = None


# The steps of an event as a whole, in the order of the API's documentation.
EVENT_STEPS: Acts[StepArguments, object] = Acts(
    StepArguments,
    lifecycle.start_event,
    interruptions.pause,
    interruptions.go_on,
    renumbering.renumber,
    lifecycle.finish_early,
    tie_orders.order_tie,
    interruptions.cancel,
    deletion.delete,
)
STEPS: Acts[StepArguments, object] = Acts(
    StepArguments,
    *EVENT_STEPS.by_code.values(),
    lifecycle.draft_next,
    hand_drafts.draft_by_hand,
    rounds.discard_draft,
    publication.publish_round,
    publication.start_round,
    publication.take_back,
    deadlines.move_deadline,
    exchanged_sides.exchange_sides,
    results.let_through,
    results.postpone,
)
