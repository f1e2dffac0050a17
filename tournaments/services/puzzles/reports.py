"""Reports of wrong puzzles, and the acts of moderators on them."""

from __future__ import annotations

from django.db import IntegrityError, transaction

from tournaments import database_time
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import Player, Puzzle, PuzzleReport, User
from tournaments.services import audit
from tournaments.services.accounts import guests
from tournaments.services.reasons import checked_reason


def report(*, puzzle_id: int, player: Player, text: str) -> PuzzleReport:
    """Report the puzzle to the moderators.

    Raises NotAllowedError `account-needed` for guests; RefusedError `reason-bad`, or
    `puzzle-untried` before the player's first try, which alone shows the solution, or
    `puzzle-reported` while the player's last report of it is open.
    """
    guests.require_account(player)
    text = checked_reason(text)
    if not player.puzzle_tries.filter(puzzle=puzzle_id).exists():
        raise RefusedError("puzzle-untried")
    try:
        with transaction.atomic():
            return PuzzleReport.objects.create(
                puzzle_id=puzzle_id, reporter=player, text=text, made_at=database_time.now()
            )
    except IntegrityError as error:
        raise RefusedError("puzzle-reported") from error


def withdraw(*, puzzle_id: int, actor: User, reason: str) -> None:
    """Give the puzzle to no further solver, and close its reports. Its tries and ratings remain.

    Raises NotAllowedError `not-moderator`, RefusedError `reason-bad`, StaleError
    `resolved-already`.
    """
    _require(actor)
    reason = checked_reason(reason)
    now = database_time.now()
    with transaction.atomic():
        given = Puzzle.objects.filter(pk=puzzle_id, withdrawn_at=None)
        if given.update(withdrawn_at=now, withdrawn_reason=reason) != 1:
            raise StaleError("resolved-already")
        PuzzleReport.objects.filter(puzzle=puzzle_id, resolved_at=None).update(resolved_at=now)
        audit.note("puzzle-withdraw", actor=actor, reason=reason, puzzle=puzzle_id)


def keep(*, puzzle_id: int, actor: User) -> None:
    """Close the reports of the puzzle, and give it again if it is withdrawn.

    Raises NotAllowedError `not-moderator`, StaleError `resolved-already`.
    """
    _require(actor)
    now = database_time.now()
    with transaction.atomic():
        withdrawn = Puzzle.objects.filter(pk=puzzle_id, withdrawn_at__isnull=False)
        returned = withdrawn.update(withdrawn_at=None, withdrawn_reason="")
        open_reports = PuzzleReport.objects.filter(puzzle=puzzle_id, resolved_at=None)
        if not open_reports.update(resolved_at=now) and not returned:
            raise StaleError("resolved-already")
        audit.note("puzzle-keep", actor=actor, puzzle=puzzle_id)


def _require(actor: User) -> None:
    if not actor.has_perm("tournaments.moderate"):
        raise NotAllowedError("not-moderator")
