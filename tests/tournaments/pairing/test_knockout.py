"""Knock-outs, single and double: the draw, its byes, crossings and finals, and laws for whole events."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.pairing.formats import Event, first_problem
from tournaments.pairing import (
    BadProblemError,
    Contestant,
    DoubleKnockout,
    EventDecidedError,
    FormatOptions,
    Idle,
    IdleReason,
    Knockout,
    NoPairingError,
    PairingProblem,
    RoundKind,
    RoundRecord,
    double_knockout,
    knockout,
)
from tournaments.pairing.brackets import Bracket, seeding_order
from tournaments.pairing.colours import alternate

_OPTIONS = FormatOptions()


@pytest.mark.parametrize(
    ("size", "order"),
    [
        (2, [1, 2]),
        (4, [1, 4, 2, 3]),
        (8, [1, 8, 4, 5, 2, 7, 3, 6]),
        (16, [1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11]),
    ],
)
def test_seeds_stand_in_the_usual_order(size: int, order: list[int]) -> None:
    assert seeding_order(size) == order


@pytest.mark.parametrize("size", [2, 4, 8, 16, 32, 64])
def test_the_best_meet_last(size: int) -> None:
    survivors = seeding_order(size)
    while (
        len(survivors) > 1
    ):  # whenever the higher seed wins, rounds add up to one more than the places left
        assert {a + b for a, b in zip(survivors[::2], survivors[1::2], strict=True)} == {
            len(survivors) + 1
        }
        survivors = [min(a, b) for a, b in zip(survivors[::2], survivors[1::2], strict=True)]


@pytest.mark.parametrize(
    ("players", "rounds"), [(2, 1), (3, 2), (4, 2), (5, 3), (9, 4), (5000, 13)]
)
def test_rounds_are_the_logarithm(players: int, rounds: int) -> None:
    assert Knockout().rounds(players, _OPTIONS) == rounds
    assert DoubleKnockout().rounds(players, _OPTIONS) == 2 * rounds + 1


@pytest.mark.parametrize("system", [Knockout(), DoubleKnockout()])
def test_one_player_is_no_knockout(system: Knockout | DoubleKnockout) -> None:
    with pytest.raises(BadProblemError, match="1 players"):
        system.rounds(1, _OPTIONS)
    with pytest.raises(BadProblemError, match="continuous"):
        system.pair(first_problem(4)._replace(is_continuous=True))


def test_top_seeds_have_the_byes() -> None:
    solution = Knockout().pair(first_problem(5))
    assert solution.idle == tuple(
        Idle(tpn, RoundKind.THROUGH, reason=IdleReason.EMPTY_PLACE) for tpn in (1, 2, 3)
    )
    assert {frozenset((b.first, b.second)) for b in solution.boards} == {frozenset((4, 5))}


def _after(size: int, *rounds: str) -> PairingProblem:
    """The problem after rounds written as `1>4 2=3 5+6 7`: won, drawn, by forfeit against an absentee, through."""
    records: dict[int, list[RoundRecord]] = {tpn: [] for tpn in range(1, size + 1)}
    for number, text in enumerate(rounds, start=1):
        for word in text.split():
            sign = next((s for s in ">=+x" if s in word), "")
            if not sign:
                records[int(word)].append(RoundRecord(RoundKind.THROUGH, None, 2))
                continue
            one, two = map(int, word.split(sign))
            mine, theirs = {
                ">": ((RoundKind.FIRST, 2), (RoundKind.SECOND, 0)),
                "=": ((RoundKind.FIRST, 1), (RoundKind.SECOND, 1)),
                "+": ((RoundKind.FORFEIT_WIN, 2), (RoundKind.FORFEIT_LOSS, 0)),
                "x": ((RoundKind.FORFEIT_LOSS, 0), (RoundKind.FORFEIT_LOSS, 0)),
            }[sign]
            records[one].append(RoundRecord(mine[0], two, mine[1]))
            records[two].append(RoundRecord(theirs[0], one, theirs[1]))
        for past in records.values():
            past += [RoundRecord(RoundKind.OUT, None, 0)] * (number - len(past))
    field = tuple(Contestant(tpn, tuple(past)) for tpn, past in records.items())
    return PairingProblem(len(rounds) + 1, 9, field, most_meetings=0)


@pytest.mark.parametrize(
    ("tie", "winner"),
    [
        pytest.param("2>3", 2, id="won"),
        pytest.param("3>2", 3, id="lost"),
        pytest.param("3=2", 2, id="level: the higher seed"),
        pytest.param("3+2", 3, id="by forfeit"),
    ],
)
def test_who_wins_a_tie(tie: str, winner: int) -> None:
    problem = _after(4, f"1>4 {tie}")
    board = Knockout().pair(problem).boards[0]
    assert {board.first, board.second} == {1, winner}
    drawn = knockout.draw(problem).ties[1]
    assert drawn.is_higher_seed == (tie == "3=2")


def test_a_tie_played_by_neither_eliminates_both() -> None:
    problem = _after(4, "1>4 3x2")
    drawn = knockout.draw(problem)
    assert (drawn.ties[1].winner, set(drawn.ties[1].losers), drawn.champion) == (None, {2, 3}, 1)
    assert knockout.places(problem) == [[1], [2, 3, 4]]
    with pytest.raises(EventDecidedError, match="TPN 1"):
        Knockout().pair(problem)
    with pytest.raises(EventDecidedError, match="no player is left"):
        Knockout().pair(_after(2, "1x2"))
    eight = _after(8, "1>8 5x4 2>7 3>6")
    assert Idle(1, RoundKind.THROUGH, reason=IdleReason.EMPTY_PLACE) in Knockout().pair(eight).idle


def test_the_arbiter_may_let_one_of_two_absent_players_through() -> None:
    problem = _after(4, "1>4 3x2")
    named = problem.contestants[2].records[0]._replace(goes_through=True)
    problem = problem._replace(
        contestants=tuple(
            c._replace(records=(named,)) if c.tpn == 3 else c for c in problem.contestants
        ),
    )
    board = Knockout().pair(problem).boards[0]
    assert {board.first, board.second} == {1, 3}


def test_a_tie_played_by_neither_is_the_higher_seeds_in_a_double_elimination() -> None:
    drawn = double_knockout.draw(_after(4, "1>4 3x2")).ties[1]
    assert (drawn.winner, drawn.losers, drawn.is_higher_seed) == (2, (3,), True)


def _third(*rounds: str, size: int = 4) -> PairingProblem:
    return _after(size, *rounds)._replace(options=FormatOptions(has_third_place=True))


def test_the_losers_of_the_semi_finals_play_for_third_place() -> None:
    solution = Knockout().pair(_third("4>1 2>3"))
    meetings = {b.meeting: {b.first, b.second} for b in solution.evidence}
    assert meetings == {"tie": {2, 4}, "third-place": {1, 3}}
    over = _third("4>1 2>3", "4>2 3>1")
    assert knockout.places(over) == [[4], [2], [3], [1]]
    assert knockout.draw(over).champion == 4
    assert [r.bracket for r in knockout.draw(over).rounds] == ["winners", "winners", "third"]
    with pytest.raises(EventDecidedError, match="TPN 4"):
        Knockout().pair(over)


@pytest.mark.parametrize(
    ("rounds", "size", "places"),
    [
        pytest.param(("1 2>3", "1>2 3"), 3, [[1], [2], [3]], id="no opponent for the loser"),
        pytest.param(("1>4 2>3", "1>2 3x4"), 4, [[1], [2], [3, 4]], id="played by neither"),
        pytest.param(("1>2",), 2, [[1], [2]], id="two players have no semi-final"),
    ],
)
def test_third_place_without_a_game(
    rounds: tuple[str, ...], size: int, places: list[list[int]]
) -> None:
    assert knockout.places(_third(*rounds, size=size)) == places


def test_the_loser_is_out_and_the_champion_decides_the_event() -> None:
    problem = _after(4, "1>4 2>3")
    assert Knockout().pair(problem).idle == (Idle(3, RoundKind.OUT), Idle(4, RoundKind.OUT))
    decided = _after(4, "1>4 2>3", "2>1")
    with pytest.raises(EventDecidedError, match="TPN 2"):
        Knockout().pair(decided)
    assert knockout.draw(decided).champion == 2
    assert knockout.places(decided) == [[2], [1], [3, 4]]
    assert knockout.places(problem) == [[1, 2], [3, 4]]


def test_the_opponent_of_somebody_absent_goes_through() -> None:
    whole = _after(4, "1>4 2>3")
    away = whole._replace(
        contestants=tuple(c for c in whole.contestants if c.tpn != 1),
        absent=(whole.contestants[0]._replace(left_round=2),),
    )
    solution = Knockout().pair(away)
    assert solution.boards == ()
    assert Idle(2, RoundKind.FORFEIT_WIN, 1) in solution.idle


def test_somebody_who_came_late_is_not_in_the_draw() -> None:
    problem = first_problem(4)
    late = problem._replace(contestants=(*problem.contestants, Contestant(5, (), joined_round=2)))
    assert Knockout().pair(late).idle == (Idle(5, RoundKind.OUT),)


def test_a_forbidden_tie_cannot_be_paired() -> None:
    with pytest.raises(NoPairingError):
        Knockout().pair(first_problem(4)._replace(forbidden=frozenset({frozenset((1, 4))})))


def test_a_draw_shows_the_ties_to_come() -> None:
    drawn = knockout.draw(_after(5, "1 2 3 4>5"))
    assert [len(r.ties) for r in drawn.rounds] == [4, 2, 1]
    first, second, final = drawn.rounds
    assert (first.ties[0].is_bye, first.ties[0].winner, first.ties[0].losers) == (True, 1, ())
    played = first.ties[1]
    assert (played.upper.tpn, played.upper.score_halves, played.lower.score_halves) == (4, 2, 0)
    assert (second.ties[0].upper.tpn, second.ties[0].lower.tpn, second.ties[0].winner) == (
        1,
        4,
        None,
    )
    assert (final.ties[0].upper.tpn, final.ties[0].upper.is_bye) == (None, False)
    assert final.ties[0].upper.source.tie == second.ties[0].index


def test_the_draw_shows_the_score_of_the_round_in_which_a_tie_was_played() -> None:
    _, second, _ = knockout.draw(_after(5, "1 2 3 4>5", "4>1 2>3")).rounds
    tie = second.ties[0]
    assert (tie.upper.tpn, tie.upper.score_halves) == (1, 0)
    assert (tie.lower.tpn, tie.lower.score_halves) == (4, 2)


@pytest.mark.parametrize(
    ("one", "two", "first", "rule"),
    [
        pytest.param("", "", 1, "initial", id="odd higher seed"),
        pytest.param("1", "12", 2, "balance", id="who had it less often"),
        pytest.param("22", "", 1, "balance", id="also without a game"),
        pytest.param("21", "12", 2, "alternation", id="the last difference reversed"),
        pytest.param("2112", "1212", 2, "alternation", id="an earlier difference"),
        pytest.param("12", "12", 1, "alternation", id="the higher seed changes sides"),
        pytest.param("", "12", 2, "alternation", id="only the lower one has played"),
    ],
)
def test_sides_of_a_tie(one: str, two: str, first: int, rule: str) -> None:
    kinds = {"1": RoundKind.FIRST, "2": RoundKind.SECOND}
    higher, lower = (
        Contestant(tpn, tuple(RoundRecord(kinds[c], 9, 1) for c in text))
        for tpn, text in ((1, one), (2, two))
    )
    problem = PairingProblem(1, 1, (), is_continuous=True)
    sides = alternate(problem, higher, lower)
    assert (sides.first, sides.rule) == (first, rule)


def test_an_even_higher_seed_begins_with_the_other_side() -> None:
    boards = Knockout().pair(first_problem(4)).boards
    assert [(b.first, b.second) for b in boards] == [(1, 4), (3, 2)]
    boards = Knockout().pair(first_problem(4, odd=False)).boards
    assert [(b.first, b.second) for b in boards] == [(4, 1), (2, 3)]
    for board in Knockout().pair(first_problem(16)).boards:
        higher = min(board.first, board.second)
        assert (board.first == higher) == (higher % 2 == 1)


# --- double elimination ---


def test_four_players_take_the_usual_course() -> None:
    one = _after(4, "1>4 2>3")
    assert _meetings(one) == {"tie 1-2", "losers-tie 3-4"}
    two = _after(4, "1>4 2>3", "1>2 3>4")
    assert _meetings(two) == {"losers-tie 2-3"}
    through = Idle(1, RoundKind.THROUGH, reason=IdleReason.LATER_TIE)
    assert DoubleKnockout().pair(two).idle == (through, Idle(4, RoundKind.OUT))
    three = _after(4, "1>4 2>3", "1>2 3>4", "2>3 1")
    assert _meetings(three) == {"final 1-2"}
    decided = _after(4, "1>4 2>3", "1>2 3>4", "2>3 1", "1>2")
    assert double_knockout.places(decided) == [[1], [2], [3], [4]]
    with pytest.raises(EventDecidedError, match="TPN 1"):
        DoubleKnockout().pair(decided)
    assert double_knockout.draw(decided).ties[-1].is_bye
    reset = _after(4, "1>4 2>3", "1>2 3>4", "2>3 1", "2>1")
    assert _meetings(reset) == {"reset-final 1-2"}
    assert double_knockout.draw(reset).champion is None
    over = _after(4, "1>4 2>3", "1>2 3>4", "2>3 1", "2>1", "2>1")
    assert double_knockout.places(over) == [[2], [1], [3], [4]]


def _meetings(problem: PairingProblem) -> set[str]:
    return {
        f"{e.meeting} {min(e.first, e.second)}-{max(e.first, e.second)}"
        for e in DoubleKnockout().pair(problem).evidence
    }


def test_two_players_play_the_best_of_three() -> None:
    assert _meetings(_after(2, "1>2")) == {"final 1-2"}
    assert _meetings(_after(2, "1>2", "2>1")) == {"reset-final 1-2"}


def _earliest_rematch(count: int, drops: dict[int, tuple[int, ...]]) -> int:
    """The first losers' round in which two can meet again, when the loser of tie t of winners' round r goes to place
    drops[r][t]. Losers' rounds: 1 for neighbours, 2 with those from winners' round 2, and so on.
    """
    earliest = 2 * count
    for one, two in combinations(range(1 << count), 2):
        met = (one ^ two).bit_length()
        for lost in range(met + 1, count + 1):
            # The loser of round r is at a place of losers' round 2r - 2 and climbs from there.
            place = drops[met][two >> met]
            other = drops[lost][one >> lost]
            for later in range(lost, count + 1):
                if place >> (later - max(met, 2)) == other >> (later - lost):
                    earliest = min(earliest, 2 * later - 2 if later == lost else 2 * later - 3)
                    break
    return earliest


def _drops(count: int) -> dict[int, tuple[int, ...]]:
    fixed = {1: tuple(tie // 2 for tie in range(1 << (count - 1)))}
    for r in range(2, count + 1):
        mask = double_knockout.crossing(r, count)
        fixed[r] = tuple(tie ^ mask for tie in range(1 << (count - r)))
    return fixed


@pytest.mark.parametrize("count", [2, 3, 4])
def test_no_other_crossing_keeps_rematches_away_for_longer(count: int) -> None:
    ways = [permutations(range(1 << (count - r))) for r in range(2, count + 1)]
    first = _drops(count)[1]
    best = max(
        _earliest_rematch(count, {1: first, **dict(enumerate(way, start=2))})
        for way in product(*ways)
    )
    assert _earliest_rematch(count, _drops(count)) == best


@pytest.mark.parametrize(
    ("count", "straight", "crossed"), [(3, 2, 3), (4, 2, 4), (5, 2, 5), (6, 2, 7)]
)
def test_crossing_delays_rematches(count: int, straight: int, crossed: int) -> None:
    uncrossed = {r: tuple(range(1 << (count - r))) for r in range(2, count + 1)}
    assert _earliest_rematch(count, {1: _drops(count)[1], **uncrossed}) == straight
    assert _earliest_rematch(count, _drops(count)) == crossed


def test_the_draw_drops_losers_where_the_crossing_says() -> None:
    fixtures = double_knockout.fixtures(4)
    by_bracket = Counter(f.bracket for f in fixtures)
    assert by_bracket == {
        Bracket.WINNERS: 15,
        Bracket.LOSERS: 14,
        Bracket.FINAL: 1,
        Bracket.RESET: 1,
    }
    second_round = [f for f in fixtures if f.bracket is Bracket.LOSERS and f.round_number == 3]
    assert [f.upper.tie for f in second_round] == [8 + t for t in (2, 3, 0, 1)]
    for index, fixture in enumerate(fixtures):
        for source in (fixture.upper, fixture.lower):
            if source.tie is not None:
                assert source.tie < index
                assert fixtures[source.tie].round_number < fixture.round_number


@pytest.mark.long
@settings(max_examples=60)
@given(
    size=st.integers(2, 40),
    seed=st.integers(0, 10**6),
    is_double=st.booleans(),
    trouble=st.sampled_from([0.0, 0.05, 0.4]),
)
def test_whole_events_end_with_one_champion(
    size: int, seed: int, is_double: bool, trouble: float
) -> None:
    system = DoubleKnockout() if is_double else Knockout()
    rng = random.Random(seed)
    event = Event(system, first_problem(size), rng, withdrawals=trouble, absences=trouble / 2)
    event.play(100)
    assert len(event.solutions) <= system.rounds(size, _OPTIONS)
    with pytest.raises(EventDecidedError):
        system.pair(event.problem)
    module = double_knockout if is_double else knockout
    places = module.places(event.problem)
    ties = module.draw(event.problem).ties
    if all(len(tie.losers) < 2 for tie in ties):
        assert [len(group) for group in places[:2]] == [1, 1]
        losses = Counter(tpn for tie in ties for tpn in tie.losers)
        assert all(losses[tpn] == 1 + is_double for group in places[1:] for tpn in group)
        assert losses[places[0][0]] <= is_double
    assert sorted(tpn for group in places for tpn in group) == list(range(1, size + 1))


@pytest.mark.long
@settings(max_examples=30)
@given(size=st.integers(2, 33), seed=st.integers(0, 10**6), is_double=st.booleans())
def test_an_old_round_is_a_prefix_of_the_draw(size: int, seed: int, is_double: bool) -> None:
    module = double_knockout if is_double else knockout
    system = DoubleKnockout() if is_double else Knockout()
    event = Event(system, first_problem(size), random.Random(seed))
    event.play(100)
    final = module.draw(event.problem).ties
    for problem in event.problems:
        for before, after in zip(module.draw(problem).ties, final, strict=True):
            if before.winner is not None:
                assert (before.winner, before.losers) == (after.winner, after.losers)
            if before.round_number == problem.round_number and before.upper.tpn:
                assert before.upper.tpn == after.upper.tpn


@pytest.mark.parametrize("size", [2, 4, 8, 16, 32])
def test_without_upsets_the_places_are_the_seeds(size: int) -> None:
    problem = first_problem(size)
    history: list[str] = []
    while True:
        try:
            boards = Knockout().pair(problem).boards
        except EventDecidedError:
            break
        text = " ".join(f"{min(b.first, b.second)}>{max(b.first, b.second)}" for b in boards)
        history.append(text)
        problem = _after(size, *history)
    groups = knockout.places(problem)
    assert groups[0] == [1]
    low = 1
    for group in groups[1:]:
        assert group == list(range(low + 1, 2 * low + 1))
        low *= 2
