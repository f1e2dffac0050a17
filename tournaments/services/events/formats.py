"""The traits of each format, and the options that an event gives its pairing system."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import Enum
from typing import TYPE_CHECKING

from tournaments.models import Event
from tournaments.pairing import FormatOptions, PointSystem, system

if TYPE_CHECKING:
    from tournaments.pairing import PairingSystem, Progress


class Late(Enum):
    """When an entry may still come after the start."""

    NEVER = "never"
    FIRST_HALF = "first-half"
    ALWAYS = "always"


@dataclass(frozen=True, slots=True)
class Traits:
    """One format as the service sees it.

    Attributes:
        late: when an entry may still come after the start.
        is_swiss: whether rounds may be missed on request and players kept apart, and a FIDE report
            says it all.
        is_continuous: whether there are no common rounds.
        bots_only: whether only bots may enter.
        games_a_pairing: how many games two play when they are paired.
    """

    late: Late = Late.NEVER
    is_swiss: bool = False
    is_continuous: bool = False
    bots_only: bool = False
    games_a_pairing: int = 1


_SWISS = Traits(late=Late.FIRST_HALF, is_swiss=True)
TRAITS: dict[str, Traits] = {
    Event.Format.DUTCH: _SWISS,
    Event.Format.SWISS: _SWISS,
    Event.Format.ROUND_ROBIN: Traits(),
    Event.Format.KNOCKOUT: Traits(),
    Event.Format.DOUBLE_KNOCKOUT: Traits(),
    Event.Format.GROUPS_KNOCKOUT: Traits(),
    Event.Format.LEAGUE: Traits(late=Late.ALWAYS),
    Event.Format.ARENA: Traits(late=Late.ALWAYS, is_continuous=True),
    Event.Format.LADDER: Traits(
        late=Late.ALWAYS, is_continuous=True, bots_only=True, games_a_pairing=2
    ),
}
# Formats in which two may meet only once are those whose rounds are all played against somebody
# new.
_MEETINGS = {Event.Format.DUTCH: 1, Event.Format.SWISS: 1}


def traits(event: Event) -> Traits:
    """What is special about the event's format."""
    return TRAITS[event.format]


def pairing_system(event: Event, progress: Progress | None = None) -> PairingSystem:
    """The system that pairs the event's rounds.

    It calls `progress` where pairing takes time.
    """
    return system(event.format, progress)


def options(event: Event) -> FormatOptions:
    """What the organiser has chosen for the format."""
    return FormatOptions(
        cycles=event.cycles,
        groups=event.groups,
        movers=event.promotion_places,
        qualifiers=event.qualifiers,
    )


def most_meetings(event: Event) -> int:
    """How often two may play each other in the event; 0 without a limit."""
    if event.format == Event.Format.ROUND_ROBIN:
        return event.cycles
    if event.format == Event.Format.GROUPS_KNOCKOUT:
        return event.cycles + 1  # in the group, and once more in the knock-out
    return _MEETINGS.get(Event.Format(event.format), 0)


def points(event: Event) -> PointSystem:
    """What the event's results are worth. A half-point bye is worth a draw, an absence nothing."""
    return PointSystem(
        win=event.win_halves,
        draw=event.draw_halves,
        loss=event.loss_halves,
        pairing_bye=event.bye_halves,
        half_bye=event.draw_halves,
        full_bye=event.win_halves,
        forfeit_win=event.win_halves,
    )


def pairing_points(event: Event) -> PointSystem:
    """What the result of a whole pairing is worth: of a mini-match both games together.

    A mini-match of which each has won something is worth what its games were worth.
    """
    each = points(event)
    if event.games_per_pairing == 1:
        return each
    worth = {
        field.name: event.games_per_pairing * getattr(each, field.name) for field in fields(each)
    }
    return PointSystem(**worth)


def rounds_planned(event: Event, players: int) -> int:
    """How many rounds the event has with so many players.

    What the organiser said where the format leaves it open.

    Raises BadProblemError when the format's options make no sense for so many.
    """
    count = pairing_system(event).rounds(players, options(event))
    if count is None:
        return event.rounds_total
    return count * event.seasons if event.format == Event.Format.LEAGUE else count
