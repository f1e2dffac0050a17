"""The rule that a person has one entry in all sections of a festival."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import QuerySet

from tournaments.errors import RefusedError
from tournaments.models import Entry, Event, Festival, Player, statements
from tournaments.queries.events import festivals
from tournaments.queries.events.player_lists import ListedPlayer


def require_single(event: Event, player: Player) -> None:
    """Raise RefusedError `section-entered` if the player has an entry in another section of the festival.

    In the caller's transaction, `event` locked. Outside of festivals the check passes.
    """
    if _lock(event):
        _require_none(festivals.other_entry(event, player))


def require_listed(event: Event, players: Iterable[ListedPlayer]) -> None:
    """Raise RefusedError `section-entered` if a FIDE id of a list is in another section.

    As `require_single`.
    """
    if _lock(event):
        _require_none(festivals.other_entry(event, None, [each.fide_id for each in players]))


def _lock(event: Event) -> bool:
    """Return whether the event is a section. Lock its festival, so that entries follow one another."""
    return bool(_locked_festival.all(event=event.pk))


@statements.query
def _locked_festival(event: int) -> QuerySet[Festival]:
    rows = Festival.objects.select_for_update(of=("self",), no_key=True)
    return rows.filter(sections__event=event).order_by()


def _require_none(other: Entry | None) -> None:
    if other is not None:
        raise RefusedError("section-entered", f"{other.player.name}: {other.event.name}")
