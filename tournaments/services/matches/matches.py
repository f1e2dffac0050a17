"""Matches of bots: scheduled as rows, played by the referee, recorded exactly once."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

import games
from engine import referee
from engine.clock import Fischer, Fuel
from engine.errors import EngineError, MatchAbortedError
from engine.idle import IdleBots
from engine.launch import Launcher, unconfined
from engine.match import BotSpec, MatchSpec
from engine.protocol import SetOption
from tournaments import database_time
from tournaments.models import (
    Bot,
    Event,
    Game,
    Match,
    Pairing,
    Player,
    SharedMatch,
    User,
    statements,
)
from tournaments.queries import formats
from tournaments.queries.bots.bot_pairs import Over, Pair
from tournaments.queries.clocks import game_clocks
from tournaments.queries.matches import fuel_records, tuned_options
from tournaments.services import enqueue
from tournaments.services.accounts import house_account
from tournaments.services.bots import programs, sandbox_status
from tournaments.services.games import game_creation, game_end
from tournaments.services.matches import dispatch, leases
from tournaments.services.matches.leases import Lease
from tournaments.services.matches.recorders import Recorder
from tournaments.services.ratings import pool_assignment, predictions
from tournaments.spans import spans

log = logging.getLogger(__name__)

_BATCH = 500
# The number of plies of a long game, by which the time of a match is estimated.
_LONG_GAME_PLIES = 400
_START_S = 30
# Authors' bots that wait in this process for their next match.
_idle = IdleBots()
# Slow for a module, which does three million or more.
_UNITS_A_MS = 500_000


def schedule(
    *,
    ruleset: str,
    setup: str,
    players: tuple[Player, Player],
    clock: game_creation.Clock,
    fuel: int | None = None,
    games_count: int = 1,
    is_rated: bool = True,
    pairing: Pairing | None = None,
    pace_ms: int = 0,
    repeats_left: int = 0,
    due_at: datetime | None = None,
    requester: User | None = None,
    volunteer_priority: int | None = None,
) -> Match:
    """A match with its games, sides exchanged in the second.

    `players[0]` has the first ply of the first. `requester` is charged for it, else the organiser
    of its event or the author of one of its bots. Volunteers may play it if it has a priority for
    them.
    """
    with transaction.atomic():
        now = database_time.now()
        event = pairing.event if pairing is not None else None
        match = Match.objects.create(
            due_at=due_at or now,
            created_at=now,
            is_sandboxed=bool(game_creation.sandboxed_among(player.pk for player in players)),
            requester_id=requester.pk
            if requester is not None
            else _requester_id(_requesters(event, players), *players),
            event=event,
            longest_s=games_count * _longest_s(clock.initial_ms, clock.increment_ms, fuel, pace_ms),
            pace_ms=pace_ms,
            repeats_left=repeats_left,
        )
        game = game_creation.new_game(
            game_creation.start_position(ruleset, setup),
            first=players[0],
            second=players[1],
            clock=clock,
            fuel=fuel,
            is_rated=is_rated,
            pairing=pairing,
        )
        _save_games([(game, match)], games_count)
        if volunteer_priority is not None:
            SharedMatch.objects.create(match=match, priority=volunteer_priority)
        dispatch.wake_next(now)
        return match


def schedule_games(new_games: Sequence[Game], *, event: Event, games_count: int = 1) -> list[Game]:
    """Return the new games of bots in `event`, saved, each with its match.

    Each match has `games_count` games, with the sides exchanged in every second one.

    In the caller's transaction.
    """
    now = database_time.now()
    sandboxed_ids = game_creation.sandboxed_among(
        pk for game in new_games for pk in (game.first_id, game.second_id)
    )
    requesters = _requesters(event, (p for game in new_games for p in (game.first, game.second)))
    new_matches = Match.objects.bulk_create(
        [
            Match(
                due_at=now,
                created_at=now,
                is_sandboxed=not sandboxed_ids.isdisjoint({game.first_id, game.second_id}),
                requester_id=_requester_id(requesters, game.first, game.second),
                event=event,
                longest_s=games_count
                * _longest_s(game.clock_initial_ms, game.clock_increment_ms, game.fuel),
            )
            for game in new_games
        ],
        batch_size=_BATCH,
    )
    if event.allows_volunteers:
        SharedMatch.objects.bulk_create([SharedMatch(match=match) for match in new_matches])
    rows = _save_games(zip(new_games, new_matches, strict=True), games_count)
    dispatch.wake_next(now)
    return rows


def _save_games(games_of_matches: Iterable[tuple[Game, Match]], count: int) -> list[Game]:
    """Save `count` games of each match, of which the first is given, with sides exchanged in every second one."""
    match_games = []
    for game, match in games_of_matches:
        for number in range(1, count + 1):
            other = copy(game)
            other.match, other.number = match, game.number + number - 1
            if number % 2 == 0:
                other.first, other.second = game.second, game.first
            match_games.append(other)
    pool_assignment.assign_pools(match_games)
    predictions.store_expected_scores(match_games)
    return Game.objects.bulk_create(match_games, batch_size=_BATCH)


def _requesters(event: Event | None, players: Iterable[Player]) -> Mapping[int, int]:
    """Return the account that is charged for a match of each of these players, without the site's own bots.

    It is the organiser of the event. In a ladder, which has no end, in an event of the site itself,
    and without an event it is the bot's author.
    """
    ids = {player.pk for player in players}
    is_of_authors = event is None or formats.of(event).bots_only
    if event is not None and not is_of_authors and not house_account.is_house(event.organiser_id):
        return dict.fromkeys(ids, event.organiser_id)
    bots = Bot.objects.filter(player__in=ids, owner__isnull=False)
    return {player: owner for player, owner in bots.values_list("player", "owner") if owner}


def _requester_id(requesters: Mapping[int, int], *players: Player) -> int | None:
    """The account that is charged for a match: the first of its players' accounts.

    Two authors pay in turn, because sides are exchanged from match to match.
    """
    return next((requesters[player.pk] for player in players if player.pk in requesters), None)


def _longest_s(initial_ms: int, increment_ms: int, fuel: int | None, pace_ms: int = 0) -> int:
    """Return the longest time of a game on an idle machine by the clock on the wall.

    Both clocks run out, or the fuel of a long game is used.
    """
    if fuel is not None:
        longest_ms = _LONG_GAME_PLIES * (fuel // _UNITS_A_MS + pace_ms)
    else:
        longest_ms = 2 * initial_ms + _LONG_GAME_PLIES * (increment_ms + pace_ms)
    return _START_S + longest_ms // 1000


def play_match(match_id: int) -> bool:
    """Claim the match, play and record its unfinished games, and return whether this call did so.

    No transaction is open while the bots think. A worker that lost its lease stops and records no
    more. A worker without a sandbox leaves authors' bots to others. A worker without a free
    processor for its bots postpones the match.
    """
    # A worker of built-in bots does not test the sandbox.
    if _sandboxed.all(match=match_id) and sandbox_status.isolator() is None:
        log.warning("match.no-sandbox match=%s", match_id)
        return False
    with transaction.atomic():
        lease = leases.claim(match_id)
        if lease is None:
            return False
        dispatch.wake_next(database_time.now())
    try:
        with spans.start("match", attributes={"match": match_id, "attempt": lease.attempt}):
            _play(lease)
    except MatchAbortedError as error:
        log.warning("match.aborted match=%s attempt=%s reason=%s", match_id, lease.attempt, error)
        return False
    except (EngineError, games.RulesError, OSError) as error:
        log.exception("match.fault match=%s attempt=%s", match_id, lease.attempt)
        if programs.is_disk_full(error):
            lease.put_off(str(error))
        else:
            lease.release(str(error))
        return False
    return True


@statements.query
def _sandboxed(match: int) -> QuerySet[Match, tuple[int]]:
    return Match.objects.filter(pk=match, is_sandboxed=True).values_list("pk")


def _play(lease: Lease) -> None:
    match = Match.objects.get(pk=lease.match_id)
    rows = match.games.ongoing().order_by("number").with_players()
    open_games = list(rows.select_related("first__bot", "second__bot", "pool"))
    launcher: Launcher = sandbox_status.launcher() if match.is_sandboxed else unconfined
    longest_s = dispatch.longest_s(match)
    for sitting in _sittings(open_games):
        spec = _spec(lease, sitting, pace_ms=match.pace_ms, longest_s=longest_s)
        referee.play_match(spec, observer=Recorder(lease, sitting), launcher=launcher, idle=_idle)
    lease.end()


def _sittings(open_games: Sequence[Game]) -> list[Sequence[Game]]:
    """The games in groups that are played without starting the bots again.

    Under fuel each game has its own seed and start.
    """
    if not open_games:
        return []
    if open_games[0].fuel is not None:
        return [[game] for game in open_games]
    return [open_games]


def _spec(lease: Lease, sitting: Sequence[Game], *, pace_ms: int, longest_s: int) -> MatchSpec:
    game = sitting[0]
    if game.fuel is not None:
        seed = other = fuel_records.seed_of(game)
    else:
        # Bots that draw lots draw others in every match and attempt, and the same ones when it is
        # looked into later.
        seed = lease.match_id * 10 + lease.attempt
        other = seed + 1_000_000_007
    first, second = (
        replace(bot_spec(player, number), options=SetOption.all_of(values))
        for player, number, values in zip(
            (game.first, game.second), (seed, other), tuned_options.options_of(game), strict=True
        )
    )
    return MatchSpec(
        ruleset=game.ruleset,
        setup=game.setup,
        players=(first, second),
        control=Fischer(game.clock_initial_ms, game.clock_increment_ms)
        if game.fuel is None
        else Fuel(game.fuel),
        second_ms=game_clocks.initial_ms(game, "second")
        if game.armageddon_percent is not None
        else None,
        games=len(sitting),
        pace_ms=pace_ms,
        longest_s=longest_s,
    )


def bot_spec(player: Player, seed: int) -> BotSpec:
    """Return the command that starts the program of a bot player.

    `seed` is for bots that use random numbers.
    """
    return programs.spec(player.bot, seed)


def call_off(match_id: int, reason: str) -> None:
    """Call off a match that is not being played. Its games are void."""
    rows = Match.objects.filter(pk=match_id, state=Match.State.QUEUED)
    if rows.update(state=Match.State.FAILED, fault=reason) == 1:
        for game in Game.objects.ongoing().filter(match=match_id).with_players():
            game_end.finish_game(game, result=Game.Result.VOID, ending=Game.Ending.FAULT)


def call_off_pairs(pairs: QuerySet[Pair], reason: Over) -> None:
    """Call off the pairs of a comparison that wait."""
    waiting = pairs.filter(match__state=Match.State.QUEUED)
    for match_id in waiting.values_list("match", flat=True):
        call_off(match_id, reason)


def ask_for_exhibitions() -> None:
    """Call a worker for finished exhibitions, because a visitor watches.

    Pages with live games call it. Without visitors the site plays no exhibitions.
    """
    if Match.objects.to_repeat().exists():
        enqueue.exhibitions()


def repeat_exhibitions() -> None:
    """Schedule exhibitions that are over again, with the sides exchanged."""
    for match in Match.objects.to_repeat().order_by("pk"):
        with transaction.atomic():
            # One of several simultaneous workers.
            if Match.objects.to_repeat().filter(pk=match.pk).update(repeats_left=0) == 1:
                _repeat(match)


def _repeat(match: Match) -> None:
    last = match.games.order_by("number").with_players().last()
    assert last is not None, "a match has a game"
    seed = match.pk * 1_000_003 + last.pk
    schedule(
        ruleset=last.ruleset,
        setup=game_creation.draw_setup(last.ruleset, seed),
        players=(last.second, last.first),
        clock=game_creation.Clock(last.clock_initial_ms, last.clock_increment_ms),
        fuel=last.fuel,
        is_rated=last.is_rated,
        pace_ms=match.pace_ms,
        repeats_left=match.repeats_left - 1,
    )
