"""Events played by a script: bots enter, and each game ends as a function of its players says."""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction

from tournaments.models import Event, Game
from tournaments.services.games import game_end
from tournaments.services.rounds import lifecycle, publication, rounds

Script = Callable[[Game], str]


def stronger_wins(game: Game) -> str:
    """The one with the earlier name wins."""
    return "first" if game.first.name < game.second.name else "second"


def all_draw(_: Game) -> str:
    return "draw"


def play_rounds(event: Event, count: int, script: Script = stronger_wins) -> Event:
    """Play this number of rounds of an automatic or manual event, or fewer if it ends before."""
    for _ in range(count):
        event.refresh_from_db()
        if event.state != Event.State.RUNNING:
            break
        if not event.is_automatic and not Game.objects.ongoing().filter(pairing__event=event):
            rounds.draft_round(event_id=event.pk)
            publication.publish_automatically(event_id=event.pk)
        number = event.rounds.exclude(state="draft").latest("number").number
        while not event.rounds.filter(number=number, state="closed").exists():
            running = Game.objects.ongoing().filter(pairing__round__event=event)
            for game in running.filter(pairing__round__number=number).with_players().order_by("pk"):
                with transaction.atomic():
                    game_end.finish_game(game, result=script(game), ending=Game.Ending.RULES)
            lifecycle.advance_event(event.pk)
    event.refresh_from_db()
    return event
