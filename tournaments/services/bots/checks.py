"""The check of a new version.

It is unpacked, compiled, and played against the weakest built-in bot in the sandbox.
"""

from __future__ import annotations

import io
import logging
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from django.db import transaction
from django.db.models import F

import games
from engine import checking, local
from engine import programs as stored
from engine.checking import CheckResult
from engine.clock import Fischer
from engine.errors import EngineError, MatchAbortedError
from tournaments import database_time
from tournaments.models import Bot
from tournaments.models.bots import MAX_LOG, BotQuerySet
from tournaments.queries.bots import check_queue
from tournaments.services import enqueue
from tournaments.services.bots import programs, sandbox_status, versions
from tournaments.text import rulesets

log = logging.getLogger(__name__)

LEASE = timedelta(seconds=60)
MAX_ATTEMPTS = 3
# After a machine had no processor for the bots of a check.
_PAUSE = timedelta(seconds=15)
# A pair for each game, and one from a position if it has one start, with the terms of later games. A program cannot recognise its check. Half of
# the checks have the clock that events of bots offer first.
_GAMES = 2
_CONTROLS = (
    *(Fischer(10_000, 100), Fischer(10_000, 100), Fischer(10_000, 100)),
    *(Fischer(2_000, 50), Fischer(5_000, 50), Fischer(15_000, 100)),
)
_NAME = "uploaded"
_LONGEST_REASON = 300


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to report a check: it counts only while the version is at this attempt.

    `began_ns` is the monotonic nanosecond at which this worker took it.
    """

    bot: Bot
    attempt: int
    began_ns: int = field(default_factory=time.monotonic_ns)

    def held(self) -> BotQuerySet:
        """The version, while it is this checker's."""
        return Bot.objects.filter(
            pk=self.bot.pk, state=Bot.State.CHECKING, check_attempts=self.attempt
        )


def check_next() -> bool:
    """Check the version that is next, and return whether this call gave a verdict.

    Other workers are called while more versions wait.
    """
    if sandbox_status.isolator() is None:
        return False
    order = check_queue.order(database_time.now())
    for position, bot_id in enumerate(order, start=1):
        current_claim = claim(bot_id) if programs.may_be_checked_here(bot_id) else None
        if current_claim is not None:
            if position < len(order):
                enqueue.check()
            return _check(current_claim)
    return False


def check(bot_id: int) -> bool:
    """Check a version that waits for it, and return whether this call gave the verdict.

    Without a sandbox on this machine the version continues to wait. A checker that is lost or fails
    by our fault gives no verdict, and the version is checked again. After three of them it is
    refused as unchecked.
    """
    if sandbox_status.isolator() is None or not programs.may_be_checked_here(bot_id):
        return False
    current_claim = claim(bot_id)
    return current_claim is not None and _check(current_claim)


def _check(current_claim: Claim) -> bool:
    """Check the claimed version, and return whether there is a verdict."""
    bot_id = current_claim.bot.pk
    out = io.StringIO()
    try:
        verdict = _play(current_claim, out)
    except stored.UploadRefusedError as error:
        code = f"program-{error.refusal.value}"
        return refuse(
            current_claim,
            code=code,
            reason=error.pattern,
            parts=error.parts,
            log_text=out.getvalue(),
        )
    except MatchAbortedError:
        return False
    except (EngineError, OSError) as error:
        log.exception("check.fault bot=%s attempt=%s", bot_id, current_claim.attempt)
        if programs.is_disk_full(error):
            _put_off(current_claim)
        else:
            _release(current_claim)
        return False
    if verdict.is_void:
        log.warning("check.void bot=%s attempt=%s", bot_id, current_claim.attempt)
        if verdict.is_starved:
            _put_off(current_claim)
        else:
            _release(current_claim)
        return False
    if verdict.violations:
        reason = str(verdict.violations)
        code = "check-position" if verdict.ignores_position else "check-failed"
        return refuse(current_claim, code=code, reason=reason, log_text=out.getvalue())
    return _pass(current_claim, out.getvalue(), verdict.options)


def claim(bot_id: int) -> Claim | None:
    """Claim a version that waits for its check.

    Returns None when another worker has it, when it is over, or when it was lost too often.
    """
    now = database_time.now()
    with transaction.atomic():
        waiting = Bot.objects.unchecked(now).filter(pk=bot_id)
        updated_rows = waiting.filter(check_attempts__lt=MAX_ATTEMPTS).update(
            check_lease_until=now + LEASE, check_attempts=F("check_attempts") + 1
        )
        bot = Bot.objects.select_related("player", "owner").get(pk=bot_id)
        if updated_rows == 1:
            return Claim(bot, bot.check_attempts)
        abandoned_rows = waiting.filter(check_attempts__gte=MAX_ATTEMPTS).update(
            state=Bot.State.REFUSED,
            state_code="check-lost",
            state_reason="",
            state_parts={},
            check_lease_until=None,
            takes_over=False,
        )
        if abandoned_rows == 1:
            log.error("check.given-up bot=%s", bot_id)
            versions.announce(bot, "refused")
        return None


def _play(claim: Claim, out: io.StringIO) -> CheckResult:
    """Build and unpack the program, and start its games. No transaction is open meanwhile."""
    bot = claim.bot
    programs.build(programs.of(bot), out)
    _renew(claim)
    program = programs.local(programs.of(bot).runnable.digest)
    control, boards = terms(bot)
    return checking.check_in(
        local.ProgramSource(program, sandbox_status.launcher()),
        _NAME,
        rulesets=boards,
        games=_GAMES * len(boards),
        control=control,
        seed=bot.pk,
        out=out,
        on_wait=lambda: _renew(claim),
    )


def terms(bot: Bot) -> tuple[Fischer, list[str]]:
    """The clock of the check and a board of each game of the bot, drawn by the number of the version.

    Boards are those of the menus up to the lobby's, since larger ones take long.
    """
    draw = random.Random(bot.pk)
    boards = []
    for _name, choices in rulesets.ruleset_choices():
        keys = [key for key, _words in choices if bot.plays(key)]
        if keys:
            lobby = games.load(games.family_of(games.load(keys[0]).family).presentation.lobby_board)
            boards.append(draw.choice([k for k in keys if games.load(k).size <= lobby.size]))
    return draw.choice(_CONTROLS), boards


def _renew(claim: Claim) -> None:
    if claim.held().update(check_lease_until=database_time.now() + LEASE) != 1:
        raise MatchAbortedError("the lease is lost")


def _conclude(claim: Claim, log_text: str, **changes: object) -> bool:
    """Write the verdict down, unless the version is not this checker's any more."""
    check_log = _shorten(log_text)
    return claim.held().update(check_log=check_log, **_end(claim), **changes) == 1


def refuse(
    claim: Claim, *, code: str, reason: str, log_text: str, parts: Mapping[str, str] | None = None
) -> bool:
    """Refuse the version with the report of its check, and return whether the claim was still valid.

    `parts` fill the places of `reason`, so that pages can show it in other languages.
    """
    columns = {
        "state": Bot.State.REFUSED,
        "state_code": code,
        "state_reason": reason[:_LONGEST_REASON],
        "state_parts": {name: part[:_LONGEST_REASON] for name, part in (parts or {}).items()},
    }
    with transaction.atomic():
        if not _conclude(claim, log_text, takes_over=False, **columns):
            return False
        log.info("check.refused bot=%s code=%s", claim.bot.pk, code)
        versions.announce(claim.bot, "refused")
        return True


def _pass(claim: Claim, log_text: str, options: Sequence[str]) -> bool:
    nothing = {"state_code": "", "state_reason": "", "state_parts": {}}
    columns = {"state": Bot.State.READY, "options": list(options)}
    with transaction.atomic():
        if not _conclude(claim, log_text, **columns, **nothing):
            return False
        versions.announce(claim.bot, "ready")
    versions.activate_next()
    return True


def _release(claim: Claim) -> None:
    """Release the version immediately.

    It keeps its attempt, so that our faults are not repeated forever.
    """
    claim.held().update(**_end(claim))


def _put_off(claim: Claim) -> None:
    """Give the version back because the machine is busy or full: it is checked later, as if it had not been tried."""
    free_at = database_time.now() + _PAUSE
    attempts = F("check_attempts") - 1
    claim.held().update(**{**_end(claim), "check_lease_until": free_at, "check_attempts": attempts})


def _end(claim: Claim) -> dict[str, object]:
    """Return the columns of a finished check, with any verdict."""
    took_ms = (time.monotonic_ns() - claim.began_ns) // 1_000_000
    return {
        "check_lease_until": None,
        "check_ms": F("check_ms") + took_ms,
        "checked_at": database_time.now(),
    }


def _shorten(log_text: str) -> str:
    """The beginning and the end of a long log."""
    if len(log_text) <= MAX_LOG:
        return log_text
    half = MAX_LOG // 2 - 10
    return f"{log_text[:half]}\n[...]\n{log_text[-half:]}"
