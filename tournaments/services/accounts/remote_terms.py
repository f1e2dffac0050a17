"""Remote bots as others meet them: whether one is there, has room for a game, and takes games of a kind."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db.models import Q

from tournaments.models import Game, Player, RemoteBot, statements
from tournaments.services import database_time
from tournaments.services.errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from datetime import datetime

    from django.db.models import QuerySet

    from tournaments.services.clocks.game_clocks import Clock

# Who was heard of within this is there; an open stream is noted several times in it.
PRESENT = timedelta(seconds=90)
_NOTED_EVERY = timedelta(seconds=20)


def note_seen(line_id: int) -> None:
    """Store that a program plays for the bot of this line, once in a while."""
    now = database_time.now()
    is_due = Q(seen_at=None) | Q(seen_at__lte=now - _NOTED_EVERY)
    RemoteBot.objects.filter(is_due, bot__line=line_id).update(seen_at=now)


def player_of(line_id: int) -> Player | None:
    """The remote bot of this line, which is there while its programs ask."""
    players = _players_of.all(line=line_id)
    if not players:
        return None
    seen_at = players[0].bot.remote.seen_at
    if seen_at is None or seen_at <= database_time.now() - _NOTED_EVERY:
        note_seen(line_id)
    return players[0]


@statements.query
def _players_of(line: int) -> QuerySet[Player]:
    return Player.objects.select_related("bot__remote").filter(bot__line=line)


def is_present(remote: RemoteBot, now: datetime) -> bool:
    """Whether a program plays for the bot at this time."""
    return remote.seen_at is not None and remote.seen_at > now - PRESENT


def present_bots(now: datetime) -> frozenset[int]:
    """The ids of all remote bots for which a program plays at this time."""
    rows = RemoteBot.objects.filter(seen_at__gt=now - PRESENT)
    return frozenset(rows.values_list("pk", flat=True))


def require_terms(opponent: Player, *, clock: Clock, is_rated: bool) -> None:
    """Raise RefusedError `bot-away`, `bot-clock`, `bot-casual-only`, `bot-rated-only` for what a remote bot does not play."""
    remote = opponent.bot.remote
    if not is_present(remote, database_time.now()):
        raise RefusedError("bot-away", opponent.name)
    if not remote.least_ms <= clock.initial_ms <= remote.most_ms:
        raise RefusedError("bot-clock", f"{remote.least_ms} to {remote.most_ms} ms")
    if is_rated and not remote.takes_rated:
        raise RefusedError("bot-casual-only", opponent.name)
    if not is_rated and not remote.takes_casual:
        raise RefusedError("bot-rated-only", opponent.name)


def require_room(players: Iterable[Player]) -> None:
    """Raise RefusedError `bot-inactive`, `bot-busy` unless each remote bot among `players` may begin another game.

    In the transaction that begins it: games that begin at one moment are counted one after the other.
    """
    ids = [player.pk for player in players if player.is_remote]
    if not ids:
        return
    rows = RemoteBot.objects.select_for_update(of=("self",), no_key=True).select_related("bot")
    for remote in rows.filter(bot__player__in=ids).order_by("pk"):
        if not remote.bot.is_active:
            raise RefusedError("bot-inactive")
        if _games_of([remote.bot.player_id])[remote.bot.player_id] >= remote.max_games:
            raise RefusedError("bot-busy", str(remote.max_games))


def unavailable(player_ids: Collection[int], now: datetime) -> frozenset[int]:
    """Those of the players who are remote bots that are away, or play as many games as they can."""
    rows = RemoteBot.objects.filter(bot__player__in=player_ids).select_related("bot")
    remotes = list(rows)
    games = _games_of([remote.bot.player_id for remote in remotes])
    return frozenset(
        remote.bot.player_id
        for remote in remotes
        if not is_present(remote, now) or games[remote.bot.player_id] >= remote.max_games
    )


def _games_of(player_ids: Collection[int]) -> Counter[int]:
    """How many games each plays now."""
    if not player_ids:
        return Counter()
    open_games = Game.objects.ongoing().filter(Q(first__in=player_ids) | Q(second__in=player_ids))
    pairs = open_games.values_list("first_id", "second_id")
    return Counter(pk for pair in pairs for pk in pair)
