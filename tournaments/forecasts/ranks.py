"""The final ranks of a simulated event, by the rules of its format."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tournaments.forecasts.course import Course
from tournaments.pairing import (
    Contestant,
    PairingProblem,
    PointSystem,
    RoundKind,
    RoundRecord,
    double_knockout,
    knockout,
    stages,
)
from tournaments.round_kinds import Kind
from tournaments.standings import Edition, Field, Game, Participant, Scoring, System, ranking

_PLACES: Mapping[str, Callable[[PairingProblem], list[list[int]]]] = {
    "match": knockout.places,
    "knockout": knockout.places,
    "team-knockout": knockout.places,
    "double-knockout": double_knockout.places,
    "groups-knockout": stages.places,
}
_TABLES = {"round-robin", "team-round-robin", "team-match"}


def final_groups(course: Course, problem: PairingProblem) -> list[list[int]]:
    """Return TPNs that share a rank, best first, after the records of `problem`.

    Each player is in one group.

    The ranks of formats with a draw come from the draw. In other formats the points and the event's
    tie-breaks (C.07) decide.
    """
    everybody = (*problem.contestants, *problem.absent)
    if course.system in _PLACES:
        groups = [list(group) for group in _PLACES[course.system](problem) if group]
        ranked = {tpn for group in groups for tpn in group}
        others = [c.tpn for c in everybody if c.tpn not in ranked]
        return [*groups, others] if others else groups
    return _by_points(course, everybody)


def _by_points(course: Course, everybody: Sequence[Contestant]) -> list[list[int]]:
    worth = course.worth
    ratings = {prior.tpn: round(prior.rating_elo) for prior in course.priors}
    field = Field(
        (
            Participant(
                c.tpn,
                tuple(_game(game, worth) for r in c.records for game in course.games_of(r)),
                ratings[c.tpn],
            )
            for c in everybody
        ),
        system=System.ROUND_ROBIN if course.system in _TABLES else System.SWISS,
        edition=Edition(course.edition),
        scoring=Scoring(worth.win, worth.draw, worth.loss),
        rounds_total=course.problem.rounds_total * len(course.worths),
        house_rules=course.problem.options.house_rules,
        **_of_teams(course),
    )
    groups: dict[int, list[int]] = {}
    for place in ranking(field, course.tie_breaks).places:
        groups.setdefault(place.rank, []).append(place.id)
    return [groups[rank] for rank in sorted(groups)]


def _of_teams(course: Course) -> dict[str, Any]:
    """Return the scores of a field of teams: match points first, then game points."""
    if course.matches is None:
        return {}
    each, boards = course.matches.game_points, len(course.matches.line_ups[0][1])
    second = Scoring(boards * each.win, boards * each.draw, boards * each.loss)
    return {"primary": "MP", "second_scoring": second}


def _game(record: RoundRecord, worth: PointSystem) -> Game:
    if not record.kind.is_played:
        kind, second = Kind(record.kind), record.second_halves
        return Game(kind, record.score_halves, record.opponent, second_halves=second)
    kinds = {worth.loss: Kind.LOSS, worth.draw: Kind.DRAW, worth.win: Kind.WIN}
    is_first = record.kind is RoundKind.FIRST
    # Points that the arbiter deducted may make a score that no result has.
    return Game(
        kinds.get(record.score_halves, Kind.DRAW), record.score_halves, record.opponent, is_first
    )
