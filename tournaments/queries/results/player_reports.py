"""Reports of players about the results of their boards, and boards whose reports wait or disagree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tournaments.models import Entry, Event
from tournaments.models.rounds import PairingQuerySet
from tournaments.queries.results.board_lines import BoardLine, board_lines


@dataclass(frozen=True, slots=True)
class ReportedLine:
    """A game of a board with the reports of its two players.

    Attributes:
        first: the result that the first player has reported, as `Game.Result`; empty without one.
        second: that of the second player.
    """

    line: BoardLine
    first: str
    second: str

    @property
    def is_reported(self) -> bool:
        """Return whether a player has reported a game that has no result."""
        return bool(self.first or self.second) and not self.line.result

    @property
    def is_agreed(self) -> bool:
        """Return whether both players have reported one result, which is not entered."""
        return self.is_reported and self.first == self.second

    @property
    def is_disputed(self) -> bool:
        """Return whether the players have reported different results, and none is entered."""
        return bool(self.first and self.second) and self.is_reported and not self.is_agreed

    def of(self, entry: Entry) -> str:
        """Return the report of one of the two; empty without one."""
        return self.first if entry == self.line.first else self.second


def reported_lines(event: Event, pairings: PairingQuerySet) -> Iterator[ReportedLine]:
    """Return the games of these boards with both players, and their reports."""
    rows = pairings.with_lines(event).prefetch_related("games", "player_reports")
    for line in board_lines(event, rows.order_by("board")):
        if line.first is None or line.second is None:
            continue
        reports = {
            each.entry_id: each.result
            for each in line.pairing.player_reports.all()
            if each.game == line.game_number
        }
        yield ReportedLine(line, reports.get(line.first.pk, ""), reports.get(line.second.pk, ""))
