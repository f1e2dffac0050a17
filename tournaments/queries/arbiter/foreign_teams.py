"""The teams of a foreign report, and their matches board by board."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tournaments import trf
from tournaments.models import Game, Seat
from tournaments.models.events import MAX_BOARDS, MatchBye, MatchPoints
from tournaments.models.players import canonical_name
from tournaments.queries.arbiter.foreign_rounds import (
    ForeignBoard,
    ForeignRound,
    ReportProblem,
    bye_of,
    result_of,
)
from tournaments.round_kinds import Kind
from tournaments.trf import Code, Match, Result, TeamRounds

_COLOURS = "WB"
_DOUBLE_FORFEIT = Game.Result.DOUBLE_FORFEIT.value


@dataclass(frozen=True, slots=True)
class ForeignTeam:
    """A team with its members in their order, by their numbers in the file.

    `strength_elo` is the rating in record `310`, None without a number there.
    """

    name: str
    members: Sequence[int]
    strength_elo: int | None = None


@dataclass(frozen=True, slots=True)
class MatchSettings:
    """The settings of an event of teams. The names are those of the settings."""

    boards: int
    match_points: str
    match_bye: str
    has_fixed_order: bool
    cycles: int
    alternates_boards: bool = True


def as_usual(report: trf.Report) -> trf.Report:
    """Return the report of teams in the form of our own files.

    A file without colours of boards (`352`) has the usual ones, and without the initial colour (`152`) that of round
    1. A member with a forfeit against no one was absent.
    """
    records = report.team_records
    report = report._replace(
        team_records=records._replace(colours=records.colours or _COLOURS),
        players=tuple(map(_without_idle_losses, report.players)),
    )
    if report.odd_is_white is not None:
        return report
    rounds = TeamRounds(report)
    first = [(i, rounds.match(i, 1)) for i in rounds.ids]
    known = [(i, match) for i, match in first if match.is_white is not None]
    sides = [match.is_white is bool(i % 2) for i, match in known if i < (match.opponent or 0)]
    return report._replace(odd_is_white=next(iter(sides), None))


def _without_idle_losses(player: trf.Player) -> trf.Player:
    idle = Result(Code.FORFEIT_LOSS)
    results = [Result(Code.ZERO_BYE) if each == idle else each for each in player.results]
    return player._replace(results=tuple(results))


class MatchRounds:
    """The teams and the rounds of a report of teams, and the faults of its matches.

    Raises UnpairableReportError for a system that has no teams. `lines` are those of records `310`
    by the numbers of the teams.
    """

    def __init__(self, report: trf.Report, lines: Mapping[int, int], *, is_table: bool) -> None:
        self.problems: list[ReportProblem] = []
        self._report, self._records = report, report.team_records
        self._lines, self._is_table = lines, is_table
        self._rounds = TeamRounds(report)
        self._players = {player.id: player for player in report.players}
        self._members = {team.number: team.members for team in self._records.teams}
        self._given = {(i, a.round_number): a.code for a in report.absences for i in a.ids}
        self._white = {
            (each.round_number, frozenset((each.white, each.black))): each.white
            for each in self._records.forfeits
        }
        self._halves: dict[int, tuple[int, int]] = defaultdict(lambda: (0, 0))
        self._had_bye: set[int] = set()

    @property
    def teams(self) -> Mapping[int, ForeignTeam]:
        """Return the teams by number."""
        return {
            each.number: ForeignTeam(each.name, each.members, _elo(each.strength))
            for each in self._records.teams
        }

    @property
    def settings(self) -> MatchSettings:
        """Return the settings of the event. They are right if the report has no problem."""
        points = (self._records.win, self._records.draw, self._records.loss)
        byes = self._records.byes
        is_win = byes is not None and byes.match_halves == self._records.win
        return MatchSettings(
            boards=self._boards_count,
            match_points=next((p.value for p in MatchPoints if p.halves == points), ""),
            match_bye=(MatchBye.WIN if is_win else MatchBye.DRAW).value,
            has_fixed_order=not any(map(self._is_out_of_order, self._records.line_ups)),
            cycles=2 if "DOUBLE" in (self._report.system or "") else 1,
            alternates_boards=self._alternates,
        )

    def _is_out_of_order(self, line_up: trf.LineUp) -> bool:
        members = self._members[line_up.team]
        places = [members.index(i) for i in line_up.players if i in members]
        return places != sorted(places)

    @property
    def _alternates(self) -> bool:
        """Return whether colours alternate from board to board (`352`). Otherwise one team has White at all boards."""
        colours = self._records.colours
        return len(colours) < 2 or set(colours) != {"W"}

    @cached_property
    def _boards_count(self) -> int:
        """Return the number of boards: of the longest line-up, or of the colours in `352`."""
        last = [
            board
            for team in self._rounds.ids
            for number in range(1, self._rounds.last + 1)
            for board, player in enumerate(self._line_up(team, number), start=1)
            if player
        ]
        return max(len(self._records.colours), *last, 0)

    def _line_up(self, team: int, number: int) -> list[int]:
        """Return the players by board, 0 for an empty one, without those who had no game."""
        places = self._rounds.line_up(team, number)
        return [i if self._result(i, number) is not None else 0 for i in places]

    def _result(self, player: int, number: int) -> Result | None:
        """Return the round of a player, None for an absence."""
        results = self._players[player].results if player else ()
        result = results[number - 1] if number <= len(results) else None
        return None if result is None or result.code is Code.ZERO_BYE else result

    def general_problems(self, lines: Mapping[int, int]) -> Iterator[ReportProblem]:
        """Yield the problems of settings, teams and points. `lines` are those of records `001`."""
        settings = self.settings
        if not 2 <= settings.boards <= MAX_BOARDS:
            yield ReportProblem(0, "report-boards", str(settings.boards))
        if not settings.match_points:
            yield ReportProblem(0, "report-match-points")
        if self._alternates and not (_COLOURS * MAX_BOARDS).startswith(self._records.colours):
            yield ReportProblem(0, "report-board-colours", f"352 {self._records.colours[:20]}")
        if not trf.team_system(self._report).is_by_match_points:
            yield ReportProblem(0, "report-team-system", self._report.system or "")
        yield from self._wrong_byes()
        named = {i for each in self._records.teams for i in each.members}
        yield from (
            ReportProblem(line, "report-no-team") for i, line in lines.items() if i not in named
        )
        names: set[str] = set()
        for team in self._records.teams:
            name = canonical_name(team.name)
            if not name or name in names:
                yield ReportProblem(self._lines[team.number], "report-team-name", team.name)
            names.add(name)
        for number, scores in trf.match_scores(self._report).items():
            if claim := self._rounds.claim(number, scores):
                yield ReportProblem(self._lines[number], "report-points", claim)

    def _wrong_byes(self) -> Iterator[ReportProblem]:
        """Yield the bye of record `320` if its boards are not worth as much as its match."""
        byes = self._records.byes
        if byes is None or not any(byes.teams):
            return
        each = self._report.points
        worth = {self._records.win: each.win, self._records.draw: each.draw}
        if byes.game_halves != self._boards_count * worth.get(byes.match_halves, -1):
            detail = f"320 {byes.match_halves / 2} {byes.game_halves / 2}"
            yield ReportProblem(0, "report-team-bye", detail)

    def round(self, number: int) -> ForeignRound:
        """Return that round. The rounds before it come first, as boards are ordered by the scores."""
        boards, byes = [], {}
        matches = {i: self._rounds.match(i, number) for i in self._rounds.ids}
        for team, match in matches.items():
            if match.opponent is None:
                byes[team] = self._bye(team, number, match)
            elif matches[match.opponent].opponent != team:
                self._add_problem(team, "report-match", f"{number}: {match.opponent}")
            elif self._is_first(team, match.opponent, number):
                boards.append(self._match(team, match.opponent, number))
        boards.sort(key=self._precedence)
        for team, match in matches.items():
            points, games = self._halves[team]
            self._halves[team] = points + match.match_halves, games + match.game_halves
        return ForeignRound(boards, byes)

    def byes_to_come(self) -> dict[tuple[int, int], Seat.Kind]:
        """Announced byes of the rounds that have not been paired."""
        last = self._rounds.last
        return {key: bye_of(code) for key, code in self._given.items() if key[1] > last}

    def _add_problem(self, team: int, code: str, detail: str) -> None:
        self.problems.append(ReportProblem(self._lines[team], code, detail))

    def _bye(self, team: int, number: int, match: Match) -> Seat.Kind:
        if self._is_table and (team, number) not in self._given and match.kind is Kind.ZERO_BYE:
            return Seat.Kind.FREE
        if match.kind is Kind.PAIRING_BYE:
            if team in self._had_bye and not self._is_table:
                self._add_problem(team, "report-second-bye", str(number))
            self._had_bye.add(team)
        elif match.game_halves != self._boards_count * self._worth_of_board(match):
            self._add_problem(team, "report-team-bye", f"{number}: {match.game_halves / 2}")
        return bye_of(Code.of(match.kind))

    def _worth_of_board(self, match: Match) -> int:
        each = self._report.points
        return {Kind.FULL_BYE: each.win, Kind.HALF_BYE: each.draw}.get(match.kind, 0)

    def _is_first(self, team: int, other: int, number: int) -> bool:
        """Return whether the team has White at board 1. In a forfeit without colours it is the lower number."""
        white = self._white.get((number, frozenset((team, other))))
        if white is not None:
            return white == team
        for each in sorted((team, other)):
            for index, player in enumerate(self._line_up(each, number)):
                result = self._result(player, number)
                if result is not None and result.is_white is not None:
                    is_first = index % 2 == 0 or not self._alternates
                    return (result.is_white is is_first) is (each == team)
        return team < other

    def _match(self, first: int, second: int, number: int) -> ForeignBoard:
        line_ups = [self._line_up(team, number) for team in (first, second)]
        for team, line_up in zip((first, second), line_ups, strict=True):
            present = {i for i in self._members[team] if self._result(i, number) is not None}
            if present != set(line_up) - {0}:
                self._add_problem(team, "report-match", str(number))
        games = []
        for index in range(self._boards_count):
            sides = [line_up[index] if index < len(line_up) else 0 for line_up in line_ups]
            is_first = index % 2 == 0 or not self._alternates
            games.append(self._game(sides if is_first else sides[::-1], number, first))
        return ForeignBoard(first, second, "", games)

    def _game(self, sides: Sequence[int], number: int, team: int) -> ForeignBoard:
        """Return a board, the first side first. `team` is named if there is a problem."""
        first, second = sides
        results = [self._result(i, number) for i in sides]
        detail = f"{number}: {first} - {second}"
        opponents = [each.opponent if each else None for each in results]
        is_apart = opponents == [None, None]
        if not is_apart and opponents != [second, first]:
            self._add_problem(team, "report-match", detail)
        colours = [each.is_white if each else None for each in results]
        if not is_apart and (colours[0] is False or colours[1] is True):
            self._add_problem(team, "report-board-colours", detail)
        # An empty board is lost by forfeit, and so is that of both.
        empty = Code.FORFEIT_LOSS
        pair = (
            results[0].code if results[0] else empty,
            results[1].code if results[1] else empty,
        )
        result = result_of(*pair)
        lost = {i for i, each in zip(sides, pair, strict=True) if i and each is empty}
        if result is None or (lost and 0 in sides):
            codes = " ".join(each.value for each in pair)
            self._add_problem(team, "report-result", f"{detail}: {codes}")
        return ForeignBoard(first, second, _DOUBLE_FORFEIT if result is None else result.value)

    def _precedence(self, board: ForeignBoard) -> tuple[int, int, int, int, int]:
        """The order of boards: the higher score, the sum of both, game points, the lower number."""
        scores = sorted((self._halves[board.first], self._halves[board.second]), reverse=True)
        points, games = zip(*scores, strict=True)
        return -points[0], -sum(points), -games[0], -sum(games), min(board.first, board.second)


def _elo(strength: str) -> int | None:
    try:
        return round(float(strength)) or None
    except (ValueError, OverflowError):
        return None
