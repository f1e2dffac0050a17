"""Use of the engine: for every position except those at which it could help a player in a game.

The engine runs in the browser, and the service can refuse it on its pages only. A player who brings
a program of their own is a matter for arbiters, as everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import QuerySet

import games
from tournaments.errors import NotAllowedError
from tournaments.models import Entry, Event, Game, Player, statements
from tournaments.queries.records import evaluations


class OwnGameError(NotAllowedError):
    """The player sits at `game`, in which the engine could help."""

    def __init__(self, game: Game) -> None:
        super().__init__("engine-own-game" if _is_live(game) else "engine-own-position", str(game))
        self.game = game


def require(
    *,
    player: Player | None,
    ruleset: str,
    game: Game | None = None,
    positions: Iterable[games.Position] = (),
) -> None:
    """Raise an error unless `player`, or a visitor when None, may use the engine on positions of `ruleset`.

    `game` is the game that the positions are from, if any. `positions` are those at which the page
    shows the engine. They are read only if the player sits at an unfinished game of the family.

    Raises:
        NotAllowedError: `engine-running-game`, the position is of an unfinished game, except of
            programs boxed here; `engine-event`, the game is of an event that forbids the engine
            while it is played, or the player takes part in one of this family.
        OwnGameError: `engine-own-game`, the player sits at a live game of this family;
            `engine-own-position`, one of the positions is on the board of an unfinished game of the
            player.
    """
    if game is not None and not evaluations.are_open(game):
        raise NotAllowedError("engine-running-game")
    running = _own_game(player, ruleset, positions) if player is not None else None
    if running is not None:
        raise OwnGameError(running)
    if _is_forbidden(player=player, ruleset=ruleset, game=game):
        raise NotAllowedError("engine-event")


def may_hint(game: Game, player: Player) -> bool:
    """Return whether the engine may show `player` a good move in this unfinished game, in which they play.

    The game is unrated, against a bot, and of no event or match. No other game or event of the
    player forbids the engine at its position.
    """
    if game.is_rated or game.pairing_id is not None or game.match_id is not None:
        return False
    if not (game.first.is_bot or game.second.is_bot):
        return False
    at = games.load(game.ruleset).parse(game.position)
    other = _own_game(player, game.ruleset, [at], besides=game)
    return other is None and not _is_forbidden(player=player, ruleset=game.ruleset, game=None)


def _own_game(
    player: Player,
    ruleset: str,
    positions: Iterable[games.Position],
    besides: Game | None = None,
) -> Game | None:
    """The unfinished game of `player`, besides one, that forbids the engine on these positions, or None.

    A live game forbids it for its whole family, because the boards of two sizes or two editions
    are nearly equal. Any other game forbids it for the position on its board.
    """
    of_family = _beginning(ruleset)
    own = [
        game
        for game in _ongoing_of.all(player=player.pk)
        if game.ruleset.startswith(of_family) and game != besides
    ]
    live = next((game for game in own if _is_live(game)), None)
    if live is not None or not own:
        return live
    game_by_position = {game.position: game for game in own}
    matches = (game_by_position.get(position.text()) for position in positions)
    return next((game for game in matches if game is not None), None)


@statements.query
def _ongoing_of(player: int) -> QuerySet[Game]:
    return Game.objects.ongoing().of(player).select_related("pairing__event")


def _is_live(game: Game) -> bool:
    """Return whether `game` is played in one sitting: on a clock, or over the board."""
    if game.pairing is not None and game.pairing.event.is_over_the_board:
        return True
    return not game.is_over_days and not game.is_unlimited


def _is_forbidden(*, player: Player | None, ruleset: str, game: Game | None) -> bool:
    """Return whether an event that is being played forbids it: that of the game, or one of the player's."""
    if game is not None and game.pairing is not None:
        event = game.pairing.event
        if event.forbids_engine and event.state == Event.State.RUNNING:
            return True
    if player is None:
        return False
    of_family = _beginning(ruleset)
    return any(each.startswith(of_family) for (each,) in _forbidding_to.all(player=player.pk))


@statements.query
def _forbidding_to(player: int) -> QuerySet[Entry, tuple[str]]:
    """Return the rule sets of the running events of the player that forbid the engine."""
    forbidding = Event.objects.running().filter(forbids_engine=True)
    own = Entry.objects.active().filter(player=player, event__in=forbidding)
    return own.values_list("event__ruleset")


def _beginning(ruleset: str) -> str:
    """Return the common beginning of the keys of all rule sets of the family."""
    return f"{games.family_of(ruleset).name}("
