"""Programs of authors, as they upload them, and versions in the states that tests begin from."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from engine import sandbox
from tournaments import database_time
from tournaments.models import Bot, Game, Player, Pool, User
from tournaments.services.bots import checks, versions

# A short bot, like that of docs/tutorials/first-bot.md.
GOOD = b"""\
from rayuela_sdk import run

def choose(position, clock):
    def replies(move):
        return len(position.play(move).legal_moves())
    return min(position.legal_moves(), key=replies)

run(choose)
"""
CHEAT = GOOD.replace(b"min(position.legal_moves(), key=replies)", b"'a1-a1'")
SILENT = b"import sys\nprint('I know nothing', file=sys.stderr)\n"
SMALL = ["morlox"]
_CHECKS = 20


def upload(data: bytes = GOOD, **changes: Any) -> versions.Upload:
    plan: dict[str, Any] = {"filename": "main.py", "families": SMALL, **changes}
    return versions.Upload(data=data, **plan)


def line(owner: User, name: str = "Nilo", data: bytes = GOOD, **changes: Any) -> Bot:
    """The first version of a new line, waiting for its check."""
    return versions.create_line(owner=owner, name=name, upload=upload(data, **changes))


def version(first: Bot, data: bytes, **changes: Any) -> Bot:
    """The next version of the line of `first`, waiting for its check."""
    assert first.line_id is not None
    assert first.owner is not None
    return versions.add_version(
        line_id=first.line_id, actor=first.owner, upload=upload(data, **changes)
    )


def has_verdict(bot: Bot) -> bool:
    """Check the version as workers do, until there is a verdict. Return whether it was given.

    If the machine has no processor for either bot, a game of the check is void, and the version
    waits for the next check. Here such a check does not count against it, however busy the machine
    is.
    """
    for _ in range(_CHECKS):
        if checks.check(bot.pk):
            return True
        Bot.objects.filter(pk=bot.pk).update(check_attempts=0)
    return False


def ready(bot: Bot, *, is_active: bool = False) -> Bot:
    """The version as if it had passed its check."""
    assert bot.owner is not None
    Bot.objects.filter(pk=bot.pk).update(state=Bot.State.READY, takes_over=False)
    bot.refresh_from_db()
    if is_active:
        versions.activate(bot_id=bot.pk, actor=bot.owner)
        bot.refresh_from_db()
    return bot


def lost(
    bot: Player,
    winner: Player,
    ending: str = "crash",
    result: str = "second",
    pool: Pool | None = None,
) -> Game:
    """A game that `bot` lost so, rated in `pool` if there is one."""
    now = database_time.now()
    return Game.objects.create(
        ruleset="morlox(size=5,swap=on)",
        first=bot,
        second=winner,
        position="",
        side_to_move="first",
        clock_initial_ms=1000,
        first_ms=0,
        second_ms=0,
        is_rated=pool is not None,
        pool=pool,
        result=result,
        ending=ending,
        created_at=now,
        ended_at=now,
    )


@cache
def why_no_box() -> str:
    """Return the reason why this machine has no sandbox, or an empty text when it has one."""
    try:
        sandbox.choose()
    except sandbox.NoIsolationError as error:
        return str(error)
    return ""


def require_box() -> None:
    reason = why_no_box()
    if reason:
        pytest.skip(reason)
