"""The crosstable of an event as data: one cell for each player and round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from tournaments.models import Entry, Event, Game, Seat
from tournaments.queries.results import histories, result_corrections
from tournaments.queries.results.round_seats import RoundSeat, TeamSeat
from tournaments.queries.results.standings import EventRow, EventTable
from tournaments.round_kinds import Kind
from tournaments.templatetags.rayuela import colour_name
from tournaments.text.points import halves

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


_OUTCOMES: Mapping[Kind | None, tuple[str, _StrPromise]] = {
    Kind.WIN: ("win", _("beat %(opponent)s as %(colour)s")),
    Kind.DRAW: ("draw", _("drew with %(opponent)s as %(colour)s")),
    Kind.LOSS: ("loss", _("lost to %(opponent)s as %(colour)s")),
    Kind.FORFEIT_WIN: (
        "win",
        _("won by forfeit against %(opponent)s as %(colour)s"),
    ),
    Kind.FORFEIT_LOSS: (
        "loss",
        _("lost by forfeit against %(opponent)s as %(colour)s"),
    ),
    Kind.VOID: ("none", _("the game with %(opponent)s as %(colour)s does not count")),
    Kind.ADJOURNED: (
        "running",
        _("adjourned against %(opponent)s as %(colour)s, counts as a draw"),
    ),
    None: ("running", _("plays %(opponent)s as %(colour)s")),
}


_SIGNS: Mapping[Kind | None, str] = {
    Kind.FORFEIT_WIN: "+",
    Kind.FORFEIT_LOSS: "−",
    Kind.VOID: "–",
    Kind.ADJOURNED: "½*",
}


@dataclass(frozen=True, slots=True)
class Cell:
    """The result of one player in one round.

    Attributes:
        text: the opponent's number, `w` for the side with the first ply or `b`, and the result,
            such as `5w1`.
        label: the text in words.
        kind: `win`, `draw`, `loss`, `running`, `bye` or `none`, for the style sheet.
        url: the game's address, or empty without a game.
        is_corrected: whether the arbiter has corrected the result.
    """

    text: str
    label: str
    kind: str
    url: str = ""
    is_corrected: bool = False


@dataclass(frozen=True, slots=True)
class CrossRow:
    """A player's row. `number` is the pairing number, by which the cells of others name the player."""

    rank: int | None
    number: int
    entry: Entry
    points_halves: int
    cells: Sequence[Cell]


def rows(
    event: Event,
    table: EventTable,
    *,
    colours: tuple[str, str],
    part: Sequence[EventRow] | None = None,
) -> Sequence[CrossRow]:
    """Return the rows of the event's table, or a `part` of them, as a crosstable.

    `colours` are those of both sides.
    """
    part = table.rows if part is None else part
    is_part = len(part) < len(table.rows)
    ids = [row.entry.pk for row in part] if is_part else None
    rounds_by_entry = histories.of_event(event, ids)
    names = dict(event.entries.exclude(tpn=None).values_list("tpn", "player__name"))
    corrected = result_corrections.game_ids(event)

    def cell(entry: Entry, number: int) -> Cell:
        seated = rounds_by_entry.get(entry.pk, {}).get(number)
        if seated is None:
            is_early = number < entry.joined_round
            return Cell("", str(_("not entered yet") if is_early else _("withdrawn")), "none")
        tpn = seated.opponent_tpn
        if seated.game is None:
            return _bye(seated, tpn, names.get(tpn, ""))
        colour = colours[not seated.is_first]
        if seated.games_count > 1:
            cell = _match(seated, seated.game, number=tpn or 0, opponent=names[tpn], colour=colour)
            pks = {game.pk for game in seated.games if game is not None}
            return replace(cell, is_corrected=not pks.isdisjoint(corrected))
        played = _played(seated, seated.game, number=tpn or 0, opponent=names[tpn], colour=colour)
        return replace(played, is_corrected=seated.game.pk in corrected)

    return [
        CrossRow(
            row.place,
            row.entry.tpn or 0,
            row.entry,
            row.points_halves,
            [cell(row.entry, number) for number in range(1, table.rounds + 1)],
        )
        for row in part
    ]


def _bye(seated: RoundSeat, tpn: int | None, opponent: str) -> Cell:
    if seated.seat.kind == Seat.Kind.FORFEIT_WIN and tpn is not None:
        label = _("won by forfeit: %(opponent)s has left") % {"opponent": opponent}
        return Cell(f"{tpn}+", label, "bye")
    score = seated.score_halves or 0
    text = f"+{halves(score)}" if score else "–"
    return Cell(text, str(seated.seat.get_kind_display()), "bye")


def _match(seated: RoundSeat, game: Game, *, number: int, opponent: str, colour: str) -> Cell:
    """A mini-match, or a match of teams: the side of the first game, and the points of all."""
    points = seated.game_halves if isinstance(seated, TeamSeat) else seated.score_so_far_halves
    kind, _words = _OUTCOMES[seated.outcome]
    is_running = seated.score_halves is None
    result = halves(points) + ("·" if is_running else "*" if seated.has_adjourned else "")
    words = _("%(points)s points in the games with %(opponent)s, the first as %(colour)s")
    label = str(words) % {
        "points": halves(points),
        "opponent": opponent,
        "colour": colour_name(colour),
    }
    if seated.has_adjourned:
        adjourned = _("An adjourned game counts as a draw.")
        label = f"{label}. {adjourned}"
    url = game.get_absolute_url() if game.pk else ""
    return Cell(f"{number}{seated.side_letter}{result}", label, kind, url)


def _played(seated: RoundSeat, game: Game, *, number: int, opponent: str, colour: str) -> Cell:
    score = seated.score_halves
    kind, words = _OUTCOMES[seated.outcome]
    label = str(words) % {"opponent": opponent, "colour": colour_name(colour)}
    result = "·" if score is None else _SIGNS.get(seated.outcome) or halves(score)
    # An over-the-board result has no game of its own before its round closes.
    url = game.get_absolute_url() if game.pk else ""
    return Cell(f"{number}{seated.side_letter}{result}", label, kind, url)
