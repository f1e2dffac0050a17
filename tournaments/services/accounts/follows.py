"""Following players: their games and events are on one page of the follower."""

from __future__ import annotations

from django.db import transaction

from tournaments import database_time
from tournaments.errors import RefusedError
from tournaments.models import Follow, Player

MOST = 200


@transaction.atomic
def follow(*, player: Player, followed: Player) -> None:
    """Let `player` follow another one. A repeated request changes nothing.

    Raises RefusedError `not-yourself-follow`, `follows-many`.
    """
    if player.pk == followed.pk:
        raise RefusedError("not-yourself-follow")
    # Two requests of one player count one after the other.
    Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    rows = player.follows.all()
    if not rows.filter(followed=followed).exists() and rows.count() >= MOST:
        raise RefusedError("follows-many", str(MOST))
    Follow.objects.get_or_create(
        follower=player, followed=followed, defaults={"made_at": database_time.now()}
    )


def unfollow(*, player: Player, followed: Player) -> None:
    """Let `player` no longer follow another one."""
    Follow.objects.filter(follower=player, followed=followed).delete()
