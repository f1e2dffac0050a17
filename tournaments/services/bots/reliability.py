"""The reliability of uploaded bots.

A version that fails again and again is suspended in the transaction that ends its game.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass

from django.conf import settings
from django.db.models import Q
from django.template.loader import render_to_string
from django.utils import translation

from engine.match import Ending
from tournaments.models import Bot, Game, Inbox, Player, User
from tournaments.models.games import GameQuerySet
from tournaments.services import audit
from tournaments.services.bots import versions
from tournaments.services.notifications import email

log = logging.getLogger(__name__)

IN_A_ROW = 3
# The limit in per cent, from this number of games on.
FAILED_PERCENT = 10
FAILED_OF_GAMES = 40

FAULTS = [ending.value for ending in Ending if ending.is_fault]


def suspend_if_unreliable(game: Game) -> None:
    """Suspend a version that failed in this game and has failed too often.

    In the transaction that ended the game.

    A failure is a crash, a loss on time, an illegal move or a breach of the protocol. Three in a
    row are too many, and so is more than a tenth of forty games or more. Rated games and others are
    counted separately, so that SPRT tests and games against oneself cannot hide failures.
    """
    if game.result is None or game.ending not in FAULTS:
        return
    player = game.second if game.result == Game.Result.FIRST else game.first
    # A remote bot that is away is not challenged. It has no check to pass.
    bots = Bot.objects.of_authors().filter(
        player=player, state=Bot.State.READY, program__isnull=False
    )
    bot = bots.select_related("player").first()
    if bot is None:
        return
    code = _verdict(bot, is_rated=game.is_rated)
    if code is not None:
        _suspend(bot, code, game)


@dataclass(frozen=True, slots=True)
class Record:
    """The reliability of a version since its last check, in rated games or in others.

    Attributes:
        games: the number of counted games.
        failed: the number of games that it lost by failing.
        failed_in_a_row: the number of failures at the end.
    """

    games: int
    failed: int
    failed_in_a_row: int


def record_of(bot: Bot, *, is_rated: bool) -> Record:
    """Return the record that counts towards the suspension of the version."""
    games = _counted(bot, is_rated=is_rated)
    lost_by_fault = failures(games, bot.player)
    latest = list(games.order_by("-ended_at", "-pk").values_list("pk", flat=True)[:IN_A_ROW])
    failed = set(lost_by_fault.filter(pk__in=latest).values_list("pk", flat=True))
    in_a_row = next((place for place, pk in enumerate(latest) if pk not in failed), len(latest))
    return Record(games.count(), lost_by_fault.count(), in_a_row)


def _verdict(bot: Bot, *, is_rated: bool) -> str | None:
    record = record_of(bot, is_rated=is_rated)
    if record.failed_in_a_row == IN_A_ROW:
        return "faults-in-a-row"
    if record.games >= FAILED_OF_GAMES and record.failed * 100 > record.games * FAILED_PERCENT:
        return "faults-many"
    return None


def _counted(bot: Bot, *, is_rated: bool) -> GameQuerySet:
    games = Game.objects.of(bot.player).finished().filter(is_rated=is_rated)
    games = games.exclude(result=Game.Result.VOID)
    if bot.faults_counted_from is not None:
        games = games.filter(ended_at__gt=bot.faults_counted_from)
    return games


def failures(games: GameQuerySet, player: Player) -> GameQuerySet:
    """Return the games that `player` lost by failing."""
    is_loss = Q(first=player, result=Game.Result.SECOND) | Q(
        second=player, result=Game.Result.FIRST
    )
    return games.filter(is_loss, ending__in=FAULTS)


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
