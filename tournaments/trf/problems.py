"""From a report to the problem of pairing one of its rounds."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from tournaments.house_rules import HouseRules
from tournaments.pairing import SYSTEMS
from tournaments.pairing.baku import baku_halves
from tournaments.pairing.colours import allocate
from tournaments.pairing.problem import (
    Contestant,
    FormatOptions,
    PairingProblem,
    PointSystem,
    RoundKind,
    RoundRecord,
)
from tournaments.trf import reading
from tournaments.trf.errors import UnpairableReportError
from tournaments.trf.report import Code, Doubt

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from tournaments.trf.report import AbnormalPoints, Player, Report, Result, VirtualPoints

DUTCH = SYSTEMS["dutch"].report_codes
_BAKU = "_BAKU"
_MOST_FORBIDDEN = 4_000_000
_MOST_RANGES = 1000  # 250 has one for a group of players and some rounds


# A round of these is a match, of two columns or of teams: `match_problems` reads them.
DOUBLE_SWISS = SYSTEMS["double-swiss"].report_codes
TEAM = SYSTEMS["team"].report_codes[0]


def is_of_teams(report: Report) -> bool:
    """Return whether the file has teams."""
    return bool(report.team_records.teams)


def is_of_matches(report: Report) -> bool:
    """Return whether a round of the file is a match: of teams, or of two games."""
    return is_of_teams(report) or type_code(report) in DOUBLE_SWISS


def rounds_played(report: Report) -> int:
    """Return the number of rounds that have been paired."""
    return reading.rounds_played(report.players)


def doubts(report: Report) -> list[Doubt]:
    """Return the open questions of the file about its next round, though it can be paired.

    C.04.7 1.2 and 1.3: the last player of group A is that of the start. With `_BAKU` alone the
    group is counted from the players of the file, which include late entries.
    """
    open_points = []
    if is_accelerated_by_name(report) and not report.virtual and _may_have_late(report):
        open_points.append(Doubt.BAKU_BY_NAME)
    last = rounds_played(report)
    if last and not any(map(reading.is_paired, _column(report, last))):
        open_points.append(Doubt.ROUND_OF_BYES)
    return open_points


def _may_have_late(report: Report) -> bool:
    """Return whether round 1 was paired without some of the players."""
    return rounds_played(report) > 0 and not all(map(reading.is_paired, _column(report, 1)))


def _column(report: Report, number: int) -> list[Result | None]:
    return [p.results[number - 1] if number <= len(p.results) else None for p in report.players]


def points_halves(report: Report) -> dict[int, int]:
    """Points by id after the rounds that have been paired, by their results, in half points."""
    after = rounds_played(report) + 1
    records = Records(report)
    return {p.id: sum(r.score_halves for r in records.before(p, after)) for p in report.players}


def pairing_problem(
    report: Report, round_number: int | None = None, *, systems: Collection[str] = DUTCH
) -> PairingProblem:
    """Return the problem of pairing the next round, or that round in its state at the time, by one of `systems` (`192`).

    Raises:
        UnpairableReportError: when the file does not say enough, or has rules that we do not
            support.
    """
    options = checked_options(report, systems)
    number = rounds_played(report) + 1 if round_number is None else round_number
    total = checked_total(report, number)
    if report.refused:
        first = report.refused[0]
        raise UnpairableReportError(
            f"line {first.line}: record {first.code} is not followed when pairing"
        )
    away = _away(report, number)
    virtual = virtual_halves(report, sorted(p.id for p in report.players), number, report.points)
    records = Records(report)
    everybody = [
        Contestant(
            p.id, records.before(p, number), virtual[p.id], rating_centielo=100 * (p.rating or 0)
        )
        for p in report.players
    ]
    if round_number is None:
        conflict = _points_conflict(report, {c.tpn: c.score_halves for c in everybody})
        if conflict:
            raise UnpairableReportError(conflict)
    return PairingProblem(
        round_number=number,
        rounds_total=total,
        contestants=tuple(c for c in everybody if c.tpn not in away),
        odd_tpn_is_first=odd_tpn_is_first(report, systems=systems),
        forbidden=forbidden_pairs(report, number),
        points=report.points,
        absent=tuple(c for c in everybody if c.tpn in away),
        options=options,
        most_meetings=0 if _is_keizer(report, systems) else 1,
    ).checked()


def _is_keizer(report: Report, systems: Collection[str]) -> bool:
    """Return whether two may meet without a limit, after some rounds."""
    codes = SYSTEMS["keizer"].report_codes
    return report.system.split()[0] in codes if report.system else tuple(systems) == codes


def checked_total(report: Report, number: int) -> int:
    """Return the number of rounds of the event.

    Raises UnpairableReportError without one, or if it has no such round.
    """
    if report.rounds_total is None:
        raise UnpairableReportError("the number of rounds (142, XXR) is missing")
    if number > report.rounds_total:
        raise UnpairableReportError(
            f"all {report.rounds_total} rounds have been paired; there is no round {number}"
        )
    return report.rounds_total


def points_conflict(report: Report) -> str:
    """Return the first player whose points column disagrees with the results, as a sentence, or an empty text.

    One of the two would pair the wrong players, or rank them wrongly.
    """
    return _points_conflict(report, points_halves(report))


def _points_conflict(report: Report, points: Mapping[int, int]) -> str:
    past = rounds_played(report)
    for player in report.players:
        # Older programs have the points of announced byes in the column already, newer ones have not.
        announced = sum(report.points.worth(r.code.kind) for r in player.results[past:] if r)
        by_results, claimed = points[player.id], player.points_halves
        if claimed not in (None, by_results, by_results + announced):
            return (
                f"player {player.id} has {by_results / 2} points by the results, and"
                f" {(claimed or 0) / 2} in columns 81 to 84"
            )
    return ""


def _away(report: Report, number: int) -> set[int]:
    """Return the players who are not paired in the round: by `240`, `XXZ`, or by a bye in the round's column."""
    away = {i for a in report.absences if a.round_number == number for i in a.ids}
    was_paired = number <= rounds_played(report)
    for player in report.players:
        result = player.results[number - 1] if number <= len(player.results) else None
        if result and result.code.is_bye and result.code is not Code.PAIRING_BYE:
            away.add(player.id)
        elif result is None and was_paired:
            away.add(player.id)  # blank columns of a round that was paired
        elif result and result.opponent is not None:
            away.discard(player.id)
    return away


def odd_tpn_is_first(report: Report, *, systems: Collection[str]) -> bool:
    """Return whether odd numbers are White: as given, else as the first round with colours shows it (C.04.3 5.2.5).

    No player has played before that round, so 5.2.5 decides each of its boards. The board of the
    lowest TPN is taken, as bbpPairings does.

    Raises UnpairableReportError if no round has colours, and as `pairing_problem`.
    """
    if report.odd_is_white is not None:
        return report.odd_is_white
    coloured = (
        []
        if is_of_matches(report)
        else [
            (number, player.id, result)
            for player in report.players
            for number, result in enumerate(player.results, start=1)
            if result and result.opponent and result.is_white is not None
        ]
    )
    if not coloured:
        raise UnpairableReportError("the initial colour (152, XXC) is missing")
    number, tpn, result = min(coloured, key=lambda each: each[:2])
    round_ = pairing_problem(report._replace(odd_is_white=True), number, systems=systems)
    higher, lower = sorted(
        (c for c in round_.contestants if c.tpn in (tpn, result.opponent)),
        key=lambda c: (-c.pairing_halves(number), c.tpn),
    )
    return (allocate(round_, higher, lower).first == tpn) is result.is_white


def forbidden_pairs(report: Report, number: int) -> frozenset[frozenset[int]]:
    """Return the pairs that must not meet in that round."""
    groups = [
        set(group.ids)
        for group in report.forbidden
        if group.first_round <= number <= (group.last_round or number)
    ]
    if sum(len(group) ** 2 for group in groups) > _MOST_FORBIDDEN:
        raise UnpairableReportError("too many forbidden pairs")
    return frozenset(frozenset(pair) for group in groups for pair in combinations(group, 2))


class Records:
    """The rounds of every player, with byes and points that other records tell."""

    def __init__(self, report: Report) -> None:
        # By letters: the hash of a member is a function in Python.
        self._worths = {code.value: report.points.worth(code.kind) for code in Code}
        # The results of 240 for rounds whose columns are blank.
        self._given: dict[tuple[int, int], Code] = {
            (i, a.round_number): a.code for a in report.absences for i in a.ids
        }
        self._abnormal: dict[int, list[AbnormalPoints]] = {}
        for points in report.abnormal:
            for i in points.ids:
                self._abnormal.setdefault(i, []).append(points)

    def before(self, player: Player, number: int) -> tuple[RoundRecord, ...]:
        """Return the records of the rounds before that one."""
        results = player.results[: number - 1]
        blanks = range(len(results) + 1, number)
        return (
            *(self._played(player.id, r, result) for r, result in enumerate(results, start=1)),
            *(self._played(player.id, r, None) for r in blanks),
        )

    def _played(self, who: int, number: int, result: Result | None) -> RoundRecord:
        if result is None:
            code = self._given.get((who, number), Code.ZERO_BYE)
            return RoundRecord(RoundKind(code.kind), None, self.halves(who, number, code))
        code, opponent, is_white = result
        if not code.is_played:
            kind = RoundKind(code.kind)
        else:
            kind = RoundKind.FIRST if is_white else RoundKind.SECOND
        return RoundRecord(kind, opponent, self.halves(who, number, code))

    def halves(self, who: int, number: int, code: Code) -> int:
        """Return the half points of that result of a player in a round, with penalties and bonuses."""
        abnormal = self._abnormal.get(who)
        if abnormal is None:
            return self._worths[code._value_]
        extra = [p.halves for p in abnormal if p.code is None and p.round_number in (None, number)]
        return self.worth(who, number, code) + sum(extra)

    def worth(self, who: int, number: int, code: Code) -> int:
        """Return the value of that result of a player in a round, in half points."""
        halves = self._worths[code._value_]
        for points in self._abnormal.get(who, ()):
            is_of_round = points.round_number in (None, number)
            if is_of_round and points.code is not None and points.code is Code.of(code.kind):
                halves = points.halves
        return halves


def type_code(report: Report) -> str:
    """Return the code of the system (`192`) without acceleration, house rules and scores, or an empty text without one."""
    name = _system_name(report)
    return TEAM if name.startswith(TEAM) else name.removesuffix(_BAKU)


def is_accelerated_by_name(report: Report) -> bool:
    """Return whether the code of the system (`192`) says Baku acceleration, before any house rules."""
    return _system_name(report).endswith(_BAKU)


def _system_name(report: Report) -> str:
    return next(iter((report.system or "").split()), "")


def checked_options(report: Report, systems: Collection[str]) -> FormatOptions:
    """Return the options in the type of the tournament.

    A system may be accelerated. After its name clubs have their house rules, and teams their
    counting scores. Raises UnpairableReportError if it is not one of these systems.
    """
    name, *words = (report.system or "").split() or [""]
    known = type_code(report)
    if known and known not in systems:
        raise UnpairableReportError(f"{name[:40]!r} is not one of {sorted(systems)}")
    try:
        return FormatOptions(house_rules=HouseRules.of_words(words))
    except ValueError as error:
        raise UnpairableReportError(f"{str(error)[:40]!r} is no setting of {name}") from error


def virtual_halves(
    report: Report, ids: list[int], number: int, points: PointSystem
) -> dict[int, tuple[int, ...]]:
    """Virtual points by id for the rounds up to `number`: by `250` and `XXA`, else by the system's name."""
    if report.virtual or not is_accelerated_by_name(report):
        return _given_virtual(report, ids, number)
    if not points.is_standard_scale:
        raise UnpairableReportError(
            "acceleration needs a win worth two draws and a loss worth nothing"
        )
    assert report.rounds_total is not None, "asked for before"
    return {
        i: tuple(
            baku_halves(
                rank=rank,
                players=len(ids),
                round_number=r,
                rounds_total=report.rounds_total,
                win_halves=points.win,
            )
            for r in range(1, number + 1)
        )
        for rank, i in enumerate(ids, start=1)
    }


def _given_virtual(report: Report, ids: list[int], number: int) -> dict[int, tuple[int, ...]]:
    own: dict[int, list[VirtualPoints]] = {}
    ranges = []
    for virtual in report.virtual:
        if virtual.first_id == virtual.last_id:
            own.setdefault(virtual.first_id, []).append(virtual)
        else:
            ranges.append(virtual)
    if len(ranges) > _MOST_RANGES:
        raise UnpairableReportError(f"more than {_MOST_RANGES} ranges of virtual points")
    points = {}
    for who in ids:
        halves = [0] * number
        for v in (*own.get(who, ()), *(v for v in ranges if v.first_id <= who <= v.last_id)):
            for r in range(v.first_round, min(v.last_round, number) + 1):
                halves[r - 1] += v.halves
        points[who] = tuple(halves)
    return points
