"""From a report to the problem of pairing a round of matches: of teams (C.04.6), or of two games each (C.04.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tournaments.pairing.problem import (
    Contestant,
    FormatOptions,
    PairingProblem,
    PointSystem,
    RoundKind,
    RoundRecord,
)
from tournaments.trf import problems, reading
from tournaments.trf.errors import UnpairableReportError
from tournaments.trf.matches import Matches, is_team_table, team_system
from tournaments.trf.report import Code

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.trf.matches import Match
    from tournaments.trf.report import Player, Report, Result


class Rounds(Protocol):
    """The rounds of a report, each a match."""

    @property
    def ids(self) -> list[int]:
        """Return the pairing numbers, ascending."""

    @property
    def last(self) -> int:
        """Return the number of rounds that have been paired."""

    @property
    def points(self) -> PointSystem:
        """Return the points of a match in the primary score."""

    @property
    def options(self) -> FormatOptions:
        """Return the options that the system asks for."""

    def record(self, number: int, round_number: int) -> RoundRecord:
        """Return the record of that round for the contestant of that number."""

    def claim(self, number: int, scores: tuple[int, int]) -> str:
        """Return the file's claim against these scores, or an empty text if it agrees."""


def rounds_of(report: Report) -> Rounds:
    """Return the matches of the report."""
    return TeamRounds(report) if problems.is_of_teams(report) else DoubleRounds(report)


class TeamRounds:
    """The matches of teams."""

    def __init__(self, report: Report) -> None:
        records = report.team_records
        system = team_system(report)
        self.options = system.options
        self._is_by_match_points = system.is_by_match_points
        self._matches = Matches(report)
        self._teams = {team.number: team for team in records.teams}
        self.ids = sorted(self._teams)
        numbers = [forfeit.round_number for forfeit in records.forfeits]
        byes = records.byes.teams if records.byes else ()
        numbers += [number for number, team in enumerate(byes, start=1) if team]
        self.last = max(reading.rounds_played(report.players), *numbers, 0)
        self.points = PointSystem(win=records.win, draw=records.draw, loss=records.loss)
        self.primary = "MP" if system.is_by_match_points else "GP"

    def match(self, number: int, round_number: int) -> Match:
        """Return the match of the team, or its round without one."""
        return self._matches.of(self._teams[number], round_number)

    @property
    def boards(self) -> int:
        """The boards of a match."""
        return self._matches.boards

    def line_up(self, number: int, round_number: int) -> Sequence[int]:
        """Return the players of the team by board, 0 for an empty one."""
        return self._matches.line_up(self._teams[number], round_number)

    def record(self, number: int, round_number: int) -> RoundRecord:
        """Return the match of the team."""
        match = self.match(number, round_number)
        scores = match.match_halves, match.game_halves
        primary, second = scores if self._is_by_match_points else scores[::-1]
        return RoundRecord(match.round_kind, match.opponent, primary, second_halves=second)

    def claim(self, number: int, scores: tuple[int, int]) -> str:
        """Return the difference from record 310, as a sentence."""
        team = self._teams[number]
        match, game = scores if self._is_by_match_points else scores[::-1]
        if team.match_halves in (None, match) and team.game_halves in (None, game):
            return ""
        return (
            f"team {number} has {match / 2} match points and {game / 2} game points by the results, and"
            f" {(team.match_halves or 0) / 2} and {(team.game_halves or 0) / 2} in record 310"
        )


class DoubleRounds:
    """Matches of two games: two columns each, the colours reversed in the second."""

    options = FormatOptions()

    def __init__(self, report: Report) -> None:
        self._players = {player.id: player for player in report.players}
        self._games = problems.Records(report)
        self._absences = {(a.round_number, i): a.code for a in report.absences for i in a.ids}
        self.ids = sorted(self._players)
        self.last = (reading.rounds_played(report.players) + 1) // 2
        each = report.points
        # 1.4: a bye is a win and a draw. Other results are those of two games.
        self.points = each._replace(pairing_bye=each.win, second_bye=each.draw).of_match

    def record(self, number: int, round_number: int) -> RoundRecord:
        """Return the match of the player: a bye counts once, of other matches the games are added."""
        player = self._players[number]
        games = [_result(player, 2 * round_number - 1), _result(player, 2 * round_number)]
        results = [game for game in games if game is not None]
        if not results:
            code = self._absences.get((round_number, number), Code.ZERO_BYE)
            return RoundRecord(RoundKind(code.kind), None, self.points.worth(code.kind))
        kind = _match_kind(games)
        if kind is RoundKind.PAIRING_BYE:
            return RoundRecord(kind, None, self.points.pairing_bye)
        halves = sum(
            self._games.halves(number, 2 * round_number - 1 + n, game.code)
            for n, game in enumerate(games)
            if game
        )
        return RoundRecord(kind, results[0].opponent, halves)

    def claim(self, number: int, scores: tuple[int, int]) -> str:
        """Return the difference from the points of record 001, as a sentence."""
        claimed = self._players[number].points_halves
        if claimed in (None, scores[0]):
            return ""
        return (
            f"player {number} has {scores[0] / 2} points by the results, and {(claimed or 0) / 2} in"
            " columns 81 to 84"
        )


def _result(player: Player, column: int) -> Result | None:
    return player.results[column - 1] if column <= len(player.results) else None


def _match_kind(games: list[Result | None]) -> RoundKind:
    """Return the kind of a match of these two games: forfeited only by a player who forfeits both (C.04.5 0)."""
    codes = [game.code if game else Code.ZERO_BYE for game in games]
    for n, game in enumerate(games):
        if game and game.code.is_played:
            is_white_first = game.is_white if n == 0 else not game.is_white
            return RoundKind.FIRST if is_white_first else RoundKind.SECOND
    if codes == [Code.FORFEIT_LOSS] * 2:
        return RoundKind.FORFEIT_LOSS
    if set(codes) == {Code.FORFEIT_WIN, Code.FORFEIT_LOSS}:
        return RoundKind.SPLIT
    return RoundKind(next((c for c in codes if c is not Code.ZERO_BYE), Code.ZERO_BYE).kind)


def match_problem(report: Report, round_number: int | None = None) -> PairingProblem:
    """Return the problem of pairing the next round of matches, or that round in its state at the time.

    Raises:
        UnpairableReportError: when the file does not say enough, or contradicts itself.
    """
    if is_team_table(report):
        raise UnpairableReportError("a round robin of teams is paired by its table")
    rounds = rounds_of(report)
    number = rounds.last + 1 if round_number is None else round_number
    total = problems.checked_total(report, number)
    if report.odd_is_white is None:
        raise UnpairableReportError("the initial colour (152, XXC) is missing")
    if round_number is None and (conflict := match_points_conflict(report)):
        raise UnpairableReportError(conflict)
    virtual = problems.virtual_halves(report, rounds.ids, number, rounds.points)
    everybody = [
        Contestant(i, tuple(rounds.record(i, r) for r in range(1, number)), virtual[i])
        for i in rounds.ids
    ]
    away = {i for a in report.absences if a.round_number == number for i in a.ids}
    if number <= rounds.last:
        away |= {i for i in rounds.ids if _is_idle(rounds.record(i, number))}
    return PairingProblem(
        round_number=number,
        rounds_total=total,
        contestants=tuple(c for c in everybody if c.tpn not in away),
        odd_tpn_is_first=report.odd_is_white,
        forbidden=problems.forbidden_pairs(report, number),
        points=rounds.points,
        absent=tuple(c for c in everybody if c.tpn in away),
        options=rounds.options,
    ).checked()


def _is_idle(record: RoundRecord) -> bool:
    return record.opponent is None and record.kind is not RoundKind.PAIRING_BYE


def match_points_conflict(report: Report) -> str:
    """Return the first contestant whose points disagree with the results, as a sentence, or an empty text."""
    rounds = rounds_of(report)
    claims = (rounds.claim(i, scores) for i, scores in match_scores(report).items())
    return next(filter(None, claims), "")


def match_scores(report: Report) -> dict[int, tuple[int, int]]:
    """Return the primary and the secondary score by number after the rounds that have been paired, in half points."""
    rounds = rounds_of(report)
    scores = {}
    for i in rounds.ids:
        records = [rounds.record(i, r) for r in range(1, rounds.last + 1)]
        scores[i] = sum(r.score_halves for r in records), sum(r.second_halves for r in records)
    return scores


def match_boards(report: Report, number: int) -> set[tuple[int, int]]:
    """Return the boards of a round as the file has them.

    A match that was not played has no colours, and is listed both ways.
    """
    rounds = rounds_of(report)
    boards = set()
    for i in rounds.ids:
        record = rounds.record(i, number)
        if record.kind is RoundKind.PAIRING_BYE:
            boards.add((i, 0))
        elif record.opponent is not None and record.kind is not RoundKind.SECOND:
            boards.add((i, record.opponent))
    return boards
