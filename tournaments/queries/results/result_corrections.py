"""The corrections of an event's results and colours, with the board that each belongs to."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from tournaments.models import Correction, Entry, Event, Round, statements


@dataclass(frozen=True, slots=True)
class ResultCorrection:
    """One correction, `before` and `after` being results of a game (`Game.Result`).

    `first` and `second` are the entries by their present sides. With `is_exchange` the sides of the
    game were exchanged, and the result has the same winner.
    """

    game_id: int
    round_number: int
    board: int
    first: Entry
    second: Entry
    before: str
    after: str
    is_exchange: bool
    reason: str
    made_at: datetime
    is_in_closed_round: bool

    @property
    def entries(self) -> tuple[Entry, Entry]:
        """Both whose result it is."""
        return self.first, self.second


def of_event(event: Event) -> list[ResultCorrection]:
    """Return the corrections of the event's results and colours, the oldest first."""
    corrections = []
    for row in _rows.all(event=event.pk):
        pairing = row.game.pairing
        assert pairing is not None, "selected by it"
        corrections.append(
            ResultCorrection(
                game_id=row.game_id,
                round_number=pairing.round.number,
                board=pairing.board,
                first=pairing.first,
                second=pairing.second,
                before=row.before,
                after=row.after,
                is_exchange=row.is_exchange,
                reason=row.reason,
                made_at=row.made_at,
                is_in_closed_round=pairing.round.state == Round.State.CLOSED,
            )
        )
    return corrections


@statements.query
def _rows(event: int) -> QuerySet[Correction]:
    """Return the corrections with their boards.

    Every page of standings needs them, and mostly there is none. Django took 2 ms to write the statement.
    """
    board = "game__pairing"
    rows = Correction.objects.filter(game__pairing__event=event).order_by("made_at", "pk")
    # The input of a pairing is large, and is not needed here.
    large = (f"{board}__round__{name}" for name in ("problem", "evidence", "report"))
    return rows.select_related(
        f"{board}__round", f"{board}__first__player", f"{board}__second__player"
    ).defer(*large)


def game_ids(event: Event) -> frozenset[int]:
    """The games of the event whose result has been corrected."""
    rows = Correction.objects.filter(game__pairing__event=event, is_exchange=False)
    return frozenset(rows.values_list("game_id", flat=True))
