"""Lines of people about themselves: writing and hiding."""

from __future__ import annotations

import re
from datetime import timedelta

from django.db import transaction

from tournaments import database_time
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import Introduction, Player, User
from tournaments.models.introductions import INTRODUCTION_LENGTH
from tournaments.services.accounts import guests
from tournaments.text.lines import one_line

# A player whose line was hidden writes no other one for this time.
PAUSE = timedelta(days=7)
_FEDERATION = re.compile(r"[A-Z]{3}")


@transaction.atomic
def write(*, player: Player, text: str, federation: str) -> None:
    """Store the line of `player` and the federation. Two empty ones remove the introduction.

    Raises:
        NotAllowedError: `account-needed` for guests.
        RefusedError: `introduction-long`, `introduction-federation`, or `introduction-hidden` for
            another text within a week after a moderator has hidden the last one.
    """
    guests.require_account(player)
    text, federation = one_line(text), federation.strip().upper()
    if len(text) > INTRODUCTION_LENGTH:
        raise RefusedError("introduction-long", f"{len(text)} > {INTRODUCTION_LENGTH}")
    if federation and not _FEDERATION.fullmatch(federation):
        raise RefusedError("introduction-federation", federation)
    now = database_time.now()
    Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    current = Introduction.objects.filter(player=player).first()
    hidden_at = current.hidden_at if current else None
    if hidden_at is not None and current is not None and text != current.text:
        if now < hidden_at + PAUSE:
            raise RefusedError("introduction-hidden", hidden_at.isoformat())
        hidden_at = None
    if not text and not federation:
        Introduction.objects.filter(player=player).delete()
        return
    Introduction.objects.update_or_create(
        player=player,
        defaults={
            "text": text,
            "federation": federation,
            "written_at": now,
            "hidden_at": hidden_at,
        },
    )


@transaction.atomic
def hide(*, player: Player, actor: User) -> None:
    """Hide the line of `player` from others.

    Raises NotAllowedError `not-moderator`, StaleError `introduction-gone`.
    """
    if not actor.has_perm("tournaments.moderate"):
        raise NotAllowedError("not-moderator")
    visible = Introduction.objects.filter(player=player, hidden_at=None).exclude(text="")
    if not visible.update(hidden_at=database_time.now()):
        raise StaleError("introduction-gone")
