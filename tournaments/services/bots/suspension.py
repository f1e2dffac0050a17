"""Suspension of uploaded bots.

A version that fails again and again is suspended in the transaction that ends its game.
"""

from __future__ import annotations

import logging

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation

from tournaments.models import Bot, Game, Inbox, User
from tournaments.queries.bots import reliability
from tournaments.services import audit
from tournaments.services.bots import versions
from tournaments.services.notifications import email

log = logging.getLogger(__name__)


def suspend_if_unreliable(game: Game) -> None:
    """Suspend a version that failed in this game and has failed too often.

    In the transaction that ended the game.

    A failure is a crash, a loss on time, an illegal move or a breach of the protocol. Three in a
    row are too many, and so is more than a tenth of forty games or more. Rated games and others are
    counted separately, so that SPRT tests and games against oneself cannot hide failures.
    """
    if game.result is None or game.ending not in reliability.FAULTS:
        return
    player = game.second if game.result == Game.Result.FIRST else game.first
    # A remote bot that is away is not challenged. It has no check to pass.
    bots = Bot.objects.of_authors().filter(
        player=player, state=Bot.State.READY, program__isnull=False
    )
    bot = bots.select_related("player").first()
    if bot is None:
        return
    code = reliability.verdict(bot, is_rated=game.is_rated)
    if code is not None:
        _suspend(bot, code, game)


def _suspend(bot: Bot, code: str, game: Game) -> None:
    updated_rows = Bot.objects.filter(pk=bot.pk, state=Bot.State.READY).update(
        state=Bot.State.SUSPENDED,
        state_code=code,
        state_reason=game.ending_detail,
        state_parts={},
        is_active=False,
        takes_over=False,
    )
    if updated_rows != 1:
        return
    log.warning("reliability.suspended bot=%s game=%s code=%s", bot.pk, game.pk, code)
    audit.note("bot-suspend", bot=bot.pk, game=game.pk, code=code)
    versions.announce(bot, "suspended")
    if bot.owner is not None:
        _write(bot, game, code, bot.owner)


def _write(bot: Bot, game: Game, code: str, owner: User) -> None:
    """Write an email to the author's confirmed address, if there is one."""
    inbox = Inbox.objects.filter(user=owner, is_confirmed=True).first()
    if inbox is None:
        return
    context = {"bot": bot, "game": game, "code": code, "site": settings.SITE_URL}
    with translation.override(inbox.language):
        text = render_to_string("notifications/email/suspended.txt", context)
    subject, _, body = text.partition("\n")
    email.write(owner, inbox.address, subject, body.strip() + "\n")
