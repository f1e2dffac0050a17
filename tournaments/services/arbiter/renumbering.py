"""New pairing numbers after corrections of ratings and titles (C.04.2 2.3)."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.errors import RefusedError
from tournaments.models import Event, User
from tournaments.models.setting_types import Level
from tournaments.queries.events.staff import Task
from tournaments.services.events import numbering
from tournaments.services.events.acts import ActWarning, act
from tournaments.services.notifications import news
from tournaments.services.rounds import rounds


@act(
    "renumber",
    task=Task.PAIRINGS,
    done=_("The pairing numbers were changed."),
    warning=ActWarning(
        Level.CONFIRM,
        _(
            "Players will get other pairing numbers. A draft will be discarded. You cannot undo this."
        ),
    ),
)
def renumber(event: Event, actor: User, *, reason: str) -> None:
    """Number the entries of a Swiss by their present ratings and titles, until round 4 is paired.

    A draft is discarded. Rounds that were paired before do not change.

    Raises NotAllowedError `not-organiser`, RefusedError `reason-bad`, `numbers-fixed`, or
    `numbers-right` if no number would change.
    """
    if not numbering.may_change(event):
        raise RefusedError("numbers-fixed", str(numbering.FIXED_BY_ROUND))
    moved = numbering.changes(event)
    if not moved:
        raise RefusedError("numbers-right")
    rounds.drop_draft(event, actor)
    numbering.change(event, moved)
    numbers = [[each.entry.player_id, each.before, each.after] for each in moved]
    renumber.note(event, actor, reason=reason, count=len(moved), numbers=numbers)
    news.announce(news.of_event(event.pk), "entries", {})
