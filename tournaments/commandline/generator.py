"""Random tournaments, every round of them paired by one system: material for checking a pairing program.

The same seed and recipe give the same file on every version of Python: only `random.Random.random` is asked, whose stream
the language guarantees.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tournaments import trf
from tournaments.pairing import SYSTEMS, report_system
from tournaments.pairing.baku import baku_halves
from tournaments.pairing.problem import NoPairingError
from tournaments.trf import Absence, Code, Forbidden, Header, Player, Report, Result, VirtualPoints

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tournaments.commandline.recipe import Recipe
    from tournaments.pairing import SystemEntry
    from tournaments.pairing.problem import PairingProblem
    from tournaments.pairing.solution import ReportSystem, Solution

    # What is told of every round that was paired.
    Listener = Callable[[PairingProblem, Solution], None]

_LEAST_PLAYERS, _MOST_PLAYERS = 15, 215
_LEAST_ROUNDS, _MOST_ROUNDS = 5, 15
# Tries to draw a pair that is not forbidden yet.
_TRIES = 20


@dataclass(frozen=True, slots=True)
class Generated:
    """A random tournament, and why it ended before its last round, if it did."""

    report: Report
    ended: NoPairingError | None


def generate(
    recipe: Recipe, seed: int, listener: Listener | None = None, *, name: str = "dutch"
) -> Generated:
    """The tournament that `recipe` and `seed` make, paired by the system of that name.

    A round that cannot be paired ends it there.

    Raises:
        NoPairingError: when that is the first round.
        TrfError: when a model's settings cannot be paired by the system.
    """
    chance = Chance(seed)
    entry, system = SYSTEMS[name], report_system(name)
    report = _prepared(recipe, chance, seed, entry)
    assert report.rounds_total is not None, "the recipe or chance gives it"
    field = _field_class(name)(recipe, chance, report)
    ended = None
    last = min(recipe.rounds_played or report.rounds_total, report.rounds_total)
    for number in range(1, last + 1):
        away = field.away(number)
        so_far = field.report()
        problem = trf.pairing_problem(
            replace(so_far, absences=(*so_far.absences, *away)), systems=entry.report_codes
        )
        try:
            solution = _paired(system, problem)
        except NoPairingError as error:
            if number == 1:
                raise
            ended = error
            break
        if listener is not None:
            listener(problem, solution)
        field.play(solution, away)
    if ended is None and last < report.rounds_total:
        field.announce(last + 1)
    return Generated(field.finished(ended), ended)


def _field_class(name: str) -> type[EventField]:
    if name not in ("double-swiss", "team"):
        return EventField
    from tournaments.commandline.match_generator import DoubleField, TeamField

    return DoubleField if name == "double-swiss" else TeamField


def _paired(system: ReportSystem, problem: PairingProblem) -> Solution:
    if not problem.contestants:
        raise NoPairingError(f"round {problem.round_number}: nobody is there")
    return system.pair(problem)


class Chance:
    """Draws, all from one stream."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def share(self) -> float:
        """A number from 0 up to 1."""
        return self._random.random()

    def below(self, most: int) -> int:
        """A whole number from 0 up to `most`, which is left out."""
        return int(self._random.random() * most)

    def between(self, least: int, most: int) -> int:
        """A whole number between these two, both among them."""
        return least + self.below(most - least + 1)

    def one_in(self, rate: int) -> bool:
        """True once in `rate` draws; never for 0. Draws in any case, so that rates do not shift each other's streams."""
        return self.share() * rate < 1 and rate > 0


def _prepared(recipe: Recipe, chance: Chance, seed: int, entry: SystemEntry) -> Report:
    """The tournament before its first round."""
    size = recipe.players or chance.between(_LEAST_PLAYERS, _MOST_PLAYERS)
    rounds = recipe.rounds or chance.between(_LEAST_ROUNDS, _MOST_ROUNDS)
    odd_is_white = recipe.odd_is_white
    if odd_is_white is None:
        odd_is_white = chance.one_in(2)
    players = recipe.model or _made_up(recipe, size, chance)
    pairs = _forbidden(recipe, [p.id for p in players], rounds, chance)
    code = entry.report_codes[0]
    virtual, system = recipe.virtual, recipe.system or code
    if recipe.is_accelerated:
        virtual, system = _baku(size, rounds, recipe.points.win), f"{code}_BAKU"
    return Report(
        players=players,
        headers=(
            Header("012", f"Random tournament, seed {seed}"),
            Header("062", str(size)),
            Header("092", f"Individual: Swiss-System ({entry.title})"),
        ),
        rounds_total=rounds,
        odd_is_white=odd_is_white,
        points=recipe.points,
        system=system,
        absences=recipe.absences,
        virtual=virtual,
        forbidden=(*recipe.forbidden, *pairs),
    )


def _made_up(recipe: Recipe, size: int, chance: Chance) -> tuple[Player, ...]:
    ratings = sorted(
        (chance.between(recipe.lowest, recipe.highest) for _ in range(size)), reverse=True
    )
    return tuple(
        Player(n, name=f"Player, {n:04}", rating=rating, place=n)
        for n, rating in enumerate(ratings, start=1)
    )


def _forbidden(recipe: Recipe, ids: Sequence[int], rounds: int, chance: Chance) -> list[Forbidden]:
    drawn: set[frozenset[int]] = set()
    pairs = []
    for n in range(recipe.forbidden_pairs + recipe.forbidden_in_rounds):
        pair: frozenset[int] = frozenset()
        for _ in range(_TRIES):
            pair = frozenset(ids[chance.below(len(ids))] for _ in range(2))
            if len(pair) == 2 and pair not in drawn:
                break
        first, last = 1, rounds
        if n >= recipe.forbidden_pairs:
            first = chance.between(1, rounds)
            last = chance.between(first, rounds)
        if len(pair) == 2 and pair not in drawn:
            drawn.add(pair)
            pairs.append(Forbidden(first, last, tuple(sorted(pair))))
    return pairs


def _baku(size: int, rounds: int, win_halves: int) -> tuple[VirtualPoints, ...]:
    """Acceleration written out, since not every program counts group A as C.04.7 1.2 does."""
    group_a = 2 * ((size + 3) // 4)
    worth = [
        baku_halves(
            rank=1, players=size, round_number=r, rounds_total=rounds, win_halves=win_halves
        )
        for r in range(1, rounds + 1)
    ]
    return tuple(
        VirtualPoints(
            halves,
            worth.index(halves) + 1,
            len(worth) - worth[::-1].index(halves),
            1,
            min(group_a, size),
        )
        for halves in sorted(set(worth) - {0}, reverse=True)
    )


class EventField:
    """The players and what has happened to them so far; a round has `columns` in their records."""

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
        """The tournament so far."""
        players = tuple(replace(p, results=tuple(self._results[p.id])) for p in self._start.players)
        return replace(self._start, players=players, absences=(*self._start.absences, *self._given))

    def away(self, number: int) -> tuple[Absence, ...]:
        """Who asks not to be paired in that round; two players at least are left, where the model leaves them."""
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
        """The result of a game, White's first: by Elo's expectation, or a forfeit."""
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
        # The expectation is Elo's (1978, logistic) whatever the share of draws.
        expected = 1 / (1 + 10 ** ((self._ratings[black] - self._ratings[white]) / 400))
        drawn = min(recipe.draw_percentage / 100, 2 * expected, 2 - 2 * expected)
        if score < expected - drawn / 2:
            return (Code.SHORT_WIN, Code.SHORT_LOSS) if is_short else (Code.WIN, Code.LOSS)
        if score < expected + drawn / 2:
            return (Code.SHORT_DRAW,) * 2 if is_short else (Code.DRAW,) * 2
        return (Code.SHORT_LOSS, Code.SHORT_WIN) if is_short else (Code.LOSS, Code.WIN)

    def ranked(self) -> Report:
        """The tournament so far with its points and places."""
        report = self.report()
        points = trf.points_halves(report)
        ranking = sorted(points, key=lambda i: (-points[i], i))
        places = {i: place for place, i in enumerate(ranking, start=1)}
        players = tuple(
            replace(p, points_halves=points[p.id], place=places[p.id]) for p in report.players
        )
        return replace(report, players=players)

    def finished(self, ended: NoPairingError | None) -> Report:
        """The tournament with its points and places, and why it ended before its last round."""
        report = self.ranked()
        if ended is None:
            return report
        remark = Header("###", f"ended before its last round: {ended}")
        return replace(report, headers=(*report.headers, remark))
