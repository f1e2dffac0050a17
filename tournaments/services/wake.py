"""Wake-ups for workers, sent on commit. They carry ids and may be lost: the tick finds whatever is due (law 1)."""

from __future__ import annotations

import logging

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

log = logging.getLogger(__name__)


def reply(game_id: int) -> None:
    """A bot is to reply in the game."""
    _send("reply", game_id)


def match(match_id: int) -> None:
    """The match is due."""
    _send("play_match", match_id)


def event(event_id: int) -> None:
    """The event may be ready for its next step."""
    _send("advance_event", event_id)


def check(bot_id: int) -> None:
    """A version waits for its check."""
    _send("check_bot", bot_id)


def _send(task: str, pk: int) -> None:
    def send() -> None:
        try:
            current_app.send_task(f"tournaments.tasks.{task}", [pk])
        except OperationalError as error:
            log.warning("wake.lost task=%s id=%s error=%s", task, pk, error)

    # Whatever else goes wrong is logged: the change is committed, and neither its news nor its answer may suffer.
    transaction.on_commit(send, robust=True)
