"""First tries of players at puzzles, rated by Glicko-2 as games between the player and the puzzle."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from tournaments import database_time
from tournaments.models import Player, Puzzle, PuzzleRating, PuzzleTry
from tournaments.models.puzzles import Rated
from tournaments.ratings import glicko2

_WIN, _LOSS = 2, 0


def note(player: Player, puzzle_id: int, *, is_solved: bool) -> PuzzleTry:
    """Store the player's first try and rate both. A later try changes nothing and returns the first.

    Guests are not rated: they could try every puzzle again under another name.
    """
    with transaction.atomic():
        puzzle = Puzzle.objects.select_for_update(no_key=True).get(pk=puzzle_id)
        # The locked puzzle orders two tries of one player.
        first = PuzzleTry.objects.filter(player=player, puzzle=puzzle).first()
        if first is not None:
            return first
        now = database_time.now()
        row = PuzzleTry(player=player, puzzle=puzzle, is_solved=is_solved, tried_at=now)
        if not player.is_guest:
            _rate(row, puzzle, now)
        row.save()
    return row


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
