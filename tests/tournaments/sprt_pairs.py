"""Plans of SPRT tests, and pairs of tests and gauntlets as workers play them."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from tournaments.models import Game, GauntletPair, Match, Player, SprtPair, SprtTest
from tournaments.services import sprt_tests
from tournaments.services.games import game_creation, game_end

CLOCK = game_creation.Clock(5_000, 100)


def plan(bots: Sequence[Player], **changes: object) -> sprt_tests.Plan:
    """Return the plan of a test of the first bot against the second, with these changes."""
    fields = {
        "candidate": bots[0].bot,
        "base": bots[1].bot,
        "ruleset": "morelli(size=5)",
        "clock": CLOCK,
    }
    return sprt_tests.Plan(**{**fields, **changes})  # type: ignore[arg-type]


def play_pair(
    pair: SprtPair | GauntletPair, candidate: Player, halves: Sequence[int] | None
) -> None:
    """Play the pair like a worker, with the candidate's half points in each game, or void without them."""
    for number, game in enumerate(pair.match.games.order_by("number")):
        result, ending = "void", Game.Ending.FAULT
        if halves is not None:
            own = halves[number]
            first = own if game.first_id == candidate.pk else 2 - own
            result, ending = {2: "first", 1: "draw", 0: "second"}[first], Game.Ending.RULES
        with transaction.atomic():
            game_end.finish_game(game, result=result, ending=ending)
    Match.objects.filter(pk=pair.match_id).update(state=Match.State.DONE)


def open_pairs(sprt_test: SprtTest) -> list[SprtPair]:
    """Return the pairs that wait for a worker."""
    return list(sprt_test.pairs.filter(match__state="queued").order_by("number"))
