"""The rules of Morlox: its text, the decisions D-X1 to D-X16, and a second implementation."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.core import Outcome, Side
from games.morlox import Morlox, MorloxPosition
from games.view import Goal, Notice
from tests.games.morlox_positions import BLACK_CHAIN, SEEDS, drawn, played, random_game, refusal
from tests.games.oracle_morlox import OracleGame, potential


def perft(position: MorloxPosition, depth: int) -> int:
    moves = position.legal_moves()
    if depth == 1:
        return len(moves)
    return sum(perft(position.play(move), depth - 1) for move in moves)


@pytest.mark.parametrize(
    ("depth", "count"),
    [
        (1, 9),
        (2, 72),
        (3, 504),
        (4, 2_640),
        (5, 11_976),
        (6, 37_088),
        (7, 95_616),
        pytest.param(8, 166_616, marks=pytest.mark.slow),
        pytest.param(9, 223_280, marks=pytest.mark.slow),
        pytest.param(10, 212_624, marks=pytest.mark.slow),
        pytest.param(11, 144_624, marks=pytest.mark.slow),
        pytest.param(12, 84_336, marks=pytest.mark.slow),
    ],
)
def test_perft_of_three_by_three_is_as_published(depth, count):
    assert perft(Morlox(3, swap=False).initial(), depth) == count


@pytest.mark.parametrize(
    ("depth", "count"),
    [
        (1, 25),
        (2, 600),
        (3, 13_800),
        (4, 291_872),
        pytest.param(5, 5_924_952, marks=pytest.mark.slow),
    ],
)
def test_perft_of_five_by_five_is_as_published(depth, count):
    assert perft(Morlox(5, swap=False).initial(), depth) == count


def test_the_swap_is_one_of_the_second_plies():
    assert perft(Morlox(13).initial(), 2) == 28_561


def test_black_plays_first_on_an_empty_board():
    # D-X15
    position = Morlox(5).initial()
    assert position.colour_of(position.side_to_move) == "black"
    assert position.side_to_move is Side.FIRST
    assert set(position.text().split()[0]) == {".", "/"}


def test_turns_alternate():
    position = played(Morlox(5, swap=False), "a1 b2 c3")
    assert position.side_to_move is Side.SECOND


def test_placement_where_the_opponent_controls_is_refused():
    position = drawn("..... ..... ..... ..... w...w")
    error = refusal(position, "c1")
    assert (error.rule, error.move) == ("morlox/control", "c1")


def test_placement_where_one_controls_oneself_is_allowed():
    assert "c1" in drawn("..... ..... ..... ..... w...w", "w").legal_moves()


def test_placement_on_a_stone_is_refused():
    position = played(Morlox(5), "c3")
    assert refusal(position, "c3").rule == "morlox/play"


def test_flip_replaces_an_enemy_stone_by_ones_own():
    position = drawn("..w.. ..... w.b.w ..... .....", "w").play("c3x")
    assert position.text().startswith("..w../...../w.w.w/...../.....")


def test_flip_without_control_is_refused():
    position = drawn("..w.. ..... w.b.. ..... .....", "w")
    assert refusal(position, "c3x").rule == "morlox/control"


@pytest.mark.parametrize(
    "move", [pytest.param("a3x", id="own stone"), pytest.param("a1x", id="empty square")]
)
def test_only_enemy_stones_are_flipped(move):
    position = drawn("..w.. ..... w.b.w ..... .....", "w")
    assert refusal(position, move).rule == "morlox/play"


def test_passing_is_refused_while_there_is_a_move():
    # D-X8
    assert refusal(Morlox(5).initial(), "pass").rule == "morlox/D-X8"


def test_pass_is_the_only_move_when_there_is_none():
    # D-X8: Black controls the one empty square, b2, and White controls no black stone.
    position = drawn("bb. b.b bbw", "w")
    assert position.legal_moves() == ["pass"]
    assert Notice("must-pass", "white", 1) in position.notices()
    after = position.play("pass")
    assert after.colour_of(after.side_to_move) == "black"
    assert after.text().split()[0] == position.text().split()[0]


@settings(max_examples=40)
@given(seed=SEEDS, size=st.integers(min_value=2, max_value=5))
def test_two_passes_never_follow_each_other(seed, size):
    moves = [move for move, _ in random_game(Morlox(size), seed)]
    assert ("pass", "pass") not in pairwise(moves)


def test_chain_wins_at_the_start_of_its_owners_turn():
    position = drawn(BLACK_CHAIN, "b")
    assert position.outcome() is Outcome.FIRST
    assert position.legal_moves() == []
    assert position.evaluation() == 1.0


def test_chain_just_made_does_not_win_yet():
    # D-X6
    position = drawn(BLACK_CHAIN, "w")
    assert position.outcome() is None
    assert Notice("standing-chain", "black", 1) in position.notices()
    assert position.play("e1").outcome() is Outcome.FIRST


def test_chain_may_be_broken_before_it_counts():
    # c5 is on the perimeter and sees white on both sides: White flips it and Black has not won.
    position = drawn("w.b.w ..b.. ..b.. ..b.. ..b..", "w")
    assert position.play("c5x").outcome() is None
    assert position.play("a1").outcome() is Outcome.FIRST


def test_a_chain_is_orthogonal():
    assert drawn("..b.. .b... .b... .b... .b...", "b").outcome() is None


def test_each_colour_joins_its_own_edges():
    across = "..... bbbbb ..... ..... ....."
    assert drawn(across, "b").outcome() is None
    assert drawn(across.replace("b", "w"), "w").outcome() is Outcome.SECOND
    assert Morlox().goals == (
        Goal("top", "black"),
        Goal("bottom", "black"),
        Goal("left", "white"),
        Goal("right", "white"),
    )


def test_corner_square_touches_both_its_edges():
    # D-X13: a1 and a5 are corners. They belong to the bottom and top for Black, to the left for
    # White.
    assert drawn("b.... b.... b.... b.... b....", "b").outcome() is Outcome.FIRST
    assert drawn("..... ..... ..... ..... wwwww", "w").outcome() is Outcome.SECOND


def test_moves_after_the_end_are_refused():
    assert refusal(drawn(BLACK_CHAIN, "b"), "a1").rule == "morlox/win"


def test_full_board_without_a_chain_goes_on_by_flips():
    position = drawn("bwbw bbww wwbb bwbw", "b")
    assert position.outcome() is None
    assert position.legal_moves() != []


@settings(max_examples=40)
@given(seed=SEEDS, size=st.integers(min_value=2, max_value=7))
def test_the_winner_is_always_the_side_to_move(seed, size):
    # D-X7
    *_, (_, last) = random_game(Morlox(size), seed)
    assert last.outcome() == last.side_to_move.value


def test_swap_exchanges_the_persons_and_nothing_on_the_board():
    # D-X9
    before = played(Morlox(5), "c3")
    after = before.play("swap")
    assert after.text().split()[0] == before.text().split()[0]
    assert (before.colour_of(Side.FIRST), after.colour_of(Side.FIRST)) == ("black", "white")
    assert after.colour_of(Side.SECOND) == "black"


def test_after_a_swap_white_moves_next_and_is_the_first_player():
    after = played(Morlox(5), "c3 swap")
    assert after.side_to_move is Side.FIRST
    assert after.colour_of(after.side_to_move) == "white"
    assert after.play("a1").side_to_move is Side.SECOND


@pytest.mark.parametrize(
    "moves",
    [
        pytest.param("", id="first turn"),
        pytest.param("c3 swap", id="second swap"),
        pytest.param("c3 a1", id="third turn"),
        pytest.param("c3 a1 b5", id="second player's second turn"),
    ],
)
def test_swap_is_for_the_second_players_first_turn_only(moves):
    position = played(Morlox(5), moves)
    assert "swap" not in position.legal_moves()
    assert refusal(position, "swap").rule == "morlox/D-X9"


def test_swap_can_be_switched_off():
    position = played(Morlox(5, swap=False), "c3")
    assert "swap" not in position.legal_moves()
    assert refusal(position, "swap").rule == "morlox/D-X9"


def test_result_after_a_swap_belongs_to_the_person():
    # D-X11: Black's chain, and Black is the second player.
    assert drawn(BLACK_CHAIN, "b", swapped=True).outcome() is Outcome.SECOND


def test_swap_is_announced():
    assert Notice("may-swap", "white", 1) in played(Morlox(5), "c3").notices()
    notices = played(Morlox(5), "c3 swap").notices()
    assert Notice("swapped", None, 1) in notices
    assert not any(notice.code == "may-swap" for notice in notices)


@pytest.mark.long
@settings(max_examples=60)
@given(seed=SEEDS, size=st.integers(min_value=2, max_value=9), swap=st.booleans())
def test_legal_moves_and_outcome_are_the_oracles_at_every_ply(seed, size, swap):
    ruleset, game = Morlox(size, swap=swap), OracleGame(size, swap)
    for move, position in random_game(ruleset, seed):
        if move:
            game.play(move)
        assert position.legal_moves() == game.legal_moves()
        assert position.outcome() == game.winner()
        assert position.side_to_move.value == game.owner[game.turn]


@settings(max_examples=15)
@given(seed=SEEDS, size=st.integers(min_value=2, max_value=6))
def test_play_accepts_exactly_the_legal_moves(seed, size):
    ruleset = Morlox(size)
    names = [cell.name for cell in ruleset.initial().cells()]
    candidates = {*names, *(f"{name}x" for name in names), "swap", "pass"}
    for _, position in random_game(ruleset, seed):
        legal = set(position.legal_moves())
        for move in candidates - legal:
            refusal(position, move)
        assert all(position.play(move).ply == position.ply + 1 for move in legal)


@settings(max_examples=30)
@given(seed=SEEDS, size=st.integers(min_value=2, max_value=9))
def test_sight_kept_move_by_move_is_that_found_from_nothing(seed, size):
    ruleset = Morlox(size)
    for _, position in random_game(ruleset, seed):
        assert ruleset.parse(position.text()).sight == position.sight


def mirrored(text: str) -> str:
    """Return the position text with a1-h8 as mirror and the colours exchanged, without a swap."""
    rows, turn, ply, swapped = text.split()
    by_rank = rows.split("/")[::-1]
    turned = ["".join(row[file] for row in by_rank) for file in range(len(by_rank))]
    letters = str.maketrans("bw", "wb")
    return f"{'/'.join(turned[::-1]).translate(letters)} {turn.translate(letters)} {ply} {swapped}"


@settings(max_examples=25)
@given(seed=SEEDS, size=st.integers(min_value=3, max_value=8))
def test_mirror_in_the_long_diagonal_with_colours_exchanged_changes_nothing(seed, size):
    ruleset = Morlox(size, swap=False)
    for _, position in list(random_game(ruleset, seed))[2::5]:
        rows, turn, ply, _ = mirrored(position.text()).split()
        text = f"{rows} {turn} {int(ply) + 1} -"  # one ply later, for the other colour to move
        image = ruleset.parse(text)
        assert len(image.legal_moves()) == len(position.legal_moves())
        assert image.evaluation() == pytest.approx(position.evaluation())
        assert (image.outcome() is None) == (position.outcome() is None)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_games_mirrored_left_to_right_have_mirrored_moves(seed):
    def mirror(move: str) -> str:
        if move in ("swap", "pass"):
            return move
        return f"{chr(ord('a') + ord('g') - ord(move[0]))}{move[1:]}"

    image = Morlox(7).initial()
    for move, position in random_game(Morlox(7), seed):
        image = image.play(mirror(move)) if move else image
        assert image.legal_moves() == sorted(map(mirror, position.legal_moves()))
        assert image.evaluation() == pytest.approx(position.evaluation())
        assert image.outcome() == position.outcome()


@settings(max_examples=25)
@given(seed=SEEDS, size=st.integers(min_value=2, max_value=8))
def test_potential_bounds_the_flips_as_claimed(seed, size):
    # Morlox.max_plies: placements lower P by 8 at most, flips never lower it, 0 <= P < 8n^2.
    game, before = OracleGame(size, swap=False), 0
    for move, _ in random_game(Morlox(size, swap=False), seed):
        if move is None:
            continue
        game.play(move)
        after = potential(game)
        assert 0 <= after < 8 * size**2
        assert after - before >= (0 if move.endswith("x") else -8)
        before = after


def test_the_bound_on_the_length_is_the_one_that_is_proved():
    """n^2 placements, 16n^2 flips that are not balanced, 8n^2 that are, and a pass before each."""
    assert Morlox(11).max_plies == 2 * (1 + 16 + 8) * 11**2


@pytest.mark.parametrize("size", [2, 3, 5, 8, 11])
def test_game_that_flips_whenever_it_can_ends_far_below_the_bound(size):
    ruleset, rng = Morlox(size, swap=False), random.Random(size)
    for _ in range(10):
        position = ruleset.initial()
        while position.outcome() is None:
            moves = position.legal_moves()
            position = position.play(rng.choice([m for m in moves if m.endswith("x")] or moves))
        assert position.ply < ruleset.max_plies / 10 + 10


@pytest.mark.long
def test_random_games_of_eleven_by_eleven_are_about_117_plies_long():
    lengths = [len(list(random_game(Morlox(11), seed))) - 1 for seed in range(60)]
    assert 112 < sum(lengths) / 60 < 122
    assert min(lengths) > 70
    assert max(lengths) < 180


def mover_wins(position: MorloxPosition, known: dict[str, bool]) -> bool:
    """Return whether the side to move wins with best play. `known` is kept from call to call."""
    state = position.text().rsplit(" ", 2)[0]
    if state not in known:
        replies = sorted(map(position.play, position.legal_moves()), key=MorloxPosition.evaluation)
        known[state] = position.outcome() is not None or any(
            not mover_wins(reply, known) for reply in replies
        )
    return known[state]


@pytest.mark.parametrize(
    ("size", "lost"), [pytest.param(2, set(), id="2x2"), pytest.param(3, {"b2"}, id="3x3")]
)
def test_openings_that_lose_without_a_swap_are_as_published(size, lost):
    start = Morlox(size, swap=False).initial()
    known: dict[str, bool] = {}
    openings = start.legal_moves()
    assert {move for move in openings if mover_wins(start.play(move), known)} == lost


@pytest.mark.slow
def test_openings_that_lose_on_four_by_four_are_those_in_the_middle():
    # One opening of each kind: the board's own symmetries keep the goals.
    start = Morlox(4, swap=False).initial()
    known: dict[str, bool] = {}
    assert [move for move in ("b2", "a1", "a2", "b1") if mover_wins(start.play(move), known)] == [
        "b2"
    ]


@given(seed=SEEDS)
@settings(max_examples=20)
def test_an_edge_can_be_joined_exactly_if_a_legal_move_joins_it(seed: int) -> None:
    position = Morlox(5, swap=False).initial()
    rng = random.Random(seed)
    for _ in range(30):
        if position.outcome() is not None:
            break
        moves = position.legal_moves()
        joins = any(
            notice.code == "standing-chain"
            for move in moves
            if move != "pass"
            for notice in position.play(move).notices()
        )
        assert position.can_chain() == joins, position.text()
        position = position.play(rng.choice(moves))
