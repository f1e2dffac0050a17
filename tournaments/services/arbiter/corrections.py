"""Corrections of results and colours by the arbiter.

Each is a row, and everything that follows from results is computed again.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db import IntegrityError, transaction

from tournaments import database_time
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import Correction, Event, Game, Pool, Round, User
from tournaments.queries import formats
from tournaments.queries.events import staff
from tournaments.queries.events.staff import Task
from tournaments.services import audit, enqueue
from tournaments.services.arbiter import exchanged_sides
from tournaments.services.notifications import news
from tournaments.services.ratings import recomputations
from tournaments.services.reasons import checked_reason
from tournaments.services.rounds import rounds

# The present result, with the colours exchanged.
EXCHANGE = "exchange"


def may_correct(game: Game, actor: User) -> bool:
    """Return whether `actor` has the results of the game's event as a task, or administers the site."""
    if actor.is_superuser:
        return True
    return game.pairing is not None and Task.RESULTS in staff.tasks_of(game.pairing.event, actor)


def correct(*, game_id: int, actor: User, result: str, reason: str) -> Correction:
    """Change the game's result, or with `EXCHANGE` record that the board was played with colours exchanged.

    Standings follow automatically. Ratings are reversed and entered again. An exchange keeps the
    winner of each game of the board. A second one undoes it.

    Rounds that were paired by the old result are not changed (C.04.2 4.4). A draft is discarded.

    Raises:
        NotAllowedError: `not-organiser`, or `own-game` for a player of the game on line.
        StaleError: `not-over` while the game is in progress.
        RefusedError: `result-bad` (unknown, or the present one), `reason-bad`, `correction-late` in
            a knock-out that has continued, or `correction-met` when the two have met again since
            because the game did not count. An exchange raises those of `exchanged_sides.correct` too.
    """
    with transaction.atomic():
        game = Game.objects.with_players().get(pk=game_id)
        if not may_correct(game, actor):
            raise NotAllowedError("not-organiser", str(game_id))
        event = game.pairing.event if game.pairing is not None else None
        staff.require_neutral(event, actor, (game.first, game.second))
        if result == EXCHANGE:
            exchanges = _exchange_sides(game_id, actor, reason)
            tell(exchanges)
            return next(each for each in exchanges if each.game_id == game_id)
        correction = correct_result(game_id=game_id, actor=actor, result=result, reason=reason)
        if correction.game.pool is not None:
            recomputations.follow(correction.game.pool, [correction])
        tell([correction])
        return correction


def _exchange_sides(game_id: int, actor: User, reason: str) -> list[Correction]:
    """Return a correction for each game of the board. Games over the board have no ratings."""
    reason = checked_reason(reason)
    event = _lock_event(game_id)
    game = Game.objects.select_for_update(of=("self",), no_key=True).with_players().get(pk=game_id)
    if event is None:
        raise RefusedError("not-over-the-board")
    if game.result is None:
        raise StaleError("not-over")
    _require_time(event, game)
    exchanges = exchanged_sides.correct(event, game, actor, reason)
    rounds.drop_draft(event)
    return exchanges


def correct_result(*, game_id: int, actor: User, result: str, reason: str) -> Correction:
    """Correct the result without ratings and news.

    The caller has seen to it that `actor` may, reconciles the pools, once for many games, and then
    calls `tell`.

    In the caller's transaction.
    """
    if result not in Game.Result.values:
        raise RefusedError("result-bad", result)
    reason = checked_reason(reason)
    event = _lock_event(game_id)
    game = Game.objects.select_for_update(of=("self",), no_key=True).with_players().get(pk=game_id)
    if game.result is None:
        raise StaleError("not-over")
    if game.result == result:
        raise RefusedError("result-bad", result)
    if result in Game.UNUSUAL and not _has_unusual(event):
        raise RefusedError("result-bad", result)
    if event is not None:
        _require_time(event, game)
    elif (
        result in Game.UNPLAYED and result != Game.Result.VOID
    ):  # there is nobody to be paired with
        raise RefusedError("result-bad", result)
    correction = Correction.objects.create(
        game=game,
        seq=game.corrections.count() + 1,
        before=game.result,
        after=result,
        reason=reason,
        actor=actor,
        made_at=database_time.now(),
    )
    Game.objects.filter(pk=game.pk).update(result=result)
    if event is not None:
        _follow(event, game, correction)
    return correction


def void(game_ids: Sequence[int], *, actor: User, reason: str) -> list[Correction]:
    """Void these games, with ratings and news, and return the corrections.

    Results that cannot be undone remain, such as those that a knock-out has continued from.

    In the caller's transaction.
    """
    games = Game.objects.filter(pk__in=game_ids)
    # Events first and in one order, the lock order of all callers.
    events = Event.objects.filter(pk__in=games.values("pairing__event"))
    list(events.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True))
    in_order = games.order_by("pairing__event", "pk").values_list("pk", flat=True)
    voids = [_void(game_id, actor, reason) for game_id in in_order]
    corrections = [each for each in voids if each is not None]
    pool_ids = {each.game.pool_id for each in corrections if each.game.pool_id is not None}
    for pool in Pool.objects.filter(pk__in=pool_ids).order_by("pk"):
        of_pool = [each for each in corrections if each.game.pool_id == pool.pk]
        recomputations.follow(pool, of_pool)
    tell(corrections)
    return corrections


def _void(game_id: int, actor: User, reason: str) -> Correction | None:
    """Return the correction, or None if the result remains."""
    try:
        with transaction.atomic():
            result = Game.Result.VOID
            return correct_result(game_id=game_id, actor=actor, result=result, reason=reason)
    except RefusedError:
        return None


def _has_unusual(event: Event | None) -> bool:
    """Return whether an arbiter may give less than a whole game, or a result without a move: not in a knock-out."""
    return event is not None and event.is_over_the_board and not formats.of(event).has_draw


def tell(corrections: Sequence[Correction]) -> None:
    """Announce the corrections.

    In their transaction, after the pools are repaired: news lock their topics last.
    """
    for each in corrections:
        news.announce(news.of_game(each.game_id), "correction", {"result": each.after})
    news.announce_each(
        (
            topic,
            "correction",
            {"game": each.game_id, "result": each.after, "reason": each.reason},
        )
        for each in corrections
        for topic in news.of_players((each.game.first, each.game.second))
    )
    for each in corrections:
        if each.game.pairing is not None:
            event_id = each.game.pairing.event_id
            news.announce(news.of_event(event_id), "correction", {"game": each.game_id})
            enqueue.event(event_id)


def _lock_event(game_id: int) -> Event | None:
    event_id = Game.objects.values_list("pairing__event", flat=True).get(pk=game_id)
    return Event.locked(event_id) if event_id else None


def _require_time(event: Event, game: Game) -> None:
    """In a knock-out a result is final once the next round has been drawn from it."""
    assert game.pairing is not None, "a game of an event has a pairing"
    later = event.rounds.filter(number__gt=game.pairing.round.number)
    if formats.of(event).has_draw and later.exclude(state=Round.State.DRAFT).exists():
        raise RefusedError("correction-late", event.slug)


def _follow(event: Event, game: Game, correction: Correction) -> None:
    rounds.drop_draft(event)
    games = Game.objects.filter(pairing=game.pairing_id).exclude(result__in=Game.UNPLAYED)
    try:
        with transaction.atomic():
            event.pairings.filter(pk=game.pairing_id or 0).update(is_met=games.exists())
    except IntegrityError as error:
        raise RefusedError("correction-met", str(game.pk)) from error
    audit.note(
        "correct",
        event=event,
        actor=correction.actor,
        game=game.pk,
        before=correction.before,
        after=correction.after,
        reason=correction.reason,
        is_own_game=staff.plays_in(correction.actor, (game.first, game.second)),
    )
