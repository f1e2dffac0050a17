"""The records of teams: `300`, `310`, `320`, `330`, `352`, `362`, read into `TeamRecords`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.trf.columns import MAX_ID, MAX_ROUNDS, halves
from tournaments.trf.report import LineUp, MatchForfeit, Team, TeamByes, TeamRecords

if TYPE_CHECKING:
    from collections.abc import Callable

    from tournaments.trf.columns import Line

MATCH_RESULTS = {"TW": "win", "TD": "draw", "TL": "loss"}
_FORFEITS = ("+-", "-+", "--")


class TeamSettings:
    """The settings in the records of teams read so far."""

    def __init__(self) -> None:
        self.teams: list[Team] = []
        self.line_ups: list[LineUp] = []
        self.forfeits: list[MatchForfeit] = []
        self.byes: TeamByes | None = None
        self.colours = ""
        self.match_points: dict[str, int] = {}

    @property
    def numbers(self) -> set[int]:
        """Return the numbers of the teams."""
        return {team.number for team in self.teams}

    @property
    def named(self) -> set[int]:
        """Return the numbers of teams that records beside their own name."""
        named = {up.team for up in self.line_ups} | {up.opponent for up in self.line_ups}
        named |= {team for f in self.forfeits for team in (f.white, f.black)}
        return (named | {team or 0 for team in self.byes.teams} if self.byes else named) - {0}

    @property
    def named_players(self) -> set[int]:
        """Return the players whom the records of teams name."""
        players = {i for team in self.teams for i in team.members}
        return (players | {i for up in self.line_ups for i in up.players}) - {0}

    def records(self) -> TeamRecords:
        """All of it."""
        return TeamRecords(
            tuple(self.teams),
            tuple(self.line_ups),
            tuple(self.forfeits),
            self.byes,
            self.colours,
            **self.match_points,
        )


def _team(line: Line, settings: TeamSettings) -> None:
    number = line.required(5, 7, most=MAX_ID, what="the team's number")
    if number == 0 or number in settings.numbers:
        raise line.error(5, f"there is a team {number}" if number else "teams begin with 1")
    members = line.ids(74)
    if len(set(members)) < len(members) or {i for t in settings.teams for i in t.members} & {
        *members
    }:
        raise line.error(74, "a player is named twice as a member of a team")
    settings.teams.append(
        Team(
            number=number,
            name=line.at(9, 40),
            nickname=line.at(42, 46),
            strength=line.at(48, 53),
            match_halves=line.halves(55, 60),
            game_halves=line.halves(62, 67),
            rank=line.integer(69, 71, most=MAX_ID),
            members=members,
        )
    )


def _line_up(line: Line, settings: TeamSettings) -> None:
    line.require_blank(4, 8, 12, 16)
    players = [
        line.integer(column, column + 3, most=MAX_ID) or 0
        for column in range(17, len(line.text) + 1, 5)
    ]
    settings.line_ups.append(
        LineUp(
            line.required(5, 7, most=MAX_ROUNDS, what="the round"),
            line.required(9, 11, most=MAX_ID, what="the team"),
            line.integer(13, 15, most=MAX_ID) or 0,
            tuple(players),
        )
    )


def _byes(line: Line, settings: TeamSettings) -> None:
    if settings.byes is not None:
        raise line.error(1, "there is a record 320 before this one")
    line.require_blank(4, 9, 14)
    match, game = line.halves(5, 8), line.halves(10, 13)
    if match is None or game is None:
        raise line.error(5, "match points and game points of the bye are missing")
    teams = [
        line.integer(column, column + 2, most=MAX_ID) or None
        for column in range(15, len(line.text) + 1, 4)
    ]
    settings.byes = TeamByes(match, game, tuple(teams))


def _forfeit(line: Line, settings: TeamSettings) -> None:
    sides = line.at(5, 6)
    if sides not in _FORFEITS:
        raise line.error(5, f"{sides!r} is none of {', '.join(_FORFEITS)}")
    line.require_blank(4, 7, 11, 15)
    settings.forfeits.append(
        MatchForfeit(
            sides,
            line.required(8, 10, most=MAX_ROUNDS, what="the round"),
            line.required(12, 14, most=MAX_ID, what="White's team"),
            line.required(16, 18, most=MAX_ID, what="Black's team"),
        )
    )


def _colours(line: Line, settings: TeamSettings) -> None:
    colours = line.at(5, len(line.text)).upper()
    if not colours or set(colours) - set("WB"):
        raise line.error(5, f"{colours[:20]!r} are no colours of boards: W and B")
    settings.colours = colours


def _match_points(line: Line, settings: TeamSettings) -> None:
    # The standard has the symbols in columns 5, 14 and 23. Programs write them closer together.
    words = [(column, word) for column, word in line.words(5)]
    for (column, symbol), (at, value) in zip(words[::2], words[1::2], strict=False):
        if symbol.upper() not in MATCH_RESULTS:
            raise line.error(column, f"{symbol[:20]!r} is none of TW, TD, TL")
        settings.match_points[MATCH_RESULTS[symbol.upper()]] = halves(line, at, value)
    if len(words) % 2:
        raise line.error(words[-1][0], "points are missing")


TEAM_READERS: dict[str, Callable[[Line, TeamSettings], None]] = {
    "300": _line_up,
    "310": _team,
    "320": _byes,
    "330": _forfeit,
    "352": _colours,
    "362": _match_points,
}
