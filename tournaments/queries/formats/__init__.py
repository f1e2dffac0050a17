"""The formats of events, one class each, and the input for their pairing systems."""

from __future__ import annotations

from tournaments.models import Event
from tournaments.pairing import FormatOptions, PairingSystem, PointSystem, Progress, system
from tournaments.queries.formats.base import Format, GroupTable, Late, house_rules
from tournaments.queries.formats.clubs import Keizer, McMahon
from tournaments.queries.formats.group_tables import GroupsKnockout, League, RoundRobin
from tournaments.queries.formats.knockouts import DoubleKnockout, Knockout, Match
from tournaments.queries.formats.pools import Arena, Ladder
from tournaments.queries.formats.swiss import (
    Burstein,
    DoubleSwiss,
    Dubov,
    Dutch,
    Dutch2017,
    Lim,
    Swiss,
)
from tournaments.queries.formats.teams import (
    Scheveningen,
    TeamKnockout,
    TeamMatch,
    TeamRoundRobin,
    TeamSwiss,
    match_points,
)

__all__ = [
    "FORMATS",
    "Format",
    "GroupTable",
    "Late",
    "house_rules",
    "match_points",
    "of",
    "options",
    "pairing_points",
    "pairing_system",
    "points",
]

FORMATS: dict[str, Format] = {
    each.code: each
    for each in (
        Dutch(),
        Dutch2017(),
        Dubov(),
        Burstein(),
        Lim(),
        DoubleSwiss(),
        Swiss(),
        Keizer(),
        McMahon(),
        TeamSwiss(),
        TeamRoundRobin(),
        TeamMatch(),
        Scheveningen(),
        TeamKnockout(),
        RoundRobin(),
        Match(),
        Knockout(),
        DoubleKnockout(),
        GroupsKnockout(),
        League(),
        Arena(),
        Ladder(),
    )
}
assert FORMATS.keys() == set(Event.Format.values), "each choice of the model has its class"


def of(event: Event) -> Format:
    """Return the format of the event."""
    return FORMATS[event.format]


def pairing_system(event: Event, progress: Progress | None = None) -> PairingSystem:
    """The system that pairs the event's rounds.

    It calls `progress` where pairing takes time.
    """
    return system(event.format, progress)


def options(event: Event) -> FormatOptions:
    """The options that the organiser has chosen for the format."""
    return FormatOptions(
        cycles=event.cycles,
        exchanges_rounds=event.exchanges_rounds,
        groups=event.groups,
        movers=event.promotion_places,
        qualifiers=event.qualifiers,
        house_rules=house_rules(event),
        has_third_place=event.has_third_place,
    )


def points(event: Event) -> PointSystem:
    """Return the points of the event's results. A half-point bye is worth a draw, an absence zero.

    The bye of a match is worth a win and a draw (C.04.5 1.4).
    """
    has_matches = of(event).has_matches
    return PointSystem(
        win=event.win_halves,
        draw=event.draw_halves,
        loss=event.loss_halves,
        pairing_bye=event.win_halves if has_matches else event.bye_halves,
        half_bye=event.draw_halves,
        full_bye=event.win_halves,
        forfeit_win=event.win_halves,
        second_bye=event.draw_halves if has_matches else None,
    )


def pairing_points(event: Event) -> PointSystem:
    """Return the points of the result of a whole pairing: of both games together in a mini-match.

    A divided mini-match is worth the sum of its games.
    """
    each = points(event)
    return each if event.games_per_pairing == 1 else each.of_match
