"""Puzzles found in finished games, and the stock that comes with the software."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from celery.exceptions import SoftTimeLimitExceeded

import games
from engine.kernel import puzzles
from engine.kernel.host import Kernel
from games import Position
from games.morelli.figures import position_of
from tests.tournaments import pages, puzzle_rows
from tournaments import database_time
from tournaments.models import Game, Player, Puzzle, PuzzleSearch
from tournaments.services import enqueue
from tournaments.services.puzzles import mining

ALL = puzzle_rows.all_of_stock()


@pytest.mark.parametrize(("ruleset", "position", "line"), ALL, ids=range(len(ALL)))
def test_the_stock_has_legal_lines_and_a_choice_at_each_turn(
    ruleset: str, position: str, line: list[str]
) -> None:
    at = games.load(ruleset).parse(position)
    assert len(line) % 2 == 1
    for number, move in enumerate(line):
        assert at.canonical(move) == move
        assert number % 2 or len(at.legal_moves()) >= 4
        at = at.play(move)


def test_no_puzzle_of_the_stock_is_there_twice() -> None:
    assert len({(ruleset, position) for ruleset, position, _ in ALL}) == len(ALL)


@pytest.mark.long
@pytest.mark.parametrize("number", range(3))
def test_the_stock_is_what_the_search_finds(number: int) -> None:
    ruleset, text, line = puzzles.stock("morelli")[number]
    position = games.load(ruleset).parse(text)
    assert list(puzzles.solution(Kernel(), position)) == list(line)


def test_a_position_with_equal_moves_is_no_puzzle() -> None:
    position = games.load("morelli(size=7)").initial(seed=1)
    assert puzzles.solution(Kernel(), position) == ()


def test_a_position_that_is_over_or_nearly_forced_is_no_puzzle() -> None:
    exercises = {each.name: each for each in games.family_of("perfect").presentation.exercises()}
    assert puzzles.solution(Kernel(), exercises["obligation"].position) == ()
    arrived = exercises["arrival"].after(exercises["arrival"].lines[0])
    assert puzzles.solution(Kernel(), arrived) == ()


@pytest.fixture
def stock(db: None) -> None:
    """The puzzles that come with the software are loaded, so that a search looks at games alone."""
    for family in games.available():
        mining.load_stock(family.name)


def _played(bots: list[Player]) -> Game:
    game = pages.new_game(bots[0], bots[1], "morelli(size=7)")
    pages.play_out(game)
    return game


@pytest.mark.django_db
def test_the_stock_is_loaded_once_where_there_are_no_puzzles() -> None:
    mining.mine()
    count = Puzzle.objects.filter(family="morelli").count()
    assert count == len(puzzles.stock("morelli")) > 50
    mining.mine()
    mining.load_stock("morelli")
    assert Puzzle.objects.filter(family="morelli").count() == count


@pytest.mark.django_db
@pytest.mark.usefixtures("stock")
def test_finished_games_are_searched_once(
    monkeypatch: pytest.MonkeyPatch, bots: list[Player]
) -> None:
    """Each finished game of enough plies is searched, and its puzzles name it."""
    Puzzle.objects.update(made_at=database_time.now())
    game = _played(bots)
    monkeypatch.setattr(puzzles, "solution", lambda _kernel, at: at.legal_moves()[:1])
    mining.mine()
    first, second = Puzzle.objects.filter(game=game).values_list("ply", "ruleset", "position")
    assert abs((second[0] or 0) - (first[0] or 0)) >= 8
    assert games.load(first[1]).parse(first[2]).ply == first[0]
    assert PuzzleSearch.objects.get(family="morelli").last_game == game.pk
    mining.mine()
    assert Puzzle.objects.filter(game=game).count() == 2


@pytest.mark.django_db
def test_a_day_has_its_number_of_new_puzzles(
    monkeypatch: pytest.MonkeyPatch, bots: list[Player]
) -> None:
    mining.load_stock("morelli")
    _played(bots)
    monkeypatch.setattr(mining, "DAILY", 0)
    mining.mine()
    assert not PuzzleSearch.objects.exists()
    assert Game.objects.finished().exists()


@pytest.mark.django_db
def test_a_worker_is_sent_for_every_ten_minutes(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    monkeypatch.setattr(enqueue, "puzzles", lambda: calls.append(1))
    hour = datetime(2026, 11, 26, 9, tzinfo=UTC)
    for minute in range(20):
        mining.wake(hour + timedelta(minutes=minute))
    assert len(calls) == 2


@pytest.mark.long
@pytest.mark.django_db
@pytest.mark.usefixtures("stock")
def test_a_search_ends_with_its_budget(monkeypatch: pytest.MonkeyPatch, bots: list[Player]) -> None:
    game = _played(bots)
    monkeypatch.setattr(puzzles, "solution", lambda _kernel, at: at.legal_moves()[:1])
    monkeypatch.setattr(mining, "_BUDGET_S", -1.0)
    mining.mine()
    assert not Puzzle.objects.filter(game=game).exists()
    assert PuzzleSearch.objects.get(family="morelli").last_game == game.pk


@pytest.mark.django_db
@pytest.mark.usefixtures("stock")
def test_a_search_that_fails_is_not_repeated(
    monkeypatch: pytest.MonkeyPatch, bots: list[Player]
) -> None:
    """A task that its limit ends leaves the game behind, and the next one searches another game."""
    game = _played(bots)

    def interrupted(_kernel: Kernel, _at: Position) -> list[str]:
        raise SoftTimeLimitExceeded

    monkeypatch.setattr(puzzles, "solution", interrupted)
    with pytest.raises(SoftTimeLimitExceeded):
        mining.mine()
    assert PuzzleSearch.objects.get(family="morelli").last_game == game.pk


@pytest.mark.long
@pytest.mark.django_db
@pytest.mark.usefixtures("stock")
def test_a_game_that_ended_late_is_searched_after_games_that_began_later(
    monkeypatch: pytest.MonkeyPatch, bots: list[Player]
) -> None:
    slow, quick = (_played(bots) for _ in range(2))
    Game.objects.filter(pk=slow.pk).update(ended_at=database_time.now() + timedelta(hours=1))
    monkeypatch.setattr(puzzles, "solution", lambda _kernel, _at: ())
    for game in (quick, slow):
        mining.mine()
        assert PuzzleSearch.objects.get(family="morelli").last_game == game.pk


THEMES = [
    # D5 is a corner, F4 and E2 are none.
    ("A6-C6 xD5*", ["a frame by a capture"]),
    ("F2-E3 xF4*", ["a frame"]),
    ("F3-D3 xE2*", ["a frame"]),
    ("A1-B2*", ["a frame"]),
    # E4 stays white between D5, which has just turned over, and F3.
    ("G4-E6 xD5", ["a ripple trap"]),
    ("K8-J9 xI8I9J10", ["a ripple trap"]),
    ("C1-C3 xB4C4", ["several captures"]),
    ("G7-E5 xE4", ["a capture"]),
    ("B9-C9", ["a quiet move"]),
    ("a2", ["a chain"]),
    ("g7", ["a placement"]),
    ("f7x", ["a flip"]),
    # The other side must jump over a man on neutral ground.
    ("e9-f9", ["a forced jump"]),
    ("b1xd3", ["a capture"]),
    ("b3-d1", ["a jump"]),
    ("f10-g10", ["a quiet move"]),
]


@pytest.mark.parametrize(("move", "themes"), THEMES, ids=[move for move, _ in THEMES])
def test_a_theme_is_that_of_the_move_in_its_position(move: str, themes: list[str]) -> None:
    ruleset, text, _line = next(row for row in ALL if row[2][0] == move)
    position = games.load(ruleset).parse(text)
    presentation = games.family_of(ruleset).presentation
    assert list(presentation.themes_of(position, [move])) == themes


# Black moves from A7 to C7 and captures D7. D6 is then between D7, which has just turned over, and D5.
PINCERS = [
    ("A7 E7 D5", "D7 D6 I5", "a ripple trap"),
    ("A7 E7", "D7 D6 I5", "a capture"),
    ("A7 E7 D5", "D7 I5", "a capture"),
]
CHAINS_IN_TWO = [
    ("..ww./.ww.w/..bb./bb.../..bbb w 13 -", {"a4"}),
    ("b.ww./.w..w/b..../.bww./.b.bb b 12 -", {"a2", "a4", "b3"}),
]


@pytest.mark.parametrize(("black", "white", "theme"), PINCERS, ids=["pincer", "open", "empty"])
def test_a_ripple_trap_is_a_pincer_of_a_captured_piece(black: str, white: str, theme: str) -> None:
    position = position_of(black=black, white=white)
    presentation = games.family_of("morelli(size=9)").presentation
    assert list(presentation.themes_of(position, ["A7-C7 xD7"])) == [theme]


@pytest.mark.parametrize(("text", "moves"), CHAINS_IN_TWO, ids=["one move", "three moves"])
def test_a_chain_in_two_comes_whatever_the_reply(text: str, moves: set[str]) -> None:
    position = games.load("morlox(size=5,swap=off)").parse(text)
    presentation = games.family_of("morlox(size=5)").presentation
    themes = {move: presentation.themes_of(position, [move]) for move in position.legal_moves()}
    assert {move for move, names in themes.items() if names == ["a chain in two"]} == moves
