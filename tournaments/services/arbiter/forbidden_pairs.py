"""Forbidden pairs: players whom the organiser lets not meet, always or for some rounds."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from tournaments import database_time
from tournaments.errors import RefusedError, StaleError
from tournaments.models import Event, Prohibition, User
from tournaments.models.setting_types import Level
from tournaments.queries import formats
from tournaments.queries.events.staff import Task
from tournaments.services import enqueue
from tournaments.services.events.acts import ActWarning, act
from tournaments.services.notifications import news

# Each player of a group is kept apart from all others of it. One line of a report file holds this
# number.
MAX_GROUP = 100


@act(
    "forbid",
    task=Task.ENTRIES,
    done=_("They will not be paired with each other."),
    warning=ActWarning(
        Level.SIMPLE,
        _("The chosen players are not paired with each other in any round not drafted yet."),
    ),
)
def forbid(
    event: Event,
    actor: User,
    *,
    entry_ids: Sequence[int],
    first_round: int = 1,
    last_round: int | None = None,
    note: str = "",
) -> Prohibition:
    """Forbid any two of these entries to meet from `first_round` to `last_round`, or to the end.

    Drafted rounds do not change.

    Raises:
        NotAllowedError: `not-organiser`.
        RefusedError: `event-closed`, `prohibition-bad`.
    """
    if event.state not in {Event.State.REGISTRATION, Event.State.RUNNING}:
        raise RefusedError("event-closed", event.state)
    entries = list(event.entries.filter(pk__in=entry_ids))
    if not formats.of(event).is_swiss or not 2 <= len(entries) <= MAX_GROUP:
        raise RefusedError("prohibition-bad", f"{len(entries)} players")
    if first_round < 1 or (last_round is not None and last_round < first_round):
        raise RefusedError("prohibition-bad", f"rounds {first_round} to {last_round}")
    prohibition = Prohibition.objects.create(
        event=event,
        first_round=first_round,
        last_round=last_round,
        note=note[:100],
        created_at=database_time.now(),
    )
    prohibition.entries.set(entries)
    players = [entry.player_id for entry in entries]
    forbid.note(
        event,
        actor,
        players=players,
        note=prohibition.note,
        prohibition=prohibition.pk,
    )
    _tell(event)
    return prohibition


@act(
    "allow",
    task=Task.ENTRIES,
    done=_("The forbidden pairing was lifted."),
    warning=ActWarning(
        Level.SIMPLE, _("Players who are allowed to meet can be paired from the next draft on.")
    ),
)
def allow(event: Event, actor: User, *, prohibition_id: int) -> None:
    """Allow the entries to meet again.

    Raises NotAllowedError `not-organiser`, StaleError `no-such-prohibition`.
    """
    prohibition = event.prohibitions.filter(pk=prohibition_id).first()
    if prohibition is None:
        raise StaleError("no-such-prohibition")
    players = list(prohibition.entries.values_list("player_id", flat=True))
    allow.note(
        event,
        actor,
        players=players,
        first_round=prohibition.first_round,
        last_round=prohibition.last_round,
        note=prohibition.note,
    )
    prohibition.entries.clear()
    prohibition.delete()
    _tell(event)


def _tell(event: Event) -> None:
    """Wake an event that waits because its players could not be paired."""
    news.announce(news.of_event(event.pk), "entries", {})
    if event.hold_reason:
        Event.objects.filter(pk=event.pk).update(next_step_at=database_time.now())
        enqueue.event(event.pk)
