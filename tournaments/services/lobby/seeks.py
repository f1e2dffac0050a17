"""Quick pairing: players who wait for one game are paired by rating."""

from __future__ import annotations

import secrets
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import Q

import games
from tournaments import database_time
from tournaments.errors import RefusedError, StaleError
from tournaments.models import Game, Player, Pool, Rating, Seek
from tournaments.pairing import quick as pairing
from tournaments.queries.clocks import game_clocks
from tournaments.queries.lobby import open_seeks
from tournaments.ratings import INITIAL_CENTIELO
from tournaments.services.games import game_creation
from tournaments.services.notifications import news
from tournaments.services.ratings import pool_assignment

_AT_MOST = 200


def create(
    *, player: Player, ruleset: str, clock: game_clocks.Clock, is_rated: bool = True
) -> Seek:
    """Create a seek, or begin a game with a player with an equal seek.

    The seek's `game` tells the outcome.

    A player's earlier seek ends.

    Raises:
        RefusedError: `ruleset-bad`, `clock-bad` for unlimited time: two strangers have a clock.
        StaleError: `waiting-already` if the player seeks twice simultaneously.
    """
    try:
        key = games.load(ruleset).key
    except games.RulesError as error:
        raise RefusedError("ruleset-bad", str(error)) from error
    if clock.kind.is_unlimited:
        raise RefusedError("clock-bad", clock.text())
    now = database_time.now()
    # Call this before the transaction, which locks the rows of the players in one order and must
    # hold no lock yet.
    cancel(player)
    own = own_rating(player, key, clock)
    with transaction.atomic():
        try:
            with transaction.atomic():
                seek = Seek.objects.create(
                    player=player,
                    ruleset=key,
                    **game_clocks.columns(clock),
                    is_rated=is_rated and not player.is_guest,
                    centielo=own.centielo if own else INITIAL_CENTIELO,
                    made_at=now,
                    seen_at=now,
                )
        except IntegrityError as error:
            raise StaleError("waiting-already") from error
        _pair_like(seek, now)
        _renew_lists()
        seek.refresh_from_db()
        return seek


def heartbeat(player: Player) -> Seek | None:
    """Note that the player still waits, and pair the players whom this makes possible.

    Returns None if the player has no seek.
    """
    now = database_time.now()
    with transaction.atomic():
        waiting = player.seeks.waiting().first()
        if waiting is None:
            return None
        _pair_like(waiting, now)
        Seek.objects.waiting().filter(pk=waiting.pk).update(seen_at=now)
        waiting.refresh_from_db()
        return waiting


def cancel(player: Player) -> None:
    """Wait no longer."""
    if player.seeks.waiting().update(state=Seek.State.LEFT):
        _renew_lists()


def forget_absent(now: datetime) -> None:
    """Cancel the seeks of players whose page is gone."""
    absent = Seek.objects.waiting().filter(seen_at__lt=now - open_seeks.PRESENT)
    if absent.update(state=Seek.State.LEFT):
        _renew_lists()


def _renew_lists() -> None:
    """Update the lists of open games on pages, after the caller's transaction.

    A caller may announce news of games later, and the site's topic is the last in the order of
    locks.
    """
    transaction.on_commit(_announce_seeks)


@transaction.atomic
def _announce_seeks() -> None:
    news.announce(news.SITE, "seek")


def _pair_like(seek: Seek, now: datetime) -> None:
    """Pair the players who wait for the game of `seek`. In the caller's transaction."""
    present = Q(pk=seek.pk) | Q(seen_at__gte=now - open_seeks.PRESENT)
    same = Seek.objects.waiting().filter(
        present,
        ruleset=seek.ruleset,
        is_rated=seek.is_rated,
        **game_clocks.columns(game_clocks.clock_of(seek)),
    )
    rows = same.select_for_update(of=("self",), no_key=True).select_related("player")
    seeks = {row.pk: row for row in rows.order_by("pk")[:_AT_MOST]}
    waiting = [
        pairing.Waiting(row.pk, row.centielo, (now - row.made_at).total_seconds())
        for row in seeks.values()
    ]
    new_games = [
        _begin(seeks[first.number], seeks[second.number]) for first, second in pairing.pair(waiting)
    ]
    game_creation.tell_players(new_games)
    if new_games:
        _renew_lists()


def _begin(one: Seek, other: Seek) -> Game:
    seed = secrets.randbits(48)
    pair = (one, other) if seed % 2 else (other, one)
    game = game_creation.create_game(
        ruleset=one.ruleset,
        setup=game_creation.draw_setup(one.ruleset, seed),
        first=pair[0].player,
        second=pair[1].player,
        clock=game_clocks.clock_of(one),
        is_rated=one.is_rated,
    )
    for seek in pair:
        seek.state = Seek.State.PAIRED
        seek.game = game
        seek.save(update_fields=["state", "game"])
    return game


def own_rating(player: Player, ruleset: str, clock: game_clocks.Clock) -> Rating | None:
    """The player's rating in the pool of such games of people."""
    pool = pool_assignment.pool_of(ruleset, clock.initial_ms, clock.increment_ms, Pool.Kind.PEOPLE)
    return Rating.objects.filter(player=player, pool=pool).select_related("pool").first()
