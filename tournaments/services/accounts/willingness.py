"""Whether a player can be asked for a game, and accepts one without being asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.services.accounts import remote_terms
from tournaments.services.errors import RefusedError

if TYPE_CHECKING:
    from tournaments.models import Player
    from tournaments.services.clocks.game_clocks import Clock


def require_willing(opponent: Player, ruleset: str, *, clock: Clock, is_rated: bool) -> None:
    """People decide for themselves, bots by their state, remote ones by their terms. Guests are met by a link only.

    Raises RefusedError `player-deleted`, `player-guest`, `bot-inactive`, `bot-other-game`, or as
    `remote_terms.require_terms`.
    """
    if opponent.is_guest:
        raise RefusedError("player-guest", opponent.name)
    if not opponent.is_bot:
        if opponent.user is not None and not opponent.user.is_active:
            raise RefusedError("player-deleted", opponent.name)
        return
    if not opponent.bot.is_active:
        raise RefusedError("bot-inactive", opponent.name)
    if not opponent.bot.plays(ruleset):
        raise RefusedError("bot-other-game", opponent.name)
    if opponent.is_remote:
        remote_terms.require_terms(opponent, clock=clock, is_rated=is_rated)
