"""The sandbox of this machine: tried when it is first needed, told to the site, and tried again every few hours."""

from __future__ import annotations

import logging
import socket
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from django.utils import timezone

from engine import sandbox
from engine.errors import LaunchError
from engine.launch import unconfined
from tournaments.models import Isolation

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from engine.launch import Launcher
    from engine.match import BotSpec
    from engine.sandbox import Isolator

log = logging.getLogger(__name__)

AGAIN = timedelta(hours=4)
# A machine that cannot may be mended by its operator at any moment.
_AGAIN_WITHOUT = timedelta(minutes=5)


@dataclass
class Tried:
    """What the last trial of this process found."""

    isolator: Isolator | None = None
    until: datetime | None = None


_tried = Tried()


def isolator() -> Isolator | None:
    """What foreign programs run in on this machine, or None: then they do not run here."""
    now = timezone.now()
    if _tried.until is None or _tried.until <= now:
        _try(now)
    return _tried.isolator


def launcher(bots: Sequence[BotSpec]) -> Launcher:
    """What starts these bots: our own as they are, uploaded ones in the box.

    Raises:
        LaunchError: one of them needs a box and there is none here.
    """
    if all(bot.tree is None for bot in bots):
        return unconfined
    found = isolator()
    if found is None:
        raise LaunchError("foreign programs do not run on this machine: it has no sandbox")
    return found.launcher()


def is_anywhere() -> bool:
    """Whether a machine has told that foreign programs run there."""
    return Isolation.objects.exclude(isolator="").exists()


def _try(now: datetime) -> None:
    try:
        _tried.isolator = sandbox.choose()
        name, report = _tried.isolator.name, "every probe was stopped"
    except sandbox.NoIsolationError as error:
        _tried.isolator = None
        name = ""
        report = "\n".join(f"{which}: {refusal}" for which, refusal in error.refusals.items())
        log.warning("boxes.none reasons=%s", report)
    _tried.until = now + (AGAIN if name else _AGAIN_WITHOUT)
    Isolation.objects.update_or_create(
        host=socket.gethostname()[:200],
        defaults={"isolator": name, "report": report[:10_000], "checked_at": now},
    )
