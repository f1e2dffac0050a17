"""Records of games under fuel, by which the games can be reproduced."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from copy import copy

from django.db.models import Q

from engine.programs.fuel_game import FuelGame, Instances
from engine.programs.fuel_plies import FuelTurn
from tournaments.errors import RefusedError, StaleError
from tournaments.models import Bot, Game, Player, Program, RemoteBot
from tournaments.queries.matches import tuned_options
from tournaments.queries.records import game_records


def seed_of(game: Game) -> int:
    """Return the seed of both modules' random bytes, from the place of the game.

    The game of a lost worker is repeated exactly.

    The place of an event's game is the event's seed, round, board and number; of another game the
    match and number.
    """
    place = f"match {game.match_id} game {game.number}"
    if (pairing := game.pairing) is not None:
        place = (
            f"event {pairing.event.seed} round {pairing.round.number} board {pairing.board}"
            f" game {game.number}"
        )
    return int.from_bytes(hashlib.sha256(place.encode("ascii")).digest()[:6])


def record_of(game: Game) -> FuelGame:
    """The record of a game under fuel that is over, as `python -m engine verify` reads it.

    Raises:
        RefusedError: `no-fuel`, it was played by the clock.
        StaleError: `not-over`.
    """
    if game.fuel is None:
        raise RefusedError("no-fuel", str(game.pk))
    as_played = copy(game)
    if (correction := game.corrections.order_by("seq").first()) is not None:
        as_played.result = correction.before
    record = game_records.record_of(as_played)
    if record.outcome is None or game.fuel_meter is None:
        raise StaleError("not-over", str(game.pk))
    return FuelGame(
        record,
        first=_digest(game.first),
        second=_digest(game.second),
        fuel=game.fuel,
        seed=str(seed_of(game)),
        meter=game.fuel_meter,
        instances=Instances.GAME if game.match_id else Instances.PLY,
        options=tuned_options.options_of(game),
    )


def turn_of(game: Game, moves: Sequence[str]) -> FuelTurn:
    """The turn after `moves` of a game whose plies are chosen one by one."""
    assert game.fuel is not None, "it is played by fuel"
    return FuelTurn(game.ruleset, game.setup, moves, game.fuel, str(seed_of(game)))


def module_of(player: Player) -> Program:
    """Return the module of a bot in games by fuel: its program, or the module that a remote bot has deposited."""
    uploads = Bot.objects.filter(player=player).values("program")
    deposits = RemoteBot.objects.filter(bot__player=player).values("module")
    rows = Program.objects.select_related("build__module").defer("upload", "build__module__upload")
    return rows.get(Q(pk__in=uploads) | Q(pk__in=deposits)).runnable


def _digest(player: Player) -> str:
    return module_of(player).digest
