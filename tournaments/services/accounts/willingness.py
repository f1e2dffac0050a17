"""Conditions under which a player can be asked for a game, or accepts one without being asked."""

from __future__ import annotations

from tournaments import database_time
from tournaments.errors import RefusedError
from tournaments.models import Player
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.services.accounts import consent_checks, remote_presence


def require_willing(
    opponent: Player, challenger: Player, *, ruleset: str, clock: Clock, is_rated: bool
) -> None:
    """People decide for themselves, bots by their state and their author's consent. Guests are met by a link only.

    Raises RefusedError `player-deleted`, `player-guest`, `player-unwilling`, `bot-inactive`,
    `bot-other-game`, `bot-away`, or as `consent_checks.require_challenge`.
    """
    if opponent.is_guest:
        raise RefusedError("player-guest", opponent.name)
    if not opponent.is_bot:
        if opponent.user is not None and not opponent.user.is_active:
            raise RefusedError("player-deleted", opponent.name)
        if opponent.mutes.filter(muted=challenger).exists():
            raise RefusedError("player-unwilling", opponent.name)
        return
    bot = opponent.bot
    if not bot.is_active:
        raise RefusedError("bot-inactive", opponent.name)
    if not bot.plays(ruleset):
        raise RefusedError("bot-other-game", opponent.name)
    if bot.is_remote and not remote_presence.is_present(bot.remote, database_time.now()):
        raise RefusedError("bot-away", opponent.name)
    consent_checks.require_challenge(
        opponent, challenger, ruleset=ruleset, clock=clock, is_rated=is_rated
    )
