"""`Report` to text: TRF-2026, with LF line ends."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tournaments.pairing.problem import PointSystem
from tournaments.trf.columns import MAX_ROUNDS
from tournaments.trf.report import Header, TeamRecords
from tournaments.trf.team_records import MATCH_RESULTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tournaments.trf.report import Player, Report, Result, Team

_IDS_A_LINE = 20
# Columns 15 to 47 of a player's record.
NAME_WIDTH = 33


# One edition of the Dutch rules under two names (record 192): that of the handbook, and that of TEC's first table.
DUTCH_2026, DUTCH_2025 = "FIDE_DUTCH_2026", "FIDE_DUTCH_2025"


def write(report: Report, *, is_code_2025: bool = False) -> str:
    """Return the report as TRF-2026.

    `read` gives this report back, but for records of older dialects, now in the new ones.

    With `is_code_2025` record 192 has the older name of the Dutch system: bbpPairings 6.0.0 refuses
    the newer one.
    """
    if is_code_2025 and report.system:
        report = report._replace(system=report.system.replace(DUTCH_2026, DUTCH_2025))
    lines = [
        *_settings(report),
        *(player_line(p) for p in report.players),
        *_team_lines(report.team_records),
        *_special(report),
    ]
    return "".join(line.rstrip() + "\n" for line in lines)


def _settings(report: Report) -> Iterator[str]:
    for header in report.headers:
        yield f"{header.code} {on_a_line(header.text)}"
    if report.rounds_total is not None:
        yield f"142 {report.rounds_total}"
    if report.odd_is_white is not None:
        yield f"152 {'W' if report.odd_is_white else 'B'}"
    if report.points != PointSystem():
        yield from _points(report.points)
    if report.system:
        yield f"192 {report.system}"


def _points(points: PointSystem) -> Iterator[str]:
    # 162 has one symbol for a win and the results that count as one, for a zero-point bye and a
    # forfeit loss, and so on. A system that sets them apart says it in the older dialect as well.
    values = {
        "W": points.win,
        "D": points.draw,
        "L": points.loss,
        # bbpPairings refuses the symbol for absences. Without it they are worth zero.
        **({"A": points.zero_bye} if points.zero_bye else {}),
        "P": points.pairing_bye,
    }
    yield "162  " + "    ".join(f"{symbol}{decimal(halves)}" for symbol, halves in values.items())
    apart = {
        "FW": (points.forfeit_win, points.win),
        "FPB": (points.full_bye, points.win),
        "HPB": (points.half_bye, points.draw),
        "FL": (points.forfeit_loss, points.zero_bye),
    }
    words = [f"{name}={own / 2}" for name, (own, implied) in apart.items() if own != implied]
    if words:
        yield " ".join(("XXS", *words))


def decimal(halves: int) -> str:
    """Half points as the four columns of a file have them: 3 -> ` 1.5`."""
    return f"{halves / 2:4.1f}"


def player_line(player: Player) -> str:
    """Return the `001` record, which both dialects share."""
    points = "" if player.points_halves is None else decimal(player.points_halves)
    name = on_a_line(player.name)[:NAME_WIDTH]
    head = (
        f"001 {player.id:>4} {player.sex:1}{player.title:>3} {name:{NAME_WIDTH}}"
        f" {_blank(player.rating):>4} {player.federation:3} {player.fide_id:>11} {player.born:10}"
        f" {points:>4} {_blank(player.place):>4}"
    )
    return head + "".join(f"  {_result(r)}" for r in player.results)


def national_header(code: str, player: Player) -> Header:
    """Return the record of the federation `code` for a player, who has the national rating and number."""
    return Header(code, player_line(player._replace(results=()))[4:].rstrip())


def on_a_line(text: str) -> str:
    """Return the text with blanks for its control characters: a line break in a name would begin a new record."""
    return _CONTROLS.sub(" ", text)


_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def _blank(number: int | None) -> str:
    return "" if number is None else str(number)


def _result(result: Result | None) -> str:
    if result is None:
        return " " * 8
    colour = "-" if result.is_white is None else "bw"[result.is_white]
    opponent = "0000" if result.opponent is None else f"{result.opponent:>4}"
    return f"{opponent} {colour} {result.code.value}"


def _special(report: Report) -> Iterator[str]:
    for absence in report.absences:
        for start in range(0, len(absence.ids), _IDS_A_LINE):
            ids = _ids(absence.ids[start : start + _IDS_A_LINE])
            yield f"240 {absence.code.value} {absence.round_number:>3} {ids}"
    for v in report.virtual:
        rounds = f"{v.first_round:>3} {v.last_round:>3}"
        # Match points for teams (C.04.7 1.4).
        points = (
            f"{decimal(v.halves)}     "
            if report.team_records.teams
            else f"     {decimal(v.halves)}"
        )
        yield f"250 {points} {rounds} {v.first_id:>4} {v.last_id:>4}"
    for group in report.forbidden:
        last = group.last_round or report.rounds_total or MAX_ROUNDS
        yield f"260 {group.first_round:>3} {last:>3} {_ids(group.ids)}"
    for a in report.abnormal:
        code = a.code.value if a.code else ""
        code = _LETTERS.get(code, code)
        match = decimal(a.match_halves) if a.match_halves else ""
        yield f"299 {code:1}{'':2}{match:4}{'':2}{decimal(a.halves)}  {a.round_number or 0:03} {_ids(a.ids)}"


_LETTERS = {"1": "W", "=": "D", "0": "L"}


def _ids(ids: tuple[int, ...]) -> str:
    return " ".join(f"{i:>4}" for i in ids)


def _team_lines(records: TeamRecords) -> Iterator[str]:
    """Yield the records as TRF-2026, without any line for a tournament of individuals."""
    if records == TeamRecords():
        return
    yield from map(_team_line, records.teams)
    if records.colours:
        yield f"352 {records.colours}"
    yield "362 " + "   ".join(
        f"{symbol}{getattr(records, name) / 2:4.1f}" for symbol, name in MATCH_RESULTS.items()
    )
    if records.byes is not None:
        teams = " ".join(f"{team or 0:03}" for team in records.byes.teams)
        match, game = records.byes.match_halves, records.byes.game_halves
        yield f"320 {match / 2:4.1f} {game / 2:4.1f} {teams}"
    for forfeit in records.forfeits:
        yield (
            f"330 {forfeit.sides} {forfeit.round_number:>3} {forfeit.white:>3} {forfeit.black:>3}"
        )
    for up in records.line_ups:
        players = " ".join(f"{i:04}" if not i else f"{i:>4}" for i in up.players)
        yield f"300 {up.round_number:>3} {up.team:>3} {up.opponent:>3} {players}"


def _team_line(team: Team) -> str:
    points = [
        "" if halves is None else f"{halves / 2:6.1f}"
        for halves in (team.match_halves, team.game_halves)
    ]
    rank = "" if team.rank is None else team.rank
    members = " ".join(f"{i:>4}" for i in team.members)
    return (
        f"310 {team.number:>3} {team.name[:32]:32} {team.nickname[:5]:5} {team.strength[:6]:>6}"
        f" {points[0]:>6} {points[1]:>6} {rank:>3}  {members}"
    )
