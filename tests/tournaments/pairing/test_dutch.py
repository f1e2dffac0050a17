"""The Dutch system: laws for any field, a brute-force oracle for small ones, and errors of another engine."""

from __future__ import annotations

import random
from itertools import pairwise
from unittest.mock import patch

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.pairing import corpus
from tests.tournaments.pairing.dutch_oracle import oracle_boards
from tests.tournaments.pairing.histories import lopsided_problem, random_problem
from tournaments import trf
from tournaments.pairing import (
    Contestant,
    Dutch,
    NoPairingError,
    PairingProblem,
    RoundKind,
    RoundRecord,
    violations,
)
from tournaments.pairing.colours import Strength, preference
from tournaments.pairing.dutch.rules.field import field_of
from tournaments.pairing.dutch.search import small
from tournaments.pairing.dutch.search.bits import first_transversal, matching
from tournaments.pairing.dutch.search.exact import exact_pairs
from tournaments.pairing.dutch.search.quick import quick_pairs
from tournaments.pairing.dutch.search.steps import brackets
from tournaments.pairing.floats import Float

fields = st.builds(
    random_problem,
    size=st.integers(2, 26),
    rounds=st.integers(0, 9),
    seed=st.integers(0, 10**9),
    is_last=st.booleans(),
)
small_fields = st.builds(
    random_problem,
    size=st.integers(2, 9),
    rounds=st.integers(0, 6),
    seed=st.integers(0, 10**9),
    is_last=st.booleans(),
)


def _lopsided(largest: int) -> st.SearchStrategy[PairingProblem]:
    return st.builds(
        lopsided_problem,
        size=st.integers(2, largest),
        seed=st.integers(0, 10**9),
        groups=st.integers(1, 4),
        bias=st.sampled_from([0.5, 0.6, 0.8]),
        club=st.sampled_from([0, 0, 3, 4, 5]),
        is_last=st.booleans(),
    )


def _boards(problem: PairingProblem) -> set[frozenset[int]] | None:
    """Return the pairs and the bye, equal with and without the search through all pairings of small brackets."""
    boards = _paired(problem)
    with patch.object(small, "_MOST_RESIDENTS", 0):
        assert _paired(problem) == boards
    return boards


def _paired(problem: PairingProblem) -> set[frozenset[int]] | None:
    try:
        solution = Dutch().pair(problem)
    except NoPairingError:
        return None
    bye = set() if solution.bye is None else {frozenset((solution.bye,))}
    return {frozenset((b.first, b.second)) for b in solution.boards} | bye


def _oracle(problem: PairingProblem) -> set[frozenset[int]] | None:
    try:
        return oracle_boards(problem)
    except NoPairingError:
        return None


@pytest.mark.long
@settings(max_examples=120)
@given(problem=small_fields)
def test_small_fields_are_paired_as_by_brute_force(problem: PairingProblem) -> None:
    assert _boards(problem) == _oracle(problem)


@pytest.mark.slow
@settings(max_examples=3000)
@given(problem=small_fields)
def test_many_small_fields_are_paired_as_by_brute_force(problem: PairingProblem) -> None:
    assert _boards(problem) == _oracle(problem)


@pytest.mark.long
@settings(max_examples=120)
@given(problem=_lopsided(9))
def test_lopsided_fields_are_paired_as_by_brute_force(problem: PairingProblem) -> None:
    """Many float together, MDPs float again, and the next bracket influences the choice."""
    assert _boards(problem) == _oracle(problem)


@pytest.mark.slow
@settings(max_examples=6000)
@given(problem=_lopsided(9))
def test_many_lopsided_fields_are_paired_as_by_brute_force(problem: PairingProblem) -> None:
    assert _boards(problem) == _oracle(problem)


@pytest.mark.long
@settings(max_examples=100)
@given(problem=st.one_of(fields, _lopsided(30)))
def test_the_quick_way_finds_what_weighted_matching_finds(problem: PairingProblem) -> None:
    try:
        paired = list(brackets(field_of(problem)))
    except NoPairingError:
        return
    for step in paired:
        quick = quick_pairs(step.bracket, step.completion)
        exact = exact_pairs(step.bracket, step.completion)
        assert set(step.pairing.pairs) == set(exact)
        assert quick is None or set(quick) == set(exact)
        every = small.SmallBrackets(step.completion).pairs(step.bracket)
        assert every is None or set(every) == set(exact)


@settings(max_examples=100)
@given(problem=fields)
def test_every_pairing_is_legal_and_seats_everybody_once(problem: PairingProblem) -> None:
    """C.04.1 2-4 by the independent checker, C3 here."""
    try:
        solution = Dutch().pair(problem)
    except NoPairingError:
        return
    assert violations(problem, solution) == []
    players = {p.tpn: p for p in field_of(problem).players}
    for board in solution.boards:
        one, two = players[board.first], players[board.second]
        if not (one.is_topscorer or two.is_topscorer):
            both = {preference(one.contestant), preference(two.contestant)}
            sides = {p.side for p in both}
            assert len(sides) == 2 or any(p.strength is not Strength.ABSOLUTE for p in both)


def _graph(problem: PairingProblem, without: int | None) -> networkx.Graph[int]:
    field = field_of(problem)
    graph: networkx.Graph[int] = networkx.Graph()
    places = [p.place for p in field.players if p.tpn != without]
    graph.add_nodes_from(places)
    graph.add_edges_from((a, b) for a in places for b in places if a < b and field.may_meet(a, b))
    return graph


def _is_pairable(problem: PairingProblem, without: int | None) -> bool:
    graph = _graph(problem, without)
    pairs = networkx.max_weight_matching(graph, maxcardinality=True)
    return 2 * len(pairs) == len(graph)


@pytest.mark.long
@settings(max_examples=60)
@given(problem=fields)
def test_the_bye_has_the_lowest_score_that_a_legal_pairing_allows(problem: PairingProblem) -> None:
    """D1: also in nearly exhausted fields no player gets a second bye while a legal pairing exists (C2, C5)."""
    players = field_of(problem).players
    scores = {
        p.tpn: p.score_halves
        for p in players
        if p.contestant.may_have_bye and len(players) % 2 and _is_pairable(problem, p.tpn)
    }
    try:
        solution = Dutch().pair(problem)
    except NoPairingError:
        assert not scores
        assert len(players) % 2 or not _is_pairable(problem, None)
        return
    if solution.bye is not None:
        assert scores[solution.bye] == min(scores.values())


@pytest.mark.long
@settings(max_examples=60)
@given(problem=fields, seed=st.integers(0, 10**6))
def test_order_of_input_and_names_do_not_matter(problem: PairingProblem, seed: int) -> None:
    """TPNs three times as large are in an equal order and have an equal parity."""
    expected = _boards(problem)
    contestants = list(problem.contestants)
    random.Random(seed).shuffle(contestants)
    assert _boards(problem._replace(contestants=tuple(contestants))) == expected

    def renamed(c: Contestant) -> Contestant:
        records = (r._replace(opponent=r.opponent and 3 * r.opponent) for r in c.records)
        return Contestant(3 * c.tpn, tuple(records))

    other = problem._replace(
        contestants=tuple(map(renamed, contestants)),
        absent=tuple(map(renamed, problem.absent)),
    )
    tripled = expected and {frozenset(3 * tpn for tpn in board) for board in expected}
    assert _boards(other) == tripled


@settings(max_examples=40)
@given(problem=fields)
def test_a_stored_problem_is_paired_again_to_the_same_answer(problem: PairingProblem) -> None:
    assert _boards(PairingProblem.from_json(problem.to_json())) == _boards(problem)


@settings(max_examples=40)
@given(problem=fields, seed=st.integers(0, 10**6))
def test_forbidden_pairs_do_not_meet(problem: PairingProblem, seed: int) -> None:
    rng = random.Random(seed)
    tpns = [c.tpn for c in problem.contestants]
    forbidden = frozenset(frozenset(rng.sample(tpns, 2)) for _ in range(3))
    boards = _boards(problem._replace(forbidden=forbidden))
    assert boards is None or not boards & forbidden


@pytest.mark.parametrize(("size", "rounds"), [(10, 9), (12, 11), (16, 14), (9, 9)])
def test_a_field_can_be_played_until_it_is_exhausted(size: int, rounds: int) -> None:
    """Every round is legal, and the first that is refused has no legal pairing (D1)."""
    from tests.bench.pairing import played

    rng = random.Random(size)
    strengths = dict.fromkeys(range(1, size + 1), 0.0)
    problem = PairingProblem(1, rounds, tuple(Contestant(tpn, ()) for tpn in range(1, size + 1)))
    for _ in range(rounds - 1):
        try:
            assert violations(problem, Dutch().pair(problem)) == []
        except NoPairingError:
            eligible = [c.tpn for c in problem.contestants if c.may_have_bye]
            odd = len(problem.contestants) % 2
            assert not any(_is_pairable(problem, t) for t in (eligible if odd else [None]))
            return
        problem = played(problem, strengths, rng)


@pytest.mark.parametrize(
    "case", [c for c in corpus.cases() if "baku" in c.tags], ids=lambda c: c.name
)
def test_boards_of_accelerated_rounds_stand_by_pairing_score(case: corpus.Case) -> None:
    """D6, C.04.7 1.5: the score of the higher player with its virtual points, then the sum, then the TPN."""
    problem = trf.pairing_problem(trf.read(case.trf))
    halves = {c.tpn: c.pairing_halves(problem.round_number) for c in problem.contestants}
    keys = []
    for board in Dutch().pair(problem).boards:
        both = sorted((-halves[t], t) for t in (board.first, board.second))
        keys.append((both[0][0], both[0][0] + both[1][0], both[0][1]))
    assert all(a <= b for a, b in pairwise(keys))


def _first_round(tpns: range, absent: tuple[Contestant, ...], past: int) -> PairingProblem:
    zero = RoundRecord(RoundKind.ZERO_BYE, None, 0)
    contestants = tuple(Contestant(t, (zero,) * past) for t in tpns)
    return PairingProblem(past + 1, 5, contestants, absent=absent)


def test_absent_players_who_were_never_paired_do_not_count_in_the_parity() -> None:
    """D7, C.04.3 5.2.5: with TPN 1 not there yet, TPN 2 counts as the first and gets the initial colour."""
    absent = (Contestant(1, ()),)
    boards = Dutch().pair(_first_round(range(2, 6), absent, 0)).boards
    assert [(b.first, b.second) for b in boards] == [(2, 4), (5, 3)]


def test_absent_players_who_were_paired_count_in_the_parity() -> None:
    """D7: a forfeit was a pairing, so TPN 1 keeps its place and TPN 2 is even."""
    absent = (Contestant(1, (RoundRecord(RoundKind.FORFEIT_LOSS, 9, 0),)),)
    boards = Dutch().pair(_first_round(range(2, 6), absent, 1)).boards
    assert [(b.first, b.second) for b in boards] == [(4, 2), (3, 5)]


def test_an_opponent_outside_the_problem_makes_no_float() -> None:
    games = RoundRecord(RoundKind.FIRST, 9, 2), RoundRecord(RoundKind.SECOND, 8, 2)
    problem = PairingProblem(2, 5, (Contestant(1, games[:1]), Contestant(2, games[1:])))
    assert {p.floats for p in field_of(problem).players} == {(Float.NONE, Float.NONE)}


def test_the_evidence_counts_what_the_brackets_reached() -> None:
    problem = random_problem(size=15, rounds=4, seed=3, absences=0)
    solution = Dutch().pair(problem)
    assert sum(len(b.pairs) for b in solution.brackets) == len(solution.boards)
    for bracket, following in pairwise(solution.brackets):
        assert bracket.floaters == following.mdps
        values = {c.criterion: c.value for c in bracket.criteria}
        assert values["C6"] == (len(bracket.floaters),)
    assert solution.brackets[-1].floaters == (solution.bye,)


@pytest.mark.long
@settings(max_examples=200)
@given(
    size=st.integers(1, 12),
    edges=st.sets(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=40),
)
def test_bits_match_as_many_as_networkx(size: int, edges: set[tuple[int, int]]) -> None:
    neighbours = [0] * size
    graph: networkx.Graph[int] = networkx.Graph()
    for a, b in edges:
        if a != b and max(a, b) < size:
            neighbours[a] |= 1 << b
            neighbours[b] |= 1 << a
            graph.add_edge(a, b)
    mate = matching(neighbours)
    assert all(mate[w] == v and neighbours[v] >> w & 1 for v, w in enumerate(mate) if w >= 0)
    most = networkx.max_weight_matching(graph, maxcardinality=True)
    assert sum(w >= 0 for w in mate) == 2 * len(most)


def _obvious_transversal(rows: list[int]) -> list[int] | None:
    if not rows:
        return []
    for column in range(rows[0].bit_length()):
        if rows[0] >> column & 1:
            rest = _obvious_transversal([row & ~(1 << column) for row in rows[1:]])
            if rest is not None:
                return [column, *rest]
    return None


@pytest.mark.long
@settings(max_examples=300)
@given(data=st.data(), size=st.integers(1, 6))
def test_the_first_transversal_is_the_first(data: st.DataObject, size: int) -> None:
    rows = data.draw(st.lists(st.integers(0, 2**size - 1), min_size=size, max_size=size))
    assert first_transversal(rows) == _obvious_transversal(rows)


def test_the_progress_of_a_round_is_the_number_of_players_down_to_the_paired_bracket() -> None:
    problem = random_problem(size=12, rounds=4, seed=3, absences=0)
    reports: list[tuple[int, int]] = []
    Dutch(lambda done, total: reports.append((done, total))).pair(problem)
    assert reports == [(group.stop, 12) for group in field_of(problem).groups]
    assert len(reports) > 1


def test_a_round_without_players_has_no_boards() -> None:
    solution = Dutch().pair(PairingProblem(1, 5, ()))
    assert (solution.boards, solution.bye, solution.brackets) == ((), None, ())


def test_c9_counts_the_unplayed_rounds_of_the_only_floater() -> None:
    """Player 3 would have the bye by all criteria but C9: its first round was a half-point bye."""
    white, black = RoundRecord(RoundKind.FIRST, 90, 1), RoundRecord(RoundKind.SECOND, 91, 1)
    half = RoundRecord(RoundKind.HALF_BYE, None, 1)
    full, zero = RoundRecord(RoundKind.FULL_BYE, None, 2), RoundRecord(RoundKind.ZERO_BYE, None, 0)
    leaders = [
        Contestant(1, (white, black, white, black)),
        Contestant(2, (black, white, black, white)),
        Contestant(3, (half, white, black, white)),
    ]
    # They have had a bye, so that the bye falls into the bracket of the leaders.
    others = [Contestant(tpn, (full, zero, zero, zero)) for tpn in range(4, 8)]
    problem = PairingProblem(5, 9, (*leaders, *others)).checked()
    first, *_ = brackets(field_of(problem))
    assert first.bracket.bye_falls_here
    assert Dutch().pair(problem).bye == 2
