from __future__ import annotations

import sys

import pytest

import games
from engine.__main__ import main
from engine.transcript import parse_transcript
from games.record import parse_record, replay
from tests.engine.matches import entries_of_ply

pytestmark = pytest.mark.engine

GAME = "morlox(size=4)"


def test_match_shows_each_game_and_the_result(capsys, tmp_path):
    records = tmp_path / "match.txt"
    code = main(
        ["match", "--games", "3", "--game", GAME, "--records", str(records), "random", "greedy"]
    )
    lines = capsys.readouterr().out.splitlines()
    assert code == 0
    assert [line.split()[0] for line in lines[:3]] == ["1/3", "2/3", "3/3"]
    assert "random - greedy" in lines[0]
    assert "greedy - random" in lines[1]
    assert lines[-1].startswith(f"random against greedy, {games.load(GAME).key}, 1000ms: +")
    texts = records.read_text().split("\n\n[Game")
    assert len(texts) == 3
    assert replay(parse_record(texts[-1].join(["[Game", ""]).rstrip("\n") + "\n"))


def test_same_seed_gives_the_same_match(capsys):
    def output() -> str:
        main(["match", "--games", "2", "--game", GAME, "--seed", "5", "random", "random"])
        return str(capsys.readouterr().out)

    assert output() == output()


def test_pairs_of_a_match_differ(capsys, tmp_path):
    records = tmp_path / "match.txt"
    arguments = ["--games", "4", "--game", GAME, "--records", str(records), "random", "random"]
    main(["match", *arguments])
    first, _, third, _ = records.read_text().strip().split("\n\n[Game")
    assert first.split("\n")[4:] != third.split("\n")[4:]


def test_transcripts_of_every_game_and_side_are_written(capsys, tmp_path):
    folder = tmp_path / "said"
    main(
        ["match", "--games", "2", "--game", GAME, "--transcripts", str(folder), "random", "greedy"]
    )
    assert sorted(path.name for path in folder.iterdir()) == [
        "0001-first-random.txt",
        "0001-second-greedy.txt",
        "0002-first-greedy.txt",
        "0002-second-random.txt",
    ]
    transcript = parse_transcript((folder / "0001-second-greedy.txt").read_text())
    assert transcript.bot == "greedy"
    assert transcript.entries[0].text == "ugi"
    words = [entry.text.split()[0] for entry in entries_of_ply(transcript, 1)]
    assert words == ["isready", "readyok", "position", "go", "info", "bestmove"]
    assert transcript.entries[-1].text.startswith("gameover")


@pytest.mark.long
def test_command_with_arguments_is_a_bot(capsys, tmp_path):
    bot = f"{sys.executable} -m engine serve random --seed 3"
    assert main(["match", "--games", "1", "--game", GAME, bot, "random"]) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["match", "--game", "chess()", "random", "random"], "chess()"),
        (["match", "--game", "morlox(size=99)", "random", "random"], "99"),
        (["match", "--game", GAME, "randm", "random"], "no built-in player"),
        (["match", "--game", GAME, "", "random"], "without a name"),
        (["match", "--game", GAME, "random", "random", "--records", "/nonexistent/x"], "/nonexist"),
        (["serve", "deep blue"], "deep blue"),
    ],
)
def test_mistake_in_the_call_is_said_in_one_line(capsys, arguments, message):
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["match", "--game", GAME, "random"],
        ["match", "--game", GAME, "random", "random", "--games", "0"],
        ["match", "--game", GAME, "random", "random", "--movetime", "soon"],
        ["match", "--game", GAME, "random", "random", "--clock", "5"],
    ],
)
def test_bad_arguments_exit_with_two(capsys, arguments):
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2


@pytest.mark.long
def test_match_stops_when_its_test_is_decided(capsys):
    arguments = ["--games", "60", "--game", GAME, "--sprt", "0", "300", "greedy", "random"]
    assert main(["match", *arguments]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].startswith("SPRT [0, 300]: accepted, LLR ")
    assert 20 <= sum("/60" in line for line in lines) < 60


def test_test_with_its_bounds_exchanged_is_refused(capsys):
    arguments = ["match", "--game", GAME, "--sprt", "5", "0", "random", "random"]
    assert main(arguments) == 2
    assert "5.0 is not below" in capsys.readouterr().err
