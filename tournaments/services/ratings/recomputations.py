"""Pools computed again after a correction: a small one immediately, a large one by a worker, step by step.

Meanwhile the pool's ratings are not changed, and games that end wait for their entry. Each step is
a separate transaction, which moves the place from which another worker would continue: a killed
worker costs a step.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db import transaction
from django.db.models import F, Min, QuerySet

from tournaments import database_time
from tournaments.models import (
    Correction,
    Game,
    LedgerEntry,
    PairTally,
    PendingGame,
    Pool,
    Recomputation,
    statements,
)
from tournaments.models.ratings import RecomputationQuerySet
from tournaments.queries.ratings import ledger
from tournaments.queries.ratings.prefix import LAST_ROW, Place
from tournaments.ratings.systems import RatedGame, RatingStanding
from tournaments.services import enqueue
from tournaments.services.ratings import bulk, posting, recompute
from tournaments.services.ratings.replay import Replay, place_of

log = logging.getLogger(__name__)

# A pool with at most this number of rows is computed again immediately, in some 50 ms.
ROWS_AT_ONCE = 600
# A worker without a sign of life for this time is lost, and another continues.
LEASE = timedelta(seconds=20)
# After this time a worker lets others in its queue pass.
_SLICE_S = 5.0
_RATINGS_A_STEP = 200
_PENDING_A_STEP = 5


class _LeaseLostError(Exception):
    """An error: another worker now computes the pool."""


class _ChangeError(Exception):
    """An error: another correction needs an earlier place to continue from."""


def is_going_on(pool: Pool) -> bool:
    """Return whether a worker computes the pool again.

    A caller that enters a game has locked a rating of it first.
    """
    return current(pool.pk) is not None


def enter(pool: Pool, game: RatedGame) -> None:
    """Enter a finished game in the pool after all others, or leave that to the worker that computes it again.

    In the caller's transaction, with the pool locked for newcomers or lists. The ratings are locked here.
    """
    standings = posting.locked_standings(pool, [game.first, game.second])
    if is_going_on(pool):
        PendingGame.objects.create(pool=pool, game_id=game.game, since=database_time.now())
    elif not _enter_last(pool, game, standings):
        _begin_or_replay(pool, None, _late_place(pool, game), late_games=[game.game])


def follow(pool: Pool, corrections: Sequence[Correction]) -> None:
    """See to it that the pool's ratings follow these corrections of its games, which have just been made.

    In the caller's transaction: the sums of the pairs are right at its end, and the ratings of a
    small pool.
    """
    pool = Pool.objects.select_for_update(no_key=True).get(pk=pool.pk)
    # A worker locks it before ratings, and adds rows while it has it.
    open_ones = Recomputation.objects.open().filter(pool=pool)
    recomputation = open_ones.select_for_update(no_key=True).first()
    first_rows = _first_rows(pool, [each.game_id for each in corrections])
    places, late_games = [], []
    for each in corrections:
        game = each.game
        assert game.ended_at is not None, "what is corrected has ended"
        if game.pk in first_rows:
            places.append(place_of(pool, game.ended_at, first_rows[game.pk]))
            _recount(pool, each)
        elif each.after in ledger.SCORES:
            late_games.append(game.pk)
            places.append(place_of(pool, game.ended_at, LAST_ROW))
        elif recomputation is not None:
            # A pending game that no longer counts. The worker may have read it while it counted.
            places.append(place_of(pool, game.ended_at, LAST_ROW))
    if places:
        _begin_or_replay(
            pool, recomputation, min(places), late_games=late_games, corrections=corrections
        )


def current(pool_id: int | None) -> Recomputation | None:
    """Return the unfinished recomputation of the pool, or None."""
    return None if pool_id is None else _open_of.one(pool=pool_id)


@statements.query
def _open_of(pool: int) -> QuerySet[Recomputation]:
    return Recomputation.objects.open().filter(pool=pool)


def _first_rows(pool: Pool, game_ids: Collection[int]) -> dict[int, int]:
    rows = LedgerEntry.objects.filter(pool=pool, game__in=game_ids).order_by()
    return dict(rows.values_list("game").annotate(Min("pk")))


def _recount(pool: Pool, correction: Correction) -> None:
    game = correction.game
    posting.locked_standings(pool, [game.first_id, game.second_id])
    for result, number in ((correction.before, -1), (correction.after, 1)):
        if result in ledger.SCORES:
            halves = ledger.SCORES[Game.Result(result)]
            posting.count_result(pool.pk, game.first_id, game.second_id, halves, number)
    empty_tally = {"wins": 0, "draws": 0, "losses": 0}
    tallies = PairTally.objects.filter(pool=pool, first=game.first_id, second=game.second_id)
    tallies.filter(**empty_tally).delete()


def _enter_last(pool: Pool, game: RatedGame, standings: dict[int, RatingStanding]) -> bool:
    """Enter the game, unless its month has been closed meanwhile. Return whether it was entered.

    `standings` are those of the two, locked.
    """
    if pool.closed_until is not None:
        month = game.ended_at.date().replace(day=1)
        if month < pool.closed_until:
            return False
        if month > pool.closed_until:
            posting.close_months(pool, month)
            standings = posting.locked_standings(pool, standings)
    posting.enter_game(pool, game, standings)
    return True


def _late_place(pool: Pool, game: RatedGame) -> Place:
    return place_of(pool, game.ended_at, LAST_ROW)


def _begin_or_replay(
    pool: Pool,
    recomputation: Recomputation | None,
    place: Place,
    *,
    late_games: Sequence[int],
    corrections: Sequence[Correction] = (),
) -> None:
    """Compute the pool again from `place` on, now or by a worker.

    The pool is locked, and so is `recomputation`, which continues in it.
    """
    cause = corrections[0] if corrections else None
    if recomputation is not None:
        _send_back(recomputation, place, cause)
    elif LedgerEntry.objects.filter(pool=pool)[: ROWS_AT_ONCE + 1].count() <= ROWS_AT_ONCE:
        causes = {each.game_id: each.pk for each in corrections}
        recompute.replay_now(
            pool,
            place,
            late_games=late_games,
            causes=causes,
            correction=cause.pk if cause else None,
        )
        return
    else:
        now = database_time.now()
        Recomputation.objects.create(
            pool=pool,
            correction=cause,
            begun_at=min([now, *(each.made_at for each in corrections)]),
            woken_at=now,
            **_columns(place),
        )
        enqueue.recomputation(pool.pk)
    moment = database_time.now()
    for game_id in late_games:
        PendingGame.objects.get_or_create(game_id=game_id, defaults={"pool": pool, "since": moment})


def _send_back(recomputation: Recomputation, place: Place, cause: Correction | None) -> None:
    """Make the worker read the games again from `place` on if it is past it."""
    columns: dict[str, object] = {}
    if place < _place(recomputation):
        columns = {**_columns(place), "games_done": 0, "games_total": 0}
        if cause is not None:
            columns["correction"] = cause
    # The worker may have read some later games already, and has entered some pending games.
    mine = Recomputation.objects.filter(pk=recomputation.pk)
    mine.update(version=F("version") + 1, **columns)


def _place(recomputation: Recomputation) -> Place:
    return Place(recomputation.month or date.min, recomputation.row)


def _columns(place: Place) -> dict[str, object]:
    return {"month": None if place.month == date.min else place.month, "row": place.row}


@dataclass(slots=True)
class _Claim:
    """One worker's right to compute a pool again."""

    recomputation: Recomputation

    def held(self) -> RecomputationQuerySet:
        """The recomputation, while it is this worker's and no correction has come."""
        mine = self.recomputation
        return Recomputation.objects.open().filter(
            pk=mine.pk, attempts=mine.attempts, version=mine.version
        )

    def step(self, **columns: object) -> None:
        """Move on, and have the lease for longer. Raises _LeaseLostError, _ChangeError.

        In the step's transaction, before the ratings are locked.
        """
        columns["lease_until"] = database_time.now() + LEASE
        if self.held().update(**columns) != 1:
            self.refresh()
            raise _ChangeError

    def refresh(self) -> None:
        """Read the row again. Raises _LeaseLostError."""
        attempts = self.recomputation.attempts
        self.recomputation.refresh_from_db()
        if self.recomputation.attempts != attempts or self.recomputation.finished_at is not None:
            raise _LeaseLostError


def work(pool_id: int, *, slice_s: float = _SLICE_S) -> bool:
    """Compute a pool again for a while. Return whether it is done.

    The next message continues the work.
    """
    claim = _claim(pool_id, database_time.now())
    if claim is None:
        return False
    _wait_for_entries(pool_id)
    try:
        while True:
            try:
                claim.refresh()
                claim.step()
                is_done = _go_on(claim, slice_s)
            except _ChangeError:
                continue
            if not is_done:
                _leave(claim)
            return is_done
    except _LeaseLostError:
        log.info("recomputation.lost pool=%s", pool_id)
        return False


def due(now: datetime, *, since: timedelta) -> list[int]:
    """Return the pools that wait for a worker, without a message to one during `since`."""
    waiting = Recomputation.objects.due(now)
    rows = waiting.exclude(woken_at__gte=now - since).order_by("begun_at")
    return [
        pool_id
        for key, pool_id in rows.values_list("pk", "pool_id")
        if waiting.filter(pk=key).update(woken_at=now)
    ]


def _claim(pool_id: int, now: datetime) -> _Claim | None:
    open_ones = Recomputation.objects.due(now).filter(pool=pool_id)
    if open_ones.update(lease_until=now + LEASE, attempts=F("attempts") + 1) != 1:
        return None
    return _Claim(Recomputation.objects.open().get(pool=pool_id))


def _leave(claim: _Claim) -> None:
    with transaction.atomic():
        claim.held().update(lease_until=None, woken_at=database_time.now())
        enqueue.recomputation(claim.recomputation.pool_id)


def _wait_for_entries(pool_id: int) -> None:
    """Wait for transactions that began to enter a game before they could know of the recomputation."""
    with transaction.atomic():
        recompute.lock_ratings(_locked_pool(pool_id))


def _locked_pool(pool_id: int) -> Pool:
    return Pool.objects.select_for_update(no_key=True).get(pk=pool_id)


def _go_on(claim: _Claim, slice_s: float) -> bool:
    begun_s = time.monotonic()
    recomputation = claim.recomputation
    pool = Pool.objects.get(pk=recomputation.pool_id)
    causes = Correction.objects.filter(game__pool=pool, made_at__gte=recomputation.begun_at)
    games = Replay(
        pool,
        _place(recomputation),
        late_games=_late_pending(pool),
        causes=dict(causes.order_by("pk").values_list("game", "pk")),
        correction=recomputation.correction_id,
        after_read=claim.step,
    )
    # Several times as long as it took to come so far, and at least one step.
    until = time.monotonic() + max(slice_s, 3 * (time.monotonic() - begun_s) if slice_s else 0)
    done, total = recomputation.games_done, recomputation.games_done + games.games
    for step in games.steps():
        done += step.games
        with transaction.atomic():
            claim.step(
                **_columns(step.place),
                games_done=done,
                games_total=total,
                correction=step.correction,
            )
            added = bulk.insert(step.rows)
            for game in step.new_games:
                posting.locked_standings(pool, [game.first, game.second])
                posting.count_pair(pool, game)
            PendingGame.objects.filter(game__in=[game.game for game in step.new_games]).delete()
        is_progress = bool(step.games or added)
        if is_progress and time.monotonic() > until:
            return False
    _write_ratings(claim, pool, games)
    return _enter_pending(claim, until)


def _late_pending(pool: Pool) -> list[int]:
    """Games that have ended, or count again, in a month that is closed."""
    if pool.closed_until is None:
        return []
    pending = PendingGame.objects.filter(pool=pool, game__ended_at__date__lt=pool.closed_until)
    return list(pending.values_list("game", flat=True))


def _write_ratings(claim: _Claim, pool: Pool, games: Replay) -> None:
    right = recompute.differences(pool, games.system)
    players = sorted(right)
    for at in range(0, len(players), _RATINGS_A_STEP):
        some = {player: right[player] for player in players[at : at + _RATINGS_A_STEP]}
        with transaction.atomic():
            claim.step()
            bulk.write_ratings(pool.pk, some)


def _enter_pending(claim: _Claim, until: float) -> bool:
    """Enter the games that ended meanwhile, a few at a time, and finish when there are no more."""
    pool_id = claim.recomputation.pool_id
    while True:
        with transaction.atomic():
            waiting = PendingGame.objects.filter(pool=pool_id)
            pending = list(waiting.values_list("game", flat=True)[:_PENDING_A_STEP])
            pool = _locked_pool(pool_id)
            claim.step()
            if pending:
                _enter_some(claim, pool, pending)
            else:
                recompute.lock_ratings(pool)
                if not waiting.exists():
                    claim.held().update(finished_at=database_time.now(), lease_until=None)
                    return True
        if time.monotonic() > until:
            return False


def _enter_some(claim: _Claim, pool: Pool, game_ids: Sequence[int]) -> None:
    """Enter these games, as far as they count, up to one whose month is closed: it goes before others."""
    games = ledger.rated_games(pool, game_ids)
    for game_id in game_ids:
        game = games.get(game_id)
        if game is not None and not _enter_last(
            pool, game, posting.locked_standings(pool, [game.first, game.second])
        ):
            claim.held().update(version=F("version") + 1, **_columns(_late_place(pool, game)))
            return
        PendingGame.objects.filter(game=game_id).delete()
