"""Teams' matches as the boards of a report tell them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from tournaments.pairing.problem import FormatOptions, RoundKind
from tournaments.round_kinds import Kind
from tournaments.trf.errors import UnpairableReportError
from tournaments.trf.report import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tournaments.trf.report import Report, Result, Team

# The scores after the type: the primary one, then the one that decides colours.
_TEAM_SYSTEM = re.compile(r"FIDE_TEAM(?:_TYPE([AB]))?(?:_(MP|GP))?(?:_(MP|GP))?(?:_BAKU)?")
_TEAM_TABLE = re.compile(r"BERGER_TEAM_(?:DOUBLE)?ROUNDROBIN")
_COLOURS = {True: "W", False: "B"}


@dataclass(frozen=True, slots=True)
class TeamSystem:
    """The meaning of the type of a tournament of teams (`192`).

    `is_by_match_points` tells the primary score. The options have the type of colour preferences,
    and whether the other score is used.
    """

    is_by_match_points: bool
    options: FormatOptions


def team_system(report: Report) -> TeamSystem:
    """Return the system of a file with teams. Raises UnpairableReportError for another one."""
    name = report.system or "FIDE_TEAM"
    if is_team_table(report):
        name = "FIDE_TEAM"  # the scores of a table are the usual ones
    match = _TEAM_SYSTEM.fullmatch(name)
    if match is None or (match[2] and match[2] == match[3]):
        raise UnpairableReportError(f"{name[:40]!r} is no system of teams")
    if match.group(1, 2, 3) == (None, None, None):  # the bare name has the usual settings
        return TeamSystem(is_by_match_points=True, options=FormatOptions())
    options = FormatOptions(
        colour_type=match[1] or "", has_second_score=not match[2] or bool(match[3])
    )
    return TeamSystem(match[2] != "GP", options)


def is_team_table(report: Report) -> bool:
    """Return whether the file is of a round robin of teams."""
    return _TEAM_TABLE.fullmatch(report.system or "") is not None


@dataclass(frozen=True, slots=True)
class Match:
    """One round of a team: its kind, the opponent or None, the scores in half points, and whether White was on board 1.

    `boards` are the half points of each board, in their order.
    """

    kind: Kind
    opponent: int | None
    match_halves: int
    game_halves: int
    is_white: bool | None = None
    boards: tuple[int, ...] = ()

    @property
    def round_kind(self) -> RoundKind:
        """Return the kind of the round for a pairing system."""
        if self.kind in (Kind.WIN, Kind.DRAW, Kind.LOSS):
            return RoundKind.FIRST if self.is_white else RoundKind.SECOND
        return RoundKind(self.kind)


class Matches:
    """The rounds of all teams of a report."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._records = report.team_records
        self._players = {player.id: player for player in report.players}
        self._team_of = {i: team.number for team in self._records.teams for i in team.members}
        self._line_ups = {(up.round_number, up.team): up for up in self._records.line_ups}
        self._absences = {(a.round_number, i): a.code for a in report.absences for i in a.ids}
        self._forfeits = {
            (f.round_number, team): (other, mine == "+")
            for f in self._records.forfeits
            for team, other, mine in (
                (f.white, f.black, f.sides[0]),
                (f.black, f.white, f.sides[1]),
            )
        }

    def of(self, team: Team, number: int) -> Match:
        """Return the match of the team in that round."""
        match = self._plain(team, number)
        for extra in self._report.abnormal:
            if extra.code is None and team.number in extra.ids and extra.round_number == number:
                match = replace(
                    match,
                    match_halves=match.match_halves + extra.match_halves,
                    game_halves=match.game_halves + extra.halves,
                )
        return match

    def _plain(self, team: Team, number: int) -> Match:
        byes = self._records.byes
        if byes and number <= len(byes.teams) and byes.teams[number - 1] == team.number:
            # K4: each board of a bye counts as a standard win, in any score of the team.
            boards = (self._report.points.win,) * len(list(self._seats(team, number)))
            return Match(Kind.PAIRING_BYE, None, byes.match_halves, byes.game_halves, boards=boards)
        seats = [(i, r) for i, r in self._seats(team, number) if r is not None]
        if (number, team.number) in self._forfeits:
            other, has_won = self._forfeits[number, team.number]
            boards = tuple(self._report.points.worth(r.code.kind) for _, r in seats)
            kind = Kind.FORFEIT_WIN if has_won else Kind.FORFEIT_LOSS
            worth = self._records.win if has_won else 0
            return Match(kind, other, worth, sum(boards), boards=boards)
        opponent = self._opponent(seats)
        if opponent is None:
            return self._absent(team, number, [r for _, r in seats])
        boards = self._boards(team, number)
        theirs = self._boards(self._team(opponent), number)
        # T10: a match is forfeited by a team that forfeits every board. Any other one was played.
        has_won = all(r.code is Code.FORFEIT_WIN for _, r in seats)
        has_lost = all(r.code is Code.FORFEIT_LOSS for _, r in seats)
        if not has_won and not has_lost:
            return self._played(opponent, boards, sum(theirs), self._is_white(seats))
        kind = Kind.FORFEIT_WIN if has_won else Kind.FORFEIT_LOSS
        worth = self._records.win if has_won else 0
        return Match(kind, opponent, worth, sum(boards), boards=boards)

    @cached_property
    def boards(self) -> int:
        """The boards of a match: the most of a match that was paired, else those of the colours (`352`).

        A bye can be in the columns of reserves too, and the colours can be those of the first boards.
        """
        rounds = max((len(player.results) for player in self._report.players), default=0)
        line_ups = (
            [*self._seats(team, number)]
            for team in self._records.teams
            for number in range(1, rounds + 1)
        )
        paired = [len(seats) for seats in line_ups if self._opponent(seats) is not None]
        return max(paired, default=0) or len(self._records.colours)

    def _opponent(self, seats: Iterable[tuple[int, Result | None]]) -> int | None:
        """The team that the players of a match met."""
        players = (result.opponent for _, result in seats if result and result.opponent)
        return min((self._team_of[i] for i in players if i in self._team_of), default=None)

    def _team(self, number: int) -> Team:
        return next(t for t in self._records.teams if t.number == number)

    def line_up(self, team: Team, number: int) -> Sequence[int]:
        """Return the players of the team in that round by board, 0 for an empty one.

        The default order is that of the members who were present, or of all in a round without a match.
        """
        line_up = self._line_ups.get((number, team.number))
        if line_up is not None:
            return line_up.players
        results = {i: self._result(i, number) for i in team.members}
        known = [i for i, result in results.items() if result is not None]
        return [i for i in known if not self._is_absent(i, number)] or known

    def _is_absent(self, player: int, number: int) -> bool:
        result = self._result(player, number)
        return result is None or result.code is Code.ZERO_BYE

    def _seats(self, team: Team, number: int) -> Iterator[tuple[int, Result | None]]:
        """Yield the results of the round by board, from 0."""
        for board, i in enumerate(self.line_up(team, number)):
            yield board, self._result(i, number) if i else None

    def _result(self, player: int, number: int) -> Result | None:
        results = self._players[player].results if player in self._players else ()
        return results[number - 1] if number <= len(results) else None

    def _boards(self, team: Team, number: int) -> tuple[int, ...]:
        return tuple(
            self._report.points.worth(r.code.kind) if r else 0 for _, r in self._seats(team, number)
        )

    def _is_white(self, seats: Sequence[tuple[int, Result]]) -> bool | None:
        """Return whether the team has White: by its first board with a colour (`352`)."""
        pattern = self._records.colours or "W"
        for board, result in seats:
            if result.is_white is not None:
                return _COLOURS[result.is_white] == pattern[board % len(pattern)]
        return None

    def _played(
        self, other: int, boards: tuple[int, ...], theirs: int, is_white: bool | None
    ) -> Match:
        mine, records = sum(boards), self._records
        kind = Kind.WIN if mine > theirs else Kind.LOSS if mine < theirs else Kind.DRAW
        worth = {Kind.WIN: records.win, Kind.DRAW: records.draw, Kind.LOSS: records.loss}
        return Match(kind, other, worth[kind], mine, is_white, boards)

    def _absent(self, team: Team, number: int, results: Sequence[Result]) -> Match:
        """Return a round without an opponent: a bye on request (`240`, or on every board), else an empty round.

        If `240` alone has the bye, each board counts as the bye does.
        """
        worth = {Code.FULL_BYE: self._records.win, Code.HALF_BYE: self._records.draw}
        on_boards = [result.code for result in results]
        usual = next((code for code in worth if set(on_boards) == {code}), Code.ZERO_BYE)
        code = self._absences.get((number, team.number), usual)
        if set(on_boards) <= {Code.ZERO_BYE}:
            on_boards = [code] * self.boards
        counted = on_boards[: self.boards or None]
        boards = tuple(self._report.points.worth(each.kind) for each in counted)
        return Match(code.kind, None, worth.get(code, 0), sum(boards), boards=boards)
