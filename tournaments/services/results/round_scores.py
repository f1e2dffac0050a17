"""The players' scores at the start of a round."""

from __future__ import annotations

from collections.abc import Mapping

from tournaments.models import Event, Round
from tournaments.queries.results import histories
from tournaments.services import audit
from tournaments.services.results import computations
from tournaments.services.results.computations import computable


def points_before(event: Event, round_: Round) -> dict[int, int]:
    """Return the score of each entry (by id) before that round, in half points."""
    rounds_by_entry = histories.of_event(event)
    return {
        pk: sum(one.score_halves or 0 for n, one in own.items() if n < round_.number)
        for pk, own in rounds_by_entry.items()
    }


def stored_points_before(event: Event, round_: Round, state: str = "") -> Mapping[int, int]:
    """Return `points_before` for a visitor. Raises ComputingError.

    `state` is that of `computations.state_of`, if the caller knows it.
    """
    state = state or computations.state_of(event)
    stored = _points_before.answer(event, round_.number, state=state)
    return {int(pk): halves for pk, halves in stored.value.items()}


def _mark(event: Event, number: int) -> str:
    # The earlier rounds are closed: changes of their results are in the log.
    state = event.rounds.values_list("state", flat=True).get(number=number)
    return f"{audit.mark(event)} {state}"


@computable(_mark, may_lag=True)  # with every result entered at the desk the log grows
def _points_before(event: Event, number: int) -> dict[str, int]:
    points = points_before(event, event.rounds.get(number=number))
    return {str(pk): halves for pk, halves in points.items()}
