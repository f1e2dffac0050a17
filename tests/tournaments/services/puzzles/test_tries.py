"""Tries at puzzles: only the first counts, and both sides are rated by it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.tournaments import puzzle_rows
from tournaments import database_time
from tournaments.errors import StaleError
from tournaments.models import Player, Puzzle, PuzzleRating, PuzzleTry, User
from tournaments.queries import puzzles
from tournaments.ratings import glicko2
from tournaments.services.accounts import guests
from tournaments.services.puzzles import tries

pytestmark = pytest.mark.django_db


def test_a_try_is_rated_as_a_game_between_the_player_and_the_puzzle(ana: User) -> None:
    puzzle = puzzle_rows.stored()
    row = tries.note(ana.player, puzzle.pk, is_solved=True)
    assert row is not None
    change = glicko2.rate_game(
        glicko2.Standing(), glicko2.Standing(), score_halves=2, first_idle_s=0, second_idle_s=0
    )
    assert row.after_centielo == change.first.after.rating_centielo > 1500_00
    puzzle.refresh_from_db()
    assert puzzle.standing == change.second.after
    assert (puzzle.tries, puzzle.solved) == (1, 1)
    rating = PuzzleRating.objects.get()
    assert rating.standing == change.first.after
    assert (rating.family, rating.tries, rating.solved) == ("morelli", 1, 1)


def test_only_the_first_try_counts(ana: User) -> None:
    puzzle = puzzle_rows.stored()
    tries.note(ana.player, puzzle.pk, is_solved=False)
    row = tries.note(ana.player, puzzle.pk, is_solved=True)
    assert row is not None
    assert not row.is_solved
    assert (PuzzleTry.objects.count(), PuzzleRating.objects.get().tries) == (1, 1)


def test_a_guest_is_not_rated(db: None) -> None:
    guest = guests.enter(browser="a secret", address="127.0.0.1")
    row = tries.note(guest, puzzle_rows.stored().pk, is_solved=True)
    assert row is not None
    assert row.after_centielo is None
    assert not PuzzleRating.objects.exists()
    assert Puzzle.objects.get().tries == 0


def test_the_next_puzzle_is_the_untried_one_nearest_to_the_rating(ana: User) -> None:
    easy, middle, hard = (puzzle_rows.stored(n) for n in range(3))
    for puzzle, elo in ((easy, 900), (middle, 1450), (hard, 2200)):
        Puzzle.objects.filter(pk=puzzle.pk).update(centielo=100 * elo)
    assert puzzles.next_for("morelli", ana.player) == middle
    PuzzleTry.objects.create(
        player=ana.player, puzzle=middle, is_solved=True, tried_at=database_time.now()
    )
    PuzzleRating.objects.create(player=ana.player, family="morelli", centielo=1900_00)
    assert puzzles.next_for("morelli", ana.player) == hard
    assert puzzles.next_for("morlox", ana.player) is None


def test_visitors_without_a_player_go_through_the_puzzles_in_turn(db: None) -> None:
    first, second = (puzzle_rows.stored(n) for n in range(2))
    assert puzzles.next_for("morelli", None) == first
    assert puzzles.next_for("morelli", None, after=first.pk) == second
    assert puzzles.next_for("morelli", None, after=second.pk) == first


def test_the_puzzle_of_the_day_stays_all_day_and_changes_at_midnight(db: None) -> None:
    day = datetime(2026, 11, 26, 9, tzinfo=UTC)
    rows = [puzzle_rows.stored(n) for n in range(3)]
    Puzzle.objects.update(made_at=day - timedelta(days=2))
    today = puzzles.of_the_day("morelli", day)
    new = puzzle_rows.stored(3)
    Puzzle.objects.filter(pk=new.pk).update(made_at=day)
    assert puzzles.of_the_day("morelli", day + timedelta(hours=14)) == today
    following = [puzzles.of_the_day("morelli", day + timedelta(days=n)) for n in range(1, 5)]
    assert today not in following[:1]
    assert {*rows, new} == {*following}
    Puzzle.objects.update(withdrawn_at=day)
    assert puzzles.of_the_day("morelli", day) is None


def test_a_withdrawal_changes_the_puzzle_of_the_day_only_if_it_is_that_puzzle(db: None) -> None:
    day = datetime(2026, 11, 26, 9, tzinfo=UTC)
    rows = [puzzle_rows.stored(n) for n in range(4)]
    Puzzle.objects.update(made_at=day - timedelta(days=2))
    today = puzzles.of_the_day("morelli", day)
    assert today is not None
    others = [row for row in rows if row != today]
    Puzzle.objects.filter(pk=others[0].pk).update(withdrawn_at=day)
    assert puzzles.of_the_day("morelli", day) == today
    Puzzle.objects.filter(pk=today.pk).update(withdrawn_at=day)
    assert puzzles.of_the_day("morelli", day) in others[1:]


def test_the_puzzle_of_the_day_of_a_new_site_stays_all_day(db: None) -> None:
    first = puzzle_rows.stored()
    for number in range(1, 4):
        puzzle_rows.stored(number)
        assert puzzles.of_the_day("morelli", database_time.now()) == first


def test_the_next_puzzle_has_the_theme_that_is_asked_for(ana: User) -> None:
    rows = [puzzle_rows.stored(n) for n in range(12)]
    for player in (ana.player, None):
        puzzle = puzzles.next_for("morelli", player, theme="several captures")
        assert puzzle in rows
        assert "several captures" in puzzles.themes_of(puzzle)
        assert puzzles.next_for("morelli", player, theme="a flip") is None


def test_a_theme_is_looked_up_without_playing_the_lines_again(
    ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    puzzle = puzzle_rows.stored()
    puzzles.offered_themes("morelli")
    monkeypatch.setattr(puzzles, "themes_of", pytest.fail)
    assert puzzles.next_for("morelli", ana.player, theme="several captures") == puzzle
    for number in range(20):
        assert puzzles.next_for("morelli", None, theme=f"theme {number}") is None


def test_the_themes_on_offer_are_those_of_puzzles(db: None) -> None:
    assert list(puzzles.offered_themes("morelli")) == []
    puzzle_rows.stored()
    assert list(puzzles.offered_themes("morelli")) == ["several captures"]
    puzzle_rows.stored(1)
    assert list(puzzles.offered_themes("morelli")) == ["several captures", "a capture"]


def test_a_withdrawn_puzzle_is_not_rated(ana: User) -> None:
    puzzle = puzzle_rows.stored()
    Puzzle.objects.update(withdrawn_at=database_time.now())
    assert tries.play(ana.player, puzzle, (), puzzle.line[0]).is_done
    assert not PuzzleTry.objects.exists()
    assert not PuzzleRating.objects.exists()


@pytest.mark.parametrize("moves", [["A1-B2"], None])
def test_moves_that_do_not_begin_the_line_are_no_try(ana: User, moves: list[str] | None) -> None:
    puzzle = puzzle_rows.stored()
    with pytest.raises(StaleError, match="puzzle-moves"):
        tries.play(ana.player, puzzle, puzzle.line if moves is None else moves, puzzle.line[0])
    assert not PuzzleTry.objects.exists()


@pytest.mark.parametrize(
    ("days_ago", "count"), [([], 0), ([0], 1), ([1], 1), ([2], 0), ([0, 1, 2, 4], 3), ([1, 2], 2)]
)
def test_days_in_a_row_end_with_a_day_without_a_solved_puzzle(
    ana: User, days_ago: list[int], count: int
) -> None:
    now = database_time.now()
    for n, days in enumerate(days_ago):
        _tried(ana.player, n, now - timedelta(days=days), is_solved=True)
    _tried(ana.player, 20, now - timedelta(days=3), is_solved=False)
    assert puzzles.days_in_a_row(ana.player, now) == count


def _tried(player: Player, n: int, moment: datetime, *, is_solved: bool) -> None:
    PuzzleTry.objects.create(
        player=player, puzzle=puzzle_rows.stored(n), is_solved=is_solved, tried_at=moment
    )
