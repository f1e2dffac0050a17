"""Proposals of the lobby: the last choice of a player, and a casual game before the first choice."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.models import Game, Player
from tournaments.queries.clocks import game_clocks


@dataclass(frozen=True, slots=True)
class LastChoice:
    """A game as a form of the lobby names it, with `clock` such as `600+10`."""

    ruleset: str
    clock: str
    is_rated: bool


def of_player(player: Player | None) -> LastChoice | None:
    """Return the last game that `player` agreed to play, or None for newcomers.

    Games of events do not count: their organisers decide.
    """
    if player is None:
        return None
    own = Game.objects.of(player).filter(pairing=None, match=None)
    last = own.order_by("-pk").first()
    if last is None:
        return None
    return LastChoice(last.ruleset, game_clocks.clock_of(last).text(), last.is_rated)
