"""Openings: the first position of a game that begins from an analysis, and its first plies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import games
from tournaments.errors import RefusedError
from tournaments.models import Game, Study
from tournaments.queries.records import analyses


@dataclass(frozen=True, slots=True)
class Opening:
    """The moves of an opening, from a start of the rules or a position that was given, and the position after them."""

    start: games.Position
    moves: Sequence[str]
    position: games.Position


def of_study(study: Study) -> Opening:
    """Return the moves up to the shared position of the study.

    Raises RefusedError `opening-over` if the rules have ended the game.
    """
    return of_analysis(analyses.analyse(analyses.of_study(study)))


def of_analysis(analysis: analyses.Analysis) -> Opening:
    """The moves up to the position that is looked at. Raises as `of_study`."""
    if analysis.position.outcome() is not None:
        raise RefusedError("opening-over")
    return Opening(analysis.source.start, analysis.tree.moves(analysis.at), analysis.position)


def is_possible(analysis: analyses.Analysis) -> bool:
    """Return whether a game can begin from the position that is looked at."""
    return analysis.position.outcome() is None


def of_game(game: Game) -> Opening | None:
    """Return the opening of `game`, or None without one."""
    if not game.opening_plies and not game.is_from_position:
        return None
    plies = game.plies.filter(attempt=game.attempt, number__lte=game.opening_plies)
    moves = list(plies.order_by("number").values_list("move", flat=True))
    start = position = games.starting_position(games.load(game.ruleset), game.setup)
    for move in moves:
        position = position.play(move)
    return Opening(start, moves, position)


def side_moving(order: str, opening: Opening | None) -> str:
    """The side that makes the first ply, or the second, after the opening: `order` says which."""
    if opening is None or opening.position.side_to_move is games.Side.FIRST:
        return order
    return games.Side(order).opponent.value
