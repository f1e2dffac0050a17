"""Changes of a draft by hand: the organiser's change applies, and the round shows that it was changed.

The round keeps the pairing system's answer unchanged. Each change is added to `Round.edits`, and
boards that the answer does not have are shown as the organiser's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils.translation import gettext_lazy

from tournaments.errors import RefusedError, StaleError
from tournaments.models import ByeRequest, Entry, Event, Pairing, Player, Round, Seat, User
from tournaments.models.setting_types import Level
from tournaments.queries import formats
from tournaments.queries.events import staff
from tournaments.queries.events.staff import Task
from tournaments.services import audit
from tournaments.services.events.acts import Acts, ActWarning, act
from tournaments.services.notifications import news
from tournaments.services.rounds import rounds

_SIDES = (Seat.Kind.FIRST, Seat.Kind.SECOND)


_ACTION = "edit-draft"
_DONE = gettext_lazy("The draft was changed.")
_WARNING = ActWarning(
    Level.CONFIRM, gettext_lazy("The round will have boards that the pairing system did not make.")
)


@dataclass(frozen=True, slots=True)
class EditArguments:
    """The arguments of the edits. Each edit takes some of them."""

    round_number: int | None = None
    tpn: int = 0
    other: int = 0
    board: int = 0
    bye: str = ""


@act("swap", action=_ACTION, task=Task.PAIRINGS, done=_DONE, warning=_WARNING)
def swap(
    event: Event, actor: User, *, tpn: int, other: int, round_number: int | None = None
) -> Round:
    """Exchange two players in the draft: opponents, sides, or a board and a bye.

    With `round_number` only in a draft of that round, here as in all the others.

    Raises:
        NotAllowedError: `not-organiser`, or `own-game` if it changes the board of `actor`.
        StaleError: `no-draft`, `no-such-entry`.
        RefusedError: `edit-same`, `edit-met` for two who have met, `edit-bye` for a second pairing
            bye, `edit-format`.
    """

    def change(draft: Round) -> None:
        if tpn == other:
            raise RefusedError("edit-same")
        one, two = _seat(draft, tpn), _seat(draft, other)
        places = (one.kind, one.pairing), (two.kind, two.pairing)
        if one.pairing is not None and one.pairing == two.pairing:
            sit(draft, one.pairing, two.entry if one.kind == Seat.Kind.FIRST else one.entry)
            return
        entries = one.entry, two.entry
        one.delete()
        two.delete()
        for entry, (kind, pairing) in zip(entries, reversed(places), strict=True):
            if pairing is not None:
                _replace(pairing, kind, entry)
            Seat.objects.create(round=draft, entry=entry, kind=kind, pairing=pairing)

    return _edit(event, actor, round_number, change, kind="swap", tpn=tpn, other=other)


@act("flip", action=_ACTION, task=Task.PAIRINGS, done=_DONE, warning=_WARNING)
def flip(event: Event, actor: User, *, board: int, round_number: int | None = None) -> Round:
    """Exchange the sides of a board.

    Raises as `swap`, and StaleError `no-such-board`.
    """

    def change(draft: Round) -> None:
        pairing = _board(draft, board)
        sit(draft, pairing, pairing.second)

    return _edit(event, actor, round_number, change, kind="flip", board=board)


@act("unpair", action=_ACTION, task=Task.PAIRINGS, done=_DONE, warning=_WARNING)
def unpair(
    event: Event, actor: User, *, board: int, bye: str, round_number: int | None = None
) -> Round:
    """Remove a board. Both players get a bye of this kind, until they are paired otherwise.

    Raises as `swap`, StaleError `no-such-board`, RefusedError `bye-kind`.
    """
    if bye not in ByeRequest.Kind.values:
        raise RefusedError("bye-kind", bye)

    def change(draft: Round) -> None:
        pairing = _board(draft, board)
        is_table = formats.of(event).is_table
        kind = Seat.Kind.FREE if is_table else Seat.Kind(ByeRequest.Kind(bye).round_kind)
        pairing.seats.update(kind=kind, pairing=None)
        pairing.delete()
        draft.pairings.filter(board__gt=board).update(board=F("board") + _AWAY)
        draft.pairings.filter(board__gt=board).update(board=F("board") - _AWAY - 1)

    return _edit(event, actor, round_number, change, kind="unpair", board=board, bye=bye)


@act("pair", action=_ACTION, task=Task.PAIRINGS, done=_DONE, warning=_WARNING)
def pair(
    event: Event, actor: User, *, tpn: int, other: int, round_number: int | None = None
) -> Round:
    """Pair two players without an opponent in the draft, at the last board. `tpn` is first.

    Raises as `swap`, and RefusedError `edit-busy` when one of them has an opponent.
    """

    def change(draft: Round) -> None:
        if tpn == other:
            raise RefusedError("edit-same")
        one, two = _seat(draft, tpn), _seat(draft, other)
        if one.pairing is not None or two.pairing is not None:
            raise RefusedError("edit-busy")
        low, high = sorted((one.entry, two.entry), key=lambda entry: entry.pk)
        pairing = Pairing.objects.create(
            event=draft.event,
            round=draft,
            board=draft.pairings.count() + 1,
            first=one.entry,
            second=two.entry,
            low=low,
            high=high,
            encounter=_encounter(draft, low, high),
        )
        for seat, kind in zip((one, two), _SIDES, strict=True):
            seat.kind, seat.pairing = kind, pairing
            seat.save(update_fields=["kind", "pairing"])

    return _edit(event, actor, round_number, change, kind="pair", first=tpn, second=other)


@act("give-bye", action=_ACTION, task=Task.PAIRINGS, done=_DONE, warning=_WARNING)
def give_bye(event: Event, actor: User, *, tpn: int, round_number: int | None = None) -> Round:
    """Give the pairing-allocated bye to a player without an opponent. A player who had it gets a zero-point bye.

    Raises as `swap`, and RefusedError `edit-busy` for a player with an opponent.
    """

    def change(draft: Round) -> None:
        seat = _seat(draft, tpn)
        if seat.pairing is not None:
            raise RefusedError("edit-busy")
        if formats.of(event).is_table:
            raise RefusedError("no-byes", event.format)
        draft.seats.filter(kind=Seat.Kind.PAIRING_BYE).update(kind=waiting_kind(event))
        draft.seats.filter(pk=seat.pk).update(kind=Seat.Kind.PAIRING_BYE)

    return _edit(event, actor, round_number, change, kind="give-bye", tpn=tpn)


def waiting_kind(event: Event) -> Seat.Kind:
    """Return the seat of a player who waits for an opponent in a draft."""
    return Seat.Kind.FREE if formats.of(event).is_table else Seat.Kind.ZERO_BYE


# A number beyond all boards, used while numbers move: two boards of a round never share a number.
_AWAY = 10_000


def _edit(
    event: Event,
    actor: User,
    round_number: int | None,
    change: Callable[[Round], None],
    **words: str | int,
) -> Round:
    draft = rounds.only_round(event, Round.State.DRAFT, "no-draft", round_number)
    if not formats.of(event).has_hand_pairing:
        raise RefusedError("edit-format", event.format)
    player_ids = _player_ids(draft, words)
    places = _places(draft)
    try:
        with transaction.atomic():
            change(draft)
            _require_first_byes(draft)
    except IntegrityError as error:
        if "rematch" not in str(error) and "encounter" not in str(error):
            raise
        raise RefusedError("edit-met") from error
    moved = [player for player, place in _places(draft).items() if places[player] != place]
    staff.require_neutral(event, actor, moved)
    draft.edits = [*draft.edits, words]
    draft.save(update_fields=["edits"])
    audit.note(
        _ACTION,
        event=event,
        actor=actor,
        round=draft.number,
        edit=words,
        players=player_ids,
        is_own_game=staff.plays_in(actor, moved),
    )
    news.announce(news.of_event(event.pk), "draft", {"round": draft.number})
    return draft


def _require_first_byes(draft: Round) -> None:
    """Raise RefusedError `edit-bye` if a player has a second pairing-allocated bye (C.04.1 4)."""
    if formats.of(draft.event).repeats_byes:
        return
    byes = Seat.objects.filter(round__event=draft.event, kind=Seat.Kind.PAIRING_BYE)
    here = byes.filter(round=draft).values("entry")
    if byes.exclude(round=draft).filter(entry__in=here).exists():
        raise RefusedError("edit-bye")


def _places(draft: Round) -> dict[Player, tuple[str, int | None]]:
    """The seat of each player of the draft: its kind, and the opponent's entry."""
    seats = draft.seats.select_related("entry__player", "pairing")
    return {
        seat.entry.player: (seat.kind, _opponent_id(seat.pairing, seat.entry_id)) for seat in seats
    }


def _opponent_id(pairing: Pairing | None, entry_id: int) -> int | None:
    if pairing is None:
        return None
    return pairing.second_id if pairing.first_id == entry_id else pairing.first_id


def _player_ids(draft: Round, words: Mapping[str, str | int]) -> list[int]:
    """Return the players of an edit, by id, in the order of its words, for a board its first side first."""
    if "board" in words:
        pairing = draft.pairings.filter(board=words["board"]).select_related("first", "second")
        return [pk for each in pairing for pk in (each.first.player_id, each.second.player_id)]
    tpns = [words[name] for name in ("tpn", "other", "first", "second") if name in words]
    ids = dict(draft.event.entries.filter(tpn__in=tpns).values_list("tpn", "player"))
    return [ids[tpn] for tpn in tpns if tpn in ids]


def _seat(draft: Round, tpn: int) -> Seat:
    seats = draft.seats.select_related("entry", "pairing__first", "pairing__second")
    seat = seats.filter(entry__tpn=tpn).first()
    if seat is None:
        raise StaleError("no-such-entry", str(tpn))
    return seat


def _board(draft: Round, number: int) -> Pairing:
    pairing = draft.pairings.select_related("first", "second").filter(board=number).first()
    if pairing is None:
        raise StaleError("no-such-board", str(number))
    return pairing


def sit(round_: Round, pairing: Pairing, first: Entry) -> None:
    """Give `first`, one of the two at the board, the first side. In the caller's transaction."""
    if pairing.first_id == first.pk:
        return
    pairing.first, pairing.second = pairing.second, pairing.first
    pairing.save(update_fields=["first", "second"])
    round_.seats.filter(pairing=pairing).delete()
    for entry, kind in zip((pairing.first, pairing.second), _SIDES, strict=True):
        Seat.objects.create(round=round_, entry=entry, kind=kind, pairing=pairing)


def _replace(pairing: Pairing, kind: str, entry: Entry) -> None:
    """Put `entry` on one side of the board."""
    pairing.refresh_from_db()
    if kind == Seat.Kind.FIRST:
        pairing.first = entry
    else:
        pairing.second = entry
    pairing.low, pairing.high = sorted((pairing.first, pairing.second), key=lambda each: each.pk)
    pairing.encounter = _encounter(pairing.round, pairing.low, pairing.high, without=pairing)
    pairing.save(update_fields=["first", "second", "low", "high", "encounter"])


def _encounter(draft: Round, low: Entry, high: Entry, without: Pairing | None = None) -> int:
    """Return the number of this meeting of the two.

    Raises RefusedError `edit-met` beyond the allowed number. It has no limit in a draft of a Swiss
    for which no legal pairing exists.
    """
    event = draft.event
    meetings = event.pairings.filter(low=low, high=high, is_met=True)
    if without is not None:
        meetings = meetings.exclude(pk=without.pk)
    number = meetings.count() + 1
    most = formats.of(event).most_meetings(event)
    has_answer = bool(draft.evidence.get("boards")) or formats.of(event).is_table
    if most and number > most and has_answer:
        raise RefusedError("edit-met")
    return number


# The edits of the draft's forms and of the API, in the order of its documentation.
EDITS = Acts(EditArguments, swap, flip, unpair, pair, give_bye)
