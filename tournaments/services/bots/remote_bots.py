"""Remote bots: made, and told what to accept. Their programs run at their authors' and play by the API."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction

import games
from tournaments.models import Bot, Player, Program, RemoteBot
from tournaments.models.remote_bots import MAX_GAMES
from tournaments.services import audit, database_time, limits
from tournaments.services.accounts import players, throttles
from tournaments.services.bots import programs, versions
from tournaments.services.clocks.game_clocks import MAX_CLOCK_MS
from tournaments.services.errors import NotAllowedError, RefusedError, StaleError

if TYPE_CHECKING:
    from collections.abc import Collection

    from tournaments.models import User

_LEAST_MS = 1_000


@dataclass(frozen=True, slots=True)
class Terms:
    """What a remote bot accepts.

    Attributes:
        families: the games it plays, by `games.available`.
        least_s, most_s: what a clock may have at the start, in seconds.
        max_games: how many games it plays at once.
    """

    families: Collection[str]
    least_s: int = 10
    most_s: int = 3600
    takes_rated: bool = True
    takes_casual: bool = True
    max_games: int = 1


def create(*, owner: User, name: str, description: str = "", terms: Terms) -> Bot:
    """A new remote bot of `owner`, with a player of its own, ready to play.

    Raises:
        RefusedError: `name-bad`, `name-taken`, `too-many-lines`, or as `change`.
    """
    columns = _columns(terms)
    with transaction.atomic():
        line = versions.add_line(owner=owner, name=name, description=description)
        bot = Bot.objects.create(
            player=players.add_player(line.name, Player.Kind.REMOTE, None),
            line=line,
            version=1,
            owner=line.owner,
            description=line.description,
            families=_families(terms),
            created_at=database_time.now(),
        )
        RemoteBot.objects.create(bot=bot, **columns)
        audit.note("bot-remote", actor=owner, bot=bot.pk)
        return bot


def change(*, bot_id: int, actor: User, terms: Terms) -> None:
    """Let the bot accept what `terms` say; games that have begun go on.

    Raises:
        NotAllowedError: `not-your-bot`.
        RefusedError: `families-bad`, `clock-bad`, `remote-games-bad`, `remote-takes-nothing`.
    """
    columns = _columns(terms)
    with transaction.atomic():
        bot = Bot.objects.select_for_update(of=("self",), no_key=True).get(pk=bot_id)
        if bot.owner_id != actor.pk or not RemoteBot.objects.filter(pk=bot.pk).exists():
            raise NotAllowedError("not-your-bot", str(bot_id))
        RemoteBot.objects.filter(pk=bot.pk).update(**columns)
        bot.families = _families(terms)
        bot.save(update_fields=["families"])
        audit.note("bot-terms", actor=actor, bot=bot.pk)


def deposit(*, bot_id: int, actor: User, data: bytes, filename: str) -> Bot:
    """Keep the module by which the bot plays in events by fuel, for good.

    Its games are looked at by it, so that another module is another bot. What is wrong with one is
    found by the first ply that a worker looks at: nothing is compiled here.

    Raises:
        NotAllowedError: `not-your-bot`.
        RefusedError: `program-...` as `programs.keep`; `module-only` for a Python program.
        StaleError: `module-kept`.
        TooManyError: as many uploads as the author has a day.
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


def terms_of(bot: Bot) -> Terms:
    """What a remote bot accepts."""
    remote = bot.remote
    return Terms(
        families=list(bot.families),
        least_s=remote.least_ms // 1000,
        most_s=remote.most_ms // 1000,
        takes_rated=remote.takes_rated,
        takes_casual=remote.takes_casual,
        max_games=remote.max_games,
    )


def _columns(terms: Terms) -> dict[str, int | bool]:
    least_ms, most_ms = terms.least_s * 1000, terms.most_s * 1000
    if not _LEAST_MS <= least_ms <= most_ms <= MAX_CLOCK_MS:
        raise RefusedError("clock-bad", f"{terms.least_s} to {terms.most_s} s")
    if not 1 <= terms.max_games <= MAX_GAMES:
        raise RefusedError("remote-games-bad", str(MAX_GAMES))
    if not (terms.takes_rated or terms.takes_casual):
        raise RefusedError("remote-takes-nothing")
    return {
        "least_ms": least_ms,
        "most_ms": most_ms,
        "takes_rated": terms.takes_rated,
        "takes_casual": terms.takes_casual,
        "max_games": terms.max_games,
    }


def _families(terms: Terms) -> list[str]:
    """The families in the order of the site. Raises RefusedError `families-bad`."""
    known = [family.name for family in games.available()]
    if not terms.families or not set(terms.families) <= set(known):
        raise RefusedError("families-bad", ", ".join(terms.families))
    return [name for name in known if name in terms.families]
