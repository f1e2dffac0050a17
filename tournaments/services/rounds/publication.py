"""Publishing a round and starting its games, which are two things, and taking a publication back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from tournaments import database_time
from tournaments.errors import RefusedError, StaleError
from tournaments.models import (
    ByeRequest,
    Entry,
    Event,
    Game,
    Match,
    Player,
    ResultReport,
    Round,
    TeamBoard,
    TieGame,
    User,
)
from tournaments.models.setting_types import Level
from tournaments.queries.events import festivals
from tournaments.queries.events.staff import Task
from tournaments.services.events import act_warnings, departures
from tournaments.services.events.acts import ActWarning, act
from tournaments.services.games import game_creation
from tournaments.services.notifications import news
from tournaments.services.rounds import edits, line_ups, rounds, save_pairings, typed_results

# A start is announced for as far ahead at most.
_LONGEST_AHEAD = timedelta(days=366)


def _of_changed_draft(
    event: Event, *, round_number: int | None, **_own: object
) -> Iterable[ActWarning]:
    """Yield the warnings that players of a draft by hand still wait, and that the round leaves FIDE's rules."""
    draft = rounds.only_round(event, Round.State.DRAFT, "no-draft", round_number)
    if not draft.edits:
        return
    byes = ByeRequest.objects.filter(entry=OuterRef("entry"), round_number=draft.number)
    alone = draft.seats.filter(~Exists(byes), kind=edits.waiting_kind(event), absent=None)
    if (count := alone.count()) > 1:
        words = ngettext(
            "%(count)d player has no opponent.", "%(count)d players have no opponent.", count
        )
        yield ActWarning(Level.CONFIRM, words % {"count": count})
    public = {"state": Round.State.PUBLISHED, "published_at": database_time.now()}
    rows = event.rounds.filter(pk=draft.pk)
    yield from act_warnings.of_leaving(event, lambda: rows.update(**public))


@act(
    "publish",
    task=Task.PAIRINGS,
    done=_("The round was published."),
    asks=_of_changed_draft,
)
def publish_round(
    event: Event,
    actor: User,
    *,
    starts_at: datetime | None = None,
    round_number: int | None = None,
) -> Round:
    """Publish the draft, and start its games if they begin now.

    With `round_number` only a draft of that round.

    Over the board, a board whose players and sides are unchanged since the round was taken back
    gets its typed results again.

    With `starts_at` the games begin then. Otherwise the event's setting decides: immediately, by
    the organiser's button, or each when both players have come.

    Raises:
        NotAllowedError: `not-organiser`.
        StaleError: `no-draft`, `paused`, or `draft-outdated` when a player in it has left since.
        RefusedError: `time-past` for a start that is over, or more than a year away.
    """
    draft = rounds.only_round(event, Round.State.DRAFT, "no-draft", round_number)
    return _publish_draft(event, draft, actor, starts_at)


def publish_automatically(*, event_id: int) -> Round:
    """Publish the draft as the service. Raises as `publish_round`."""
    with transaction.atomic():
        event = Event.locked(event_id)
        draft = rounds.only_round(event, Round.State.DRAFT, "no-draft")
        return _publish_draft(event, draft, None, None)


def _publish_draft(
    event: Event, draft: Round, actor: User | None, starts_at: datetime | None
) -> Round:
    if event.paused_at is not None:
        raise StaleError("paused")
    if draft.seats.filter(entry__state=Entry.State.WITHDRAWN).exists() or _misses_bye(draft):
        raise StaleError("draft-outdated", str(draft.number))
    now = database_time.now()
    if starts_at is not None and not now < starts_at <= now + _LONGEST_AHEAD:
        raise RefusedError("time-past")
    draft.starts_at = starts_at
    count = typed_results.restore(event, draft)
    with departures.stored(event) if draft.edits else nullcontext():
        publish(event, draft)
    publish_round.note(event, actor, round=draft.number, results=count)
    news.announce(news.of_event(event.pk), "round", {"round": draft.number})
    news.tell_site(event, "round", round=draft.number)
    return draft


def _misses_bye(draft: Round) -> bool:
    """Return whether a player at a board of the draft has asked for a bye since."""
    requests = ByeRequest.objects.filter(entry=OuterRef("entry"), round_number=draft.number)
    return draft.seats.filter(Exists(requests), pairing__isnull=False).exists()


def publish(event: Event, draft: Round) -> None:
    """Make the round public, and begin its games unless they are to begin later.

    In the caller's transaction, `event` locked, with news to follow.
    """
    now = draft.published_at = database_time.now()
    draft.state = Round.State.PUBLISHED
    if draft.starts_at is None:
        planned = event.round_times.filter(number=draft.number, starts_at__gt=now)
        draft.starts_at = planned.values_list("starts_at", flat=True).first()
    if not draft.is_continuous:
        draft.first_board = festivals.first_board(event, draft.number)
    draft.save(update_fields=["state", "published_at", "starts_at", "first_board"])
    if event.is_of_teams:
        line_ups.set_out(event, draft)
        if draft.starts_at is None and event.line_up_s:
            draft.starts_at = now + timedelta(seconds=event.line_up_s)
            draft.save(update_fields=["starts_at"])
    waits = event.start_mode == Event.Start.BUTTON and not draft.is_continuous
    if draft.starts_at is None and not waits:
        _start(event, draft)
        return
    people = _people(draft)
    news.announce_each(
        (news.of_user(user_id), "round", {"event": event.pk, "round": draft.number})
        for user_id in people
    )


@act("start-round", task=Task.PAIRINGS, done=_("The games have begun."))
def start_round(event: Event, actor: User, *, round_number: int | None = None) -> Round:
    """Start the games of the published round now. With `round_number` only of that round.

    Raises:
        NotAllowedError: `not-organiser`.
        StaleError: `no-round-to-start`, `paused`.
    """
    return _start_waiting(event, actor, round_number)


def start_due(event_id: int, now: datetime) -> bool:
    """Start the published round that is due. Return whether there was one."""
    due = Round.objects.filter(
        event=event_id, state=Round.State.PUBLISHED, started_at=None, starts_at__lte=now
    )
    if not due.filter(event__paused_at=None).exists():
        return False
    with transaction.atomic():
        event = Event.locked(event_id)
        _start_waiting(event, None, None)
    return True


def _start_waiting(event: Event, actor: User | None, round_number: int | None) -> Round:
    if event.paused_at is not None:
        raise StaleError("paused")
    waiting = event.rounds.filter(state=Round.State.PUBLISHED, started_at=None)
    round_ = waiting.first()
    if round_ is None or round_number not in {None, round_.number}:
        raise StaleError("no-round-to-start")
    _start(event, round_)
    start_round.note(event, actor, round=round_.number)
    news.announce(news.of_event(event.pk), "start-round", {"round": round_.number})
    return round_


def _start(event: Event, round_: Round) -> None:
    round_.started_at = database_time.now()
    if event.round_days is not None and not round_.is_continuous:
        round_.deadline_at = round_.started_at + timedelta(days=event.round_days)
    round_.save(update_fields=["started_at", "deadline_at"])
    pairings = list(round_.pairings.with_lines(event))
    game_creation.tell_players(save_pairings.start_games(event, round_, pairings))


@act(
    "take-back",
    task=Task.PAIRINGS,
    done=_("The round is a draft again. Its players were notified."),
    warning=ActWarning(
        Level.CONFIRM,
        _(
            "You can unpublish until a move is played. Games already started will not count. Players will be notified."
        ),
    ),
)
def take_back(event: Event, actor: User, *, reason: str, round_number: int | None = None) -> Round:
    """Make the published round a draft again, as long as no ply of it is played.

    With `round_number` only that one.

    Typed results are kept for `publish_round`. Games that have begun end as not counted, and belong to no event any more.

    Raises:
        NotAllowedError: `not-organiser`.
        StaleError: `no-published-round`, `plies-played`.
        RefusedError: `reason-bad`, `take-back-pool` in a format without common rounds.
    """
    state = Round.State.PUBLISHED
    round_ = rounds.only_round(event, state, "no-published-round", round_number)
    if round_.is_continuous:
        raise RefusedError("take-back-pool")
    people = _people(round_)
    games = list(
        Game.objects.filter(pairing__round=round_)
        .select_for_update(of=("self",), no_key=True)
        .order_by("pk")
    )
    _let_go(games)
    results = typed_results.of_round(round_)
    round_.pairings.update(entered_result="", entered_second_result="")
    TeamBoard.objects.filter(pairing__round=round_).delete()
    TieGame.objects.filter(pairing__round=round_).delete()
    ResultReport.objects.filter(pairing__round=round_).delete()
    round_.state = Round.State.DRAFT
    round_.published_at = round_.started_at = round_.starts_at = None
    round_.deadline_at = round_.deadline_reminded_at = round_.deadline_passed_at = None
    columns = ("deadline_at", "deadline_reminded_at", "deadline_passed_at")
    round_.save(update_fields=["state", "published_at", "started_at", "starts_at", *columns])
    news.announce_each(
        (news.of_user(user_id), "taken-back", {"event": event.pk, "round": round_.number})
        for user_id in people
    )
    take_back.note(
        event,
        actor,
        reason=reason,
        round=round_.number,
        results=results,
    )
    news.announce(news.of_event(event.pk), "draft", {"round": round_.number})
    return round_


def _let_go(games: Sequence[Game]) -> None:
    """Remove the games from the event. They have no ply."""
    if any(game.ply or game.result is not None for game in games):
        raise StaleError("plies-played")
    matches = Match.objects.filter(games__in=games)
    queued = Match.objects.filter(pk__in=matches.values("pk"), state=Match.State.QUEUED)
    columns = {"state": Match.State.FAILED, "lease_until": None, "fault": "taken-back"}
    match_count = len({game.match_id for game in games if game.match_id is not None})
    if queued.update(**columns) != match_count:
        raise StaleError("plies-played")  # a worker is playing one of them
    now = database_time.now()
    for game in games:
        game.stop_turn()
        game.pairing = None
        game.no_show_at = None
        game.waits_for_both = False
        game.result, game.ending, game.ended_at = Game.Result.VOID, Game.Ending.ABORTED, now
        game.ending_detail = "taken-back"
    Game.objects.bulk_update(
        games,
        ["pairing", *Game.TURN_COLUMNS, *Game.PRESENCE_COLUMNS, *Game.RESULT_COLUMNS],
        batch_size=200,
    )


def _people(round_: Round) -> set[int]:
    """The accounts of those who have a seat in the round."""
    own = Q(entries__seats__round=round_) | Q(entries__team__seats__round=round_)
    return set(
        Player.objects.filter(own, user__isnull=False).values_list("user", flat=True).distinct()
    )
