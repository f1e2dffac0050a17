"""An organiser's idea of an event, as a plan that can be simulated."""

from __future__ import annotations

from dataclasses import dataclass

import games
from tournaments.errors import RefusedError
from tournaments.forecasts import Plan, Timing
from tournaments.models import Pool
from tournaments.pairing import FormatOptions, PointSystem
from tournaments.pairing.problem import STANDARD_POINTS
from tournaments.queries import formats
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.queries.forecasts import courses, strengths
from tournaments.queries.ratings import pools

_KINDS = (Pool.Kind.EVENTS, Pool.Kind.PEOPLE)


@dataclass(frozen=True, slots=True)
class Idea:
    """An event that an organiser considers.

    `spread_elo` is the standard deviation of the players' ratings, `deviation_elo` the standard
    error of each of them.
    """

    format: str
    ruleset: str
    clock: Clock
    players: int
    rounds_total: int
    spread_elo: int
    deviation_elo: int
    cycles: int = 1
    groups: int = 1
    qualifiers: int = 2
    pause_s: int = 60
    games_per_pairing: int = 1


def plan_of(idea: Idea) -> Plan:
    """The plan to simulate: with the draws of the game's pools, and the length of its games here.

    Raises RefusedError `format-bad`, `ruleset-bad`.
    """
    if idea.format not in courses.FORMATS:
        raise RefusedError("format-bad", idea.format)
    format_ = formats.FORMATS[idea.format]
    try:
        games.load(idea.ruleset)
    except games.RulesError as error:
        raise RefusedError("ruleset-bad", str(error)) from error
    keys = [pool.key for kind in _KINDS for pool in pools.pools_of_game(idea.ruleset, kind)]
    return Plan(
        system=idea.format,
        players=idea.players,
        rounds=idea.rounds_total,
        spread_elo=idea.spread_elo,
        deviation_elo=idea.deviation_elo,
        model=strengths.model_of(idea.ruleset, keys),
        options=FormatOptions(cycles=idea.cycles, groups=idea.groups, qualifiers=idea.qualifiers),
        timing=None
        if idea.clock.kind.is_unlimited
        else Timing(
            initial_ms=idea.clock.initial_ms,
            increment_ms=idea.clock.increment_ms,
            plies=strengths.typical_plies(idea.ruleset),
            pause_s=idea.pause_s,
        ),
        tie_breaks=tuple(format_.ordered_tie_breaks(None)),
        game_points=_game_points(format_, idea.games_per_pairing),
    )


def _game_points(format_: formats.Format, games_per_pairing: int) -> PointSystem | None:
    """Return the points of each game of a match of two; None if a pairing is one game."""
    if format_.has_matches:
        return STANDARD_POINTS._replace(second_bye=STANDARD_POINTS.draw)
    has_two = format_.has_mini_matches and games_per_pairing > 1
    return STANDARD_POINTS if has_two else None
