"""FIDE reports of events that were run elsewhere: the parts that can be an event here, and the others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tournaments import trf
from tournaments.house_rules import USUAL_RULES, HouseRules
from tournaments.models import Event, Game, Seat
from tournaments.models.event_settings import SETTINGS
from tournaments.models.events import MAX_ENTRIES, MAX_ROUNDS
from tournaments.pairing import PointSystem
from tournaments.queries import formats
from tournaments.queries.arbiter import foreign_heads
from tournaments.queries.events import personal_data, player_lists
from tournaments.queries.events.player_lists import ListedPlayer
from tournaments.standings import System, UnknownTieBreakError, tie_breaks
from tournaments.trf import Code

_SYSTEMS = {
    code: each.code
    for each in formats.FORMATS.values()
    if each.is_swiss
    for code in each.report_codes
}
# Reports of these systems can continue here.
SYSTEMS = tuple(_SYSTEMS)
_BAKU = "_BAKU"
_RESULTS = {
    (Code.WIN, Code.LOSS): Game.Result.FIRST,
    (Code.LOSS, Code.WIN): Game.Result.SECOND,
    (Code.DRAW, Code.DRAW): Game.Result.DRAW,
    (Code.FORFEIT_WIN, Code.FORFEIT_LOSS): Game.Result.FIRST_FORFEIT,
    (Code.FORFEIT_LOSS, Code.FORFEIT_WIN): Game.Result.SECOND_FORFEIT,
    (Code.FORFEIT_LOSS, Code.FORFEIT_LOSS): Game.Result.DOUBLE_FORFEIT,
}


@dataclass(frozen=True, slots=True)
class ReportProblem:
    """A reason for which the report cannot be an event here. `line` is 0 for the whole file."""

    line: int
    code: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class ForeignBoard:
    """A board of a round that was paired: the sides by TPN and a result of `Game.Result`."""

    first: int
    second: int
    result: str


@dataclass(frozen=True, slots=True)
class ForeignRound:
    """A round: its boards in their order, and the seats without an opponent by TPN."""

    boards: Sequence[ForeignBoard]
    byes: Mapping[int, Seat.Kind]


@dataclass(frozen=True, slots=True)
class ForeignEvent:
    """A report as an event here.

    Attributes:
        name: the name in the file (`012`), at most 80 characters.
        format: a Swiss, or a round robin, which can be stored but not continued.
        players: by TPN.
        rounds: the paired rounds.
        byes_to_come: kinds of bye by TPN and round, in rounds that are not paired yet.
        tie_breaks: the announced tie-breaks; empty without any, or with others than ours.
        not_kept: the content of the file that has no field here: codes of records, and of columns
            of players.
        doubts: open questions of the file about its next round.
        asks_rounds: whether the file lacks the number of rounds of the event.
        house_rules: the parameters of a club's system; the usual ones if they cannot be read.
        problems: reasons for which it cannot be an event here.
        obstacle: the reason for which it cannot continue here, in English; empty without one.
    """

    report: trf.Report
    name: str
    format: str
    players: Mapping[int, ListedPlayer]
    rounds: Sequence[ForeignRound]
    byes_to_come: Mapping[tuple[int, int], Seat.Kind]
    tie_breaks: str
    problems: Sequence[ReportProblem]
    obstacle: str
    not_kept: Sequence[str] = ()
    doubts: Sequence[trf.Doubt] = ()
    asks_rounds: bool = False
    house_rules: HouseRules = USUAL_RULES


def read(text: str, *, rounds_total: int | None = None) -> ForeignEvent:
    """The content of a report, with every problem that prevents its import.

    `rounds_total` is the number of rounds by the organiser, for a report without one.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
    faults = trf.faults(text)
    if team := _team_record(text, is_broken=bool(faults)):
        return _unreadable([team])
    if faults:
        return _unreadable(
            [ReportProblem(fault.line, "report-format", fault.reason) for fault in faults]
        )
    report = trf.read(text)
    if trf.is_of_matches(report):
        return _unreadable([ReportProblem(0, "report-matches")])
    asks_rounds = report.rounds_total is None
    report = replace(report, rounds_total=report.rounds_total or rounds_total)
    lines = {
        int(line[4:8]): number
        for number, line in enumerate(text.split("\n"), start=1)
        if line.startswith("001")
    }
    problems: list[ReportProblem] = [*_problems(report)]
    nationals = {each.id: each for each in map(trf.national_of, report.headers) if each}
    players = {}
    for player in report.players:
        row = player_lists.row_of_record(lines[player.id], player, nationals.get(player.id))
        if row.player is None:
            assert row.problem is not None, "a row has a player or a problem"
            problems.append(ReportProblem(row.line, f"listed-{row.problem.value}", row.text))
        else:
            players[player.id] = row.player
    is_table = trf.system_of(report) is System.ROUND_ROBIN
    system, *words = (report.system or trf.DUTCH[0]).split()
    swiss = _SYSTEMS.get(system.removesuffix(_BAKU), Event.Format.DUTCH)
    format_ = Event.Format.ROUND_ROBIN if is_table else swiss
    reader = _Rounds(report, lines, format_)
    rounds = [reader.round(number) for number in range(1, trf.rounds_played(report) + 1)]
    problems += reader.problems
    problems += _wrong_points(report, lines)
    name = next((h.text.strip() for h in report.headers if h.code == "012"), "")
    return ForeignEvent(
        report=report,
        name=name[:80],
        format=format_,
        players=players,
        rounds=rounds,
        byes_to_come=reader.byes_to_come(),
        tie_breaks=_tie_breaks(report, is_table=is_table),
        house_rules=_house_rules(words),
        problems=problems,
        obstacle="a round robin" if is_table else _obstacle(report),
        not_kept=list(_not_kept(report, is_table=is_table)),
        doubts=trf.doubts(report),
        asks_rounds=asks_rounds and not is_table,
    )


# Records about the tournament that no field of an event has. Others are stored, or follow from
# stored data.
_RECORDS_NOT_KEPT = ("222", "###")


def _not_kept(report: trf.Report, *, is_table: bool) -> Iterator[str]:
    texts = {h.code: h.text.strip() for h in report.headers}
    yield from (code for code in _RECORDS_NOT_KEPT if texts.get(code))
    yield from foreign_heads.not_kept(report)
    if trf.announced_tie_breaks(report) and not _tie_breaks(report, is_table=is_table):
        yield "202"
    if any(personal_data.sex(player.sex) is None for player in report.players):
        yield "sex"
    if any(personal_data.birth(player.born) is None for player in report.players):
        yield "born"


def _house_rules(words: Sequence[str]) -> HouseRules:
    try:
        return HouseRules.of_words(words)
    except ValueError:  # then the next round cannot be paired from the file either
        return USUAL_RULES


def _team_record(text: str, *, is_broken: bool) -> ReportProblem | None:
    """Return the problem of the first record of a team event, whose other lines differ from those of individuals.

    An individual event may have teams (013), too. They count as the cause only if the file breaks
    the format.
    """
    codes = (*trf.TEAM_RECORDS, "013") if is_broken else trf.TEAM_RECORDS
    for number, line in enumerate(text.split("\n"), start=1):
        if line[:3] in codes:
            return ReportProblem(number, "report-teams", line[:3])
    return None


def _unreadable(problems: Sequence[ReportProblem]) -> ForeignEvent:
    report = trf.Report(players=())
    return ForeignEvent(report, "", Event.Format.DUTCH, {}, (), {}, "", problems, "not readable")


def _obstacle(report: trf.Report) -> str:
    """Return the reason for which the next round cannot be paired from the file; empty without one."""
    if (report.rounds_total or 0) > MAX_ROUNDS:
        return f"more than {MAX_ROUNDS} rounds"
    try:
        trf.pairing_problem(report, systems=SYSTEMS)
    except trf.UnpairableReportError as error:
        return str(error)
    return ""


def _problems(report: trf.Report) -> Iterator[ReportProblem]:
    if not 2 <= len(report.players) <= MAX_ENTRIES:
        yield ReportProblem(0, "report-players", str(len(report.players)))
    if report.abnormal:
        yield ReportProblem(0, "report-abnormal")
    if trf.rounds_played(report) > MAX_ROUNDS:
        yield ReportProblem(0, "report-rounds", str(trf.rounds_played(report)))
    points = report.points
    own = PointSystem(
        win=points.win,
        draw=points.draw,
        loss=points.loss,
        pairing_bye=points.pairing_bye,
        half_bye=points.draw,
        full_bye=points.win,
        forfeit_win=points.win,
    )
    is_ordered = 0 <= points.loss <= points.draw < points.win <= 20  # in half points
    if points != own or not is_ordered or not 0 <= points.pairing_bye <= points.win:
        yield ReportProblem(0, "report-point-system")


def _wrong_points(report: trf.Report, lines: Mapping[int, int]) -> Iterator[ReportProblem]:
    """Players whose points column disagrees with their results, or with announced byes added."""
    by_results = trf.points_halves(report)
    played = trf.rounds_played(report)
    for player in report.players:
        announced = sum(report.points.worth(r.code.kind) for r in player.results[played:] if r)
        halves = by_results[player.id]
        if player.points_halves not in {None, halves, halves + announced}:
            detail = f"{(player.points_halves or 0) / 2} / {halves / 2}"
            yield ReportProblem(lines[player.id], "report-points", detail)


def _tie_breaks(report: trf.Report, *, is_table: bool) -> str:
    """Return the tie-breaks that the file announces, without the points; empty if we do not have them."""
    names = [name for name in trf.announced_tie_breaks(report) if name != "PTS"]
    system = System.ROUND_ROBIN if is_table else System.SWISS
    try:
        choices = tie_breaks(names) if names else ()
    except UnknownTieBreakError:
        return ""
    text = ",".join(names)
    does_fit = all(system in choice.entry.fits for choice in choices)
    return text if does_fit and SETTINGS["tie_breaks"].allows(text) else ""


class _Rounds:
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
        # In Keizer all have a second bye after everyone has had the first.
        self._has_one_bye = format_ != Event.Format.KEIZER

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
        byes = {key: _bye(code) for key, code in self._given.items() if key[1] > self._played}
        for player in self._report.players:
            later = enumerate(player.results[self._played :], start=self._played + 1)
            byes |= {(player.id, number): _bye(r.code) for number, r in later if r is not None}
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
        codes = (Code.of(result.code.kind), Code.of(theirs.code.kind))
        if codes not in _RESULTS:
            detail = f"{number}: {result.code.value} {theirs.code.value}"
            self.problems.append(ReportProblem(self._lines[tpn], "report-result", detail))
            return None
        return ForeignBoard(tpn, opponent, _RESULTS[codes])

    def _bye(self, tpn: int, code: Code) -> Seat.Kind:
        if code is Code.PAIRING_BYE:
            if self._has_one_bye and tpn in self._had_bye:
                self.problems.append(ReportProblem(self._lines[tpn], "report-second-bye"))
            self._had_bye.add(tpn)
        return _bye(code)

    def _precedence(self, board: ForeignBoard) -> tuple[int, int, int]:
        """The order of boards (C.04.2 3.6): the higher score, the sum of both, the lower TPN."""
        scores = sorted((self._halves[board.first], self._halves[board.second]), reverse=True)
        return -scores[0], -sum(scores), min(board.first, board.second)


def _bye(code: Code) -> Seat.Kind:
    """The seat of a round without an opponent."""
    return Seat.Kind(code.kind.without_opponent)
