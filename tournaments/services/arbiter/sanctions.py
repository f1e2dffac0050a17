"""Warnings and penalties of players and teams (FIDE Laws 12.9)."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments import database_time
from tournaments.errors import RefusedError, StaleError
from tournaments.models import Entry, Event, Round, Sanction, User
from tournaments.models.setting_types import Level
from tournaments.queries import formats
from tournaments.queries.events.staff import Task
from tournaments.queries.results import histories
from tournaments.services.events.acts import ENTRY_DONE, ActWarning, act
from tournaments.services.notifications import news


@act(
    "sanction",
    task=Task.RESULTS,
    done=ENTRY_DONE,
    warning=ActWarning(
        Level.SIMPLE, _("Deducted points count in the standings and in later pairings.")
    ),
)
def sanction(
    event: Event,
    actor: User,
    *,
    entry_id: int,
    round_number: int,
    sanction_kind: str,
    reason: str,
    halves: int = 0,
) -> Entry:
    """Note a warning or a penalty of a player, or of a team, in a round that was published.

    Points are deducted from those of the round, in half points (12.9.5). Other penalties change
    nothing else: the arbiter enters the result, adds the time or grants the bye.

    Raises:
        NotAllowedError: `not-organiser`.
        StaleError: `no-such-entry`, or `sanction-round` for a round without a seat of the player.
        RefusedError: `event-closed` before the start and after a cancellation, `reason-bad`,
            `sanction-kind`, `sanction-points` for more points than those of the round, or
            `sanction-format` for points in formats that do not rank by them.
    """
    if event.state not in {Event.State.RUNNING, Event.State.FINISHED}:
        raise RefusedError("event-closed", event.state)
    entry = event.entries.select_related("player").filter(pk=entry_id).first()
    if entry is None:
        raise StaleError("no-such-entry")
    if sanction_kind not in Sanction.Kind.values:
        raise RefusedError("sanction-kind", sanction_kind[:20])
    published = event.rounds.exclude(state=Round.State.DRAFT)
    holder = entry.team_id or entry.pk
    if not published.filter(number=round_number, seats__entry=holder).exists():
        raise StaleError("sanction-round", str(round_number))
    is_deduction = sanction_kind == Sanction.Kind.POINTS
    if is_deduction:
        _require_points(event, entry, round_number, halves)
    row = Sanction.objects.create(
        entry=entry,
        round_number=round_number,
        kind=sanction_kind,
        halves=halves if is_deduction else 0,
        reason=reason,
        given_at=database_time.now(),
    )
    sanction.note(
        event,
        actor,
        reason=reason,
        player=entry.player_id,
        round=round_number,
        sanction=row.pk,
        sanction_kind=row.kind,
        halves=row.halves,
    )
    payload: dict[str, object] = {"event": event.pk, "act": "sanction", "reason": reason}
    news.announce_to([entry.player], "entry", payload)
    news.announce(news.of_event(event.pk), "result", {"round": round_number})
    return entry


def _require_points(event: Event, entry: Entry, round_number: int, halves: int) -> None:
    """Raise RefusedError unless that number of half points can be deducted from the round."""
    format_ = formats.of(event)
    is_ranked = not (format_.has_draw or format_.is_continuous or format_.leading_tie_breaks)
    if not is_ranked or entry.team_id is not None:
        raise RefusedError("sanction-format", event.format)
    if not event.is_of_teams and event.games_per_pairing > 1:
        raise RefusedError("sanction-format", "mini-matches")
    own = histories.of_event(event, [entry.pk]).get(entry.pk, {})
    points = (own[round_number].score_halves or 0) if round_number in own else 0
    if not 1 <= halves <= points:
        raise RefusedError("sanction-points", f"{halves} of {points} half points")


def lift(event: Event, sanction_id: int) -> None:
    """Lift a sanction. Raise StaleError `undo-late` if it was lifted already.

    Rounds that were paired with a deduction stay.
    """
    rows = Sanction.objects.of_event(event.pk).filter(pk=sanction_id)
    if rows.update(lifted_at=database_time.now()) != 1:
        raise StaleError("undo-late")
