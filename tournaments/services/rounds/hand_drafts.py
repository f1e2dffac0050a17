"""Drafts without boards, which the organiser pairs by hand: also if no legal pairing exists, and in round robins."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.errors import RefusedError
from tournaments.models import Event, Round, Seat, User
from tournaments.models.setting_types import Level
from tournaments.pairing import Solution
from tournaments.queries import formats
from tournaments.queries.events.staff import Task
from tournaments.queries.results import pairing_input
from tournaments.queries.results.pairing_input import LARGE_FIELD, RoundInput
from tournaments.services.events.acts import ActWarning, act
from tournaments.services.notifications import news
from tournaments.services.rounds import edits, rounds

# Refusals of the pairing system after which people can still pair.
_WITHOUT_ANSWER = ("no-pairing", "decided")


@act(
    "draft-by-hand",
    task=Task.PAIRINGS,
    done=_("The draft has no boards. Pair the players."),
    warning=ActWarning(Level.SIMPLE, _("Paired by hand, the draft has no boards at first.")),
)
def draft_by_hand(event: Event, actor: User, *, round_number: int | None = None) -> Round:
    """Draft the next round without boards: all players who could be paired wait in it.

    The answer of the pairing system is stored for the comparison, except for large fields. Without
    an answer two players of a Swiss may meet again.

    Raises:
        NotAllowedError: `not-organiser`.
        StaleError: as `rounds.draft_round`.
        RefusedError: `edit-format`, `hand-automatic`, `too-few`.
    """
    if not formats.of(event).has_hand_pairing:
        raise RefusedError("edit-format", event.format)
    if event.is_automatic:
        raise RefusedError("hand-automatic")
    number = rounds.prepare_next(event, round_number)
    round_input = pairing_input.build(event, number)
    draft = rounds.store(event, round_input, _answer(event, round_input))
    kind = edits.waiting_kind(event)
    draft.seats.exclude(kind__in=_given(round_input)).update(kind=kind, pairing=None, absent=None)
    draft.pairings.all().delete()
    seated = set(draft.seats.values_list("entry_id", flat=True))
    waiting = [entry for entry in round_input.playing if entry.pk not in seated]
    Seat.objects.bulk_create(Seat(round=draft, entry=entry, kind=kind) for entry in waiting)
    draft.edits = [{"kind": "empty"}]
    draft.save(update_fields=["edits"])
    draft_by_hand.note(event, actor, round=number)
    news.announce(news.of_event(event.pk), "draft", {"round": number})
    return draft


def _given(round_input: RoundInput) -> list[str]:
    """Return the kinds of the requested byes, which stay."""
    return [f"{kind}-bye" for kind in set(round_input.byes.values())]


def _answer(event: Event, round_input: RoundInput) -> Solution:
    if len(round_input.playing) <= LARGE_FIELD:
        try:
            return rounds.solve(event, round_input)
        except RefusedError as refusal:
            if refusal.code not in _WITHOUT_ANSWER:
                raise
    return Solution(boards=(), bye=None, evidence=())
