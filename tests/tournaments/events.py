"""Ends of an event's running games, chosen by a test, and the rules for its rounds afterwards."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import transaction

from tournaments.models import Event, Game
from tournaments.queries.arbiter import round_verification
from tournaments.services.games import game_end
from tournaments.services.rounds import lifecycle


def decide(event: Event, choose: Callable[[Game], str]) -> int:
    """Give every running game of the event the result of `choose`. Return the number of games."""
    ongoing = list(Game.objects.ongoing().filter(pairing__event=event).with_players())
    for game in ongoing:
        with transaction.atomic():
            game_end.finish_game(game, result=choose(game), ending=Game.Ending.RESIGNATION)
    return len(ongoing)


def to_the_end(event: Event, choose: Callable[[Game], str], *, rounds: int = 60) -> None:
    """Decide the games of an event until it is finished."""
    for _ in range(rounds):
        decide(event, choose)
        lifecycle.advance_event(event.pk)
        event.refresh_from_db()
        if event.state == Event.State.FINISHED:
            return
    pytest.fail("the event did not finish")


def lower_number_wins(game: Game) -> str:
    """The favourite wins."""
    assert game.pairing is not None
    tpn = {e.player_id: e.tpn or 0 for e in (game.pairing.first, game.pairing.second)}
    return "first" if tpn[game.first_id] < tpn[game.second_id] else "second"


def assert_confirmed(event: Event) -> None:
    """Every round is paired again to its boards, with a set-up that was committed to."""
    for round_ in event.rounds.all():
        verdict = round_verification.verify(round_)
        assert verdict.is_confirmed, (round_, verdict)
        assert verdict.is_seed_committed
