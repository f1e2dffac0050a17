"""Deadlines of rounds with days on the clock: a new one, reminders, and the end of games that are not over."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils.translation import gettext_lazy as _

from tournaments import database_time
from tournaments.errors import RefusedError, StaleError
from tournaments.models import Event, Game, Round, User, statements
from tournaments.models.games import Side
from tournaments.queries import formats
from tournaments.queries.clocks.game_clocks import clock_of
from tournaments.queries.events import plans
from tournaments.queries.events.staff import Task
from tournaments.services import audit
from tournaments.services.events.acts import act
from tournaments.services.games import game_end, play
from tournaments.services.notifications import news
from tournaments.services.rounds import rounds

log = logging.getLogger(__name__)

AHEAD = timedelta(hours=24)
LONGEST = timedelta(days=366)
_AT_MOST = 50
# The detail of the ending of a game that the rule has decided.
_DETAIL = "deadline"
_RESULTS = {Side.FIRST: Game.Result.SECOND, Side.SECOND: Game.Result.FIRST}


def _open() -> QuerySet[Round]:
    """Return the published rounds of running events. A paused event waits until it is resumed."""
    rounds = Round.objects.filter(state=Round.State.PUBLISHED, event__state=Event.State.RUNNING)
    rounds = rounds.filter(event__paused_at=None).select_related("event")
    return rounds.defer("problem", "evidence", "report").order_by("deadline_at")


def _games(round_: Round) -> QuerySet[Game]:
    """Return the games that are not over, without postponed ones, which may end after the round."""
    games = Game.objects.ongoing().filter(pairing__round=round_, pairing__is_postponed=False)
    return games.with_players().order_by("pk")


def _ruled(round_: Round, now: datetime) -> QuerySet[Game]:
    """Return the games to which the rule applies now.

    The arbiter decides games whose clocks are stopped. A referee has those of bots.
    """
    games = _games(round_).filter(stopped_at=None, match=None)
    return games.filter(pairing__round__event__paused_at=None, pairing__round__deadline_at__lte=now)


def may_have(event: Event) -> bool:
    """Return whether rounds of the event may have deadlines: common rounds, with a day or more on the clock."""
    has_days = plans.may_have_deadlines(clock_of(event))
    return has_days and not (event.is_over_the_board or formats.of(event).is_continuous)


@act(
    "move-deadline",
    task=Task.PAIRINGS,
    done=_("The deadline was moved. The players were notified."),
)
def move_deadline(
    event: Event,
    actor: User,
    *,
    deadline_at: datetime,
    reason: str,
    round_number: int | None = None,
) -> Round:
    """Give the round that is being played another deadline, or its first one.

    With `round_number` only that round. The players of games that are not over are notified. A deadline
    that has passed applies again at the new moment.

    Raises:
        NotAllowedError: `not-organiser`.
        StaleError: `no-published-round`, `round-not-started` before its games have begun.
        RefusedError: `reason-bad`, `round-days-clock` for another clock or without common rounds,
            `time-past` for a moment that is over, or more than a year away.
    """
    round_ = rounds.only_round(event, Round.State.PUBLISHED, "no-published-round", round_number)
    if not may_have(event):
        raise RefusedError("round-days-clock")
    if round_.started_at is None:
        raise StaleError("round-not-started")
    now = database_time.now()
    if not now < deadline_at <= now + LONGEST:
        raise RefusedError("time-past")
    before = round_.deadline_at
    set_deadline(round_, deadline_at)
    moments = {"before": before.isoformat() if before else "", "moment": deadline_at.isoformat()}
    move_deadline.note(event, actor, reason=reason, round=round_.number, **moments)
    return round_


def set_deadline(round_: Round, deadline_at: datetime | None) -> None:
    """Store the deadline, with a reminder and a passing to come, and notify players of open games."""
    round_.deadline_at = deadline_at
    round_.deadline_reminded_at = round_.deadline_passed_at = None
    round_.save(update_fields=["deadline_at", "deadline_reminded_at", "deadline_passed_at"])
    people = {player for game in _games(round_) for player in (game.first, game.second)}
    payload: dict[str, object] = {"event": round_.event_id, "round": round_.number}
    news.announce_each(news.to_players(people, "deadline-moved", payload))
    news.announce(news.of_event(round_.event_id), "deadline-moved", {"round": round_.number})


def remind_due(now: datetime) -> None:
    """Remind the players of games that are not over a day before the deadline, once."""
    due = _open().filter(
        deadline_at__gt=now,
        deadline_at__lte=now + AHEAD,
        deadline_reminded_at=None,
        started_at__lt=F("deadline_at") - AHEAD,
    )
    for round_ in due[:_AT_MOST]:
        with transaction.atomic():
            rows = Round.objects.filter(pk=round_.pk, deadline_reminded_at=None)
            if rows.update(deadline_reminded_at=now) != 1:
                continue
            announcements = [
                each
                for game in _games(round_)
                for each in news.to_players(
                    [game.first, game.second], "deadline", {"game": game.pk}
                )
            ]
            news.announce_each(announcements)


def end_due(now: datetime) -> None:
    """Apply the rules of the events to games that are not over at the deadline of their round.

    Safe to call again: a game ends once, and a round is marked when all its games have been treated.
    """
    for round_ in _over.all(now=now):
        if round_.event.at_deadline != Event.AtDeadline.ARBITER:
            for game_id in _ruled(round_, now).values_list("pk", flat=True):
                _end(game_id, round_, now)
        _mark(round_, now)


@statements.query
def _over(now: datetime) -> QuerySet[Round]:
    return _open().filter(deadline_at__lte=now, deadline_passed_at=None)[:_AT_MOST]


def _end(game_id: int, round_: Round, now: datetime) -> None:
    """End a game by the rule of the event, if it is not over."""
    try:
        with transaction.atomic():
            game = play.lock_ongoing(game_id)
            if not _ruled(round_, now).filter(pk=game_id).exists():
                return  # the arbiter was faster
            is_draw = round_.event.at_deadline == Event.AtDeadline.DRAW
            result = Game.Result.DRAW if is_draw else _RESULTS[Side(game.side_to_move)]
            game_end.finish_game(
                game, result=result, ending=Game.Ending.ADJUDICATION, detail=_DETAIL, now=now
            )
    except StaleError as error:
        log.info("deadlines.end game=%s %s", game_id, error)


def _mark(round_: Round, now: datetime) -> None:
    """Add the deadline to the log, and notify the players of decided games and the organiser, once.

    The organiser is notified of games that are left.
    """
    with transaction.atomic():
        event = Event.locked(round_.event_id)
        rows = Round.objects.filter(pk=round_.pk, deadline_passed_at=None, deadline_at__lte=now)
        if rows.update(deadline_passed_at=now) != 1:
            return
        left = _games(round_).count()
        decided = list(_decided(round_))
        audit.note("deadline", event=event, round=round_.number, games=len(decided), left=left)
        announcements = [
            each
            for game in decided
            for each in news.to_players(
                (game.first, game.second), "deadline-decided", {"game": game.pk}
            )
        ]
        if left:
            payload: dict[str, object] = {"event": event.pk, "round": round_.number}
            organiser = news.of_user(event.organiser_id)
            announcements.append((organiser, "deadline-passed", payload))
        news.announce_each(announcements)


def _decided(round_: Round) -> QuerySet[Game]:
    """Return the games that the rule has ended at the present deadline."""
    games = Game.objects.filter(pairing__round=round_, ended_at__gte=round_.deadline_at)
    by_rule = games.filter(ending=Game.Ending.ADJUDICATION, ending_detail=_DETAIL)
    return by_rule.with_players().order_by("pk")
