"""Proposals of the lobby: the last choice of a player, and a casual game before the first choice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

import games
from tournaments.models import Game, Player, statements
from tournaments.queries.clocks import game_clocks
from tournaments.queries.lobby.bot_levels import Level


@dataclass(frozen=True, slots=True)
class LastChoice:
    """The last game that a player agreed to play.

    Attributes:
        game: the row.
        bot: the bot that was the opponent, if it still plays. None after a game with a person.
    """

    game: Game
    bot: Player | None

    @property
    def clock(self) -> str:
        """The clock as forms of the lobby name it, `600+10`."""
        return game_clocks.clock_of(self.game).text()


def of_player(player: Player | None) -> LastChoice | None:
    """Return the last game that `player` agreed to play, or None for newcomers.

    Games of events do not count: their organisers decide.
    """
    if player is None:
        return None
    last = _last_of.one(player=player.pk)
    if last is None:
        return None
    opponent = last.second if last.first_id == player.pk else last.first
    return LastChoice(last, opponent if opponent.is_bot and opponent.bot.is_active else None)


@statements.query
def _last_of(player: int) -> QuerySet[Game]:
    own = Game.objects.of(player).filter(pairing=None, match=None)
    return own.select_related("first__bot", "second__bot").order_by("-pk")[:1]


def level(levels: Sequence[Level], last: LastChoice | None, *, ruleset: str) -> int:
    """Return the number of the level to propose, 0 without levels.

    It is that of the last bot, if its game was of the family of `ruleset`. Otherwise it is the recommended one.
    """
    recommended = next((each.number for each in levels if each.is_recommended), 0)
    if last is None or games.family_of(last.game.ruleset) != games.family_of(ruleset):
        return recommended
    return next((each.number for each in levels if each.bot == last.bot), recommended)
