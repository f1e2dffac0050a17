"""Options that programs receive before their games: the values of tunings."""

from __future__ import annotations

from collections.abc import Mapping

from tournaments.models import Game, TunedPair


def options_of(game: Game) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return the values by name for the first player of the game, and for the second.

    Both are empty, except for the version of a tuning.
    """
    rows = TunedPair.objects.filter(pair__match=game.match_id)
    values = dict(rows.values_list("pair__opponent__gauntlet__candidate", "options"))
    return values.get(game.first_id, {}), values.get(game.second_id, {})
