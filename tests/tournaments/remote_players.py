"""Remote bots for tests: made, there, and with the tokens by which their programs play."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tournaments.models import Bot, Challenge, Game, Player, User
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.services.accounts import bot_consents, remote_presence, tokens
from tournaments.services.bots import remote_bots
from tournaments.services.games import game_creation
from tournaments.services.lobby import challenges

PASSWORD = "rayuela-1963"
FAMILIES = ["morlox", "morelli"]
MINUTE = Clock(60_000)


def bot(owner: User, name: str = "Fama", *, is_there: bool = True, **terms: Any) -> Bot:
    """A remote bot of `owner`, whose program was heard of just now."""
    families = terms.pop("families", FAMILIES)
    values = {"least_ms": 1_000, "max_games": 2, **terms}
    consent = replace(bot_consents.REMOTE, **values)
    row = remote_bots.create(owner=owner, name=name, families=families, consent=consent)
    if is_there:
        assert row.line_id is not None
        remote_presence.note_seen(row.line_id)
    return Bot.objects.select_related("player", "line", "remote").get(pk=row.pk)


def token(row: Bot) -> str:
    """The secret of a new token that plays as the bot."""
    assert row.owner is not None
    new = tokens.create(
        user=row.owner, password=PASSWORD, name="home", scopes=["bots:play"], days=30, line=row.line
    )
    return new.secret


def challenge(challenger: Player, bot: Bot, **changes: Any) -> Challenge:
    """Return a challenge of a minute each to the bot, unless changed by keyword."""
    player = Bot.objects.select_related("player").get(pk=bot.pk).player
    values = {"ruleset": "morlox(size=5)", "clock": MINUTE, "is_rated": True, **changes}
    return challenges.challenge(challenger=challenger, opponent=player, **values)


def game(bot: Bot, other: Player, clock: Clock = MINUTE, **changes: Any) -> Game:
    """A game in which the bot moves first."""
    values: dict[str, Any] = {"is_rated": False, **changes}
    return game_creation.create_game(
        ruleset="morlox(size=5)", setup="", first=bot.player, second=other, clock=clock, **values
    )
