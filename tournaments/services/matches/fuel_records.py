"""Records of games under fuel, by which anybody can play them again."""

from __future__ import annotations

import hashlib
from copy import copy
from typing import TYPE_CHECKING

from engine.programs.fuel_game import FuelGame
from tournaments.models import Program
from tournaments.services.errors import RefusedError, StaleError
from tournaments.services.records import game_records

if TYPE_CHECKING:
    from tournaments.models import Game, Player


def seed_of(game: Game) -> int:
    """The seed of both modules' random bytes, from the place of the game.

    The game of a lost worker is the same again.

    Of an event's game that is the event's seed, round, board and number; of another the match and
    number.
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
    )


def _digest(player: Player) -> str:
    return Program.objects.values_list("digest", flat=True).get(bots__player=player)
