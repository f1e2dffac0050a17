"""Random tournaments, every round of them paired by one system: material for checking a pairing program.

The file depends on the seed and the recipe, and not on the version of Python: only `random.Random.random` is asked, whose
stream the language guarantees.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tournaments import trf
from tournaments.commandline.chance import Chance
from tournaments.commandline.event_field import EventField
from tournaments.commandline.recipe import BadRecipeError, drawn
from tournaments.commandline.standings import file_ranking
from tournaments.pairing import SYSTEMS, report_system
from tournaments.pairing.baku import baku_halves
from tournaments.pairing.problem import NoPairingError
from tournaments.trf import Forbidden, Header, Player, Report, VirtualPoints

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tournaments.commandline.recipe import Recipe
    from tournaments.pairing import SystemEntry
    from tournaments.pairing.problem import PairingProblem
    from tournaments.pairing.solution import ReportSystem, Solution

    # A function that receives every round that was paired.
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
    """Return the tournament that `recipe` and `seed` make, paired by the system of that name.

    A round that cannot be paired ends it there.

    Raises:
        NoPairingError: when that is the first round.
        TrfError: when a model's settings cannot be paired by the system.
        BadRecipeError: for tie-breaks of individuals in an event of teams.
    """
    if recipe.tie_breaks and name == "team":
        raise BadRecipeError("TieBreaks is not for teams")
    chance = Chance(seed)
    if name == "team":
        recipe = replace(recipe, to_draw=recipe.to_draw - {"tie_breaks"})
    recipe = drawn(recipe, chance)
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
            so_far._replace(absences=(*so_far.absences, *away)), systems=entry.report_codes
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
    report = field.finished(ended)
    return Generated(_placed(report) if recipe.tie_breaks else report, ended)


def _placed(report: Report) -> Report:
    """Return the tournament with the places by its own tie-breaks."""
    order = [place.id for place in file_ranking(report).places]
    places = {who: place for place, who in enumerate(order, start=1)}
    players = tuple(p._replace(place=places[p.id]) for p in report.players)
    return report._replace(players=players)


def _field_class(name: str) -> type[EventField]:
    if name not in ("double-swiss", "team"):
        return EventField
    from tournaments.commandline.match_generator import DoubleField, TeamField

    return DoubleField if name == "double-swiss" else TeamField


def _paired(system: ReportSystem, problem: PairingProblem) -> Solution:
    if not problem.contestants:
        raise NoPairingError(f"round {problem.round_number}: nobody is there")
    return system.pair(problem)


def _prepared(recipe: Recipe, chance: Chance, seed: int, entry: SystemEntry) -> Report:
    """Return the tournament before its first round."""
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
            *([Header("202", ",".join(recipe.tie_breaks))] if recipe.tie_breaks else []),
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
