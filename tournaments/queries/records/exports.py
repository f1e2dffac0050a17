"""Exports of games: a line of JSON each, read from the database as they are sent."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from datetime import datetime
from typing import NamedTuple

from tournaments.models import Event, Game, Player, Ply, Pool, Transcript
from tournaments.models.games import GameQuerySet
from tournaments.queries.clocks.game_clocks import Clock, Kind
from tournaments.queries.records import evaluations

_AT_ONCE = 200


def games_of(
    *,
    pool: Pool | None = None,
    event: Event | None = None,
    player: Player | None = None,
    since: datetime | None = None,
) -> GameQuerySet:
    """Return the finished games of a pool, an event or a player, or all of them, the oldest first.

    With `since` those that ended then or later.
    """
    games = Game.objects.finished()
    if pool is not None:
        games = games.filter(pool=pool)
    if event is not None:
        games = games.filter(pairing__event=event)
    if player is not None:
        games = games.of(player)
    if since is not None:
        games = games.filter(ended_at__gte=since)
    return games.order_by("pk")


def line(record: Mapping[str, object]) -> str:
    """Return the record as one object of JSON and a newline. Moments are ISO 8601."""
    return json.dumps(record, ensure_ascii=False, default=datetime.isoformat) + "\n"


def game_lines(games: GameQuerySet) -> Iterator[str]:
    """Yield the record of each game as a line."""
    return map(line, game_records(games))


def digest(games: GameQuerySet) -> str:
    """Return the SHA-256 of the games and their players' names, which changes with any of them."""
    hashed = hashlib.sha256()
    for some in _batches(games):
        for row in some:
            hashed.update(f"{tuple(row)!r}\n".encode())
    return hashed.hexdigest()


def game_records(games: GameQuerySet) -> Iterator[dict[str, object]]:
    """Yield each game with the players, every ply with its times, the result and the ending.

    Plies of bots have their evaluations.
    """
    for some in _batches(games):
        plies: dict[tuple[int, int], list[dict[str, object]]] = defaultdict(list)
        game_ids = [game.pk for game in some]
        thoughts = evaluations.of_games(game_ids)
        rows = Ply.objects.filter(game__in=game_ids).order_by("game", "number")
        columns = ("game", "attempt", "number", *_PLY_COLUMNS.values())
        for game_id, attempt, number, *times in rows.values_list(*columns):
            ply: dict[str, object] = dict(zip(_PLY_COLUMNS, times, strict=True))
            thought = thoughts.get((game_id, attempt, number))
            if thought is not None:
                ply["evaluation"] = asdict(thought)
            plies[game_id, attempt].append(ply)
        for game in some:
            yield _record(game) | {"plies": plies[game.pk, game.attempt]}


def transcript_lines(player: Player) -> Iterator[str]:
    """Yield every transcript of the bot's games as a line."""
    rows = Transcript.objects.filter(game__first=player, side="first") | Transcript.objects.filter(
        game__second=player, side="second"
    )
    for row in rows.order_by("game", "attempt").iterator(_AT_ONCE):
        yield line(
            {"game": row.game_id, "attempt": row.attempt, "side": row.side, "text": row.text}
        )


class _GameRow(NamedTuple):
    """The columns of a game that a line needs.

    Whole rows, with those of round and event, took six times as long.
    """

    pk: int
    attempt: int
    ruleset: str
    setup: str
    first_id: int
    first__name: str
    first__kind: str
    second_id: int
    second__name: str
    second__kind: str
    pairing__event__slug: str | None
    pairing__round__number: int | None
    is_rated: bool
    pool__key: str | None
    clock_kind: str
    clock_initial_ms: int
    clock_increment_ms: int
    clock_cap_ms: int | None
    result: str
    ending: str
    opening_plies: int
    created_at: datetime
    ended_at: datetime | None


_PLY_COLUMNS = {
    "move": "move",
    "charged_ms": "spent_ms",
    "left_ms": "remaining_ms",
    "wall_ms": "wall_ms",
    "cpu_ms": "cpu_ms",
}


def _batches(games: GameQuerySet) -> Iterator[list[_GameRow]]:
    """Yield batches by ascending id, each read when its turn comes."""
    rows = games.values_list(*_GameRow._fields)
    last = 0
    while True:
        some = [_GameRow(*row) for row in rows.filter(pk__gt=last)[:_AT_ONCE]]
        if not some:
            return
        yield some
        last = some[-1].pk


def _record(game: _GameRow) -> dict[str, object]:
    clock = Clock(
        game.clock_initial_ms,
        game.clock_increment_ms,
        Kind(game.clock_kind),
        game.clock_cap_ms,
    )
    return {
        "id": game.pk,
        "ruleset": game.ruleset,
        "setup": game.setup,
        "first": game.first__name,
        "first_id": game.first_id,
        "first_is_bot": game.first__kind == Player.Kind.BOT,
        "second": game.second__name,
        "second_id": game.second_id,
        "second_is_bot": game.second__kind == Player.Kind.BOT,
        "event": game.pairing__event__slug,
        "round": game.pairing__round__number,
        "rated": game.is_rated,
        "pool": game.pool__key,
        "clock": clock.text(),
        "clock_ms": [game.clock_initial_ms, game.clock_increment_ms],
        "result": game.result,
        "ending": game.ending,
        "opening_plies": game.opening_plies,
        "began": game.created_at,
        "ended": game.ended_at,
    }
