"""Deadlines of rounds with days on the clock: reminders, and the end of games that are not over."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, QuerySet

from tournaments.errors import StaleError
from tournaments.models import Event, Game, Round
from tournaments.models.games import Side
from tournaments.services import audit
from tournaments.services.games import game_end, play
from tournaments.services.notifications import news

log = logging.getLogger(__name__)

AHEAD = timedelta(hours=24)
_AT_MOST = 50
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


def _ruled(round_: Round) -> QuerySet[Game]:
    """Return the games to which the rule applies now.

    The arbiter decides games whose clocks are stopped. A referee has those of bots.
    """
    return _games(round_).filter(stopped_at=None, match=None, pairing__round__event__paused_at=None)


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
    for round_ in _open().filter(deadline_at__lte=now, deadline_passed_at=None)[:_AT_MOST]:
        ended = 0
        if round_.event.at_deadline != Event.AtDeadline.ARBITER:
            games = _ruled(round_).values_list("pk", flat=True)
            ended = sum(_end(pk, round_, now) for pk in games)
        _mark(round_, now, ended)


def _end(game_id: int, round_: Round, now: datetime) -> bool:
    """End a game by the rule of the event. Return whether it was not over."""
    try:
        with transaction.atomic():
            game = play.lock_ongoing(game_id)
            if not _ruled(round_).filter(pk=game_id).exists():
                return False  # the arbiter was faster
            is_draw = round_.event.at_deadline == Event.AtDeadline.DRAW
            result = Game.Result.DRAW if is_draw else _RESULTS[Side(game.side_to_move)]
            game_end.finish_game(
                game, result=result, ending=Game.Ending.ADJUDICATION, detail="deadline", now=now
            )
    except StaleError as error:
        log.info("deadlines.end game=%s %s", game_id, error)
        return False
    return True


def _mark(round_: Round, now: datetime, ended: int) -> None:
    """Add the deadline to the log, and notify the organiser of games that are left, once."""
    with transaction.atomic():
        event = Event.objects.select_for_update(no_key=True).get(pk=round_.event_id)
        rows = Round.objects.filter(pk=round_.pk, deadline_passed_at=None)
        if rows.update(deadline_passed_at=now) != 1:
            return
        left = _games(round_).count()
        audit.note("deadline", event=event, round=round_.number, games=ended, left=left)
        if left:
            payload: dict[str, object] = {"event": event.pk, "round": round_.number}
            news.announce_to_accounts([event.organiser_id], "deadline-passed", payload)
