from __future__ import annotations

import io
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import games
from engine import local, players, referee, sdk
from engine.clock import Fischer
from engine.match import BotSpec, Ending, MatchSpec
from engine.sdk import rayuela_sdk
from engine.sdk.rayuela_sdk import Clock, Option, run

SAMPLES = sdk.DIRECTORY / "samples"
SMALL = ["morelli(size=5)", "morlox(size=4)", "perfect(limit=10)"]
MORLOX = games.load("morlox(size=4)").key


def first(position: games.Position, clock: Clock) -> str:
    return position.legal_moves()[0]


def output_of(*lines: str, choose: Callable[[Any, Clock], Any] = first) -> list[str]:
    """Return the answers of a bot to `lines`."""
    output = io.StringIO()
    run(choose, name="b", author="me", lines=lines, output=output)
    return output.getvalue().splitlines()


def resigning(look: Callable[[Any, Clock], None]) -> Callable[[Any, Clock], str]:
    """Return a bot that looks and gives up."""

    def choose(position: games.Position, clock: Clock) -> str:
        look(position, clock)
        return "resign"

    return choose


@pytest.mark.parametrize("dialect", ["ugi", "uci"])
def test_greeting_is_answered_in_its_dialect(dialect):
    assert output_of(dialect) == ["id name b", "id author me", f"{dialect}ok"]


GAME = f"setoption name Game value {MORLOX}"


def test_game_is_followed_and_another_one_begun():
    positions: list[str] = []

    def choose(position: games.Position, clock: Clock) -> str:
        positions.append(position.text())
        return first(position, clock)

    output_of(
        GAME,
        "isready",
        "position startpos",
        "go",
        "position startpos moves a1 swap",
        "go",
        "position startpos moves b2",
        "go",
        "gameover 1-0 reason rules",
        "hello",
        "quit",
        "go",
        choose=choose,
    )
    start = games.load(MORLOX).initial()
    expected = [start, start.play("a1").play("swap"), start.play("b2")]
    assert positions == [position.text() for position in expected]


def test_position_that_goes_on_is_not_played_again_from_its_start(monkeypatch):
    ruleset = games.load("morelli(size=5)")
    start = ruleset.initial(seed=1)
    fen = start.text().replace(" ", "_")
    moves = ["_".join(start.legal_moves()[0].split())]
    positions: list[games.Position] = []
    plays: list[str] = []
    original = type(start).play

    def count_calls(position: Any, move: str) -> Any:
        plays.append(move)
        return original(position, move)

    monkeypatch.setattr(type(start), "play", count_calls)
    output_of(
        f"setoption name Game value {ruleset.key}",
        f"position fen {fen}",
        f"position fen {fen} moves {moves[0]}",
        "go",
        choose=resigning(lambda position, clock: positions.append(position)),
    )
    assert len(plays) == 1
    assert positions[0] == start.play(moves[0].replace("_", " "))


CLOCKS = {
    "p1": (
        "go p1time 60000 p2time 50000 p1inc 500 p2inc 400",
        Clock(60_000, 500, 50_000),
    ),
    "uci": ("go wtime 60000 btime 50000 winc 500 binc 400", Clock(60_000, 500, 50_000)),
    "movetime": ("go movetime 700", Clock(movetime_ms=700)),
    "nodes": ("go nodes 12", Clock(nodes=12)),
    "fuel": ("go fuel 1000", Clock(fuel=1000)),
    "nothing": ("go infinite", Clock()),
}


def clocks_at(line: str, moves: str = "") -> Clock:
    clocks: list[Clock] = []
    output_of(
        GAME,
        f"position startpos{moves}",
        line,
        choose=resigning(lambda position, clock: clocks.append(clock)),
    )
    (clock,) = clocks
    return clock


@pytest.mark.parametrize(("line", "clock"), CLOCKS.values(), ids=CLOCKS.keys())
def test_clock_is_read(line, clock):
    assert clocks_at(line) == clock


def test_clock_is_that_of_the_side_to_move_whatever_its_colour():
    line = "go p1time 60000 p2time 50000 p1inc 500 p2inc 400"
    second = Clock(50_000, 400, 60_000)
    assert clocks_at(line, " moves a1") == second
    assert clocks_at(line, " moves a1 swap").remaining_ms == 60_000


@pytest.mark.parametrize(
    ("clock", "budget_ms"),
    [
        (Clock(movetime_ms=500), 470),
        (Clock(movetime_ms=5), 1),
        (Clock(60_000, 400), 2000 + 300 - 30),
        (Clock(100, 1000), 50 - 30),
        (Clock(nodes=100), float("inf")),
    ],
)
def test_budget_is_a_share_of_what_is_left(clock, budget_ms):
    assert clock.budget_ms() == budget_ms


def test_clock_says_when_the_budget_is_spent():
    clock = Clock(movetime_ms=1)
    time.sleep(0.002)
    assert clock.is_up()
    assert not Clock().is_up()


def test_clock_is_the_processors_where_the_referee_says_so():
    clocks: list[Clock] = []
    lines = ("setoption name Clock value cpu", "position startpos", "go movetime 700")
    output_of(GAME, *lines, choose=resigning(lambda position, clock: clocks.append(clock)))
    (clock,) = clocks
    assert clock == Clock(movetime_ms=700, is_cpu=True)
    spent_ms = clock.spent_ms()
    time.sleep(0.1)
    assert clock.spent_ms() - spent_ms < 50  # asleep
    began = time.process_time()
    while time.process_time() - began < 0.02:
        pass
    assert clock.spent_ms() - spent_ms >= 20


def test_info_is_said_before_the_move():
    def choose(position: games.Position, clock: Clock) -> str:
        rayuela_sdk.info(depth=2, score=-0.25, nodes=9, pv=["a1 b2", "c3"], text="two\nlines")
        return "a1"

    assert output_of(GAME, "position startpos", "go", choose=choose) == [
        "info depth 2 score cp -25 nodes 9 pv a1_b2 c3 string two lines",
        "bestmove a1",
    ]


def test_print_does_not_break_the_protocol(capsys):
    def choose(position: games.Position, clock: Clock) -> str:
        print("debug")  # noqa: T201  # what authors do
        rayuela_sdk.log("thinking", 1)
        return rayuela_sdk.RESIGN

    assert output_of(GAME, "position startpos", "go", choose=choose) == ["bestmove resign"]
    assert capsys.readouterr().err == "debug\nthinking 1\n"


def test_illegal_move_is_said_and_explained(capsys):
    assert output_of(GAME, "position startpos", "go", choose=lambda p, c: "z9") == ["bestmove z9"]
    assert "illegal move: 'z9'" in capsys.readouterr().err


@pytest.mark.parametrize("value", [None, 7, 1 / 3])
def test_answer_that_is_no_text_ends_the_bot_with_a_reason(capsys, value):
    with pytest.raises(SystemExit) as caught:
        output_of(GAME, "position startpos moves a1", "go", choose=lambda p, c: value)
    assert caught.value.code == 1
    errors = capsys.readouterr().err
    assert f"choose() returned {value!r}" in errors
    assert f"in {MORLOX} after 1 plies: " in errors


@pytest.mark.parametrize("lines", [["position startpos"], [GAME, "go"]])
def test_referee_that_forgets_something_is_told(lines):
    with pytest.raises(ValueError, match="a position"):
        output_of(*lines)


@pytest.mark.engine
def test_library_needs_the_games_and_nothing_else_of_ours(tmp_path):
    shutil.copytree(sdk.GAMES_DIRECTORY / "games", tmp_path / "games")
    shutil.copy(sdk.DIRECTORY / "rayuela_sdk.py", tmp_path)
    shutil.copy(SAMPLES / "greedy.py", tmp_path / "main.py")
    code = (
        "import sys, runpy; sys.path.insert(0, '.'); runpy.run_path('main.py', run_name='__main__')"
    )
    process = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code],
        input=f"ugi\n{GAME}\nposition startpos\ngo movetime 1000\nquit\n",
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=True,
        timeout=60,
    )
    assert process.stdout.splitlines()[-1].startswith("bestmove ")


def play_match(bot: BotSpec, key: str, *, opponent: str = "random") -> Sequence[Any]:
    ruleset = games.load(key)
    setup = ruleset.setup_text(ruleset.initial(seed=1))
    pair = (bot, players.spec(opponent, seed=2))
    spec = MatchSpec(ruleset.key, setup, pair, Fischer(3000, 100))
    return referee.play_match(spec, launcher=local._here).games


@pytest.mark.engine
@pytest.mark.parametrize(
    ("path", "key"),
    [
        # The search thinks for ten seconds about the longest of them.
        pytest.param(
            path, key, marks=[pytest.mark.slow] * (path.stem == "search" and key == SMALL[2])
        )
        for path in sorted(SAMPLES.glob("*.py"))
        for key in SMALL
    ],
    ids=lambda value: value.stem if isinstance(value, Path) else None,
)
@pytest.mark.part(0.3)
def test_sample_plays_whole_games(path: Path, key: str):
    report = play_match(BotSpec(path.stem, (sys.executable, str(path))), key)
    assert [game.ending for game in report] == [Ending.RULES] * 2, report


@pytest.mark.engine
@pytest.mark.skipif(shutil.which("perl") is None, reason="no perl here")
@pytest.mark.parametrize("size", [2, 3, 4, 7, 9])
def test_sample_in_another_language_plays_whole_games(size):
    bot = BotSpec("perl", (str(shutil.which("perl")), str(SAMPLES / "morlox.pl")))
    report = play_match(bot, f"morlox(size={size})")
    assert [game.ending for game in report] == [Ending.RULES] * 2, report


@pytest.mark.skipif(shutil.which("perl") is None, reason="no perl here")
def test_the_sample_in_another_language_plays_from_an_opening():
    command = [str(shutil.which("perl")), str(SAMPLES / "morlox.pl")]
    lines = "setoption name Game value morlox(size=2,swap=on)\nposition fen {}\ngo movetime 9\n"
    answers = [
        subprocess.run(
            command, input=lines.format(fen), capture_output=True, text=True, check=True
        ).stdout
        for fen in ("bw/b._w_3_-", "bw/.w_b_3_- moves a1")
    ]
    assert answers == ["bestmove b1\n", "bestmove pass\n"]


def test_samples_are_short():
    for path in SAMPLES.glob("*.py"):
        assert len(path.read_text().splitlines()) < 80


def test_options_are_declared_set_and_read():
    depth, mobility = Option("Depth", 3, 1, 9), Option("Mobility", 0.5, 0.0, 2.0)
    output = io.StringIO()
    lines = [
        "ugi",
        "setoption name Depth value 7",
        "setoption name Mobility value 1.25",
        "setoption name Hash value 64",
        "quit",
    ]
    run(first, options=[depth, mobility], name="b", lines=lines, output=output)
    assert output.getvalue().splitlines()[1:3] == [
        "option name Depth type spin default 3 min 1 max 9",
        "option name Mobility type string default 0.5 min 0.0 max 2.0",
    ]
    assert (depth.value, mobility.value) == (7, 1.25)


@pytest.mark.parametrize("text", ["10", "0", "2.5", "deep"])
def test_a_value_that_an_option_cannot_have_is_refused(text):
    with pytest.raises(ValueError, match=r"Depth|invalid literal"):
        Option("Depth", 3, 1, 9).set(text)
