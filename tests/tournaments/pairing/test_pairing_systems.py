"""Common laws of every pairing system: legal answers, equal after storing, for any order of the input."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.tournaments.pairing.formats import Event, first_problem, shuffled
from tests.tournaments.pairing.histories import random_problem
from tests.tournaments.pairing.pools import Pool, people
from tournaments.pairing import (
    SYSTEMS,
    Board,
    Contestant,
    FormatOptions,
    Idle,
    NoPairingError,
    PairingProblem,
    RoundKind,
    RoundRecord,
    Solution,
    system,
    violations,
)

_FIXED = ["round-robin", "knockout", "double-knockout", "league", "groups-knockout"]
_SWISS = ["swiss", "dutch", "dutch-2017", "dubov", "burstein", "lim", "double-swiss", "team"]
_OF_TWO = ["match", "team-match", "scheveningen"]
_CLUBS = ["keizer", "mcmahon"]
_CONTINUOUS = ["arena", "ladder"]
_OPTIONS = FormatOptions(cycles=2, groups=2, movers=1, qualifiers=2)


def test_there_is_one_system_of_each_name() -> None:
    names = [*_FIXED, *_OF_TWO, *_SWISS, *_CLUBS, *_CONTINUOUS]
    assert [system(name).name for name in names] == names
    versions = [system(name).version for name in names]
    assert len(set(versions)) == len(names)


@pytest.mark.parametrize("name", _FIXED)
@settings(max_examples=10)
@given(size=st.integers(4, 17), seed=st.integers(0, 10**6), rounds=st.integers(0, 12))
def test_formats_with_rounds_conform(name: str, size: int, seed: int, rounds: int) -> None:
    rng = random.Random(seed)
    event = Event(
        system(name), first_problem(size, options=_OPTIONS), rng, withdrawals=0.03, absences=0.05
    )
    event.play(rounds)
    for problem, solution in zip(event.problems, event.solutions, strict=True):
        _assert_conforms(name, problem, solution, rng)


@pytest.mark.parametrize("name", _OF_TWO)
def test_matches_of_two_conform(name: str) -> None:
    rng = random.Random(1)
    event = Event(system(name), first_problem(2), rng)
    event.play(3)
    assert len(event.solutions[0].boards) == 1
    for problem, solution in zip(event.problems, event.solutions, strict=True):
        _assert_conforms(name, problem, solution, rng)


@pytest.mark.parametrize("name", [*_SWISS, *_CLUBS])
@settings(max_examples=10)
@given(size=st.integers(4, 17), seed=st.integers(0, 10**6), rounds=st.integers(0, 4))
@example(size=5, seed=404041, rounds=4)  # in 2017 a player has the bye after a full-point bye
def test_swiss_systems_conform(name: str, size: int, seed: int, rounds: int) -> None:
    problem = random_problem(size=size, rounds=rounds, seed=seed)
    problem = problem._replace(most_meetings=int(name != "keizer"))
    try:
        solution = system(name).pair(problem)
    except NoPairingError:
        return
    _assert_conforms(name, problem, solution, random.Random(seed))


@pytest.mark.parametrize("name", _CONTINUOUS)
@settings(max_examples=10)
@given(size=st.integers(1, 30), seed=st.integers(0, 10**6))
def test_continuous_formats_conform(name: str, size: int, seed: int) -> None:
    rng = random.Random(seed)
    pool = Pool(system(name), people(size, rng), rng)
    pool.forbidden = frozenset(frozenset(rng.sample(range(1, 40), 2)) for _ in range(size))
    for _ in range(12):
        pool.step()
    for problem, solution in pool.history[::3]:
        _assert_conforms(name, problem, solution, rng)


def test_a_problem_that_an_earlier_version_stored_has_the_usual_options() -> None:
    problem = random_problem(size=6, rounds=2, seed=1)
    needed = {"round_number", "rounds_total", "contestants", "odd_tpn_is_first", "forbidden"}
    stored = {name: value for name, value in problem.to_json().items() if name in needed}
    assert PairingProblem.from_json(stored) == PairingProblem(
        problem.round_number,
        problem.rounds_total,
        problem.contestants,
        odd_tpn_is_first=problem.odd_tpn_is_first,
        forbidden=problem.forbidden,
    )


def _assert_conforms(
    name: str, problem: PairingProblem, solution: Solution, rng: random.Random
) -> None:
    bars = SYSTEMS[name].full_bye_bars_bye
    assert violations(problem, solution, full_bye_bars_bye=bars) == []
    assert [Board(e.first, e.second) for e in solution.evidence] == list(solution.boards)
    halves = {c.tpn: c.score_halves for c in problem.contestants}
    for evidence in solution.evidence:
        assert (evidence.first_halves, evidence.second_halves) == (
            halves[evidence.first],
            halves[evidence.second],
        )
        assert evidence.colour_rule
        assert bool(evidence.meeting) == (name not in _SWISS)
    stored = PairingProblem.from_json(json.loads(json.dumps(problem.to_json())))
    assert stored == problem
    assert system(name).pair(stored) == solution
    assert system(name).pair(shuffled(problem, rng)) == solution


def _two_and_one_away() -> PairingProblem:
    here = tuple(Contestant(tpn, ()) for tpn in (1, 2))
    return PairingProblem(1, 3, here, absent=(Contestant(3, ()),))


@pytest.mark.parametrize(
    ("idle", "fault"),
    [
        pytest.param(Idle(1, RoundKind.FORFEIT_WIN, 2), "who plays", id="against one who is there"),
        pytest.param(Idle(1, RoundKind.FORFEIT_WIN), "against None", id="against nobody"),
        pytest.param(Idle(1, RoundKind.FREE, 3), "against 3", id="free against somebody"),
        pytest.param(Idle(1, RoundKind.WAITS), "only a pool", id="waits in a round"),
    ],
)
def test_the_checker_sees_a_wrong_reason_to_be_idle(idle: Idle, fault: str) -> None:
    problem = _two_and_one_away()
    good = (Idle(1, RoundKind.FORFEIT_WIN, 3), Idle(2, RoundKind.FREE))
    assert violations(problem, Solution((), None, (), idle=good)) == []
    wrong = violations(problem, Solution((), None, (), idle=(idle, good[1])))
    assert len(wrong) == 1
    assert fault in wrong[0]


def _met() -> PairingProblem:
    """1 has beaten 2, 3 had the bye, and 2 must not meet 3."""
    past = {
        1: RoundRecord(RoundKind.FIRST, 2, 2),
        2: RoundRecord(RoundKind.SECOND, 1, 0),
        3: RoundRecord(RoundKind.PAIRING_BYE, None, 2),
    }
    field = tuple(Contestant(tpn, (record,)) for tpn, record in past.items())
    return PairingProblem(2, 3, field, forbidden=frozenset({frozenset((2, 3))}))


@pytest.mark.parametrize(
    ("boards", "bye", "wrong"),
    [
        pytest.param([(1, 3)], 2, [], id="legal"),
        pytest.param([(3, 2)], 1, ["TPN 3 and 2 must not meet"], id="forbidden"),
        pytest.param(
            [(2, 1)],
            3,
            ["TPN 2 and 1 have met (C.04.1 2)", "TPN 3 may not have a bye (C.04.1 4)"],
            id="met, second bye",
        ),
        pytest.param([(1, 3)], None, ["TPN 2 has no seat"], id="forgotten"),
        pytest.param([(1, 3), (1, 2)], None, ["TPN 1 has 2 seats"], id="twice"),
        pytest.param(
            [(1, 3)], 4, ["TPN 2 has no seat", "TPN 4 does not play this round"], id="who"
        ),
    ],
)
def test_the_checker_sees_what_the_basic_rules_forbid(
    boards: list[tuple[int, int]], bye: int | None, wrong: list[str]
) -> None:
    assert violations(_met(), Solution(tuple(Board(*b) for b in boards), bye, ())) == wrong


@pytest.mark.parametrize("meetings", [0, 2])
def test_the_checker_allows_as_many_meetings_as_the_event(meetings: int) -> None:
    problem = _met()._replace(most_meetings=meetings)
    wrong = violations(problem, Solution((Board(2, 1),), 3, ()))
    # Without a limit of meetings there is no limit of byes.
    assert wrong == (["TPN 3 may not have a bye (C.04.1 4)"] if meetings else [])
