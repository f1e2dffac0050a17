"""Moves of solvers at puzzles. The first try is rated by Glicko-2 as a game between the player and the puzzle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from tournaments import database_time
from tournaments.errors import StaleError
from tournaments.models import Player, Puzzle, PuzzleRating, PuzzleTry
from tournaments.models.puzzles import Rated
from tournaments.queries import drills
from tournaments.queries.puzzles import drill_of
from tournaments.ratings import glicko2

_WIN, _LOSS = 2, 0


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a move of a solver.

    Attributes:
        moves: the moves of the line so far. After a right move, with the reply.
        first: the player's first try if it is over, for players.
    """

    moves: Sequence[str]
    is_right: bool
    is_done: bool
    first: PuzzleTry | None


def play(player: Player | None, puzzle: Puzzle, moves: Sequence[str], move: str) -> Answer:
    """Answer the solver's `move` after `moves` of the line. None is a visitor without a player.

    A wrong move, or the last right one, is the player's first try if there is none.

    Raises StaleError `puzzle-moves` unless `moves` begin the line up to a turn of the solver,
    RefusedError for an illegal move.
    """
    drill = drill_of(puzzle)
    if not drill.begins_with(moves) or drill.is_done_by(moves):
        raise StaleError("puzzle-moves", str(puzzle.pk))
    right = drills.right_move(drill, moves, move)
    if not right:
        return Answer(moves, False, False, _noted(player, puzzle, is_solved=False))
    moves = [*moves, right]
    reply = drill.next_move(moves)
    moves += [reply] if reply else []
    is_done = drill.is_done_by(moves)
    first = _noted(player, puzzle, is_solved=True) if is_done else None
    return Answer(moves, True, is_done, first)


def give_up(player: Player | None, puzzle: Puzzle) -> Answer:
    """Answer with the whole line. It is the player's first try if there is none."""
    return Answer(puzzle.line, False, True, _noted(player, puzzle, is_solved=False))


def _noted(player: Player | None, puzzle: Puzzle, *, is_solved: bool) -> PuzzleTry | None:
    return note(player, puzzle.pk, is_solved=is_solved) if player is not None else None


def note(player: Player, puzzle_id: int, *, is_solved: bool) -> PuzzleTry | None:
    """Store the player's first try and rate both. A later try changes nothing and returns the first.

    Guests are not rated: they could try every puzzle again under another name. A try at a withdrawn
    puzzle is not stored.
    """
    with transaction.atomic():
        puzzle = Puzzle.objects.select_for_update(no_key=True).get(pk=puzzle_id)
        # The locked puzzle orders two tries of one player.
        first = PuzzleTry.objects.filter(player=player, puzzle=puzzle).first()
        if first is not None:
            return first
        if puzzle.withdrawn_at is not None:
            return None
        now = database_time.now()
        row = PuzzleTry(player=player, puzzle=puzzle, is_solved=is_solved, tried_at=now)
        if not player.is_guest:
            _rate(row, puzzle, now)
        row.save()
    return row


def bring_along(guest: Player, player: Player) -> None:
    """Give the guest's tries at puzzles that `player` has not tried to `player`. They stay unrated."""
    own = PuzzleTry.objects.filter(player=player).values("puzzle")
    PuzzleTry.objects.filter(player=guest).exclude(puzzle__in=own).update(player=player)


def _rate(row: PuzzleTry, puzzle: Puzzle, now: datetime) -> None:
    PuzzleRating.objects.get_or_create(player=row.player, family=puzzle.family)
    rating = PuzzleRating.objects.select_for_update(no_key=True).get(
        player=row.player, family=puzzle.family
    )
    change = glicko2.rate_game(
        rating.standing,
        puzzle.standing,
        score_halves=_WIN if row.is_solved else _LOSS,
        first_idle_s=_idle_s(rating, now),
        second_idle_s=_idle_s(puzzle, now),
    )
    row.before_centielo = rating.centielo
    row.after_centielo = change.first.after.rating_centielo
    for rated, standing, is_solved in (
        (rating, change.first.after, row.is_solved),
        (puzzle, change.second.after, row.is_solved),
    ):
        rated.take(standing)
        rated.rated_at = now
        rated.tries += 1
        rated.solved += is_solved
        rated.save()


def _idle_s(rated: Rated, now: datetime) -> int:
    return 0 if rated.rated_at is None else max(0, int((now - rated.rated_at).total_seconds()))
