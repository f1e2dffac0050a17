"""The players' scores at the start of a round."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from tournaments.models import Event, Round
from tournaments.queries.results import histories
from tournaments.services import audit
from tournaments.services.results import computations
from tournaments.services.results.computations import computable


def points_before(
    event: Event, round_: Round, entry_ids: Collection[int] | None = None
) -> dict[int, int]:
    """Scores of each entry (by id), or of the given ones, before that round, in half points."""
    rounds_by_entry = histories.of_event(event, entry_ids)
    return {
        pk: sum(one.score_halves or 0 for n, one in own.items() if n < round_.number)
        for pk, own in rounds_by_entry.items()
    }


def stored_points_before(
    event: Event, round_: Round, entry_ids: Collection[int] | None = None
) -> Mapping[int, int]:
    """Return `points_before` for a visitor, in a large event of all entries. Raises ComputingError."""
    if not computations.is_large(event):
        return points_before(event, round_, entry_ids)
    return {int(pk): halves for pk, halves in _points_before.of(event, round_.number).items()}


def _mark(event: Event, number: int) -> str:
    # The earlier rounds are closed: changes of their results are in the log.
    state = event.rounds.values_list("state", flat=True).get(number=number)
    return f"{audit.mark(event)} {state}"


@computable(_mark, may_lag=True)  # with every result entered at the desk the log grows
def _points_before(event: Event, number: int) -> dict[str, int]:
    points = points_before(event, event.rounds.get(number=number))
    return {str(pk): halves for pk, halves in points.items()}
