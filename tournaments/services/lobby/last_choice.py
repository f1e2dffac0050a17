"""What the lobby proposes: the last choice of a player, and nothing rated before the first one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.models import Game

if TYPE_CHECKING:
    from tournaments.models import Player


def is_rated(player: Player | None) -> bool:
    """Whether the last game that `player` agreed to play was rated; False for newcomers.

    Games of events do not count: their organisers decide.
    """
    if player is None or player.is_guest:
        return False
    own = Game.objects.of(player).filter(pairing=None, match=None)
    return own.order_by("-pk").values_list("is_rated", flat=True).first() or False
