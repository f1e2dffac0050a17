"""Exports of games: a line of JSON each, read from the database as they are sent."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING

from tournaments.models import Game, Ply, Transcript
from tournaments.services.clocks import game_clocks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tournaments.models import Event, Player, Pool
    from tournaments.models.games import GameQuerySet

_AT_ONCE = 200


def games_of(
    *, pool: Pool | None = None, event: Event | None = None, player: Player | None = None
) -> GameQuerySet:
    """The finished games of a pool, an event or a player, or all of them; the oldest first."""
    games = Game.objects.finished()
    if pool is not None:
        games = games.filter(pool=pool)
    if event is not None:
        games = games.filter(pairing__event=event)
    if player is not None:
        games = games.of(player)
    return games.order_by("pk")


def game_lines(games: GameQuerySet) -> Iterator[str]:
    """Each game as one object of JSON and a newline.

    It has the players, every ply with its times, the result and the ending.
    """
    for some in _batches(games):
        plies: dict[int, list[Ply]] = defaultdict(list)
        for ply in Ply.objects.filter(game__in=some).order_by("game", "number"):
            plies[ply.game_id].append(ply)
        for game in some:
            own_plies = [ply for ply in plies[game.pk] if ply.attempt == game.attempt]
            yield json.dumps(_record(game, own_plies), ensure_ascii=False) + "\n"


def transcript_lines(player: Player) -> Iterator[str]:
    """Every transcript of the bot's games as one object of JSON and a newline."""
    rows = Transcript.objects.filter(game__first=player, side="first") | Transcript.objects.filter(
        game__second=player, side="second"
    )
    for row in rows.order_by("game", "attempt").iterator(_AT_ONCE):
        record = {"game": row.game_id, "attempt": row.attempt, "side": row.side, "text": row.text}
        yield json.dumps(record, ensure_ascii=False) + "\n"


def _batches(games: GameQuerySet) -> Iterator[list[Game]]:
    """By ascending id, so that a batch is read when it is its turn and not all at once."""
    last = 0
    while True:
        some = list(games.with_players().filter(pk__gt=last)[:_AT_ONCE])
        if not some:
            return
        yield some
        last = some[-1].pk


def _record(game: Game, plies: Iterable[Ply]) -> dict[str, object]:
    return {
        "id": game.pk,
        "ruleset": game.ruleset,
        "setup": game.setup,
        "first": game.first.name,
        "second": game.second.name,
        "event": game.pairing.event.slug if game.pairing else None,
        "round": game.pairing.round.number if game.pairing else None,
        "rated": game.is_rated,
        "clock": game_clocks.clock_of(game).text(),
        "clock_ms": [game.clock_initial_ms, game.clock_increment_ms],
        "result": game.result,
        "ending": game.ending,
        "opening_plies": game.opening_plies,
        "began": game.created_at.isoformat(),
        "ended": game.ended_at.isoformat() if game.ended_at else None,
        "plies": [
            {
                "move": ply.move,
                "charged_ms": ply.spent_ms,
                "left_ms": ply.remaining_ms,
                "wall_ms": ply.wall_ms,
                "cpu_ms": ply.cpu_ms,
            }
            for ply in plies
        ],
    }
