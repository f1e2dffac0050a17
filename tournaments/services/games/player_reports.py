"""Reports about players, and their treatment by moderators."""

from __future__ import annotations

from django.db import IntegrityError, transaction

from tournaments import database_time
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import Player, PlayerReport, User
from tournaments.models.chat import REPORT_LENGTH
from tournaments.services.accounts import guests
from tournaments.text.lines import one_line

_MAX_OPEN = 10


def report(*, player: Player, reported: Player, text: str) -> PlayerReport:
    """Report `reported`, a person, to the moderators.

    Raises:
        NotAllowedError: `account-needed` for guests.
        RefusedError: `not-yourself-report`, `report-bot`, `chat-empty`, `report-long`,
            `reports-many`, or `reported-already` while the player's last report of `reported` is
            open.
    """
    guests.require_account(player)
    if reported.pk == player.pk:
        raise RefusedError("not-yourself-report")
    if reported.is_bot:
        raise RefusedError("report-bot")
    text = one_line(text)
    if not text:
        raise RefusedError("chat-empty")
    if len(text) > REPORT_LENGTH:
        raise RefusedError("report-long", f"{len(text)} > {REPORT_LENGTH}")
    try:
        with transaction.atomic():
            # Locked, so that reports at one moment are counted one after the other.
            Player.objects.select_for_update(no_key=True).get(pk=player.pk)
            if PlayerReport.objects.filter(reporter=player, resolved_at=None).count() >= _MAX_OPEN:
                raise RefusedError("reports-many", str(_MAX_OPEN))
            return PlayerReport.objects.create(
                reporter=player, reported=reported, text=text, made_at=database_time.now()
            )
    except IntegrityError as error:
        raise RefusedError("reported-already") from error


def resolve(*, report_id: int, actor: User) -> None:
    """Note that `actor` has dealt with a report.

    Raises NotAllowedError `not-moderator`, StaleError `resolved-already`.
    """
    if not actor.has_perm("tournaments.moderate"):
        raise NotAllowedError("not-moderator")
    open_reports = PlayerReport.objects.filter(pk=report_id, resolved_at=None)
    if not open_reports.update(resolver=actor, resolved_at=database_time.now()):
        raise StaleError("resolved-already")
