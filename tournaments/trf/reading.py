"""Text to `Report`: every record is read, kept or refused. No record is ignored silently."""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import TYPE_CHECKING

from tournaments.trf.columns import Line
from tournaments.trf.errors import BadReportError
from tournaments.trf.players import player
from tournaments.trf.report import Absence, Code, Header, Refused, Report
from tournaments.trf.settings import READERS, Settings
from tournaments.trf.team_records import TEAM_READERS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tournaments.trf.report import Player, Result

# Five thousand players over thirty rounds are under 2 MB.
_MAX_CHARACTERS = 8_000_000
_MAX_LINES = 60_000
_MAX_FAULTS = 100
_MAX_WIDTH = 60_000  # an XXP of ten thousand players fits
_HEADERS = frozenset(
    [
        "012",
        "022",
        "032",
        "042",
        "052",
        "062",
        "072",
        "082",
        "092",
        "102",
        "112",
        "122",
        "132",
        "172",
        "182",
        "202",
        "212",
        "222",
        "801",
        "802",
        "###",
        "013",
    ]
)
# The last column of a birth date.
_END_OF_HEAD = 79
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
# Teams: each changes scores or who may meet.
TEAM_RECORDS = frozenset(TEAM_READERS)


def decoded(data: bytes) -> str:
    """Return the text of a file: UTF-8, with or without its mark, else Latin-1 (the standard names no encoding)."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def read(text: str) -> Report:
    """Return the tournament that `text` tells.

    Raises:
        BadReportError: with line and column, at the first thing that breaks the format.
    """
    report, faults = _read(text)
    if faults:
        raise faults[0]
    return report


def faults(text: str) -> Sequence[BadReportError]:
    """Return all errors of format, line by line, at most a hundred, or an empty list if `read` reads the text."""
    try:
        return _read(text)[1]
    except BadReportError as error:  # too large to be looked at
        return (error,)


def player_of_line(number: int, text: str) -> Player | None:
    """Return the player of one `001` line, independent of the others, or None if it breaks the format."""
    try:
        return player(Line(number, text.rstrip()))
    except BadReportError:
        return None


def national_of(header: Header) -> Player | None:
    """Return the national rating and number of a player in a record of a federation; None for other records.

    Its layout is that of a `001` record, with the national values in their columns.
    """
    line = Line(0, f"{header.code} {header.text}")
    return player_of_line(0, line.text[:_END_OF_HEAD]) if _is_national(line) else None


def _read(text: str) -> tuple[Report, list[BadReportError]]:
    """Return the content of the valid lines, and the errors of the others."""
    players: list[Player] = []
    headers: list[Header] = []
    refused: list[Refused] = []
    settings = Settings()
    numbers: dict[int, Line] = {}
    faults: list[BadReportError] = []
    for line in _lines(text):
        try:
            _read_line(line, players, headers, refused, settings, numbers)
        except BadReportError as error:
            faults.append(error)
            if len(faults) == _MAX_FAULTS:
                break
    faults += settings.points_by_colour()
    if not faults:  # else the players of those lines would be missed everywhere
        faults += _wrong_meetings(players, numbers)
        faults += _unknown_ids(settings, numbers)
    report = Report(
        players=tuple(players),
        headers=tuple(headers),
        rounds_total=settings.rounds_total,
        odd_is_white=settings.odd_is_white,
        points=settings.point_system(),
        system=settings.system,
        absences=(*settings.absences, *_absent_next(settings, players)),
        # A file that has both repeats itself.
        virtual=tuple(settings.virtual or settings.virtual_xxa),
        forbidden=tuple(settings.forbidden),
        abnormal=tuple(settings.abnormal),
        refused=tuple(refused),
        team_records=settings.teams.records(),
    )
    return report, faults[:_MAX_FAULTS]


def _read_line(
    line: Line,
    players: list[Player],
    headers: list[Header],
    refused: list[Refused],
    settings: Settings,
    numbers: dict[int, Line],
) -> None:
    code = line.text[:3]
    if code == "001":
        record = player(line)
        if record.id in numbers:
            raise line.error(5, f"starting rank {record.id} is taken")
        numbers[record.id] = line
        players.append(record)
    elif code in READERS:
        READERS[code](line, settings)
    elif code in TEAM_RECORDS:
        TEAM_READERS[code](line, settings.teams)
        refused.append(Refused(line.number, code))
    elif code in _HEADERS or _is_national(line):
        headers.append(Header(code, line.text[4:]))
    else:
        raise line.error(1, f"{code!r} is no record we know")


def _lines(text: str) -> list[Line]:
    if len(text) > _MAX_CHARACTERS:
        raise BadReportError(0, 0, f"more than {_MAX_CHARACTERS} characters")
    rows = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if len(rows) > _MAX_LINES:
        raise BadReportError(_MAX_LINES, 0, f"more than {_MAX_LINES} lines")
    lines = [Line(n, row.rstrip()) for n, row in enumerate(rows, start=1) if row.strip()]
    for line in lines:
        _check_characters(line)
    return lines


def _check_characters(line: Line) -> None:
    if len(line.text) > _MAX_WIDTH:
        raise line.error(_MAX_WIDTH, f"more than {_MAX_WIDTH} characters in a line")
    control = _CONTROL.search(line.text)
    if control:
        raise line.error(control.start() + 1, f"{control[0]!r} is no character of a report")


def _is_national(line: Line) -> bool:
    """Return whether the line is a national rating: a federation's code with the layout of `001`."""
    code = line.text[:3]
    is_letters = code.isascii() and code.isalpha() and code.isupper()
    return is_letters and not code.startswith(("XX", "BB")) and line.at(5, 8).isdigit()


def _wrong_meetings(
    players: Sequence[Player], numbers: dict[int, Line]
) -> Iterator[BadReportError]:
    by_id = {p.id: p for p in players}
    for one in players:
        for r, result in enumerate(one.results):
            if result is None or result.opponent is None:
                continue
            line, column = numbers[one.id], 92 + 10 * r
            other = by_id.get(result.opponent)
            if other is None:
                yield line.error(column, f"there is no player {result.opponent}")
                continue
            theirs = other.results[r] if r < len(other.results) else None
            if theirs is None or theirs.opponent != one.id:
                yield line.error(
                    column, f"player {other.id} did not meet {one.id} in round {r + 1}"
                )
            else:
                yield from _wrong_sides(line, column, result, theirs)


def _wrong_sides(line: Line, column: int, mine: Result, theirs: Result) -> Iterator[BadReportError]:
    if mine.is_white is not None and mine.is_white is theirs.is_white:
        yield line.error(column + 5, "both players have the same colour")
    if mine.code.is_played is not theirs.code.is_played:
        yield line.error(column + 7, "one says that the game was played, the other that it was not")
    elif _WON.get(mine.code, 0) + _WON.get(theirs.code, 0) > _WHOLE_GAME:
        yield line.error(
            column + 7, f"{mine.code.value} and {theirs.code.value} are more than a game"
        )


# The score of each side in a game, in half points. Less than a whole game is an arbiter's decision.
_WON = {
    **dict.fromkeys((Code.WIN, Code.SHORT_WIN, Code.FORFEIT_WIN), 2),
    **dict.fromkeys((Code.DRAW, Code.SHORT_DRAW, Code.ADJOURNED), 1),
}
_WHOLE_GAME = 2


def _unknown_ids(settings: Settings, numbers: dict[int, Line]) -> Iterator[BadReportError]:
    named = {i for absence in settings.absences for i in absence.ids}
    named |= {i for group in settings.forbidden for i in group.ids} | set(settings.absent_next)
    named |= {i for points in settings.abnormal for i in points.ids}
    teams = settings.teams
    known = teams.numbers or numbers.keys()
    what = "team" if teams.numbers else "player"
    for unknown in sorted(named - known):
        yield BadReportError(0, 0, f"there is no {what} {unknown}, whom another record names")
    for unknown in sorted(teams.named - teams.numbers):
        yield BadReportError(0, 0, f"there is no team {unknown}, which another record names")
    for unknown in sorted(teams.named_players - numbers.keys()):
        yield BadReportError(0, 0, f"there is no player {unknown}, whom a record of teams names")
    if settings.match_line is not None and not teams.numbers:
        yield settings.match_line.error(8, "match points are for teams")


def _absent_next(settings: Settings, players: Sequence[Player]) -> tuple[Absence, ...]:
    if not settings.absent_next:
        return ()
    return (Absence(Code.ZERO_BYE, rounds_played(players) + 1, tuple(settings.absent_next)),)


def rounds_played(players: Sequence[Player]) -> int:
    """Return the last round in which a player was paired, or that has an entry for each player.

    Columns after it only tell future absences. A round of byes for all players was abandoned.
    bbpPairings reads it likewise.
    """
    columns = zip_longest(*(p.results for p in players))
    rounds = [
        n for n, each in enumerate(columns, start=1) if any(map(is_paired, each)) or all(each)
    ]
    return max(rounds, default=0)


def is_paired(result: Result | None) -> bool:
    """Return whether the pairing of a round named the player who has this result."""
    return result is not None and (result.opponent is not None or result.code is Code.PAIRING_BYE)
