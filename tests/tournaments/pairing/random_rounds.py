"""Random rounds of small fields, answered by the search of a system and by its enumeration."""

from __future__ import annotations

import random
from itertools import combinations
from typing import TYPE_CHECKING, Protocol

from tests.tournaments.pairing.burstein_oracle import BursteinOracle
from tests.tournaments.pairing.club_oracle import CLUBS
from tests.tournaments.pairing.dubov_oracle import DubovOracle
from tests.tournaments.pairing.dutch_2017_oracle import Dutch2017Oracle
from tests.tournaments.pairing.histories import lopsided_problem, random_problem
from tests.tournaments.pairing.lim_oracle import LimOracle
from tournaments.house_rules import HouseRules
from tournaments.pairing import NoPairingError, system

if TYPE_CHECKING:
    from tournaments.pairing import Contestant, PairingProblem

Boards = set[tuple[int, int]]


class Answerer(Protocol):
    """An enumeration of one system."""

    def __init__(self, problem: PairingProblem) -> None: ...

    def require(self, one: int, other: int) -> None:
        """Require these TPNs to meet. The first has the bye if the other is 0."""

    def solution(self) -> Boards:
        """The boards of the round. Raises NoPairingError."""


ORACLES: dict[str, type[Answerer]] = {
    "burstein": BursteinOracle,
    "dubov": DubovOracle,
    "dutch-2017": Dutch2017Oracle,
    "lim": LimOracle,
}


def random_round(seed: int, *, is_played: bool = False) -> PairingProblem:
    """Return a round of two to ten players, played or lopsided, with ratings, forbidden pairs, acceleration and house rules.

    A lopsided round has records that need not agree. `is_played` leaves such rounds out.
    """
    rng = random.Random(seed)
    size = rng.randint(2, 10)
    if not is_played and rng.random() < 0.2:
        problem = lopsided_problem(
            size=size,
            seed=seed,
            groups=rng.randint(1, 3),
            bias=rng.random(),
            club=rng.randint(0, 4),
            is_last=rng.random() < 0.3,
        )
    else:
        problem = random_problem(
            size=size,
            rounds=rng.randint(0, min(size - 1, 6)),
            seed=seed,
            is_last=rng.random() < 0.3,
            absences=rng.choice((0, 0.05, 0.2)),
        )
    tpns = [c.tpn for c in problem.contestants]
    forbidden = problem.forbidden
    if rng.random() < 0.2 and len(tpns) > 1:
        forbidden |= {frozenset(rng.sample(tpns, 2)) for _ in range(rng.randint(1, 3))}
    is_accelerated = rng.random() < 0.15
    ratings = sorted((rng.randint(1400, 2400) for _ in range(size + 1)), reverse=True)
    longer = rng.choice((0, 0, 1, 5, 9)) if problem.round_number < problem.rounds_total else 0

    def dressed(contestant: Contestant) -> Contestant:
        virtual = (
            (2,) * problem.round_number if is_accelerated and contestant.tpn <= size // 2 else ()
        )
        return contestant._replace(
            rating_centielo=100 * ratings[min(contestant.tpn, size)],
            virtual_halves=virtual,
        )

    rules = HouseRules(
        maxi_elo=rng.choice((0, 0, 100)),
        rematch_gap=rng.randint(0, 7),
        bye_percent=rng.choice((0, 50, 66, 100)),
        absence_percent=rng.choice((0, 33, 50)),
        bar_elo=rng.choice((1500, 2000, 2150)),
        floor_elo=rng.choice((1000, 1600)),
        step_elo=rng.choice((50, 100, 333)),
    )
    return problem._replace(
        options=problem.options._replace(house_rules=rules),
        rounds_total=problem.rounds_total + longer,
        contestants=tuple(dressed(c) for c in problem.contestants),
        absent=tuple(dressed(c) for c in problem.absent),
        forbidden=forbidden,
    )


def strained_round(seed: int) -> PairingProblem:
    """A random round in which the organiser forbids many pairs, so that players have to float or to change sides."""
    problem, rng = random_round(seed), random.Random(seed)
    share = rng.choice((0.2, 0.35, 0.5))
    tpns = sorted(c.tpn for c in problem.contestants)
    barred = {frozenset(pair) for pair in combinations(tpns, 2) if rng.random() < share}
    return problem._replace(forbidden=problem.forbidden | barred)


def own_round(name: str, problem: PairingProblem) -> PairingProblem:
    """Return the problem as a round that the system pairs by its own rules: a Dutch round is no test of Burstein."""
    if name != "burstein":
        return problem
    return problem._replace(rounds_total=min(problem.rounds_total, 2 * problem.round_number - 1))


def answers(name: str, problem: PairingProblem) -> tuple[Boards | None, Boards | None]:
    """Return boards by TPN, White first and the bye as opponent 0, of the search and of the enumeration, or None without a pairing."""
    problem = own_round(name, problem)
    try:
        solution = system(name).pair(problem)
        search = {(b.first, b.second) for b in solution.boards}
        search |= {(solution.bye, 0)} if solution.bye is not None else set()
    except NoPairingError:
        search = None
    if name in CLUBS:
        # Several pairings can have the least penalty. The search may choose any of them.
        accepted = [{*boards} for boards in CLUBS[name](problem).solutions()]
        return search, search if search in accepted else next(iter(accepted), None)
    try:
        oracle = ORACLES[name](problem).solution()
    except NoPairingError:
        oracle = None
    return search, oracle
