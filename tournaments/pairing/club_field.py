"""A problem as the scores of Keizer and McMahon see it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.round_kinds import Kind
from tournaments.standings.field import Field, Game, Participant, Scoring

if TYPE_CHECKING:
    from tournaments.pairing.problem import PairingProblem, PointSystem, RoundRecord


def club_field(problem: PairingProblem) -> Field:
    """Return all players of the event with the rounds so far, those who are absent among them."""
    points = problem.points
    return Field(
        [
            Participant(
                c.tpn,
                tuple(_game(record, points) for record in c.records),
                c.rating_centielo // 100 or None,
            )
            for c in (*problem.contestants, *problem.absent)
        ],
        scoring=Scoring(points.win, points.draw, points.loss),
        rounds_total=problem.rounds_total,
        house_rules=problem.options.house_rules,
    )


def _game(record: RoundRecord, points: PointSystem) -> Game:
    kind = Kind.LOSS
    if not record.kind.is_meeting:
        kind = Kind(record.kind)
    elif record.score_halves >= points.win:
        kind = Kind.WIN
    elif record.score_halves > points.loss:
        kind = Kind.DRAW
    return Game(kind, record.score_halves, record.opponent)
