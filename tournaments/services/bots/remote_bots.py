"""Remote bots and their games. Their programs run on their authors' machines and play by the API."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction

from tournaments import database_time, limits
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import Bot, Player, Program, RemoteBot, User
from tournaments.services import audit
from tournaments.services.accounts import bot_consents, players, throttles
from tournaments.services.accounts.bot_consents import Consent
from tournaments.services.bots import programs, versions


def create(
    *,
    owner: User,
    name: str,
    families: Collection[str],
    description: str = "",
    consent: Consent = bot_consents.REMOTE,
) -> Bot:
    """Return a new remote bot of `owner` for games of these `families`, with its own player, ready to play.

    Raises:
        RefusedError: `name-bad`, `name-taken`, `too-many-lines`, `families-bad`, or as
            `bot_consents.give`.
    """
    with transaction.atomic():
        line = versions.add_line(owner=owner, name=name, description=description, consent=consent)
        bot = Bot.objects.create(
            player=players.add_player(line.name, Player.Kind.REMOTE, None),
            line=line,
            version=1,
            owner=line.owner,
            description=line.description,
            families=versions.checked_families(families),
            created_at=database_time.now(),
        )
        RemoteBot.objects.create(bot=bot)
        audit.note("bot-remote", actor=owner, bot=bot.pk)
        return bot


def change_families(*, bot_id: int, actor: User, families: Collection[str]) -> None:
    """Set the families of the bot's games. Games that have begun continue.

    Raises:
        NotAllowedError: `not-your-bot`.
        RefusedError: `families-bad`.
    """
    names = versions.checked_families(families)
    with transaction.atomic():
        bot = Bot.objects.select_for_update(of=("self",), no_key=True).get(pk=bot_id)
        if bot.owner_id != actor.pk or not RemoteBot.objects.filter(pk=bot.pk).exists():
            raise NotAllowedError("not-your-bot", str(bot_id))
        if bot.families == names:
            return
        bot.families = names
        bot.save(update_fields=["families"])
        audit.note("bot-families", actor=actor, bot=bot.pk, families=names)


def deposit(*, bot_id: int, actor: User, data: bytes, filename: str) -> Bot:
    """Store permanently the module by which the bot plays in events by fuel.

    Its games are checked with it, so that another module is another bot. A faulty module is found
    by the first ply that a worker checks: nothing is compiled here.

    Raises:
        NotAllowedError: `not-your-bot`.
        RefusedError: `program-...` as `programs.keep`, or `module-only` for a Python program.
        StaleError: `module-kept`.
        TooManyError: the author has reached the daily number of uploads.
    """
    with transaction.atomic():
        bot = Bot.objects.select_for_update(of=("self",), no_key=True).get(pk=bot_id)
        remote = RemoteBot.objects.filter(pk=bot.pk).first()
        if bot.owner_id != actor.pk or remote is None:
            raise NotAllowedError("not-your-bot", str(bot_id))
        if remote.module_id is not None:
            raise StaleError("module-kept", bot.player.name)
        throttles.count(throttles.Visitor(actor.pk), limits.UPLOADS)
        program = programs.keep(data=data, filename=filename)
        if program.kind != Program.Kind.WASM:
            raise RefusedError("module-only", filename)
        remote.module = program
        remote.save(update_fields=["module"])
        audit.note("bot-module", actor=actor, bot=bot.pk, digest=program.digest)
        return bot
