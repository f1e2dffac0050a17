"""The standings of an event, computed from its seats and games at each request (law 4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from tournaments.models import Entry, Event, Game, Round, Seat
from tournaments.pairing import RoundKind, RoundRecord
from tournaments.services.events import formats
from tournaments.services.results import half_played
from tournaments.standings import (
    DEFAULTS,
    Breakdown,
    Combination,
    Field,
    Kind,
    Participant,
    Scoring,
    System,
    TieBreak,
    breakdown,
    decimal_text,
    edition_at,
    encounter_breakdown,
    ranking,
    tie_break,
)
from tournaments.standings import field as tie_break_field

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from tournaments.pairing import PointSystem


class Outcome(StrEnum):
    """What a game was for one of its players."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"
    FORFEIT_WIN = "forfeit-win"
    FORFEIT_LOSS = "forfeit-loss"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class RoundSeat:
    """One round of one entry: its seat, its points, and the game that decided it."""

    seat: Seat
    game: Game | None
    points: PointSystem

    @property
    def outcome(self) -> Outcome | None:
        """What the game was for this entry; None without a game, or while it goes on."""
        if self.game is None or self.game.result is None:
            return None
        if self.game.result == Game.Result.VOID:
            return Outcome.VOID
        if self.game.result == Game.Result.DRAW:
            return Outcome.DRAW
        if self.game.result == Game.Result.DOUBLE_FORFEIT:
            return Outcome.FORFEIT_LOSS
        pairing = self.seat.pairing
        assert pairing is not None, "who has a game sits at a board"
        mine = pairing.first if self.seat.kind == Seat.Kind.FIRST else pairing.second
        # Drawn ties are played again with the sides exchanged: the seat does not tell the side of
        # the last game.
        winner = self.game.first_id if self.game.winner_side == "first" else self.game.second_id
        if self.game.result in Game.FORFEITS.values():
            return Outcome.FORFEIT_WIN if winner == mine.player_id else Outcome.FORFEIT_LOSS
        return Outcome.WIN if winner == mine.player_id else Outcome.LOSS

    @property
    def score_halves(self) -> int | None:
        """Half points, or None while the game goes on."""
        worth = self.points
        if self.game is None:
            return {
                Seat.Kind.PAIRING_BYE: worth.pairing_bye,
                Seat.Kind.HALF_BYE: worth.half_bye,
                Seat.Kind.FULL_BYE: worth.full_bye,
                Seat.Kind.ZERO_BYE: worth.zero_bye,
                Seat.Kind.FORFEIT_WIN: worth.forfeit_win,
            }.get(Seat.Kind(self.seat.kind), 0)
        scores = {
            Outcome.WIN: worth.win,
            Outcome.DRAW: worth.draw,
            Outcome.LOSS: worth.loss,
            Outcome.FORFEIT_WIN: worth.forfeit_win,
            Outcome.FORFEIT_LOSS: worth.forfeit_loss,
            Outcome.VOID: 0,
        }
        return None if self.outcome is None else scores[self.outcome]

    @property
    def opponent_tpn(self) -> int | None:
        """The TPN of the opponent, also of one who had left; None without one."""
        absent = self.seat.absent
        return absent.tpn if absent is not None else opponent_tpn(self.seat)

    @property
    def is_played(self) -> bool:
        """Whether a game was, or is being, played here."""
        return self.game is not None and self.game.result not in Game.UNPLAYED


# What every entry (by id) did in every round (by number).
History = Mapping[int, Mapping[int, RoundSeat]]


@dataclass(frozen=True, slots=True)
class EventRow:
    """A row of an event's standings.

    Attributes:
        rank: the place, from 1; shared by those whom nothing separates.
        points_halves: the score in half points; in an arena its own points, doubled.
        wins: rounds won, forfeits included.
        values: what each tie-break of the table comes to, as text; empty where it is undefined or
            was not needed.
        separated_by: the tie-break that put the row behind the one above it; empty where points
            did, or nothing.
        games: in formats without common rounds how many games were played; else None.
        is_on_fire: in an arena whether the next game counts double.
        rating_centielo: in a ladder the rating of today; else None.
        is_annulled: whether the player left a round robin with less than half of the games
            completed, so that they count for nobody (C.05).
    """

    entry: Entry
    rank: int
    points_halves: int
    wins: int
    values: Sequence[str] = ()
    separated_by: str = ""
    games: int | None = None
    is_on_fire: bool = False
    rating_centielo: int | None = None
    is_annulled: bool = False


@dataclass(frozen=True, slots=True)
class EventTable:
    """An event's standings, best first, over the rounds that are published or closed.

    `tie_breaks` in their order.
    """

    rows: Sequence[EventRow]
    rounds: int
    tie_breaks: Sequence[TieBreak] = ()


def event_table(event: Event, rounds: int | None = None) -> EventTable:
    """The standings of `event` by points and its tie-breaks, running games left open.

    After the first `rounds` rounds, or all that are published. Those whose games are annulled come
    last.
    """
    entries = list(event.entries.exclude(tpn=None).select_related("player"))
    return table_of(event, entries, histories(event), _rounds(event, rounds))


def table_of(event: Event, entries: Sequence[Entry], history: History, rounds: int) -> EventTable:
    """The same from what is given, without the database: entries with TPN and player, and rounds."""
    by_tpn = {entry.tpn: entry for entry in entries}
    field = field_of(event, entries, history, rounds)
    ranks = ranking(field, tie_break_names(event))
    names = [each for each in ranks.tie_breaks if each.name != "PTS"]
    wins = {p.id: p.values["WIN"] for p in ranking(field, ["WIN"]).places}
    out = half_played.annulled_tpns(event, entries, history)
    counting = len(entries) - len(out)
    rows = [
        EventRow(
            by_tpn[place.id],
            place.rank if place.id not in out else counting + 1,
            place.points_halves,
            int(wins[place.id] or 0),
            [_value_text(place.values[each.name]) for each in names],
            place.separated_by if place.separated_by not in (None, "PTS") else "",
            is_annulled=place.id in out,
        )
        for place in sorted(ranks.places, key=lambda place: place.id in out)
    ]
    return EventTable(_closed_up(rows) if out else rows, field.rounds, names)


def _closed_up(rows: Sequence[EventRow]) -> list[EventRow]:
    """The rows with ranks that take no notice of those whose games are annulled."""
    closed_up: list[EventRow] = []
    for number, row in enumerate(rows):
        shares = number > 0 and row.rank == rows[number - 1].rank
        closed_up.append(replace(row, rank=closed_up[-1].rank if shares else number + 1))
    return closed_up


def value_breakdown(event: Event, tpn: int, name: str) -> Breakdown | None:
    """What one value of the standings is made of.

    None when nobody has the number, or the event not the tie-break.
    """
    field = event_field(event)
    names = tie_break_names(event)
    if tpn not in field.position or name not in {*names, "PTS"}:
        return None
    if tie_break(name).entry.combination is Combination.ENCOUNTER:
        return encounter_breakdown(ranking(field, names), name, tpn)
    return breakdown(field, name, tpn)


def _value_text(value: Fraction | None) -> str:
    return "" if value is None else decimal_text(value)


def tie_break_names(event: Event) -> Sequence[str]:
    """The event's tie-breaks in their order, or the usual ones of the format."""
    return event.tie_breaks.split(",") if event.tie_breaks else DEFAULTS[system_of(event)]


def system_of(event: Event) -> System:
    """What C.07 takes the event for: pairings known beforehand, or a Swiss."""
    return System.ROUND_ROBIN if event.format == Event.Format.ROUND_ROBIN else System.SWISS


def event_field(event: Event, rounds: int | None = None) -> Field:
    """The event as tie-breaks see it, over its first `rounds` rounds, or all published ones.

    By the edition of C.07 at its start.
    """
    entries = list(event.entries.exclude(tpn=None))
    return field_of(event, entries, histories(event), _rounds(event, rounds))


def _rounds(event: Event, rounds: int | None) -> int:
    if rounds is not None:
        return rounds
    return Round.objects.filter(event=event).exclude(state=Round.State.DRAFT).count()


def field_of(event: Event, entries: Sequence[Entry], history: History, rounds: int) -> Field:
    """The same from what is given, without the database."""
    begin = event.started_at or event.created_at
    worth = formats.points(event)
    out = half_played.annulled_tpns(event, entries, history)

    def participant(entry: Entry) -> Participant:
        own = history.get(entry.pk, {})
        games = [_tie_break_game(own.get(number)) for number in range(1, rounds + 1)]
        if out:
            # C.05: points scored by or against who left before half of the games do not count.
            annulled = tie_break_field.Game(Kind.FREE)
            games = [annulled if {entry.tpn, game.opponent} & out else game for game in games]
        rating = round((entry.seed_centielo or 0) / 100) or None
        return Participant(entry.tpn or 0, tuple(games), rating)

    return Field(
        map(participant, entries),
        system=system_of(event),
        edition=edition_at(begin.date()),
        scoring=Scoring(worth.win, worth.draw, worth.loss),
        rounds_total=event.rounds_total,
    )


_BYES = {
    Seat.Kind.PAIRING_BYE: Kind.PAIRING_BYE,
    Seat.Kind.HALF_BYE: Kind.HALF_BYE,
    Seat.Kind.FULL_BYE: Kind.FULL_BYE,
    Seat.Kind.ZERO_BYE: Kind.ZERO_BYE,
    Seat.Kind.FREE: Kind.FREE,
    Seat.Kind.THROUGH: Kind.FREE,
    Seat.Kind.OUT: Kind.FREE,
    Seat.Kind.FORFEIT_WIN: Kind.FORFEIT_WIN,
}
_KINDS = {
    Outcome.WIN: Kind.WIN,
    Outcome.DRAW: Kind.DRAW,
    Outcome.LOSS: Kind.LOSS,
    Outcome.FORFEIT_WIN: Kind.FORFEIT_WIN,
    Outcome.FORFEIT_LOSS: Kind.FORFEIT_LOSS,
    # A void game was not played, and neither of the two is to blame: a round without opponent that
    # brought nothing.
    Outcome.VOID: Kind.PAIRING_BYE,
}


def _tie_break_game(round_seat: RoundSeat | None) -> tie_break_field.Game:
    if (
        round_seat is None
    ):  # a late entry was not there yet, somebody withdrawn was not there any more
        return tie_break_field.Game(Kind.ZERO_BYE)
    halves = round_seat.score_halves or 0
    if round_seat.game is None:
        absent = round_seat.seat.absent.tpn if round_seat.seat.absent else None
        return tie_break_field.Game(_BYES[Seat.Kind(round_seat.seat.kind)], halves, absent)
    is_first = round_seat.seat.kind == Seat.Kind.FIRST
    if round_seat.outcome is None:
        return tie_break_field.Game(Kind.OPEN, 0, opponent_tpn(round_seat.seat), is_first)
    kind = _KINDS[round_seat.outcome]
    if round_seat.outcome is Outcome.VOID:
        return tie_break_field.Game(kind)
    return tie_break_field.Game(kind, halves, opponent_tpn(round_seat.seat), is_first)


def histories(event: Event) -> Mapping[int, Mapping[int, RoundSeat]]:
    """What every entry (by id) did in every round (by number) that is not a draft."""
    # Rounds by themselves: each carries what it was paired from, which must not be fetched with
    # every seat.
    numbers = dict(
        Round.objects.filter(event=event)
        .exclude(state=Round.State.DRAFT)
        .values_list("pk", "number")
    )
    seats = Seat.objects.filter(round__in=numbers).select_related(
        "pairing__first", "pairing__second", "absent"
    )
    # Of several games of a pairing the last one decides, but a void one takes nothing from those
    # before it.
    deciding: dict[int | None, Game] = {}
    event_games = Game.objects.filter(pairing__event=event).only(
        "pairing", "first", "second", "result"
    )
    for game in event_games.order_by("number"):
        if game.result != Game.Result.VOID or game.pairing_id not in deciding:
            deciding[game.pairing_id] = game
    if event.is_over_the_board:
        deciding |= _entered(event)
    points = formats.points(event)
    rounds_by_entry: dict[int, dict[int, RoundSeat]] = {}
    for seat in seats:
        last_game = deciding.get(seat.pairing_id) if seat.pairing_id else None
        history = rounds_by_entry.setdefault(seat.entry_id, {})
        history[numbers[seat.round_id]] = RoundSeat(seat, last_game, points)
    return rounds_by_entry


def _entered(event: Event) -> dict[int | None, Game]:
    """Unsaved games of the open round over the board with the results that were entered, by pairing."""
    pairings = event.pairings.filter(round__state=Round.State.PUBLISHED)
    return {
        pairing.pk: Game(
            pairing=pairing,
            first_id=pairing.first.player_id,
            second_id=pairing.second.player_id,
            result=pairing.entered_result or None,
        )
        for pairing in pairings.select_related("first", "second")
    }


def pairing_records(history: Mapping[int, RoundSeat], rounds: int) -> tuple[RoundRecord, ...]:
    """The same history as the pairing system wants it: one record for each closed round."""
    return tuple(_record(history.get(number)) for number in range(1, rounds + 1))


def _record(round_seat: RoundSeat | None) -> RoundRecord:
    if round_seat is None:
        return RoundRecord(RoundKind.ZERO_BYE, None, 0)
    halves = round_seat.score_halves or 0
    if round_seat.game is None:
        absent = round_seat.seat.absent.tpn if round_seat.seat.absent else None
        return RoundRecord(RoundKind(round_seat.seat.kind), absent, halves)
    kind = RoundKind(round_seat.seat.kind) if round_seat.is_played else RoundKind.FORFEIT_LOSS
    if round_seat.outcome is Outcome.FORFEIT_WIN:
        kind = RoundKind.FORFEIT_WIN
    return RoundRecord(kind, opponent_tpn(round_seat.seat), halves)


def opponent_tpn(seat: Seat) -> int | None:
    """The TPN of the entry on the other side, or None without one."""
    pairing = seat.pairing
    if pairing is None:
        return None
    other = pairing.second if seat.kind == Seat.Kind.FIRST else pairing.first
    return other.tpn
