"""The prize fund of a festival, which its organiser changes as that of an event."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.models import Festival, User
from tournaments.queries.events.prizes import Owner
from tournaments.services import audit
from tournaments.services.festivals import changes


@dataclass(frozen=True, slots=True)
class OfFestival:
    """The festival with this id, as `prize_changes.FundOwner`."""

    festival_id: int

    def lock(self, actor: User) -> Festival:
        """Return the locked festival.

        Raises NotAllowedError `not-your-festival`, StaleError `festival-deleted`, `festival-awarded`.
        """
        festival = changes.lock(self.festival_id, actor)
        changes.require_not_awarded(festival)
        return festival

    def note(self, owner: Owner, actor: User, before: object, after: object) -> None:
        """Add the change to the audit log."""
        audit.note("festival-prizes", actor=actor, festival=owner.slug, before=before, after=after)
