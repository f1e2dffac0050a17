"""The games that wait for a move of a player, the most urgent first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import F, Q

from tournaments.models import Game

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.models import Player

_AT_MOST = 100


@dataclass(frozen=True, slots=True)
class Turn:
    """A game in which somebody is to move, and against whom."""

    game: Game
    opponent: Player


def waiting(player: Player, *, but: Game | None = None) -> Sequence[Turn]:
    """The games in which it is the turn of `player`, the most urgent first, at most 100.

    The game `but` is left out.
    """
    mine = Q(first=player, side_to_move="first") | Q(second=player, side_to_move="second")
    games = Game.objects.ongoing().filter(mine).select_related("first", "second")
    if but is not None:
        games = games.exclude(pk=but.pk)
    urgent_first = games.order_by(F("deadline_at").asc(nulls_last=True), "pk")[:_AT_MOST]
    return [
        Turn(game, game.second if game.side_to_move == "first" else game.first)
        for game in urgent_first
    ]
