"""The check of a new version: unpacked, compiled, and played against our weakest player in the real sandbox."""

from __future__ import annotations

import io
import logging
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from engine import checking, local
from engine import programs as stored
from engine.clock import Fischer
from engine.errors import EngineError, MatchAbortedError
from tournaments.models import Bot
from tournaments.models.bots import MAX_LOG
from tournaments.services.bots import programs, sandbox_status, versions

if TYPE_CHECKING:
    from engine.checking import CheckResult
    from tournaments.models.bots import BotQuerySet

log = logging.getLogger(__name__)

LEASE = timedelta(seconds=60)
MAX_ATTEMPTS = 3
# A pair for each game: short, but with time to think.
_GAMES = 2
_CONTROL = Fischer(10_000, 100)
_NAME = "uploaded"


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to say what a check found: it counts only while the version is at this attempt."""

    bot: Bot
    attempt: int

    def held(self) -> BotQuerySet:
        """The version, while it is this checker's."""
        return Bot.objects.filter(
            pk=self.bot.pk, state=Bot.State.CHECKING, check_attempts=self.attempt
        )


def check(bot_id: int) -> bool:
    """Check a version that waits for it; whether this call gave the verdict.

    Without a sandbox on this machine the version goes on waiting. A checker that is lost or fails by a fault of ours
    says nothing about the version, which is checked again; after three of them it is refused as unchecked.
    """
    if sandbox_status.isolator() is None:
        return False
    claimed = claim(bot_id)
    if claimed is None:
        return False
    out = io.StringIO()
    try:
        verdict = _played(claimed, out)
    except stored.UploadRefusedError as refused:
        code = f"program-{refused.refusal.value}"
        return refuse(claimed, code=code, reason=refused.detail, told=out.getvalue())
    except MatchAbortedError:
        return False
    except (EngineError, OSError):
        log.exception("check.fault bot=%s attempt=%s", bot_id, claimed.attempt)
        _release(claimed)
        return False
    if verdict.is_void:
        log.warning("check.void bot=%s attempt=%s", bot_id, claimed.attempt)
        _release(claimed)
        return False
    if verdict.violations:
        reason = str(verdict.violations)
        return refuse(claimed, code="check-failed", reason=reason, told=out.getvalue())
    return _pass(claimed, out.getvalue())


def claim(bot_id: int) -> Claim | None:
    """Take a version that waits for its check, or None: somebody has it, it is over, or was lost too often."""
    now = timezone.now()
    with transaction.atomic():
        waiting = Bot.objects.unchecked(now).filter(pk=bot_id)
        claimed = waiting.filter(check_attempts__lt=MAX_ATTEMPTS).update(
            check_lease_until=now + LEASE, check_attempts=F("check_attempts") + 1
        )
        bot = Bot.objects.select_related("player", "owner").get(pk=bot_id)
        if claimed == 1:
            return Claim(bot, bot.check_attempts)
        given_up = waiting.filter(check_attempts__gte=MAX_ATTEMPTS).update(
            state=Bot.State.REFUSED,
            state_code="check-lost",
            state_reason="",
            check_lease_until=None,
            takes_over=False,
        )
        if given_up == 1:
            log.error("check.given-up bot=%s", bot_id)
            versions.announce(bot, "refused")
        return None


def _played(claim: Claim, out: io.StringIO) -> CheckResult:
    """Unpack the program and let it play; no transaction is open meanwhile."""
    bot = claim.bot
    program = programs.local(programs.of(bot).digest)
    rulesets = [key for key in checking.DEFAULT_RULESETS if bot.plays(key)]
    return checking.check_in(
        local.ProgramSource(program, sandbox_status.launcher()),
        _NAME,
        rulesets=rulesets,
        games=_GAMES * len(rulesets),
        control=_CONTROL,
        seed=bot.pk,
        out=out,
        on_wait=lambda: _renew(claim),
    )


def _renew(claim: Claim) -> None:
    if claim.held().update(check_lease_until=timezone.now() + LEASE) != 1:
        raise MatchAbortedError("the lease is lost")


def _conclude(claim: Claim, told: str, **changes: object) -> bool:
    """Write the verdict down, unless the version is not this checker's any more."""
    kept = _shortened(told)
    return claim.held().update(check_log=kept, check_lease_until=None, **changes) == 1


def refuse(claim: Claim, *, code: str, reason: str, told: str) -> bool:
    """Refuse the version with what its check told; whether it was still the checker's to do so."""
    refused = {"state": Bot.State.REFUSED, "state_code": code, "state_reason": reason[:300]}
    with transaction.atomic():
        if not _conclude(claim, told, takes_over=False, **refused):
            return False
        log.info("check.refused bot=%s code=%s", claim.bot.pk, code)
        versions.announce(claim.bot, "refused")
        return True


def _pass(claim: Claim, told: str) -> bool:
    with transaction.atomic():
        if not _conclude(claim, told, state=Bot.State.READY, state_code="", state_reason=""):
            return False
        versions.announce(claim.bot, "ready")
    versions.activate_next()
    return True


def _release(claim: Claim) -> None:
    """Give the version back at once; it stays at its attempt, so that faults of ours are not repeated for ever."""
    claim.held().update(check_lease_until=None)


def _shortened(told: str) -> str:
    """The beginning and the end of a long log."""
    if len(told) <= MAX_LOG:
        return told
    half = MAX_LOG // 2 - 10
    return f"{told[:half]}\n[...]\n{told[-half:]}"
