"""The arbiter in a running round: clocks stopped and set, games decided, adjourned and replayed.

Each act has a reason, which the players and the log get. Events are locked before games, as
everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models.functions import Mod
from django.utils.translation import gettext_lazy

from tournaments import database_time
from tournaments.errors import RefusedError, StaleError
from tournaments.models import Event, Game, Match, Round, User
from tournaments.models.games import MAX_GAMES
from tournaments.queries.clocks import game_clocks
from tournaments.queries.events import staff
from tournaments.queries.events.staff import Task
from tournaments.services import audit
from tournaments.services.arbiter import corrections, rated_results
from tournaments.services.events.acts import Acts, game_act
from tournaments.services.games import game_creation, game_end, play, presence
from tournaments.services.notifications import news
from tournaments.services.ratings import recomputations
from tournaments.services.rounds import rounds, save_pairings

_DONE = gettext_lazy("Done. The players were notified.")
# The longest time that can be added in one act, in seconds: ten days for banks of days.
MOST_ADDED_S = 10 * 24 * 3600
_DECISIONS = {
    Game.Result.FIRST: Game.Ending.ADJUDICATION,
    Game.Result.SECOND: Game.Ending.ADJUDICATION,
    Game.Result.DRAW: Game.Ending.ADJUDICATION,
    Game.Result.VOID: Game.Ending.ADJUDICATION,
    Game.Result.FIRST_FORFEIT: Game.Ending.FORFEIT,
    Game.Result.SECOND_FORFEIT: Game.Ending.FORFEIT,
    Game.Result.DOUBLE_FORFEIT: Game.Ending.FORFEIT,
}


@dataclass(frozen=True, slots=True)
class GameArguments:
    """The arguments of the acts on a game. Each act takes some of them."""

    reason: str = ""
    result: str = ""
    side: str = "first"
    added_s: int = 0
    resumes_at: datetime | None = None


def has_task(game: Game, actor: User) -> bool:
    """Return whether `actor` has the results of the game's event as a task."""
    return game.pairing is not None and Task.RESULTS in staff.tasks_of(game.pairing.event, actor)


@game_act("decide", done=_DONE)
def decide(event: Event, game: Game, actor: User, *, result: str, reason: str) -> Game:
    """End a game by the arbiter's decision: adjudicated, forfeited by one or both, or not counted.

    Raises:
        NotAllowedError: `not-organiser`, or `own-game` for a player of the game.
        StaleError: `game-over`.
        RefusedError: `result-bad`, `reason-bad`, `act-no-event`, or `act-bots` in one of several
            games of a match of bots.
    """
    if result not in _DECISIONS:
        raise RefusedError("result-bad", result)
    if game.result is not None:
        raise StaleError("game-over")
    if game.match_id is not None:
        _take_from_worker(game)
    _tell(game, "decision", reason, result=result)
    decision = Game.Result(result)
    game_end.finish_game(game, result=decision, ending=_DECISIONS[decision])
    decide.note(event, actor, reason=reason, game=game.pk, result=result)
    return game


@game_act("add-time", done=_DONE)
def add_time(
    event: Event, game: Game, actor: User, *, side: str, added_s: int, reason: str
) -> Game:
    """Add `added_s` seconds to the clock of `side`.

    Raises:
        NotAllowedError: `not-organiser`, or `own-game` for a player of the game.
        StaleError: `game-over`.
        RefusedError: `time-bad`, `reason-bad`, `act-bots`, `act-no-event`.
    """
    _require_running(game)
    before_ms = game_clocks.remaining_ms(game, side)
    fits = before_ms + 1000 * added_s <= game_clocks.MAX_CLOCK_MS
    if not 1 <= added_s <= MOST_ADDED_S or game.is_unlimited or not fits:
        raise RefusedError("time-bad", str(added_s))
    game_clocks.give(
        game, side, 1000 * added_s, database_time.now(), reason=game_clocks.Reason.ARBITER
    )
    game.save(update_fields=[*Game.CLOCK_COLUMNS, *Game.TURN_COLUMNS])
    _tell(game, "time", reason, side=side, seconds=added_s)
    add_time.note(
        event,
        actor,
        reason=reason,
        game=game.pk,
        side=side,
        seconds=added_s,
    )
    return game


@game_act("stop", done=_DONE, action="stop-clocks")
def stop_clocks(
    event: Event, game: Game, actor: User, *, reason: str, resumes_at: datetime | None = None
) -> Game:
    """Stop the clocks of a game. With a time of resumption the game is adjourned.

    The turn so far is charged. The next turn starts afresh.

    Raises:
        NotAllowedError: `not-organiser`, or `own-game` for a player of the game.
        StaleError: `game-over`, `clocks-stopped` already.
        RefusedError: `reason-bad`, `act-bots`, `act-no-event`, `time-past`.
    """
    _require_running(game)
    now = database_time.now()
    if game.stopped_at is not None and not game.waits_for_both:
        raise StaleError("clocks-stopped")
    if resumes_at is not None and resumes_at <= now:
        raise RefusedError("time-past")
    if game_clocks.is_out_of_time(game, now):
        game_end.lose_on_time(game, now)
        return game
    if game.stopped_at is None:
        side, before_ms = (
            game.side_to_move,
            game_clocks.remaining_ms(game, game.side_to_move),
        )
        charges = game_clocks.charge_stop(game, now)
        game_clocks.write_down(game, side, charges, now, before_ms=before_ms, ply=game.ply + 1)
    game.waits_for_both = False
    game.stopped_at, game.resumes_at = now, resumes_at
    game.reply_lease_until = None
    game.save(update_fields=Game.STATE_COLUMNS)
    _tell(game, "adjourned" if resumes_at else "stopped", reason)
    audit.note(
        "adjourn" if resumes_at else stop_clocks.action,
        event=event,
        actor=actor,
        reason=reason,
        game=game.pk,
        until=resumes_at.isoformat() if resumes_at else "",
    )
    return game


@game_act("resume", done=_DONE, action="resume-clocks")
def resume_clocks(event: Event, game: Game, actor: User) -> Game:
    """Restart stopped clocks. The clocks of a game that waits for its players begin now.

    Raises:
        NotAllowedError: `not-organiser`, or `own-game` for a player of the game.
        StaleError: `game-over`, `clocks-running`.
        RefusedError: `act-bots`, `act-no-event`.
    """
    _require_running(game)
    if game.stopped_at is None:
        raise StaleError("clocks-running")
    _resume(game, database_time.now())
    resume_clocks.note(event, actor, game=game.pk)
    return game


def resume_due(now: datetime) -> None:
    """Resume adjourned games whose time has come."""
    due = Game.objects.ongoing().filter(stopped_at__isnull=False, resumes_at__lte=now)
    for game_id in due.values_list("pk", flat=True):
        with transaction.atomic():
            game = play.lock_ongoing(game_id)
            if game.resumes_at is not None and game.resumes_at <= now:
                _resume(game, now)
                assert game.pairing is not None, "only games of events are adjourned"
                resume_clocks.note(game.pairing.event, None, game=game.pk)


@game_act("replay", done=_DONE, action="replay-game")
def replay(event: Event, game: Game, actor: User, *, reason: str) -> Game:
    """Replay a game with unchanged sides. The old game does not count.

    A closed round is open again until the new game is over. This is possible as long as no later
    round is published. A draft is discarded.

    Raises:
        NotAllowedError: `not-organiser`, or `own-game` for a player of the game.
        StaleError: `replay-late`, `not-over`.
        RefusedError: `reason-bad`, `act-no-event`, `replay-many`, `replay-by-hand` over the board.
    """
    pairing = game.pairing
    assert pairing is not None, "locked for an event"
    if event.is_over_the_board:
        raise RefusedError("replay-by-hand")
    if game.result is None:
        raise StaleError("not-over")
    _require_last_round(event, pairing.round)
    parity = game.number % event.games_per_pairing
    same = pairing.games.annotate(half=Mod("number", event.games_per_pairing))
    last = same.filter(half=parity).order_by("-number").first()
    assert last is not None, "this game is one of them"
    # A game of a tie can be replayed after others, as only their sum counts.
    can_follow = pairing.tie_games is not None and last.result and game.result != Game.Result.VOID
    if last.pk != game.pk and not can_follow:
        raise StaleError("replay-late")
    most = MAX_GAMES * event.boards if event.is_of_teams else MAX_GAMES
    if pairing.tie_games is not None:
        most += pairing.tie_games + event.extra_games + 1
    if last.number + event.games_per_pairing > most:
        raise RefusedError("replay-many", str(last.number))
    if game.result != Game.Result.VOID:
        correction = corrections.correct_result(
            game_id=game.pk, actor=actor, result=Game.Result.VOID, reason=reason
        )
        if game.pool is not None:
            recomputations.follow(game.pool, [correction])
    _tell(game, "replay", reason)
    rounds.reopen(event, pairing.round)
    pairing.is_met = True
    pairing.save(update_fields=["is_met"])
    again = save_pairings.replay(event, game, after=last.number)
    game_creation.tell_players([again])
    replay.note(event, actor, reason=reason, game=game.pk, again=again.pk)
    news.announce(news.of_event(event.pk), "replay", {"round": pairing.round.number})
    return again


def _require_last_round(event: Event, round_: Round) -> None:
    later = event.rounds.filter(number__gt=round_.number)
    if later.exclude(state=Round.State.DRAFT).exists() or round_.is_continuous:
        raise StaleError("replay-late")
    if event.state not in {Event.State.RUNNING, Event.State.FINISHED}:
        raise StaleError("not-running", event.state)
    rounds.drop_draft(event)


def _require_running(game: Game) -> None:
    """Refuse a game that is over, or that bots play as a match."""
    if game.result is not None:
        raise StaleError("game-over")
    if game.match_id is not None:
        raise RefusedError("act-bots")


def _resume(game: Game, now: datetime) -> None:
    presence.begin(game, now)
    game.save(update_fields=Game.STATE_COLUMNS)
    _tell(game, "resumed", "")


def _take_from_worker(game: Game) -> None:
    """Call off the match of a game between bots, which the arbiter decides."""
    match = game.match
    assert match is not None, "bots among themselves play matches"
    if match.games.count() > 1:
        raise RefusedError("act-bots")
    going_on = Match.objects.filter(pk=match.pk, state__in=[Match.State.QUEUED, Match.State.LEASED])
    going_on.update(state=Match.State.FAILED, lease_until=None, fault="arbiter")


def _tell(game: Game, act: str, reason: str, **detail: object) -> None:
    """Notify the page of the game and the players of an act of the arbiter.

    Before the news of the event: topics are locked in this order.
    """
    payload = {**news.about(game), "act": act, "reason": reason, **detail}
    news.announce(news.of_game(game.pk), "clock", {})
    news.announce_to((game.first, game.second), "arbiter", payload)


# The acts of the form beside a game and of the API, in the order of its documentation.
GAME_ACTS = Acts(
    GameArguments, decide, add_time, stop_clocks, resume_clocks, replay, rated_results.rate_as
)
