"""Who may have the engine look at a position: nobody whom it could help at a board.

The engine runs in the browser, and pages are all that the service can refuse it. Whoever brings a
program of their own is a matter for arbiters, as everywhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import games
from tournaments.models import Entry, Event, Game
from tournaments.services.errors import NotAllowedError
from tournaments.services.records import evaluations

if TYPE_CHECKING:
    from tournaments.models import Player


def require(*, player: Player | None, ruleset: str, game: Game | None = None) -> None:
    """Let `player`, or a visitor when None, have positions of `ruleset` looked at, here those of `game`.

    Raises:
        NotAllowedError: `engine-running-game`, the position is of a game that goes on, and not of
            programs boxed here; `engine-own-game`, they sit at a game of this family;
            `engine-event`, the game is of an event that forbids it while it is played, or they
            take part in one of this family.
    """
    if game is not None and not evaluations.are_open(game):
        raise NotAllowedError("engine-running-game")
    if player is not None and own_running_game(player, ruleset) is not None:
        raise NotAllowedError("engine-own-game")
    if _is_forbidden(player=player, ruleset=ruleset, game=game):
        raise NotAllowedError("engine-event")


def own_running_game(player: Player, ruleset: str) -> Game | None:
    """A game of the rule set's family at which `player` sits, or None.

    Of the whole family, since the boards of two sizes or two editions are nearly the same.
    """
    return Game.objects.ongoing().of(player).filter(ruleset__startswith=_beginning(ruleset)).first()


def _is_forbidden(*, player: Player | None, ruleset: str, game: Game | None) -> bool:
    """Whether an event that is being played forbids it: that of the game, or one of the player's."""
    forbidding = Event.objects.running().filter(forbids_engine=True)
    if game is not None and game.pairing is not None:
        event = game.pairing.event
        if event.forbids_engine and event.state == Event.State.RUNNING:
            return True
    if player is None:
        return False
    own = Entry.objects.active().filter(player=player, event__in=forbidding)
    return own.filter(event__ruleset__startswith=_beginning(ruleset)).exists()


def _beginning(ruleset: str) -> str:
    """How the keys of all rule sets of the family begin."""
    return f"{games.family_of(ruleset).name}("
