"""What players had scored when a round began."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tournaments.services import audit
from tournaments.services.results import memory, standings

if TYPE_CHECKING:
    from collections.abc import Collection

    from tournaments.models import Event, Round


def points_before(
    event: Event, round_: Round, entry_ids: Collection[int] | None = None
) -> dict[int, int]:
    """What each entry (by id), or each of those given, had scored in the rounds before that one, in half points.

    Raises ComputingError.
    """

    def count() -> str:
        histories = standings.histories(event, None if memory.is_large(event) else entry_ids)
        return json.dumps(
            {
                pk: sum(one.score_halves or 0 for n, one in own.items() if n < round_.number)
                for pk, own in histories.items()
            }
        )

    # Those rounds are closed: what is done about their results is in the log.
    text = memory.recall(
        event,
        f"points before {round_.number}",
        count,
        may_lag=True,  # with every result entered at the desk the log grows
        depends_on=f"{audit.mark(event)} {round_.state}",
    )
    return {int(pk): halves for pk, halves in json.loads(text).items()}
