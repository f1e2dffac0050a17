from __future__ import annotations

import re

import pytest

from engine.__main__ import main
from engine.match import BotSpec
from engine.process import Launch, unconfined
from tests.engine import bots

pytestmark = pytest.mark.engine

GAME = "morlox(size=4)"
# Plays by the library, and does one thing more.
BOT = """
import sys
from rayuela_sdk import run, log
import rayuela_sdk
import random
out = sys.stdout
plies = 0

def choose(position, clock):
    global plies
    plies += 1
    move = random.Random(1).choice(position.legal_moves())
    {body}
    return move

run(choose)
"""


@pytest.fixture
def check(tmp_path, capsys, monkeypatch):
    """Check a bot that runs `body` before each move, and return the exit code and the output."""

    def run(body: str, *arguments: str) -> tuple[int, str]:
        monkeypatch.chdir(tmp_path)
        (tmp_path / "mine.py").write_text(BOT.replace("{body}", body))
        code = main(["check", "mine.py", "--game", GAME, "--games", "2", *arguments])
        return code, str(capsys.readouterr().out)

    return run


@pytest.mark.long
def test_good_bot_passes_and_its_times_are_told(check):
    code, out = check("pass")
    assert code == 0
    assert out.endswith("no violations\n")
    assert "endings: rules 4\n" in out
    assert re.search(
        r"times: \d+ plies, charged median [\d.]+ ms, p99 [\d.]+ ms, max [\d.]+ ms", out
    )
    assert "remark" not in out


@pytest.mark.long
def test_illegal_move_is_told_with_its_ply_and_line_and_the_last_words(check):
    code, out = check("move = 'z9' if plies == 2 else move; print('debug', plies)")
    assert code == 1
    # Two lines of greeting, `readyok`, and two for each move: the second answer is the seventh.
    assert re.search(r"game 1, ply 3, line 7: illegal-move: .*z9", out)
    assert "\n    debug 2\n" in out
    assert "endings: illegal-move" in out


@pytest.mark.long
def test_line_that_the_referee_forgives_is_a_remark(check):
    code, out = check("out.write('thinking...\\n')")
    assert code == 0
    assert (
        "remark: morlox(size=4,swap=on), game 1, ply 1, line 5: no word of the protocol: thinking..."
        in out
    )


@pytest.mark.long
def test_word_with_senseless_arguments_is_a_violation(check):
    code, out = check("out.write('info depth soon\\n')")
    assert code == 1
    assert (
        "violation: morlox(size=4,swap=on), game 1, ply 1, line 5: depth needs a whole number"
        in out
    )


@pytest.mark.long
def test_control_characters_do_not_reach_the_terminal(check):
    _, out = check("log('\\x1b]0;title\\x07'); move = 'z9'")
    assert "\x1b" not in out
    assert "\\x1b]0;title\\x07" in out


@pytest.mark.long
def test_crash_is_told_with_its_traceback(check):
    code, out = check("raise ValueError('lost my way')")
    assert code == 1
    assert "crash: exited with status 1" in out
    assert "ValueError: lost my way" in out
    assert "after 0 plies" in out


def test_games_are_spread_over_the_rule_sets_in_pairs(capsys):
    arguments = ["--game", GAME, "morelli(size=5)", "--games", "6", "--clock", "10+0.1"]
    assert main(["check", "greedy", *arguments]) == 0
    out = capsys.readouterr().out
    assert len(re.findall(r"^ +\d/4 ", out, re.MULTILINE)) == 4
    assert len(re.findall(r"^ +\d/2 ", out, re.MULTILINE)) == 2
    assert out.endswith("no violations\n")


def test_game_that_could_not_be_played_does_not_pass(check, monkeypatch):
    def launch(bot: BotSpec) -> Launch:
        return unconfined(bot if bot.name == "random" else BotSpec(bot.name, ("/nonexistent",)))

    monkeypatch.setattr("engine.local._here", launch)
    code, out = check("pass")
    assert code == 1
    assert "ply 1, line 0: void: launch: cannot start" in out


def test_what_a_broken_box_says_does_not_reach_the_terminal_raw(check, monkeypatch):
    def launch(bot: BotSpec) -> Launch:
        words = ("/bin/sh", "-c", "printf '\\033[31mno' >&2; exit 9")
        return unconfined(bot) if bot.name == "random" else bots.incomplete_box(words)

    monkeypatch.setattr("engine.local._here", launch)
    code, out = check("pass")
    assert code == 1
    assert "\x1b" not in out
    assert r"void: isolation: the box could not be made: \x1b[31mno" in out


@pytest.mark.long
def test_a_bot_that_ignores_the_position_fails_with_advice_in_games_from_the_middle_alone(
    tmp_path, capsys
):
    file = tmp_path / "mine.py"
    file.write_text(bots.IGNORES_POSITION)
    keys = ["morlox(size=5)", "perfect(limit=60)"]
    assert main(["check", str(file), "--game", *keys, "--games", "4"]) == 1
    out = capsys.readouterr().out
    assert "endings: rules 4, illegal-move 4\n" in out
    assert out.count("Set up F, then play the moves after `moves` on it.") == 4


@pytest.mark.long
def test_a_bot_that_fails_from_the_start_too_gets_no_advice_about_the_position(check):
    _, out = check("move = 'z9'")
    assert "endings: illegal-move 4\n" in out
    assert "Set up F" not in out


def test_a_game_whose_start_is_drawn_is_not_played_from_the_middle(capsys):
    assert main(["check", "greedy", "--game", "morelli(size=5)", "--games", "2"]) == 0
    assert "endings: rules 2\n" in capsys.readouterr().out


@pytest.mark.long
def test_options_of_the_greeting_are_listed_once_and_later_ones_not(tmp_path, capsys):
    file = tmp_path / "mine.py"
    declared = "run(choose, options=[rayuela_sdk.Option('Depth', 3, 1, 9)])"
    body = "out.write('option name Late type spin\\n')"
    file.write_text(BOT.replace("run(choose)", declared).replace("{body}", body))
    assert main(["check", str(file), "--game", GAME, "--games", "2"]) == 0
    listed = [line for line in capsys.readouterr().out.splitlines() if line.startswith("option")]
    assert listed == ["option: name Depth type spin default 3 min 1 max 9"]
