"""The rounds of a foreign report: boards with their results, and seats without an opponent."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournaments import trf
from tournaments.models import Game, Seat
from tournaments.queries import formats
from tournaments.queries.results.round_seats import SIDES
from tournaments.trf import Code


def codes_of(result: Game.Result) -> tuple[Code, Code]:
    """Return the codes of the two sides of a game with this result."""
    first, second = map(Code.of, SIDES[result])
    return (first.short, second.short) if result in Game.SHORT else (first, second)


_RESULTS = {codes_of(each): each for each in Game.Result if each != Game.Result.VOID}


def result_of(first: Code, second: Code) -> Game.Result | None:
    """Return the result with these codes of the two sides; None for codes that no result has."""
    usual = (Code.of(first.kind), Code.of(second.kind))
    return _RESULTS.get((first, second)) or _RESULTS.get(usual)


@dataclass(frozen=True, slots=True)
class ReportProblem:
    """A reason for which the report cannot be an event here. `line` is 0 for the whole file."""

    line: int
    code: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class ForeignBoard:
    """A board of a round that was paired: the sides by TPN and a result of `Game.Result`.

    Attributes:
        games: of a match of teams its boards in their order, whose sides are players by their
            numbers in the file, 0 for an empty board. The match itself has no result.
    """

    first: int
    second: int
    result: str
    games: Sequence[ForeignBoard] = ()

    @property
    def is_met(self) -> bool:
        """Return whether a game was played."""
        return any("forfeit" not in each.result for each in self.games or (self,))


@dataclass(frozen=True, slots=True)
class ForeignRound:
    """A round: its boards in their order, and the seats without an opponent by TPN."""

    boards: Sequence[ForeignBoard]
    byes: Mapping[int, Seat.Kind]


class PlayerRounds:
    """The rounds of a report, and the faults of their results."""

    def __init__(self, report: trf.Report, lines: Mapping[int, int], format_: str) -> None:
        self.problems: list[ReportProblem] = []
        self._report = report
        self._lines = lines
        self._played = trf.rounds_played(report)
        self._players = {player.id: player for player in report.players}
        self._given = {(i, a.round_number): a.code for a in report.absences for i in a.ids}
        self._halves: dict[int, int] = defaultdict(int)
        self._had_bye: set[int] = set()
        self._has_one_bye = not formats.FORMATS[format_].repeats_byes

    def round(self, number: int) -> ForeignRound:
        """Return that round. The rounds before it come first, as boards are ordered by the scores."""
        boards = []
        byes = {}
        for player in self._report.players:
            result = self._result(player.id, number)
            if result is None or result.opponent is None:
                code = result.code if result else self._given.get((player.id, number))
                byes[player.id] = self._bye(player.id, code or Code.ZERO_BYE)
            elif self._is_first(player.id, result, number):
                board = self._board(player.id, result, number)
                if board is not None:
                    boards.append(board)
        boards.sort(key=self._precedence)
        for player in self._report.players:
            result = self._result(player.id, number)
            code = result.code if result else self._given.get((player.id, number), Code.ZERO_BYE)
            self._halves[player.id] += self._report.points.worth(code.kind)
        return ForeignRound(boards, byes)

    def byes_to_come(self) -> dict[tuple[int, int], Seat.Kind]:
        """Announced byes of the rounds that have not been paired."""
        byes = {key: bye_of(code) for key, code in self._given.items() if key[1] > self._played}
        for player in self._report.players:
            later = enumerate(player.results[self._played :], start=self._played + 1)
            byes |= {(player.id, number): bye_of(r.code) for number, r in later if r is not None}
        return byes

    def _result(self, tpn: int, number: int) -> trf.Result | None:
        results = self._players[tpn].results
        return results[number - 1] if number <= len(results) else None

    def _is_first(self, tpn: int, result: trf.Result, number: int) -> bool:
        """Return whether the player has the first side.

        In a forfeit without colours it is the lower number.
        """
        opponent = result.opponent or 0
        theirs = self._result(opponent, number)
        if result.is_white is not None:
            return result.is_white
        if theirs is not None and theirs.is_white is not None:
            return not theirs.is_white
        return tpn < opponent

    def _board(self, tpn: int, result: trf.Result, number: int) -> ForeignBoard | None:
        opponent = result.opponent or 0
        theirs = self._result(opponent, number)
        assert theirs is not None, "the reader has compared the two"
        known = result_of(result.code, theirs.code)
        if known is None:
            detail = f"{number}: {result.code.value} {theirs.code.value}"
            self.problems.append(ReportProblem(self._lines[tpn], "report-result", detail))
            return None
        return ForeignBoard(tpn, opponent, known.value)

    def _bye(self, tpn: int, code: Code) -> Seat.Kind:
        if code is Code.PAIRING_BYE:
            if self._has_one_bye and tpn in self._had_bye:
                self.problems.append(ReportProblem(self._lines[tpn], "report-second-bye"))
            self._had_bye.add(tpn)
        return bye_of(code)

    def _precedence(self, board: ForeignBoard) -> tuple[int, int, int]:
        """The order of boards (C.04.2 3.6): the higher score, the sum of both, the lower TPN."""
        scores = sorted((self._halves[board.first], self._halves[board.second]), reverse=True)
        return -scores[0], -sum(scores), min(board.first, board.second)


def bye_of(code: Code) -> Seat.Kind:
    """The seat of a round without an opponent."""
    return Seat.Kind(code.kind.without_opponent)
