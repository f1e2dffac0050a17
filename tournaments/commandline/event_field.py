"""The players of a random tournament: the absent ones, the results of games, and the report of it all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments import trf
from tournaments.standings.rating_tables import expected_hundredths
from tournaments.trf import Absence, Code, Header, Report, Result

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tournaments.commandline.chance import Chance
    from tournaments.commandline.recipe import Recipe
    from tournaments.pairing.problem import NoPairingError
    from tournaments.pairing.solution import Solution


# Scores that only an arbiter gives: less than a whole game.
_ODD_RESULTS = (
    (Code.DRAW, Code.LOSS),
    (Code.LOSS, Code.DRAW),
    (Code.LOSS, Code.LOSS),
)


class EventField:
    """The players and their records so far. A round has `columns` in their records."""

    columns = 1

    def __init__(self, recipe: Recipe, chance: Chance, report: Report) -> None:
        self._recipe = recipe
        self._chance = chance
        self._start = report
        self._results: dict[int, list[Result | None]] = {p.id: [] for p in report.players}
        self._ratings = {p.id: p.rating or recipe.lowest for p in report.players}
        self._given: list[Absence] = []
        rounds = report.rounds_total or 1
        # A late entry misses one round at least and comes in time for the last one.
        self._enters = {
            p.id: chance.between(2, rounds)
            if chance.one_in(recipe.late_entry_rate) and rounds > 1
            else 1
            for p in report.players
        }
        self._departures: set[int] = set()

    def report(self) -> Report:
        """Return the tournament so far."""
        players = tuple(p._replace(results=tuple(self._results[p.id])) for p in self._start.players)
        return self._start._replace(players=players, absences=(*self._start.absences, *self._given))

    def away(self, number: int) -> tuple[Absence, ...]:
        """Return the players who ask not to be paired in that round.

        At least two players are left, if the model leaves them.
        """
        announced = {i for a in self._start.absences if a.round_number == number for i in a.ids}
        present = len(self._results) - len(announced)
        ids_by_code: dict[Code, list[int]] = {
            c: [] for c in (Code.ZERO_BYE, Code.HALF_BYE, Code.FULL_BYE)
        }
        for who in self._results:
            code = self._bye(who, number)
            if code is not None and who not in announced and present > 2:
                ids_by_code[code].append(who)
                present -= 1
        return tuple(Absence(c, number, tuple(ids)) for c, ids in ids_by_code.items() if ids)

    def _bye(self, who: int, number: int) -> Code | None:
        recipe, draw = self._recipe, self._chance.one_in
        if draw(recipe.withdrawal_rate) and number > 1:
            self._departures.add(who)
        candidates = [
            code
            for rate, code in (
                (recipe.retired_rate, Code.ZERO_BYE),
                (recipe.half_bye_rate, Code.HALF_BYE),
                (recipe.full_bye_rate, Code.FULL_BYE),
            )
            if draw(rate)
        ]
        if who in self._departures or number < self._enters[who]:
            return Code.ZERO_BYE
        return candidates[0] if candidates else None

    def announce(self, number: int) -> None:
        """Say who will not be there in a round that is not paired yet."""
        self._given += self.away(number)

    def play(self, solution: Solution, away: Iterable[Absence]) -> None:
        """Results of the round by Elo's expectation, and the byes."""
        number = len(next(iter(self._results.values()))) // self.columns + 1
        announced = [a for a in self._start.absences if a.round_number == number]
        row: dict[int, Result | None] = {
            i: Result(a.code) for a in (*announced, *away) for i in a.ids
        }
        if self._recipe.announces:
            self._given += away
            row = dict.fromkeys(row)
        for board in solution.boards:
            white, black = self.game(board.first, board.second)
            row[board.first] = Result(white, board.second, is_white=True)
            row[board.second] = Result(black, board.first, is_white=False)
        if solution.bye is not None:
            row[solution.bye] = Result(Code.PAIRING_BYE)
        for who, results in self._results.items():
            results.append(row[who])

    def game(self, white: int, black: int) -> tuple[Code, Code]:
        """Return the result of a game, White's first: by Elo's expectation, or a forfeit."""
        recipe, chance = self._recipe, self._chance
        score = chance.share()
        is_short = chance.one_in(recipe.short_game_rate)
        is_double, is_forfeit = (
            chance.one_in(rate) for rate in (recipe.double_forfeit_rate, recipe.forfeit_rate)
        )
        white_came = chance.one_in(2)
        if is_double:
            return Code.FORFEIT_LOSS, Code.FORFEIT_LOSS
        if is_forfeit:
            codes = Code.FORFEIT_WIN, Code.FORFEIT_LOSS
            return codes if white_came else codes[::-1]
        if recipe.odd_result_rate and chance.one_in(recipe.odd_result_rate):
            return _ODD_RESULTS[chance.below(len(_ODD_RESULTS))]
        # FIDE's table of scoring probabilities (B.02 8.1.2), with any share of draws.
        (hundredths,) = expected_hundredths(self._ratings[white], [self._ratings[black]])
        expected = hundredths / 100
        drawn = min(recipe.draw_percentage / 100, 2 * expected, 2 - 2 * expected)
        if score < expected - drawn / 2:
            return (Code.SHORT_WIN, Code.SHORT_LOSS) if is_short else (Code.WIN, Code.LOSS)
        if score < expected + drawn / 2:
            return (Code.SHORT_DRAW,) * 2 if is_short else (Code.DRAW,) * 2
        return (Code.SHORT_LOSS, Code.SHORT_WIN) if is_short else (Code.LOSS, Code.WIN)

    def ranked(self) -> Report:
        """Return the tournament so far with its points and places."""
        report = self.report()
        points = trf.points_halves(report)
        ranking = sorted(points, key=lambda i: (-points[i], i))
        places = {i: place for place, i in enumerate(ranking, start=1)}
        players = tuple(
            p._replace(points_halves=points[p.id], place=places[p.id]) for p in report.players
        )
        return report._replace(players=players)

    def finished(self, ended: NoPairingError | None) -> Report:
        """Return the tournament with its points and places, and why it ended before its last round."""
        report = self.ranked()
        if ended is None:
            return report
        remark = Header("###", f"ended before its last round: {ended}")
        return report._replace(headers=(*report.headers, remark))
