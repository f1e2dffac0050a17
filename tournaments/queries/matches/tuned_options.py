"""Options that programs receive before their games: the values of tunings."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import QuerySet

from tournaments.models import Game, TunedPair, statements


def options_of(game: Game) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return the values by name for the first player of the game, and for the second.

    Both are empty, except for the version of a tuning.
    """
    if game.match_id is None:
        return {}, {}
    values = dict(_options.all(match=game.match_id))
    return values.get(game.first_id, {}), values.get(game.second_id, {})


@statements.query
def _options(match: int) -> QuerySet[TunedPair, tuple[int, Mapping[str, str]]]:
    rows = TunedPair.objects.filter(pair__match=match)
    return rows.values_list("pair__opponent__gauntlet__candidate", "options")
