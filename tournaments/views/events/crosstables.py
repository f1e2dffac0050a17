"""The crosstable of an event as data: one cell for each player and round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from tournaments.models import Seat
from tournaments.services.results import standings
from tournaments.services.results.standings import Outcome
from tournaments.templatetags.rayuela import colour_name, halves

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.utils.functional import _StrPromise

    from tournaments.models import Entry, Event, Game
    from tournaments.services.results.standings import EventTable, RoundSeat


_OUTCOMES: Mapping[Outcome | None, tuple[str, _StrPromise]] = {
    Outcome.WIN: ("win", _("beat %(opponent)s as %(colour)s")),
    Outcome.DRAW: ("draw", _("drew with %(opponent)s as %(colour)s")),
    Outcome.LOSS: ("loss", _("lost to %(opponent)s as %(colour)s")),
    Outcome.FORFEIT_WIN: (
        "win",
        _("won by forfeit against %(opponent)s as %(colour)s"),
    ),
    Outcome.FORFEIT_LOSS: (
        "loss",
        _("lost by forfeit against %(opponent)s as %(colour)s"),
    ),
    Outcome.VOID: ("none", _("the game with %(opponent)s as %(colour)s does not count")),
    None: ("running", _("plays %(opponent)s as %(colour)s")),
}


_FORFEITS: Mapping[Outcome | None, str] = {Outcome.FORFEIT_WIN: "+", Outcome.FORFEIT_LOSS: "−"}


@dataclass(frozen=True, slots=True)
class Cell:
    """What one player did in one round.

    Attributes:
        text: the opponent's number, the side's letter and the result, such as `5w1`.
        label: the same in words.
        kind: `win`, `draw`, `loss`, `running`, `bye` or `none`, for the style sheet.
        url: the game's address; empty without a game.
    """

    text: str
    label: str
    kind: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class CrossRow:
    """A player's row; `place` is the number by which the cells of others name the player."""

    place: int
    entry: Entry
    points_halves: int
    cells: Sequence[Cell]


def rows(event: Event, table: EventTable, *, colours: tuple[str, str]) -> Sequence[CrossRow]:
    """The rows of the crosstable in the order of the standings; `colours` are those of both sides."""
    histories = standings.histories(event)
    numbered = {row.entry.tpn: (place, row.entry) for place, row in enumerate(table.rows, start=1)}

    def cell(seated: RoundSeat | None) -> Cell:
        if seated is None:
            return Cell("", str(_("not entered yet")), "none")
        if seated.game is None:
            return _bye(seated)
        place, opponent = numbered[standings.opponent_tpn(seated.seat)]
        colour = colours[seated.seat.kind != Seat.Kind.FIRST]
        return _played(
            seated, seated.game, place=place, opponent=opponent.player.name, colour=colour
        )

    return [
        CrossRow(
            place,
            row.entry,
            row.points_halves,
            [
                cell(histories.get(row.entry.pk, {}).get(number))
                for number in range(1, table.rounds + 1)
            ],
        )
        for place, row in enumerate(table.rows, start=1)
    ]


def _bye(seated: RoundSeat) -> Cell:
    score = seated.score_halves or 0
    text = f"+{halves(score)}" if score else "–"
    return Cell(text, str(seated.seat.get_kind_display()), "bye")


def _played(seated: RoundSeat, game: Game, *, place: int, opponent: str, colour: str) -> Cell:
    score = seated.score_halves
    kind, words = _OUTCOMES[seated.outcome]
    label = str(words) % {"opponent": opponent, "colour": colour_name(colour)}
    result = "·" if score is None else _FORFEITS.get(seated.outcome) or halves(score)
    return Cell(
        f"{place}{colour[0]}{result}", label, kind, game.get_absolute_url() if game.pk else ""
    )
