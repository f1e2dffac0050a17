"""The games of formats without common rounds, as their pairing systems and tables see them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime

from tournaments.models import Event, Game
from tournaments.pairing import RoundKind, RoundRecord
from tournaments.queries import formats

_SIDES = ((RoundKind.FIRST, "first"), (RoundKind.SECOND, "second"))


def game_records(
    event: Event, *, latest: int = 0
) -> tuple[Mapping[int, list[RoundRecord]], Mapping[int, datetime]]:
    """Return the games of the event that count, by TPN, and the end of each player's (by id) last game.

    It is for formats without common rounds, in which a seat in a draw may be several games. With
    `latest` at most that number of games are read, those that ended last.
    """
    worth = formats.points(event)
    tpns = {entry.player_id: entry.tpn or 0 for entry in event.entries.exclude(tpn=None)}
    records: dict[int, list[RoundRecord]] = defaultdict(list)
    ended_at: dict[int, datetime] = {}
    finished_games = Game.objects.filter(pairing__event=event, result__isnull=False)
    rows = finished_games.only("first", "second", "result", "ended_at").order_by("-ended_at", "-pk")
    for game in reversed(rows[:latest] if latest else rows):
        assert game.ended_at is not None, "a game with a result has ended"
        ended_at[game.first_id] = ended_at[game.second_id] = game.ended_at
        if game.result == Game.Result.VOID:
            continue
        for played_as, side in _SIDES:
            kind = played_as
            me, other = game.first_id, game.second_id
            if side == Game.Result.SECOND:
                me, other = other, me
            is_won = game.winner_side == side
            if game.result in Game.UNPLAYED:
                kind = RoundKind.FORFEIT_WIN if is_won else RoundKind.FORFEIT_LOSS
                halves = worth.forfeit_win if is_won else worth.forfeit_loss
            elif game.result == Game.Result.DRAW:
                halves = worth.draw
            else:
                halves = worth.win if is_won else worth.loss
            records[tpns[me]].append(RoundRecord(kind, tpns[other], halves))
    return records, ended_at
