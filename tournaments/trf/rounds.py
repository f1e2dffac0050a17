"""The rounds of a report, whether one is a game of two players or a match: of two games, or of teams."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.trf import problems
from tournaments.trf.errors import UnpairableReportError

if TYPE_CHECKING:
    from collections.abc import Collection

    from tournaments.pairing.problem import PairingProblem
    from tournaments.trf.report import Report

# `match_problems` is imported if a file has matches: few have.


def rounds_played(report: Report) -> int:
    """Return the number of rounds that have been paired."""
    if problems.is_of_matches(report):
        from tournaments.trf.match_problems import rounds_of

        return rounds_of(report).last
    return problems.rounds_played(report)


def points_halves(report: Report) -> dict[int, int]:
    """Return points by id after the rounds that have been paired, by their results, in half points.

    For teams they are by number.
    """
    if problems.is_of_matches(report):
        from tournaments.trf.match_problems import match_scores

        return {i: primary for i, (primary, _) in match_scores(report).items()}
    return problems.points_halves(report)


def points_conflict(report: Report) -> str:
    """Return the first player or team whose points disagree with the results, as a sentence, or an empty text."""
    if problems.is_of_matches(report):
        from tournaments.trf.match_problems import match_points_conflict

        return match_points_conflict(report)
    return problems.points_conflict(report)


def pairing_problem(
    report: Report, round_number: int | None = None, *, systems: Collection[str] = problems.DUTCH
) -> PairingProblem:
    """Return the problem of pairing the next round, or that round in its state at the time, by one of `systems` (`192`).

    Raises:
        UnpairableReportError: when the file does not say enough, or has rules that we do not
            support.
    """
    has_teams = problems.is_of_teams(report)
    if problems.is_of_matches(report) and (problems.TEAM in systems or not has_teams):
        from tournaments.trf.match_problems import match_problem

        problems.checked_options(report, systems)
        return match_problem(report, round_number)
    if list(systems) == [problems.TEAM]:
        raise UnpairableReportError("the teams (310) are missing")
    return problems.pairing_problem(report, round_number, systems=systems)
