"""FIDE reports of events that were run elsewhere: the parts that can be an event here, and the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tournaments import trf
from tournaments.house_rules import USUAL_RULES, HouseRules
from tournaments.models import Event, Seat
from tournaments.models.entries import HIGHEST_CENTIELO, LOWEST_CENTIELO, LaterRating
from tournaments.models.event_settings import SETTINGS
from tournaments.models.events import MAX_ENTRIES, MAX_ROUNDS
from tournaments.pairing import FormatOptions, PointSystem
from tournaments.queries import formats
from tournaments.queries.arbiter import foreign_heads, foreign_rated, foreign_teams
from tournaments.queries.arbiter.foreign_rated import RatedResult
from tournaments.queries.arbiter.foreign_rounds import ForeignRound, PlayerRounds, ReportProblem
from tournaments.queries.arbiter.foreign_teams import ForeignTeam, MatchRounds, MatchSettings
from tournaments.queries.events import personal_data, player_lists
from tournaments.queries.events.player_lists import ListedPlayer
from tournaments.standings import System, UnknownTieBreakError, tie_breaks

_SYSTEMS = {
    code: each.code
    for each in formats.FORMATS.values()
    if each.is_swiss
    for code in each.report_codes
}
# Reports of these systems can continue here.
SYSTEMS = tuple(_SYSTEMS)
_BAKU = "_BAKU"


@dataclass(frozen=True, slots=True)
class ForeignEvent:
    """A report as an event here.

    Attributes:
        name: the name in the file (`012`), at most 80 characters.
        format: a Swiss, or a round robin, which can be stored but not continued.
        players: by their numbers in the file, which are TPNs in an event of individuals.
        rounds: the paired rounds.
        byes_to_come: kinds of bye by TPN and round, in rounds that are not paired yet.
        tie_breaks: the announced tie-breaks; empty without any, or with others than ours.
        not_kept: the content of the file that has no field here: codes of records, and of columns
            of players.
        doubts: open questions of the file about its next round.
        adjustments: the lines that were changed because of the age of the file, by the change.
        asks_rounds: whether the file lacks the number of rounds of the event.
        house_rules: the parameters of a club's system; the usual ones if they cannot be read.
        teams: by TPN; empty in an event of individuals.
        match_settings: the settings of an event of teams, None in another one.
        rated: the games with another result in the rating report than in the standings.
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
    adjustments: Mapping[str, Sequence[int]] = field(default_factory=dict)
    asks_rounds: bool = False
    house_rules: HouseRules = USUAL_RULES
    teams: Mapping[int, ForeignTeam] = field(default_factory=dict)
    match_settings: MatchSettings | None = None
    rated: Sequence[RatedResult] = ()


def read(text: str, *, rounds_total: int | None = None) -> ForeignEvent:
    """The content of a report, with every problem that prevents its import.

    `rounds_total` is the number of rounds by the organiser, for a report without one.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
    older = trf.adjusted(text)
    text = older.text
    faults = trf.faults(text)
    if faults:
        return _unreadable(_faults(text, faults))
    report = trf.read(text)
    is_of_teams = trf.is_of_teams(report)
    if trf.is_of_matches(report) and not is_of_teams:
        return _unreadable([ReportProblem(0, "report-matches")])
    asks_rounds = report.rounds_total is None
    report = report._replace(rounds_total=report.rounds_total or rounds_total)
    if is_of_teams:
        try:
            trf.team_system(report)
        except trf.UnpairableReportError:
            return _unreadable([ReportProblem(0, "report-team-system", report.system or "")])
        report = foreign_teams.as_usual(report)
    of_standings = foreign_rated.of_standings(report)
    report = of_standings.report
    problems: list[ReportProblem] = [*_problems(report)]
    lines = _lines(text, "001")
    players = _players(report, lines, problems)
    is_table = trf.system_of(report) is System.ROUND_ROBIN
    format_ = _format(report, is_table=is_table)
    reader: PlayerRounds | MatchRounds
    if is_of_teams:
        reader = MatchRounds(report, _lines(text, "310"), is_table=is_table)
        problems += reader.general_problems(lines)
    else:
        reader = PlayerRounds(report, lines, format_)
    rounds = [reader.round(number) for number in range(1, trf.rounds_played(report) + 1)]
    problems += reader.problems
    if not is_of_teams:
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
        house_rules=_house_rules((report.system or "").split()[1:]),
        problems=problems,
        obstacle="a round robin" if is_table else _obstacle(report),
        not_kept=list(_not_kept(report, is_table=is_table)),
        doubts=trf.doubts(report),
        adjustments={kind.value: lines for kind, lines in older.lines.items()},
        asks_rounds=asks_rounds and not is_table,
        teams=reader.teams if isinstance(reader, MatchRounds) else {},
        match_settings=reader.settings if isinstance(reader, MatchRounds) else None,
        rated=of_standings.rated,
    )


def _lines(text: str, code: str) -> dict[int, int]:
    """Return the lines of the records of that code by the numbers of their players or teams."""
    return {
        int(line[4:8]): number
        for number, line in enumerate(text.split("\n"), start=1)
        if line.startswith(code)
    }


def _players(
    report: trf.Report, lines: Mapping[int, int], problems: list[ReportProblem]
) -> dict[int, ListedPlayer]:
    """Return the players by their numbers, and add the problems of their records."""
    nationals = {each.id: each for each in map(trf.national_of, report.headers) if each}
    players = {}
    for player in report.players:
        row = player_lists.row_of_record(lines[player.id], player, nationals.get(player.id))
        if row.player is None:
            assert row.problem is not None, "a row has a player or a problem"
            problems.append(ReportProblem(row.line, f"listed-{row.problem.value}", row.text))
        else:
            players[player.id] = row.player
    return players


def _format(report: trf.Report, *, is_table: bool) -> str:
    if is_table:
        of_table = (Event.Format.ROUND_ROBIN, Event.Format.TEAM_ROUND_ROBIN)
        return of_table[trf.is_of_teams(report)]
    if trf.is_of_teams(report):
        return Event.Format.TEAM
    system = (report.system or trf.DUTCH[0]).split()[0]
    return _SYSTEMS.get(system.removesuffix(_BAKU), Event.Format.DUTCH)


def later_ratings(report: trf.Report) -> Mapping[int, Sequence[LaterRating]]:
    """Return the ratings that hold from a later round on, by the player's number in the file.

    Ratings that no event can have are left out.
    """
    last = report.rounds_total or trf.rounds_played(report)
    return {
        number: [
            LaterRating(each.first_round, 100 * each.rating)
            for each in sorted(ratings)
            if 2 <= each.first_round <= last
            and LOWEST_CENTIELO <= 100 * each.rating <= HIGHEST_CENTIELO
        ]
        for number, ratings in trf.later_ratings(report).items()
    }


# Records about the tournament that no field of an event has. Others are stored, or follow from
# stored data.
_RECORDS_NOT_KEPT = ("222", "###")


def _is_kept(comment: str) -> bool:
    return trf.is_about_ratings(comment) or foreign_rated.is_about_ratings(comment)


def _not_kept(report: trf.Report, *, is_table: bool) -> Iterator[str]:
    texts = {
        h.code: text for h in report.headers if (text := h.text.strip()) and not _is_kept(text)
    }
    yield from (code for code in _RECORDS_NOT_KEPT if code in texts)
    yield from foreign_heads.not_kept(report)
    if trf.announced_tie_breaks(report) and not _tie_breaks(report, is_table=is_table):
        yield "202"
    if any(team.nickname for team in report.team_records.teams):
        yield "nickname"
    if any(personal_data.sex(player.sex) is None for player in report.players):
        yield "sex"
    if any(personal_data.birth(player.born) is None for player in report.players):
        yield "born"


def _house_rules(words: Sequence[str]) -> HouseRules:
    try:
        return HouseRules.of_words(words)
    except ValueError:  # then the next round cannot be paired from the file either
        return USUAL_RULES


def _faults(text: str, faults: Sequence[trf.BadReportError]) -> list[ReportProblem]:
    """Return the faults of the format, or one problem for a file of teams (`013`) in an older dialect.

    An individual event may have such teams too.
    """
    for number, line in enumerate(text.split("\n"), start=1):
        if line.startswith("013"):
            return [ReportProblem(number, "report-teams", "013")]
    return [ReportProblem(fault.line, "report-format", fault.reason) for fault in faults]


def _unreadable(problems: Sequence[ReportProblem]) -> ForeignEvent:
    report = trf.Report(players=())
    return ForeignEvent(report, "", Event.Format.DUTCH, {}, (), {}, "", problems, "not readable")


def _obstacle(report: trf.Report) -> str:
    """Return the reason for which the next round cannot be paired from the file; empty without one."""
    if (report.rounds_total or 0) > MAX_ROUNDS:
        return f"more than {MAX_ROUNDS} rounds"
    if trf.is_of_teams(report) and trf.team_system(report).options != FormatOptions():
        return f"{report.system} has other colours or scores"
    if trf.is_of_teams(report) and is_accelerated(report):
        return "accelerated teams"
    try:
        trf.pairing_problem(report, systems=SYSTEMS)
    except trf.UnpairableReportError as error:
        return str(error)
    return ""


def _problems(report: trf.Report) -> Iterator[ReportProblem]:
    contestants = report.team_records.teams or report.players
    if len(contestants) < 2 or len(report.players) > MAX_ENTRIES:
        yield ReportProblem(0, "report-players", str(len(contestants)))
    if len(deductions(report)) < len(report.abnormal):
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
    is_ordered &= 2 * points.draw <= points.win + points.loss
    if points != own or not is_ordered or not 0 <= points.pairing_bye <= points.win:
        yield ReportProblem(0, "report-point-system")


def deductions(report: trf.Report) -> list[trf.AbnormalPoints]:
    """Return the points that an arbiter deducted in rounds of the file: of players, or of teams match points."""
    of_teams = trf.is_of_teams(report)
    last = trf.rounds_played(report)
    # A team has a match or a bye in every round.
    in_round = {
        (player.id, number)
        for player in report.players
        for number, result in enumerate(player.results, start=1)
        if result is not None
    }
    return [
        each
        for each in report.abnormal
        if each.code is None
        and each.round_number is not None
        and each.round_number <= last
        and (of_teams or {(tpn, each.round_number) for tpn in each.ids} <= in_round)
        and (each.halves, each.match_halves)[not of_teams] == 0
        and (each.halves, each.match_halves)[of_teams] < 0
    ]


def is_accelerated(report: trf.Report) -> bool:
    """Return whether virtual points of the file count in its pairings."""
    return bool(report.virtual) or trf.is_accelerated_by_name(report)


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
        choices = tie_breaks(names, of_teams=trf.is_of_teams(report)) if names else ()
    except UnknownTieBreakError:
        return ""
    text = ",".join(names)
    does_fit = all(system in choice.entry.fits for choice in choices)
    return text if does_fit and SETTINGS["tie_breaks"].allows(text) else ""
