"""Groups and a knock-out: the members of groups, the qualified players, their places in the draw."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.pairing.formats import Event, first_problem
from tournaments.pairing import (
    BadProblemError,
    Contestant,
    EventDecidedError,
    FormatOptions,
    GroupsKnockout,
    RoundKind,
    RoundRecord,
    stages,
)
from tournaments.pairing.brackets import bracket_size, seeding_order
from tournaments.pairing.group_table import has_left as left_by


def _event(size: int, seed: int = 0, trouble: float = 0.0, **options: Any) -> Event:
    problem = first_problem(size, options=FormatOptions(**options))
    return Event(
        GroupsKnockout(), problem, random.Random(seed), withdrawals=trouble, absences=trouble
    )


def test_groups_are_dealt_forth_and_back() -> None:
    problem = first_problem(10, options=FormatOptions(groups=4))
    assert stages.groups(problem) == [[1, 8, 9], [2, 7, 10], [3, 6], [4, 5]]


@pytest.mark.parametrize(
    ("size", "options", "rounds"),
    [
        pytest.param(8, FormatOptions(groups=2, qualifiers=2), 3 + 2, id="2 x 4"),
        pytest.param(8, FormatOptions(groups=2, qualifiers=2, cycles=2), 6 + 2, id="two cycles"),
        pytest.param(11, FormatOptions(groups=3, qualifiers=2), 3 + 3, id="4 4 3, six go on"),
        pytest.param(5, FormatOptions(groups=1, qualifiers=4), 5 + 2, id="one odd group"),
    ],
)
def test_rounds_are_those_of_both_stages(size: int, options: FormatOptions, rounds: int) -> None:
    assert GroupsKnockout().rounds(size, options) == rounds


@pytest.mark.parametrize(
    ("size", "options"),
    [
        (8, FormatOptions(groups=5)),
        (8, FormatOptions(groups=0)),
        (8, FormatOptions(groups=3, qualifiers=3)),
        (8, FormatOptions(groups=2, qualifiers=0)),
        (8, FormatOptions(groups=1, qualifiers=1)),
        (8, FormatOptions(groups=2, cycles=3)),
    ],
)
def test_options_that_make_no_sense_are_refused(size: int, options: FormatOptions) -> None:
    with pytest.raises(BadProblemError):
        GroupsKnockout().rounds(size, options)
    with pytest.raises(BadProblemError):
        GroupsKnockout().pair(first_problem(size, options=options))


def test_two_groups_cross_over() -> None:
    assert stages.seeds_of_groups(2, 2) == ((1, 3), (2, 4))  # A1 - B2 and B1 - A2


def test_four_groups_cross_over() -> None:
    ties = {frozenset((seed, 9 - seed)) for seed in range(1, 5)}
    owner = {s: g for g, own in enumerate(stages.seeds_of_groups(4, 2)) for s in own}
    for tie in ties:
        winner, runner_up = sorted(tie)
        assert owner[winner] != owner[runner_up]


@pytest.mark.parametrize("qualifiers", range(1, 9))
@pytest.mark.parametrize("count", range(1, 17))
def test_players_of_a_group_meet_again_as_late_as_possible(count: int, qualifiers: int) -> None:
    if count * qualifiers < 2:
        return
    own = stages.seeds_of_groups(count, qualifiers)
    assert sorted(seed for seeds in own for seed in seeds) == list(range(1, count * qualifiers + 1))
    size = bracket_size(count * qualifiers)
    place = {seed: n for n, seed in enumerate(seeding_order(size))}
    for seeds in own:
        assert [(seed - 1) // count for seed in seeds] == list(range(qualifiers))
        blocks = size if qualifiers <= 5 else min(4, size)
        while blocks > 1:
            width = size // blocks
            held = [place[seed] // width for seed in seeds]
            most = -(-qualifiers // blocks)
            assert max(held.count(block) for block in held) <= most
            blocks //= 2


def test_the_first_of_each_group_go_on_and_the_others_are_out() -> None:
    event = _event(8, seed=3, groups=2, qualifiers=2)
    event.play(3)
    tables = stages.tables(event.problem)
    through = {tpn for table in tables for tpn in table.qualified}
    assert [[row.tpn for row in t.rows[:2]] for t in tables] == [list(t.qualified) for t in tables]
    solution = event.play_round()
    assert {tpn for b in solution.boards for tpn in (b.first, b.second)} == through
    assert {idle.kind for idle in solution.idle} == {RoundKind.OUT}
    for board in solution.boards:
        group = {tpn: n for n, own in enumerate(stages.groups(event.problem)) for tpn in own}
        assert group[board.first] != group[board.second]


def test_a_qualifier_who_has_left_makes_room_for_the_next() -> None:
    event = _event(8, seed=3, groups=2, qualifiers=2)
    event.play(3)
    problem = event.problem
    table = stages.tables(problem)[0]
    leader = next(c for c in problem.contestants if c.tpn == table.qualified[0])
    others = tuple(c for c in problem.contestants if c is not leader)
    without_leader = problem._replace(contestants=others, absent=(leader._replace(left_round=4),))
    assert stages.tables(without_leader)[0].qualified == tuple(row.tpn for row in table.rows[1:3])
    stays = problem._replace(contestants=others, absent=(leader._replace(left_round=5),))
    assert stages.tables(stays)[0].qualified == table.qualified


@pytest.mark.parametrize(
    ("left_round", "round_number", "has_left"),
    [(0, 1, False), (0, 9, False), (1, 1, True), (4, 3, False), (4, 4, True), (4, 5, True)],
)
def test_a_player_has_left_from_the_round_of_leaving_on(
    left_round: int, round_number: int, *, has_left: bool
) -> None:
    contestant = Contestant(1, (), left_round=left_round)
    assert left_by(contestant, round_number) is has_left


def test_a_group_is_ordered_by_points_sonneborn_berger_wins_and_number() -> None:
    #      1  2  3  4   1 and 2 have 2 points, 3 and 4 have 1
    # 1    .  0  1  1
    # 2    1  .  ½  ½
    # 3    0  ½  .  ½
    # 4    0  ½  ½  .
    halves = {(1, 2): 0, (1, 3): 2, (1, 4): 2, (2, 3): 1, (2, 4): 1, (3, 4): 1}
    event = _event(4, groups=1, qualifiers=2)
    problem = event.problem
    for _ in range(3):
        boards = GroupsKnockout().pair(problem).boards
        records = {}
        for b in boards:
            low, high = sorted((b.first, b.second))
            score = {low: halves[low, high], high: 2 - halves[low, high]}
            records[b.first] = RoundRecord(RoundKind.FIRST, b.second, score[b.first])
            records[b.second] = RoundRecord(RoundKind.SECOND, b.first, score[b.second])
        problem = problem._replace(
            round_number=problem.round_number + 1,
            contestants=tuple(
                c._replace(records=(*c.records, records[c.tpn])) for c in problem.contestants
            ),
        )
    rows = stages.tables(problem)[0].rows
    assert [(r.rank, r.tpn, r.points_halves, r.sonneborn_quarters, r.wins) for r in rows] == [
        (1, 2, 4, 2 * 4 + 2 + 2, 1),
        (2, 1, 4, 2 * 2 + 2 * 2, 2),
        (3, 3, 2, 4 + 2, 0),
        (3, 4, 2, 4 + 2, 0),
    ]
    assert stages.places(problem) == [[2, 1], [3, 4]]


@settings(max_examples=50)
@given(
    size=st.integers(4, 30),
    count=st.integers(1, 6),
    qualifiers=st.integers(1, 4),
    cycles=st.integers(1, 2),
    seed=st.integers(0, 10**6),
    trouble=st.sampled_from([0.0, 0.03, 0.3]),
)
def test_whole_events_end(
    size: int, count: int, qualifiers: int, cycles: int, seed: int, trouble: float
) -> None:
    options = FormatOptions(groups=count, qualifiers=qualifiers, cycles=cycles)
    try:
        rounds = GroupsKnockout().rounds(size, options)
    except BadProblemError:
        return
    event = _event(size, seed, trouble, groups=count, qualifiers=qualifiers, cycles=cycles)
    event.play(200)
    assert len(event.solutions) <= rounds
    with pytest.raises(EventDecidedError):
        GroupsKnockout().pair(event.problem)
    places = stages.places(event.problem)
    assert sorted(tpn for group in places for tpn in group) == list(range(1, size + 1))
    drawn = stages.draw(event.problem)
    if not trouble and drawn is not None and all(len(tie.losers) < 2 for tie in drawn.ties):
        assert len(event.solutions) == rounds
        assert [len(group) for group in places[:2]] == [1, 1]
        _assert_all_met(event, cycles)


def _assert_all_met(event: Event, cycles: int) -> None:
    drawn = stages.draw(event.problem)
    assert drawn is not None
    stage = event.solutions[: -len(drawn.rounds)]
    met = [frozenset((b.first, b.second)) for s in stage for b in s.boards]
    pairs = [frozenset(p) for group in stages.groups(event.problem) for p in combinations(group, 2)]
    assert sorted(map(sorted, met)) == sorted(map(sorted, pairs * cycles))
