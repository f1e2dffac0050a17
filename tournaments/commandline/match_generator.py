"""Random tournaments whose rounds are matches: of two games each, or of teams."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments import trf
from tournaments.commandline.event_field import EventField
from tournaments.pairing.problem import PointSystem
from tournaments.trf import Player, Result

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tournaments.commandline.chance import Chance
    from tournaments.commandline.recipe import Recipe
    from tournaments.pairing.solution import Solution
    from tournaments.trf import Absence, Report

_BOARDS = 4
_COLOURS = "WBWB"


class DoubleField(EventField):
    """Players who meet in two games, the sides exchanged in the second."""

    columns = 2

    def __init__(self, recipe: Recipe, chance: Chance, report: Report) -> None:
        super().__init__(recipe, chance, _with_match_points(report))

    def play(self, solution: Solution, away: Iterable[Absence]) -> None:
        """Results of both games, and the byes, which are in both columns."""
        super().play(solution, away)
        returns: dict[int, Result] = {}
        for board in solution.boards:
            white, black = self.game(board.second, board.first)
            returns[board.second] = Result(white, board.first, is_white=True)
            returns[board.first] = Result(black, board.second, is_white=False)
        for who, results in self._results.items():
            results.append(returns.get(who, results[-1]))


class TeamField(EventField):
    """Teams of four. The results of `EventField` are those of teams, and only its forfeits count."""

    def __init__(self, recipe: Recipe, chance: Chance, report: Report) -> None:
        super().__init__(recipe, chance, _with_match_points(report))
        self._games: dict[int, list[Result | None]] = {
            i: [] for p in report.players for i in _members(p.id)
        }
        self._forfeits: list[trf.MatchForfeit] = []
        self._byes: list[int | None] = []

    def play(self, solution: Solution, away: Iterable[Absence]) -> None:
        """Play games of every board. A match without one of its teams is forfeited on all boards."""
        super().play(solution, away)
        number = len(self._byes) + 1
        self._byes.append(solution.bye)
        row: dict[int, Result | None] = {}
        for who, results in self._results.items():
            result = results[-1]
            if result is None or result.opponent is None:
                row |= dict.fromkeys(_members(who), result)
            elif not result.code.is_played:
                # With their colours: some programs take a board without one for a draw.
                theirs = _members(result.opponent)
                for mine, other, colour in zip(_members(who), theirs, _COLOURS, strict=True):
                    is_white = result.is_white is (colour == "W")
                    row[mine] = Result(result.code, other, is_white=is_white)
        for board in solution.boards:
            first = self._results[board.first][-1]
            assert first is not None, "both have a result"
            if first.code.is_played:
                self._play_match(board.first, board.second, row)
                continue
            second = self._results[board.second][-1]
            assert second is not None, "both have a result"
            sides = f"{first.code.value}{second.code.value}"
            self._forfeits.append(trf.MatchForfeit(sides, number, board.first, board.second))
        for who, games in self._games.items():
            games.append(row[who])

    def _play_match(self, first: int, second: int, row: dict[int, Result | None]) -> None:
        pairs = zip(_members(first), _members(second), _COLOURS, strict=True)
        for one, two, colour in pairs:
            white, black = (one, two) if colour == "W" else (two, one)
            teams = (first, second) if colour == "W" else (second, first)
            codes = self.game(*teams)
            row[white] = Result(codes[0], black, is_white=True)
            row[black] = Result(codes[1], white, is_white=False)

    def report(self) -> Report:
        """Return the tournament so far, by its players and teams."""
        teams = super().report()
        drawn = PointSystem(pairing_bye=1)
        records = trf.TeamRecords(
            teams=tuple(
                trf.Team(p.id, name=f"Team {p.id}", members=_members(p.id)) for p in teams.players
            ),
            forfeits=tuple(self._forfeits),
            byes=trf.TeamByes(2, _BOARDS, tuple(self._byes)) if any(self._byes) else None,
            colours=_COLOURS,
        )
        players = tuple(
            Player(i, name=f"Player, {i:04}", rating=p.rating, results=tuple(self._games[i]))
            for p in teams.players
            for i in _members(p.id)
        )
        return teams._replace(players=players, points=drawn, team_records=records)

    def ranked(self) -> Report:
        """Return the tournament so far with the points and places of its teams."""
        report = self.report()
        scores = trf.match_scores(report)
        ranking = sorted(scores, key=lambda i: ([-score for score in scores[i]], i))
        teams = tuple(
            team._replace(
                match_halves=scores[team.number][0],
                game_halves=scores[team.number][1],
                rank=ranking.index(team.number) + 1,
            )
            for team in report.team_records.teams
        )
        return report._replace(team_records=report.team_records._replace(teams=teams))


def _with_match_points(report: Report) -> Report:
    """Return the report with virtual points of matches, of which a win has two (C.04.7 1.4)."""
    virtual = tuple(v._replace(halves=2 * v.halves) for v in report.virtual)
    return report._replace(virtual=virtual)


def _members(team: int) -> tuple[int, ...]:
    return tuple(range(_BOARDS * (team - 1) + 1, _BOARDS * team + 1))
