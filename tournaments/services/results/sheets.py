"""Tables of an event as CSV (RFC 4180), with a byte-order mark, which spreadsheets ask for."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from tournaments import trf
from tournaments.models import Event, Round, Seat
from tournaments.queries.events import prizes as prize_funds
from tournaments.queries.results import awards, categories, histories
from tournaments.queries.results.round_seats import RoundSeat
from tournaments.round_kinds import Kind
from tournaments.services.results import stored_table
from tournaments.standings.prizes import money

_MARK = "\ufeff"
# A spreadsheet takes a cell that begins with one of these for a formula, and computes it.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")

Value = str | int | None


def standings(event: Event) -> str:
    """The standings: rank, pairing number, player, rating, points, tie-breaks, wins."""
    table = stored_table.current(event)
    names = [each.name for each in table.tie_breaks]
    heads = ["rank", "number", "player", "federation", "club", "rating", "points", *names, "wins"]
    return text(
        heads,
        (
            [
                row.place,
                row.entry.tpn,
                row.entry.player.name,
                row.entry.federation,
                row.entry.club,
                row.entry.seed_elo,
                _points(row.points_halves),
                *(row.values if row.values else [""] * len(names)),
                row.wins,
            ]
            for row in table.rows
        ),
    )


def category_tables(event: Event) -> str:
    """Return the rows of the table of each category, as `prizes` names categories."""
    table = stored_table.current(event)
    heads = ["category", "rating from", "rating under", "name", "place", "rank", "number"]
    return text(
        [*heads, "player", "rating", "points"],
        (
            [
                *prize_funds.columns_of(each.category).values(),
                *(line.place, line.row.rank, line.row.entry.tpn, line.row.entry.player.name),
                *(line.row.entry.seed_elo, _points(line.row.points_halves)),
            ]
            for each in categories.tables(event, table)
            for line in each.part.rows()
        ),
    )


def crosstable(event: Event) -> str:
    """Return one column a round: the opponent's pairing number, `w` for the side with the first ply or `b`, the result.

    Results are those of a report file: `1`, `=`, `0`, `+` and `-` by forfeit, `*` for a game in
    progress or one that does not count. A mini-match has both results. A round without an opponent
    is the kind of bye.
    """
    table = stored_table.current(event)
    history = histories.of_event(event)
    numbers = range(1, table.rounds + 1)
    return text(
        ["rank", "number", "player", *(f"round {n}" for n in numbers), "points"],
        (
            [
                row.place,
                row.entry.tpn,
                row.entry.player.name,
                *(_cell(history.get(row.entry.pk, {}).get(n)) for n in numbers),
                _points(row.points_halves),
            ]
            for row in table.rows
        ),
    )


def pairings(event: Event) -> str:
    """Return every board of the published rounds, with byes. First and second are the sides."""
    history = histories.of_event(event)
    rounds = event.rounds.exclude(state=Round.State.DRAFT).order_by("number")
    lines: list[list[Value]] = []
    for round_ in rounds.only("pk", "number"):
        number = round_.number
        boards = round_.pairings.select_related("first__player", "second__player")
        for pairing in boards.order_by("board"):
            mine, theirs = history[pairing.first_id][number], history[pairing.second_id][number]
            first, second = pairing.first, pairing.second
            lines.append(
                [
                    *(number, pairing.board, first.tpn, first.player.name),
                    *(_points(mine.score_halves), _points(theirs.score_halves)),
                    *(second.tpn, second.player.name, mine.outcome or ""),
                ]
            )
        seats = round_.seats.filter(pairing=None).exclude(kind=Seat.Kind.OUT)
        for seat in seats.select_related("entry__player").order_by("entry__tpn"):
            points = _points(history[seat.entry_id][number].score_halves)
            entry = seat.entry
            lines.append([number, "", entry.tpn, entry.player.name, points, "", "", "", seat.kind])
    heads = ["round", "board", "first number", "first", "first points", "second points"]
    return text([*heads, "second number", "second", "first outcome"], lines)


def prizes(event: Event) -> str:
    """Return the confirmed awards, or those by the current standings, with sums as decimals.

    `is_confirmed` is 1 or 0. An event without prizes has the heads alone.
    """
    confirmed = prize_funds.standing_awards(event)
    if confirmed is not None:
        rows, currency = awards.confirmed_rows(confirmed), confirmed.currency
    else:
        outcome = awards.of_event(event)
        rows = outcome.rows() if outcome else []
        currency = outcome.currency if outcome else ""
    heads = ["number", "player", "category", "rating from", "rating under", "name", "place"]
    return text(
        [*heads, "sum", "currency", "words", "is_confirmed"],
        (
            [
                *(row.entry.tpn, row.entry.player.name, row.kind, row.rating_from),
                *(row.rating_below, row.text, row.place),
                str(money.decimal(row.amount, currency)) if row.amount else "",
                *(currency if row.amount else "", row.words, int(confirmed is not None)),
            ]
            for row in rows
        ),
    )


def _cell(round_seat: RoundSeat | None) -> str:
    if round_seat is None:
        return ""
    if round_seat.game is None:
        absent = round_seat.seat.absent
        return f"{absent.tpn}+" if absent is not None else round_seat.seat.kind
    letters = "".join(_letter(each.outcome) for each in round_seat.by_game)
    return f"{round_seat.opponent_tpn}{round_seat.side_letter}{letters}"


def _letter(outcome: Kind | None) -> str:
    return "*" if outcome in (None, Kind.VOID) else trf.Code.of(outcome).value


def _points(halves: int | None) -> str:
    return "" if halves is None else f"{halves / 2:g}"


def text(heads: Sequence[str], lines: Iterable[Sequence[Value]]) -> str:
    """Return a sheet with these heads. No text in it is a formula."""
    sheet = io.StringIO(newline="")
    writer = csv.writer(sheet)
    writer.writerow(heads)
    writer.writerows([_safe(value) for value in line] for line in lines)
    return _MARK + sheet.getvalue()


def _safe(value: Value) -> Value:
    """Return the value, with an apostrophe before text that a spreadsheet would compute."""
    if isinstance(value, str) and value.startswith(_FORMULA):
        return f"'{value}"
    return value
