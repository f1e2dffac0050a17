"""Attendance at live games: the players who are at the table, the time of an absence, and the claim that it allows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Max, Min

from tournaments.models import Attendance, Game, Outage, WebProcess
from tournaments.models.games import Side
from tournaments.queries.clocks import game_clocks

# A reload of a page and a short loss of the connection are no absence.
GRACE = timedelta(seconds=10)

# As on lichess: long enough for a new connection, and shorter than the clock of an absent player.
_LEAST, _MOST = timedelta(seconds=60), timedelta(seconds=180)


def claim_after(remaining_ms: int) -> timedelta:
    """Return the absence that allows a claim: a tenth of the absent player's time, within one and three minutes.

    `remaining_ms` is the player's clock at the start of the turn.
    """
    return min(max(_LEAST, timedelta(milliseconds=remaining_ms) / 10), _MOST)


@dataclass(frozen=True, slots=True)
class Absence:
    """The absence of a player.

    Attributes:
        left_at: the end of the last stream, or a later ply of the player.
        counts_from: the moment from which the whole time is an absence: `left_at`, later by the time in which the
            site was away.
    """

    left_at: datetime
    counts_from: datetime


@dataclass(frozen=True, slots=True)
class Table:
    """The attendance of a game.

    Attributes:
        seats: by side the absence, or None for a player at the table. A side without a key is unknown: a bot, or a
            player whose pages have never listened.
        claim_at: the moment from which the side that waits may claim the game, or None without a claim.
    """

    seats: Mapping[str, Absence | None]
    claim_at: datetime | None = None


def is_watched(game: Game) -> bool:
    """Return whether the attendance of the players is known: live games of people, and of people with remote bots."""
    if (
        game.result is not None
        or game.fuel is not None
        or (game.first.is_bot and game.second.is_bot)
    ):
        return False
    if game.is_over_days or game.is_unlimited or game.first.is_boxed or game.second.is_boxed:
        return False
    return game.pairing is None or not game.pairing.event.is_over_the_board


def has_claims(game: Game) -> bool:
    """Return whether a player may claim this game. In games of events the arbiter decides."""
    return is_watched(game) and game.pairing_id is None


def table(game: Game, now: datetime) -> Table:
    """Return the attendance of `game`, without seats if it is not watched."""
    if not is_watched(game):
        return Table({})
    departures = _departures(game, now)
    left = {side: at for side, at in departures.items() if at and at <= now - GRACE}
    if not left:
        return Table(dict.fromkeys(departures))
    last_plies = _last_plies(game)
    absences = {side: _absence(max(at, last_plies.get(side, at)), now) for side, at in left.items()}
    seats = {side: absences.get(side) for side in departures}
    return Table(seats, _claim_at(game, absences, has_begun=len(last_plies) == len(Side)))


def _departures(game: Game, now: datetime) -> dict[str, datetime | None]:
    """Return by side when the player has left, or None while one of the player's streams is open."""
    by_side: dict[str, list[datetime | None]] = {}
    rows = Attendance.objects.filter(game=game).values_list(
        "side", "left_at", "process__lease_until"
    )
    for side, left_at, lease_until in rows:
        if game.player_on(side).is_bot:
            continue
        is_open = left_at is None and lease_until > now
        by_side.setdefault(side, []).append(None if is_open else left_at or lease_until)
    return {side: _latest(moments) for side, moments in by_side.items()}


def _latest(moments: Sequence[datetime | None]) -> datetime | None:
    past = [moment for moment in moments if moment is not None]
    return max(past) if len(past) == len(moments) else None


def _last_plies(game: Game) -> dict[str, datetime]:
    """Return the moment of the last ply of each side that has made one."""
    plies = game.plies.filter(attempt=game.attempt, number__gt=game.opening_plies)
    return dict(plies.order_by().values_list("side").annotate(Max("made_at")))


def _absence(left_at: datetime, now: datetime) -> Absence:
    # A player cannot come back while no web process runs.
    living = WebProcess.objects.filter(lease_until__gt=now)
    since = max(left_at, living.aggregate(oldest=Min("started_at"))["oldest"] or now)
    away = timedelta()
    for outage in Outage.objects.since(since):
        away += outage.ended_at - max(outage.started_at, since)
    return Absence(left_at, since + away)


def _claim_at(game: Game, absences: Mapping[str, Absence], *, has_begun: bool) -> datetime | None:
    absence = absences.get(game.side_to_move)
    if absence is None or not has_begun or not has_claims(game):
        return None
    remaining_ms = game_clocks.remaining_ms(game, game.side_to_move)
    return absence.counts_from + claim_after(remaining_ms)
