"""Undoing an action of the log by another one. The log keeps both.

Actions with plies after them cannot be undone: a publication with a move played, an entry that sits
in a round.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.db import transaction

from tournaments import database_time
from tournaments.errors import RefusedError, StaleError
from tournaments.models import AuditEntry, ByeRequest, Entry, Event, Game, Prohibition, Round, User
from tournaments.models.entries import LaterRating
from tournaments.queries.events import staff
from tournaments.queries.events.staff import Task
from tournaments.services import audit
from tournaments.services.arbiter import (
    corrections,
    exchanged_sides,
    forbidden_pairs,
    later_ratings,
    prize_awards,
    rated_results,
    sanctions,
)
from tournaments.services.events import numbering, single_entries
from tournaments.services.notifications import news
from tournaments.services.reasons import checked_reason
from tournaments.services.rounds import deadlines, publication, rounds
from tournaments.text.audit_log import KINDS

Opposite = Callable[[Event, AuditEntry, "User", str], None]
_UNDO: dict[str, tuple[Task, Opposite]] = {}
_AFTER_THE_END = {"award", "order-tie", "rate-as", "sanction"}


def undoes(*actions: str, task: Task) -> Callable[[Opposite], Opposite]:
    """Declare a function that gives back the state before these actions, for staff with the task.

    It gets the event, locked, the entry of the log, the actor and the reason.
    """
    assert set(actions) <= set(KINDS), f"the log has no sentence for one of {actions}"

    def declare(opposite: Opposite) -> Opposite:
        _UNDO.update(dict.fromkeys(actions, (task, opposite)))
        return opposite

    return declare


def can_undo(action: str) -> bool:
    """Return whether actions of this kind can be undone."""
    return action in _UNDO


def may_undo(entry: AuditEntry, event: Event) -> bool:
    """Return whether the action is of a kind that can be undone in `event` now, and was not undone yet."""
    is_time = event.is_open or entry.action in _AFTER_THE_END
    return is_time and can_undo(entry.action) and not hasattr(entry, "undone_by")


def undo(*, event_id: int, actor: User, entry_id: int, reason: str) -> AuditEntry:
    """Restore the state before the action of the log's entry `entry_id`, and return the new entry of the log.

    Raises:
        NotAllowedError: `not-organiser`.
        StaleError: `undone` already, `undo-late` if later actions depend on it, `plies-played`.
        RefusedError: `reason-bad`, `undo-never` for actions that cannot be undone, and refusals of
            the opposite action.
    """
    reason = checked_reason(reason)
    with transaction.atomic():
        event = Event.locked(event_id)
        entry = event.audit.select_related("undone_by").filter(pk=entry_id).first()
        if entry is None or not can_undo(entry.action):
            raise RefusedError("undo-never")
        task, opposite = _UNDO[entry.action]
        staff.require(event, actor, task)
        if hasattr(entry, "undone_by"):
            raise StaleError("undone")
        opposite(event, entry, actor, reason)
        news.announce(news.of_event(event.pk), "entries", {})
        return audit.note(
            "undo", event=event, actor=actor, reason=reason, undoes=entry, action_of=entry.action
        )


@undoes("draft", "draft-by-hand", task=Task.PAIRINGS)
def _draft(event: Event, entry: AuditEntry, actor: User, _reason: str) -> None:
    _require_round(event, entry, Round.State.DRAFT)
    rounds.discard_draft(event_id=event.pk, actor=actor)


@undoes("publish", task=Task.PAIRINGS)
def _publish(event: Event, entry: AuditEntry, actor: User, reason: str) -> None:
    _require_round(event, entry, Round.State.PUBLISHED)
    publication.take_back(event_id=event.pk, actor=actor, reason=reason)


@undoes("entry", task=Task.ENTRIES)
def _enter(event: Event, entry: AuditEntry, _actor: User, _reason: str) -> None:
    entered = _entry_of(event, entry)
    rounds.drop_draft(event)
    is_used = entered.seats.exists() or entered.prohibitions.exists()
    if is_used or entered.bye_requests.exists() or entered.sanctions.exists():
        raise StaleError("undo-late")
    number = entered.tpn
    entered.delete()
    numbering.close_gap(event, number)


@undoes("order-tie", task=Task.RESULTS)
def _order_tie(event: Event, entry: AuditEntry, _actor: User, _reason: str) -> None:
    order = entry.detail["order"]
    later = event.audit.filter(action=entry.action, pk__gt=entry.pk, undone_by=None)
    again = any(set(each.detail["order"]) == set(order) for each in later)
    if again or order not in event.tie_orders:
        raise StaleError("undo-late")
    earlier = [each for each in entry.detail["before"] if set(each) == set(order)]
    event.tie_orders = [*(each for each in event.tie_orders if each != order), *earlier]
    event.save(update_fields=["tie_orders"])


@undoes("half-byes", "half-byes-back", task=Task.ENTRIES)
def _half_byes(event: Event, entry: AuditEntry, _actor: User, _reason: str) -> None:
    changed, has_right = _entry_of(event, entry), entry.action == "half-byes-back"
    if changed.has_half_byes != has_right:
        raise StaleError("undo-late")
    changed.has_half_byes = not has_right
    changed.save(update_fields=["has_half_byes"])


@undoes("withdrawal", "expulsion", task=Task.ENTRIES)
def _withdraw(event: Event, entry: AuditEntry, _actor: User, _reason: str) -> None:
    withdrawn = _entry_of(event, entry)
    _require_nothing_since(event, entry)
    if withdrawn.state != Entry.State.WITHDRAWN:
        raise StaleError("undo-late")
    single_entries.require_single(event, withdrawn.player)
    withdrawn.state = Entry.State(entry.detail.get("before", Entry.State.ACTIVE))
    withdrawn.withdrawn_at = withdrawn.left_round = None
    withdrawn.is_expelled = False
    withdrawn.save(update_fields=["state", "withdrawn_at", "left_round", "is_expelled"])


@undoes("return", "readmission", task=Task.ENTRIES)
def _readmit(event: Event, entry: AuditEntry, _actor: User, _reason: str) -> None:
    readmitted = _entry_of(event, entry)
    _require_nothing_since(event, entry)
    if readmitted.state != Entry.State.ACTIVE:
        raise StaleError("undo-late")
    readmitted.state = Entry.State.WITHDRAWN
    readmitted.withdrawn_at = entry.done_at
    readmitted.left_round = entry.detail.get("left_round")
    readmitted.is_expelled = bool(entry.detail.get("expelled", False))
    readmitted.save(update_fields=["state", "withdrawn_at", "left_round", "is_expelled"])


@undoes("bye-request", "bye-grant", task=Task.ENTRIES)
def _bye(event: Event, entry: AuditEntry, _actor: User, _reason: str) -> None:
    number, before = entry.detail["round"], entry.detail.get("before", "")
    holder = _entry_of(event, entry)
    _require_unpublished(event, number)
    if holder.bye_requests.filter(round_number=number, kind=entry.detail["kind"]).delete()[0] != 1:
        raise StaleError("undo-late")
    if before:
        _add_bye(holder, number, before, entry)


@undoes("bye-cancel", task=Task.ENTRIES)
def _bye_cancel(event: Event, entry: AuditEntry, _actor: User, _reason: str) -> None:
    number = entry.detail["round"]
    holder = _entry_of(event, entry)
    _require_unpublished(event, number)
    if holder.bye_requests.filter(round_number=number).exists():
        raise StaleError("undo-late")
    _add_bye(holder, number, entry.detail["kind"], entry)


def _add_bye(holder: Entry, number: int, kind: str, entry: AuditEntry) -> None:
    ByeRequest.objects.create(
        entry=holder, round_number=number, kind=kind, requested_at=entry.done_at
    )


@undoes("forbid", task=Task.ENTRIES)
def _forbid(event: Event, entry: AuditEntry, actor: User, _reason: str) -> None:
    prohibition = Prohibition.objects.filter(event=event, pk=entry.detail["prohibition"]).first()
    if prohibition is None:
        raise StaleError("undo-late")
    forbidden_pairs.allow(event_id=event.pk, actor=actor, prohibition_id=prohibition.pk)


@undoes("allow", task=Task.ENTRIES)
def _allow(event: Event, entry: AuditEntry, actor: User, _reason: str) -> None:
    players = entry.detail["players"]
    forbidden_pairs.forbid(
        event_id=event.pk,
        actor=actor,
        entry_ids=list(event.entries.filter(player__in=players).values_list("pk", flat=True)),
        first_round=entry.detail["first_round"],
        last_round=entry.detail["last_round"],
        note=entry.detail["note"],
    )


@undoes("correct", task=Task.RESULTS)
def _correct(_event: Event, entry: AuditEntry, actor: User, reason: str) -> None:
    corrections.correct(
        game_id=entry.detail["game"], actor=actor, result=entry.detail["before"], reason=reason
    )


@undoes("exchange-sides", task=Task.RESULTS)
def _exchange_sides(event: Event, entry: AuditEntry, actor: User, reason: str) -> None:
    number, board = entry.detail["round"], entry.detail["board"]
    boards = event.pairings.filter(round__number=number, board=board).select_related("first")
    pairing = boards.first()
    if pairing is None or pairing.first.player_id != entry.detail["players"][0]:
        raise StaleError("undo-late")
    game = pairing.games.first()
    if game is None:
        exchanged_sides.exchange_sides(event.pk, actor, round_number=number, board=board)
    else:
        corrections.correct(
            game_id=game.pk, actor=actor, result=corrections.EXCHANGE, reason=reason
        )


@undoes("rate-as", task=Task.RESULTS)
def _rate_as(event: Event, entry: AuditEntry, actor: User, _reason: str) -> None:
    game = Game.objects.with_players().get(pk=entry.detail["game"])
    staff.require_neutral(event, actor, (game.first, game.second))
    rated_results.restore(game, before=entry.detail["before"], after=entry.detail["after"])


@undoes("tie", task=Task.RESULTS)
def _tie(event: Event, entry: AuditEntry, actor: User, _reason: str) -> None:
    number, board = entry.detail["round"], entry.detail["board"]
    _require_unpublished(event, number + 1)
    decided = event.pairings.filter(round__number=number, board=board).exclude(
        goes_through=None, is_lost_by_both=False
    )
    tie = decided.select_related("first__player", "second__player").first()
    if tie is None:
        raise StaleError("undo-late")
    staff.require_neutral(event, actor, (tie.first.player, tie.second.player))
    tie.goes_through, tie.is_lost_by_both = None, False
    tie.save(update_fields=["goes_through", "is_lost_by_both"])


@undoes("rating-from", task=Task.ENTRIES)
def _rating_from(event: Event, entry: AuditEntry, _actor: User, _reason: str) -> None:
    before, after = (
        LaterRating(*entry.detail[name]) if entry.detail[name] else None
        for name in ("before", "after")
    )
    later_ratings.restore(
        _entry_of(event, entry), entry.detail["round"], before=before, after=after
    )


@undoes("move-deadline", task=Task.PAIRINGS)
def _move_deadline(event: Event, entry: AuditEntry, _actor: User, _reason: str) -> None:
    round_ = _require_round(event, entry, Round.State.PUBLISHED)
    before = entry.detail["before"] and datetime.fromisoformat(entry.detail["before"])
    if before and before <= database_time.now():
        raise StaleError("undo-late")
    deadlines.set_deadline(round_, before or None)


@undoes("sanction", task=Task.RESULTS)
def _sanction(event: Event, entry: AuditEntry, _actor: User, _reason: str) -> None:
    sanctions.lift(event, entry.detail["sanction"])


@undoes("award", task=Task.SETTINGS)
def _award(event: Event, entry: AuditEntry, _actor: User, _reason: str) -> None:
    prize_awards.take_back(event, entry)


def _entry_of(event: Event, entry: AuditEntry) -> Entry:
    row = event.entries.select_related("player").filter(player=entry.detail["player"]).first()
    if row is None:
        raise StaleError("undo-late")
    return row


def _require_round(event: Event, entry: AuditEntry, state: Round.State) -> Round:
    """Return the round of the entry. Raise StaleError `undo-late` unless the round of the entry is in this state, and no other since."""
    round_ = event.rounds.filter(number=entry.detail["round"], state=state).first()
    again = event.audit.filter(
        action=entry.action, detail__round=entry.detail["round"], pk__gt=entry.pk
    )
    if round_ is None or again.exists():
        raise StaleError("undo-late")
    return round_


def _require_nothing_since(event: Event, entry: AuditEntry) -> None:
    """Raise StaleError `undo-late` if a round was published since. A draft is discarded."""
    if event.rounds.filter(published_at__gte=entry.done_at).exists():
        raise StaleError("undo-late")
    rounds.drop_draft(event)


def _require_unpublished(event: Event, number: int) -> None:
    if event.rounds.filter(number__gte=number).exclude(state=Round.State.DRAFT).exists():
        raise StaleError("undo-late")
    rounds.drop_draft(event)
