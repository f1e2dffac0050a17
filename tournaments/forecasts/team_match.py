"""A match of teams played by chance, board by board."""

from __future__ import annotations

import random
from collections.abc import Mapping

from tournaments.forecasts.course import TeamMatches
from tournaments.forecasts.results import ResultModel
from tournaments.pairing import Board, RoundKind, RoundRecord


def play(
    matches: TeamMatches,
    model: ResultModel,
    match: Board,
    strengths: Mapping[int, float],
    rng: random.Random,
) -> dict[int, RoundRecord]:
    """Return the records of both teams, whose true strengths are by TPN (Elo points).

    A level match goes to the team with the better board count, then the better top boards (C.07 12).
    If all boards are level, chance decides in the organiser's place.
    """
    line_ups = dict(matches.line_ups)
    mine, theirs = [], []
    for number, both in enumerate(
        zip(line_ups[match.first], line_ups[match.second], strict=True), start=1
    ):
        one, two = (
            None if above is None else strengths[team] + above
            for team, above in zip((match.first, match.second), both, strict=True)
        )
        is_first = number % 2 == 1 or not matches.alternates_boards
        halves = _board(model, one, two, rng, is_first=is_first)
        scores = (matches.game_points.loss, matches.game_points.draw, matches.game_points.win)
        mine.append(scores[halves[0]])
        theirs.append(scores[halves[1]])
    worth = matches.match_points
    by_difference = (sum(mine) > sum(theirs)) - (sum(mine) < sum(theirs))
    points = (worth.draw, worth.win, worth.loss)  # the last for -1
    is_level = by_difference == 0
    is_ahead = is_level and _is_ahead(mine, theirs, rng)
    return {
        match.first: RoundRecord(
            RoundKind.FIRST, match.second, points[by_difference], is_ahead, sum(mine)
        ),
        match.second: RoundRecord(
            RoundKind.SECOND,
            match.first,
            points[-by_difference],
            is_level and not is_ahead,
            sum(theirs),
        ),
    }


def _board(
    model: ResultModel, one: float | None, two: float | None, rng: random.Random, *, is_first: bool
) -> tuple[int, int]:
    """Return the results of both: 2 won, 1 drawn, 0 lost. An empty side loses."""
    if one is None or two is None:
        return 2 * (one is not None), 2 * (two is not None)
    if is_first:
        halves = model.first_halves(one, two, rng)
    else:
        halves = 2 - model.first_halves(two, one, rng)
    return halves, 2 - halves


def _is_ahead(mine: list[int], theirs: list[int], rng: random.Random) -> bool:
    counts = [sum(n * halves for n, halves in enumerate(each, 1)) for each in (mine, theirs)]
    if counts[0] != counts[1]:
        return counts[0] < counts[1]
    return mine > theirs if mine != theirs else rng.random() < 0.5
